//! `pcse-two-timescale`: PCSE by projected primal-dual steps instead of an exact solve.
//!
//! The Lagrangian of the program over occupancies `x`, with the flow constraints priced by `V`,
//! has the gradient `-A_lambda(s,a)` in `x(s,a)`, where `A_lambda` is the advantage of the priced
//! reward `bonus - sum_i lambda_i g_i`. So `x` is kept as its policy, for which the flow holds by
//! construction: a slow step `a_k = c/k` moves every `pi(.|s)` along its advantages and back onto
//! the simplex, a fast one `b_k = c/k^(0.5+kappa)` moves the multipliers, which stay at least 0.
//! `along = reward` has the printed gradient instead, which leaves the flow constraints out.

use crate::explore::active::{Active, Known, SeenRows, Warm};
use crate::explore::candidates::{BUDGET, Candidates, Rule, SCALE, SET, SHARE, WarmSet};
use crate::explore::choices::{BONUS, Bonus, IMITATE, Ties, paper};
use crate::explore::pcse::{accuracy_before, worst_candidate};
use crate::explore::plan::{Method, lookahead, planning_gamma};
use crate::explore::seen_plan::{Elsewhere, SeenPlan, SeenPolicy};
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::index::{Pair, State};
use crate::model::{Policy, Task};
use crate::param::{Parameter, Preset, Values, number, whole, word};
use crate::solve::Mdp;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const PARAMETERS: &[Parameter] = &[
    lookahead(1.0),
    SET,
    SHARE,
    SCALE,
    BUDGET,
    BONUS,
    IMITATE,
    number("c", 5.0, 1e-6, 1e6, "size of the steps a_k and b_k"),
    number("kappa", 0.1, 1e-3, 0.499, "b_k = c / k^(0.5 + kappa)"),
    whole(
        "steps",
        5,
        1,
        10_000,
        "steps per iteration; k counts them all",
    ),
    word(
        "along",
        &["advantage", "reward"],
        "what the slow step moves along: advantages, or the priced reward itself as in the paper",
    ),
    paper(&[PAPER]),
];

const PAPER: Preset = Preset {
    name: "paper",
    values: &[
        ("lookahead", "1"),
        ("set", "global"),
        ("scale", "1"),
        ("bonus", "bound"),
        ("imitate", "off"),
        ("along", "reward"),
    ],
};

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "pcse-two-timescale",
        summary: "pcse by projected primal-dual steps, as in the paper",
        parameters: PARAMETERS,
    },
    |p| Box::new(TwoTimescale::new(p)),
);

struct TwoTimescale {
    rule: Rule,
    lookahead: f64,
    bonus: Bonus,
    imitate: bool,
    steps: u64,
    active: Active,
    played: Played,
    planning: WarmSet,
    stopping: WarmSet,
}

/// The policy and prices that the steps move.
struct Played {
    c: f64,
    kappa: f64,
    moved: Moved,
    excess: Vec<Warm>,
    values: Warm,
}

/// What the steps have made of them.
#[derive(Default, Serialize, Deserialize)]
struct Moved {
    taken: u64,
    /// Occupancies of all pairs, if the steps are those of the paper: those couple all of them.
    occupancy: Option<Vec<f64>>,
    /// States, ascending, and the policy on them.
    states: Vec<u32>,
    prob: Vec<f64>,
    multipliers: Vec<f64>,
}

impl TwoTimescale {
    fn new(p: &Values) -> Self {
        Self {
            rule: Rule::new(p),
            lookahead: p.number("lookahead"),
            bonus: Bonus::new(p),
            imitate: p.is_on("imitate"),
            steps: p.whole("steps"),
            active: Active::default(),
            played: Played {
                c: p.number("c"),
                kappa: p.number("kappa"),
                moved: Moved {
                    occupancy: (p.word("along") == "reward").then(Vec::new),
                    ..Moved::default()
                },
                excess: Vec::new(),
                values: Warm::default(),
            },
            planning: WarmSet::default(),
            stopping: WarmSet::default(),
        }
    }
}

