//! The Markov chain that a policy makes of a large problem, in rows small enough to sweep over many
//! times.
//!
//! Up to some ten thousand states a factorisation ([`super::chain`]) is as fast and needs no
//! convergence. Beyond, its factors fill up, and sweeps over the merged rows of the policy take
//! over, in an order in which what a goal is worth reaches the far end in one of them.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy};
use crate::solve::Mdp;
use crate::solve::bands::{Chained, Order, bands, order};
use crate::solve::bellman::Certificate;
use crate::solve::settle::{FLOOR, InOrder, ROUND, Settled};
use crate::solve::shape::{TINY, alike, shaped};
use crate::solve::turn::{Change, Close, Turn};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::OnceLock;

/// From this many states on, sweeps take the place of factors.
pub(crate) const LARGE: usize = 20_000;

/// States that are worked on at a time.
const CHUNK: usize = 4096;

/// Sweeps after which other methods take over.
pub(crate) const SWEEPS: usize = 4000;

/// `P_pi` in compressed rows, the row of every state where the episode has ended empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct PolicyRows {
    /// The pairs that the rows are of, if they are those of single pairs.
    taken: Vec<Option<Pair>>,
    pub(super) start: Vec<usize>,
    next: Vec<u32>,
    prob: Vec<f64>,
    /// What a backup may be off by, relative to the size of its terms.
    pub(super) rounding: f64,
    pub(super) gamma: f64,
    /// The states in the order of a sweep, once it is needed, and the rows in that order.
    turns: OnceLock<Turns>,
    in_order: OnceLock<InOrder>,
    /// Rows that have changed since the order was found.
    changed: usize,
}

/// The states in the order of a sweep, and the bands that they are taken in.
#[derive(Clone, Debug)]
struct Turns {
    bands: Vec<Range<usize>>,
    order: Order,
}

/// Part of the rows, as one thread makes it.
#[derive(Default)]
struct Part {
    length: Vec<u32>,
    next: Vec<u32>,
    prob: Vec<f64>,
    /// Room for a row that several pairs make.
    row: Vec<(u32, f64)>,
}

