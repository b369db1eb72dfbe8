//! Fitted evaluation of the expert's reward value from samples.
//!
//! A sample whose action is the expert's own tells what the expert's value at its state is: the
//! reward plus the discounted value of the next state. Consecutive samples of that kind are taken
//! together as one return of several steps,
//!
//! ```text
//! target_i = r_i + gamma r_{i+1} + ... + gamma^k V^(s_{i+k}),
//! ```
//!
//! up to the first action that is not the expert's, or to the end of the episode, where the target
//! is exact. The value at a node is the mean of the targets around it, each weighted by its trust
//!
//! ```text
//! 1 / (1 + (DOUBT gamma^k)^2),
//! ```
//!
//! the inverse of a variance to which what is guessed, `V^`, adds `DOUBT` times the deviation of what was
//! observed. So one return to the goal outweighs a hundred guesses: with equal weights the guesses, which
//! interpolation blurs over states from which the expert has farther to go, pulled values on the
//! expert's own way down to a third. The value at a state is interpolated: every step averages, so
//! repeating it converges. Several resolutions are kept; a
//! state's value comes from the finest one with evidence.

use super::resolution::Resolution;
use super::sample::Sample;
use crate::lattice::Lattice;
use crate::maze::State;

/// Values have converged when they change by less.
const TOLERANCE: f64 = 1e-4;

/// Sweeps per update; the next update continues where this one ends.
const SWEEPS: usize = 40;

/// Deviation of a guessed value, in deviations of an observed return.
const DOUBT: f64 = 10.0;

/// A fitted value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueEstimate {
    /// The value.
    pub value: f64,
    /// Square of its standard error.
    pub variance: f64,
}

/// The return along consecutive samples with the expert's own actions, as seen from the first.
#[derive(Clone, Copy, Debug)]
struct Return {
    /// Discounted reward along them.
    reward: f64,
    /// Discount after the last one; 0 where the goal ends it.
    discount: f64,
    /// The last sample.
    end: usize,
}

impl Return {
    /// How far its target is to be trusted, from 0 to 1.
    fn trust(&self) -> f64 {
        let doubt = DOUBT * self.discount;
        1.0 / (1.0 + doubt * doubt)
    }
}

/// The expert's reward value, as far as samples tell.
#[derive(Debug)]
pub struct FittedValue {
    gamma: f64,
    resolutions: Vec<Resolution>,
    returns: Vec<Option<Return>>,
    /// The target of each sample; none where the value at the end of its return is not known.
    targets: Vec<Option<f64>>,
}

impl FittedValue {
    /// Without samples; resolutions from the finest to the coarsest.
    pub fn new(gamma: f64, lattices: Vec<Lattice>) -> Self {
        Self {
            gamma,
            resolutions: lattices.into_iter().map(Resolution::new).collect(),
            returns: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// The resolutions, finest first.
    pub fn resolutions(&self) -> &[Resolution] {
        &self.resolutions
    }

    /// Adds a sample; [`Self::update`] makes it count.
    pub fn observe(&mut self, sample: &Sample) {
        for resolution in &mut self.resolutions {
            resolution.observe(&sample.state, &sample.next);
        }
    }

    /// The value at a state.
    pub fn at(&self, state: &State) -> Option<ValueEstimate> {
        self.resolutions.iter().find_map(|r| r.at_state(state))
    }

    /// The value at the state of sample `i`.
    pub fn at_state_of(&self, i: usize) -> Option<ValueEstimate> {
        self.resolutions.iter().find_map(|r| r.at(&r.states[i]))
    }

    /// The value at the state after sample `i`.
    pub fn at_next_of(&self, i: usize) -> Option<ValueEstimate> {
        self.resolutions.iter().find_map(|r| r.at(&r.nexts[i]))
    }

    /// The value at the state after sample `i`, from the return observed there where the expert's
    /// own actions followed.
    pub fn after(&self, samples: &[Sample], i: usize) -> Option<ValueEstimate> {
        let s = &samples[i];
        if s.terminated {
            return Some(ValueEstimate {
                value: 0.0,
                variance: 0.0,
            });
        }
        let next = (!s.last).then(|| self.returns.get(i + 1)).flatten();
        let (Some(Some(observed)), Some(Some(target))) = (next, self.targets.get(i + 1)) else {
            return self.at_next_of(i);
        };
        let variance = match observed.discount > 0.0 {
            true => self.at_next_of(observed.end)?.variance,
            false => 0.0,
        };
        Some(ValueEstimate {
            value: *target,
            variance: observed.discount * observed.discount * variance,
        })
    }

    /// Fits the value to all samples.
    pub fn update(&mut self, samples: &[Sample]) {
        self.find_returns(samples);
        let all = self.returns.iter().enumerate();
        let with_return: Vec<usize> = all.filter(|(_, r)| r.is_some()).map(|(i, _)| i).collect();
        for resolution in &mut self.resolutions {
            resolution.assume_evidence(with_return.iter().copied());
        }
        for _ in 0..SWEEPS {
            if self.sweep(&with_return) <= TOLERANCE {
                break;
            }
        }
    }

    /// Finds the returns of new samples; episodes are added whole.
    fn find_returns(&mut self, samples: &[Sample]) {
        let old = self.returns.len();
        self.returns.resize(samples.len(), None);
        self.targets.resize(samples.len(), None);
        for i in (old..samples.len()).rev() {
            let s = &samples[i];
            if s.action != s.expert {
                continue;
            }
            let next = match s.last {
                true => None,
                false => self.returns.get(i + 1).copied().flatten(),
            };
            self.returns[i] = Some(match (s.terminated, next) {
                (true, _) => Return {
                    reward: s.reward,
                    discount: 0.0,
                    end: i,
                },
                (false, None) => Return {
                    reward: s.reward,
                    discount: self.gamma,
                    end: i,
                },
                (false, Some(next)) => Return {
                    reward: s.reward + self.gamma * next.reward,
                    discount: self.gamma * next.discount,
                    end: next.end,
                },
            });
        }
    }

    fn sweep(&mut self, with_return: &[usize]) -> f64 {
        for resolution in &mut self.resolutions {
            resolution.clear();
        }
        for &i in with_return {
            let Some(observed) = self.returns[i] else {
                continue;
            };
            let bootstrap = match observed.discount > 0.0 {
                true => self.at_next_of(observed.end).map(|k| k.value),
                false => Some(0.0),
            };
            let target = bootstrap.map(|v| observed.reward + observed.discount * v);
            self.targets[i] = target;
            if let Some(target) = target {
                for resolution in &mut self.resolutions {
                    resolution.add_target(i, target, observed.trust());
                }
            }
        }
        let changes = self.resolutions.iter_mut().map(Resolution::average);
        changes.fold(0.0, f64::max)
    }
}
