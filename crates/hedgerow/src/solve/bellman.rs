//! The problem every solver works on, and its Bellman backups.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Model, Policy, Rows, Task};
use rayon::prelude::*;
use std::ops::Range;

/// Pairs that a thread looks at, at least.
const CHUNK: usize = 65_536;

/// Pairs whose `Q` is found before the best of every state is looked for.
const ROOM: usize = 2048;

/// A decision problem to solve: maximise the discounted sum of `reward`.
///
/// The reward is a vector of its own because exploration, Lagrangians and costs all plan with
/// other rewards than the task's; the discount because exploration may look further ahead.
#[derive(Debug)]
pub struct Mdp<'a, D: Dynamics> {
    pub(crate) task: &'a Task,
    pub(crate) dynamics: &'a D,
    pub(crate) reward: &'a [f64],
    pub(crate) gamma: f64,
    pub(crate) allowed: Option<&'a [bool]>,
    pub(crate) unit: f64,
}

// Not derived: a derived Clone would ask for `D: Clone`, which references do not need.
impl<D: Dynamics> Clone for Mdp<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D: Dynamics> Copy for Mdp<'_, D> {}

impl<'a> Mdp<'a, Rows> {
    /// The model's own problem: its reward, its discount, all pairs.
    pub fn of(model: &'a Model) -> Self {
        Self::new(model.task(), model.rows())
    }
}

impl<'a, D: Dynamics> Mdp<'a, D> {
    /// The problem of a task under some dynamics, true or estimated: the expected reward under
    /// them, the task's discount, all pairs. A pair with an empty row earns its reward and ends the episode.
    pub fn new(task: &'a Task, dynamics: &'a D) -> Self {
        Self {
            task,
            dynamics,
            reward: dynamics.reward(task),
            gamma: task.gamma(),
            allowed: None,
            unit: task.reward_scale(),
        }
    }

    /// The same problem with another reward, of any sign.
    ///
    /// # Panics
    /// If there is not one number per pair.
    #[must_use]
    pub fn with_reward(self, reward: &'a [f64]) -> Self {
        let pairs = self.task.pairs();
        assert_eq!(reward.len(), pairs, "a reward needs one number per pair");
        Self { reward, ..self }
    }

    /// The same problem with rewards in other units than the task's: a number of this size is
    /// neither small nor large.
    #[must_use]
    pub fn with_unit(self, unit: f64) -> Self {
        Self { unit, ..self }
    }

    /// The size of numbers in this problem: that of the task's rewards unless said otherwise.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// The same problem with another discount.
    ///
    /// # Panics
    /// If the discount is not at least 0 and below 1.
    #[must_use]
    pub fn with_gamma(self, gamma: f64) -> Self {
        assert!((0.0..1.0).contains(&gamma), "{gamma} is not a discount");
        Self { gamma, ..self }
    }

    /// The same problem where only some pairs may be chosen.
    ///
    /// # Panics
    /// If there is not one mark per pair.
    #[must_use]
    pub fn with_allowed(self, allowed: &'a [bool]) -> Self {
        let pairs = self.task.pairs();
        assert_eq!(allowed.len(), pairs, "one mark per pair is needed");
        Self {
            allowed: Some(allowed),
            ..self
        }
    }

