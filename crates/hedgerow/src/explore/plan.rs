//! What a strategy hands to the run, and the planning that several of them share.

use crate::explore::seen_plan::{SeenPlan, SeenPolicy};
use crate::index::{Pair, State};
use crate::learn::{Estimate, Learner};
use crate::model::{Dynamics, Policy, Task, sample_weighted};
use crate::param::{Parameter, number};
use crate::seed::Stream;
use crate::solve::{
    self, Followed, LARGE, Limits, Mdp, Start, Values, best_again, evaluate_iterative,
    modified_policy_iteration,
};
use std::cell::OnceCell;

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
    /// The same, told for the states that were entered and by a rule for all others: it costs what was
    /// seen. [`Plan::spread`] turns it into the plan above.
    Seen(SeenPlan),
    /// Ask a generative model for this many samples of every pair.
    Generate(u32),
}

/// What is done in one episode.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Course<'a> {
    Policy(&'a Policy, &'a [bool]),
    Seen(&'a SeenPlan, &'a SeenPolicy),
}

impl Course<'_> {
    /// Whether to do as the expert in `state`.
    pub(crate) fn imitates(self, state: State) -> bool {
        match self {
            Self::Policy(_, imitate) => imitate.get(state.at()) == Some(&true),
            Self::Seen(plan, _) => plan.imitates(state),
        }
    }

    /// Samples an action at a state that is not terminal.
    pub(crate) fn sample(self, task: &Task, state: State, rng: &mut Stream) -> Pair {
        match self {
            Self::Policy(policy, _) => policy.sample(task, state, rng),
            Self::Seen(plan, policy) => plan.sample(policy, task, state, rng),
        }
    }
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
            Self::Act { mixture, .. } if imitate => {
                let states = learner.task().all_states();
                Self::Act {
                    mixture,
                    imitate: states.map(|s| is_way_on_unknown(learner, s)).collect(),
                }
            }
            Self::Seen(plan) if imitate => Self::Seen(plan.imitating(learner)),
            plan => plan,
        }
    }

    /// The same plan with policies over all pairs of `task`.
    #[must_use]
    pub fn spread(self, task: &Task) -> Self {
        match self {
            Self::Seen(plan) => plan.spread(task),
            plan => plan,
        }
    }

    /// What is done in the next episode; none where nothing is done but asking.
    pub(crate) fn course(&self, rng: &mut Stream) -> Option<Course<'_>> {
        fn drawn<'p, P>(mixture: &'p [(f64, P)], rng: &mut Stream) -> &'p P {
            match mixture {
                [(_, only)] => only,
                many => {
                    let weights: Vec<f64> = many.iter().map(|(w, _)| *w).collect();
                    &many[sample_weighted(&weights, rng)].1
                }
            }
        }
        match self {
            Self::Act { mixture, imitate } => Some(Course::Policy(drawn(mixture, rng), imitate)),
            Self::Seen(plan) => Some(Course::Seen(plan, drawn(plan.mixture(), rng))),
            Self::Generate(_) => None,
        }
    }
}

/// Whether the expert was never asked in `state`, or chose a pair there that was never tried.
pub(super) fn is_way_on_unknown(learner: &Learner, state: State) -> bool {
    let task = learner.task();
    let untried = |p: Pair| learner.expert_chose(p) && learner.estimate().visits(p) == 0;
    !task.is_terminal(state)
        && (learner.expert_asked(state) == 0 || task.pairs_of(state).map(Pair::new).any(untried))
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
pub(super) const TIE: f64 = PLANNING;

/// The limits with which exploration is planned.
pub fn planning<D: Dynamics>(mdp: &Mdp<D>) -> Limits {
    Limits {
        tolerance: PLANNING * mdp.unit(),
        sweeps: 2_000,
    }
}

/// How exactly exploration is planned in a large world, as a share of the largest value: plans are made again
/// after a few samples, and by then the estimates have moved by more.
pub(super) const ROUGH: f64 = 1e-3;

/// The same of an accuracy, which is rounded up by it: it is reported, and compared with a target, but
/// nothing is planned by it.
const ROUGHER: f64 = 1e-2;

/// How the problems of a world are solved, by its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Method {
    /// State by state as they are numbered, to a fixed tolerance.
    ByNumber,
    /// In the order in which values flow, to this share of the largest.
    InOrder(f64),
}

impl Method {
    /// The one for a world with so many states.
    pub(super) fn of(states: usize) -> Self {
        match states {
            0..LARGE => Self::ByNumber,
            _ => Self::InOrder(ROUGH),
        }
    }

    /// The same for a number that is rounded up and not planned by.
    pub(super) fn for_accuracy(self) -> Self {
        match self {
            Self::ByNumber => self,
            Self::InOrder(_) => Self::InOrder(ROUGHER),
        }
    }

