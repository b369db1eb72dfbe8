//! Hard constraints: no cost at any time.

use crate::Result;
use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy};
use crate::solve::constrained::breakpoint::cheapest;
use crate::solve::constrained::check_constraint;
use crate::solve::{Mdp, Optimum, Outcome, optimum};

/// The best policy that never pays, and where that is possible.
#[derive(Clone, Debug, PartialEq)]
pub struct Hard {
    /// Values and choices of the best policy that pays nothing; 0 and `None` at infeasible states.
    pub solution: Optimum,
    /// The choices as a policy. At infeasible states, which it never enters, it pays the least it can
    /// and is the best of all policies that do.
    pub policy: Policy,
    /// States from which no policy can avoid cost for ever, by ascending number.
    pub infeasible: Vec<State>,
    /// Pairs that cost nothing and cannot lead to an infeasible state.
    pub allowed: Vec<bool>,
}

/// Forbids every pair with `c > 0` and every state where that cannot be kept up, and solves the
/// rest.
///
/// The forbidden set is the least one closed under two rules: a pair that costs, or that can
/// reach an infeasible state, is forbidden; a state that is not terminal and has no allowed pair
/// left is infeasible. A worklist over predecessors finds it in time linear in the entries of `P`.
///
/// Unlike a budget of 0, this is about what can happen and not about its discounted weight; the two
/// agree when `gamma > 0`. If a start is infeasible, so is the problem, and `least_cost` is the
/// least discounted cost of any policy.
pub fn hard<D: Dynamics>(mdp: &Mdp<D>, cost: &[f64]) -> Result<Outcome<Hard>> {
    check_constraint(mdp, cost, 0.0)?;
    let task = mdp.task;
    let (allowed, feasible) = closure(mdp, cost);
    if task.start().iter().any(|&(s, _)| !feasible[s.at()]) {
        let least_cost = cheapest(mdp, cost)?.cost.value;
        return Ok(Outcome::Infeasible { least_cost });
    }
    let solution = optimum(&mdp.with_allowed(&allowed))?;
    let infeasible: Vec<State> = task.all_states().filter(|s| !feasible[s.at()]).collect();
    let mut choice = solution.choice.clone();
    if !infeasible.is_empty() {
        let thrifty = thrifty(mdp, cost)?;
        for state in &infeasible {
            choice[state.at()] = thrifty.choice[state.at()];
        }
    }
    Ok(Outcome::Optimal(Hard {
        policy: Policy::deterministic(task, &choice),
        solution,
        infeasible,
        allowed,
    }))
}

/// The best of all policies that pay the least from every state: what becomes of the best policy
/// within a budget as the price of the budget grows.
pub fn thrifty<D: Dynamics>(mdp: &Mdp<D>, cost: &[f64]) -> Result<Optimum> {
    check_constraint(mdp, cost, 0.0)?;
    let saved: Vec<f64> = cost.iter().map(|c| -c).collect();
    let saving = mdp.with_reward(&saved);
    let least = optimum(&saving)?.ties(&saving);
    optimum(&mdp.with_allowed(&least))
}

/// Which pairs stay allowed and which states stay feasible.
fn closure<D: Dynamics>(mdp: &Mdp<D>, cost: &[f64]) -> (Vec<bool>, Vec<bool>) {
    let task = mdp.task;
    let mut allowed: Vec<bool> = task
        .all_pairs()
        .map(|pair| mdp.allows(pair) && cost[pair.at()] <= 0.0)
        .collect();
    let mut left = vec![0_usize; task.states()];
    for pair in task.all_pairs().filter(|p| allowed[p.at()]) {
        left[task.state_of(pair).at()] += 1;
    }
    let mut feasible = vec![true; task.states()];
    let mut work: Vec<State> = Vec::new();
    for state in task.all_states().filter(|&s| !task.is_terminal(s)) {
        if left[state.at()] == 0 {
            feasible[state.at()] = false;
            work.push(state);
        }
    }
    if work.is_empty() {
        return (allowed, feasible);
    }
    let before = Predecessors::new(mdp);
    while let Some(state) = work.pop() {
        for &pair in before.of(state) {
            if std::mem::replace(&mut allowed[pair.at()], false) {
                let from = task.state_of(pair).at();
                left[from] -= 1;
                if left[from] == 0 && std::mem::replace(&mut feasible[from], false) {
                    work.push(State::new(from));
                }
            }
        }
    }
    (allowed, feasible)
}

/// For every state, the pairs that can lead to it, in compressed rows.
struct Predecessors {
    start: Vec<usize>,
    pairs: Vec<Pair>,
}

impl Predecessors {
    fn new<D: Dynamics>(mdp: &Mdp<D>) -> Self {
        let states = mdp.task.states();
        let mut start = vec![0; states + 1];
        let mut entries = 0;
        for pair in mdp.task.all_pairs() {
            for (s, _) in possible(mdp, pair) {
                start[s + 1] += 1;
                entries += 1;
            }
        }
        for s in 0..states {
            start[s + 1] += start[s];
        }
        let mut fill = start.clone();
        let mut pairs = vec![Pair(0); entries];
        for pair in mdp.task.all_pairs() {
            for (s, _) in possible(mdp, pair) {
                pairs[fill[s]] = pair;
                fill[s] += 1;
            }
        }
        Self { start, pairs }
    }

    fn of(&self, state: State) -> &[Pair] {
        &self.pairs[self.start[state.at()]..self.start[state.at() + 1]]
    }
}

fn possible<'a, D: Dynamics>(
    mdp: &Mdp<'a, D>,
    pair: Pair,
) -> impl Iterator<Item = (usize, f64)> + use<'a, D> {
    let (next, prob) = mdp.dynamics.row(pair);
    next.iter()
        .zip(prob)
        .map(|(&s, &p)| (s as usize, p))
        .filter(|&(_, p)| p > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    #[test]
    fn a_trap_is_forbidden_from_afar() -> Result<()> {
        // 0 -left-> 1 -on-> 2, where the only pair costs: 1 and 2 are infeasible although leaving 0
        // by left is free. 0 -right-> 3, which earns 1 for ever: V(3) = 1 / 0.5, V(0) = 0.5 V(3).
        let mut b = ModelBuilder::new(4, ["left", "right", "on"], 0.5);
        b.start(0, 1.0);
        b.transition(0, 0, 1, 1.0).reward(0, 0, 9.0);
        b.transition(0, 1, 3, 1.0);
        b.transition(1, 2, 2, 1.0);
        b.transition(2, 2, 2, 1.0);
        b.transition(3, 2, 3, 1.0).reward(3, 2, 1.0);
        let model = b.build()?;
        let mdp = Mdp::of(&model);
        let cost = [0.0, 0.0, 0.0, 1.0, 0.0];
        let found = hard(&mdp, &cost)?.solution();
        assert!(found.is_some_and(|found| {
            found.infeasible == [State(1), State(2)]
                && found.allowed == [false, true, false, false, true]
                && (found.solution.values[0] - 1.0).abs() < 1e-9
                && (found.solution.values[3] - 2.0).abs() < 1e-9
        }));
        // If right costs 0.25 as well, the cheapest is right: left pays 0.5^2 / 0.5 = 0.5.
        let outcome = hard(&mdp, &[0.0, 0.25, 0.0, 1.0, 0.0])?;
        assert!(
            matches!(outcome, Outcome::Infeasible { least_cost } if (least_cost - 0.25).abs() < 1e-12)
        );
        Ok(())
    }
}
