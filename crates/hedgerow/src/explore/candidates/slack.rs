//! By how much a candidate may earn less than the expert, with the paper's global constants.

use crate::explore::OracleErrors;
use crate::explore::active::Scene;

/// `R_k = gamma R_max / (1-gamma)^2 (2 ||P - P^|| + ||pi - pi^||)`, from true errors if an oracle
/// gives them and otherwise from confidence radii of the counts.
pub(super) fn reward_slack(scene: Scene, oracle: Option<OracleErrors>) -> f64 {
    let learner = scene.learner;
    let task = learner.task();
    let errors = oracle.unwrap_or_else(|| {
        let delta = learner.inference().delta;
        // A state that was never entered is among them, if there is one.
        let states = scene.known.part.states().iter().copied();
        let asked = states.filter(|&s| !task.is_terminal(s));
        let least_asked = asked.map(|s| learner.expert_asked(s)).min().unwrap_or(0);
        let visits = learner.estimate().least_visits();
        OracleErrors {
            dynamics: l1_radius(visits, task.states(), task.pairs(), delta),
            expert: l1_radius(least_asked, task.actions(), task.pairs(), delta),
        }
    });
    let gamma = task.gamma();
    gamma * task.reward_span() / ((1.0 - gamma) * (1.0 - gamma))
        * (2.0 * errors.dynamics + errors.expert)
}

/// With probability `1 - delta`, at all times and for all of `rows` rows, the frequencies of `n`
/// draws from `outcomes` outcomes are this close to the truth in 1-norm (at most 2).
fn l1_radius(n: u32, outcomes: usize, rows: usize, delta: f64) -> f64 {
    if n == 0 {
        return 2.0;
    }
    let n = f64::from(n);
    let log =
        outcomes as f64 * std::f64::consts::LN_2 + libm::log(36.0 * rows as f64 * n * n / delta);
    (2.0 * log / n).sqrt().min(2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radius_is_trivial_without_data_and_shrinks_with_it() {
        assert_eq!(l1_radius(0, 4, 10, 0.1), 2.0);
        let (few, many) = (l1_radius(1_000, 4, 10, 0.1), l1_radius(100_000, 4, 10, 0.1));
        assert!(many < few && few < 2.0);
    }
}
