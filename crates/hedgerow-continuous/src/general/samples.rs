//! What has been observed, in flat arrays that only grow.

use crate::sample_file::SampleFile;
use crate::world::{Space, WorldSpec};
use std::collections::BTreeMap;

/// One decision, as it is added.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// What was observed.
    pub observation: &'a [f64],
    /// What was done.
    pub action: &'a [f64],
    /// What the expert would have done.
    pub expert: &'a [f64],
    /// What was observed after it.
    pub next: &'a [f64],
    /// What the expert would do then.
    pub next_expert: &'a [f64],
    /// The reward.
    pub reward: f64,
    /// Whether the episode ended: nothing is earned after it.
    pub ended: bool,
    /// Whether this is the last sample of its episode.
    pub last: bool,
}

/// The return from a decision on, along decisions that were the expert's own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Return {
    /// Discounted reward of the decision and of those after it that were the expert's own.
    pub reward: f64,
    /// Discount of the value after the last of them; 0 where the episode ended.
    pub discount: f64,
    /// The last of them.
    pub end: usize,
}

/// All samples, episode after episode.
#[derive(Clone, Debug)]
pub struct Samples {
    width: usize,
    each: usize,
    gamma: f64,
    observations: Vec<f64>,
    actions: Vec<f64>,
    experts: Vec<f64>,
    nexts: Vec<f64>,
    next_experts: Vec<f64>,
    rewards: Vec<f64>,
    flags: Vec<(bool, bool)>,
    /// Whether the action of each sample is the expert's own.
    own: Vec<bool>,
    returns: Vec<Return>,
    /// First samples of the episodes.
    starts: Vec<usize>,
}

impl Samples {
    /// None yet.
    pub fn new(spec: &WorldSpec) -> Self {
        Self {
            width: spec.observation.len(),
            each: spec.action.len(),
            gamma: spec.gamma,
            observations: Vec::new(),
            actions: Vec::new(),
            experts: Vec::new(),
            nexts: Vec::new(),
            next_experts: Vec::new(),
            rewards: Vec::new(),
            flags: Vec::new(),
            own: Vec::new(),
            returns: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Adds a sample; `own` says whether its action counts as the expert's.
    pub fn push(&mut self, sample: &Sample, own: bool) {
        if self.flags.last().is_none_or(|(_, last)| *last) {
            self.starts.push(self.len());
        }
        self.observations.extend_from_slice(sample.observation);
        self.actions.extend_from_slice(sample.action);
        self.experts.extend_from_slice(sample.expert);
        self.nexts.extend_from_slice(sample.next);
        self.next_experts.extend_from_slice(sample.next_expert);
        self.rewards.push(sample.reward);
        self.flags.push((sample.ended, sample.last));
        self.own.push(own);
        self.returns.push(Return::default());
        if sample.last {
            self.find_returns();
        }
    }

    /// The returns of the last episode, from its end back. A decision's own reward always counts;
    /// those after it only while the expert itself acted, so that nothing off its way enters.
    fn find_returns(&mut self) {
        let first = self.starts.last().copied().unwrap_or(0);
        for i in (first..self.len()).rev() {
            let (ended, last) = self.flags[i];
            let follows = !last && self.own[i + 1];
            self.returns[i] = match (ended, follows) {
                (true, _) => Return {
                    reward: self.rewards[i],
                    discount: 0.0,
                    end: i,
                },
                (false, false) => Return {
                    reward: self.rewards[i],
                    discount: self.gamma,
                    end: i,
                },
                (false, true) => {
                    let next = self.returns[i + 1];
                    Return {
                        reward: self.rewards[i] + self.gamma * next.reward,
                        discount: self.gamma * next.discount,
                        end: next.end,
                    }
                }
            };
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rewards.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rewards.is_empty()
    }

    /// What was observed at sample `i`.
    pub fn observation(&self, i: usize) -> &[f64] {
        &self.observations[i * self.width..(i + 1) * self.width]
    }

    /// What was done.
    pub fn action(&self, i: usize) -> &[f64] {
        &self.actions[i * self.each..(i + 1) * self.each]
    }

    /// What the expert would have done.
    pub fn expert(&self, i: usize) -> &[f64] {
        &self.experts[i * self.each..(i + 1) * self.each]
    }

    /// What was observed after it.
    pub fn next(&self, i: usize) -> &[f64] {
        &self.nexts[i * self.width..(i + 1) * self.width]
    }

    /// What the expert would do then.
    pub fn next_expert(&self, i: usize) -> &[f64] {
        &self.next_experts[i * self.each..(i + 1) * self.each]
    }

    /// The reward.
    pub fn reward(&self, i: usize) -> f64 {
        self.rewards[i]
    }

    /// Whether the episode ended there.
    pub fn ended(&self, i: usize) -> bool {
        self.flags[i].0
    }

    /// Whether it is the last of its episode.
    pub fn last(&self, i: usize) -> bool {
        self.flags[i].1
    }

    /// Whether its action is the expert's own.
    pub fn is_own(&self, i: usize) -> bool {
        self.own[i]
    }

    /// The return from it on.
    pub fn return_of(&self, i: usize) -> Return {
        self.returns[i]
    }

    /// First samples of all episodes.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// All of them as a file.
    pub fn file(&self, spec: &WorldSpec) -> SampleFile {
        let mut episodes = Vec::with_capacity(self.len());
        let mut episode = 0;
        for (_, last) in &self.flags {
            episodes.push(episode);
            episode += i64::from(*last);
        }
        SampleFile {
            observed: self.width,
            chosen: self.each,
            observations: self.observations.clone(),
            actions: self.actions.clone(),
            expert_actions: self.experts.clone(),
            next_observations: self.nexts.clone(),
            next_expert_actions: self.next_experts.clone(),
            rewards: self.rewards.clone(),
            episodes,
            ended: self.flags.iter().map(|(ended, _)| *ended).collect(),
            notes: BTreeMap::from([
                ("world".to_owned(), spec.name.clone()),
                ("observation".to_owned(), labels(&spec.observation)),
                ("action".to_owned(), labels(&spec.action)),
            ]),
        }
    }
}

/// What the numbers of a value are: coordinates with units, or the names that a number stands for.
fn labels(space: &Space) -> String {
    match space {
        Space::Discrete(names) => format!("number of one of: {}", names.join(", ")),
        Space::Box(all) => {
            let labels: Vec<String> = all.iter().map(|c| c.label()).collect();
            labels.join(", ")
        }
    }
}
