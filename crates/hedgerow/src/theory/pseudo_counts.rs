//! Expected counts: how often policies visit every pair, on average.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy, Task};
use crate::{Error, Result};

/// Steps of an episode that are counted one by one.
pub(crate) const LONGEST: usize = 1_000_000;

/// `N-(s,a)`: the expected number of visits of every pair after a history of policies.
///
/// With `eta^h(s,a)` the probability that step `h` of an episode takes the pair,
///
/// ```text
/// eta^0(s,a)     = mu0(s) pi(a|s)
/// eta^{h+1}(s,a) = pi(a|s) sum_{s',a'} P(s|s',a') eta^h(s',a')
/// N-(s,a)        = sum over episodes of  sum_{h=0}^{H-1} eta^h(s,a)
/// ```
///
/// An episode of horizon `H` gives at most `H` samples, the steps 0 to `H - 1`. A terminal state
/// has no pairs, so what enters it is gone, as in a run.
#[derive(Clone, Debug)]
pub struct PseudoCounts<'a, D: Dynamics> {
    task: &'a Task,
    dynamics: &'a D,
    horizon: usize,
    counts: Vec<f64>,
}

impl<'a, D: Dynamics> PseudoCounts<'a, D> {
    /// No episode yet; each will have at most `horizon` steps.
    pub fn new(task: &'a Task, dynamics: &'a D, horizon: usize) -> Self {
        Self {
            task,
            dynamics,
            horizon,
            counts: vec![0.0; task.pairs()],
        }
    }

    /// Adds `episodes` episodes of `policy`. A policy that is drawn with some probability counts
    /// that part of the episodes, so the number need not be whole.
    pub fn add(&mut self, policy: &Policy, episodes: f64) -> Result<()> {
        policy.check_length(self.task)?;
        check_number(episodes, "episodes")?;
        let mut here = vec![0.0; self.task.states()];
        for &(state, p) in self.task.start() {
            here[state.at()] += p;
        }
        for step in 0..self.horizon {
            if here.iter().all(|&mass| mass == 0.0) {
                break;
            }
            if step >= LONGEST {
                return Err(Error::invalid(
                    "horizon",
                    format!(
                        "episodes of {} steps are too long to be counted",
                        self.horizon
                    ),
                    format!("use at most {LONGEST}"),
                ));
            }
            let last = step + 1 == self.horizon;
            let mut next = vec![0.0; if last { 0 } else { here.len() }];
            for state in self.task.all_states() {
                let mass = here[state.at()];
                if mass == 0.0 {
                    continue;
                }
                for i in self.task.pairs_of(state) {
                    let eta = mass * policy.probs()[i];
                    self.counts[i] += episodes * eta;
                    if !last && eta > 0.0 {
                        self.push(Pair::new(i), eta, &mut next);
                    }
                }
            }
            here = next;
        }
        Ok(())
    }

    /// Adds `each` visits of every pair, as a generative model gives them: nothing is left to
    /// chance.
    pub fn add_each(&mut self, each: f64) -> Result<()> {
        check_number(each, "visits")?;
        self.counts.iter_mut().for_each(|n| *n += each);
        Ok(())
    }

    fn push(&self, pair: Pair, eta: f64, next: &mut [f64]) {
        let (to, prob) = self.dynamics.row(pair);
        for (&s, &p) in to.iter().zip(prob) {
            if !self.task.is_terminal(State(s)) {
                next[s as usize] += eta * p;
            }
        }
    }

    /// `H`, the most steps of an episode.
    pub fn horizon(&self) -> usize {
        self.horizon
    }

    /// `N-(s,a)` of every pair.
    pub fn counts(&self) -> &[f64] {
        &self.counts
    }

    /// `N-+(s,a) = max(1, N-(s,a))`: what formulas divide by.
    pub fn floored(&self, pair: Pair) -> f64 {
        self.counts[pair.at()].max(1.0)
    }
}

fn check_number(n: f64, what: &str) -> Result<()> {
    if n.is_finite() && n >= 0.0 {
        return Ok(());
    }
    Err(Error::invalid(
        "pseudo-counts",
        format!("{n} is not a number of {what}"),
        "use a finite number of at least 0",
    ))
}

/// `H log(2 S A / delta)`: with probability `1 - delta/2`, for all pairs and at all times,
/// `N(s,a) >= N-(s,a)/2 - H log(2 S A / delta)` for episodes of at most `H` steps.
///
/// The visits of one episode depend on each other, so the episode counts as one draw, in `[0, H]`,
/// whose mean is known before it starts. For draws `X` in `[0, 1]` with mean `p`,
/// `E exp(-X) <= exp(-(1 - 1/e) p)` by convexity, so `exp(sum p/2 - sum X)` is a supermartingale
/// and exceeds `1/d` with probability at most `d`, ever; take `X = N/H` and `d = delta / (2 S A)`.
pub fn count_slack(pairs: usize, delta: f64, horizon: usize) -> f64 {
    horizon as f64 * libm::log(2.0 * pairs as f64 / delta)
}

