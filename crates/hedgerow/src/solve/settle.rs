//! The values of a large chain, by sweeps in an order that suits it.

use crate::solve::band::{Band, Places, Stretch};
use crate::solve::bands::{Chained, Order, parts_of};
use crate::solve::turn::{Close, Pause, Turn};
use rayon::prelude::*;
use std::ops::Range;

/// Sweeps between two guesses of the sum of all that follow.
pub(super) const ROUND: usize = 8;

/// How often a circle is gone around at most.
const AROUND: usize = 1000;

/// How much two steps have to point the same way for their series to be worth summing up.
const ONE_WAY: f64 = 0.8;

/// Smaller numbers are 0: their products would lose digits, and processors are slow with those.
pub(super) const FLOOR: f64 = f64::MIN_POSITIVE * (1_u64 << 40) as f64;

/// The rows of a chain in the order of a sweep, band by band. Within a sweep a band sees at once what it has
/// found itself, and of others what they had found before. Where nothing moves any more, a sweep passes: on a
/// large map most states settle long before the last do.
#[derive(Clone, Debug)]
pub(super) struct InOrder {
    bands: Vec<Band>,
    /// The turn of every state.
    turn: Vec<u32>,
}

/// How sweeps along a chain ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled {
    /// Whether every state is as close as was asked.
    pub(crate) all: bool,
    /// Sweeps over all states, or as many states in other sweeps.
    pub(crate) sweeps: usize,
}

impl InOrder {
    /// The rows of a chain in `order`, which has the states of each of `bands` after those of the one before.
    pub(super) fn new(
        chain: &(impl Chained + Sync),
        gamma: f64,
        bands: &[Range<usize>],
        order: &Order,
    ) -> Self {
        let Order { states, circles } = order;
        let mut turn = vec![0_u32; states.len()];
        for (at, &s) in states.iter().enumerate() {
            turn[s as usize] = at as u32;
        }
        let places = Places {
            gamma,
            bands,
            order: states,
            circles,
            turn,
        };
        let bands = bands.par_iter();
        Self {
            bands: bands
                .map(|band| Band::new(chain, &places, band.clone()))
                .collect(),
            turn: places.turn,
        }
    }

    /// Takes over the rows of `states`, which have changed; whether there was room for all of them.
    pub(super) fn replace(&mut self, chain: &impl Chained, gamma: f64, states: &[u32]) -> bool {
        let turn = &self.turn;
        let bands: Vec<Range<usize>> = self.bands.iter().map(|b| b.turns.clone()).collect();
        states.iter().all(|&s| {
            let at = turn[s as usize] as usize;
            let i = bands.partition_point(|band| band.end <= at);
            self.bands[i].replace(chain, gamma, (turn, &bands), s)
        })
    }

    /// The turn of every state.
    pub(super) fn turn(&self) -> &[u32] {
        &self.turn
    }

    /// `reward` by turn, scaled as the rows are.
    pub(super) fn scaled(&self, order: &[u32], reward: &[f64]) -> Vec<f64> {
        let scaled = self.bands.par_iter().map(|band| {
            let states = order[band.turns.clone()].iter().zip(&band.scale);
            let scaled = states.map(|(&s, scale)| reward[s as usize] * scale);
            scaled.collect()
        });
        scaled.collect::<Vec<Vec<f64>>>().concat()
    }

    /// Solves `V = reward + gamma P V`, in turns and with rewards scaled, until every state is `close` or
    /// `most` sweeps are over.
    pub(super) fn settle<const MIXED: bool>(
        &self,
        reward: &[f64],
        values: &mut [f64],
        close: Close,
        most: usize,
    ) -> Settled {
        let before = &*values;
        let parts = self.bands.par_iter().map(|band| Part::new(band, before));
        let mut parts: Vec<Part> = parts.collect();
        let settled = self.sweeps::<MIXED>(reward, &mut parts, close, most);
        let own = parts_of(values, self.bands.iter().map(|band| band.turns.len()));
        let found = own.into_par_iter().zip(&parts);
        found.for_each(|(own, part)| own.copy_from_slice(&part.values[..own.len()]));
        settled
    }

