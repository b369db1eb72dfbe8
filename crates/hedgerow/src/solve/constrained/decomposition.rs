//! A few linear constraints on occupancies, by column generation.

use crate::Result;
use crate::index::{Pair, State};
use crate::model::{Dynamics, Task};
use crate::solve::constrained::column::Walk;
use crate::solve::constrained::master::{Master, Phase};
use crate::solve::constrained::{FEASIBILITY, check_constraint};
use crate::solve::{Limits, Mdp, Outcome, Solution, modified_policy_iteration};

/// The constraint `V^{weights, pi}(mu0) <= bound`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearRow<'a> {
    /// `g(s, a)` of every pair; any sign.
    pub weights: &'a [f64],
    /// `b`.
    pub bound: f64,
}

/// What one search leaves for the next, similar one; the result does not depend on it.
#[derive(Clone, Debug, Default)]
pub struct WarmStart {
    values: Vec<f64>,
    choices: Vec<Vec<Option<Pair>>>,
    multipliers: Vec<f64>,
}

impl WarmStart {
    /// Optimal values at the last multipliers; empty before the first search.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The same for a problem whose states are numbered anew: `from` says which each one was before.
    /// Those that were not there begin with the value of `rest` and their first pair.
    pub fn carry(
        &mut self,
        (old, new): (&Task, &Task),
        from: &[Option<State>],
        rest: Option<State>,
    ) {
        if self.values.len() != old.states() {
            return;
        }
        let value = |f: &Option<State>| f.or(rest).map_or(0.0, |s| self.values[s.at()]);
        self.values = from.iter().map(value).collect();
        for choice in &mut self.choices {
            let states = new.all_states().zip(from);
            let carried = states.map(|(state, from)| {
                let own = new.pairs_of(state);
                match from {
                    Some(f) => {
                        let pair = choice[f.at()]?;
                        Some(Pair::new(own.start + pair.at() - old.pairs_of(*f).start))
                    }
                    None => own.map(Pair::new).next(),
                }
            });
            *choice = carried.collect();
        }
    }
}

/// A few deterministic policies with weights.
///
/// Sampling one of them for a whole episode earns the mixture's values exactly, so an agent needs no
/// occupancies to follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    /// Weights, which sum to 1, and policies with their values in `r`: at most one more than
    /// there are constraints.
    pub policies: Vec<(f64, Solution)>,
    /// Discounted reward from `mu0`.
    pub value: f64,
    /// Certified upper bound on the reward of any policy that meets the constraints.
    pub bound: f64,
    /// One price for each constraint; `bound` is the dual value there.
    pub multipliers: Vec<f64>,
}

/// Maximises `V^{r, pi}(mu0)` subject to `V^{g_i, pi}(mu0) <= b_i` for a few rows `i`.
///
/// Dantzig-Wolfe decomposition: the columns of a small master program are deterministic policies
/// with their values in `r, g_1, ..`; its multipliers `lambda` price the reward
/// `r - sum_i lambda_i g_i`, and one sparse solve either finds a better column or proves
/// `g(lambda) = V_lambda(mu0) + <lambda, b>` to be the optimum. With one row this is the secant
/// method on the piecewise linear dual. A first phase minimises the total violation
/// `sum_i max(0, V^{g_i} - b_i)`; if it stays positive the outcome is [`Outcome::Infeasible`] and
/// its `least_cost` is that least total violation.
///
/// Constraints hold up to [`FEASIBILITY`]. `limits.tolerance` applies to each solve and, up to
/// rounding and that times the multipliers, to the gap between `value` and `bound`.
pub fn constrained_best<D: Dynamics>(
    mdp: &Mdp<D>,
    rows: &[LinearRow],
    limits: &Limits,
    warm: &mut WarmStart,
) -> Result<Outcome<Mixture>> {
    for row in rows {
        check_constraint(mdp, row.weights, row.bound)?;
    }
    let mut search = Search::new(mdp, rows, limits, warm)?;
    let outcome = match search.least_violation()? {
        Some(violation) => Outcome::Infeasible {
            least_cost: violation,
        },
        None => search.best()?,
    };
    search.leave(&outcome, warm);
    Ok(outcome)
}