    /// States and available pairs.
    pub fn task(&self) -> &'a Task {
        self.task
    }

    /// Transition rows, true or estimated.
    pub fn dynamics(&self) -> &'a D {
        self.dynamics
    }

    /// The reward of every pair.
    pub fn reward(&self) -> &'a [f64] {
        self.reward
    }

    /// The discount.
    pub fn gamma(&self) -> f64 {
        self.gamma
    }

    /// Whether `pair` may be chosen.
    #[inline]
    pub fn allows(&self, pair: Pair) -> bool {
        self.allowed.is_none_or(|a| a[pair.at()])
    }

    /// `Q(pair) = r + gamma P V`.
    #[inline]
    pub fn q(&self, pair: Pair, values: &[f64]) -> f64 {
        self.reward[pair.at()] + self.gamma * self.dynamics.expect(pair, values)
    }

    /// `Q` of all allowed pairs of `state`, in order.
    #[inline]
    pub(crate) fn each_q(&self, state: State, values: &[f64], mut each: impl FnMut(Pair, f64)) {
        let pairs = self.task.pairs_of(state);
        let q = |i: usize, later: f64| self.reward[i] + self.gamma * later;
        match self.allowed {
            None => self.dynamics.expect_each(pairs, values, |i, later| {
                each(Pair::new(i), q(i, later));
            }),
            Some(allowed) => self.dynamics.expect_each(pairs, values, |i, later| {
                if allowed[i] {
                    each(Pair::new(i), q(i, later));
                }
            }),
        }
    }

    /// The best allowed pair of `state` and its `Q`; the first of equals.
    #[inline]
    pub fn best(&self, state: State, values: &[f64]) -> Option<(Pair, f64)> {
        let pairs = self.task.pairs_of(state);
        if let Some(later) = self.dynamics.expect_matrix(pairs.clone(), values) {
            return self.best_of_matrix(pairs, later);
        }
        let mut best: Option<(Pair, f64)> = None;
        self.each_q(state, values, |pair, q| {
            if best.is_none_or(|(_, b)| q > b) {
                best = Some((pair, q));
            }
        });
        best
    }

    /// The best of pairs whose rows are one matrix, by what it says of them.
    #[inline]
    fn best_of_matrix<const N: usize>(
        &self,
        pairs: Range<usize>,
        mut later: [f64; N],
    ) -> Option<(Pair, f64)> {
        let q = &mut later[..pairs.len()];
        for (q, reward) in q.iter_mut().zip(&self.reward[pairs.clone()]) {
            *q = reward + self.gamma * *q;
        }
        self.best_of(pairs, q)
    }

    /// [`Self::best`] of every state of a range, in order.
    ///
    /// The `Q` of many pairs are found before the best of any state is looked for: which pair is best cannot be foreseen, and a
    /// processor that guessed wrong would throw away the values that it was already waiting for.
    #[inline]
    pub(crate) fn each_best(
        &self,
        states: Range<usize>,
        values: &[f64],
        mut each: impl FnMut(Option<(Pair, f64)>),
    ) {
        self.each_own(states, values, |pairs, own| each(self.best_of(pairs, own)));
    }

    /// The largest `Q` of every state of a range, in order.
    #[inline]
    pub(crate) fn each_largest(
        &self,
        states: Range<usize>,
        values: &[f64],
        mut each: impl FnMut(Option<f64>),
    ) {
        self.each_own(states, values, |pairs, own| {
            let best = match self.allowed {
                None => match own.first_chunk::<4>() {
                    Some(&[a, b, c, d]) if own.len() == 4 => {
                        Some(larger(larger(larger(a, b), c), d))
                    }
                    _ => own.iter().copied().reduce(larger),
                },
                Some(_) => self.best_of(pairs, own).map(|(_, q)| q),
            };
            each(best);
        });
    }

    /// The pairs of every state of a range, in order, and their `Q`.
    #[inline]
    fn each_own(
        &self,
        states: Range<usize>,
        values: &[f64],
        mut each: impl FnMut(Range<usize>, &[f64]),
    ) {
        let mut room = [0.0; ROOM];
        let mut first = states.start;
        while first < states.end {
            let starts = self.task.pair_starts(first..states.end);
            let begin = starts[0] as usize;
            let some = starts.partition_point(|&at| at as usize - begin <= ROOM);
            if some == 1 {
                // More pairs than there is room for.
                let pairs = begin..starts[1] as usize;
                let mut q = vec![0.0; pairs.len()];
                self.q_into(pairs.clone(), values, &mut q);
                each(pairs, &q);
                first += 1;
                continue;
            }
            let starts = &starts[..some];
            let pairs = begin..starts[some - 1] as usize;
            let q = &mut room[..pairs.len()];
            self.q_into(pairs, values, q);
            for own in starts.windows(2) {
                let own = own[0] as usize..own[1] as usize;
                each(own.clone(), &q[own.start - begin..own.end - begin]);
            }
            first += some - 1;
        }
    }

    /// `Q` of all pairs of a range, allowed or not.
    #[inline]
    fn q_into(&self, pairs: Range<usize>, values: &[f64], q: &mut [f64]) {
        self.dynamics.expect_into(pairs.clone(), values, q);
        for (q, reward) in q.iter_mut().zip(&self.reward[pairs]) {
            *q = reward + self.gamma * *q;
        }
    }

    /// The best of some pairs, whose `Q` are `own`.
    #[inline(always)]
    pub(crate) fn best_of(&self, pairs: Range<usize>, own: &[f64]) -> Option<(Pair, f64)> {
        let (at, best) = match (self.allowed, own.len()) {
            (None, 4) => largest(own.first_chunk::<4>()?)?,
            (None, 8) => largest(own.first_chunk::<8>()?)?,
            (None, _) => largest(own)?,
            (Some(allowed), _) => largest_allowed(&allowed[pairs.clone()], own)?,
        };
        Some((Pair::new(pairs.start + at), best))
    }

    /// `sum_a pi(a|s) Q(s, a)`.
    #[inline]
    pub fn backup(&self, policy: &Policy, state: State, values: &[f64]) -> f64 {
        let mut v = 0.0;
        for i in self.task.pairs_of(state) {
            let p = policy.probs()[i];
            if p > 0.0 {
                v += p * self.q(Pair::new(i), values);
            }
        }
        v
    }

    /// `|r| + gamma P |V|`: the size of the terms that `Q(pair)` adds up.
    #[inline]
    pub(crate) fn terms(&self, pair: Pair, values: &[f64]) -> f64 {
        let (next, prob) = self.dynamics.row(pair);
        let later = next.iter().zip(prob);
        let later: f64 = later.map(|(&s, &p)| p * values[s as usize].abs()).sum();
        self.reward[pair.at()].abs() + self.gamma * later
    }

    /// The largest size of a reward that may be earned.
    pub(crate) fn largest_reward(&self) -> f64 {
        let all = self.task.all_pairs().filter(|&p| self.allows(p));
        all.map(|p| self.reward[p.at()].abs()).fold(0.0, f64::max)
    }

    /// Whether an episode goes on in `state`: it is not terminal and some pair is allowed.
    #[inline]
    pub(crate) fn goes_on(&self, state: State) -> bool {
        match self.allowed {
            None => !self.task.is_terminal(state),
            Some(allowed) => allowed[self.task.pairs_of(state)].iter().any(|&a| a),
        }
    }

    /// Whether no allowed pair can end the episode.
    pub(crate) fn never_ends(&self) -> bool {
        let pairs = (0..self.task.pairs()).into_par_iter().with_min_len(CHUNK);
        self.task.all_states().all(|s| self.goes_on(s))
            && pairs.all(|i| !self.dynamics.row(Pair::new(i)).0.is_empty())
    }

    /// What turns the residuals of this problem into certified errors.
    pub(crate) fn certificate(&self) -> Certificate {
        let pairs = (0..self.task.pairs()).into_par_iter().with_min_len(CHUNK);
        let widest = pairs
            .map(|i| self.dynamics.row(Pair::new(i)).0.len())
            .max()
            .unwrap_or(0);
        // A sum of n products is off by at most n units in the last place of its largest term.
        Certificate {
            gamma: self.gamma,
            rounding: f64::EPSILON * (widest + 4) as f64,
        }
    }
}

