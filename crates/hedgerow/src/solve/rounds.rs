//! Rounds of improving a policy and following it, until its values are certified.

use crate::index::Pair;
use crate::model::Dynamics;
use crate::solve::{Limits, Mdp, Outcome, Solution};
use rayon::prelude::*;

/// States a thread takes at a time: enough work to hide the cost of handing it out.
pub(super) const CHUNK: usize = 4096;

/// A way to go through the states of a large model.
pub(super) trait Rounds {
    /// One sweep of Bellman backups; the largest change and the largest value.
    fn improve(&mut self) -> (f64, f64);

    /// Follows the chosen pairs for some sweeps, until they change less than `enough`; `residual` is what
    /// the improvement changed.
    fn evaluate(&mut self, enough: f64, residual: f64);

    /// Sweeps so far, of both kinds.
    fn sweeps(&self) -> usize;

    /// Whether another way would get on faster from here.
    fn gives_up(&self) -> bool {
        false
    }

    /// Values and choice.
    fn found(self) -> (Vec<f64>, Vec<Option<Pair>>);
}

/// Solves `mdp` by `work`; as [`super::modified_policy_iteration`] says.
pub(super) fn rounds<D: Dynamics>(
    mdp: &Mdp<D>,
    limits: &Limits,
    mut work: impl Rounds,
) -> Outcome<Solution> {
    let (error, solved) = until_certified(mdp, limits, &mut work);
    outcome(work, error, solved)
}

/// What `work` found, with an error that is certified.
pub(super) fn outcome(work: impl Rounds, error: f64, solved: bool) -> Outcome<Solution> {
    let sweeps = work.sweeps();
    let (values, choice) = work.found();
    let solution = Solution {
        values,
        choice,
        error,
        sweeps,
    };
    Outcome::of(solution, solved)
}

/// Goes on until the values of `work` are certified, nothing more can be certified, or `work` gives up: the certified error,
/// and whether it is within the tolerance.
pub(super) fn until_certified<D: Dynamics>(
    mdp: &Mdp<D>,
    limits: &Limits,
    work: &mut impl Rounds,
) -> (f64, bool) {
    let certificate = mdp.certificate();
    let mut before = f64::INFINITY;
    loop {
        let (residual, largest) = work.improve();
        // A sweep contracts by gamma, whatever of it sees new values already, so its residual
        // certifies the values after it up to gamma/(1-gamma).
        let error = certificate.error(mdp.gamma * residual, largest);
        let solved = error <= limits.tolerance;
        let stuck = certificate.stuck(residual, before, largest, limits.tolerance);
        if solved || stuck || work.sweeps() >= limits.sweeps || !residual.is_finite() {
            return (error, solved);
        }
        let enough = 0.1 * limits.tolerance * (1.0 - mdp.gamma);
        let enough = enough.max(0.1 * certificate.floor(largest)) / mdp.gamma.max(0.01);
        work.evaluate(enough, residual);
        if work.gives_up() {
            return (error, false);
        }
        before = residual;
    }
}

/// What every state earns of `weights` by its chosen pair; 0 where it has none.
pub(super) fn earn(weights: &[f64], choice: &[Option<Pair>], reward: &mut [f64]) {
    reward
        .par_iter_mut()
        .with_min_len(CHUNK)
        .zip(choice)
        .for_each(|(reward, pair)| *reward = pair.map_or(0.0, |p| weights[p.at()]));
}
