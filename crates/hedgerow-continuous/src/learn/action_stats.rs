//! Advantages and costs by node and action, so that they can be looked up at any state.

use super::infer::Advantage;
use super::sample::Sample;
use crate::lattice::Interpolation;
use crate::maze::ACTIONS;

/// Evidence that an entry needs, in samples.
const EVIDENCE: f64 = 0.5;

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    weight: f64,
    advantage: f64,
    width: f64,
    cost: f64,
}

/// Means over the samples around each node, by action.
#[derive(Debug)]
pub(super) struct ActionStats {
    sums: Vec<[Sums; ACTIONS]>,
}

impl ActionStats {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            sums: vec![[Sums::default(); ACTIONS]; nodes],
        }
    }

    /// Starts again from these samples; `states` are the interpolations of their states.
    pub(super) fn fill(
        &mut self,
        samples: &[Sample],
        states: &[Interpolation],
        advantages: &[Option<Advantage>],
        costs: &[f64],
    ) {
        self.sums.fill([Sums::default(); ACTIONS]);
        let all = samples.iter().zip(states).zip(advantages).zip(costs);
        for (((sample, state), advantage), cost) in all {
            let Some(a) = advantage else { continue };
            for (node, w) in state.iter() {
                if let Some(sums) = self.sums[node].get_mut(usize::from(sample.action)) {
                    sums.weight += w;
                    sums.advantage += w * a.value;
                    sums.width += w * a.width;
                    sums.cost += w * cost;
                }
            }
        }
    }

    fn interpolate(&self, state: &Interpolation) -> [Sums; ACTIONS] {
        let mut all = [Sums::default(); ACTIONS];
        for (node, w) in state.iter() {
            for (sum, s) in all.iter_mut().zip(&self.sums[node]) {
                sum.weight += w * s.weight;
                sum.advantage += w * s.advantage;
                sum.width += w * s.width;
                sum.cost += w * s.cost;
            }
        }
        all
    }

    pub(super) fn advantages(&self, state: &Interpolation) -> [Option<Advantage>; ACTIONS] {
        self.interpolate(state).map(|s| {
            (s.weight >= EVIDENCE).then(|| Advantage {
                value: s.advantage / s.weight,
                width: s.width / s.weight,
            })
        })
    }

    pub(super) fn costs(&self, state: &Interpolation) -> [f64; ACTIONS] {
        self.interpolate(state).map(|s| match s.weight >= EVIDENCE {
            true => s.cost / s.weight,
            false => 0.0,
        })
    }
}
