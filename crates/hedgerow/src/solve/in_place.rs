//! Policy iteration for large models whose transitions mostly stay near, as on a map.
//!
//! One sweep after the other in place and back and forth carries what a goal is worth to the far end at
//! once. In between, the choice is followed in the order in which its values flow.

use crate::index::{Pair, State};
use crate::model::Dynamics;
use crate::solve::bands::{parts_of, split};
use crate::solve::improve::{Improving, Lane, Strips, Swept};
use crate::solve::policy_rows::PolicyRows;
use crate::solve::rounds::{CHUNK, Rounds, earn, rounds};
use crate::solve::turn::Close;
use crate::solve::{Limits, Mdp, Outcome, Solution};
use rayon::prelude::*;

/// Transitions that are looked at to tell whether most stay near.
const LOOKED_AT: usize = 10_000;

/// What is near: states at most this share of all apart.
const NEAR: usize = 64;

/// How exactly the first choice is followed, and how much more exactly each of those after it.
const ROUGH: f64 = 0.01;
const FINER: f64 = 1e-3;

/// A choice is the same but for a few if not more than this part of all states have changed theirs, with
/// values of a similar problem to start from and without, and worth following for long if hardly any have.
const FEW: (usize, usize) = (8, 64);
const HARDLY_ANY: usize = 1000;

/// Improvements before policy iteration by sweeps gives up; a dozen is normal.
const ROUNDS: usize = 60;

/// Sweeps over all pairs before the first choice is worth following: back and forth over an open map.
const SWEEPS_FIRST: usize = 2;

/// While more than this part of all states choose anew, improving on carries values as far as following what will not last, and
/// at a fraction of the cost: no order has to be found. So often in a row, and on while back and forth leave no
/// more than this share of what changes.
const UNSETTLED: usize = 512;
const IN_A_ROW: usize = 8;
const FALLING: f64 = 0.6;

/// Sweeps along one choice before it is improved again.
pub(super) const PATIENCE: usize = 28;

/// What of an improvement's change may be left when the choice is improved again.
const LEFT: f64 = 0.01;

/// Solves `mdp` from `warm`; as [`super::modified_policy_iteration`] says.
pub(super) fn solve<D: Dynamics>(
    mdp: &Mdp<D>,
    limits: &Limits,
    warm: Option<&[f64]>,
) -> Outcome<Solution> {
    let values = warm.map_or_else(|| from_below(mdp), <[f64]>::to_vec);
    rounds(mdp, limits, InPlace::new(mdp, values, warm.is_some()))
}

/// Whether this is for `mdp`: it has at least so many states, and most transitions lead to some that are
/// numbered nearby.
pub(super) fn suits<D: Dynamics>(mdp: &Mdp<D>, least: usize) -> bool {
    if mdp.task.states() < least {
        return false;
    }
    let near = mdp.task.states() / NEAR;
    let every = (mdp.task.pairs() / LOOKED_AT).max(1);
    let (mut all, mut close) = (0_usize, 0_usize);
    for i in (0..mdp.task.pairs()).step_by(every) {
        let pair = Pair::new(i);
        let here = mdp.task.state_of(pair).0;
        let next = mdp.dynamics.row(pair).0;
        all += next.len();
        close += next
            .iter()
            .filter(|s| s.abs_diff(here) as usize <= near)
            .count();
    }
    10 * close >= 9 * all
}

/// Values to start from. Where most states can only lose, what no state is below: losing for ever the most
/// that the best pair of a state does. From there on values only rise; from above, states would hold on to
/// what they have not seen yet, and lose it a discount at a time. Elsewhere 0, which is nearer to what most
/// states are worth.
pub(super) fn from_below<D: Dynamics>(mdp: &Mdp<D>) -> Vec<f64> {
    let best = |s: usize| {
        let pairs = mdp.task.pairs_of(State::new(s)).map(Pair::new);
        let allowed = pairs.filter(|&pair| mdp.allows(pair));
        allowed.map(|p| mdp.reward[p.at()]).max_by(f64::total_cmp)
    };
    let states = (0..mdp.task.states()).into_par_iter();
    let best: Vec<Option<f64>> = states.with_min_len(CHUNK).map(best).collect();
    let losing = best.iter().flatten().filter(|&&r| r < 0.0).count();
    let least = match 2 * losing > best.len() {
        true => best.iter().flatten().copied().fold(0.0, f64::min) / (1.0 - mdp.gamma),
        false => 0.0,
    };
    best.iter()
        .map(|best| best.map_or(0.0, |_| least))
        .collect()
}

