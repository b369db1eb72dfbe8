//! What looks constrained before it is decided: an estimate with its standard error, no promise.

use crate::index::{Pair, State};
use crate::learn::Learner;
use crate::model::Dynamics;

/// Standard errors an advantage must exceed to look constrained. All pairs are asked at once, so
/// two would let some through by chance alone.
const Z: f64 = 3.0;

/// Largest share of the values by which a pair tried once may be off although its outcomes agree.
const UNSEEN: f64 = 0.3;

/// Sweeps of the variance recursion, which contracts by `gamma^2`.
const SWEEPS: usize = 2_000;

/// The pairs that look constrained: tried, never chosen by an expert that was seen in the state, and
/// with `A^ > 3 e + g + threshold`.
///
/// `e` is the standard error of `A^ = Q^ - V^`. To the error of the pair's own row it adds that of
/// the values it is compared with: with `e_0^2 = gamma^2 (Var/N + (0.3 R / N)^2)` for a row, `R` the
/// range of all `V^`,
///
/// ```text
/// v(s) = Var_{pi^}(Q^) / N_E(s) + sum_a pi^(a|s) (e_0^2(s,a) + gamma^2 sum_s' P^(s'|s,a) v(s')),
/// e^2  = e_0^2(s,a) + gamma^2 sum_s' P^(s'|s,a) v(s') + v(s).
/// ```
///
/// `g` is what `V^(s)` may lack because the expert goes on to states where it was never seen, whose
/// value counts as 0, and what `Q^(s,a)` may have in excess for the same reason.
pub fn looks_constrained(learner: &Learner) -> Vec<bool> {
    let task = learner.task();
    let gamma = task.gamma();
    let least = learner.values().iter().copied().fold(0.0, f64::min);
    let most = learner.values().iter().copied().fold(0.0, f64::max);
    let range = most - least;
    let row = |pair: Pair| {
        let n = learner.estimate().visits(pair);
        let unseen = gamma * UNSEEN * range / f64::from(n);
        let own = learner.standard_error(pair, n);
        own * own + unseen * unseen
    };
    let later = |pair: Pair, v: &[f64]| gamma * gamma * learner.estimate().expect(pair, v);
    let mut v = vec![0.0; task.states()];
    for _ in 0..SWEEPS {
        let mut change: f64 = 0.0;
        for state in task.all_states() {
            let asked = f64::from(learner.expert_asked(state));
            let mut sum = mixing(learner, state);
            for pair in chosen(learner, state) {
                let share = f64::from(learner.expert_choices(pair)) / asked;
                sum += share * (row(pair) + later(pair, &v));
            }
            change = change.max((sum - v[state.at()]).abs());
            v[state.at()] = sum;
        }
        if change <= 1e-12 * range * range {
            break;
        }
    }
    let best = |s: State| {
        let rewards = task.pairs_of(s).map(|i| task.reward_range(Pair::new(i)).1);
        rewards.fold(most, f64::max)
    };
    let worst = |s: State| {
        let rewards = task.pairs_of(s).map(|i| task.reward_range(Pair::new(i)).0);
        rewards.fold(least, f64::min)
    };
    let lacking = gap(learner, most, best);
    let excess = gap(learner, -least, |s| -worst(s));
    let looks = |pair: Pair| {
        let state = task.state_of(pair);
        if learner.estimate().visits(pair) == 0
            || learner.expert_asked(state) == 0
            || learner.expert_chose(pair)
        {
            return false;
        }
        let error = (row(pair) + later(pair, &v) + v[state.at()]).sqrt();
        let unknown = lacking[state.at()] + gamma * learner.estimate().expect(pair, &excess);
        learner.advantage(pair) > Z * error + unknown + learner.threshold()
    };
    task.all_pairs().map(looks).collect()
}

/// How far the expert's values may be off because of states where it was never seen, following its
/// policy: `g(s) = gamma sum_a pi^(a|s) sum_s' P^(s'|s,a) g(s')`, with `unseen(s)` for a state where
/// the expert was never seen and `largest` after a pair whose outcome was not.
fn gap(learner: &Learner, largest: f64, unseen: impl Fn(State) -> f64) -> Vec<f64> {
    let task = learner.task();
    let start = |state: State| match learner.expert_asked(state) {
        0 if !task.is_terminal(state) => unseen(state).max(0.0),
        _ => 0.0,
    };
    let mut gap: Vec<f64> = task.all_states().map(start).collect();
    for _ in 0..SWEEPS {
        let mut change: f64 = 0.0;
        for state in task.all_states() {
            let asked = f64::from(learner.expert_asked(state));
            if asked == 0.0 {
                continue;
            }
            let mut sum = 0.0;
            for pair in task.pairs_of(state).map(Pair::new) {
                let share = f64::from(learner.expert_choices(pair)) / asked;
                if share > 0.0 {
                    let later = match learner.estimate().visits(pair) {
                        0 => largest,
                        _ => learner.estimate().expect(pair, &gap),
                    };
                    sum += share * task.gamma() * later;
                }
            }
            change = change.max((sum - gap[state.at()]).abs());
            gap[state.at()] = sum;
        }
        if change <= 1e-12 * largest {
            break;
        }
    }
    gap
}

