//! Strategies for continuous worlds: from what the learner has seen to the next action.
//!
//! They have the names of the strategies for finite worlds and follow the same ideas, with
//! pseudo-counts for counts and fitted values for solved ones.

mod bear;
mod eps_greedy;
mod max_entropy;
mod pcse;
mod random;
mod ucb;
mod undecided;

use crate::Result;
use crate::learn::Learner;
use crate::maze::State;
use hedgerow::seed::Stream;
use rand::RngExt;
use std::fmt::Debug;

/// Number of actions.
pub const ACTIONS: usize = 8;

/// The strategies that there are for continuous worlds, by the names of the finite ones.
pub const NAMES: [&str; 7] = [
    "bear",
    "pcse",
    "random",
    "eps-greedy",
    "max-entropy",
    "ucb",
    "undecided",
];

/// The strategy called `name`, for a world with the discount `gamma`; `None` if there is none.
pub fn named(name: &str, gamma: f64, seed: u64) -> Result<Option<Box<dyn Strategy>>> {
    Ok(Some(match name {
        "bear" => Box::new(bear::Bear::new(gamma, seed)?),
        "pcse" => Box::<pcse::Pcse>::default(),
        "random" => Box::new(random::Random),
        "eps-greedy" => Box::<eps_greedy::EpsGreedy>::default(),
        "max-entropy" => Box::new(max_entropy::MaxEntropy),
        "ucb" => Box::<ucb::Ucb>::default(),
        "undecided" => Box::<undecided::Undecided>::default(),
        _ => return Ok(None),
    }))
}

/// A way to choose the next action.
pub trait Strategy: Debug + Send {
    /// Gets ready for the episodes of an iteration, counted from 1.
    fn plan(&mut self, _learner: &Learner, _iteration: usize) -> Result<()> {
        Ok(())
    }

    /// An episode begins.
    fn begin(&mut self, _rng: &mut Stream) {}

    /// The action at a state at which the expert would choose `expert`.
    fn act(&mut self, learner: &Learner, state: &State, expert: usize, rng: &mut Stream) -> usize;

    /// The episodes of the iteration are over; their samples are those from `first` on.
    fn learn(&mut self, _learner: &Learner, _first: usize) -> Result<()> {
        Ok(())
    }
}

/// An action, all being as likely.
fn any(rng: &mut Stream) -> usize {
    ((rng.random::<f64>() * ACTIONS as f64) as usize).min(ACTIONS - 1)
}

/// The action with the largest value; the first one drawn by chance among equals.
fn largest(values: &[f64; ACTIONS], rng: &mut Stream) -> usize {
    let top = values.iter().copied().fold(f64::MIN, f64::max);
    let equal: Vec<usize> = (0..ACTIONS).filter(|&a| values[a] >= top).collect();
    match equal[..] {
        [only] => only,
        [] => any(rng),
        _ => equal[((rng.random::<f64>() * equal.len() as f64) as usize).min(equal.len() - 1)],
    }
}

/// An action drawn with these weights.
fn weighted(weights: &[f64; ACTIONS], rng: &mut Stream) -> usize {
    let all: f64 = weights.iter().sum();
    let mut left = rng.random::<f64>() * all;
    for (action, w) in weights.iter().enumerate() {
        left -= w;
        if left < 0.0 {
            return action;
        }
    }
    any(rng)
}

/// How far an episode goes its own way, in multiples of the expert's way to the goal.
const DEVIATE: f64 = 1.5;

/// Decisions that the expert takes to the goal, before that is known.
const WAY: f64 = 20.0;

/// For how long an episode goes its own way. After that the expert is followed, which tells what
/// its value is at the places that were reached; how long differs from episode to episode.
#[derive(Clone, Copy, Debug, Default)]
struct Deviation {
    most: f64,
    left: u32,
}

impl Deviation {
    /// Takes the measure of the world: a value of `gamma^T` means a way of `T` decisions.
    fn plan(&mut self, learner: &Learner) {
        let gamma = learner.terms().gamma;
        let way = expert_at_start(learner).filter(|v| *v > 0.0 && *v < 1.0 && gamma > 0.0);
        self.most = DEVIATE * way.map_or(WAY, |v| libm::log(v) / libm::log(gamma));
    }

    fn begin(&mut self, rng: &mut Stream) {
        self.left = (rng.random::<f64>() * self.most) as u32;
    }

    fn is_over(&mut self) -> bool {
        match self.left {
            0 => true,
            _ => {
                self.left -= 1;
                false
            }
        }
    }
}

/// The expert's fitted value where the last episode began.
fn expert_at_start(learner: &Learner) -> Option<f64> {
    let samples = learner.samples();
    let end = samples.iter().rposition(|s| s.last)?;
    let before = samples[..end].iter().rposition(|s| s.last);
    let first = samples.get(before.map_or(0, |i| i + 1))?;
    Some(learner.fit().value(&first.state)?.value)
}

/// What a decision that was never tried may be worth: the geometric mean of the expert's value at
/// the start and of 1, the value of a goal.
///
/// With less, plans would never leave the ways that are known; with 1 they would try everything
/// near the start first.
fn hope(learner: &Learner) -> f64 {
    expert_at_start(learner)
        .map_or(1.0, |v| v.clamp(0.01, 1.0))
        .sqrt()
}

/// Constrained samples after which a cell counts as closed; with fewer, its evidence has to grow.
const CLOSED: u64 = 8;

/// The reward of the samples that a plan may repeat: those without an inferred cost that do not
/// lead into a cell that is closed.
fn candidate(learner: &Learner) -> impl Fn(usize) -> Option<f64> + '_ {
    let map = &learner.terms().map;
    let cells = learner.cells();
    let closed = move |cell: usize| cells.cost[cell] > 0.0 && cells.constrained[cell] >= CLOSED;
    move |i: usize| {
        let cell = map.cell_at(learner.places()[i]);
        let enters = cell.is_some_and(|(row, column)| closed(row * map.columns() + column));
        (learner.costs()[i] == 0.0 && !enters).then_some(learner.samples()[i].reward)
    }
}
