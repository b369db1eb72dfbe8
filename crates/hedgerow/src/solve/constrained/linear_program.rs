//! The exact linear program over occupancies.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy, Task};
use crate::solve::constrained::breakpoint::cheapest;
use crate::solve::constrained::{Constrained, FEASIBILITY, check_constraint, priced};
use crate::solve::evaluate::magnitude;
use crate::solve::occupancy::{dot, policy_or, visits};
use crate::solve::{Mdp, Outcome, optimum};
use crate::{Error, Result};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SupportedConeT, ZeroConeT,
};

/// A gap below this, relative to the reward, counts as solved: an interior point stops near it.
const SOLVED: f64 = 1e-6;

/// States with less discounted time than this are not visited: the interior point leaves tiny entries.
const DUST: f64 = 1e-8;

/// Probabilities below this are rounding of an interior point, not choices.
const PROBABILITY_DUST: f64 = 1e-9;

/// Solves the occupancy program with an interior-point method and rounds it to a policy.
///
/// Rewards and costs are scaled by powers of two first, so that their largest is between 1 and 2.
/// An interior point is never exactly on a face, so three things follow the solve. The policy is
/// read off twice: from all pairs, and from those whose mass exceeds their dual, which are the
/// optimal support when the two are well apart; where a state has no time, it is the best in
/// `r - lambda c`. Each is evaluated exactly and, if it exceeds the budget by more than rounding,
/// mixed in occupancy space with a cheaper policy just enough to meet it. The better one is
/// returned. The gap is certified by the dual value of the program's own multiplier, so what
/// rounding lost shows there; it counts as solved at a gap of 1e-6 of the largest reward.
///
/// For small and medium models (some thousand pairs). Values that the discount has made tiny are
/// below the accuracy of an interior point: [`super::best_within`] and [`super::lagrangian`] are
/// exact there.
pub fn linear_program<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
) -> Result<Outcome<Constrained>> {
    check_constraint(mdp, cost, budget)?;
    let largest = cost.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
    let (earned, paid) = (magnitude(mdp.largest_reward()), magnitude(largest));
    let reward: Vec<f64> = mdp.reward.iter().map(|r| r / earned).collect();
    let cost: Vec<f64> = cost.iter().map(|c| c / paid).collect();
    let outcome = scaled_program(&mdp.with_reward(&reward), &cost, budget / paid)?;
    Ok(match outcome {
        Outcome::Infeasible { least_cost } => Outcome::Infeasible {
            least_cost: least_cost * paid,
        },
        found => found.map(|found| Constrained {
            reward: found.reward * earned,
            cost: found.cost * paid,
            multiplier: found.multiplier * earned / paid,
            gap: found.gap * earned,
            ..found
        }),
    })
}

fn scaled_program<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
) -> Result<Outcome<Constrained>> {
    let least = cheapest(mdp, cost)?;
    let least_cost = least.cost.value;
    if least_cost > budget + slack(budget) {
        return Ok(Outcome::Infeasible { least_cost });
    }
    let program = Program::new(mdp, cost, budget.max(least_cost));
    let found = program.solve()?;
    let reward = priced(mdp.reward, cost, found.multiplier);
    let best = optimum(&mdp.with_reward(&reward))?;
    let most = best.at_start(mdp.task);
    let bound = most.value + most.error + found.multiplier * budget;
    let repair = Repair {
        mdp,
        cost,
        budget,
        multiplier: found.multiplier,
        thrifty: &Policy::deterministic(mdp.task, &least.choice),
    };
    let elsewhere = Policy::deterministic(mdp.task, &best.choice);
    let mut answers = Vec::new();
    for support in [Support::Optimal, Support::All] {
        let policy = repair.apply(program.round(mdp, &found, support, &elsewhere))?;
        answers.push(Constrained::certified(
            mdp,
            cost,
            policy,
            found.multiplier,
            bound,
        )?);
    }
    // The first of equals.
    let best = answers.into_iter().rev();
    let best = best.max_by(|a, b| a.reward.total_cmp(&b.reward));
    Ok(match best {
        Some(answer) => {
            let proved = answer.gap <= SOLVED * answer.reward.abs().max(1.0);
            Outcome::of(answer, proved)
        }
        None => Outcome::Infeasible { least_cost },
    })
}