/// The pairs the expert was seen to choose in `state` and whose outcome was seen.
fn chosen(learner: &Learner, state: State) -> impl Iterator<Item = Pair> + '_ {
    let pairs = learner.task().pairs_of(state).map(Pair::new);
    pairs.filter(|&p| learner.expert_chose(p) && learner.estimate().visits(p) > 0)
}

/// `Var_{pi^}(Q^) / N_E(s)`: how far the mean of the expert's choices may be off.
fn mixing(learner: &Learner, state: State) -> f64 {
    let asked = f64::from(learner.expert_asked(state));
    let mean = learner.values()[state.at()];
    let square = |pair| {
        let d = learner.q(pair) - mean;
        f64::from(learner.expert_choices(pair)) / asked * d * d
    };
    match asked > 0.0 {
        true => chosen(learner, state).map(square).sum::<f64>() / asked,
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Inference;
    use crate::model::ModelBuilder;
    use std::sync::Arc;

    /// `a` and `b` lead from 0 to 1, which pays 1 and ends or pays nothing and ends, by chance.
    fn learner(n: u32, chosen: u32, succeeds: impl Fn(u32, u32) -> bool) -> Learner {
        let mut b = ModelBuilder::new(4, ["a", "b"], 0.5);
        b.start(0, 1.0).terminal(3).reward(1, 0, 1.0);
        b.available(0, 0)
            .available(0, 1)
            .available(1, 0)
            .available(2, 0);
        let mut learner = Learner::new(Arc::new(b.build_task().unwrap()), Inference::default());
        for i in 0..n {
            for pair in 0..2 {
                let next = if succeeds(pair, i) { 1 } else { 2 };
                learner.see_transition(Pair(pair), State(next));
                learner.see_transition(Pair(2 + pair), State(3));
            }
            learner.see_expert(Pair(2));
            learner.see_expert(Pair(3));
            if i < chosen {
                learner.see_expert(Pair(1));
            }
        }
        learner.refresh();
        learner
    }

    #[test]
    fn a_standard_error_includes_that_of_the_values() {
        // `a` succeeds 3 times in 5, `b`, the expert's, 2 in 5: A^ = 0.5 * 0.2 = 0.1. Each row has
        // Var/N = 0.24 / n and (0.3 / n)^2; both errors count, and what follows them is nearly sure.
        let of = |n| learner(n, n, |pair, i| i % 5 < 3 - pair);
        let error = |n: f64| {
            let row = 0.25 * (0.24 / n + 0.09 / (n * n));
            let later = 0.25 * 0.25 * 0.09 / (n * n);
            (2.0 * (row + later)).sqrt()
        };
        // 3 e + 0.001 falls below 0.1 between 105 and 110 trials; without the error of the value
        // that would be so at 60.
        assert!(3.0 * error(105.0) + 0.001 > 0.1 && 3.0 * error(115.0) + 0.001 < 0.1);
        assert!(!looks_constrained(&of(105))[0]);
        assert!(looks_constrained(&of(115))[0]);
    }

    #[test]
    fn nothing_looks_constrained_where_the_expert_was_not_seen() {
        assert_eq!(
            looks_constrained(&learner(500, 0, |p, _| p == 0)),
            [false; 4]
        );
        assert_eq!(
            looks_constrained(&learner(500, 9, |p, _| p == 0))[..2],
            [true, false]
        );
    }

    #[test]
    fn what_lies_beyond_the_demonstrations_may_be_worth_much() {
        // The expert takes `a` to `far`, where it was never seen and everything pays 1; `b` leads
        // to `near`, with the value 0.1. Nothing says that `b` is better.
        let mut b = ModelBuilder::new(4, ["a", "b"], 0.9);
        b.start(0, 1.0).terminal(3);
        b.reward(1, 0, 1.0).reward(1, 1, 1.0).reward(2, 0, 0.1);
        b.available(0, 0)
            .available(0, 1)
            .available(1, 0)
            .available(1, 1)
            .available(2, 0);
        let mut learner = Learner::new(Arc::new(b.build_task().unwrap()), Inference::default());
        for _ in 0..1000 {
            for (pair, next) in [(0, 1), (1, 2), (4, 3)] {
                learner.see_transition(Pair(pair), State(next));
            }
            learner.see_expert(Pair(0));
            learner.see_expert(Pair(4));
        }
        learner.refresh();
        assert!((learner.advantage(Pair(1)) - 0.09).abs() < 1e-9);
        assert!(!looks_constrained(&learner)[1]);
        // Once it is seen there, taking what ends at once for 1, `b` is worse; if that paid
        // nothing, `b` would be better.
        assert_eq!(gap(&learner, 0.1, |_| 1.0)[..2], [0.9, 1.0]);
    }
}