impl Played {
    /// The policy for the states of `known`: uniform in those that are new.
    fn grow(&mut self, known: &Known) {
        let task = known.part.task();
        let mut prob = Policy::uniform(task).probs().to_vec();
        let mut before = self.moved.states.iter().copied().peekable();
        let mut first = 0;
        for (here, &state) in known.part.states().iter().enumerate() {
            if before.next_if_eq(&state.0).is_some() {
                let own = task.pairs_of(State::new(here));
                let was = first..first + own.len();
                first = was.end;
                prob[own].copy_from_slice(&self.moved.prob[was]);
            }
        }
        self.moved.prob = prob;
        self.moved.states = known.part.states().iter().map(|s| s.0).collect();
    }

    fn step(&mut self, set: &Candidates, bonus: &[f64], known: &Arc<Known>, whole: &Task) {
        self.moved.taken += 1;
        let k = self.moved.taken as f64;
        let (slow, fast) = (self.c / k, self.c / libm::pow(k, 0.5 + self.kappa));
        let priced = set.priced(bonus.to_vec(), &self.moved.multipliers);
        let policy = Policy::from_raw(self.moved.prob.clone());
        let mdp = set.problem(&priced);
        // Steps are in units of the largest reward.
        let scale = match mdp.unit() {
            unit if unit > 0.0 => unit,
            _ => 1.0,
        };
        let slope = set.slope(&self.moved.multipliers);
        match &mut self.moved.occupancy {
            Some(x) => {
                along_reward(x, &mdp, (known, slope), whole, slow / scale);
                for (p, pair) in self.moved.prob.iter_mut().zip(known.part.pairs()) {
                    *p = share(x, whole, pair);
                }
            }
            None => {
                let step = (whole.states(), slow / scale);
                self.along_advantages(&mdp, &policy, known, step);
            }
        }
        for (i, price) in self.moved.multipliers.iter_mut().enumerate() {
            let excess = set.excess(i, &policy, true, &mut self.excess[i]);
            *price = (*price + fast * excess / scale).max(0.0);
        }
    }

    fn along_advantages(
        &mut self,
        mdp: &Mdp<SeenRows>,
        policy: &Policy,
        known: &Arc<Known>,
        (states, step): (usize, f64),
    ) {
        let method = Method::of(states);
        let values = &mut self.values.on(known).values;
        let start = Some(&values[..]).filter(|v| v.len() == mdp.task.states());
        if let Some(v) = method.evaluate(mdp, policy, start) {
            *values = v.values;
        }
        for state in mdp.task.all_states() {
            let range = mdp.task.pairs_of(state);
            for i in range.clone() {
                let pair = Pair::new(i);
                if mdp.allows(pair) {
                    let advantage = mdp.q(pair, values) - values[state.at()];
                    self.moved.prob[i] += step * advantage;
                } else {
                    self.moved.prob[i] = f64::NEG_INFINITY;
                }
            }
            project_on_simplex(&mut self.moved.prob[range]);
        }
    }

    fn plan(&self, known: &Arc<Known>, whole: &Task) -> Plan {
        match &self.moved.occupancy {
            Some(x) => {
                let prob = whole.all_pairs().map(|pair| share(x, whole, pair));
                Plan::follow(Policy::from_raw(prob.collect()))
            }
            None => {
                let policy = Policy::from_raw(self.moved.prob.clone());
                let policy = SeenPolicy::new(policy, Elsewhere::alike(Ties::Shared));
                SeenPlan::follow(known, policy)
            }
        }
    }
}

/// The step of the paper: occupancies `x` move along the priced reward itself, pair by pair, and back
/// onto the simplex of all pairs; nothing makes them the occupancies of a policy. What was never
/// entered earns what the state does that stands for it, but for the known reward, which counts `slope`.
fn along_reward(
    x: &mut Vec<f64>,
    mdp: &Mdp<SeenRows>,
    (known, slope): (&Known, f64),
    whole: &Task,
    step: f64,
) {
    if x.is_empty() {
        *x = vec![1.0 / whole.pairs() as f64; whole.pairs()];
    }
    let rest = known.rest.map(|s| Pair::new(mdp.task.pairs_of(s).start));
    let unseen = rest.map_or(0.0, |p| {
        mdp.reward[p.at()] - slope * whole.reward()[known.part.whole(p).at()]
    });
    for state in whole.all_states() {
        let own = whole.pairs_of(state);
        match known.part.position(state) {
            Some(here) => {
                for (i, pair) in own.zip(mdp.task.pairs_of(here).map(Pair::new)) {
                    match mdp.allows(pair) {
                        true => x[i] += step * mdp.reward[pair.at()],
                        false => x[i] = f64::NEG_INFINITY,
                    }
                }
            }
            None => own.for_each(|i| x[i] += step * (unseen + slope * whole.reward()[i])),
        }
    }
    project_on_simplex(x);
}

