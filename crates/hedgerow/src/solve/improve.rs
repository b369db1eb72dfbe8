//! Sweeps of improvements in place: every state sees at once what the one before it has found.
//!
//! So a processor has to wait for a value before it can find the next one. Along a strip of a map nothing but
//! values is read, and two bands that are gone through in turn give it something to do meanwhile.

use crate::index::{Pair, State};
use crate::model::Dynamics;
use crate::model::strips::Cells;
use crate::solve::Mdp;
use crate::solve::bellman::larger;
use crate::solve::settle::FLOOR;
use rayon::prelude::*;
use std::ops::Range;

/// A band of states, in pieces that are gone through alike.
#[derive(Debug)]
pub(super) struct Strips<'a> {
    /// Its states.
    pub(super) states: Range<usize>,
    /// All states that it looks at.
    reach: Range<usize>,
    pieces: Vec<Piece<'a>>,
}

/// Some states of a band: cells of a strip, from one on, or any others.
#[derive(Debug)]
struct Piece<'a> {
    states: Range<usize>,
    cells: Option<(Cells<'a>, usize)>,
}

impl<'a> Strips<'a> {
    /// The pieces of these bands.
    pub(super) fn of<D: Dynamics>(mdp: &Mdp<'a, D>, bands: Vec<Range<usize>>) -> Vec<Self> {
        let strips = whole_states(mdp);
        let bands = bands.into_par_iter();
        bands.map(|band| Self::new(mdp, &strips, band)).collect()
    }

    fn new<D: Dynamics>(
        mdp: &Mdp<'a, D>,
        strips: &[(Range<usize>, Cells<'a>)],
        states: Range<usize>,
    ) -> Self {
        let mut pieces = Vec::new();
        let mut reach = states.clone();
        let mut from = states.start;
        let first = strips.partition_point(|(strip, _)| strip.end <= from);
        for (strip, cells) in &strips[first..] {
            let own = strip.start.max(from)..strip.end.min(states.end);
            if own.is_empty() {
                break;
            }
            pieces.extend(Piece::others(from..own.start));
            from = own.end;
            reach = both(reach, cells.reach());
            pieces.push(Piece {
                cells: Some((*cells, own.start - strip.start)),
                states: own,
            });
        }
        pieces.extend(Piece::others(from..states.end));
        let others = pieces.iter().filter(|piece| piece.cells.is_none());
        for s in others.flat_map(|piece| piece.states.clone()) {
            for pair in mdp.task.pairs_of(State::new(s)).map(Pair::new) {
                let next = mdp.dynamics.row(pair).0.iter().map(|&s| s as usize);
                reach = next.fold(reach, |reach, s| both(reach, s..s + 1));
            }
        }
        Self {
            states,
            reach,
            pieces,
        }
    }
}

/// The strips whose cells are states with all their pairs, as many as [`Improving`] takes at once.
fn whole_states<'a, D: Dynamics>(mdp: &Mdp<'a, D>) -> Vec<(Range<usize>, Cells<'a>)> {
    let whole = |cells: Cells<'a>| {
        let first = mdp.task.state_of(Pair::new(cells.first)).at();
        let states = first..first + cells.count;
        if states.end > mdp.task.states() || !matches!(cells.each, 4 | 8) {
            return None;
        }
        let starts = mdp.task.pair_starts(states.clone());
        let mut expected = (cells.first..).step_by(cells.each);
        let whole = starts
            .iter()
            .all(|&at| expected.next() == Some(at as usize));
        whole.then_some((states, cells))
    };
    mdp.dynamics.cells().into_iter().filter_map(whole).collect()
}

fn both(a: Range<usize>, b: Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}

impl Piece<'_> {
    fn others(states: Range<usize>) -> Option<Self> {
        (!states.is_empty()).then_some(Self {
            states,
            cells: None,
        })
    }
}

