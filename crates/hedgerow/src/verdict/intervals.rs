//! Interval evaluation of the expert: the least and greatest `V_E` and `Q_E` that the data allow.
//!
//! `V_E` is one fixed, unknown function, so what has to be covered in every row is one number,
//! `sum P(s'|s,a) V_E(s')`: [`radius`] covers it for all pairs and all times at once. On that event
//!
//! ```text
//! Q_E(s,a) <= greatest_mean(P^(.|s,a), r(s,a,.) + gamma V_E)
//! ```
//!
//! The right side is monotone in `V_E`, so an upper bound on `V_E` may stand in its place, and
//! every application turns upper bounds into upper bounds that are at least as good. Intervals
//! therefore only ever shrink, hold at whatever moment the search stops, and carry over from one
//! moment of a run to the next.

use super::confidence::{greatest_mean, least_mean, radius};
use super::{Assume, Criteria, Know, Knowledge};
use crate::index::{Pair, State};
use crate::learn::Learner;
use crate::model::{Dynamics, Task};
use std::sync::Arc;

/// Sweeps of one call of [`Intervals::tighten`]; the next call goes on from there.
const SWEEPS: usize = 200;

/// A change below this share of the largest value needs no further sweep.
const SETTLED: f64 = 1e-6;

/// Bounds that cross by no more than this share of their size are equal but for rounding.
const ROUNDING: f64 = 1e-9;

/// One end of an interval.
type End = fn((f64, f64)) -> f64;

/// Bounds on the expert's values, for all states and pairs.
#[derive(Clone, Debug)]
pub struct Intervals {
    /// At most `V_E(s)`.
    pub value_low: Vec<f64>,
    /// At least `V_E(s)`.
    pub value_high: Vec<f64>,
    /// At most `Q_E(s,a)`.
    pub q_low: Vec<f64>,
    /// At least `Q_E(s,a)`.
    pub q_high: Vec<f64>,
    /// At most `A_E(s,a)`, from evidence about the advantage itself.
    pub gain_low: Vec<f64>,
    /// At least `A_E(s,a)`, from evidence about the advantage itself.
    pub gain_high: Vec<f64>,
    /// The share of what verdicts may fail with that is left to intervals.
    share: f64,
    /// What is declared of the dynamics.
    known: Option<Arc<Knowledge>>,
    values: Vec<f64>,
    weights: Vec<f64>,
}

impl Intervals {
    /// What is known before anything is seen: returns lie in the task's range.
    pub fn new(task: &Task) -> Self {
        let (least, most) = task.value_range();
        let bound = |s: State, bound| if task.is_terminal(s) { 0.0 } else { bound };
        let states = || task.all_states();
        // Taking any pair and then acting as the expert earns a return too.
        let declared = task.declared_range();
        let (floor, ceiling) = declared.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let q_low = |p| (task.reward_range(p).0 + task.gamma() * least).max(floor);
        let q_high = |p| (task.reward_range(p).1 + task.gamma() * most).min(ceiling);
        Self {
            value_low: states().map(|s| bound(s, least)).collect(),
            value_high: states().map(|s| bound(s, most)).collect(),
            q_low: task.all_pairs().map(q_low).collect(),
            q_high: task.all_pairs().map(q_high).collect(),
            gain_low: vec![f64::NEG_INFINITY; task.pairs()],
            gain_high: vec![f64::INFINITY; task.pairs()],
            share: 1.0,
            known: None,
            values: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// The same, where intervals may fail with this share of what verdicts may fail with.
    pub(super) fn with_share(self, share: f64) -> Self {
        Self { share, ..self }
    }

    /// The same, where this is known of the dynamics. Where classes are, the learner has to be told of
    /// every sample as one of all pairs of its class.
    pub(super) fn with_knowledge(self, known: Option<Arc<Knowledge>>) -> Self {
        Self { known, ..self }
    }

    /// What is known of the dynamics.
    pub(super) fn known(&self) -> Option<&Knowledge> {
        self.known.as_deref()
    }

    /// The probability with which one confidence set may fail.
    pub(super) fn each(&self, task: &Task, criteria: &Criteria) -> f64 {
        self.share * criteria.each(sets(task, criteria.assume, self.known()))
    }

    /// The least and the greatest value that a next state of `pair` may have, where `all` are those of any
    /// state.
    fn ends_of(&self, pair: Pair, all: (f64, f64)) -> (f64, f64) {
        let possible = self.known.as_ref().map_or(&[][..], |k| k.possible(pair));
        if possible.is_empty() {
            return all;
        }
        let fold = |(low, high): (f64, f64), &s: &u32| {
            (
                low.min(self.value_low[s as usize]),
                high.max(self.value_high[s as usize]),
            )
        };
        possible
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), fold)
    }