/// The share of `pair` in the occupancies of its state; uniform where there is none.
fn share(x: &[f64], whole: &Task, pair: Pair) -> f64 {
    let own = whole.pairs_of(whole.state_of(pair));
    let sum: f64 = x[own.clone()].iter().sum();
    match sum > 0.0 {
        true => x[pair.at()] / sum,
        false => 1.0 / own.len() as f64,
    }
}

impl Strategy for TwoTimescale {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let task = learner.task();
        let gamma = planning_gamma(task.gamma(), self.lookahead);
        let eps = accuracy_before(at);
        let scene = self.active.of(learner);
        let warm = &mut self.planning;
        let set = Candidates::new(
            self.rule,
            (scene, scene.method()),
            at.oracle,
            (gamma, eps),
            warm,
        );
        let bonus = self.bonus.of(scene, gamma, |_| 1.0);
        let played = &mut self.played;
        if played.moved.multipliers.is_empty() {
            played.moved.multipliers = vec![0.0; set.rows.len()];
            played.excess = vec![Warm::default(); set.rows.len()];
        }
        played.grow(scene.known);
        for _ in 0..self.steps {
            played.step(&set, &bonus, scene.known, task);
        }
        let plan = played.plan(scene.known, task);
        Ok(plan.imitating_if(self.imitate, learner))
    }

    fn accuracy(&mut self, at: &Context) -> Result<f64> {
        let scene = self.active.of(at.learner);
        worst_candidate(self.rule, at, scene, &mut self.stopping)
    }

    fn renew(&mut self) {
        self.active = Active::default();
        self.planning = WarmSet::default();
        self.stopping = WarmSet::default();
        self.played.values = Warm::default();
        self.played.excess.fill(Warm::default());
    }

    fn remembered(&self) -> Option<String> {
        serde_json::to_string(&self.played.moved).ok()
    }

    fn recall(&mut self, remembered: &str) -> Result<()> {
        let moved = serde_json::from_str(remembered);
        self.played.moved = moved.map_err(|e| {
            let problem = format!("not what this strategy remembers ({e})");
            Error::invalid("checkpoint", problem, "remove it, and the run begins anew")
        })?;
        let rows = self.played.moved.multipliers.len();
        self.played.excess = vec![Warm::default(); rows];
        Ok(())
    }
}

/// Replaces `x` by the nearest distribution. Entries of minus infinity become 0; if all are, the
/// result is uniform.
fn project_on_simplex(x: &mut [f64]) {
    let mut sorted: Vec<f64> = x.iter().copied().filter(|v| v.is_finite()).collect();
    if sorted.is_empty() {
        let share = 1.0 / x.len() as f64;
        x.fill(share);
        return;
    }
    sorted.sort_by(|a, b| b.total_cmp(a));
    // Only differences matter, and next to a huge number the result would lose its digits.
    let top = sorted[0];
    sorted.iter_mut().for_each(|v| *v -= top);
    let (mut sum, mut shift) = (0.0, 0.0);
    for (i, v) in sorted.iter().enumerate() {
        sum += v;
        let candidate = (sum - 1.0) / (i + 1) as f64;
        if *v > candidate {
            shift = candidate;
        }
    }
    for v in x {
        *v = (*v - top - shift).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projection_by_hand() {
        let mut x = [0.7, 0.7, f64::NEG_INFINITY];
        project_on_simplex(&mut x);
        assert_eq!(x, [0.5, 0.5, 0.0]);
        let mut x = [3.0, 0.0];
        project_on_simplex(&mut x);
        assert_eq!(x, [1.0, 0.0]);
        let mut x = [0.2, 0.3, 0.5];
        project_on_simplex(&mut x);
        assert!((x[0] - 0.2).abs() < 1e-15 && (x[2] - 0.5).abs() < 1e-15);
    }
}
