//! Which states can be reached.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Task};

/// The states that can be reached from `start` by taking pairs for which `takes` holds, `start`
/// included, in breadth-first order. Only what can happen counts, not how often.
pub fn reachable<D: Dynamics>(
    task: &Task,
    dynamics: &D,
    start: impl IntoIterator<Item = State>,
    takes: impl Fn(Pair) -> bool,
) -> Vec<State> {
    let mut met = vec![false; task.states()];
    let mut order = Vec::new();
    let mut enter = |state: State, order: &mut Vec<State>| {
        if !std::mem::replace(&mut met[state.at()], true) {
            order.push(state);
        }
    };
    for state in start {
        enter(state, &mut order);
    }
    let mut at = 0;
    while at < order.len() {
        for pair in task
            .pairs_of(order[at])
            .map(Pair::new)
            .filter(|&p| takes(p))
        {
            let (next, prob) = dynamics.row(pair);
            for (&s, _) in next.iter().zip(prob).filter(|&(_, &p)| p > 0.0) {
                enter(State(s), &mut order);
            }
        }
        at += 1;
    }
    order
}

/// Whether each state can be reached from a start of `task` by taking pairs for which `takes` holds.
pub fn reached<D: Dynamics>(task: &Task, dynamics: &D, takes: impl Fn(Pair) -> bool) -> Vec<bool> {
    let start = task.start().iter().map(|&(s, _)| s);
    let mut reached = vec![false; task.states()];
    for state in reachable(task, dynamics, start, takes) {
        reached[state.at()] = true;
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    #[test]
    fn what_no_taken_pair_leads_to_is_not_reached() -> crate::Result<()> {
        // 0 -a-> 2, 0 -b-> 1 or 3, 1 -a-> 0; 4 leads to 0 and is led to by nothing.
        let mut b = ModelBuilder::new(5, ["a", "b"], 0.5);
        b.start(0, 1.0).terminal(2).terminal(3);
        b.transition(0, 0, 2, 1.0);
        b.transition(0, 1, 1, 0.5).transition(0, 1, 3, 0.5);
        b.transition(1, 0, 0, 1.0).transition(4, 0, 0, 1.0);
        let model = b.build()?;
        let from = |s: u32, takes: fn(Pair) -> bool| {
            let found = reachable(model.task(), model.rows(), [State(s)], takes);
            found.iter().map(|s| s.0).collect::<Vec<_>>()
        };
        assert_eq!(from(0, |_| true), [0, 2, 1, 3]);
        assert_eq!(from(0, |p| p == Pair(0)), [0, 2]);
        assert_eq!(from(4, |_| true), [4, 0, 2, 1, 3]);
        Ok(())
    }
}
