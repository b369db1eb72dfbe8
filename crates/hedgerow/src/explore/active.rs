//! The active set: what planning has to look at.
//!
//! A state that was never entered is not reached by any estimated row, and all its pairs are unseen: its
//! value is that of an unseen pair. So the problem on the states that were entered, and one that stands for
//! all others, has the values of the whole, state by state, and costs what was seen. The states keep
//! their order, so sweeps visit them as they would visit the whole.

use crate::explore::plan::Method;
use crate::index::{Pair, State};
use crate::learn::{Bound, Learner};
use crate::model::{Dynamics, Part, Policy, expect_in_turn};
use crate::solve::{Mdp, Start, WarmStart};
use std::ops::Range;
use std::sync::Arc;

/// Marks states that are not in the part.
const ELSEWHERE: u32 = u32::MAX;

/// The states of the active set.
#[derive(Debug)]
pub struct Known {
    /// As a task of their own.
    pub part: Part,
    /// The one that was never entered and stands for all that were not, if there is one.
    pub rest: Option<State>,
}

/// The estimated problem on the active set.
#[derive(Debug, Default)]
pub struct Active {
    known: Option<Arc<Known>>,
    rows: SeenRows,
    expert: Option<Policy>,
    /// Position of every state of the whole in the part.
    position: Vec<u32>,
    /// States that had been entered when the part was made, and what the learner had seen at last.
    entered: Vec<State>,
    revision: Option<u64>,
    /// All states before this one were entered or are terminal.
    cursor: usize,
}

/// Estimated rows in the numbers of the part.
#[derive(Debug, Default)]
pub struct SeenRows {
    start: Vec<u32>,
    next: Vec<u32>,
    prob: Vec<f64>,
}

impl Dynamics for SeenRows {
    #[inline]
    fn row(&self, pair: Pair) -> (&[u32], &[f64]) {
        let row = self.start[pair.at()] as usize..self.start[pair.at() + 1] as usize;
        (&self.next[row.clone()], &self.prob[row])
    }

    #[inline]
    fn expect_each(&self, pairs: Range<usize>, values: &[f64], each: impl FnMut(usize, f64)) {
        expect_in_turn(&self.start, (&self.next, &self.prob), pairs, values, each);
    }
}

/// The active set brought up to date, as strategies use it.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// What has been seen.
    pub learner: &'a Learner,
    /// The states.
    pub known: &'a Arc<Known>,
    rows: &'a SeenRows,
    /// The estimated expert on the part; uniform where it was never asked.
    pub expert: &'a Policy,
}

impl Active {
    /// The active set of what `learner` has seen.
    pub fn of<'a>(&'a mut self, learner: &'a Learner) -> Scene<'a> {
        if self.revision != Some(learner.revision()) {
            self.revision = Some(learner.revision());
            if self.known.is_none() || self.entered != learner.entered() {
                self.known = Some(Arc::new(self.grown(learner)));
            }
            if let Some(known) = &self.known {
                self.rows.renew(learner, known, &self.position);
                self.expert = Some(expert(learner, &known.part));
            }
        }
        let none = "made above if it was not there";
        Scene {
            learner,
            known: self.known.as_ref().expect(none),
            rows: &self.rows,
            expert: self.expert.as_ref().expect(none),
        }
    }

    fn grown(&mut self, learner: &Learner) -> Known {
        let task = learner.task();
        if !learner.entered().starts_with(&self.entered) {
            // Another learner than the last time.
            self.cursor = 0;
        }
        self.entered = learner.entered().to_vec();
        let is_over = |s: usize| {
            let state = State::new(s);
            learner.has_entered(state) || task.is_terminal(state)
        };
        while self.cursor < task.states() && is_over(self.cursor) {
            self.cursor += 1;
        }
        let rest = (self.cursor < task.states()).then(|| State::new(self.cursor));
        let mut states = learner.entered().to_vec();
        states.extend(rest);
        states.sort_unstable();
        self.position.resize(task.states(), ELSEWHERE);
        for (here, state) in states.iter().enumerate() {
            self.position[state.at()] = here as u32;
        }
        let part = Part::new(task, states, learner.reward());
        Known {
            rest: rest.and_then(|s| part.position(s)),
            part,
        }
    }
}

