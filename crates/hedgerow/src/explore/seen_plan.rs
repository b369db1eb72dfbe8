//! A plan told for what was seen.

use crate::explore::active::Known;
use crate::explore::choices::Ties;
use crate::explore::plan::{Plan, is_way_on_unknown};
use crate::index::{Pair, State};
use crate::learn::Learner;
use crate::model::{Policy, Task};
use crate::seed::Stream;
use rand::RngExt;
use std::sync::Arc;

/// Policies on the states that were entered, and a rule for all others.
#[derive(Clone, Debug)]
pub struct SeenPlan {
    known: Arc<Known>,
    mixture: Vec<(f64, SeenPolicy)>,
    /// Whether to do as the expert, state by state; nowhere if there is none, and otherwise in every
    /// state that was never entered too.
    imitate: Option<Vec<bool>>,
}

/// One of its policies.
#[derive(Clone, Debug)]
pub struct SeenPolicy {
    /// On the part.
    policy: Policy,
    elsewhere: Elsewhere,
}

/// What to do in states that were never entered, where all pairs are unseen: the score of a pair is its
/// reward times `slope`, and the best are tied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elsewhere {
    /// What the known reward of a pair counts.
    pub slope: f64,
    /// What happens to ties.
    pub ties: Ties,
    /// The chance of any action instead.
    pub random: f64,
}

impl Elsewhere {
    /// All pairs are as good as the others.
    pub fn alike(ties: Ties) -> Self {
        Self {
            slope: 0.0,
            ties,
            random: 0.0,
        }
    }

    /// Calls `give` with the probability of each pair of `state` in turn, until it breaks.
    fn weights(self, task: &Task, state: State, mut give: impl FnMut(f64)) {
        let own = task.pairs_of(state);
        let n = own.len() as f64;
        let score = |i: usize| self.slope * task.reward()[i];
        let best = own.clone().map(score).fold(f64::NEG_INFINITY, f64::max);
        let tied = own.clone().filter(|&i| score(i) >= best).count() as f64;
        let mut first = true;
        for i in own {
            let is_best = score(i) >= best;
            let share = match self.ties {
                Ties::Shared if is_best => 1.0 / tied,
                Ties::First if is_best && first => 1.0,
                _ => 0.0,
            };
            first &= !is_best;
            match self.random > 0.0 {
                true => give((1.0 - self.random) * share + self.random * (1.0 / n)),
                false => give(share),
            }
        }
    }

    /// Samples a pair as [`Policy::sample`] would, from one uniform number.
    fn sample(self, task: &Task, state: State, rng: &mut Stream) -> Pair {
        let mut total = 0.0;
        self.weights(task, state, |w| total += w);
        let mut left = rng.random::<f64>() * total;
        let (mut at, mut last, mut done) = (0, 0, false);
        self.weights(task, state, |w| {
            if w > 0.0 && !done {
                last = at;
                left -= w;
                done = left < 0.0;
            }
            at += 1;
        });
        Pair::new(task.pairs_of(state).start + last)
    }
}

impl SeenPolicy {
    /// `policy` on the part, and a rule for the rest.
    pub fn new(policy: Policy, elsewhere: Elsewhere) -> Self {
        Self { policy, elsewhere }
    }
}

impl SeenPlan {
    /// Draw one of these policies by weight for every episode.
    pub fn mixture_of(known: &Arc<Known>, mixture: Vec<(f64, SeenPolicy)>) -> Plan {
        Plan::Seen(Self {
            known: known.clone(),
            mixture,
            imitate: None,
        })
    }

    /// Follow one policy.
    pub fn follow(known: &Arc<Known>, policy: SeenPolicy) -> Plan {
        Self::mixture_of(known, vec![(1.0, policy)])
    }

    pub(super) fn mixture(&self) -> &[(f64, SeenPolicy)] {
        &self.mixture
    }

    /// The same, doing as the expert where its way on is not known yet.
    pub(super) fn imitating(mut self, learner: &Learner) -> Self {
        let states = self.known.part.states().iter();
        let marks = states.map(|&s| is_way_on_unknown(learner, s));
        self.imitate = Some(marks.collect());
        self
    }

    pub(super) fn imitates(&self, state: State) -> bool {
        self.imitate.as_ref().is_some_and(|marks| {
            let here = self.known.part.position(state);
            here.is_none_or(|s| marks[s.at()])
        })
    }

    pub(super) fn sample(
        &self,
        policy: &SeenPolicy,
        task: &Task,
        state: State,
        rng: &mut Stream,
    ) -> Pair {
        let part = &self.known.part;
        match part.position(state) {
            Some(here) => part.whole(policy.policy.sample(part.task(), here, rng)),
            None => policy.elsewhere.sample(task, state, rng),
        }
    }

    /// The same plan with policies over all pairs of `task`.
    pub(super) fn spread(&self, task: &Task) -> Plan {
        let part = &self.known.part;
        let mixture = self.mixture.iter().map(|(weight, seen)| {
            let mut prob = Vec::with_capacity(task.pairs());
            for state in task.all_states() {
                match part.position(state) {
                    Some(here) => {
                        let own = part.task().pairs_of(here);
                        prob.extend_from_slice(&seen.policy.probs()[own]);
                    }
                    None => seen.elsewhere.weights(task, state, |w| prob.push(w)),
                }
            }
            (*weight, Policy::from_raw(prob))
        });
        let is_marked = |s: State| !task.is_terminal(s) && self.imitates(s);
        let marks = || task.all_states().map(is_marked).collect();
        Plan::Act {
            mixture: mixture.collect(),
            imitate: self.imitate.as_ref().map_or_else(Vec::new, |_| marks()),
        }
    }
}