    fn sweeps<const MIXED: bool>(
        &self,
        reward: &[f64],
        parts: &mut [Part],
        close: Close,
        most: usize,
    ) -> Settled {
        let mut pause = Pause::default();
        let states = reward.len();
        let (mut sweep, mut visited) = (0_usize, 0);
        let after = |visited: usize, all| Settled {
            all,
            sweeps: visited.div_ceil(states.max(1)),
        };
        while visited < most.saturating_mul(states) {
            sweep += 1;
            let compared = sweep % ROUND == 0 && !close.plain;
            self.tell(parts);
            let swept = |(band, part): (&Band, &mut Part)| {
                band.sweep::<MIXED>(&reward[band.turns.clone()], part, close, compared)
            };
            let swept = match &mut parts[..] {
                [part] => swept((&self.bands[0], part)),
                parts => {
                    let bands = self.bands.par_iter().zip(parts);
                    let swept: Vec<Swept> = bands.map(swept).collect();
                    // Sums depend on the order of merging, which is that of the bands.
                    swept.into_iter().fold(Swept::default(), Swept::and)
                }
            };
            visited += swept.states;
            if !swept.moving || swept.infinite {
                return after(visited, !swept.infinite);
            }
            if compared && pause.over(swept.turn.change) && swept.turn.points_along(ONE_WAY) {
                for (band, part) in self.bands.iter().zip(parts.iter_mut()) {
                    band.extrapolate(swept.turn, part);
                }
            }
        }
        after(visited, states == 0)
    }

    /// Has every band know what the others have found.
    fn tell(&self, parts: &mut [Part]) {
        for (i, band) in self.bands.iter().enumerate() {
            let mut own = std::mem::take(&mut parts[i].values);
            let mut due = std::mem::take(&mut parts[i].due);
            let others = own[band.turns.len()..].iter_mut();
            let known = band.others.iter().zip(&band.readers);
            for (value, (&(other, turn), readers)) in others.zip(known) {
                let found = parts[other as usize].values[turn as usize];
                if found != *value {
                    *value = found;
                    mark(&mut due, readers);
                }
            }
            (parts[i].values, parts[i].due) = (own, due);
        }
    }
}

/// What a band has found: the values of its states and of those that it looks at, and its last steps.
struct Part {
    values: Vec<f64>,
    step: Vec<f64>,
    /// Stretches that look at something that has moved since they were gone through.
    due: Vec<bool>,
    /// Those that the last sweep went through.
    gone: Vec<bool>,
}

fn mark(due: &mut [bool], stretches: &[u32]) {
    for &i in stretches {
        due[i as usize] = true;
    }
}

impl Part {
    fn new(band: &Band, values: &[f64]) -> Self {
        let mut own = values[band.turns.clone()].to_vec();
        own.resize(own.len() + band.others.len(), 0.0);
        Self {
            step: vec![0.0; band.turns.len()],
            values: own,
            due: vec![true; band.stretches.len()],
            gone: vec![false; band.stretches.len()],
        }
    }
}

/// What a sweep over a band did.
#[derive(Clone, Copy, Default)]
struct Swept {
    turn: Turn,
    /// Whether some state is not as close as was asked.
    moving: bool,
    infinite: bool,
    /// How many states it went through.
    states: usize,
}

impl Swept {
    fn and(self, other: Self) -> Self {
        Self {
            turn: self.turn.and(other.turn),
            moving: self.moving || other.moving,
            infinite: self.infinite || other.infinite,
            states: self.states + other.states,
        }
    }
}

impl Band {
    /// Goes on as the last two sweeps did, where the last one went.
    fn extrapolate(&self, turn: Turn, part: &mut Part) {
        for (i, stretch) in self.stretches.iter().enumerate() {
            if part.gone[i] {
                let own = self.stretch(i);
                turn.extrapolate(&mut part.values[own.clone()], &part.step[own]);
                part.due[i] = true;
                mark(&mut part.due, &stretch.readers);
            }
        }
    }

