//! How errors in the dynamics and in the expert reach the cost: the two ingredients of `C_k`.
//!
//! Both compare two problems on the same task, `(P, pi)` and `(P^, pi^)`. They hold for any two,
//! which makes them inequalities to test; `C_k` replaces what is unknown in them by confidence
//! radii.

use crate::index::Pair;
use crate::model::{Dynamics, Model, Policy, Rows, Task, check_weights};
use crate::solve::{Mdp, evaluate_exact};
use crate::{Error, Result};

/// Dynamics and an expert for one task. Rows may be estimated, and some of them empty.
#[derive(Debug)]
pub struct EstimationProblem<'a, D: Dynamics> {
    task: &'a Task,
    dynamics: &'a D,
    expert: &'a Policy,
}

impl<'a> EstimationProblem<'a, Rows> {
    /// A model and its expert.
    pub fn of(model: &'a Model, expert: &'a Policy) -> Result<Self> {
        Self::new(model.task(), model.rows(), expert)
    }
}

impl<'a, D: Dynamics> EstimationProblem<'a, D> {
    /// A task under some dynamics `P`, with an expert `pi` of this task.
    pub fn new(task: &'a Task, dynamics: &'a D, expert: &'a Policy) -> Result<Self> {
        expert.check(task).map_err(|e| e.within("expert"))?;
        Ok(Self {
            task,
            dynamics,
            expert,
        })
    }

    /// The task.
    pub fn task(&self) -> &'a Task {
        self.task
    }

    /// `P`.
    pub fn dynamics(&self) -> &'a D {
        self.dynamics
    }
}

/// The expert's values in one problem.
struct ExpertValues {
    values: Vec<f64>,
    q: Vec<f64>,
}

impl<D: Dynamics> EstimationProblem<'_, D> {
    fn expert_values(&self) -> Result<ExpertValues> {
        let mdp = Mdp::new(self.task, self.dynamics);
        let values = evaluate_exact(&mdp, self.expert)?.values;
        let q = self.task.all_pairs().map(|p| mdp.q(p, &values)).collect();
        Ok(ExpertValues { values, q })
    }

    /// `A = Q - V` of every pair, exactly.
    pub fn advantage(&self) -> Result<Vec<f64>> {
        let found = self.expert_values()?;
        let of_pair = |p: Pair| found.q[p.at()] - found.values[self.task.state_of(p).at()];
        Ok(self.task.all_pairs().map(of_pair).collect())
    }
}

/// `chi(s,a) = gamma |(P - P^) V_c|(s,a) + |A - A^|(s,a) zeta(s,a)`.
///
/// It is how far the cost `A zeta + (E - gamma P) V_c` moves when the problem changes and `zeta`
/// (one number per pair) and `V_c` (one per state) stay.
pub fn chi<D: Dynamics, F: Dynamics>(
    one: &EstimationProblem<D>,
    other: &EstimationProblem<F>,
    cost_values: &[f64],
    zeta: &[f64],
) -> Result<Vec<f64>> {
    let task = same_task(one, other)?;
    for (what, found, needed) in [
        ("V_c", cost_values.len(), task.states()),
        ("zeta", zeta.len(), task.pairs()),
    ] {
        if found != needed {
            return Err(Error::invalid(
                what,
                format!("{found} numbers where {needed} belong"),
                "give V_c one number per state and zeta one per pair",
            ));
        }
    }
    let (a, b) = (one.advantage()?, other.advantage()?);
    let of_pair = |p: Pair| {
        let i = p.at();
        let moved = one.dynamics.expect(p, cost_values) - other.dynamics.expect(p, cost_values);
        task.gamma() * moved.abs() + (a[i] - b[i]).abs() * zeta[i]
    };
    Ok(task.all_pairs().map(of_pair).collect())
}