impl PolicyRows {
    /// The chain of `policy`.
    pub(crate) fn new<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy) -> Self {
        let actions = mdp.task.actions();
        Self::of(mdp, actions, |state, part| {
            let shares = &policy.probs()[mdp.task.pairs_of(state)];
            if let Some(i) = shares.iter().position(|&share| share == 1.0) {
                let (next, prob) = mdp
                    .dynamics
                    .row(Pair::new(mdp.task.pairs_of(state).start + i));
                part.next.extend_from_slice(next);
                part.prob.extend_from_slice(prob);
                return;
            }
            let row = &mut part.row;
            row.clear();
            for (i, &share) in mdp.task.pairs_of(state).zip(shares) {
                if share > 0.0 {
                    let (next, prob) = mdp.dynamics.row(Pair::new(i));
                    row.extend(next.iter().zip(prob).map(|(&s, &p)| (s, share * p)));
                }
            }
            row.sort_by_key(|entry| entry.0);
            row.dedup_by(|from, into| {
                let same = from.0 == into.0;
                into.1 += if same { from.1 } else { 0.0 };
                same
            });
            part.next.extend(row.iter().map(|entry| entry.0));
            part.prob.extend(row.iter().map(|entry| entry.1));
        })
    }

    /// The chain of the policy that takes one pair of every state.
    pub(crate) fn of_choice<D: Dynamics>(mdp: &Mdp<D>, choice: &[Option<Pair>]) -> Self {
        let mut rows = Self {
            gamma: mdp.gamma,
            ..Self::default()
        };
        rows.follow(mdp, choice);
        rows
    }

    /// Becomes the chain of another choice; where the pair of a state stays, so does its row. How many
    /// did not.
    pub(crate) fn follow<D: Dynamics>(&mut self, mdp: &Mdp<D>, choice: &[Option<Pair>]) -> usize {
        let row = |pair: Option<Pair>| pair.map_or((&[][..], &[][..]), |p| mdp.dynamics.row(p));
        let lengths: Vec<u32> = choice
            .par_iter()
            .with_min_len(CHUNK)
            .map(|&pair| row(pair).0.len() as u32)
            .collect();
        let fits = |(of, &length): (&[usize], &u32)| of[1] - of[0] == length as usize;
        let known = self.taken.len() == choice.len();
        let both = self.taken.iter().zip(choice).enumerate();
        let changed: Vec<u32> = match known {
            true => both
                .filter(|(_, (was, is))| was != is)
                .map(|(s, _)| s as u32)
                .collect(),
            false => (0..choice.len() as u32).collect(),
        };
        if !(known && self.start.windows(2).zip(&lengths).all(fits)) {
            self.lay_out(&lengths);
            self.in_order.take();
        }
        let start = &self.start;
        let (mut next, mut prob) = (&mut self.next[..], &mut self.prob[..]);
        let mut parts = Vec::with_capacity(choice.len().div_ceil(CHUNK));
        for (i, taken) in self.taken.chunks_mut(CHUNK).enumerate() {
            let first = i * CHUNK;
            let length = start[first + taken.len()] - start[first];
            let (states, probs);
            (states, next) = std::mem::take(&mut next).split_at_mut(length);
            (probs, prob) = std::mem::take(&mut prob).split_at_mut(length);
            parts.push((first, taken, states, probs));
        }
        parts
            .into_par_iter()
            .for_each(|(first, taken, next, prob)| {
                for (i, taken) in taken.iter_mut().enumerate() {
                    let s = first + i;
                    if *taken == choice[s] {
                        continue;
                    }
                    *taken = choice[s];
                    let at = start[s] - start[first]..start[s + 1] - start[first];
                    let (states, probs) = row(choice[s]);
                    next[at.clone()].copy_from_slice(states);
                    prob[at].copy_from_slice(probs);
                }
            });
        self.forget_order(&changed);
        changed.len()
    }

    /// Makes room for rows of these lengths; nothing that is there stays.
    fn lay_out(&mut self, lengths: &[u32]) {
        let widest = lengths.iter().max().map_or(0, |&w| w as usize);
        self.rounding = f64::EPSILON * (widest + 9) as f64;
        self.start.clear();
        self.start.push(0);
        let mut at = 0;
        self.start.extend(lengths.iter().map(|&length| {
            at += length as usize;
            at
        }));
        self.next.resize(at, 0);
        self.prob.resize(at, 0.0);
        self.taken.clear();
        self.taken.resize(lengths.len(), None);
    }

    /// Rows have changed: an order that was good for most of them still is.
    fn forget_order(&mut self, changed: &[u32]) {
        if changed.is_empty() {
            return;
        }
        self.changed += changed.len();
        if self.changed > self.taken.len() / 16 {
            self.changed = 0;
            self.turns.take();
            self.in_order.take();
        }
        // A few rows are replaced where they stand.
        if let Some(mut rows) = self.in_order.take()
            && changed.len() <= self.taken.len() / 64
            && rows.replace(self, self.gamma, changed)
        {
            self.in_order = rows.into();
        }
    }

    fn of<D: Dynamics>(
        mdp: &Mdp<D>,
        actions: usize,
        fill: impl Fn(State, &mut Part) + Sync,
    ) -> Self {
        let states = mdp.task.states();
        let parts: Vec<Part> = (0..states.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut part = Part::default();
                for s in chunk * CHUNK..states.min((chunk + 1) * CHUNK) {
                    let before = part.next.len();
                    if mdp.goes_on(State::new(s)) {
                        fill(State::new(s), &mut part);
                    }
                    part.length.push((part.next.len() - before) as u32);
                }
                part
            })
            .collect();
        let entries = parts.iter().map(|p| p.next.len()).sum();
        let widest = parts.iter().flat_map(|p| &p.length).max();
        let mut rows = Self {
            start: Vec::with_capacity(states + 1),
            next: Vec::with_capacity(entries),
            prob: Vec::with_capacity(entries),
            rounding: f64::EPSILON * (widest.map_or(0, |&w| w as usize) + actions + 8) as f64,
            gamma: mdp.gamma,
            ..Self::default()
        };
        rows.start.push(0);
        let mut at = 0;
        for part in parts {
            for length in part.length {
                at += length as usize;
                rows.start.push(at);
            }
            rows.next.extend_from_slice(&part.next);
            rows.prob.extend_from_slice(&part.prob);
        }
        rows
    }

    /// What turns residuals of its sweeps into certified errors.
    pub(crate) fn certificate(&self) -> Certificate {
        Certificate::new(self.gamma, self.rounding)
    }

    /// `gamma P V` in one state.
    #[inline]
    fn later(&self, s: usize, values: &[f64]) -> f64 {
        let (next, prob) = self.row(s);
        let mut sum = 0.0;
        for (&to, &p) in next.iter().zip(prob) {
            sum += p * values[to as usize];
        }
        self.gamma * sum
    }

    /// The same in all states, of something made of the state and that sum.
    fn map<T: Send>(&self, values: &[f64], of: impl Fn(usize, f64) -> T + Sync) -> Vec<T> {
        (0..self.states())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|s| of(s, self.later(s, values)))
            .collect()
    }

    /// One sweep `fresh <- reward + gamma P values` over the states from `first` on; `step` takes
    /// what it changes.
    pub(crate) fn sweep(
        &self,
        reward: &[f64],
        values: &[f64],
        first: usize,
        (fresh, step): (&mut [f64], &mut [f64]),
    ) -> Turn {
        let mut turn = Turn::default();
        let states = first..first + fresh.len();
        let places = fresh.iter_mut().zip(step);
        self.back_up(
            reward,
            (values, 0.0),
            states,
            places,
            |(fresh, step), old, new| {
                let moved = new - old;
                turn.add(moved, *step);
                *step = moved;
                *fresh = new;
            },
        );
        turn
    }

    /// One sweep `fresh <- reward + gamma P (values + shift)` over the states from `first` on, where no episode ends.
    pub(super) fn sweep_shifted(
        &self,
        reward: &[f64],
        (values, shift): (&[f64], f64),
        first: usize,
        fresh: &mut [f64],
    ) -> Change {
        let mut change = Change::NONE;
        let states = first..first + fresh.len();
        self.back_up(
            reward,
            (values, shift),
            states,
            fresh.iter_mut(),
            |fresh, old, new| {
                *fresh = new;
                change = change.and(Change::of(old + shift, new));
            },
        );
        change
    }

    /// Backs up some states from `values`, to all of which `shift` is to be added; `each` is given the place of a
    /// state, its old value without the shift, and the new one.
    #[inline]
    fn back_up<P>(
        &self,
        reward: &[f64],
        (values, shift): (&[f64], f64),
        states: Range<usize>,
        places: impl Iterator<Item = P>,
        mut each: impl FnMut(P, f64, f64),
    ) {
        let mut at = self.start[states.start];
        let rows = self.start[states.start + 1..=states.end]
            .iter()
            .zip(&reward[states.clone()])
            .zip(&values[states])
            .zip(places);
        for (((&end, &reward), &old), place) in rows {
            let mut sum = shift;
            for (&to, &p) in self.next[at..end].iter().zip(&self.prob[at..end]) {
                sum += p * values[to as usize];
            }
            at = end;
            each(place, old, reward + self.gamma * sum);
        }
    }

    /// Solves `V = reward + gamma P V` from `values`, until every state is `close` or `most` sweeps are
    /// over.
    pub(crate) fn settle(
        &self,
        reward: &[f64],
        values: &mut [f64],
        close: Close,
        most: usize,
    ) -> Settled {
        let Turns { bands, order } = self.turns();
        let rows = self
            .in_order
            .get_or_init(|| InOrder::new(self, self.gamma, bands, order));
        let order = &order.states;
        let earned = rows.scaled(order, reward);
        let of_order = order.par_iter().with_min_len(CHUNK);
        let mut found: Vec<f64> = of_order.map(|&s| values[s as usize]).collect();
        // Where all terms have one sign, they add up to the value itself.
        let negative = |v: &f64| *v < 0.0;
        let mixed = reward.iter().any(negative) && reward.iter().any(|r| *r > 0.0);
        let close = Close {
            terms: self.rounding.max(close.terms),
            ..close
        };
        let settled = match mixed || values.iter().any(negative) {
            true => rows.settle::<true>(&earned, &mut found, close, most),
            false => rows.settle::<false>(&earned, &mut found, close, most),
        };
        for (&s, value) in order.iter().zip(found) {
            values[s as usize] = value;
        }
        settled
    }

    fn turns(&self) -> &Turns {
        self.turns.get_or_init(|| {
            let bands = bands(self);
            let order = order(self, &bands);
            Turns { bands, order }
        })
    }

    /// Whether a backup of `values` changes no state by more than rounding.
    pub(crate) fn holds(&self, reward: &[f64], values: &[f64]) -> bool {
        let states = (0..self.states()).into_par_iter().with_min_len(CHUNK);
        states.all(|s| {
            let new = reward[s] + self.later(s, values);
            let size = new.abs().max(values[s].abs());
            (new - values[s]).abs() <= self.rounding * size + FLOOR
        })
    }

    /// What a backup of `values` changes in every state, and what rounding may hide of that.
    pub(crate) fn offsets(&self, reward: &[f64], values: &[f64]) -> Vec<f64> {
        self.map(values, |s, later| {
            let (next, prob) = self.row(s);
            let sizes = next.iter().zip(prob);
            let size: f64 = sizes.map(|(&to, &p)| p * values[to as usize].abs()).sum();
            let terms = reward[s].abs() + self.gamma * size + values[s].abs();
            let off = (reward[s] + later - values[s]).abs() + self.rounding * terms;
            if off > 0.0 { off + TINY } else { off }
        })
    }

    /// A bound on the error of `values` whose backups are `off`, state by state: `u` with
    /// `u >= off + gamma P u`. `None` if none was found.
    pub(crate) fn bound(&self, values: &[f64], off: &[f64]) -> Option<Vec<f64>> {
        let mut off = off.to_vec();
        spread(&mut off, |s, off| {
            let mut next = self.row(s).0.iter();
            next.any(|&to| off[to as usize] > 0.0)
        });
        let shape = || shaped(values, &off, self.gamma, self.rounding);
        let found = alike(values, &off, self.gamma).or_else(shape);
        if let Some(bound) = found.and_then(|bound| self.proved(&off, bound)) {
            return Some(bound);
        }
        let mut guess = off.clone();
        // Half of what is off is left for what the guess is not exact to.
        [Close::to_reward(0.2), Close::to_terms(1e-4)]
            .into_iter()
            .find_map(|close| {
                let settled = self.settle(&off, &mut guess, close, SWEEPS);
                settled
                    .all
                    .then(|| self.proved(&off, guess.iter().map(|g| 2.0 * g).collect()))?
            })
    }

    /// `bound`, if it is one.
    fn proved(&self, off: &[f64], mut bound: Vec<f64>) -> Option<Vec<f64>> {
        nothing_where_nothing_is_off(&mut bound, off);
        let rounded_up = 1.0 + 2.0 * self.rounding;
        let holds = self.map(&bound, |s, later| {
            let need = rounded_up * (off[s] + later);
            need.is_finite() && bound[s] >= need
        });
        holds.into_iter().all(|holds| holds).then_some(bound)
    }

    /// Discounted visits `d = start + gamma P^T d` of every state, by pushing on what is waiting
    /// until it is `left_over` of all; `None` if that takes too long.
    pub(crate) fn visits(&self, start: &[(State, f64)], left_over: f64) -> Option<Vec<f64>> {
        let mut visits = vec![0.0; self.states()];
        let mut waiting = vec![0.0; self.states()];
        for &(s, p) in start {
            waiting[s.at()] += p;
        }
        let order = &self.turns().order.states;
        for sweep in 1..=SWEEPS {
            let mut push = |s: usize| {
                let here = std::mem::take(&mut waiting[s]);
                let (next, prob) = self.row(s);
                if here.abs() < FLOOR || next.is_empty() {
                    return;
                }
                let stay = next.iter().position(|&to| to as usize == s);
                let stay = stay.map_or(0.0, |i| prob[i]);
                let here = here / (1.0 - self.gamma * stay);
                visits[s] += here;
                for (&to, &p) in next.iter().zip(prob).filter(|&(&to, _)| to as usize != s) {
                    waiting[to as usize] += self.gamma * p * here;
                }
            };
            order.iter().rev().for_each(|&s| push(s as usize));
            if sweep % ROUND == 0 || sweep < ROUND {
                let live = (0..self.states()).filter(|&s| self.start[s] < self.start[s + 1]);
                let left: f64 = live.map(|s| waiting[s].abs()).sum();
                let total: f64 = visits.iter().map(|d| d.abs()).sum();
                if left <= left_over * (1.0 - self.gamma) * total {
                    return Some(visits);
                }
            }
        }
        None
    }
}