/// What a sweep of improvements did.
#[derive(Clone, Copy)]
pub(super) struct Swept {
    pub(super) residual: f64,
    pub(super) largest: f64,
    pub(super) settled: bool,
    /// States that chose another pair than before.
    pub(super) anew: usize,
}

impl Swept {
    pub(super) const NOTHING: Self = Self {
        residual: 0.0,
        largest: 0.0,
        settled: true,
        anew: 0,
    };

    /// Maxima and counts are exact, so the order of merging does not show.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            residual: self.residual.max(other.residual),
            largest: self.largest.max(other.largest),
            settled: self.settled && other.settled,
            anew: self.anew + other.anew,
        }
    }
}

/// A band on its way through a sweep: what it chooses, and the values of all states that it looks at.
pub(super) struct Lane<'l, 'a> {
    band: &'l Strips<'a>,
    choice: &'l mut [Option<Pair>],
    values: &'l mut [f64],
    pub(super) swept: Swept,
    /// Pieces that are done, and states of the next one.
    pieces: usize,
    states: usize,
}

impl<'l, 'a> Lane<'l, 'a> {
    pub(super) fn new(
        band: &'l Strips<'a>,
        choice: &'l mut [Option<Pair>],
        values: &'l mut [f64],
    ) -> Self {
        Self {
            band,
            choice,
            values,
            swept: Swept::NOTHING,
            pieces: 0,
            states: 0,
        }
    }

    /// Takes the values over that it may look at.
    pub(super) fn look_at(&mut self, values: &[f64]) {
        let reach = self.band.reach.clone();
        self.values[reach.clone()].copy_from_slice(&values[reach]);
    }

    /// The next piece, from the end if `back`.
    fn piece(&self, back: bool) -> Option<&'l Piece<'a>> {
        let left = self.band.pieces.len().checked_sub(self.pieces + 1)?;
        self.band.pieces.get(if back { left } else { self.pieces })
    }

    /// So many states of that piece are done.
    fn go_on(&mut self, piece: &Piece, states: usize) {
        self.states += states;
        if self.states == piece.states.len() {
            (self.pieces, self.states) = (self.pieces + 1, 0);
        }
    }
}

/// A sweep of improvements; settled is a state that changes by less than `close` of the terms that it adds up.
pub(super) struct Improving<'m, 'a, D: Dynamics> {
    pub(super) mdp: &'m Mdp<'a, D>,
    /// Whether terms of both signs may cancel out.
    pub(super) mixed: bool,
    pub(super) close: f64,
    pub(super) back: bool,
}

impl<D: Dynamics> Improving<'_, '_, D> {
    /// Sweeps over a band.
    pub(super) fn over(&self, lane: &mut Lane) {
        while let Some(piece) = lane.piece(self.back) {
            self.finish(piece, lane);
        }
    }

    /// The same of two bands, in turn where both are at strips alike. Neither sees what the other finds.
    pub(super) fn over_both(&self, one: &mut Lane, other: &mut Lane) {
        loop {
            match (one.piece(self.back), other.piece(self.back)) {
                (Some(a), Some(b)) => match (&a.cells, &b.cells) {
                    (Some((x, _)), Some((y, _))) if x.each == y.each => {
                        let left = |piece: &Piece, lane: &Lane| piece.states.len() - lane.states;
                        let states = left(a, one).min(left(b, other));
                        match x.each {
                            4 => self.in_turn::<4>((a, one), (b, other), states),
                            _ => self.in_turn::<8>((a, one), (b, other), states),
                        }
                        one.go_on(a, states);
                        other.go_on(b, states);
                    }
                    (Some(_), None) => self.finish(b, other),
                    _ => self.finish(a, one),
                },
                (Some(a), None) => self.finish(a, one),
                (None, Some(b)) => self.finish(b, other),
                (None, None) => return,
            }
        }
    }

