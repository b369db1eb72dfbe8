//! Places where demonstrations contradict each other.
//!
//! An optimal expert mixes two actions of a state only if their values are equal (or if a budget
//! lets it). Where it was seen to choose actions of different value, it made a mistake, two experts
//! were taken for one, or the constraint is not a hard one.

use crate::index::{Pair, State};
use crate::learn::Learner;
use serde::Serialize;

/// An action the expert was seen to choose, and its estimated value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The pair.
    pub pair: Pair,
    /// How often it was chosen.
    pub times: u32,
    /// `Q^(s,a)`.
    pub q: f64,
    /// Standard error of `q` from the samples of this pair alone, `gamma sqrt(Var/N)`.
    pub error: f64,
}

/// A state in which the expert chose actions of different value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contradiction {
    /// The state.
    pub state: State,
    /// `max Q^ - min Q^` over the choices.
    pub gap: f64,
    /// The choices whose outcome was seen, best first.
    pub choices: Vec<Choice>,
}

/// The states whose choices differ in estimated value by more than sampling and `tolerance`
/// explain, `max Q^ - min Q^ > z sqrt(e_max^2 + e_min^2) + tolerance`, the widest gap first.
///
/// `z` is the learner's `threshold_z` and `e` the standard error of each of the two. Both are
/// plug-in: a list of where to look, not a test of significance. A choice whose outcome was never
/// seen has no estimate and is left out.
pub fn contradictions(learner: &Learner, tolerance: f64) -> Vec<Contradiction> {
    let task = learner.task();
    let mut found: Vec<Contradiction> = task
        .all_states()
        .filter_map(|state| at(learner, state, tolerance))
        .collect();
    found.sort_by(|a, b| b.gap.total_cmp(&a.gap));
    found
}

fn at(learner: &Learner, state: State, tolerance: f64) -> Option<Contradiction> {
    let pairs = learner.task().pairs_of(state).map(Pair::new);
    let mut choices: Vec<Choice> = pairs
        .filter(|&pair| learner.expert_chose(pair) && learner.estimate().visits(pair) > 0)
        .map(|pair| choice(learner, pair))
        .collect();
    choices.sort_by(|a, b| b.q.total_cmp(&a.q));
    let (best, worst) = (choices.first()?, choices.last()?);
    let gap = best.q - worst.q;
    let noise = learner.inference().threshold_z * best.error.hypot(worst.error);
    (gap > noise + tolerance).then_some(Contradiction {
        state,
        gap,
        choices,
    })
}

fn choice(learner: &Learner, pair: Pair) -> Choice {
    let n = learner.estimate().visits(pair);
    Choice {
        pair,
        times: learner.expert_choices(pair),
        q: learner.q(pair),
        error: learner.standard_error(pair, n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Inference;
    use crate::model::ModelBuilder;
    use std::sync::Arc;

    /// From 0 and from 1, `high` pays 1, `low` pays 0.25 and `same` pays 1; all end in 2.
    fn learner(seen: &[u32], chosen: &[(u32, u32)]) -> Learner {
        let mut b = ModelBuilder::new(3, ["high", "low", "same"], 0.5);
        b.start(0, 1.0).terminal(2);
        for s in 0..2 {
            b.reward(s, 0, 1.0).reward(s, 1, 0.25).reward(s, 2, 1.0);
        }
        let task = Arc::new(b.build_task().unwrap());
        let mut learner = Learner::new(task, Inference::default());
        for &pair in seen {
            learner.see_transition(Pair(pair), State(2));
        }
        for &(pair, times) in chosen {
            (0..times).for_each(|_| learner.see_expert(Pair(pair)));
        }
        learner.refresh();
        learner
    }

    #[test]
    fn the_widest_gap_comes_first_and_shared_ties_are_none() {
        let all = [0, 1, 2, 3, 4, 5];
        let tied = learner(&all, &[(0, 3), (2, 4), (3, 1)]);
        assert!(contradictions(&tied, 0.0).is_empty());
        let torn = learner(&all, &[(0, 3), (1, 1), (3, 1)]);
        let found = contradictions(&torn, 0.0);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].state, found[0].gap), (State(0), 0.75));
        let told: Vec<_> = found[0]
            .choices
            .iter()
            .map(|c| (c.pair, c.times, c.q))
            .collect();
        assert_eq!(told, [(Pair(0), 3, 1.0), (Pair(1), 1, 0.25)]);
        assert!(contradictions(&torn, 0.75).is_empty());
        assert_eq!(contradictions(&torn, 0.74).len(), 1);
    }

    #[test]
    fn a_choice_without_an_outcome_contradicts_nothing() {
        let unseen = learner(&[0, 3], &[(0, 1), (1, 1)]);
        assert!(contradictions(&unseen, 0.0).is_empty());
    }

    #[test]
    fn the_gap_has_to_stand_out_of_the_noise() {
        // `go` leads to a state of value 1 or 0, 4 times each in 8 samples, `wait` always to one
        // of value 0: the gap 0.5 * 0.5 is within 2 * 0.5 * sqrt(0.25 / 8) = 0.177 plus 0.1.
        let mut b = ModelBuilder::new(3, ["go", "wait"], 0.5);
        b.start(0, 1.0).terminal(2).reward(1, 0, 1.0);
        b.available(0, 0).available(0, 1).available(1, 0);
        let task = Arc::new(b.build_task().unwrap());
        let mut learner = Learner::new(task, Inference::default());
        for i in 0..8 {
            learner.see_transition(Pair(0), State(1 + i % 2));
            learner.see_transition(Pair(1), State(2));
            learner.see_transition(Pair(2), State(2));
        }
        for pair in [0, 1, 2] {
            learner.see_expert(Pair(pair));
        }
        learner.refresh();
        assert!(contradictions(&learner, 0.1).is_empty());
        let found = contradictions(&learner, 0.07);
        assert_eq!(found[0].gap, 0.25);
        assert!((found[0].choices[0].error - 0.5 * (0.25_f64 / 8.0).sqrt()).abs() < 1e-15);
    }
}