    /// Shrinks the intervals to what `learner` has seen.
    pub fn tighten(&mut self, learner: &Learner, criteria: &Criteria) {
        let task = learner.task();
        let delta = self.each(task, criteria);
        let scale = task.reward_scale().max(f64::MIN_POSITIVE);
        // Values depend on what the expert chose; the other pairs are updated now and then.
        let mut all = true;
        for _ in 0..SWEEPS {
            let ends = self.ends();
            let mut change: f64 = 0.0;
            for state in task.all_states().filter(|&s| !task.is_terminal(s)) {
                let everything = all || learner.expert_asked(state) == 0;
                for pair in task.pairs_of(state).map(Pair::new) {
                    if everything || learner.expert_chose(pair) {
                        self.tighten_pair(learner, pair, ends, delta);
                    }
                }
                change = change.max(self.tighten_state(learner, state, criteria, delta));
            }
            if change > SETTLED * scale {
                all = false;
            } else if all {
                break;
            } else {
                all = true;
            }
        }
        let ends = self.ends();
        for pair in task.all_pairs() {
            self.tighten_pair(learner, pair, ends, delta);
        }
    }

    /// The least and the greatest value any state may have.
    fn ends(&self) -> (f64, f64) {
        (
            self.value_low.iter().copied().fold(f64::INFINITY, f64::min),
            self.value_high
                .iter()
                .copied()
                .fold(f64::NEG_INFINITY, f64::max),
        )
    }

    fn tighten_pair(&mut self, learner: &Learner, pair: Pair, ends: (f64, f64), delta: f64) {
        let (task, i) = (learner.task(), pair.at());
        let gamma = task.gamma();
        if let Some((low, high)) = self.declared(task, pair) {
            self.q_low[i] = self.q_low[i].max(low);
            self.q_high[i] = self.q_high[i].min(high);
            return;
        }
        let ends = self.ends_of(pair, ends);
        let known = task.observed_rewards().is_none();
        let (low, high) = if known && task.transition_rewards(pair).0.is_empty() {
            let later = |values: &[f64], next: &[u32], _, into: &mut Vec<f64>| {
                into.extend(next.iter().map(|&s| values[s as usize]));
            };
            let (low, high) = self.mean_within(learner, pair, ends, delta, later);
            let reward = task.reward()[i];
            (reward + gamma * low, reward + gamma * high)
        } else {
            // What follows earns too: the mean to cover is that of the returns.
            let (least, most) = task.reward_range(pair);
            let ends = (least + gamma * ends.0, most + gamma * ends.1);
            let earned = |values: &[f64], next: &[u32], end: End, into: &mut Vec<f64>| {
                let rewards = learner.estimate().reward_bounds(task, pair);
                let returns = next.iter().zip(rewards);
                into.extend(returns.map(|(&s, bounds)| end(bounds) + gamma * values[s as usize]));
            };
            self.mean_within(learner, pair, ends, delta, earned)
        };
        self.q_low[i] = self.q_low[i].max(low);
        self.q_high[i] = self.q_high[i].min(high);
    }

    /// Bounds on what `pair` is worth by its declared row, if there is one.
    fn declared(&self, task: &Task, pair: Pair) -> Option<(f64, f64)> {
        let (next, prob) = self.known.as_ref()?.row(pair)?;
        let (mut low, mut high) = (0.0, 0.0);
        for (&s, &p) in next.iter().zip(prob) {
            let reward = task.reward_of(pair, State(s));
            low += p * (reward + task.gamma() * self.value_low[s as usize]);
            high += p * (reward + task.gamma() * self.value_high[s as usize]);
        }
        Some((low, high))
    }