/// Policy iteration by sweeps back and forth from `values`, until no state changes by more than
/// rounding, or by more than `share` of the terms it adds up; `None` if that takes too long.
pub(super) fn polished<D: Dynamics>(
    mdp: &Mdp<D>,
    values: Vec<f64>,
    share: f64,
) -> Option<Vec<f64>> {
    // What is left after that is rounding that goes to and fro.
    let close = share.max(4.0 * mdp.certificate().rounding());
    let mut work = InPlace::new(mdp, values, false);
    let mut rough = ROUGH;
    for _ in 0..ROUNDS {
        if work.improve_on(close).settled {
            return Some(work.values);
        }
        work.follow(Close::to_terms(share.max(rough)));
        rough *= FINER;
    }
    None
}

/// Policy iteration in place: every improvement sees at once what the states before have found, and a
/// choice is followed in the order in which its values flow.
struct InPlace<'m, 'a, D: Dynamics> {
    mdp: &'m Mdp<'a, D>,
    /// Whether terms of both signs may cancel out.
    mixed: bool,
    values: Vec<f64>,
    choice: Vec<Option<Pair>>,
    rows: PolicyRows,
    reward: Vec<f64>,
    /// Bands of states, and what each knows of all values while it is swept, if there are several.
    bands: Vec<Strips<'a>>,
    seen: Vec<Vec<f64>>,
    /// Whether the first values were those of a similar problem.
    warm: bool,
    improvements: usize,
    sweeps: usize,
}

impl<'m, 'a, D: Dynamics> InPlace<'m, 'a, D> {
    fn new(mdp: &'m Mdp<'a, D>, values: Vec<f64>, warm: bool) -> Self {
        let choice = vec![None; values.len()];
        let negative = mdp.reward.iter().any(|&r| r < 0.0) || values.iter().any(|&v| v < 0.0);
        Self {
            mixed: negative && mdp.reward.iter().any(|&r| r > 0.0),
            rows: PolicyRows::of_choice(mdp, &choice),
            reward: vec![0.0; values.len()],
            bands: Strips::of(mdp, split(values.len())),
            seen: Vec::new(),
            warm,
            improvements: 0,
            sweeps: 0,
            mdp,
            values,
            choice,
        }
    }

    /// Improves until most states keep their choice, or patience is over; tells of the last sweep.
    fn improve_on(&mut self, close: f64) -> Swept {
        let mut swept = self.improve_to(close);
        let mut in_a_row = 1;
        // What this sweep and those before it changed.
        let mut changes = [swept.residual, f64::INFINITY, f64::INFINITY];
        // Before the first improvement nothing was chosen, and values of a similar problem are worth following at once.
        while self.improvements > 1
            && !self.warm
            && swept.anew > self.choice.len() / UNSETTLED
            && (in_a_row < IN_A_ROW || changes[0] <= FALLING * changes[2])
        {
            swept = self.improve_to(close);
            changes = [swept.residual, changes[0], changes[1]];
            in_a_row += 1;
        }
        swept
    }

    /// One sweep of Bellman backups, back or forth; settled is a state that changes by less than
    /// `close` of the terms that it adds up. Bands are swept at the same time: each sees at once what it finds
    /// itself, and of the others what they had before.
    fn improve_to(&mut self, close: f64) -> Swept {
        let (mdp, mixed) = (self.mdp, self.mixed);
        let back = self.improvements.is_multiple_of(2);
        self.improvements += 1;
        self.sweeps += 1;
        let sweep = Improving {
            mdp,
            mixed,
            close,
            back,
        };
        let mut swept = Swept::NOTHING;
        if let [band] = &self.bands[..] {
            let mut lane = Lane::new(band, &mut self.choice, &mut self.values);
            sweep.over(&mut lane);
            return lane.swept;
        }
        let states = self.values.len();
        // Only what a band looks at is ever touched, and takes memory.
        (self.seen).resize_with(self.bands.len(), || vec![0.0; states]);
        let lengths = || self.bands.iter().map(|band| band.states.len());
        let parts = parts_of(&mut self.choice, lengths()).into_iter();
        let bands = parts.zip(&self.bands).zip(&mut self.seen);
        let mut lanes: Vec<Lane> = bands
            .map(|((choice, band), seen)| Lane::new(band, choice, seen))
            .collect();
        let values = &self.values;
        // A thread with two bands takes them in turn, and has something to do while it waits for a value.
        let at_once = lanes.len().div_ceil(rayon::current_num_threads()).min(2);
        lanes.par_chunks_mut(at_once).for_each(|lanes| {
            for lane in &mut *lanes {
                lane.look_at(values);
            }
            match lanes {
                [one, other] => sweep.over_both(one, other),
                lanes => lanes.iter_mut().for_each(|lane| sweep.over(lane)),
            }
        });
        for lane in &lanes {
            swept = swept.and(lane.swept);
        }
        let parts = parts_of(&mut self.values, lengths()).into_par_iter();
        let found = parts.zip(&self.bands).zip(&self.seen);
        found.for_each(|((own, band), seen)| own.copy_from_slice(&seen[band.states.clone()]));
        swept
    }