impl SeenRows {
    fn renew(&mut self, learner: &Learner, known: &Known, position: &[u32]) {
        self.start.clear();
        self.next.clear();
        self.prob.clear();
        self.start.push(0);
        for pair in known.part.pairs() {
            let (next, prob) = learner.estimate().row(pair);
            self.next.extend(next.iter().map(|&s| position[s as usize]));
            self.prob.extend_from_slice(prob);
            self.start.push(self.next.len() as u32);
        }
    }
}

fn expert(learner: &Learner, part: &Part) -> Policy {
    let mut prob = Policy::uniform(part.task()).probs().to_vec();
    for (here, &state) in part.states().iter().enumerate() {
        let asked = learner.expert_asked(state);
        if asked > 0 {
            for i in part.task().pairs_of(State::new(here)) {
                let chosen = learner.expert_choices(part.whole(Pair::new(i)));
                prob[i] = f64::from(chosen) / f64::from(asked);
            }
        }
    }
    Policy::from_raw(prob)
}

impl<'a> Scene<'a> {
    /// The estimated problem with a reward for every pair of the part.
    pub fn problem(&self, reward: &'a [f64], gamma: f64) -> Mdp<'a, SeenRows> {
        Mdp::new(self.known.part.task(), self.rows)
            .with_reward(reward)
            .with_gamma(gamma)
    }

    /// One number for every pair of the part.
    pub fn each(&self, of: impl Fn(Pair) -> f64) -> Vec<f64> {
        self.known.part.pairs().map(of).collect()
    }

    /// The error of every pair that was tried, as `at` says, and of one that was not the most that
    /// could follow it: `max C_k / (1 - gamma)`, since its row is empty. Their unit is the largest cost.
    pub fn errors(&self, bound: &Bound, at: impl Fn(Pair) -> f64) -> Vec<f64> {
        let unseen = bound.max() / (1.0 - self.learner.task().gamma());
        self.each(|pair| match self.learner.estimate().visits(pair) {
            0 => unseen,
            _ => at(pair),
        })
    }

    /// How its problems are solved: by the size of the whole world, however little of it was seen.
    pub fn method(&self) -> Method {
        Method::of(self.learner.task().states())
    }

    /// The pairs without an inferred cost.
    pub fn unconstrained(&self) -> Vec<bool> {
        let constrained = self.learner.constrained();
        let pairs = self.known.part.pairs();
        pairs.map(|p| !constrained[p.at()]).collect()
    }
}

/// What the last problem left, from which the next similar one starts.
#[derive(Clone, Debug, Default)]
pub struct Warm {
    known: Option<Arc<Known>>,
    start: Start,
}

impl Warm {
    /// The same for the states of `known`: new ones begin as all that was never entered.
    pub fn on(&mut self, known: &Arc<Known>) -> &mut Start {
        if let Some(old) = self.known.as_ref().filter(|old| !Arc::ptr_eq(old, known)) {
            let tasks = (old.part.task(), known.part.task());
            self.start.carry(tasks, &carried(old, known), old.rest);
        }
        self.known = Some(known.clone());
        &mut self.start
    }
}

/// What a search for mixtures left for the next.
#[derive(Clone, Debug, Default)]
pub struct WarmSearch {
    known: Option<Arc<Known>>,
    search: WarmStart,
}

impl WarmSearch {
    /// The same for the states of `known`.
    pub fn on(&mut self, known: &Arc<Known>) -> &mut WarmStart {
        if let Some(old) = self.known.as_ref().filter(|old| !Arc::ptr_eq(old, known)) {
            let tasks = (old.part.task(), known.part.task());
            self.search.carry(tasks, &carried(old, known), old.rest);
        }
        self.known = Some(known.clone());
        &mut self.search
    }
}

/// Where every state of `new` was in `old`, which has no state that `new` has not.
fn carried(old: &Known, new: &Known) -> Vec<Option<State>> {
    let mut at = 0;
    let before = old.part.states();
    let from = |state: &State| {
        while at < before.len() && before[at] < *state {
            at += 1;
        }
        let same = before.get(at) == Some(state);
        same.then(|| State::new(at))
    };
    new.part.states().iter().map(from).collect()
}
