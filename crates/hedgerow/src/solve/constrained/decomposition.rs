//! A few linear constraints on occupancies, by column generation.

use crate::Result;
use crate::index::{Pair, State};
use crate::model::{Dynamics, Task};
use crate::solve::again::{carried, carry_values};
use crate::solve::constrained::column::Walk;
use crate::solve::constrained::master::{Master, Phase};
use crate::solve::constrained::{FEASIBILITY, check_constraint};
use crate::solve::ordered::along;
use crate::solve::policy_rows::PolicyRows;
use crate::solve::rounds::earn;
use crate::solve::{Limits, Mdp, Outcome, Start, best_again, modified_policy_iteration};

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
    /// Of the last pricing.
    priced: Start,
    choices: Vec<Choice>,
    followed: Vec<Vec<f64>>,
    multipliers: Vec<f64>,
}

impl WarmStart {
    /// The best policy at the last multipliers, and its values; empty before the first search.
    pub fn priced(&self) -> &Start {
        &self.priced
    }

    /// Has the next search begin with this policy too, say one that surely meets the constraints.
    pub fn suggest(&mut self, choice: Choice) {
        self.choices.push(choice);
    }

    /// The same for a problem whose states are numbered anew: `from` says which each one was before.
    /// Those that were not there begin with the value of `rest` and their first pair.
    pub fn carry(
        &mut self,
        (old, new): (&Task, &Task),
        from: &[Option<State>],
        rest: Option<State>,
    ) {
        if self.priced.values.len() != old.states() {
            return;
        }
        self.priced.carry((old, new), from, rest);
        for values in &mut self.followed {
            carry_values(values, from, rest);
        }
        let first = |state| new.pairs_of(state).map(Pair::new).next();
        for choice in &mut self.choices {
            *choice = carried(choice, (old, new), from, first);
        }
    }
}

/// A few deterministic policies with weights.
///
/// Sampling one of them for a whole episode earns the mixture's values exactly, so an agent needs no
/// occupancies to follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    /// Weights, which sum to 1, and the pair that each policy takes in every state: at most one more
    /// than there are constraints.
    pub policies: Vec<(f64, Choice)>,
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
    search(mdp, rows, limits, None, warm)
}

/// How near an answer is near enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roughly {
    /// The share of the numbers in it up to which it is right.
    pub share: f64,
    /// A value that no policy exceeds.
    pub most: f64,
}

/// The same roughly, for plans in large worlds that are made again and again.
///
/// Only `bound` is certified; `value` and the constraints hold as nearly as `share` says.
pub fn constrained_roughly<D: Dynamics>(
    mdp: &Mdp<D>,
    rows: &[LinearRow],
    limits: &Limits,
    roughly: Roughly,
    warm: &mut WarmStart,
) -> Result<Outcome<Mixture>> {
    search(mdp, rows, limits, Some(roughly), warm)
}