    /// The share of the largest value that solves may be off by; none where the tolerance is fixed.
    pub(super) fn share(self) -> Option<f64> {
        match self {
            Self::ByNumber => None,
            Self::InOrder(share) => Some(share),
        }
    }

    /// The limits of a solve from the values of the last time: large ones need not be as exact as small ones,
    /// since ties are relative too.
    pub(super) fn limits<D: Dynamics>(self, mdp: &Mdp<D>, warm: &[f64]) -> Limits {
        planning(mdp).or_share(self.share().unwrap_or(0.0), warm)
    }

    /// The optimal values of `mdp`, kept in `warm` for the next similar problem; those of the start.
    pub(super) fn solve<D: Dynamics>(self, mdp: &Mdp<D>, warm: &mut Start) -> f64 {
        self.certified(mdp, warm).0
    }

    /// The same, rounded up by what it may be off in a large world.
    pub(super) fn at_most<D: Dynamics>(self, mdp: &Mdp<D>, warm: &mut Start) -> f64 {
        let (value, error) = self.certified(mdp, warm);
        value + self.share().map_or(0.0, |_| error)
    }

    /// Optimal value at the start and what it may be off.
    fn certified<D: Dynamics>(self, mdp: &Mdp<D>, warm: &mut Start) -> (f64, f64) {
        let error = match self {
            Self::ByNumber => {
                let start = warm.values_of(mdp.task.states());
                let outcome = modified_policy_iteration(mdp, &planning(mdp), start);
                outcome.solution().map_or(f64::INFINITY, |solution| {
                    warm.values = solution.values;
                    solution.error
                })
            }
            Self::InOrder(_) => best_again(mdp, &self.limits(mdp, &warm.values), warm),
        };
        (mdp.task.at_start(&warm.values), error)
    }

    /// The values of `policy`, from those of the last time if there are any.
    pub(super) fn evaluate<D: Dynamics>(
        self,
        mdp: &Mdp<D>,
        policy: &Policy,
        warm: Option<&[f64]>,
    ) -> Option<Values> {
        self.following(policy).values(mdp, warm)
    }

    /// The same of a policy that is evaluated more than once.
    pub(super) fn following(self, policy: &Policy) -> Following<'_> {
        Following {
            method: self,
            policy,
            rows: OnceCell::new(),
        }
    }
}

/// A policy that is evaluated in problems that differ in their rewards only.
pub(super) struct Following<'p> {
    method: Method,
    policy: &'p Policy,
    /// In a large world, once they are needed.
    rows: OnceCell<Followed<'p>>,
}

impl Following<'_> {
    /// Its values, from those of the last time if there are any.
    pub(super) fn values<D: Dynamics>(&self, mdp: &Mdp<D>, warm: Option<&[f64]>) -> Option<Values> {
        let outcome = match self.method {
            Method::ByNumber => evaluate_iterative(mdp, self.policy, &planning(mdp), warm),
            Method::InOrder(_) => {
                let rows = self.rows.get_or_init(|| Followed::new(mdp, self.policy));
                let limits = self.method.limits(mdp, warm.unwrap_or_default());
                rows.values(mdp, &limits, warm)
            }
        };
        outcome.solution()
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
    make_optimistic(&mut bonus, gamma);
    bonus
}

/// Replaces infinite widths by the largest value any plan could have.
pub(super) fn make_optimistic(bonus: &mut [f64], gamma: f64) {
    let known = bonus.iter().copied().filter(|w| w.is_finite());
    let largest = known.fold(0.0, f64::max);
    let unseen = if largest > 0.0 { largest } else { 1.0 } / (1.0 - gamma);
    for b in bonus {
        if b.is_infinite() {
            *b = unseen;
        }
    }
}

/// The optimal policy of `mdp`, sharing its choice among pairs that are equally good.
///
/// Sharing is what makes a fixed policy explore: an episode that comes back to a state with
/// several unseen pairs tries another one instead of the same again.
pub fn best_sharing_ties<D: Dynamics>(mdp: &Mdp<D>, warm: &mut Start) -> Policy {
    solve_into(mdp, warm);
    let q = |pair| mdp.q(pair, &warm.values);
    share_best(mdp.task, |pair| mdp.allows(pair).then(|| q(pair)))
}

/// The optimal values of `mdp`, kept in `warm` for the next similar problem; those of the start.
pub fn solve_into<D: Dynamics>(mdp: &Mdp<D>, warm: &mut Start) -> f64 {
    Method::of(mdp.task.states()).solve(mdp, warm)
}

/// The policy that shares equally among the pairs with the highest score of each state; pairs
/// without a score are taken only where no pair has one.
pub fn share_best(task: &Task, score: impl Fn(Pair) -> Option<f64>) -> Policy {
    solve::share_best(task, TIE, score)
}
