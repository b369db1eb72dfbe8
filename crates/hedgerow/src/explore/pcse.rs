//! `pcse`: go where the error is largest, among policies that could still be best.
//!
//! A linear program over occupancies of the estimated MDP (flow constraints included): maximise
//! the [bonus](crate::explore::choices) over the [candidate set](crate::explore::candidates). It is solved
//! exactly by decomposition, whose multiplier also tells which pairs *any* optimum may use; the
//! played policy shares equally among those, as far as the constraint allows and, where it has a
//! price, uses it up. Without sharing, the deterministic policies of the optimal mixture are played.

use crate::Result;
use crate::explore::active::{Active, Scene, Warm};
use crate::explore::candidates::{BUDGET, Candidates, Rule, SCALE, SET, SHARE, WarmSet};
use crate::explore::choices::{Acting, BONUS, Bonus, IMITATE, TIES, Ties, paper};
use crate::explore::plan::{PLANNING, ROUGH, lookahead, planning_gamma};
use crate::explore::seen_plan::{Elsewhere, SeenPlan, SeenPolicy};
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::learn::Bound;
use crate::model::Policy;
use crate::param::{Parameter, Preset, Values};
use crate::solve::Mixture;

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "pcse",
        summary: "go where the error is largest, among policies that could still be best",
        parameters: PARAMETERS,
    },
    |p| Box::new(Pcse::new(p)),
);

const PARAMETERS: &[Parameter] = &[
    lookahead(1.5),
    SET,
    SHARE,
    SCALE,
    BUDGET,
    BONUS,
    TIES,
    IMITATE,
    paper(&[PAPER]),
];

const PAPER: Preset = Preset {
    name: "paper",
    values: &[
        ("lookahead", "1"),
        ("set", "global"),
        ("scale", "1"),
        ("bonus", "bound"),
        ("ties", "first"),
        ("imitate", "off"),
    ],
};

struct Pcse {
    rule: Rule,
    lookahead: f64,
    bonus: Bonus,
    acting: Acting,
    active: Active,
    planning: WarmSet,
    stopping: WarmSet,
    played: Warm,
    /// For less and for more of the constraint, if those are kept apart.
    earning: [Warm; 2],
}

impl Pcse {
    fn new(p: &Values) -> Self {
        Self {
            rule: Rule::new(p),
            lookahead: p.number("lookahead"),
            bonus: Bonus::new(p),
            acting: Acting::new(p),
            active: Active::default(),
            planning: WarmSet::default(),
            stopping: WarmSet::default(),
            played: Warm::default(),
            earning: Default::default(),
        }
    }
}

/// `eps_k`, the accuracy after the iteration before; `eps_0 = C_max / (4 (1 - gamma))`.
pub(super) fn accuracy_before(at: &Context) -> f64 {
    let learner = at.learner;
    let first = || learner.inference().cost_max / (4.0 * (1.0 - learner.task().gamma()));
    at.accuracy.unwrap_or_else(first)
}

/// The worst `mu0^T (I - gamma P^ pi)^-1 C_k` over the candidate set.
pub(super) fn worst_candidate(
    rule: Rule,
    at: &Context,
    scene: Scene,
    warm: &mut WarmSet,
) -> Result<f64> {
    let eps = accuracy_before(at);
    let gamma = at.learner.task().gamma();
    let bound = Bound::new(at.learner);
    let error = scene.errors(&bound, |pair| bound.at(pair));
    let all = bound.max() / (1.0 - gamma);
    let method = scene.method().for_accuracy();
    let set = Candidates::new(rule, (scene, method), at.oracle, (gamma, eps), warm);
    // Without a candidate nothing is left to be wrong about, but rounding may empty the set too:
    // then the bound over all policies is safe.
    let unit = at.learner.inference().cost_max;
    let worst = set.best(&error, (unit, all), warm)?;
    let worst = worst.map(|m| if set.is_large() { m.bound } else { m.value });
    Ok(worst.map_or(all, |w| w.clamp(0.0, all)))
}