/// The smaller of two numbers: the first unless the second is a smaller number. `f64::min` also asks whether the first is one.
#[inline]
pub(crate) fn smaller(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The larger of two numbers, likewise.
#[inline]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The largest of some numbers and where it is, the first of equals. Given an array, it is one row of choices without branches.
#[inline]
fn largest(q: &[f64]) -> Option<(usize, f64)> {
    let mut best = *q.first()?;
    let mut at = 0;
    for (i, &q) in q.iter().enumerate().skip(1) {
        let more = q > best;
        best = if more { q } else { best };
        at = if more { i } else { at };
    }
    Some((at, best))
}

/// The same of those that are allowed.
#[inline(never)]
fn largest_allowed(allowed: &[bool], q: &[f64]) -> Option<(usize, f64)> {
    let mut at = allowed.iter().position(|&a| a)?;
    for i in at + 1..q.len() {
        if allowed[i] && q[i] > q[at] {
            at = i;
        }
    }
    Some((at, q[at]))
}

/// Turns the residual of a sweep into a bound on the error of its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Certificate {
    gamma: f64,
    rounding: f64,
}

impl Certificate {
    pub(crate) fn new(gamma: f64, rounding: f64) -> Self {
        Self { gamma, rounding }
    }

    /// What a backup may be off by, relative to the size of its terms.
    pub(crate) fn rounding(&self) -> f64 {
        self.rounding
    }