    /// Bounds on the mean over the row of `pair` of what `outcomes` makes of the values, the next
    /// states and the end of each interval to take; all of it lies between `ends`.
    fn mean_within(
        &mut self,
        learner: &Learner,
        pair: Pair,
        ends: (f64, f64),
        delta: f64,
        outcomes: impl Fn(&[f64], &[u32], End, &mut Vec<f64>),
    ) -> (f64, f64) {
        let n = learner.estimate().visits(pair);
        if n == 0 {
            return ends;
        }
        let (next, prob) = learner.estimate().row(pair);
        let d = radius(n, delta);
        self.values.clear();
        outcomes(&self.value_low, next, |b| b.0, &mut self.values);
        let low = least_mean(prob, &self.values, ends.0, d);
        self.values.clear();
        outcomes(&self.value_high, next, |b| b.1, &mut self.values);
        (low, greatest_mean(prob, &self.values, ends.1, d))
    }

    /// How far the mean of `worth` over the true row of `pair` may lie below and above that over what was
    /// seen, if what outcomes are worth is right to within `blur`; all of it lies between `ends`.
    ///
    /// The set that covers the mean of the true worth has some row in it with that mean at least. Its mean
    /// of `worth` lies in the same set, and that of what is missing is at most `blur` times twice the
    /// distance in variation, which is at most `sqrt(2 radius)`.
    pub(super) fn astray(
        &self,
        (prob, worth): (&[f64], &[f64]),
        (n, delta): (u32, f64),
        ends: (f64, f64),
        blur: f64,
    ) -> (f64, f64) {
        if n == 0 {
            return (ends.1 - ends.0, ends.1 - ends.0);
        }
        let d = radius(n, delta);
        let mean: f64 = prob.iter().zip(worth).map(|(p, x)| p * x).sum();
        let more = blur * (2.0 * d).sqrt();
        (
            mean - least_mean(prob, worth, ends.0, d) + more,
            greatest_mean(prob, worth, ends.1, d) - mean + more,
        )
    }

    /// The least and the most that an outcome of `pair` may be worth, `r(s,a,s') + gamma V_E(s')`.
    pub(super) fn worth(&self, task: &Task, pair: Pair) -> (f64, f64) {
        let (least, most) = task.reward_range(pair);
        let ends = self.ends_of(pair, self.ends());
        (least + task.gamma() * ends.0, most + task.gamma() * ends.1)
    }

    /// How far the value of any possible next state of `pair` may lie from where it is thought to be, times
    /// the discount.
    pub(super) fn widest(&self, task: &Task, pair: Pair) -> f64 {
        let width = |s: usize| self.value_high[s] - self.value_low[s];
        let possible = self.known.as_ref().map_or(&[][..], |k| k.possible(pair));
        let widest = match possible {
            [] => (0..task.states()).map(width).fold(0.0, f64::max),
            some => some.iter().map(|&s| width(s as usize)).fold(0.0, f64::max),
        };
        task.gamma() * widest
    }

    /// How far what the expert does in `state` may be worth less, and more, than its value there.
    pub(super) fn answer_range(&self, task: &Task, state: State) -> (f64, f64) {
        let (s, pairs) = (state.at(), task.pairs_of(state));
        let least = self.q_low[pairs.clone()].iter().copied();
        let most = self.q_high[pairs].iter().copied();
        (
            self.value_high[s] - least.fold(f64::INFINITY, f64::min),
            most.fold(f64::NEG_INFINITY, f64::max) - self.value_low[s],
        )
    }

