//! The values of a large chain, by sweeps in an order that suits it.

use crate::solve::turn::{Close, Pause, Turn};

/// Sweeps between two guesses of the sum of all that follow.
pub(super) const ROUND: usize = 8;

/// Outcomes that are not this much less likely than the likeliest are where a state mostly leads.
const MOSTLY: f64 = 0.25;

/// Smaller numbers are 0: their products would lose digits, and processors are slow with those.
pub(super) const FLOOR: f64 = f64::MIN_POSITIVE * (1_u64 << 40) as f64;

/// The rows of a chain in the order of a sweep, solved for the state that they are of: all that stays comes
/// back at once, since bumping into a wall is common.
///
/// States are numbered by their turn, so that a sweep reads memory from one end to the other, and what it
/// has just found is near.
#[derive(Clone, Debug)]
pub(super) struct InOrder {
    start: Vec<usize>,
    next: Vec<u32>,
    /// `gamma P / (1 - gamma P(s | s))`, those that stay left out.
    prob: Vec<f64>,
    /// `1 / (1 - gamma P(s | s))`.
    pub(super) scale: Vec<f64>,
}

/// Rows of a chain.
pub(super) trait Chained {
    /// How many.
    fn states(&self) -> usize;
    /// Entries of all rows.
    fn entries(&self) -> usize;
    /// Where a state leads, and how likely.
    fn row(&self, s: usize) -> (&[u32], &[f64]);
}

impl InOrder {
    /// The rows of a chain in `order`.
    pub(super) fn new(chain: &impl Chained, gamma: f64, order: &[u32]) -> Self {
        let mut turn = vec![0_u32; order.len()];
        for (at, &s) in order.iter().enumerate() {
            turn[s as usize] = at as u32;
        }
        let mut rows = Self {
            start: Vec::with_capacity(order.len() + 1),
            next: Vec::with_capacity(chain.entries()),
            prob: Vec::with_capacity(chain.entries()),
            scale: Vec::with_capacity(order.len()),
        };
        rows.start.push(0);
        for (at, &s) in order.iter().enumerate() {
            let (next, prob) = chain.row(s as usize);
            let stays = next.iter().zip(prob).filter(|(to, _)| **to == s);
            let stay: f64 = stays.map(|(_, p)| p).sum();
            let scale = 1.0 / (1.0 - gamma * stay);
            let first = rows.next.len();
            let mut latest = None;
            for (&to, &p) in next.iter().zip(prob).filter(|(to, _)| **to != s) {
                let to = turn[to as usize];
                if to < at as u32 && latest.is_none_or(|(turn, _)| turn < to) {
                    latest = Some((to, rows.next.len()));
                }
                rows.next.push(to);
                rows.prob.push(gamma * p * scale);
            }
            // What a sweep finds just before comes last, so that all other terms need not wait for it.
            if let Some((_, i)) = latest {
                let last = rows.next.len() - 1;
                rows.next.swap(i, last);
                rows.prob.swap(i, last);
            }
            debug_assert!(rows.next[first..].iter().all(|&to| to != at as u32));
            rows.start.push(rows.next.len());
            rows.scale.push(scale);
        }
        rows
    }

    /// Solves `V = reward + gamma P V`, in turns and with rewards scaled; whether every state is `close`
    /// after `most` sweeps at most.
    pub(super) fn settle<const MIXED: bool>(
        &self,
        reward: &[f64],
        values: &mut [f64],
        close: Close,
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
                if new.abs() < FLOOR {
                    new = 0.0;
                }
                let old = values[s];
                let size = match MIXED {
                    true => size + old.abs(),
                    false => new.abs().max(old.abs()),
                };
                let moved = new - old;
                let small = close.terms * size + close.reward * reward[s].abs();
                settled &= moved.abs() <= small + FLOOR;
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

/// The states in the order in which values settle soonest: those that a state mostly leads to
/// come before it, as far as there are no cycles.
pub(super) fn order(chain: &impl Chained) -> Vec<u32> {
    let mut met = vec![false; chain.states()];
    let mut order = Vec::with_capacity(chain.states());
    // A state with the next of its entries to look at.
    let mut open: Vec<(u32, u32)> = Vec::new();
    for s in 0..chain.states() {
        if std::mem::replace(&mut met[s], true) {
            continue;
        }
        open.push((s as u32, 0));
        while let Some((here, at)) = open.last_mut() {
            let (next, prob) = chain.row(*here as usize);
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
