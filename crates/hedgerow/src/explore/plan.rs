//! What a strategy hands to the run, and the planning that several of them share.

use crate::index::{Pair, State};
use crate::learn::{Bound, Estimate, Learner};
use crate::model::{Dynamics, Policy, Task};
use crate::param::{Parameter, number};
use crate::solve::{self, Limits, Mdp, modified_policy_iteration};

/// How to gather the samples of one iteration.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Draw one of these policies by weight for every episode and follow it, but do as the
    /// expert just did in the states marked (none if the list is empty).
    ///
    /// The expert's answer is seen in every visited state anyway; imitating looks at it before
    /// acting.
    Act {
        /// Weights and policies.
        mixture: Vec<(f64, Policy)>,
        /// States in which to imitate.
        imitate: Vec<bool>,
    },
    /// Ask a generative model for this many samples of every pair.
    Generate(u32),
}

impl Plan {
    /// Follow this policy in every episode.
    pub fn follow(policy: Policy) -> Self {
        Self::mixture(vec![(1.0, policy)])
    }

    /// Draw one of these policies by weight for every episode.
    pub fn mixture(mixture: Vec<(f64, Policy)>) -> Self {
        Self::Act {
            mixture,
            imitate: Vec::new(),
        }
    }

    /// The same plan, if `imitate` doing as the expert where its way on is not known yet.
    ///
    /// One walk behind the expert to the goal values every state on it, which steps into the
    /// unknown rarely do. Only what the learner has seen decides where.
    #[must_use]
    pub fn imitating_if(self, imitate: bool, learner: &Learner) -> Self {
        match self {
            Self::Act { mixture, .. } if imitate => Self::Act {
                mixture,
                imitate: way_on_unknown(learner),
            },
            plan => plan,
        }
    }
}

/// The states in which the expert was never asked, or chose a pair that was never tried.
fn way_on_unknown(learner: &Learner) -> Vec<bool> {
    let task = learner.task();
    let unknown = |state: State| {
        let untried = |p: Pair| learner.expert_chose(p) && learner.estimate().visits(p) == 0;
        !task.is_terminal(state)
            && (learner.expert_asked(state) == 0
                || task.pairs_of(state).map(Pair::new).any(untried))
    };
    task.all_states().map(unknown).collect()
}

/// The parameter of [`planning_gamma`].
pub const fn lookahead(default: f64) -> Parameter {
    number(
        "lookahead",
        default,
        1.0,
        1000.0,
        "exploration is planned with the discount 1 - (1 - gamma) / lookahead",
    )
}

/// The discount for planning exploration: looks `lookahead` times as far as the model's.
///
/// The model's own discount can be so short-sighted that an unknown corner does not pay for the walk.
pub fn planning_gamma(gamma: f64, lookahead: f64) -> f64 {
    1.0 - (1.0 - gamma) / lookahead
}

/// How exactly exploration is planned, in the unit of the problem; finer makes no difference to
/// what is tried.
pub const PLANNING: f64 = 1e-6;

/// Relative difference below which two pairs are equally good to try: what [`PLANNING`] leaves open.
const TIE: f64 = PLANNING;

/// The limits with which exploration is planned.
pub fn planning<D: Dynamics>(mdp: &Mdp<D>) -> Limits {
    Limits {
        tolerance: PLANNING * mdp.unit(),
        sweeps: 2_000,
    }
}

/// The estimated problem with a reward vector for exploration.
pub fn estimated<'a>(learner: &'a Learner, reward: &'a [f64], gamma: f64) -> Mdp<'a, Estimate> {
    Mdp::new(learner.task(), learner.estimate())
        .with_reward(reward)
        .with_gamma(gamma)
}

/// Bonus of every pair: `width` where that is finite, and elsewhere the largest value any plan
/// could have, `max width / (1 - gamma)`. An unseen pair needs as much, since its row is empty
/// and nothing can follow it.
pub fn optimistic(task: &Task, gamma: f64, width: impl Fn(Pair) -> f64) -> Vec<f64> {
    let mut bonus: Vec<f64> = task.all_pairs().map(width).collect();
    let known = bonus.iter().copied().filter(|w| w.is_finite());
    let largest = known.fold(0.0, f64::max);
    let unseen = if largest > 0.0 { largest } else { 1.0 } / (1.0 - gamma);
    for b in &mut bonus {
        if b.is_infinite() {
            *b = unseen;
        }
    }
    bonus
}

/// The error of every pair that was tried, as `at` says, and of one that was not the most that
/// could follow it: `max C_k / (1 - gamma)`, since its row is empty. Their unit is the largest cost.
pub fn errors(learner: &Learner, at: impl Fn(Pair) -> f64) -> Vec<f64> {
    let unseen = Bound::new(learner).max() / (1.0 - learner.task().gamma());
    let error = |pair| match learner.estimate().visits(pair) {
        0 => unseen,
        _ => at(pair),
    };
    learner.task().all_pairs().map(error).collect()
}

/// The optimal policy of `mdp`, sharing its choice among pairs that are equally good.
///
/// Sharing is what makes a fixed policy explore: an episode that comes back to a state with
/// several unseen pairs tries another one instead of the same again.
pub fn best_sharing_ties(mdp: &Mdp<Estimate>, warm: &mut Vec<f64>) -> Policy {
    solve_into(mdp, warm);
    share_best(mdp.task, |pair| mdp.allows(pair).then(|| mdp.q(pair, warm)))
}

/// The optimal values of `mdp`, kept in `warm` for the next similar problem; those of the start.
pub fn solve_into(mdp: &Mdp<Estimate>, warm: &mut Vec<f64>) -> f64 {
    let start = (warm.len() == mdp.task.states()).then_some(&warm[..]);
    if let Some(solution) = modified_policy_iteration(mdp, &planning(mdp), start).solution() {
        *warm = solution.values;
    }
    mdp.task.at_start(warm)
}

/// The policy that shares equally among the pairs with the highest score of each state; pairs
/// without a score are taken only where no pair has one.
pub fn share_best(task: &Task, score: impl Fn(Pair) -> Option<f64>) -> Policy {
    solve::share_best(task, TIE, score)
}
