//! Choices that are the same for every strategy: what ranks pairs, and what happens to ties.
//!
//! They matter as much as the strategy itself. So each is a parameter with one default for all, and
//! a comparison of strategies compares strategies. The preset `paper` has the choices of the paper.

use crate::explore::active::{Scene, SeenRows};
use crate::explore::plan::{Method, Plan, make_optimistic, share_best};
use crate::explore::seen_plan::{Elsewhere, SeenPlan, SeenPolicy};
use crate::index::Pair;
use crate::learn::{Bound, Learner};
use crate::model::{Policy, Task};
use crate::param::{Parameter, Preset, Values, preset, word};
use crate::solve::{Mdp, Start};

/// What an error is measured by where exploration goes for the largest.
pub const BONUS: Parameter = word(
    "bonus",
    &["width", "bound"],
    "what ranks pairs: the width w of their advantage, or beta of the error bound",
);

/// What a plan does where several pairs are equally good.
pub const TIES: Parameter = word(
    "ties",
    &["shared", "first"],
    "equally good pairs: each as often as the others, or the first one only",
);

/// Where to do as the expert: states in which its way on is not known yet.
pub const IMITATE: Parameter = word(
    "imitate",
    &["on", "off"],
    "do as the expert in states where its way on is not known yet",
);

/// The choices of the paper in one word; `sets` has one entry, called `paper`.
pub const fn paper(sets: &'static [Preset]) -> Parameter {
    preset(
        &["default", "paper"],
        sets,
        "paper: the paper's choices, where they are not set by name",
    )
}

/// The paper's choices for a strategy that has all of them.
pub const PAPER: Preset = Preset {
    name: "paper",
    values: &[
        ("lookahead", "1"),
        ("bonus", "bound"),
        ("ties", "first"),
        ("imitate", "off"),
    ],
};

/// See [`BONUS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bonus {
    /// The empirical-Bernstein width of the advantage, [`Learner::width`].
    Width,
    /// `beta(s,a)`, to which the bound `C_k` is monotone. The clipped `C_k` itself is `C_max`
    /// everywhere until every pair has been tried very often, and would rank nothing.
    Bound,
}

impl Bonus {
    /// What the parameters say.
    pub fn new(p: &Values) -> Self {
        match p.word("bonus") {
            "bound" => Self::Bound,
            _ => Self::Width,
        }
    }

    /// The bonus of every pair of the active set, of which a pair that was tried keeps the share that
    /// `share` says of it, in the numbers of the part; unseen pairs are [optimistic](crate::explore::plan::optimistic).
    pub(super) fn of(self, scene: Scene, gamma: f64, share: impl Fn(Pair) -> f64) -> Vec<f64> {
        let learner = scene.learner;
        let bound = Bound::new(learner);
        let part = &scene.known.part;
        let of = |here: Pair| {
            let pair = part.whole(here);
            match (learner.estimate().visits(pair), self) {
                (0, _) => f64::INFINITY,
                (_, Self::Width) => share(here) * learner.width(pair),
                (_, Self::Bound) => share(here) * bound.beta(pair),
            }
        };
        let mut bonus: Vec<f64> = part.task().all_pairs().map(of).collect();
        make_optimistic(&mut bonus, gamma);
        bonus
    }

    /// The size of the numbers it comes in.
    pub fn unit(self, learner: &Learner) -> f64 {
        match self {
            Self::Width => learner.task().reward_scale(),
            Self::Bound => 1.0,
        }
    }
}

/// See [`TIES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// Equally good pairs are equally likely. This is what makes a fixed policy explore: an episode
    /// that comes back to a state with several unseen pairs tries another one.
    Shared,
    /// The first of them is taken: a deterministic policy.
    First,
}

impl Ties {
    /// What the parameters say.
    pub fn new(p: &Values) -> Self {
        match p.word("ties") {
            "first" => Self::First,
            _ => Self::Shared,
        }
    }

    /// The optimal policy of `mdp`; `warm` has the values of the last similar problem.
    pub(super) fn best(self, method: Method, mdp: &Mdp<SeenRows>, warm: &mut Start) -> Policy {
        method.solve(mdp, warm);
        let q = |pair| mdp.q(pair, &warm.values);
        self.among(mdp.task, |pair| mdp.allows(pair).then(|| q(pair)))
    }

    /// The policy that takes the pairs with the highest score of each state; pairs without a score
    /// are taken only where no pair has one.
    pub fn among(self, task: &Task, score: impl Fn(Pair) -> Option<f64>) -> Policy {
        let shared = share_best(task, score);
        match self {
            Self::Shared => shared,
            Self::First => first(task, &shared),
        }
    }
}

/// In every state only the first pair that `policy` takes.
fn first(task: &Task, policy: &Policy) -> Policy {
    let mut prob = vec![0.0; task.pairs()];
    for state in task.all_states() {
        let mut own = task.pairs_of(state);
        if let Some(i) = own.find(|&i| policy.probs()[i] > 0.0) {
            prob[i] = 1.0;
        }
    }
    Policy::from_raw(prob)
}

/// Ties and imitation of a strategy that acts by scores or by a plan.
#[derive(Clone, Copy, Debug)]
pub struct Acting {
    /// What happens to ties.
    pub ties: Ties,
    /// Whether to do as the expert where its way on is not known yet.
    pub imitate: bool,
}

impl Acting {
    /// What the parameters say.
    pub fn new(p: &Values) -> Self {
        Self {
            ties: Ties::new(p),
            imitate: p.is_on("imitate"),
        }
    }

    /// Follow `policy` on the active set and share alike elsewhere, imitating if that was chosen.
    pub(super) fn follow(self, policy: Policy, scene: Scene) -> Plan {
        self.follow_or(policy, Elsewhere::alike(self.ties), scene)
    }

    /// The same with another rule for what was never entered.
    pub(super) fn follow_or(self, policy: Policy, elsewhere: Elsewhere, scene: Scene) -> Plan {
        let policy = SeenPolicy::new(policy, elsewhere);
        SeenPlan::follow(scene.known, policy).imitating_if(self.imitate, scene.learner)
    }
}
