//! Losses and their slopes, in plain numbers.

/// Huber's loss of an error and its slope: squares near 0, straight lines beyond `bend`, so that
/// one wild target does not outweigh a batch.
pub fn huber(error: f32, bend: f32) -> (f32, f32) {
    match error.abs() {
        size if size <= bend => (0.5 * error * error, error),
        size => (bend * (size - 0.5 * bend), bend * error.signum()),
    }
}

/// Probabilities from scores: `p_i = exp(x_i) / sum_j exp(x_j)`, and their logarithms.
pub fn softmax(scores: &[f32], probabilities: &mut [f32], logs: &mut [f32]) {
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = scores.iter().map(|x| libm::expf(x - largest)).sum();
    let shift = largest + libm::logf(total);
    for ((x, p), l) in scores.iter().zip(probabilities).zip(logs) {
        *l = x - shift;
        *p = libm::expf(*l);
    }
}

/// The clipped objective of one choice and its slopes with respect to the scores.
///
/// With `rho = pi(a) / pi_old(a)`, the advantage `A` and the entropy `H` the loss is
/// `- min(rho A, clip(rho, 1 - c, 1 + c) A) - e H`. Its slope along score `j` is
/// `- rho A (1[j = a] - p_j)`, or 0 where the clipped part is the smaller one, plus
/// `e p_j (log p_j + H)`. What is returned is the loss; `slope` is set.
pub fn clipped(choice: &Clipped<'_>, slope: &mut [f32]) -> f32 {
    let Clipped {
        action,
        old_log,
        advantage,
        probabilities,
        logs,
        ..
    } = *choice;
    let ratio = libm::expf((logs[action] - old_log).clamp(-20.0, 20.0));
    let bounded = ratio.clamp(1.0 - choice.clip, 1.0 + choice.clip);
    let entropy: f32 = -probabilities
        .iter()
        .zip(logs)
        .map(|(p, l)| p * l)
        .sum::<f32>();
    let pull = match ratio * advantage <= bounded * advantage {
        true => ratio * advantage,
        false => 0.0,
    };
    for (j, s) in slope.iter_mut().enumerate() {
        let own = if j == action { 1.0 } else { 0.0 };
        let spread = choice.entropy * probabilities[j] * (logs[j] + entropy);
        *s = spread - pull * (own - probabilities[j]);
    }
    -(ratio * advantage).min(bounded * advantage) - choice.entropy * entropy
}

/// A choice that was made, and how the policy sees it now.
#[derive(Clone, Copy, Debug)]
pub struct Clipped<'a> {
    pub action: usize,
    pub old_log: f32,
    pub advantage: f32,
    pub probabilities: &'a [f32],
    pub logs: &'a [f32],
    pub clip: f32,
    pub entropy: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huber_is_a_parabola_that_goes_on_as_lines() {
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

    /// The slopes are those of the loss, by differences.
    #[test]
    fn slopes_of_the_clipped_objective_are_those_of_differences() {
        let loss = |scores: &[f32], advantage, old_log, slope: &mut [f32]| {
            let (mut p, mut l) = ([0.0; 3], [0.0; 3]);
            softmax(scores, &mut p, &mut l);
            let choice = Clipped {
                action: 1,
                old_log,
                advantage,
                probabilities: &p,
                logs: &l,
                clip: 0.2,
                entropy: 0.1,
            };
            clipped(&choice, slope)
        };
        let scores = [0.3, -0.2, 0.1];
        for (advantage, old_log) in [(1.5, -1.3), (1.5, -3.0), (-0.7, -1.2), (-0.7, -0.2)] {
            let mut slope = [0.0; 3];
            loss(&scores, advantage, old_log, &mut slope);
            for j in 0..3 {
                let (mut up, mut down, mut unused) = (scores, scores, [0.0; 3]);
                up[j] += 1e-2;
                down[j] -= 1e-2;
                let difference = loss(&up, advantage, old_log, &mut unused)
                    - loss(&down, advantage, old_log, &mut unused);
                let difference = difference / 2e-2;
                assert!(
                    (difference - slope[j]).abs() < 1e-3,
                    "{difference} {}",
                    slope[j]
                );
            }
        }
    }
}
