//! Losses and their gradients, in plain numbers.

/// The Huber loss of an error and its derivative: quadratic near 0 and linear beyond `delta`, so
/// that one outlier does not outweigh a batch.
pub fn huber(error: f32, delta: f32) -> (f32, f32) {
    match error.abs() {
        size if size <= delta => (0.5 * error * error, error),
        size => (delta * (size - 0.5 * delta), delta * error.signum()),
    }
}

/// Probabilities from scores: `p_i = exp(x_i) / sum_j exp(x_j)`, and their logarithms.
pub fn softmax(scores: &[f32], probabilities: &mut [f32], log_probs: &mut [f32]) {
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = scores.iter().map(|x| libm::expf(x - largest)).sum();
    let shift = largest + libm::logf(total);
    for ((x, p), l) in scores.iter().zip(probabilities).zip(log_probs) {
        *l = x - shift;
        *p = libm::expf(*l);
    }
}

/// One term of the clipped surrogate objective: a choice that was made, and the policy now.
#[derive(Clone, Copy, Debug)]
pub struct Surrogate<'a> {
    pub action: usize,
    pub old_log_prob: f32,
    pub advantage: f32,
    pub probabilities: &'a [f32],
    pub log_probs: &'a [f32],
    pub clip: f32,
    pub entropy: f32,
}

impl Surrogate<'_> {
    /// The loss; its derivatives with respect to the scores go to `gradient`.
    ///
    /// With `rho = pi(a) / pi_old(a)`, the advantage `A` and the entropy `H` the loss is
    /// `- min(rho A, clip(rho, 1 - c, 1 + c) A) - e H`. Its derivative along score `j` is
    /// `- rho A (1[j = a] - p_j)`, or 0 where the clipped part is the smaller one, plus
    /// `e p_j (log p_j + H)`.
    pub fn loss(&self, gradient: &mut [f32]) -> f32 {
        let (action, advantage) = (self.action, self.advantage);
        let log_ratio = self.log_probs[action] - self.old_log_prob;
        let ratio = libm::expf(log_ratio.clamp(-20.0, 20.0));
        let bounded = ratio.clamp(1.0 - self.clip, 1.0 + self.clip);
        let terms = self.probabilities.iter().zip(self.log_probs);
        let entropy: f32 = -terms.map(|(p, l)| p * l).sum::<f32>();
        let pull = match ratio * advantage <= bounded * advantage {
            true => ratio * advantage,
            false => 0.0,
        };
        for (j, g) in gradient.iter_mut().enumerate() {
            let own = if j == action { 1.0 } else { 0.0 };
            let p = self.probabilities[j];
            let spread = self.entropy * p * (self.log_probs[j] + entropy);
            *g = spread - pull * (own - p);
        }
        -(ratio * advantage).min(bounded * advantage) - self.entropy * entropy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huber_is_quadratic_and_then_linear() {
        assert_eq!(huber(0.5, 1.0), (0.125, 0.5));
        assert_eq!(huber(-3.0, 1.0), (2.5, -1.0));
        assert_eq!(huber(2.0, 2.0), (2.0, 2.0));
    }

    #[test]
    fn equal_scores_share_and_large_ones_do_not_overflow() {
        let (mut p, mut l) = ([0.0; 2], [0.0; 2]);
        softmax(&[3.0, 3.0], &mut p, &mut l);
        assert!((p[0] - 0.5).abs() < 1e-6 && (l[1] + 2_f32.ln()).abs() < 1e-6);
        softmax(&[1e4, 0.0], &mut p, &mut l);
        assert_eq!((p, l), ([1.0, 0.0], [0.0, -1e4]));
    }

    /// The gradient is that of the loss, by differences.
    #[test]
    fn the_gradient_of_the_surrogate_is_that_of_differences() {
        let loss = |scores: &[f32], advantage, old_log_prob, gradient: &mut [f32]| {
            let (mut p, mut l) = ([0.0; 3], [0.0; 3]);
            softmax(scores, &mut p, &mut l);
            let surrogate = Surrogate {
                action: 1,
                old_log_prob,
                advantage,
                probabilities: &p,
                log_probs: &l,
                clip: 0.2,
                entropy: 0.1,
            };
            surrogate.loss(gradient)
        };
        let scores = [0.3, -0.2, 0.1];
        for (advantage, old_log_prob) in [(1.5, -1.3), (1.5, -3.0), (-0.7, -1.2), (-0.7, -0.2)] {
            let mut gradient = [0.0; 3];
            loss(&scores, advantage, old_log_prob, &mut gradient);
            for j in 0..3 {
                let (mut up, mut down, mut unused) = (scores, scores, [0.0; 3]);
                up[j] += 1e-2;
                down[j] -= 1e-2;
                let difference = loss(&up, advantage, old_log_prob, &mut unused)
                    - loss(&down, advantage, old_log_prob, &mut unused);
                let difference = difference / 2e-2;
                assert!(
                    (difference - gradient[j]).abs() < 1e-3,
                    "{difference} {}",
                    gradient[j]
                );
            }
        }
    }
}