    /// What is left of a piece.
    fn finish(&self, piece: &Piece, lane: &mut Lane) {
        let left = lane.states..piece.states.len();
        let mut swept = lane.swept;
        for i in left.clone() {
            match &piece.cells {
                Some((cells, _)) if cells.each == 4 => {
                    self.cell::<4>(piece, i, lane, &mut swept);
                }
                Some(_) => self.cell::<8>(piece, i, lane, &mut swept),
                None => {
                    let s = self.state(piece, i);
                    let best = self.mdp.best(State::new(s), lane.values);
                    self.take(s, best, lane, &mut swept);
                }
            }
        }
        lane.swept = swept;
        lane.go_on(piece, left.len());
    }

    fn in_turn<const R: usize>(
        &self,
        (a, one): (&Piece, &mut Lane),
        (b, other): (&Piece, &mut Lane),
        states: usize,
    ) {
        // Not those of the lanes: other threads have theirs on the same line of the cache.
        let (mut of_one, mut of_other) = (one.swept, other.swept);
        for i in 0..states {
            self.cell::<R>(a, one.states + i, one, &mut of_one);
            self.cell::<R>(b, other.states + i, other, &mut of_other);
        }
        (one.swept, other.swept) = (of_one, of_other);
    }

    /// State `i` of a piece, in the order of this sweep.
    #[inline]
    fn state(&self, piece: &Piece, i: usize) -> usize {
        match self.back {
            true => piece.states.end - 1 - i,
            false => piece.states.start + i,
        }
    }

    #[inline(always)]
    fn cell<const R: usize>(&self, piece: &Piece, i: usize, lane: &mut Lane, swept: &mut Swept) {
        let Some((cells, ahead)) = &piece.cells else {
            return;
        };
        let s = self.state(piece, i);
        let cell = ahead + (s - piece.states.start);
        let first = cells.first + cell * R;
        let mut q: [f64; R] = cells.sums(cell, lane.values);
        for (q, reward) in q.iter_mut().zip(&self.mdp.reward[first..first + R]) {
            *q = reward + self.mdp.gamma * *q;
        }
        let best = self.mdp.best_of(first..first + R, &q);
        self.take(s, best, lane, swept);
    }

