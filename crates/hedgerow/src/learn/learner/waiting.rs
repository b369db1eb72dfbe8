//! States that wait to be computed again.

use crate::index::State;
use std::collections::VecDeque;

/// The number of states of a world from which an order pays for being kept.
const LARGE: usize = 1_000;

/// The part of all known states that is many.
const MANY: usize = 8;

/// Marks states without a turn.
const NONE: u32 = u32::MAX;

/// States that wait, each once at most as long as nobody adds one that does.
#[derive(Clone, Debug)]
pub(super) enum Waiting {
    /// The first to come is the first to go.
    ByArrival(VecDeque<State>),
    /// By falling size of their values, over and over: value comes from where it is larger, so what waits
    /// for others mostly comes after them.
    InOrder(Turns),
}

/// The order of a large world.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    order: Vec<State>,
    /// The place of every state in it.
    turn: Vec<u32>,
    /// Who waits, a bit for each place.
    bits: Vec<u64>,
    waiting: usize,
    /// The place that comes next.
    at: usize,
    /// How many of those that wait have to wait for the next round, and the first place of them.
    late: usize,
    first: usize,
    /// Rounds since somebody began to wait.
    rounds: usize,
}

impl Waiting {
    /// Nobody, in a world with so many states.
    pub(super) fn new(states: usize) -> Self {
        match states {
            0..LARGE => Self::ByArrival(VecDeque::new()),
            _ => Self::InOrder(Turns {
                turn: vec![NONE; states],
                ..Turns::default()
            }),
        }
    }

    /// Has `state` wait, which does not yet.
    pub(super) fn push(&mut self, state: State) {
        match self {
            Self::ByArrival(queue) => queue.push_back(state),
            Self::InOrder(turns) => turns.push(state),
        }
    }

    /// Who is next and waits no longer; `values` give the order.
    pub(super) fn pop(&mut self, values: &[f64]) -> Option<State> {
        match self {
            Self::ByArrival(queue) => queue.pop_front(),
            Self::InOrder(turns) => turns.pop(values),
        }
    }
}

impl Turns {
    fn push(&mut self, state: State) {
        let turn = &mut self.turn[state.at()];
        if *turn == NONE {
            *turn = self.order.len() as u32;
            self.order.push(state);
            self.bits.resize(self.order.len().div_ceil(64), 0);
        }
        let turn = *turn as usize;
        self.bits[turn / 64] |= 1 << (turn % 64);
        self.waiting += 1;
        if turn < self.at {
            self.first = if self.late == 0 {
                turn
            } else {
                self.first.min(turn)
            };
            self.late += 1;
        }
    }

    fn pop(&mut self, values: &[f64]) -> Option<State> {
        if self.waiting == 0 {
            // All that come now come first.
            (self.at, self.rounds) = (0, 0);
            return None;
        }
        if self.rounds == 0 || self.waiting == self.late {
            self.begin_round(values);
        }
        let mut word = self.at / 64;
        let mut rest = self.bits[word] & (u64::MAX << (self.at % 64));
        while rest == 0 {
            word += 1;
            rest = self.bits[word];
        }
        let turn = 64 * word + rest.trailing_zeros() as usize;
        self.bits[word] &= !(1 << (turn % 64));
        self.waiting -= 1;
        self.at = turn + 1;
        Some(self.order[turn])
    }

    /// Begins with the first that waits; finds the order anew where many do, ever more rarely.
    fn begin_round(&mut self, values: &[f64]) {
        self.at = if self.rounds == 0 { 0 } else { self.first };
        self.late = 0;
        self.rounds += 1;
        if !self.rounds.is_power_of_two() || self.waiting * MANY < self.order.len() {
            return;
        }
        self.at = 0;
        let waits = |(turn, _): &(usize, &State)| self.bits[turn / 64] >> (turn % 64) & 1 == 1;
        let waiting = self.order.iter().enumerate().filter(waits);
        let waiting: Vec<State> = waiting.map(|(_, &state)| state).collect();
        let size = |s: State| values[s.at()].abs();
        self.order
            .sort_unstable_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
        for (turn, state) in self.order.iter().enumerate() {
            self.turn[state.at()] = turn as u32;
        }
        self.bits.fill(0);
        for state in waiting {
            let turn = self.turn[state.at()];
            self.bits[turn as usize / 64] |= 1 << (turn % 64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_wait_come_once_and_the_largest_first() {
        let values: Vec<f64> = (0..2_000).map(|s| ((s * 7) % 2_000) as f64).collect();
        let mut waiting = Waiting::new(values.len());
        assert_eq!(waiting.pop(&values), None);
        for s in (0..2_000).step_by(3) {
            waiting.push(State::new(s));
        }
        let first = waiting.pop(&values).unwrap();
        assert_eq!(first.at(), 1_428);
        // Who is new comes last, and who is late in the next round.
        waiting.push(State::new(1_999));
        waiting.push(first);
        let mut came = vec![0; values.len()];
        let mut last = f64::INFINITY;
        let mut rises = 0;
        while let Some(state) = waiting.pop(&values) {
            came[state.at()] += 1;
            rises += usize::from(values[state.at()] > last);
            last = values[state.at()];
        }
        for (s, &times) in came.iter().enumerate() {
            assert_eq!(times, usize::from(s % 3 == 0 || s == 1_999), "{s}");
        }
        assert_eq!(rises, 2);
    }
}