fn search<D: Dynamics>(
    mdp: &Mdp<D>,
    rows: &[LinearRow],
    limits: &Limits,
    rough: Option<Roughly>,
    warm: &mut WarmStart,
) -> Result<Outcome<Mixture>> {
    for row in rows {
        check_constraint(mdp, row.weights, row.bound)?;
    }
    let mut search = Search::new(mdp, rows, limits, rough, warm)?;
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

/// The same where a rough answer is enough.
const ROUGHLY: usize = 12;

/// The pair that is taken in every state.
pub type Choice = Vec<Option<Pair>>;

struct Search<'a, 'm, D: Dynamics> {
    mdp: &'a Mdp<'m, D>,
    rows: &'a [LinearRow<'a>],
    limits: Limits,
    /// The share up to which numbers are right, if that is enough.
    rough: Option<f64>,
    walk: Walk,
    master: Master,
    columns: Vec<Choice>,
    excess: Vec<f64>,
    /// The reward being priced.
    reward: Vec<f64>,
    /// What the last pricing found: the next one starts from it.
    priced: Start,
    /// Values of the column added last, in the reward and in every row, if they are rough.
    followed: Vec<Vec<f64>>,
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
        rough: Option<Roughly>,
        warm: &mut WarmStart,
    ) -> Result<Self> {
        if warm.priced.values.len() != mdp.task.states() || warm.multipliers.len() != rows.len() {
            warm.priced = Start {
                values: vec![0.0; mdp.task.states()],
                choice: Choice::new(),
            };
            warm.multipliers = vec![0.0; rows.len()];
        }
        warm.choices.retain(|c| c.len() == mdp.task.states());
        warm.followed.resize(rows.len() + 1, Vec::new());
        for values in &mut warm.followed {
            values.resize(mdp.task.states(), 0.0);
        }
        let mut search = Self {
            mdp,
            rows,
            limits: *limits,
            rough: rough.map(|r| r.share),
            walk: Walk::default(),
            master: Master::new(rows.len()),
            columns: Vec::new(),
            excess: vec![0.0; rows.len()],
            reward: vec![0.0; mdp.task.pairs()],
            priced: std::mem::take(&mut warm.priced),
            followed: std::mem::take(&mut warm.followed),
            multipliers: std::mem::take(&mut warm.multipliers),
            bound: rough.map_or(f64::INFINITY, |r| r.most),
            bound_at: vec![0.0; rows.len()],
        };
        if search.bound.is_finite() {
            // What was found the last time may still be as good as anything can be.
            let known = warm.choices.iter().position(|c| search.is_allowed(c));
            if let Some(i) = known {
                search.add(warm.choices.remove(i), None)?;
                if search.is_settled() {
                    return Ok(search);
                }
            }
        }
        let (first, _) = search.price(Phase::Value);
        let unpriced = search.multipliers.iter().all(|&m| m == 0.0);
        let value = || mdp.task.at_start(&search.priced.values);
        let known = unpriced.then(value);
        search.add(first, known)?;
        for choice in warm.choices.drain(..) {
            if rough.is_some() && search.is_settled() {
                break;
            }
            if search.is_allowed(&choice) {
                search.add(choice, None)?;
            }
        }
        Ok(search)
    }

    /// Whether what was found so far is good enough.
    fn is_settled(&mut self) -> bool {
        if -self.solve_master(Phase::Violation) > self.allowance() {
            return false;
        }
        let value = self.solve_master(Phase::Value);
        self.bound - value <= self.tolerance(value)
    }

    fn allowance(&self) -> f64 {
        let rows = self.rows.iter().map(|row| slack(row, self.rough));
        rows.fold(0.0, f64::max)
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
        let error = match self.rough {
            None => {
                let values = Some(&self.priced.values[..]);
                let outcome = modified_policy_iteration(&problem, &self.limits, values);
                let Some(best) = outcome.solution() else {
                    return (Vec::new(), f64::INFINITY);
                };
                self.priced = Start {
                    values: best.values,
                    choice: best.choice,
                };
                best.error
            }
            Some(share) => {
                let limits = self.limits.or_share(share, &self.priced.values);
                best_again(&problem, &limits, &mut self.priced)
            }
        };
        dual += self.mdp.task.at_start(&self.priced.values) + error;
        if phase == Phase::Value && dual < self.bound {
            self.bound = dual;
            self.bound_at.clone_from(&self.multipliers);
        }
        (self.priced.choice.clone(), dual)
    }

    /// Makes a column of a policy, whose reward may be known; `false` if one with the same values is there.
    fn add(&mut self, choice: Choice, known: Option<f64>) -> Result<bool> {
        let value = match self.rough {
            None => {
                // Well below the tolerance of a solve, and below what FEASIBILITY can tell apart.
                let left_over = (1e-3 * self.limits.tolerance).clamp(1e-13, 1e-10);
                self.walk.follow(self.mdp, &choice, left_over)?;
                for (excess, row) in self.excess.iter_mut().zip(self.rows) {
                    *excess = self.walk.value(&choice, row.weights) - row.bound;
                }
                self.walk.value(&choice, self.mdp.reward)
            }
            Some(share) => self.rough_value(&choice, share, known),
        };
        for (excess, row) in self.excess.iter_mut().zip(self.rows) {
            // On the bound up to rounding is on the bound: a tiny excess would make the
            // multipliers explode.
            if excess.abs() <= slack(row, self.rough) {
                *excess = 0.0;
            }
        }
        let fresh = self.master.add(value, &self.excess);
        if fresh {
            self.columns.push(choice);
        }
        Ok(fresh)
    }

    /// What `choice` earns, up to `share` of the largest value, and by how much it exceeds the rows.
    fn rough_value(&mut self, choice: &[Option<Pair>], share: f64, known: Option<f64>) -> f64 {
        let chain = PolicyRows::of_choice(self.mdp, choice);
        let mut earned = vec![0.0; choice.len()];
        let mut value = |weights: &[f64], values: &mut Vec<f64>| {
            earn(weights, choice, &mut earned);
            let limits = self.limits.or_share(share, values);
            let found = along(&chain, &earned, &limits, std::mem::take(values));
            *values = found.solution().map(|v| v.values).unwrap_or_default();
            self.mdp.task.at_start(values)
        };
        let (first, others) = self.followed.split_at_mut(1);
        for ((excess, row), values) in self.excess.iter_mut().zip(self.rows).zip(others) {
            *excess = value(row.weights, values) - row.bound;
        }
        known.unwrap_or_else(|| value(self.mdp.reward, &mut first[0]))
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
        let allowance = self.allowance();
        for _ in 0..PATIENCE {
            let violation = -self.solve_master(Phase::Violation);
            if violation <= allowance {
                return Ok(None);
            }
            let (choice, dual) = self.price(Phase::Violation);
            // -dual bounds the violation of every mixture from below.
            if violation + dual <= self.tolerance(violation) || !self.add(choice, None)? {
                return Ok(Some(violation));
            }
        }
        Ok(Some(-self.solve_master(Phase::Violation)))
    }

    /// The gap at which `value` counts as optimal: two solves, rounding, and what the multipliers
    /// make of constraints that hold up to [`FEASIBILITY`].
    fn tolerance(&self, value: f64) -> f64 {
        let priced = |f: &dyn Fn(&LinearRow) -> f64| -> f64 {
            let rows = self.rows.iter().zip(&self.multipliers);
            rows.map(|(row, price)| price * f(row)).sum()
        };
        let bounds = value.abs() + priced(&|row| row.bound.abs());
        let solves = match self.rough {
            None => 2.0 * self.limits.tolerance,
            Some(share) => (2.0 * self.limits.tolerance).max(10.0 * share * bounds),
        };
        solves + NOISE * (1.0 + bounds) + priced(&|row| slack(row, self.rough))
    }

    /// The best mixture, once the constraints can be met.
    fn best(&mut self) -> Result<Outcome<Mixture>> {
        let asked = self.limits.tolerance;
        let patience = if self.rough.is_some() {
            ROUGHLY
        } else {
            PATIENCE
        };
        for _ in 0..patience {
            let value = self.solve_master(Phase::Value);
            if self.bound - value <= self.tolerance(value) {
                return Ok(Outcome::Optimal(self.mixture(value)));
            }
            let (choice, _) = self.price(Phase::Value);
            if self.bound - value <= self.tolerance(value) {
                return Ok(Outcome::Optimal(self.mixture(value)));
            }
            if self.add(choice, None)? {
                continue;
            }
            // A known policy is best at its own multipliers, yet the gap is open: the solve was
            // too rough to rank policies this close.
            if self.rough.is_some() || self.limits.tolerance < asked {
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
        let used = self.master.weights().into_iter();
        Mixture {
            policies: used.map(|(j, w)| (w, self.columns[j].clone())).collect(),
            value,
            bound: self.bound.max(value),
            multipliers: self.bound_at.clone(),
        }
    }

    /// Leaves what the next search can use.
    fn leave(self, outcome: &Outcome<Mixture>, warm: &mut WarmStart) {
        let used = self.master.weights();
        warm.choices = used.iter().map(|&(j, _)| self.columns[j].clone()).collect();
        warm.priced = self.priced;
        warm.followed = self.followed;
        warm.multipliers = match outcome {
            Outcome::Infeasible { .. } => vec![0.0; self.rows.len()],
            _ => self.bound_at,
        };
    }
}

/// How far a row may be exceeded, and still counts as kept.
fn slack(row: &LinearRow, rough: Option<f64>) -> f64 {
    match rough {
        None => FEASIBILITY * row.bound.abs().max(1.0),
        Some(share) => share * row.bound.abs(),
    }
}