    fn sweep<const MIXED: bool>(
        &self,
        reward: &[f64],
        part: &mut Part,
        close: Close,
        compared: bool,
    ) -> Swept {
        let mut all = Swept::default();
        for (i, stretch) in self.stretches.iter().enumerate() {
            part.gone[i] = std::mem::take(&mut part.due[i]);
            if part.gone[i] {
                let swept = self.sweep_over::<MIXED>(i, reward, part, close, compared);
                if swept.moving {
                    mark(&mut part.due, &stretch.readers);
                }
                all = all.and(swept);
            }
        }
        all
    }

    /// Sweeps over one stretch. Circles are gone around until they have settled: where the way on is a rare
    /// slip, states that wait for it lead to each other, and sweeps would settle them a discount at a time.
    fn sweep_over<const MIXED: bool>(
        &self,
        i: usize,
        reward: &[f64],
        part: &mut Part,
        close: Close,
        compared: bool,
    ) -> Swept {
        let Stretch { first, circles, .. } = &self.stretches[i];
        let own = self.stretch(i);
        let mut rows = Sweep {
            band: self,
            reward,
            close,
            compared,
            entry: *first,
        };
        let mut all = Swept::default();
        let mut at = own.start;
        for circle in circles {
            all = all.and(rows.over::<MIXED>(at..circle.start, part));
            all = all.and(rows.around::<MIXED>(circle.clone(), part));
            at = circle.end;
        }
        all.and(rows.over::<MIXED>(at..own.end, part))
    }
}

/// A sweep on its way through a band.
struct Sweep<'a> {
    band: &'a Band,
    reward: &'a [f64],
    close: Close,
    compared: bool,
    /// Where the next states of the next row begin.
    entry: usize,
}