/// `sqrt( 2 log(36 S A N-+^2 / delta) / N-+ )` with `N-+ = max(1, N-)`: the width of an expected
/// count.
///
/// Wherever the count is within [`count_slack`], `min(sigma beta(N), C_max)` is at most
/// [`pseudo_sigma`] times this.
pub fn pseudo_beta(expected: f64, pairs: usize, delta: f64) -> f64 {
    let n = expected.max(1.0);
    (2.0 * libm::log(36.0 * pairs as f64 * n * n / delta) / n).sqrt()
}

/// `max(sigma, sqrt(2 H) C_max)` for episodes of at most `H` steps: see [`count_slack`].
pub fn pseudo_sigma(sigma: f64, cost_max: f64, horizon: usize) -> f64 {
    sigma.max((2.0 * horizon as f64).sqrt() * cost_max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    #[test]
    fn two_steps_by_hand() {
        // From 0: `stay` keeps 0 with 1/4, else goes to 1; `end` ends. From 1: back to 0.
        let mut b = ModelBuilder::new(3, ["stay", "end"], 0.5);
        b.start(0, 0.8).start(1, 0.2).terminal(2);
        b.transition(0, 0, 0, 0.25).transition(0, 0, 1, 0.75);
        b.transition(0, 1, 2, 1.0).transition(1, 0, 0, 1.0);
        let model = b.build().unwrap();
        let policy = Policy::uniform(model.task());
        let mut counts = PseudoCounts::new(model.task(), model.rows(), 1);
        counts.add(&policy, 10.0).unwrap();
        // One step: mu0 pi.
        assert_eq!(counts.counts(), [4.0, 4.0, 2.0]);
        assert_eq!(counts.floored(Pair::new(2)), 2.0);
        let mut counts = PseudoCounts::new(model.task(), model.rows(), 2);
        counts.add(&policy, 1.0).unwrap();
        // Second step: 0 has 0.4 / 4 + 0.2 = 0.3, 1 has 0.3; the rest has ended.
        for (found, known) in counts.counts().iter().zip([0.55, 0.55, 0.5]) {
            assert!((found - known).abs() < 1e-15, "{found} for {known}");
        }
        assert_eq!(counts.floored(Pair::new(0)), 1.0);
        // A history adds up: half of two episodes more of the policy that never ends.
        let stay = Policy::new(model.task(), vec![1.0, 0.0, 1.0]).unwrap();
        counts.add(&stay, 0.5 * 2.0).unwrap();
        // 0.8 + 0.8 / 4 + 0.2 = 1.2 and 0.2 + 0.6 = 0.8.
        for (found, known) in counts.counts().iter().zip([1.75, 0.55, 1.3]) {
            assert!((found - known).abs() < 1e-15, "{found} for {known}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut b = ModelBuilder::new(1, ["stay"], 0.5);
        b.start(0, 1.0).transition(0, 0, 0, 1.0);
        let model = b.build().unwrap();
        let policy = Policy::uniform(model.task());
        let mut counts = PseudoCounts::new(model.task(), model.rows(), 3);
        for episodes in [-1.0, f64::NAN, f64::INFINITY] {
            let message = counts.add(&policy, episodes).unwrap_err().to_string();
            assert!(message.contains("number of episodes"), "{message}");
            assert!(counts.add_each(episodes).is_err());
        }
        assert_eq!(counts.counts(), [0.0]);
    }

    #[test]
    fn widths_by_hand() {
        // 36 * 10 * 16 / 0.1 = 57600, times 2 / 4.
        let known = (57_600.0_f64.ln() / 2.0).sqrt();
        assert!((pseudo_beta(4.0, 10, 0.1) - known).abs() < 1e-15);
        assert_eq!(pseudo_beta(0.0, 10, 0.1), pseudo_beta(1.0, 10, 0.1));
        assert!((count_slack(10, 0.1, 3) - 3.0 * 200.0_f64.ln()).abs() < 1e-15);
        assert_eq!(pseudo_sigma(1.0, 1.0, 1), std::f64::consts::SQRT_2);
        assert_eq!(pseudo_sigma(3.0, 1.0, 8), 4.0);
        assert_eq!(pseudo_sigma(3.0, 1.0, 2), 3.0);
    }
}