/// The same policy without the tiny probabilities that only the rounding of a solver put there.
pub fn without_dust(task: &Task, policy: &Policy) -> Result<Policy> {
    let mut prob = policy.probs().to_vec();
    for state in task.all_states() {
        let own = &mut prob[task.pairs_of(state)];
        let dust = own.iter_mut().filter(|p| **p < PROBABILITY_DUST);
        dust.for_each(|p| *p = 0.0);
        let sum: f64 = own.iter().sum();
        own.iter_mut().for_each(|p| *p /= sum);
    }
    Policy::new(task, prob)
}

/// What it takes to bring a policy within the budget.
struct Repair<'a, 'm, D: Dynamics> {
    mdp: &'a Mdp<'m, D>,
    cost: &'a [f64],
    budget: f64,
    multiplier: f64,
    /// The policy of least cost.
    thrifty: &'a Policy,
}

impl<D: Dynamics> Repair<'_, '_, D> {
    /// Mixes `policy`, in occupancy space, with one below the budget just enough to meet it.
    ///
    /// The best policy at a somewhat higher multiplier saves at about the going price, where the
    /// cheapest one may save at any; so higher multipliers are tried first.
    fn apply(&self, policy: Policy) -> Result<Policy> {
        let (mdp, cost, budget) = (self.mdp, self.cost, self.budget);
        let mut x = visits(mdp, &policy)?;
        let excess = dot(&x, cost) - budget;
        if excess <= slack(budget) {
            return Ok(policy);
        }
        let mut cheap = Vec::new();
        let mut room = 0.0;
        for power in 0..8 {
            let raised = self.multiplier * (1.0 + 1e-3 * 8_f64.powi(power)) + 1e-9;
            let reward = priced(mdp.reward, cost, raised);
            let problem = mdp.with_reward(&reward);
            let best = optimum(&problem)?;
            cheap = visits(mdp, &Policy::deterministic(mdp.task, &best.choice))?;
            room = budget - dot(&cheap, cost);
            if room > excess {
                break;
            }
        }
        if room <= excess {
            cheap = visits(mdp, self.thrifty)?;
            room = budget - dot(&cheap, cost);
        }
        if room <= 0.0 {
            return Ok(self.thrifty.clone());
        }
        let share = excess / (excess + room);
        for (a, b) in x.iter_mut().zip(&cheap) {
            *a += share * (b - *a);
        }
        Ok(policy_or(mdp.task, &x, 0.0, &policy))
    }
}

/// How exactly the interior-point method solves a program.
pub(crate) fn interior_point() -> DefaultSettings<f64> {
    DefaultSettings {
        verbose: false,
        tol_gap_abs: 1e-11,
        tol_gap_rel: 1e-11,
        tol_feas: 1e-11,
        ..DefaultSettings::default()
    }
}

fn slack(budget: f64) -> f64 {
    FEASIBILITY * budget.abs().max(1.0)
}

/// Which pairs a policy is read from.
#[derive(Clone, Copy, PartialEq)]
enum Support {
    /// Those with more mass than dual: the face of the optimum, if the two are well apart.
    Optimal,
    /// Whatever has mass.
    All,
}

/// `min -<x, r>` subject to flow (zero cone), cost and `x >= 0` (non-negative cone).
struct Program {
    /// The pair of every variable.
    pairs: Vec<Pair>,
    flows: usize,
    matrix: CscMatrix<f64>,
    right: Vec<f64>,
    objective: Vec<f64>,
}

