//! The set itself: an expert, its dynamics and its budget, and what they say about every pair.

use crate::costset::canonical::{advantage_of, check_cost_max};
use crate::index::{Pair, State};
use crate::model::{Dynamics, Model, Policy, Rows, Task, check_weights, reachable};
use crate::solve::{Mdp, dot, evaluate_exact, visits};
use crate::{Error, Result};

/// Differences below this count as zero: costs relative to `C_max`, values of costs relative to
/// `C_max / (1 - gamma)`, values of rewards relative to the discounted size of the rewards compared.
pub const TOLERANCE: f64 = 1e-9;

/// What the expert's behaviour says about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The expert takes it: `pi_E(a|s) > 0`.
    Chosen,
    /// The expert avoids it although it would pay: `A_E > 0`.
    Paying,
    /// The expert avoids it, and it would not pay: `A_E <= 0`.
    Idle,
}

/// All costs that explain an expert, under either [`Rule`](super::Rule).
///
/// A budget of 0 makes the constraint hard, a positive one soft. Costs are vectors over pairs with
/// entries in `[0, C_max]`. With `V_c` and `A_c = c + gamma P V_c - E V_c` the expert's own cost
/// values and advantages, both are linear in `c`, which is what makes the soft sets computable.
#[derive(Debug)]
pub struct CostSet<'a, D: Dynamics> {
    pub(super) mdp: Mdp<'a, D>,
    pub(super) expert: &'a Policy,
    pub(super) budget: f64,
    pub(super) cost_max: f64,
    /// Discounted reward of the expert from the start.
    pub(super) reward: f64,
    pub(super) advantage: Vec<f64>,
    pub(super) roles: Vec<Role>,
    /// States the expert can reach from the start.
    pub(super) visited: Vec<bool>,
    /// Expected discounted visits of every pair: `V^f(mu0) = <x, f>`.
    pub(super) visits: Vec<f64>,
}

/// `c = zeta A_E + rest + (E - gamma P) V_c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Decomposition {
    /// `A_c / A_E` where `A_E` is not 0, and 0 elsewhere.
    pub zeta: Vec<f64>,
    /// `A_c` where `A_E` is 0 and no `zeta` can express it, and 0 elsewhere. A deterministic
    /// expert has 0 on its own pairs.
    pub rest: Vec<f64>,
    /// `V_c`: the expert's cost-to-go from every state.
    pub values: Vec<f64>,
}

impl<'a> CostSet<'a, Rows> {
    /// The costs that explain `expert` in `model`.
    pub fn of(model: &'a Model, expert: &'a Policy, budget: f64, cost_max: f64) -> Result<Self> {
        Self::new(model.task(), model.rows(), expert, budget, cost_max)
    }
}

impl<'a, D: Dynamics> CostSet<'a, D> {
    /// The costs up to `cost_max` that explain `expert` under `dynamics`, true or estimated.
    pub fn new(
        task: &'a Task,
        dynamics: &'a D,
        expert: &'a Policy,
        budget: f64,
        cost_max: f64,
    ) -> Result<Self> {
        check_cost_max(cost_max)?;
        if !(budget.is_finite() && budget >= 0.0) {
            return Err(Error::invalid(
                "budget",
                format!("{budget} is not a budget"),
                "use 0 for a hard constraint, a positive number for a soft one",
            ));
        }
        expert.check(task).map_err(|e| e.within("expert"))?;
        let mdp = Mdp::new(task, dynamics);
        let advantage = advantage_of(&mdp, expert)?;
        let role = |pair: Pair| match advantage[pair.at()] {
            _ if expert.prob(pair) > 0.0 => Role::Chosen,
            a if a > 0.0 => Role::Paying,
            _ => Role::Idle,
        };
        let visits = visits(&mdp, expert)?;
        let start = task.start().iter().map(|&(s, _)| s);
        let mut visited = vec![false; task.states()];
        for state in reachable(task, dynamics, start, |p| expert.prob(p) > 0.0) {
            visited[state.at()] = true;
        }
        Ok(Self {
            roles: task.all_pairs().map(role).collect(),
            visited,
            reward: dot(&visits, mdp.reward),
            visits,
            advantage,
            mdp,
            expert,
            budget,
            cost_max,
        })
    }