    /// `residual / (1 - gamma)`, with room for the rounding of one backup.
    pub(crate) fn error(&self, residual: f64, largest: f64) -> f64 {
        (residual + self.floor(largest)) / (1.0 - self.gamma)
    }

    /// The residual below which a backup of values up to `largest` is only rounding.
    pub(crate) fn floor(&self, largest: f64) -> f64 {
        self.rounding * largest
    }

    /// Whether more sweeps would only shuffle the last digits: the residual is down to rounding,
    /// and it stopped falling or rounding alone exceeds the tolerance.
    pub(crate) fn stuck(&self, residual: f64, before: f64, largest: f64, tolerance: f64) -> bool {
        residual <= self.floor(largest)
            && (residual >= before || self.error(0.0, largest) > tolerance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Result;
    use crate::model::ModelBuilder;

    #[test]
    fn the_best_of_many_states_are_those_of_each() -> Result<()> {
        // State 3 has more pairs than there is room for, some states have many, and two are terminal.
        let actions = ROOM + 10;
        let count = |s: usize| match s {
            3 => actions,
            5 | 6 => 900,
            1 | 9 => 0,
            _ => 1 + s % 12,
        };
        let names = (0..actions).map(|a| a.to_string());
        let mut b = ModelBuilder::new(40, names, 0.9);
        b.start(0, 1.0);
        for s in 0..40 {
            if count(s) == 0 {
                b.terminal(s);
            }
            for a in 0..count(s) {
                b.transition(s, a, (7 * a + s) % 40, 0.5);
                b.transition(s, a, (3 * a + 1) % 40, 0.5);
                // Many are equal, so that the first of them has to be found.
                b.reward(s, a, ((a * a + s) % 5) as f64);
            }
        }
        let model = b.build()?;
        let values: Vec<f64> = (0..40).map(|s| f64::from(s % 3)).collect();
        let marks: Vec<bool> = (0..model.task().pairs()).map(|i| i % 7 > 2).collect();
        let mdp = Mdp::of(&model);
        for mdp in [mdp, mdp.with_allowed(&marks)] {
            for states in [0..40, 2..7, 3..4, 5..5] {
                let plain = |s: usize| {
                    let mut best: Option<(Pair, f64)> = None;
                    for pair in mdp.task.pairs_of(State::new(s)).map(Pair::new) {
                        let q = mdp.q(pair, &values);
                        if mdp.allows(pair) && best.is_none_or(|(_, most)| q > most) {
                            best = Some((pair, q));
                        }
                    }
                    best
                };
                let expected: Vec<_> = states.clone().map(plain).collect();
                let single = |s| mdp.best(State::new(s), &values);
                assert_eq!(states.clone().map(single).collect::<Vec<_>>(), expected);
                let mut found = Vec::new();
                mdp.each_best(states, &values, |best| found.push(best));
                assert_eq!(found, expected);
            }
        }
        Ok(())
    }
}
