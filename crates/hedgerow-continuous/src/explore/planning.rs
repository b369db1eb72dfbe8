//! What the strategies that plan have in common.

use crate::learn::{FittedQ, Learner};
use crate::maze::State;
use hedgerow::param::{Parameter, Values, whole};

/// When a cell counts as closed.
pub const CLOSED: Parameter = whole(
    "closed",
    8,
    1,
    1_000_000,
    "constrained samples after which plans avoid a cell; with fewer, its evidence has to grow",
);

/// The optimal plan under the inferred cost, from samples alone.
///
/// An action that was never tried has an optimistic value: the geometric mean of the expert's value
/// at the start and of 1, the value of a goal. With less, plans would never leave the known paths;
/// with 1 they would try everything near the start first.
#[derive(Debug)]
pub struct OptimisticPlan {
    pub q: FittedQ,
    closed: u64,
}

impl OptimisticPlan {
    /// With [`CLOSED`].
    pub fn new(parameters: &Values) -> Self {
        Self {
            q: FittedQ::default(),
            closed: parameters.whole(CLOSED.name),
        }
    }

    /// Plans anew, with a `bonus` on the reward of each sample.
    pub fn update(&mut self, learner: &Learner, bonus: impl Fn(usize) -> f64) {
        let gamma = learner.known_world().gamma;
        let closed = self.closed;
        let reward = |i: usize| {
            let repeatable = is_repeatable(learner, i, closed);
            repeatable.then(|| learner.samples()[i].reward + bonus(i))
        };
        self.q.plan(learner, gamma, optimism(learner), reward);
    }
}

/// Whether a plan may repeat sample `i`: it has no inferred cost and leads into no closed cell.
fn is_repeatable(learner: &Learner, i: usize, closed: u64) -> bool {
    let map = &learner.known_world().map;
    let cells = learner.cell_costs();
    let is_closed = |cell: usize| cells.cost[cell] > 0.0 && cells.constrained[cell] >= closed;
    let cell = map.index_at(learner.stopping_points()[i]);
    learner.costs()[i] == 0.0 && !cell.is_some_and(is_closed)
}

/// The value of an action that was never tried.
fn optimism(learner: &Learner) -> f64 {
    expert_value_at_start(learner)
        .map_or(1.0, |v| v.clamp(0.01, 1.0))
        .sqrt()
}

/// Where the last episode began.
pub fn first_state(learner: &Learner) -> Option<State> {
    let samples = learner.samples();
    let end = samples.iter().rposition(|s| s.last)?;
    let before = samples[..end].iter().rposition(|s| s.last);
    let first = samples.get(before.map_or(0, |i| i + 1))?;
    Some(first.state)
}

/// The expert's fitted value where the last episode began.
pub fn expert_value_at_start(learner: &Learner) -> Option<f64> {
    Some(learner.fitted_value().at(&first_state(learner)?)?.value)
}
