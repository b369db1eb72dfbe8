//! A problem that is solved again and again, each time with slightly other numbers.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Task};
use crate::solve::ordered::along;
use crate::solve::policy_rows::PolicyRows;
use crate::solve::rounds::earn;
use crate::solve::{Choice, Limits, Mdp, Solution, best_in_order, in_place};

/// What one solve leaves for the next, similar one; the values that are found do not depend on it beyond
/// their error.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// The value of every state; none before the first solve.
    pub values: Vec<f64>,
    /// The pair that was best in every state; none if only values are known.
    pub choice: Choice,
}

impl Start {
    /// The values, if there is one for each of so many states.
    pub fn values_of(&self, states: usize) -> Option<&[f64]> {
        (self.values.len() == states).then_some(&self.values)
    }

    /// What was best, with another pair where that is not allowed any more; `None` if it is not known.
    fn still<D: Dynamics>(&self, mdp: &Mdp<D>) -> Option<Choice> {
        let values = self.values_of(mdp.task.states())?;
        let choice = mdp.task.all_states().zip(&self.choice);
        let still = |(state, pair): (State, &Option<Pair>)| {
            let pair = pair.filter(|&pair| mdp.allows(pair));
            pair.or_else(|| mdp.best(state, values).map(|(pair, _)| pair))
        };
        (self.choice.len() == values.len()).then(|| choice.map(still).collect())
    }

    /// The same for a problem whose states are numbered anew: `from` says which each one was before.
    /// Those that were not there begin with the value of `rest` and no choice.
    pub fn carry(
        &mut self,
        (old, new): (&Task, &Task),
        from: &[Option<State>],
        rest: Option<State>,
    ) {
        if self.values.len() != old.states() {
            return;
        }
        carry_values(&mut self.values, from, rest);
        if !self.choice.is_empty() {
            self.choice = carried(&self.choice, (old, new), from, |_| None);
        }
    }
}

/// `values` in the numbers of another problem: `from` says which each state was, those that were not there
/// begin as `rest`.
pub(super) fn carry_values(values: &mut Vec<f64>, from: &[Option<State>], rest: Option<State>) {
    let value = |f: &Option<State>| f.or(rest).map_or(0.0, |s| values[s.at()]);
    *values = from.iter().map(value).collect();
}

/// `choice` in the numbers of `new`; `other` is the pair of states that were not there.
pub(super) fn carried(
    choice: &[Option<Pair>],
    (old, new): (&Task, &Task),
    from: &[Option<State>],
    other: impl Fn(State) -> Option<Pair>,
) -> Choice {
    let states = new.all_states().zip(from);
    let pair = |(state, from): (State, &Option<State>)| match from {
        Some(f) => {
            let pair = choice[f.at()]?;
            let nth = pair.at() - old.pairs_of(*f).start;
            Some(Pair::new(new.pairs_of(state).start + nth))
        }
        None => other(state),
    };
    states.map(pair).collect()
}

/// The best policy of `mdp`, from where a similar problem ended; the same promise as
/// [`crate::solve::modified_policy_iteration`]'s.
pub fn best_again<D: Dynamics>(mdp: &Mdp<D>, limits: &Limits, start: &mut Start) -> f64 {
    let outcome = match start.values_of(mdp.task.states()) {
        Some(values) => in_place::solve(mdp, limits, Some(values)),
        None => best_in_order(mdp, limits, None),
    };
    let Some(Solution {
        values,
        choice,
        error,
        ..
    }) = outcome.solution()
    else {
        return f64::INFINITY;
    };
    *start = Start { values, choice };
    error
}

/// What a policy earns of `mdp` at least that was the best of a similar problem, or of one a little
/// better if that is not `enough`; `None` if none is known. It takes the place of `start`.
///
/// Where a problem is met again and again, one improvement each time keeps up with it.
pub fn better_again<D: Dynamics>(
    mdp: &Mdp<D>,
    limits: &Limits,
    start: &mut Start,
    enough: impl Fn(f64) -> bool,
) -> Option<f64> {
    start.choice = start.still(mdp)?;
    let earned = follow(mdp, limits, start)?;
    if enough(earned) {
        return Some(earned);
    }
    // Back and forth: on a map what is found reaches the far end.
    let mut values = start.values.clone();
    let states = || (0..mdp.task.states()).map(State::new);
    for state in states().rev().chain(states()) {
        if let Some((pair, value)) = mdp.best(state, &values) {
            start.choice[state.at()] = Some(pair);
            values[state.at()] = value;
        }
    }
    start.values = values;
    follow(mdp, limits, start)
}

/// What the policy of `start` earns at least; its values take the place of those that were there.
fn follow<D: Dynamics>(mdp: &Mdp<D>, limits: &Limits, start: &mut Start) -> Option<f64> {
    let rows = PolicyRows::of_choice(mdp, &start.choice);
    let mut reward = vec![0.0; start.choice.len()];
    earn(mdp.reward, &start.choice, &mut reward);
    let values = std::mem::take(&mut start.values);
    let found = along(&rows, &reward, limits, values).solution()?;
    start.values = found.values;
    Some(mdp.task.at_start(&start.values) - found.error)
}
