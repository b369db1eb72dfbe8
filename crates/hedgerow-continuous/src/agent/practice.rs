//! What an agent practises in.

/// Many copies of a world, stepped together: lanes.
///
/// A lane that has ended, or run out of time, starts again by itself.
pub trait Practice {
    /// How many numbers describe a state.
    fn inputs(&self) -> usize;

    /// How many actions there are.
    fn actions(&self) -> usize;

    /// How many lanes there are.
    fn lanes(&self) -> usize;

    /// What every lane sees now, one row a lane.
    fn observe(&self, out: &mut [f32]);

    /// Takes one action a lane.
    fn step(&mut self, actions: &[usize], out: &mut Steps);
}

/// What one step brought, lane by lane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// Reward of the step.
    pub reward: Vec<f32>,
    /// Whether the world is over: no value comes after.
    pub ended: Vec<bool>,
    /// Whether the lane starts again, because it ended or ran out of time.
    pub restarted: Vec<bool>,
    /// What is seen after the step and before a new start, one row a lane.
    pub next: Vec<f32>,
}

impl Steps {
    /// Room for `lanes` lanes of `inputs` numbers.
    pub fn new(lanes: usize, inputs: usize) -> Self {
        Self {
            reward: vec![0.0; lanes],
            ended: vec![false; lanes],
            restarted: vec![false; lanes],
            next: vec![0.0; lanes * inputs],
        }
    }
}
