//! The search for prices at which the best policies make up the best mixture.

use crate::Result;
use crate::index::Pair;
use crate::model::Dynamics;
use crate::solve::constrained::FEASIBILITY;
use crate::solve::constrained::column::Walk;
use crate::solve::constrained::master::{Master, Phase};
use crate::solve::constrained::mixture::{Choice, LinearRow, Mixture, Roughly};
use crate::solve::constrained::warm::{Column, Found, WarmStart, nearest};
use crate::solve::ordered::along;
use crate::solve::policy_rows::PolicyRows;
use crate::solve::rounds::earn;
use crate::solve::{Limits, Mdp, Outcome, Start, best_again, modified_policy_iteration};

/// Rounding of a value, relative to its terms.
const NOISE: f64 = 1e-12;

/// Pricing problems before the search gives up; a handful is normal.
const PATIENCE: usize = 1000;

/// The same where a rough answer is enough.
const ROUGHLY: usize = 12;

pub(super) struct Search<'a, 'm, D: Dynamics> {
    mdp: &'a Mdp<'m, D>,
    rows: &'a [LinearRow<'a>],
    limits: Limits,
    /// The share up to which numbers are right, if that is enough.
    rough: Option<f64>,
    walk: Walk,
    master: Master,
    columns: Vec<Column>,
    excess: Vec<f64>,
    /// The reward being priced.
    reward: Vec<f64>,
    /// What the last pricing found, up to what error, and where, if it priced the reward. The next one starts
    /// from it, unless a rough one knows a column that was found at nearer multipliers.
    priced: Start,
    error: f64,
    priced_at: Option<Vec<f64>>,
    multipliers: Vec<f64>,
    /// Multipliers that a rough search tries once more: where policies of the last mixture were best.
    again: Vec<Vec<f64>>,
    /// The least dual value so far, its multipliers, and what is best there, if that is rough.
    bound: f64,
    bound_at: Vec<f64>,
    bound_start: Option<Start>,
}

