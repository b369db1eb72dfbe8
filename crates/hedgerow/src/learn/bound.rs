//! The bound `C_k(s,a)` on the error of the inferred cost, with all its ingredients.

use crate::index::Pair;
use crate::learn::{Learner, ZetaRule};

/// `beta = sqrt( log(36 S A N+^2 / delta) / (2 N+) )`, `N+ = max(1, N)`.
///
/// `pairs` is the number of available pairs, which is `S A` where every state offers every action.
pub fn beta(visits: u32, pairs: usize, delta: f64) -> f64 {
    let n = f64::from(visits.max(1));
    (libm::log(36.0 * pairs as f64 * n * n / delta) / (2.0 * n)).sqrt()
}

/// `sigma = gamma (R_max (3 + gamma) zeta_max + C_max (1 - gamma)) / (1 - gamma)^2`.
pub fn sigma(gamma: f64, reward_max: f64, zeta_max: f64, cost_max: f64) -> f64 {
    gamma * (reward_max * (3.0 + gamma) * zeta_max + cost_max * (1.0 - gamma))
        / ((1.0 - gamma) * (1.0 - gamma))
}

/// `min{ 2x / (1 + x / C_max), C_max }`: a width turned into a bound on a cost in `[0, C_max]`.
pub fn clip(x: f64, cost_max: f64) -> f64 {
    if x.is_infinite() {
        return cost_max;
    }
    (2.0 * x / (1.0 + x / cost_max)).min(cost_max)
}

/// `C_k` for all pairs: `clip(sigma (beta(s,a) + max beta))`.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'a> {
    learner: &'a Learner,
    /// `sigma`, with the plug-in `zeta_max`.
    pub sigma: f64,
    /// `max beta` over all pairs: that of the least visited one.
    pub beta_max: f64,
}

impl<'a> Bound<'a> {
    /// The bound at what the learner has seen so far.
    pub fn new(learner: &'a Learner) -> Self {
        let task = learner.task();
        let inference = learner.inference();
        let zeta_max = zeta_max(learner);
        let beta_max = beta(
            learner.estimate().least_visits(),
            task.pairs(),
            inference.delta,
        );
        Self {
            learner,
            sigma: sigma(
                task.gamma(),
                task.reward_span(),
                zeta_max,
                inference.cost_max,
            ),
            beta_max,
        }
    }

    /// `beta(s,a)`.
    pub fn beta(&self, pair: Pair) -> f64 {
        let n = self.learner.estimate().visits(pair);
        beta(
            n,
            self.learner.task().pairs(),
            self.learner.inference().delta,
        )
    }

    /// `x(s,a) = sigma (beta(s,a) + max beta)`: unclipped.
    pub fn unclipped(&self, pair: Pair) -> f64 {
        self.sigma * (self.beta(pair) + self.beta_max)
    }

    /// `C_k(s,a)`.
    pub fn at(&self, pair: Pair) -> f64 {
        clip(self.unclipped(pair), self.learner.inference().cost_max)
    }

    /// `max C_k`: the bound at the least visited pair.
    pub fn max(&self) -> f64 {
        let x = 2.0 * self.sigma * self.beta_max;
        clip(x, self.learner.inference().cost_max)
    }
}

/// `zeta_max`: `C_max` over the largest (or smallest positive) `|A^|`; infinite while all are 0.
fn zeta_max(learner: &Learner) -> f64 {
    let sizes = learner
        .entered_pairs()
        .map(|p| learner.advantage(p).abs())
        .filter(|&a| a > 0.0);
    let scale = match learner.inference().zeta {
        ZetaRule::Uniform => sizes.fold(0.0, f64::max),
        ZetaRule::PerPair => sizes.fold(f64::INFINITY, f64::min),
    };
    if scale > 0.0 && scale.is_finite() {
        learner.inference().cost_max / scale
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beta_by_hand() {
        // 36 * 10 * 4 / 0.1 = 14400, log = 9.574984..., / 4, root.
        let expected = (14_400.0_f64.ln() / 4.0).sqrt();
        assert!((beta(2, 10, 0.1) - expected).abs() < 1e-15);
        assert_eq!(beta(0, 10, 0.1), beta(1, 10, 0.1));
    }

    #[test]
    fn sigma_by_hand() {
        // gamma 1/2, R 1, zeta 2, C 1: 0.5 (3.5 * 2 + 0.5) / 0.25 = 15.
        assert_eq!(sigma(0.5, 1.0, 2.0, 1.0), 15.0);
    }

    #[test]
    fn clip_is_twice_small_widths_and_never_above_the_largest_cost() {
        assert_eq!(clip(1.0, 1.0), 1.0);
        assert!((clip(1e-6, 1.0) - 2e-6).abs() < 1e-11);
        assert_eq!(clip(3.0, 2.0), 2.0);
        assert_eq!(clip(f64::INFINITY, 2.0), 2.0);
    }
}
