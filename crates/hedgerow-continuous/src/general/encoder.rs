//! Observations and actions as inputs of networks.

use super::samples::Samples;
use crate::world::{Space, WorldSpec};

/// Scales observations to order 1 by mean and deviation of the first samples, which then stay as they
/// are: networks were trained with them. Bounds say what is possible, samples where things happen: of a
/// road of 40 m an expert may use 12.
#[derive(Clone, Debug)]
pub struct Encoder {
    observation: Space,
    action: Space,
    /// Mean and deviation of each coordinate, after it was scaled by its bounds if it has any.
    scales: Vec<(f64, f64)>,
}

/// The least deviation of a coordinate with bounds, as a share of half its range: what the first samples
/// leave alone may still be explored.
const LEAST: f64 = 0.1;

impl Encoder {
    /// For the spaces of a world.
    pub fn new(spec: &WorldSpec) -> Self {
        Self {
            scales: vec![(0.0, 1.0); spec.observation.inputs()],
            observation: spec.observation.clone(),
            action: spec.action.clone(),
        }
    }

    /// Takes mean and deviation of all coordinates from these samples.
    pub fn fit(&mut self, samples: &Samples) {
        let Space::Box(coordinates) = &self.observation else {
            return;
        };
        let n = samples.len().max(1) as f64;
        for (k, c) in coordinates.iter().enumerate() {
            let all = || (0..samples.len()).map(|i| c.scaled(samples.observation(i)[k]));
            let mean = all().sum::<f64>() / n;
            let variance = all().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
            // Demonstrations cover little; what is explored lies farther out.
            let deviation = 2.0 * variance.sqrt();
            self.scales[k] = match c.is_bounded() {
                true => (mean, deviation.clamp(LEAST, 1.0)),
                false => (mean, deviation.max(1e-3)),
            };
        }
    }

    /// How many inputs an observation takes.
    pub fn observation_inputs(&self) -> usize {
        self.observation.inputs()
    }

    /// How many inputs an observation and an action take together.
    pub fn inputs(&self) -> usize {
        self.observation.inputs() + self.action.inputs()
    }

    /// The space of actions.
    pub fn action_space(&self) -> &Space {
        &self.action
    }

    /// Adds the inputs of an observation and an action to `out`.
    pub fn push(&self, observation: &[f64], action: &[f64], out: &mut Vec<f32>) {
        self.push_scaled(observation, action, true, out);
    }

    /// The same with bounds as the only scale of coordinates that have any, for distances that mean the same
    /// everywhere.
    pub fn push_by_bounds(&self, observation: &[f64], action: &[f64], out: &mut Vec<f32>) {
        self.push_scaled(observation, action, false, out);
    }

    fn push_scaled(&self, observation: &[f64], action: &[f64], all: bool, out: &mut Vec<f32>) {
        self.push_state(observation, all, out);
        let start = out.len();
        out.resize(start + self.action.inputs(), 0.0);
        self.action.encode(action, &mut out[start..]);
    }

    /// Adds the inputs of an observation alone to `out`.
    pub fn push_observation(&self, observation: &[f64], out: &mut Vec<f32>) {
        self.push_state(observation, true, out);
    }

    fn push_state(&self, observation: &[f64], all: bool, out: &mut Vec<f32>) {
        let start = out.len();
        out.resize(start + self.observation.inputs(), 0.0);
        let o = &mut out[start..];
        self.observation.encode(observation, o);
        if let Space::Box(coordinates) = &self.observation {
            let each = o.iter_mut().zip(coordinates).zip(&self.scales);
            for ((x, c), (mean, deviation)) in each {
                if all || !c.is_bounded() {
                    let far = (f64::from(*x) - mean) / deviation;
                    *x = far.clamp(-10.0, 10.0) as f32;
                }
            }
        }
    }
}
