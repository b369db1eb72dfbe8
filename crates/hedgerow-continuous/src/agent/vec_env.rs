//! Vectorised environments.

/// Many copies of an environment, stepped together.
///
/// A copy that has terminated, or run out of time, resets by itself.
pub trait VecEnv {
    /// How many numbers describe a state.
    fn inputs(&self) -> usize;

    /// How many actions there are.
    fn actions(&self) -> usize;

    /// How many copies there are.
    fn copies(&self) -> usize;

    /// The observations of all copies, one row per copy.
    fn observe(&self, out: &mut [f32]);

    /// Takes one action per copy.
    fn step(&mut self, actions: &[usize], out: &mut VecStep);
}

/// What one step led to, copy by copy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VecStep {
    /// Reward of the step.
    pub reward: Vec<f32>,
    /// Whether the episode terminated: the value after it is 0.
    pub terminated: Vec<bool>,
    /// Whether the copy was reset, because it terminated or ran out of time.
    pub reset: Vec<bool>,
    /// Observations after the step and before a reset, one row per copy.
    pub next: Vec<f32>,
}

impl VecStep {
    /// Room for so many copies with `inputs` numbers per observation.
    pub fn new(copies: usize, inputs: usize) -> Self {
        Self {
            reward: vec![0.0; copies],
            terminated: vec![false; copies],
            reset: vec![false; copies],
            next: vec![0.0; copies * inputs],
        }
    }
}