/// Rounding of a value, relative to its terms.
const NOISE: f64 = 1e-12;

/// Pricing problems before the search gives up; a handful is normal.
const PATIENCE: usize = 1000;

type Choice = Vec<Option<Pair>>;

struct Search<'a, 'm, D: Dynamics> {
    mdp: &'a Mdp<'m, D>,
    rows: &'a [LinearRow<'a>],
    limits: Limits,
    walk: Walk,
    master: Master,
    columns: Vec<Choice>,
    excess: Vec<f64>,
    /// The reward being priced.
    reward: Vec<f64>,
    /// Values of the last pricing: the next one starts from them.
    values: Vec<f64>,
    multipliers: Vec<f64>,
    /// The least dual value so far and its multipliers.
    bound: f64,
    bound_at: Vec<f64>,
}

impl<'a, 'm, D: Dynamics> Search<'a, 'm, D> {
    /// Starts with the best policy at the multipliers of `warm`, and its policies.
    fn new(
        mdp: &'a Mdp<'m, D>,
        rows: &'a [LinearRow<'a>],
        limits: &Limits,
        warm: &mut WarmStart,
    ) -> Result<Self> {
        if warm.values.len() != mdp.task.states() || warm.multipliers.len() != rows.len() {
            *warm = WarmStart {
                values: vec![0.0; mdp.task.states()],
                choices: Vec::new(),
                multipliers: vec![0.0; rows.len()],
            };
        }
        let mut search = Self {
            mdp,
            rows,
            limits: *limits,
            walk: Walk::default(),
            master: Master::new(rows.len()),
            columns: Vec::new(),
            excess: vec![0.0; rows.len()],
            reward: vec![0.0; mdp.task.pairs()],
            values: std::mem::take(&mut warm.values),
            multipliers: std::mem::take(&mut warm.multipliers),
            bound: f64::INFINITY,
            bound_at: vec![0.0; rows.len()],
        };
        let (first, _) = search.price(Phase::Value);
        search.add(first)?;
        for choice in warm.choices.drain(..) {
            if search.is_allowed(&choice) {
                search.add(choice)?;
            }
        }
        Ok(search)
    }

    fn is_allowed(&self, choice: &[Option<Pair>]) -> bool {
        let mdp = self.mdp;
        mdp.task.all_states().all(|s| match choice[s.at()] {
            Some(pair) => mdp.task.pairs_of(s).contains(&pair.at()) && mdp.allows(pair),
            None => !mdp.goes_on(s),
        })
    }

    /// The best policy at the present multipliers and its dual value, rounded up.
    fn price(&mut self, phase: Phase) -> (Choice, f64) {
        match phase {
            Phase::Value => self.reward.copy_from_slice(self.mdp.reward),
            Phase::Violation => self.reward.fill(0.0),
        }
        let mut dual = 0.0;
        for (row, &price) in self.rows.iter().zip(&self.multipliers) {
            dual += price * row.bound;
            if price != 0.0 {
                for (r, g) in self.reward.iter_mut().zip(row.weights) {
                    *r -= price * g;
                }
            }
        }
        let problem = self.mdp.with_reward(&self.reward);
        let outcome = modified_policy_iteration(&problem, &self.limits, Some(&self.values));
        let Some(best) = outcome.solution() else {
            return (Vec::new(), f64::INFINITY);
        };
        dual += self.mdp.task.at_start(&best.values) + best.error;
        self.values = best.values;
        if phase == Phase::Value && dual < self.bound {
            self.bound = dual;
            self.bound_at.clone_from(&self.multipliers);
        }
        (best.choice, dual)
    }

    /// Makes a column of a policy; `false` if one with the same values is there.
    fn add(&mut self, choice: Choice) -> Result<bool> {
        // Well below the tolerance of a solve, and below what FEASIBILITY can tell apart.
        let left_over = (1e-3 * self.limits.tolerance).clamp(1e-13, 1e-10);
        self.walk.follow(self.mdp, &choice, left_over)?;
        let value = self.walk.value(&choice, self.mdp.reward);
        for (excess, row) in self.excess.iter_mut().zip(self.rows) {
            let e = self.walk.value(&choice, row.weights) - row.bound;
            // On the bound up to rounding is on the bound: a tiny excess would make the
            // multipliers explode.
            *excess = if e.abs() <= slack(row) { 0.0 } else { e };
        }
        let fresh = self.master.add(value, &self.excess);
        if fresh {
            self.columns.push(choice);
        }
        Ok(fresh)
    }

    fn solve_master(&mut self, phase: Phase) -> f64 {
        let objective = self.master.solve(phase);
        for (i, m) in self.multipliers.iter_mut().enumerate() {
            *m = self.master.multiplier(i);
        }
        objective
    }

    /// `None` once some mixture meets all constraints, else the least total violation.
    fn least_violation(&mut self) -> Result<Option<f64>> {
        let allowance = self.rows.iter().map(slack).fold(0.0, f64::max);
        for _ in 0..PATIENCE {
            let violation = -self.solve_master(Phase::Violation);
            if violation <= allowance {
                return Ok(None);
            }
            let (choice, dual) = self.price(Phase::Violation);
            // -dual bounds the violation of every mixture from below.
            if violation + dual <= self.tolerance(violation) || !self.add(choice)? {
                return Ok(Some(violation));
            }
        }
        Ok(Some(-self.solve_master(Phase::Violation)))
    }

    /// The gap at which `value` counts as optimal: two solves, rounding, and what the multipliers
    /// make of constraints that hold up to [`FEASIBILITY`].
    fn tolerance(&self, value: f64) -> f64 {
        let priced = |f: fn(&LinearRow) -> f64| -> f64 {
            let rows = self.rows.iter().zip(&self.multipliers);
            rows.map(|(row, price)| price * f(row)).sum()
        };
        let terms = 1.0 + value.abs() + priced(|row| row.bound.abs());
        2.0 * self.limits.tolerance + NOISE * terms + priced(slack)
    }

    /// The best mixture, once the constraints can be met.
    fn best(&mut self) -> Result<Outcome<Mixture>> {
        let asked = self.limits.tolerance;
        for _ in 0..PATIENCE {
            let value = self.solve_master(Phase::Value);
            if self.bound - value <= self.tolerance(value) {
                return Ok(Outcome::Optimal(self.mixture(value)));
            }
            let (choice, _) = self.price(Phase::Value);
            if self.bound - value <= self.tolerance(value) {
                return Ok(Outcome::Optimal(self.mixture(value)));
            }
            if self.add(choice)? {
                continue;
            }
            // A known policy is best at its own multipliers, yet the gap is open: the solve was
            // too rough to rank policies this close.
            if self.limits.tolerance < asked {
                let close = self.bound - value <= 100.0 * self.tolerance(value);
                let mixture = self.mixture(value);
                return Ok(Outcome::of(mixture, close));
            }
            self.limits.tolerance = 0.1 * (1.0 - self.mdp.gamma) * asked;
        }
        let value = self.solve_master(Phase::Value);
        Ok(Outcome::LimitReached(self.mixture(value)))
    }

    fn mixture(&self, value: f64) -> Mixture {
        let mut allowed = vec![false; self.mdp.task.pairs()];
        let policies = self.master.weights().into_iter().map(|(j, weight)| {
            allowed.fill(false);
            for pair in self.columns[j].iter().flatten() {
                allowed[pair.at()] = true;
            }
            let only = self.mdp.with_allowed(&allowed);
            let outcome = modified_policy_iteration(&only, &self.limits, Some(&self.values));
            outcome.solution().map(|solution| (weight, solution))
        });
        Mixture {
            policies: policies.flatten().collect(),
            value,
            bound: self.bound.max(value),
            multipliers: self.bound_at.clone(),
        }
    }

    /// Leaves what the next search can use.
    fn leave(self, outcome: &Outcome<Mixture>, warm: &mut WarmStart) {
        let used = self.master.weights();
        warm.choices = used.iter().map(|&(j, _)| self.columns[j].clone()).collect();
        warm.values = self.values;
        warm.multipliers = match outcome {
            Outcome::Infeasible { .. } => vec![0.0; self.rows.len()],
            _ => self.bound_at,
        };
    }
}

fn slack(row: &LinearRow) -> f64 {
    FEASIBILITY * row.bound.abs().max(1.0)
}
