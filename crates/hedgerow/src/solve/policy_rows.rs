//! The Markov chain that a policy makes of a large problem, in rows small enough to sweep over many
//! times.
//!
//! Up to some ten thousand states a factorisation ([`super::chain`]) is as fast and needs no
//! convergence. Beyond, its factors fill up, and sweeps over the merged rows of the policy take
//! over, in an order in which what a goal is worth reaches the far end in one of them.

use crate::index::{Pair, State};
use crate::solve::bands::{Chained, Order, bands, order};
use crate::solve::bellman::Certificate;
use crate::solve::settle::{FLOOR, InOrder, ROUND, Settled};
use crate::solve::turn::{Change, Close, Turn};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::OnceLock;

mod error;
mod make;

pub(super) use error::{nothing_where_nothing_is_off, spread};

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

impl PolicyRows {
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
        // Fetched by state, not put by turn, so that threads can share it.
        let by_state = values.par_iter_mut().with_min_len(CHUNK).zip(rows.turn());
        by_state.for_each(|(value, &turn)| *value = found[turn as usize]);
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