/// What the interior point found.
struct Interior {
    mass: Vec<f64>,
    dual: Vec<f64>,
    multiplier: f64,
}

impl Program {
    fn new<D: Dynamics>(mdp: &Mdp<D>, cost: &[f64], budget: f64) -> Self {
        let task = mdp.task;
        let mut flow = vec![None; task.states()];
        let mut flows = 0;
        for state in task.all_states().filter(|&s| mdp.goes_on(s)) {
            flow[state.at()] = Some(flows);
            flows += 1;
        }
        let pairs: Vec<Pair> = task.all_pairs().filter(|&p| mdp.allows(p)).collect();
        let rows = flows + 1 + pairs.len();
        let (mut start, mut row, mut entry) = (vec![0], Vec::new(), Vec::new());
        let mut column: Vec<(usize, f64)> = Vec::new();
        for (i, &pair) in pairs.iter().enumerate() {
            column.clear();
            column.extend(flow[task.state_of(pair).at()].map(|own| (own, 1.0)));
            let (next, prob) = mdp.dynamics.row(pair);
            for (&s, &p) in next.iter().zip(prob) {
                if let Some(to) = flow[State(s).at()] {
                    match column.iter_mut().find(|(r, _)| *r == to) {
                        Some((_, m)) => *m -= mdp.gamma * p,
                        None => column.push((to, -mdp.gamma * p)),
                    }
                }
            }
            if cost[pair.at()] != 0.0 {
                column.push((flows, cost[pair.at()]));
            }
            column.push((flows + 1 + i, -1.0));
            column.sort_unstable_by_key(|&(r, _)| r);
            row.extend(column.iter().map(|&(r, _)| r));
            entry.extend(column.iter().map(|&(_, m)| m));
            start.push(row.len());
        }
        let mut right = vec![0.0; rows];
        for &(s, p) in task.start() {
            if let Some(at) = flow[s.at()] {
                right[at] = p;
            }
        }
        right[flows] = budget;
        Self {
            objective: pairs.iter().map(|p| -mdp.reward[p.at()]).collect(),
            matrix: CscMatrix::new(rows, pairs.len(), start, row, entry),
            pairs,
            flows,
            right,
        }
    }

    fn solve(&self) -> Result<Interior> {
        let n = self.pairs.len();
        let breakdown = |problem: String| Error::Numeric {
            place: "occupancy program".into(),
            problem,
        };
        let cones: [SupportedConeT<f64>; 2] = [ZeroConeT(self.flows), NonnegativeConeT(1 + n)];
        let quadratic = CscMatrix::zeros((n, n));
        let mut solver = DefaultSolver::new(
            &quadratic,
            &self.objective,
            &self.matrix,
            &self.right,
            &cones,
            interior_point(),
        )
        .map_err(|e| breakdown(e.to_string()))?;
        solver.solve();
        // Feasible and bounded by construction, so whatever the status says, the last iterate is
        // the best there is, and the certified gap tells how good that is.
        let found = &solver.solution;
        if found.s.iter().chain(&found.z).any(|v| !v.is_finite()) {
            return Err(breakdown(format!("{:?}", found.status)));
        }
        Ok(Interior {
            mass: found.s[self.flows + 1..].to_vec(),
            dual: found.z[self.flows + 1..].to_vec(),
            multiplier: found.z[self.flows].max(0.0),
        })
    }

    /// The policy of the pairs in the support; `elsewhere` where a state has no time.
    fn round<D: Dynamics>(
        &self,
        mdp: &Mdp<D>,
        found: &Interior,
        support: Support,
        elsewhere: &Policy,
    ) -> Policy {
        let mut x = vec![0.0; mdp.task.pairs()];
        for (i, &pair) in self.pairs.iter().enumerate() {
            if support == Support::All || found.mass[i] > found.dual[i] {
                x[pair.at()] = found.mass[i];
            }
        }
        policy_or(mdp.task, &x, DUST, elsewhere)
    }
}