impl<'a, 'm, D: Dynamics> Search<'a, 'm, D> {
    /// Starts with the best policy at the multipliers of `warm`, and its policies.
    pub(super) fn new(
        mdp: &'a Mdp<'m, D>,
        rows: &'a [LinearRow<'a>],
        limits: &Limits,
        rough: Option<Roughly>,
        warm: &mut WarmStart,
    ) -> Result<Self> {
        warm.fit(mdp.task.states(), rows.len());
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
            error: f64::INFINITY,
            priced_at: Some(warm.multipliers.clone()),
            multipliers: std::mem::take(&mut warm.multipliers),
            again: Vec::new(),
            bound: rough.map_or(f64::INFINITY, |r| r.most),
            bound_at: vec![0.0; rows.len()],
            bound_start: None,
        };
        search.begin(warm)?;
        Ok(search)
    }

    /// Adds the first columns.
    fn begin(&mut self, warm: &mut WarmStart) -> Result<()> {
        if self.bound.is_finite() && !warm.columns.is_empty() {
            // What was found the last time may still be as good as anything can be.
            let known = warm.columns.remove(0);
            self.add_again(known)?;
            if self.is_settled() {
                return Ok(());
            }
        }
        let near = nearest(&warm.columns, &self.multipliers);
        let (mut first, _) = self.price(Phase::Value);
        if let Some(known) = near.filter(|_| first.followed.is_empty()) {
            first.followed.clone_from(&warm.columns[known].followed);
        }
        self.add(first, true)?;
        for column in warm.columns.drain(..) {
            if self.rough.is_some() && self.is_settled() {
                break;
            }
            self.add_again(column)?;
        }
        for choice in warm.suggested.drain(..) {
            if self.rough.is_none() || self.violates() {
                self.add_again(Column::of(choice))?;
            }
        }
        Ok(())
    }

    /// Adds a policy of the last search, if it is allowed, or what is left of it.
    fn add_again(&mut self, mut column: Column) -> Result<()> {
        if self.rough.is_none() {
            if self.is_allowed(&column.choice) {
                self.add(column, false)?;
            }
            return Ok(());
        }
        for (s, pair) in self.mdp.task.all_states().zip(&mut column.choice) {
            let own = self.mdp.task.pairs_of(s);
            let still = pair.filter(|p| own.contains(&p.at()) && self.mdp.allows(*p));
            let best = || self.mdp.best(s, &self.priced.values).map(|(best, _)| best);
            *pair = still.or_else(best);
        }
        let at = column.found.as_ref().map(|found| &found.multipliers);
        self.again
            .extend(at.filter(|at| self.priced_at.as_ref() != Some(at)).cloned());
        self.add(column, false)?;
        Ok(())
    }

    /// Whether no mixture of what was found so far meets all constraints.
    fn violates(&mut self) -> bool {
        -self.solve_master(Phase::Violation) > self.allowance()
    }

    /// Whether what was found so far is good enough.
    fn is_settled(&mut self) -> bool {
        if self.violates() {
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
    fn price(&mut self, phase: Phase) -> (Column, f64) {
        let followed = match (self.rough, phase) {
            (Some(_), Phase::Value) => self.move_near(),
            _ => Vec::new(),
        };
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
        self.error = match self.rough {
            None => {
                let values = Some(&self.priced.values[..]);
                let outcome = modified_policy_iteration(&problem, &self.limits, values);
                let Some(best) = outcome.solution() else {
                    return (Column::of(Choice::new()), f64::INFINITY);
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
        dual += self.mdp.task.at_start(&self.priced.values) + self.error;
        let valued = phase == Phase::Value;
        self.priced_at = valued.then(|| self.multipliers.clone());
        if valued && dual < self.bound {
            self.bound = dual;
            self.bound_at.clone_from(&self.multipliers);
            self.bound_start = self.rough.map(|_| self.priced.clone());
        }
        let column = Column {
            choice: self.priced.choice.clone(),
            followed,
            found: self.found_here(),
        };
        (column, dual)
    }

    /// Where the last pricing took place and what it found, if it was rough and of the reward.
    fn found_here(&self) -> Option<Found> {
        self.rough?;
        Some(Found {
            multipliers: self.priced_at.clone()?,
            values: self.priced.values.clone(),
        })
    }

    /// Has the next pricing start at the nearest multipliers that were tried; values in the rows of what was
    /// best there. Values at other multipliers would be as far off as those of another problem.
    fn move_near(&mut self) -> Vec<Vec<f64>> {
        let Some(near) = nearest(&self.columns, &self.multipliers) else {
            return Vec::new();
        };
        let column = &self.columns[near];
        if let Some(found) = &column.found {
            let here = Found {
                multipliers: self.multipliers.clone(),
                values: Vec::new(),
            };
            let own = self.priced_at.as_ref().map(|at| here.distance(at));
            if own.is_none_or(|own| found.distance(&self.multipliers) < own) {
                self.priced.values.clone_from(&found.values);
            }
        }
        column.followed.clone()
    }

    /// Makes a column of a policy, which may be the one that was just priced; `false` if one with the same
    /// values is there.
    fn add(&mut self, mut column: Column, fresh: bool) -> Result<bool> {
        if self.rough.is_some() {
            let mut known = self.columns.iter_mut();
            if let Some(known) = known.find(|known| known.choice == column.choice) {
                known.found = column.found.filter(|_| fresh).or(known.found.take());
                return Ok(false);
            }
        }
        let value = match self.rough {
            None => {
                // Well below the tolerance of a solve, and below what FEASIBILITY can tell apart.
                let left_over = (1e-3 * self.limits.tolerance).clamp(1e-13, 1e-10);
                self.walk.follow(self.mdp, &column.choice, left_over)?;
                for (excess, row) in self.excess.iter_mut().zip(self.rows) {
                    *excess = self.walk.value(&column.choice, row.weights) - row.bound;
                }
                self.walk.value(&column.choice, self.mdp.reward)
            }
            Some(share) => self.rough_value(&mut column, share, fresh),
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
            self.columns.push(column);
        }
        Ok(fresh)
    }

    /// What a policy earns, up to `share` of the largest value, and by how much it exceeds the rows.
    ///
    /// What was just priced is worth what it earns less the priced rows, so that only those are to be found.
    fn rough_value(&mut self, column: &mut Column, share: f64, fresh: bool) -> f64 {
        let (mdp, limits, choice) = (self.mdp, self.limits, &column.choice);
        column.followed.resize(self.rows.len() + 1, Vec::new());
        for values in &mut column.followed {
            values.resize(choice.len(), 0.0);
        }
        let chain = PolicyRows::of_choice(mdp, choice);
        let mut earned = vec![0.0; choice.len()];
        let mut follow = |weights: &[f64], values: &mut Vec<f64>| {
            earn(weights, choice, &mut earned);
            let limits = limits.or_share(share, values);
            let found = along(&chain, &earned, &limits, std::mem::take(values)).solution();
            let error = found.as_ref().map_or(f64::INFINITY, |v| v.error);
            *values = found.map(|v| v.values).unwrap_or_default();
            (mdp.task.at_start(values), error)
        };
        let (first, others) = column.followed.split_at_mut(1);
        let mut errors = Vec::with_capacity(self.rows.len());
        for ((excess, row), values) in self.excess.iter_mut().zip(self.rows).zip(&mut *others) {
            let (value, error) = follow(row.weights, values);
            *excess = value - row.bound;
            errors.push(error);
        }
        if let Some(found) = column.found.as_ref().filter(|_| fresh) {
            first[0].clone_from(&found.values);
            let mut off = self.error;
            for ((price, values), error) in found.multipliers.iter().zip(others).zip(errors) {
                off += price * error;
                for (sum, value) in first[0].iter_mut().zip(values) {
                    *sum += price * *value;
                }
            }
            let value = mdp.task.at_start(&first[0]);
            if off <= 0.5 * self.tolerance(value) {
                return value;
            }
        }
        follow(mdp.reward, &mut first[0]).0
    }

    fn solve_master(&mut self, phase: Phase) -> f64 {
        let objective = self.master.solve(phase);
        for (i, m) in self.multipliers.iter_mut().enumerate() {
            *m = self.master.multiplier(i);
        }
        objective
    }

    /// `None` once some mixture meets all constraints, else the least total violation.
    pub(super) fn least_violation(&mut self) -> Result<Option<f64>> {
        let allowance = self.allowance();
        for _ in 0..PATIENCE {
            let violation = -self.solve_master(Phase::Violation);
            if violation <= allowance {
                return Ok(None);
            }
            let (column, dual) = self.price(Phase::Violation);
            // -dual bounds the violation of every mixture from below.
            if violation + dual <= self.tolerance(violation) || !self.add(column, false)? {
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
    pub(super) fn best(&mut self) -> Result<Outcome<Mixture>> {
        let asked = self.limits.tolerance;
        let patience = if self.rough.is_some() {
            ROUGHLY
        } else {
            PATIENCE
        };
        for _ in 0..patience {
            let value = self.solve_master(Phase::Value);
            let enough = self.tolerance(value);
            if self.bound - value <= enough {
                return Ok(Outcome::Optimal(self.mixture(value)));
            }
            let again = self.again.pop();
            let is_again = again.is_some();
            if let Some(multipliers) = again {
                // What is best there has hardly changed since, and is much of the mixture again.
                self.multipliers = multipliers;
            }
            let (column, _) = self.price(Phase::Value);
            if self.bound - value <= enough {
                return Ok(Outcome::Optimal(self.mixture(value)));
            }
            // A policy that is known already tells nothing where the master did not ask for it.
            if self.add(column, true)? || is_again {
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
            policies: used
                .map(|(j, w)| (w, self.columns[j].choice.clone()))
                .collect(),
            value,
            bound: self.bound.max(value),
            multipliers: self.bound_at.clone(),
        }
    }

    /// Leaves what the next search can use.
    pub(super) fn leave(self, outcome: &Outcome<Mixture>, warm: &mut WarmStart) {
        let used = self.master.weights();
        warm.columns = used.iter().map(|&(j, _)| self.columns[j].clone()).collect();
        warm.priced = self.bound_start.unwrap_or(self.priced);
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
