//! `pcse-two-timescale`: PCSE by projected primal-dual steps instead of an exact solve.
//!
//! The Lagrangian of the program over occupancies `x`, with the flow constraints priced by `V`,
//! has the gradient `-A_lambda(s,a)` in `x(s,a)`, where `A_lambda` is the advantage of the priced
//! reward `bonus - sum_i lambda_i g_i`. So `x` is kept as its policy, for which the flow holds by
//! construction: a slow step `a_k = c/k` moves every `pi(.|s)` along its advantages and back onto
//! the simplex, a fast one `b_k = c/k^(0.5+kappa)` moves the multipliers, which stay at least 0.
//! `along = reward` has the printed gradient instead, which leaves the flow constraints out.

use crate::Result;
use crate::explore::candidates::{BUDGET, Candidates, Rule, SCALE, SET, SHARE, Warm};
use crate::explore::choices::{BONUS, Bonus, IMITATE, paper};
use crate::explore::pcse::{accuracy_before, worst_candidate};
use crate::explore::plan::{lookahead, planning, planning_gamma};
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::index::Pair;
use crate::learn::Estimate;
use crate::model::Policy;
use crate::param::{Parameter, Preset, Values, number, whole, word};
use crate::solve::{Mdp, evaluate_iterative};

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
    /// Occupancies, if the steps are those of the paper.
    occupancy: Option<Vec<f64>>,
    c: f64,
    kappa: f64,
    steps: u64,
    taken: u64,
    prob: Vec<f64>,
    multipliers: Vec<f64>,
    values: Vec<f64>,
    planning: Warm,
    stopping: Warm,
}

impl TwoTimescale {
    fn new(p: &Values) -> Self {
        Self {
            rule: Rule::new(p),
            lookahead: p.number("lookahead"),
            bonus: Bonus::new(p),
            imitate: p.is_on("imitate"),
            occupancy: (p.word("along") == "reward").then(Vec::new),
            c: p.number("c"),
            kappa: p.number("kappa"),
            steps: p.whole("steps"),
            taken: 0,
            prob: Vec::new(),
            multipliers: Vec::new(),
            values: Vec::new(),
            planning: Warm::default(),
            stopping: Warm::default(),
        }
    }

    fn step(&mut self, set: &Candidates, bonus: &[f64]) {
        self.taken += 1;
        let k = self.taken as f64;
        let (slow, fast) = (self.c / k, self.c / libm::pow(k, 0.5 + self.kappa));
        let priced = set.priced(bonus.to_vec(), &self.multipliers);
        let policy = Policy::from_raw(self.prob.clone());
        let mdp = set.problem(&priced);
        // Steps are in units of the largest reward.
        let scale = match mdp.unit() {
            unit if unit > 0.0 => unit,
            _ => 1.0,
        };
        match &mut self.occupancy {
            Some(x) => along_reward(x, &mut self.prob, &mdp, slow / scale),
            None => self.along_advantages(&mdp, &policy, slow / scale),
        }
        for (i, price) in self.multipliers.iter_mut().enumerate() {
            *price = (*price + fast * set.excess(i, &policy) / scale).max(0.0);
        }
    }

    fn along_advantages(&mut self, mdp: &Mdp<Estimate>, policy: &Policy, step: f64) {
        let start = Some(&self.values[..]).filter(|v| v.len() == mdp.task.states());
        if let Some(v) = evaluate_iterative(mdp, policy, &planning(mdp), start).solution() {
            self.values = v.values;
        }
        for state in mdp.task.all_states() {
            let range = mdp.task.pairs_of(state);
            for i in range.clone() {
                let pair = Pair::new(i);
                if mdp.allows(pair) {
                    let advantage = mdp.q(pair, &self.values) - self.values[state.at()];
                    self.prob[i] += step * advantage;
                } else {
                    self.prob[i] = f64::NEG_INFINITY;
                }
            }
            project_on_simplex(&mut self.prob[range]);
        }
    }
}

/// The step of the paper: occupancies `x` move along the priced reward itself, pair by pair, and back
/// onto the simplex of all pairs; nothing makes them the occupancies of a policy. The policy is their
/// share in each state, uniform where there is none.
fn along_reward(x: &mut Vec<f64>, prob: &mut [f64], mdp: &Mdp<Estimate>, step: f64) {
    if x.is_empty() {
        *x = vec![1.0 / prob.len() as f64; prob.len()];
    }
    for pair in mdp.task.all_pairs() {
        match mdp.allows(pair) {
            true => x[pair.at()] += step * mdp.reward[pair.at()],
            false => x[pair.at()] = f64::NEG_INFINITY,
        }
    }
    project_on_simplex(x);
    for state in mdp.task.all_states() {
        let range = mdp.task.pairs_of(state);
        let sum: f64 = x[range.clone()].iter().sum();
        for i in range.clone() {
            prob[i] = match sum > 0.0 {
                true => x[i] / sum,
                false => 1.0 / range.len() as f64,
            };
        }
    }
}

impl Strategy for TwoTimescale {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let task = learner.task();
        let gamma = planning_gamma(task.gamma(), self.lookahead);
        let eps = accuracy_before(at);
        let set = Candidates::new(self.rule, at, gamma, eps, &mut self.planning);
        let bonus = self.bonus.of(learner, gamma, |_| 1.0);
        if self.prob.is_empty() {
            self.prob = Policy::uniform(task).probs().to_vec();
            self.multipliers = vec![0.0; set.rows.len()];
        }
        for _ in 0..self.steps {
            self.step(&set, &bonus);
        }
        let plan = Plan::follow(Policy::from_raw(self.prob.clone()));
        Ok(plan.imitating_if(self.imitate, learner))
    }

    fn accuracy(&mut self, at: &Context) -> Result<f64> {
        worst_candidate(self.rule, at, &mut self.stopping)
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
