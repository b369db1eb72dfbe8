//! What a learner has seen, as plain counts that can be saved and learned from again.

use crate::fingerprint::Fingerprint;
use crate::index::{Pair, State};
use crate::learn::{Inference, Learner};
use crate::model::{Dynamics, Task};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// All samples of a learner, counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// Pair, next state, how often.
    pub transitions: Vec<(u32, u32, u32)>,
    /// Pair, how often the expert chose it when asked.
    pub expert: Vec<(u32, u32)>,
    /// Pair, next state, what that earns; empty where rewards are known beforehand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rewards: Vec<(u32, u32, f64)>,
}

impl Seen {
    /// How many transitions.
    pub fn samples(&self) -> u64 {
        self.transitions.iter().map(|&(.., n)| u64::from(n)).sum()
    }

    /// Adds all of it to a fingerprint.
    pub(crate) fn feed(&self, f: &mut Fingerprint) {
        for &(pair, next, n) in &self.transitions {
            f.whole(pair as usize)
                .whole(next as usize)
                .whole(n as usize);
        }
        f.whole(self.transitions.len());
        for &(pair, n) in &self.expert {
            f.whole(pair as usize).whole(n as usize);
        }
        for &(pair, next, reward) in &self.rewards {
            f.whole(pair as usize).whole(next as usize);
            f.numbers(&[reward]);
        }
    }
}

impl Learner {
    /// What it has seen, rows in the order in which they were first seen.
    pub fn seen(&self) -> Seen {
        let task = self.task();
        let mut seen = Seen::default();
        for pair in task.all_pairs() {
            let next = self.estimate().row(pair).0;
            let counts = next.iter().zip(self.estimate().counts(pair));
            seen.transitions
                .extend(counts.map(|(&s, &n)| (pair.0, s, n)));
            let earned = next.iter().filter_map(|&s| {
                let reward = self.estimate().reward_seen(pair, State(s))?;
                Some((pair.0, s, reward))
            });
            seen.rewards.extend(earned);
            match self.expert_choices(pair) {
                0 => {}
                n => seen.expert.push((pair.0, n)),
            }
        }
        seen
    }

    /// A learner that has seen this and no more.
    pub fn recall(task: Arc<Task>, inference: Inference, seen: &Seen) -> Result<Self> {
        let pair = |p: u32| {
            let known = (p as usize) < task.pairs();
            known.then_some(Pair(p)).ok_or_else(|| unknown("pair", p))
        };
        let state = |s: u32| {
            let known = (s as usize) < task.states();
            known.then_some(State(s)).ok_or_else(|| unknown("state", s))
        };
        let mut learner = Self::new(task.clone(), inference);
        for &(p, s, times) in &seen.transitions {
            let (pair, next) = (pair(p)?, state(s)?);
            fits(learner.estimate().visits(pair), times, p)?;
            learner.see_transitions(pair, next, times);
        }
        for &(p, s, reward) in &seen.rewards {
            let told = learner.see_reward(pair(p)?, state(s)?, reward);
            told.map_err(|e| e.within("what the learner has seen"))?;
        }
        for &(p, times) in &seen.expert {
            let pair = pair(p)?;
            fits(learner.expert_asked(task.state_of(pair)), times, p)?;
            learner.see_expert_times(pair, times);
        }
        learner.refresh();
        Ok(learner)
    }
}

/// Counts are of 32 bits.
fn fits(before: u32, times: u32, pair: u32) -> Result<()> {
    match before.checked_add(times) {
        Some(_) => Ok(()),
        None => Err(Error::invalid(
            "what the learner has seen",
            format!("the counts of pair {pair} sum to 2^32 or more"),
            "use a file whose counts are below 2^32",
        )),
    }
}

fn unknown(what: &str, index: u32) -> Error {
    Error::invalid(
        "what the learner has seen",
        format!("the task has no {what} {index}"),
        "use the environment in which it was seen",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::builtin;
    use crate::explore;
    use crate::finite::{FinitePayload, RunOptions, run};

    #[test]
    fn what_was_seen_is_enough_to_infer_the_same() {
        let env = builtin::environment("gridworld-3").unwrap();
        let mut options = RunOptions::default();
        (options.run.iterations, options.seed) = (40, 7);
        let mut strategy = explore::find("pcse").unwrap().with_defaults();
        let result = run(&env, strategy.as_mut(), &options).unwrap();
        let kept: FinitePayload = result.payload.read().unwrap();
        let learner = Learner::recall(env.task().clone(), kept.inference, &kept.seen).unwrap();
        assert_eq!(learner.seen(), kept.seen);
        let last = result.snapshots.last().unwrap();
        assert_eq!(learner.samples(), last.samples);
        let cost = learner.cost();
        let inferred: Vec<u32> = (0..cost.len() as u32)
            .filter(|&i| cost[i as usize] > 0.0)
            .collect();
        let listed: Vec<u32> = last.pairs.iter().map(|&(pair, _)| pair).collect();
        assert!(!listed.is_empty());
        assert_eq!(inferred, listed);
        for &(pair, was) in &last.pairs {
            assert!((cost[pair as usize] - was).abs() < 1e-9);
        }
    }

    #[test]
    fn what_was_seen_elsewhere_is_refused() {
        let env = builtin::environment("gridworld-3").unwrap();
        let recall = |seen: &Seen| Learner::recall(env.task().clone(), Inference::default(), seen);
        let pairs = env.task().pairs() as u32;
        let strange = [
            Seen {
                transitions: vec![(pairs, 0, 1)],
                expert: vec![],
                ..Seen::default()
            },
            Seen {
                transitions: vec![(0, 1000, 1)],
                expert: vec![],
                ..Seen::default()
            },
            Seen {
                transitions: vec![],
                expert: vec![(pairs, 1)],
                ..Seen::default()
            },
        ];
        for seen in strange {
            assert!(recall(&seen).unwrap_err().to_string().contains("has no"));
        }
    }

    #[test]
    fn large_counts_take_neither_time_nor_memory() {
        let env = builtin::environment("gridworld-3").unwrap();
        let recall = |seen: &Seen| Learner::recall(env.task().clone(), Inference::default(), seen);
        let all = u32::MAX;
        let seen = Seen {
            transitions: vec![(0, 0, all - 1), (0, 1, 1)],
            expert: vec![(0, all)],
            ..Seen::default()
        };
        let learner = recall(&seen).unwrap();
        assert_eq!(learner.seen(), seen);
        assert_eq!(learner.samples(), u64::from(all));
        assert!(learner.is_full(Pair(0)));
        let strange = [
            Seen {
                transitions: vec![(0, 0, all), (0, 1, 1)],
                expert: vec![],
                ..Seen::default()
            },
            Seen {
                transitions: vec![],
                expert: vec![(0, all), (1, 1)],
                ..Seen::default()
            },
        ];
        for seen in strange {
            let said = recall(&seen).unwrap_err().to_string();
            assert!(said.contains("2^32"), "{said}");
        }
    }
}