    /// By how much the interval of `V_E(state)` shrank.
    fn tighten_state(
        &mut self,
        learner: &Learner,
        state: State,
        criteria: &Criteria,
        delta: f64,
    ) -> f64 {
        let task = learner.task();
        let pairs = task.pairs_of(state);
        let asked = learner.expert_asked(state);
        let chosen = || {
            pairs
                .clone()
                .filter(|&i| learner.expert_chose(Pair::new(i)))
        };
        let ends = (
            self.q_low[pairs.clone()]
                .iter()
                .copied()
                .fold(f64::INFINITY, f64::min),
            self.q_high[pairs.clone()]
                .iter()
                .copied()
                .fold(f64::NEG_INFINITY, f64::max),
        );
        let (low, high) = match criteria.assume {
            _ if asked == 0 => ends,
            Assume::Ties => (
                chosen()
                    .map(|i| self.q_low[i])
                    .fold(f64::NEG_INFINITY, f64::max),
                chosen()
                    .map(|i| self.q_high[i])
                    .fold(f64::INFINITY, f64::min),
            ),
            Assume::Mixed => {
                let d = radius(asked, delta);
                let share = |i| f64::from(learner.expert_choices(Pair::new(i))) / f64::from(asked);
                self.weights.clear();
                self.weights.extend(chosen().map(share));
                self.values.clear();
                self.values.extend(chosen().map(|i| self.q_low[i]));
                let low = least_mean(&self.weights, &self.values, ends.0, d);
                self.values.clear();
                self.values.extend(chosen().map(|i| self.q_high[i]));
                (low, greatest_mean(&self.weights, &self.values, ends.1, d))
            }
        };
        let s = state.at();
        let before = self.value_high[s] - self.value_low[s];
        self.value_low[s] = self.value_low[s].max(low);
        self.value_high[s] = self.value_high[s].min(high);
        before - (self.value_high[s] - self.value_low[s])
    }

    /// Whether no value of `state` fits the data: the promise failed or an assumption is wrong.
    pub fn is_empty(&self, state: State) -> bool {
        let (low, high) = (self.value_low[state.at()], self.value_high[state.at()]);
        low > high + ROUNDING * low.abs().max(high.abs())
    }

    /// `[low, high]` of `A_E(s,a) = Q_E(s,a) - V_E(s)`.
    pub fn advantage(&self, task: &Task, pair: Pair) -> (f64, f64) {
        // Where there is nothing to choose, the expert does this too.
        if task.pairs_of(task.state_of(pair)).len() == 1 {
            return (0.0, 0.0);
        }
        let s = task.state_of(pair).at();
        let i = pair.at();
        (
            (self.q_low[i] - self.value_high[s]).max(self.gain_low[i]),
            (self.q_high[i] - self.value_low[s]).min(self.gain_high[i]),
        )
    }

    /// `A_E(s,a)` at most, also for a pair that the expert takes: `A_E` is the mean of `Q_E(s,a) - Q_E(s,b)`
    /// over what it does, `b`, which is exactly 0 where that is `a`.
    pub(super) fn gain_at_most(&self, learner: &Learner, pair: Pair, criteria: &Criteria) -> f64 {
        let task = learner.task();
        let high = self.advantage(task, pair).1;
        let state = task.state_of(pair);
        let asked = learner.expert_asked(state);
        if !learner.expert_chose(pair) || criteria.assume == Assume::Ties {
            return high;
        }
        let more = |b: usize| match b == pair.at() {
            true => 0.0,
            false => self.q_high[pair.at()] - self.q_low[b],
        };
        let all = || task.pairs_of(state);
        let share = |b: usize| f64::from(learner.expert_choices(Pair::new(b))) / f64::from(asked);
        let top = all().map(more).fold(0.0, f64::max);
        let (shares, gaps): (Vec<f64>, Vec<f64>) = all()
            .filter(|&b| share(b) > 0.0)
            .map(|b| (share(b), more(b)))
            .unzip();
        let d = radius(asked, self.each(task, criteria));
        high.min(greatest_mean(&shares, &gaps, top, d))
    }

    /// The probability, at most, with which the expert takes `pair`.
    pub(super) fn taken_at_most(&self, learner: &Learner, pair: Pair, criteria: &Criteria) -> f64 {
        let task = learner.task();
        let asked = learner.expert_asked(task.state_of(pair));
        if asked == 0 {
            return 1.0;
        }
        let delta = self.each(task, criteria);
        let share = f64::from(learner.expert_choices(pair)) / f64::from(asked);
        let radius = radius(asked, delta);
        greatest_mean(&[1.0 - share, share], &[0.0, 1.0], 1.0, radius)
    }
}

/// How many confidence sets must hold at once: one per pair for its row, unless that is declared; for a
/// `mixed` expert also one per state for its value and one per pair for how often it is taken.
fn sets(task: &Task, assume: Assume, known: Option<&Knowledge>) -> usize {
    let rows = match known.map(Knowledge::know) {
        Some(Know::Dynamics) => 0,
        _ => task.pairs(),
    };
    match assume {
        Assume::Ties => rows,
        Assume::Mixed => rows + task.pairs() + task.states(),
    }
}
