//! The minimum of the dual of one budget, exactly.

use crate::Result;
use crate::index::Pair;
use crate::model::{Dynamics, Policy};
use crate::solve::chain::Chain;
use crate::solve::constrained::{Constrained, FEASIBILITY, check_constraint, priced};
use crate::solve::evaluate::{ACCURACY, by_factors, by_rows};
use crate::solve::policy_rows::{LARGE, PolicyRows};
use crate::solve::{Mdp, Optimum, Outcome, Sum, optimum};

/// Multipliers tried before the search gives up; a handful is normal.
const PATIENCE: usize = 200;

/// What comparing policies may lose, relative to what they earn.
const ROUNDING: f64 = 1e-9;

/// A deterministic policy, which is a line of the dual: `reward - lambda (cost - budget)`.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) choice: Vec<Option<Pair>>,
    pub(super) reward: Sum,
    pub(super) cost: Sum,
}

/// Where the dual is least.
#[derive(Debug)]
pub(super) struct Breakpoint {
    /// The price of one unit of budget.
    pub(super) multiplier: f64,
    /// A policy beyond the budget that is best at the multiplier; `None` if the best policy is
    /// within the budget and the multiplier is 0.
    pub(super) over: Option<Line>,
    /// A policy within the budget that is best at the multiplier.
    pub(super) within: Line,
    /// The optimum in `r - lambda c`.
    pub(super) optimum: Optimum,
    /// The dual value, rounded up: no policy within the budget earns more.
    pub(super) bound: f64,
    /// By how much a cost may exceed the budget by rounding.
    pub(super) slack: f64,
}

/// Finds the breakpoint of the dual.
///
/// The lines of one policy within the budget and one beyond it meet at the next multiplier to try;
/// when the optimum there has no line above that point, the point is the minimum. Every line is
/// evaluated exactly, and all comparisons are relative to the numbers compared, so neither the scale
/// of rewards and costs nor how small they have become at the start matters.
pub(super) fn breakpoint<D: Dynamics>(
    mdp: &Mdp<D>,
    cost: &[f64],
    budget: f64,
) -> Result<Outcome<Breakpoint>> {
    check_constraint(mdp, cost, budget)?;
    let mut within = cheapest(mdp, cost)?;
    let thrifty = Policy::deterministic(mdp.task, &within.choice);
    let slack = FEASIBILITY * budget.abs().max(size(mdp, cost, &thrifty)?) + within.cost.error;
    let least_cost = within.cost.value;
    if least_cost > budget + slack {
        return Ok(Outcome::Infeasible { least_cost });
    }
    let mut best = optimum(mdp)?;
    let mut found = line(mdp, cost, best.choice.clone())?;
    let mut over: Option<Line> = None;
    let mut multiplier = 0.0;
    let mut settled = false;
    for _ in 0..PATIENCE {
        // No line lies above those known at this multiplier: it is the breakpoint.
        if over
            .as_ref()
            .is_some_and(|o| !found.beats(o, multiplier) || !found.beats(&within, multiplier))
        {
            settled = true;
            break;
        }
        if found.cost.value <= budget + slack {
            within = found;
            if over.is_none() {
                settled = true;
                break;
            }
        } else {
            over = Some(found);
        }
        let Some(over) = &over else {
            break;
        };
        multiplier = over.meets(&within);
        let reward = priced(mdp.reward, cost, multiplier);
        best = optimum(&mdp.with_reward(&reward))?;
        found = line(mdp, cost, best.choice.clone())?;
    }
    let most = best.at_start(mdp.task);
    let outcome = Breakpoint {
        bound: most.value + most.error + multiplier * budget,
        multiplier,
        over,
        within,
        optimum: best,
        slack,
    };
    Ok(Outcome::of(outcome, settled))
}

/// The policy of the least cost.
pub(super) fn cheapest<D: Dynamics>(mdp: &Mdp<D>, cost: &[f64]) -> Result<Line> {
    let saved: Vec<f64> = cost.iter().map(|c| -c).collect();
    let thrifty = optimum(&mdp.with_reward(&saved))?;
    line(mdp, cost, thrifty.choice)
}

/// The line of a policy.
fn line<D: Dynamics>(mdp: &Mdp<D>, cost: &[f64], choice: Vec<Option<Pair>>) -> Result<Line> {
    let policy = Policy::deterministic(mdp.task, &choice);
    let [reward, cost] = sums(mdp, &policy, cost)?;
    Ok(Line {
        choice,
        reward,
        cost,
    })
}

/// Reward and cost of a policy from the start.
pub(super) fn sums<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy, cost: &[f64]) -> Result<[Sum; 2]> {
    let priced = mdp.with_reward(cost);
    if mdp.task.states() >= LARGE {
        let rows = PolicyRows::new(mdp, policy);
        let sum =
            |of: &Mdp<D>| by_rows(of, policy, &rows, None).map(|found| found.at_start(of.task));
        let (earned, paid) = rayon::join(|| sum(mdp), || sum(&priced));
        return Ok([earned?, paid?]);
    }
    let chain = Chain::new(mdp, policy)?;
    let earned = by_factors(mdp, policy, &chain)?;
    let paid = by_factors(&priced, policy, &chain)?;
    Ok([earned, paid].map(|found| found.at_start(mdp.task)))
}

/// The discounted size of `weights` under a policy: the sum itself, unless they have both signs.
fn size<D: Dynamics>(mdp: &Mdp<D>, weights: &[f64], policy: &Policy) -> Result<f64> {
    let sizes: Vec<f64> = weights.iter().map(|w| w.abs()).collect();
    let [_, sum] = sums(mdp, policy, &sizes)?;
    Ok(sum.value.abs())
}

impl Breakpoint {
    /// Whether `answer` is the best up to [`ACCURACY`]. A reward near 0 is the difference of terms as
    /// large as those of the policies compared, so their rounding counts too.
    pub(super) fn proves<D: Dynamics>(&self, mdp: &Mdp<D>, answer: &Constrained) -> Result<bool> {
        let mut compared = 0.0_f64;
        for line in self.over.iter().chain([&self.within]) {
            let policy = Policy::deterministic(mdp.task, &line.choice);
            compared = compared.max(size(mdp, mdp.reward, &policy)?);
        }
        let own = size(mdp, mdp.reward, &answer.policy)?;
        // Where none of them earns anything, the rewards of others are all there is to compare with.
        if own == 0.0 && compared == 0.0 {
            return Ok(answer.gap <= ROUNDING * mdp.largest_reward());
        }
        Ok(answer.gap <= ACCURACY * own + ROUNDING * compared)
    }
}

impl Line {
    /// Where the line meets that of a cheaper policy.
    fn meets(&self, cheaper: &Self) -> f64 {
        let gain = self.reward.value - cheaper.reward.value;
        // Equal but for rounding costs nothing.
        if gain <= self.reward.error + cheaper.reward.error {
            return 0.0;
        }
        gain / (self.cost.value - cheaper.cost.value)
    }

    /// Whether the line lies above another at `multiplier` by more than rounding.
    fn beats(&self, other: &Self, multiplier: f64) -> bool {
        let gain = (self.reward.value - other.reward.value)
            - multiplier * (self.cost.value - other.cost.value);
        let off = |l: &Self| l.reward.error + multiplier * l.cost.error;
        gain > off(self) + off(other)
    }
}
