//! Fitted evaluation of the expert's reward value from samples.
//!
//! A sample whose action is the expert's own tells what the expert's value at its state is: the
//! reward on the way plus the discounted value where it leads. Samples that follow each other so
//! are taken together,
//!
//! ```text
//! target_i = r_i + gamma r_{i+1} + ... + gamma^k V^(s_{i+k}),
//! ```
//!
//! up to the first action that is not the expert's, or to the end of the episode, where the target
//! is exact. The value at a node is the mean of the targets around it, and the value at a state is
//! interpolated: every step averages, so repeating it converges. Several resolutions are kept; a
//! state's value comes from the finest one with evidence.

use super::level::Level;
use super::sample::Sample;
use crate::lattice::Lattice;
use crate::maze::State;

/// Values have settled when they change by less.
const TOLERANCE: f64 = 1e-4;

/// Sweeps an update; the next one goes on where this one ends.
const SWEEPS: usize = 40;

/// A fitted value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The value.
    pub value: f64,
    /// Square of its standard error.
    pub variance: f64,
}

/// A chain of samples with the expert's own actions, as seen from its first one.
#[derive(Clone, Copy, Debug)]
struct Chain {
    /// Discounted reward along it.
    reward: f64,
    /// Discount at its end; 0 where the goal ends it.
    discount: f64,
    /// The sample that ends it.
    end: usize,
}

/// The expert's reward value, as far as samples tell.
#[derive(Debug)]
pub struct Fit {
    gamma: f64,
    levels: Vec<Level>,
    chains: Vec<Option<Chain>>,
    /// The target of each sample; none where the value at the end of its chain is not known.
    targets: Vec<Option<f64>>,
}

impl Fit {
    /// Nothing seen yet; resolutions from the finest to the coarsest.
    pub fn new(gamma: f64, lattices: Vec<Lattice>) -> Self {
        Self {
            gamma,
            levels: lattices.into_iter().map(Level::new).collect(),
            chains: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// The resolutions, finest first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Sees a sample; [`Self::update`] makes it count.
    pub fn see(&mut self, sample: &Sample) {
        for level in &mut self.levels {
            level.see(&sample.state, &sample.next);
        }
    }

    /// The value at a state.
    pub fn value(&self, state: &State) -> Option<Known> {
        self.levels.iter().find_map(|l| l.at_state(state))
    }

    /// The value at the state of a sample.
    pub fn here(&self, sample: usize) -> Option<Known> {
        self.levels.iter().find_map(|l| l.at(&l.here[sample]))
    }

    /// The value at the state after a sample.
    pub fn there(&self, sample: usize) -> Option<Known> {
        self.levels.iter().find_map(|l| l.at(&l.there[sample]))
    }

    /// The value at the state after a sample, from what came next where that is the expert's doing.
    pub fn onwards(&self, samples: &[Sample], i: usize) -> Option<Known> {
        let s = &samples[i];
        if s.ended {
            return Some(Known {
                value: 0.0,
                variance: 0.0,
            });
        }
        let next = (!s.last).then(|| self.chains.get(i + 1)).flatten();
        let (Some(Some(chain)), Some(Some(target))) = (next, self.targets.get(i + 1)) else {
            return self.there(i);
        };
        let end = match chain.discount > 0.0 {
            true => self.there(chain.end)?.variance,
            false => 0.0,
        };
        Some(Known {
            value: *target,
            variance: chain.discount * chain.discount * end,
        })
    }

    /// Fits the value to all samples.
    pub fn update(&mut self, samples: &[Sample]) {
        self.link(samples);
        let chained = |chains: &[Option<Chain>]| {
            let all = chains.iter().enumerate();
            all.filter(|(_, c)| c.is_some())
                .map(|(i, _)| i)
                .collect::<Vec<_>>()
        };
        let chained = chained(&self.chains);
        for level in &mut self.levels {
            level.suppose(chained.iter().copied());
        }
        for _ in 0..SWEEPS {
            if self.sweep(&chained) <= TOLERANCE {
                break;
            }
        }
    }

    /// Finds the chains that new samples belong to; an episode is seen as a whole.
    fn link(&mut self, samples: &[Sample]) {
        let old = self.chains.len();
        self.chains.resize(samples.len(), None);
        self.targets.resize(samples.len(), None);
        for i in (old..samples.len()).rev() {
            let s = &samples[i];
            if s.action != s.expert {
                continue;
            }
            let follows = match s.last {
                true => None,
                false => self.chains.get(i + 1).copied().flatten(),
            };
            self.chains[i] = Some(match (s.ended, follows) {
                (true, _) => Chain {
                    reward: s.reward,
                    discount: 0.0,
                    end: i,
                },
                (false, None) => Chain {
                    reward: s.reward,
                    discount: self.gamma,
                    end: i,
                },
                (false, Some(next)) => Chain {
                    reward: s.reward + self.gamma * next.reward,
                    discount: self.gamma * next.discount,
                    end: next.end,
                },
            });
        }
    }

    fn sweep(&mut self, chained: &[usize]) -> f64 {
        for level in &mut self.levels {
            level.clear();
        }
        for &i in chained {
            let Some(chain) = self.chains[i] else {
                continue;
            };
            let ahead = match chain.discount > 0.0 {
                true => self.there(chain.end).map(|k| k.value),
                false => Some(0.0),
            };
            let target = ahead.map(|v| chain.reward + chain.discount * v);
            self.targets[i] = target;
            if let Some(target) = target {
                for level in &mut self.levels {
                    level.target(i, target);
                }
            }
        }
        let changes = self.levels.iter_mut().map(Level::settle);
        changes.fold(0.0, f64::max)
    }
}