impl Pcse {
    // Long: one program, and what is played of it.
    /// The optimum of the program, sharing as much as the constraints allow.
    fn optimum(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let gamma = planning_gamma(learner.task().gamma(), self.lookahead);
        let eps = accuracy_before(at);
        let scene = self.active.of(learner);
        let known = scene.known;
        let warm = &mut self.planning;
        let method = scene.method();
        let set = Candidates::new(self.rule, (scene, method), at.oracle, (gamma, eps), warm);
        let bonus = self.bonus.of(scene, gamma, |_| 1.0);
        let unit = self.bonus.unit(learner);
        let ties = self.acting.ties;
        let told = |policy: Policy, slope: f64| {
            let alike = Elsewhere::alike(ties);
            SeenPolicy::new(policy, Elsewhere { slope, ..alike })
        };
        let Some(mixture) = set.best(&bonus, (unit, f64::INFINITY), warm)? else {
            let mdp = set.problem(&bonus).with_unit(unit);
            let policy = ties.best(scene.method(), &mdp, self.played.on(known));
            return Ok(SeenPlan::follow(known, told(policy, 0.0)));
        };
        let slope = set.slope(&mixture.multipliers);
        let as_found = |mixture: &Mixture| {
            let policies = mixture.policies.iter();
            let policies = policies
                .map(|(w, s)| (*w, told(Policy::deterministic(known.part.task(), s), slope)));
            SeenPlan::mixture_of(known, policies.collect())
        };
        if ties == Ties::First {
            return Ok(as_found(&mixture));
        }
        let priced = set.priced(bonus, &mixture.multipliers);
        let mdp = set.problem(&priced).with_unit(unit);
        let played = self.played.on(known);
        if set.is_large() {
            // What is best at these prices.
            played.clone_from(warm.priced(known));
        }
        let shared = Ties::Shared.best(scene.method(), &mdp, played);
        let excess: Vec<f64> = (0..set.rows.len())
            .map(|i| {
                let closely = mixture.multipliers[i] > 0.0;
                set.excess(i, &shared, closely, warm.excess(0, i))
            })
            .collect();
        // What a priced constraint leaves unused is lost: at the optimum it is tight.
        let prices = excess.iter().zip(&mixture.multipliers);
        let lost: f64 = prices.map(|(e, price)| -e.min(0.0) * price).sum();
        let enough = if set.is_large() {
            10.0 * ROUGH
        } else {
            PLANNING
        };
        let optimal_enough = lost <= enough * mixture.value.abs();
        if optimal_enough && excess.iter().all(|&e| e <= 0.0) {
            return Ok(SeenPlan::follow(known, told(shared, slope)));
        }
        if let [(weights, _)] = &set.rows[..] {
            // All pairs in use are optimal at the multiplier, so any mixture of them that uses up
            // the constraint is an optimum: share as much as it allows.
            let optimal: Vec<bool> = shared.probs().iter().map(|&p| p > 0.0).collect();
            let here = match set.is_large() && mixture.multipliers[0] <= 0.0 {
                // It was asked for its sign only.
                true => set.excess(0, &shared, true, warm.excess(0, 0)),
                false => excess[0],
            };
            let sign = -here.signum();
            let balance: Vec<f64> = weights.iter().map(|w| sign * w).collect();
            // Values of the other sign are no start.
            let which = usize::from(set.is_large() && sign > 0.0);
            let other = Ties::Shared.best(
                scene.method(),
                &set.problem(&balance).with_allowed(&optimal),
                self.earning[which].on(known),
            );
            let there = set.excess(0, &other, true, warm.excess(1, 0));
            let other = told(other, sign * set.slope_of(0));
            if there * here >= 0.0 {
                return Ok(SeenPlan::follow(known, other));
            }
            let weight = there / (there - here);
            let shared = told(shared, slope);
            return Ok(SeenPlan::mixture_of(
                known,
                vec![(weight, shared), (1.0 - weight, other)],
            ));
        }
        Ok(as_found(&mixture))
    }
}

impl Strategy for Pcse {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let plan = self.optimum(at)?;
        Ok(plan.imitating_if(self.acting.imitate, at.learner))
    }

    fn accuracy(&mut self, at: &Context) -> Result<f64> {
        let scene = self.active.of(at.learner);
        worst_candidate(self.rule, at, scene, &mut self.stopping)
    }

    fn renew(&mut self) {
        self.active = Active::default();
        self.planning = WarmSet::default();
        self.stopping = WarmSet::default();
        self.played = Warm::default();
        self.earning = Default::default();
    }

    fn remembered(&self) -> Option<String> {
        Some(String::new())
    }
}
