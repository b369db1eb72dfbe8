//! The values of a large chain, by sweeps in an order that suits it.

use crate::solve::policy_rows::{PolicyRows, ROUND};
use crate::solve::turn::{Pause, Turn};

/// Outcomes that are not this much less likely than the likeliest are where a state mostly leads.
const MOSTLY: f64 = 0.25;

/// The rows of a chain in the order of a sweep, solved for the state that they are of: all that stays comes
/// back at once, since bumping into a wall is common.
///
/// States are numbered by their turn, so that a sweep reads memory from one end to the other, and what it
/// has just found is near.
struct InOrder {
    /// The state of every turn.
    order: Vec<u32>,
    start: Vec<usize>,
    next: Vec<u32>,
    /// `gamma P / (1 - gamma P(s | s))`, those that stay left out.
    prob: Vec<f64>,
    /// `1 / (1 - gamma P(s | s))`.
    scale: Vec<f64>,
}

impl PolicyRows {
    fn in_order(&self) -> InOrder {
        let order = self.order();
        let mut turn = vec![0_u32; order.len()];
        for (at, &s) in order.iter().enumerate() {
            turn[s as usize] = at as u32;
        }
        let mut rows = InOrder {
            start: Vec::with_capacity(order.len() + 1),
            next: Vec::with_capacity(self.entries()),
            prob: Vec::with_capacity(self.entries()),
            scale: Vec::with_capacity(order.len()),
            order,
        };
        rows.start.push(0);
        for &s in &rows.order {
            let (next, prob) = self.row(s as usize);
            let stays = next.iter().zip(prob).filter(|(to, _)| **to == s);
            let stay: f64 = stays.map(|(_, p)| p).sum();
            let scale = 1.0 / (1.0 - self.gamma * stay);
            for (&to, &p) in next.iter().zip(prob).filter(|(to, _)| **to != s) {
                rows.next.push(turn[to as usize]);
                rows.prob.push(self.gamma * p * scale);
            }
            rows.start.push(rows.next.len());
            rows.scale.push(scale);
        }
        rows
    }

    /// The states in the order in which values settle soonest: those that a state mostly leads to
    /// come before it, as far as there are no cycles.
    pub(super) fn order(&self) -> Vec<u32> {
        let mut met = vec![false; self.states()];
        let mut order = Vec::with_capacity(self.states());
        // A state with the next of its entries to look at.
        let mut open: Vec<(u32, u32)> = Vec::new();
        for s in 0..self.states() {
            if std::mem::replace(&mut met[s], true) {
                continue;
            }
            open.push((s as u32, 0));
            while let Some((here, at)) = open.last_mut() {
                let (next, prob) = self.row(*here as usize);
                let Some(&to) = next.get(*at as usize) else {
                    order.push(*here);
                    open.pop();
                    continue;
                };
                let most = prob.iter().copied().fold(0.0, f64::max);
                let mostly = prob[*at as usize] >= MOSTLY * most;
                *at += 1;
                if mostly && !std::mem::replace(&mut met[to as usize], true) {
                    open.push((to, 0));
                }
            }
        }
        order
    }

    /// Solves `V = reward + gamma P V` from `values` until every state is as exact as rounding lets
    /// it be, or up to `share` of the terms it adds up; whether that was reached in `most` sweeps.
    pub(crate) fn settle(
        &self,
        reward: &[f64],
        values: &mut [f64],
        share: f64,
        most: usize,
    ) -> bool {
        let rows = self.in_order();
        let turns = || rows.order.iter().map(|&s| s as usize).enumerate();
        let earned: Vec<f64> = turns().map(|(at, s)| reward[s] * rows.scale[at]).collect();
        let mut found: Vec<f64> = turns().map(|(_, s)| values[s]).collect();
        // Where all terms have one sign, they add up to the value itself.
        let negative = |v: &f64| *v < 0.0;
        let mixed = reward.iter().any(negative) && reward.iter().any(|r| *r > 0.0);
        let close = self.rounding.max(share);
        let settled = match mixed || values.iter().any(negative) {
            true => rows.settle::<true>(&earned, &mut found, close, most),
            false => rows.settle::<false>(&earned, &mut found, close, most),
        };
        for (at, s) in turns() {
            values[s] = found[at];
        }
        settled
    }
}

impl InOrder {
    fn settle<const MIXED: bool>(
        &self,
        reward: &[f64],
        values: &mut [f64],
        close: f64,
        most: usize,
    ) -> bool {
        let mut step = vec![0.0; values.len()];
        let mut pause = Pause::default();
        for sweep in 1..=most {
            let mut turn = Turn::default();
            let (mut settled, mut finite) = (true, true);
            let compared = sweep % ROUND == 0;
            let mut at = 0;
            for (s, &end) in self.start[1..].iter().enumerate() {
                let (next, prob) = (&self.next[at..end], &self.prob[at..end]);
                at = end;
                let (mut new, mut size) = (reward[s], reward[s].abs());
                for (&to, &p) in next.iter().zip(prob) {
                    let value = values[to as usize];
                    new += p * value;
                    if MIXED {
                        size += p * value.abs();
                    }
                }
                let old = values[s];
                let size = match MIXED {
                    true => size + old.abs(),
                    false => new.abs().max(old.abs()),
                };
                let moved = new - old;
                // Below the smallest normal number nothing is exact in proportion.
                settled &= moved.abs() <= close * size + f64::MIN_POSITIVE;
                finite &= new.is_finite();
                if compared && size > 0.0 {
                    // Relative to its size, so that what is far from the goal counts as well.
                    turn.add(moved / size, step[s] / size);
                }
                step[s] = moved;
                values[s] = new;
            }
            if settled || !finite {
                return settled && finite;
            }
            if compared && pause.over(turn.change) && turn.points_one_way() {
                turn.extrapolate(values, &step);
            }
        }
        false
    }
}
