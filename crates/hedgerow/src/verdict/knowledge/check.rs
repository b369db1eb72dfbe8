//! Does what was declared fit what was seen?

use super::{Know, Knowledge};
use crate::index::{Pair, State};
use crate::learn::Learner;
use crate::model::{Dynamics, Task};

/// The probability with which a right declaration is called wrong, over all times.
const MISTAKEN: f64 = 0.001;

impl Knowledge {
    /// Why `learner`, who counts what was really seen, cannot have seen that if the declaration is
    /// right, if so.
    ///
    /// A next state that is not declared is one reason. The other is improbable counts: with `k_p` the
    /// counts of pair `p`, and `KT` the mean of their probability over all rows, drawn from
    /// Dirichlet(1/2),
    ///
    /// ```text
    /// prod_p KT(k_p) / max_q prod_p q(k_p)
    /// ```
    ///
    /// over the pairs of a class is at most a martingale that begins at 1 if they have one common row, since
    /// that row is one of the `q`; so it ever reaches `1 / alpha` with probability at most `alpha`. With known
    /// dynamics `q` is the declared row.
    pub fn contradiction(&self, learner: &Learner) -> Option<String> {
        let task = learner.task();
        let mut pairs = task.all_pairs();
        pairs
            .find_map(|pair| self.undeclared(learner, pair))
            .or_else(|| match self.know {
                Know::Successors => None,
                Know::Classes => self.unequal(learner),
                Know::Dynamics => self.improbable(learner),
            })
    }

    fn undeclared(&self, learner: &Learner, pair: Pair) -> Option<String> {
        let (task, possible) = (learner.task(), self.possible(pair));
        let (next, _) = learner.estimate().row(pair);
        let other = next.iter().find(|s| !possible.contains(s))?;
        (!possible.is_empty()).then(|| {
            format!(
                "{} led to {}, which is not declared",
                task.pair_name(pair),
                task.state_name(State(*other))
            )
        })
    }

    fn counts(&self, learner: &Learner, pair: Pair) -> Vec<f64> {
        let (estimate, counts) = (learner.estimate(), learner.estimate().counts(pair));
        let count = |s: &u32| estimate.outcome(pair, State(*s)).map_or(0, |at| counts[at]);
        let possible = self.possible(pair).iter();
        possible.map(|s| f64::from(count(s))).collect()
    }

    fn unequal(&self, learner: &Learner) -> Option<String> {
        let limit = libm::log(self.members.len() as f64 / MISTAKEN);
        let class = self.members.iter().find(|members| {
            let mut total: Vec<f64> = Vec::new();
            let mut mixed = 0.0;
            for &pair in members.iter() {
                let counts = self.counts(learner, Pair(pair));
                mixed += log_mixture(&counts);
                total.resize(counts.len(), 0.0);
                for (sum, n) in total.iter_mut().zip(counts) {
                    *sum += n;
                }
            }
            let n: f64 = total.iter().sum();
            let best: f64 = total.iter().map(|&k| times_log(k, k / n)).sum();
            mixed - best >= limit
        })?;
        let task: &Task = learner.task();
        Some(format!(
            "the {} pairs of the class of {} did not lead to the same outcomes equally often",
            class.len(),
            task.pair_name(Pair(class[0]))
        ))
    }

    fn improbable(&self, learner: &Learner) -> Option<String> {
        let task = learner.task();
        let limit = libm::log(task.pairs() as f64 / MISTAKEN);
        let pair = task.all_pairs().find(|&pair| {
            let counts = self.counts(learner, pair);
            let prob = &self.prob[self.outcomes(pair)];
            let declared: f64 = counts
                .iter()
                .zip(prob)
                .map(|(&k, &p)| times_log(k, p))
                .sum();
            log_mixture(&counts) - declared >= limit
        })?;
        Some(format!(
            "{} did not lead to its next states as often as declared",
            task.pair_name(pair)
        ))
    }
}

fn times_log(count: f64, p: f64) -> f64 {
    match count > 0.0 {
        true => count * libm::log(p),
        false => 0.0,
    }
}

/// The logarithm of the mean probability of draws with these counts, over Dirichlet(1/2) rows.
fn log_mixture(counts: &[f64]) -> f64 {
    let half = 0.5 * counts.len() as f64;
    let n: f64 = counts.iter().sum();
    let each: f64 = counts
        .iter()
        .map(|&k| libm::lgamma(k + 0.5) - libm::lgamma(0.5))
        .sum();
    libm::lgamma(half) - libm::lgamma(half + n) + each
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mixture_is_a_distribution() {
        // One draw of two outcomes: 1/2 each. Two draws: 3/8, 1/8, 1/8, 3/8.
        assert!((log_mixture(&[1.0, 0.0]).exp() - 0.5).abs() < 1e-12);
        assert!((log_mixture(&[2.0, 0.0]).exp() - 0.375).abs() < 1e-12);
        assert!((log_mixture(&[1.0, 1.0]).exp() - 0.125).abs() < 1e-12);
        assert!((log_mixture(&[9.0]).exp() - 1.0).abs() < 1e-12);
    }
}