/// `2 x / (1 + x / C_max)` with `x = chi(s,a) + max chi`: for every cost of the one problem in
/// `[0, C_max]` there is one of the other, rescaled into `[0, C_max]`, this close in every pair.
pub fn propagated(chi: &[f64], cost_max: f64) -> Vec<f64> {
    let largest = chi.iter().copied().fold(0.0, f64::max);
    let bound = |x: f64| 2.0 * x / (1.0 + x / cost_max);
    chi.iter().map(|c| bound(c + largest)).collect()
}

/// `||A - A^|| <= 2 gamma / (1-gamma) ||(P^ - P) V^|| + (1+gamma) / (1-gamma) ||(pi - pi^) Q||`,
/// the right-hand side, in maximum norms.
///
/// From `V - V^ = (pi - pi^) Q + pi^ (Q - Q^)` and `Q - Q^ = gamma (P - P^) V^ + gamma P (V - V^)`,
/// with `a = ||(pi - pi^) Q||` and `b = ||(P - P^) V^||`: `||V - V^|| <= (a + gamma b) / (1-gamma)`
/// and `||Q - Q^|| <= gamma (a + b) / (1-gamma)`; their sum is the bound. The norms cannot be left
/// out, since an error in one row moves the values of all states before it; nor can the reward in
/// `Q`, since two experts may differ where nothing follows.
pub fn advantage_difference<D: Dynamics, F: Dynamics>(
    one: &EstimationProblem<D>,
    other: &EstimationProblem<F>,
) -> Result<f64> {
    let task = same_task(one, other)?;
    let q = one.expert_values()?.q;
    let values = other.expert_values()?.values;
    let rows = task
        .all_pairs()
        .map(|p| (other.dynamics.expect(p, &values) - one.dynamics.expect(p, &values)).abs())
        .fold(0.0, f64::max);
    let experts = task
        .all_states()
        .map(|s| {
            let differ = |i: usize| (one.expert.probs()[i] - other.expert.probs()[i]) * q[i];
            task.pairs_of(s).map(differ).sum::<f64>().abs()
        })
        .fold(0.0, f64::max);
    let gamma = task.gamma();
    Ok((2.0 * gamma * rows + (1.0 + gamma) * experts) / (1.0 - gamma))
}

/// `V_c^pi - V_c^* <= slack + e(pi) + e(pi*)` in every state, the right-hand side: how much more than
/// the cheapest a policy can cost that looks cheapest, or within `slack` of it, under an estimate.
///
/// `bound` holds `|c - c^|` pair by pair, `e(pi) = (I - gamma P_pi)^-1 pi bound` is what a policy
/// collects of it, and `cheapest` is the best policy `pi*` under the true cost. From
/// `V_c^pi <= V_c^^pi + e(pi)`, `V_c^^pi <= V_c^^* + slack <= V_c^^pi* + slack` and
/// `V_c^^pi* <= V_c^* + e(pi*)`. It is at most `slack + 2 max bound / (1 - gamma)`. The `slack` has to
/// hold in every state for the answer to do so; one that holds from the start says so of the start only.
pub fn excess_cost<D: Dynamics>(
    mdp: &Mdp<D>,
    bound: &[f64],
    policy: &Policy,
    cheapest: &Policy,
    slack: f64,
) -> Result<Vec<f64>> {
    check_weights(mdp.task, bound)?;
    let collected = |who: &Policy| evaluate_exact(&mdp.with_reward(bound), who);
    let (own, best) = (collected(policy)?.values, collected(cheapest)?.values);
    Ok(own.iter().zip(&best).map(|(a, b)| slack + a + b).collect())
}

fn same_task<'a, D: Dynamics, F: Dynamics>(
    one: &EstimationProblem<'a, D>,
    other: &EstimationProblem<F>,
) -> Result<&'a Task> {
    if std::ptr::eq(one.task, other.task) || one.task == other.task {
        Ok(one.task)
    } else {
        Err(Error::invalid(
            "problems",
            "they are on different tasks",
            "compare problems that differ in dynamics and expert only",
        ))
    }
}