    /// The task.
    pub fn task(&self) -> &'a Task {
        self.mdp.task
    }

    /// The expert's budget: 0 for a hard constraint.
    pub fn budget(&self) -> f64 {
        self.budget
    }

    /// Whether the constraint is hard.
    pub fn is_hard(&self) -> bool {
        self.budget == 0.0
    }

    /// `C_max`.
    pub fn cost_max(&self) -> f64 {
        self.cost_max
    }

    /// `A_E` of every pair, exactly 0 where rounding cannot tell.
    pub fn advantage(&self) -> &[f64] {
        &self.advantage
    }

    /// What the expert says about `pair`.
    pub fn role(&self, pair: Pair) -> Role {
        self.roles[pair.at()]
    }

    /// Whether the expert can reach `state` from the start.
    pub fn visits(&self, state: State) -> bool {
        self.visited[state.at()]
    }

    /// Whether the expert takes `pair` in a state it can reach.
    pub fn uses(&self, pair: Pair) -> bool {
        self.role(pair) == Role::Chosen && self.visits(self.task().state_of(pair))
    }

    /// `V_c`: the expert's discounted cost from every state.
    pub fn cost_values(&self, cost: &[f64]) -> Result<Vec<f64>> {
        self.check(cost)?;
        Ok(evaluate_exact(&self.mdp.with_reward(cost), self.expert)?.values)
    }

    /// `A_c = c + gamma P V_c - E V_c`, given `V_c`.
    pub(super) fn cost_advantage(&self, cost: &[f64], values: &[f64]) -> Vec<f64> {
        let mdp = self.mdp.with_reward(cost);
        let of_pair = |pair| mdp.q(pair, values) - values[self.task().state_of(pair).at()];
        self.task().all_pairs().map(of_pair).collect()
    }

    /// `(E - gamma P) V` of every pair.
    pub fn shaping(&self, values: &[f64]) -> Result<Vec<f64>> {
        if values.len() != self.task().states() {
            return Err(Error::invalid(
                "V_c",
                format!(
                    "{} numbers for {} states",
                    values.len(),
                    self.task().states()
                ),
                "give one value for every state, 0 at terminals",
            ));
        }
        if let Some(state) = self
            .task()
            .all_states()
            .find(|s| !values[s.at()].is_finite())
        {
            return Err(Error::invalid(
                format!("V_c at {}", self.task().state_name(state)),
                format!("{} is not a value", values[state.at()]),
                "use finite numbers",
            ));
        }
        let nothing = vec![0.0; self.task().pairs()];
        let mut shaping = self.cost_advantage(&nothing, values);
        // Not a mere sign: that would make zeros negative.
        shaping.iter_mut().for_each(|x| *x = 0.0 - *x);
        Ok(shaping)
    }

    /// Refuses a `V_c` that is not 0 under a hard constraint.
    pub(super) fn check_cost_to_go(&self, values: &[f64]) -> Result<()> {
        let slack = self.value_tolerance();
        if self.is_hard() && values.iter().any(|v| v.abs() > slack) {
            return Err(Error::invalid(
                "V_c",
                "not 0 everywhere",
                "under a hard constraint the expert pays nothing: give zeros",
            ));
        }
        Ok(())
    }

    /// Decomposes `cost` into what the expert pays and what it would pay for deviating.
    pub fn decompose(&self, cost: &[f64]) -> Result<Decomposition> {
        let values = self.cost_values(cost)?;
        let mut rest = self.cost_advantage(cost, &values);
        let mut zeta = vec![0.0; rest.len()];
        for (i, &a) in self.advantage.iter().enumerate() {
            if a != 0.0 {
                zeta[i] = std::mem::take(&mut rest[i]) / a;
            }
        }
        Ok(Decomposition { zeta, rest, values })
    }

    /// The cost that a decomposition came from.
    pub fn compose(&self, parts: &Decomposition) -> Result<Vec<f64>> {
        self.check(&parts.zeta)?;
        self.check(&parts.rest)?;
        let mut cost = self.shaping(&parts.values)?;
        for (i, c) in cost.iter_mut().enumerate() {
            *c += parts.zeta[i] * self.advantage[i] + parts.rest[i];
        }
        Ok(cost)
    }

    /// Refuses what is not one finite number per pair.
    pub(super) fn check(&self, cost: &[f64]) -> Result<()> {
        check_weights(self.task(), cost)
    }

    /// What counts as zero for an entry of a cost.
    pub(super) fn cost_tolerance(&self) -> f64 {
        TOLERANCE * self.cost_max
    }

    /// What counts as zero for a discounted cost.
    pub(super) fn value_tolerance(&self) -> f64 {
        TOLERANCE * self.cost_max / (1.0 - self.mdp.gamma)
    }
}

/// The largest entry that a cost in all of `sets` may have: the least `C_max`.
pub(super) fn least_cost_max<D: Dynamics>(sets: &[&CostSet<D>]) -> f64 {
    let most = sets.iter().map(|s| s.cost_max);
    most.fold(f64::INFINITY, f64::min)
}