    /// Follows the choice until every state is `close`, or patience is over.
    fn follow(&mut self, close: Close) {
        if self.improvements <= SWEEPS_FIRST {
            return;
        }
        let changed = self.rows.follow(self.mdp, &self.choice);
        earn(self.mdp.reward, &self.choice, &mut self.reward);
        let close = Close {
            // Steps that a changing choice makes do not go on as they began.
            plain: changed > self.choice.len() / if self.warm { FEW.0 } else { FEW.1 },
            ..close
        };
        let patience = match changed > self.choice.len() / HARDLY_ANY {
            true => PATIENCE,
            false => 4 * PATIENCE,
        };
        let rows = &self.rows;
        let settled = rows.settle(&self.reward, &mut self.values, close, patience);
        self.sweeps += settled.sweeps;
    }
}

impl<D: Dynamics> Rounds for InPlace<'_, '_, D> {
    fn improve(&mut self) -> (f64, f64) {
        let swept = self.improve_on(0.0);
        (swept.residual, swept.largest)
    }

    fn evaluate(&mut self, enough: f64, residual: f64) {
        self.follow(Close::to(enough.max(LEFT * residual)));
    }

    fn sweeps(&self) -> usize {
        self.sweeps
    }

    fn found(self) -> (Vec<f64>, Vec<Option<Pair>>) {
        (self.values, self.choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Result;
    use crate::model::{Model, ModelBuilder};
    use crate::solve::{modified_policy_iteration, value_iteration};

    /// An open square with slippery moves and a toll that differs from cell to cell; the goal is worth 1.
    fn toll_square(side: usize) -> Result<Model> {
        let mut b = ModelBuilder::new(side * side, ["up", "down", "left", "right"], 0.99);
        b.start(0, 1.0).terminal(side * side - 1);
        for s in 0..side * side - 1 {
            let (row, column) = (s / side, s % side);
            let to = [
                s.saturating_sub(if row > 0 { side } else { 0 }),
                if row + 1 < side { s + side } else { s },
                s - usize::from(column > 0),
                s + usize::from(column + 1 < side),
            ];
            for a in 0..4 {
                b.transition(s, a, to[a], 0.8);
                for slip in to {
                    b.transition(s, a, slip, 0.05);
                }
                let arrives = if to[a] == side * side - 1 { 1.0 } else { 0.0 };
                b.reward(s, a, arrives - 0.001 * (1.0 + 0.01 * (s % 97) as f64));
            }
        }
        b.build()
    }

    #[test]
    fn losses_are_solved_from_below_in_fewer_sweeps() -> Result<()> {
        let model = toll_square(150)?;
        let mdp = Mdp::of(&model);
        let limits = Limits {
            tolerance: 1e-6,
            sweeps: 100_000,
        };
        let below = from_below(&mdp);
        let found = modified_policy_iteration(&mdp, &limits, None).solution();
        let plain = value_iteration(&mdp, &limits, None).solution();
        let (found, plain) = (found.expect("solved"), plain.expect("solved"));
        for ((found_here, plain_here), below) in found.values.iter().zip(&plain.values).zip(below) {
            let apart = (found_here - plain_here).abs();
            assert!(apart <= found.error + plain.error, "{apart}");
            assert!(below <= found_here + found.error, "{below} {found_here}");
        }
        let above = solve(&mdp, &limits, Some(&vec![0.0; found.values.len()])).solution();
        let count = [found.sweeps, above.expect("solved").sweeps, plain.sweeps];
        assert!(count[0] < count[1] && 2 * count[0] < count[2], "{count:?}");
        Ok(())
    }
}
