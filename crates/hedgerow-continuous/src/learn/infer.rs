//! From advantages to a cost.

use super::fitted_value::ValueEstimate;

/// How samples become a cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostInference {
    /// Advantages up to this are no evidence: an expert that was trained is not exactly optimal.
    pub margin: f64,
    /// Widths are this many standard errors.
    pub z: f64,
    /// An action that the expert chooses in more than this share of cases nearby is its own.
    pub share: f64,
}

impl Default for CostInference {
    fn default() -> Self {
        Self {
            margin: 0.1,
            z: 2.0,
            share: 0.1,
        }
    }
}

/// What a sample says about its action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advantage {
    /// `A^ = r + gamma V^(s') - V^(s)`.
    pub value: f64,
    /// Its width, `z` standard errors.
    pub width: f64,
}

impl CostInference {
    /// The advantage of an action with this reward, from the values at its state and after it.
    pub fn advantage(
        &self,
        reward: f64,
        gamma: f64,
        state: ValueEstimate,
        next: ValueEstimate,
    ) -> Advantage {
        let variance = state.variance + gamma * gamma * next.variance;
        Advantage {
            value: reward + gamma * next.value - state.value,
            width: self.z * variance.sqrt(),
        }
    }

    /// The inferred cost of an action with this advantage that the expert does not choose.
    pub fn cost(&self, advantage: Advantage) -> f64 {
        match advantage.value > advantage.width + self.margin {
            true => advantage.value,
            false => 0.0,
        }
    }
}