impl Chained for PolicyRows {
    fn states(&self) -> usize {
        self.start.len() - 1
    }

    fn entries(&self) -> usize {
        self.next.len()
    }

    #[inline]
    fn row(&self, s: usize) -> (&[u32], &[f64]) {
        let range = self.start[s]..self.start[s + 1];
        (&self.next[range.clone()], &self.prob[range])
    }
}

/// Where nothing is off, nothing that follows is.
pub(super) fn nothing_where_nothing_is_off(bound: &mut [f64], off: &[f64]) {
    for (bound, &off) in bound.iter_mut().zip(off) {
        *bound = if off > 0.0 { bound.max(0.0) } else { 0.0 };
    }
}

/// Makes every state at least a little off that leads, by `leads`, to one that is.
///
/// What is off by next to nothing vanishes on the way to states that are far away, but a bound that is 0
/// there could not be proved.
pub(super) fn spread(off: &mut [f64], leads: impl Fn(usize, &[f64]) -> bool) {
    let states = off.len();
    let (mut back, mut more) = (false, true);
    while more {
        (back, more) = (!back, false);
        let mut visit = |s: usize| {
            if off[s] == 0.0 && leads(s, off) {
                (off[s], more) = (TINY, true);
            }
        };
        match back {
            true => (0..states).rev().for_each(&mut visit),
            false => (0..states).for_each(&mut visit),
        }
    }
}
