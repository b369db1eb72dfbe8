//! `undecided`: explore only what could still change the answer.
//!
//! A pair whose advantage is surely positive (constrained) or surely negative (nothing to gain)
//! needs no more samples. What remains are pairs never tried, the expert's own pairs (every advantage is
//! measured against their value) and undecided pairs from which an optimistic plan could still
//! beat the expert. Constrained pairs are not walked through either, which keeps exploration out
//! of regions that only a violation leads to.
//!
//! In a state where the expert's way on is not known yet, the episode does as the expert just
//! did: one walk behind the expert to the goal values every state on it, which random steps from
//! a strange place rarely do.

use crate::Result;
use crate::explore::active::{Active, Warm};
use crate::explore::choices::{Acting, BONUS, Bonus, IMITATE, PAPER, TIES, paper};
use crate::explore::plan::{lookahead, planning_gamma};
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::index::Pair;
use crate::learn::{Bound, PairStatus};
use crate::param::{Parameter, Values, number};

const PARAMETERS: &[Parameter] = &[
    lookahead(3.0),
    BONUS,
    TIES,
    IMITATE,
    number(
        "rest",
        0.05,
        0.0,
        1.0,
        "share of its bonus that a decided or irrelevant pair keeps, so that exploration never idles",
    ),
    paper(&[PAPER]),
];

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "undecided",
        summary: "explore only pairs that could still change the answer",
        parameters: PARAMETERS,
    },
    |p| Box::new(Undecided::new(p)),
);

struct Undecided {
    lookahead: f64,
    bonus: Bonus,
    acting: Acting,
    rest: f64,
    active: Active,
    best: Warm,
    played: Warm,
    open: Warm,
}

impl Undecided {
    fn new(p: &Values) -> Self {
        Self {
            lookahead: p.number("lookahead"),
            bonus: Bonus::new(p),
            acting: Acting::new(p),
            rest: p.number("rest"),
            active: Active::default(),
            best: Warm::default(),
            played: Warm::default(),
            open: Warm::default(),
        }
    }
}

impl Strategy for Undecided {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let task = learner.task();
        let gamma = planning_gamma(task.gamma(), self.lookahead);
        let scene = self.active.of(learner);
        let part = &scene.known.part;
        let allowed = scene.unconstrained();

        let optimistic = scene.each(|p| {
            let width = learner.width(p).min(task.reward_span());
            learner.reward()[p.at()] + task.gamma() * width
        });
        let optimistic = scene.problem(&optimistic, task.gamma());
        let optimistic = optimistic.with_allowed(&allowed);
        let best = self.best.on(scene.known);
        scene.method().solve(&optimistic, best);
        let could_beat = |pair: Pair| {
            let state = task.state_of(part.whole(pair));
            optimistic.q(pair, &best.values) > learner.values()[state.at()]
        };
        let share = |pair: Pair| match learner.status(part.whole(pair)) {
            PairStatus::Unseen | PairStatus::Taken => 1.0,
            PairStatus::Undecided if could_beat(pair) => 1.0,
            _ => self.rest,
        };
        let bonus = self.bonus.of(scene, gamma, share);
        let mdp = scene
            .problem(&bonus, gamma)
            .with_allowed(&allowed)
            .with_unit(self.bonus.unit(learner));
        let policy = self
            .acting
            .ties
            .best(scene.method(), &mdp, self.played.on(scene.known));
        Ok(self.acting.follow(policy, scene))
    }

    /// The worst discounted `C_k` of any policy, counting undecided and unseen pairs only.
    fn accuracy(&mut self, at: &Context) -> Result<f64> {
        let learner = at.learner;
        let gamma = learner.task().gamma();
        let bound = Bound::new(learner);
        let scene = self.active.of(learner);
        let error = scene.errors(&bound, |pair| match learner.status(pair) {
            PairStatus::Undecided => bound.at(pair),
            _ => 0.0,
        });
        let mdp = scene.problem(&error, gamma);
        let mdp = mdp.with_unit(learner.inference().cost_max);
        let method = scene.method().for_accuracy();
        let worst = method.at_most(&mdp, self.open.on(scene.known));
        Ok(worst.clamp(0.0, bound.max() / (1.0 - gamma)))
    }

    fn renew(&mut self) {
        self.active = Active::default();
        self.best = Warm::default();
        self.played = Warm::default();
        self.open = Warm::default();
    }

    fn remembered(&self) -> Option<String> {
        Some(String::new())
    }
}