impl Sweep<'_> {
    /// Goes around a circle until it has settled.
    fn around<const MIXED: bool>(&mut self, circle: Range<usize>, part: &mut Part) -> Swept {
        let entry = self.entry;
        let mut all = self.over::<MIXED>(circle.clone(), part);
        let compared = std::mem::replace(&mut self.compared, false);
        for _ in 1..AROUND {
            if !all.moving || all.infinite {
                break;
            }
            self.entry = entry;
            let again = self.over::<MIXED>(circle.clone(), part);
            all.states += again.states;
            all.infinite |= again.infinite;
            if !again.moving {
                break;
            }
        }
        self.compared = compared;
        all
    }

    fn over<const MIXED: bool>(&mut self, turns: Range<usize>, part: &mut Part) -> Swept {
        let Self {
            band,
            close,
            compared,
            ..
        } = *self;
        let (values, step) = (&mut part.values[..], &mut part.step[turns.clone()]);
        let least = close.any + FLOOR;
        let mut turn = Turn::default();
        let (mut settled, mut finite) = (true, true);
        let rows = band.length[turns.clone()]
            .iter()
            .zip(&band.list[turns.clone()])
            .zip(self.reward[turns.clone()].iter().zip(step));
        for (s, ((&length, &list), (&reward, step))) in turns.clone().zip(rows) {
            let next = &band.next[self.entry..self.entry + length as usize];
            let prob = &band.prob[list..list + next.len()];
            self.entry += next.len();
            let (mut new, mut size) = (reward, reward.abs());
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
            let small = close.terms * size + close.reward * reward.abs();
            settled &= moved.abs() <= small + least;
            finite &= new.is_finite();
            if compared && size > 0.0 {
                // Relative to its size, so that what is far from the goal counts as well.
                turn.add(moved / size, *step / size);
            }
            *step = moved;
            values[s] = new;
        }
        Swept {
            turn,
            moving: !settled,
            infinite: !finite,
            states: turns.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Stream;
    use crate::solve::bands::order;
    use rand::RngExt;

    const GAMMA: f64 = 0.99;

    /// Rows of three entries each.
    struct Rows(Vec<([u32; 3], [f64; 3])>);

    impl Chained for Rows {
        fn states(&self) -> usize {
            self.0.len()
        }

        fn entries(&self) -> usize {
            3 * self.0.len()
        }

        fn row(&self, s: usize) -> (&[u32], &[f64]) {
            (&self.0[s].0, &self.0[s].1)
        }
    }

    /// A corridor of pairs of states that lead to each other and slip on towards the first one, at times a
    /// long way; what is left of the probability ends the episode.
    fn waiting(states: usize) -> Rows {
        let mut rng = Stream::new(0, "waiting");
        let rows = (0..states).map(|s| {
            let back = s.saturating_sub(rng.random_range(2..6)) as u32;
            let far = s.saturating_sub(200) as u32;
            let (low, high) = (back.min(far), back.max(far));
            let slips = [low, high + u32::from(low == high)];
            let partner = (s ^ 1).min(states - 1) as u32;
            ([slips[0], slips[1], partner], [0.001, 0.029, 0.95])
        });
        Rows(rows.collect())
    }

    fn residual(rows: &Rows, reward: &[f64], values: &[f64]) -> f64 {
        let off = |s: usize| {
            let (next, prob) = rows.row(s);
            let later = next.iter().zip(prob);
            let later: f64 = later.map(|(&to, p)| p * values[to as usize]).sum();
            (reward[s] + GAMMA * later - values[s]).abs() / values[s].abs().max(1e-300)
        };
        (0..values.len()).map(off).fold(0.0, f64::max)
    }

    fn solved(rows: &InOrder, order: &Order, reward: &[f64], most: usize) -> (Vec<f64>, Settled) {
        let mut found = vec![0.0; reward.len()];
        let earned = rows.scaled(&order.states, reward);
        let settled = rows.settle::<false>(&earned, &mut found, Close::to_terms(1e-14), most);
        let mut values = vec![0.0; reward.len()];
        for (&s, value) in order.states.iter().zip(found) {
            values[s as usize] = value;
        }
        (values, settled)
    }

    #[test]
    fn states_that_wait_for_a_slip_together_settle_in_few_sweeps() {
        let chain = waiting(6000);
        let reward: Vec<f64> = (0..6000).map(|s| f64::from(u8::from(s == 0))).collect();
        for first in [6000, 2500] {
            let bands: Vec<Range<usize>> = [0..first, first..6000]
                .into_iter()
                .filter(|band| !band.is_empty())
                .collect();
            let order = order(&chain, &bands);
            // All but the first few wait in twos.
            assert!(order.circles.len() > 2900, "{}", order.circles.len());
            let rows = InOrder::new(&chain, GAMMA, &bands, &order);
            let (values, settled) = solved(&rows, &order, &reward, 4000);
            // One after the other, a sweep would leave 0.95 of what is missing: 600 and more.
            assert!(settled.all && settled.sweeps < 400, "{settled:?}");
            let off = residual(&chain, &reward, &values);
            assert!(off < 1e-13, "{off}");
        }
    }

    #[test]
    fn rows_that_are_replaced_are_those_of_the_new_chain() {
        let mut chain = waiting(6000);
        let reward: Vec<f64> = (0..6000).map(|s| f64::from(u8::from(s == 0))).collect();
        let bands = [0..2500, 2500..6000];
        let order = order(&chain, &bands);
        let mut rows = InOrder::new(&chain, GAMMA, &bands, &order);
        let within = |s: &u32| !(2500..2900).contains(s);
        let changed: Vec<u32> = (1000..5000).step_by(501).filter(within).collect();
        let other = |s: u32| ([s - 300, s - 3, s + 1], [0.2, 0.3, 0.4]);
        for &s in &changed {
            chain.0[s as usize] = other(s);
        }
        assert!(rows.replace(&chain, GAMMA, &changed));
        let (values, settled) = solved(&rows, &order, &reward, 4000);
        assert!(settled.all, "{settled:?}");
        let off = residual(&chain, &reward, &values);
        assert!(off < 1e-13, "{off}");
        // A row that stays where it is has one entry less, and 2203 is of another band and was not looked at.
        chain.0[3000].0[2] = 3000;
        chain.0[2503] = other(2503);
        assert!(!rows.replace(&chain, GAMMA, &[3000]));
        assert!(!rows.replace(&chain, GAMMA, &[2503]));
    }
}