    /// Gives a state what was found.
    #[inline(always)]
    fn take(&self, s: usize, best: Option<(Pair, f64)>, lane: &mut Lane, swept: &mut Swept) {
        let values = &mut *lane.values;
        let choice = &mut lane.choice[s - lane.band.states.start];
        let chosen = best.map(|(pair, _)| pair);
        swept.anew += usize::from(chosen != *choice);
        *choice = chosen;
        let new = best.map_or(0.0, |(_, q)| if q.abs() < FLOOR { 0.0 } else { q });
        let old = values[s];
        let size = match best {
            Some((pair, _)) if self.mixed && self.close > 0.0 => {
                self.mdp.terms(pair, values) + old.abs()
            }
            _ => larger(old.abs(), new.abs()),
        };
        let moved = (new - old).abs();
        swept.settled &= moved <= self.close * size + FLOOR;
        swept.residual = larger(swept.residual, moved);
        swept.largest = larger(swept.largest, new.abs());
        values[s] = new;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Result;
    use crate::model::{Model, ModelBuilder, Rows};

    const SIDE: usize = 24;

    /// Cells in rows that go on into each other, with `moves` moves to the cells above, below and beside.
    fn sheet(moves: usize) -> Result<Model> {
        let names = (0..moves).map(|a| a.to_string());
        let states = SIDE * SIDE;
        let mut b = ModelBuilder::new(states + 1, names, 0.9);
        b.start(0, 1.0).terminal(states);
        for s in 0..states {
            let to = [
                s.saturating_sub(SIDE),
                s.saturating_sub(1),
                s + 1,
                (s + SIDE).min(states),
            ];
            for a in 0..moves {
                for (i, next) in to.into_iter().enumerate() {
                    let weight = [0.1, 0.2, 0.3, 0.4][(i + a) % 4];
                    b.transition(s, a, next, weight);
                }
                b.reward(s, a, (s * (a + 3) % 17) as f64 - 8.0);
            }
        }
        b.build()
    }

    /// Values and choices after backing up every band by itself, state by state.
    fn plain(
        mdp: &Mdp<Rows>,
        bands: &[Range<usize>],
        back: bool,
        before: &[f64],
    ) -> (Vec<f64>, Vec<Option<Pair>>) {
        let (mut values, mut choice) = (before.to_vec(), vec![None; before.len()]);
        for band in bands {
            let mut seen = before.to_vec();
            let mut order: Vec<usize> = band.clone().collect();
            if back {
                order.reverse();
            }
            for s in order {
                let best = mdp.best(State::new(s), &seen);
                choice[s] = best.map(|(pair, _)| pair);
                seen[s] = best.map_or(0.0, |(_, q)| q);
                values[s] = seen[s];
            }
        }
        (values, choice)
    }

    /// The same by strips, and what the sweep tells.
    fn by_strips(
        sweep: &Improving<Rows>,
        bands: &[Strips],
        in_turn: bool,
        before: &[f64],
    ) -> (Vec<f64>, Vec<Option<Pair>>, Swept) {
        let mut choice = vec![None; before.len()];
        let (a, b) = choice.split_at_mut(bands[0].states.len());
        let mut seen = [0, 1].map(|_| vec![0.0; before.len()]);
        let [left, right] = &mut seen;
        let mut one = Lane::new(&bands[0], a, left);
        let mut other = Lane::new(&bands[1], b, right);
        one.look_at(before);
        other.look_at(before);
        if in_turn {
            sweep.over_both(&mut one, &mut other);
        } else {
            sweep.over(&mut one);
            sweep.over(&mut other);
        }
        let swept = one.swept.and(other.swept);
        let own = bands.iter().zip(&seen);
        let values: Vec<&[f64]> = own.map(|(b, seen)| &seen[b.states.clone()]).collect();
        (values.concat(), choice, swept)
    }

    #[test]
    fn strips_one_by_one_and_in_turn_find_what_plain_backups_do() -> Result<()> {
        for moves in [3, 4, 8] {
            let model = sheet(moves)?;
            let marks: Vec<bool> = (0..model.task().pairs()).map(|i| i % 5 > 1).collect();
            let mdp = Mdp::of(&model);
            let states = mdp.task.states();
            let bands = [0..states / 2 + 3, states / 2 + 3..states];
            let before: Vec<f64> = (0..states).map(|s| (s as f64).cos()).collect();
            for mdp in [mdp, mdp.with_allowed(&marks)] {
                let strips = Strips::of(&mdp, bands.to_vec());
                let pieces = strips.iter().flat_map(|band| &band.pieces);
                let cells = pieces.filter(|piece| piece.cells.is_some());
                let in_strips: usize = cells.map(|piece| piece.states.len()).sum();
                // Three moves are not taken by strips.
                assert_eq!(in_strips > states / 2, moves != 3, "{in_strips}");
                for (back, in_turn) in [(false, false), (false, true), (true, false), (true, true)]
                {
                    let sweep = Improving {
                        mdp: &mdp,
                        mixed: true,
                        close: 0.1,
                        back,
                    };
                    let (values, choice) = plain(&mdp, &bands, back, &before);
                    let (found, chosen, swept) = by_strips(&sweep, &strips, in_turn, &before);
                    assert_eq!((&found, &chosen), (&values, &choice));
                    let moved = before.iter().zip(&values).map(|(b, v)| (b - v).abs());
                    assert_eq!(swept.residual, moved.fold(0.0, f64::max));
                    let largest = values.iter().copied().map(f64::abs).fold(0.0, f64::max);
                    assert_eq!(swept.largest, largest);
                    let some = choice.iter().flatten().count();
                    assert!(!swept.settled && swept.anew == some, "{}", swept.anew);
                }
            }
        }
        Ok(())
    }
}
