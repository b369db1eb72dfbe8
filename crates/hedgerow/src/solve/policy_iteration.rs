//! Howard's policy iteration: a few exact evaluations.

use crate::Result;
use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy};
use crate::solve::chain::Chain;
use crate::solve::evaluate::finite;
use crate::solve::{Limits, Mdp, Outcome, Solution};

/// Evaluates exactly, improves wherever another pair is strictly better, until none is.
///
/// A pair is better when its `Q` exceeds that of the present one by more than rounding, measured by
/// the terms of that state alone, and the search also ends when an improvement moved no value
/// upwards, so equal pairs cannot make it cycle. The error is certified by the optimality residual
/// of the last evaluation. `limits.sweeps` bounds the number of evaluations.
pub fn policy_iteration<D: Dynamics>(mdp: &Mdp<D>, limits: &Limits) -> Result<Outcome<Solution>> {
    let certificate = mdp.certificate();
    let zero = vec![0.0; mdp.task.states()];
    let found = improved(mdp, &first_choice(mdp, &zero), limits.sweeps, |_| false)?;
    let (mut residual, mut largest) = (0.0_f64, 0.0_f64);
    for state in mdp.task.all_states() {
        let v = found.values[state.at()];
        let best = mdp.best(state, &found.values).map_or(v, |(_, q)| q);
        residual = residual.max((best - v).abs());
        largest = largest.max(v.abs());
    }
    let error = certificate.error(residual, largest);
    let solution = Solution { error, ..found };
    Ok(Outcome::of(solution, error <= limits.tolerance))
}

/// The best pair of every state given the values of what follows.
pub(super) fn first_choice<D: Dynamics>(mdp: &Mdp<D>, values: &[f64]) -> Vec<Option<Pair>> {
    let best = |s| mdp.best(s, values).map(|(pair, _)| pair);
    mdp.task.all_states().map(best).collect()
}

/// Improves `choice` until no pair is better, `enough` is content with its values, or it was
/// evaluated `most` times. The error is left at infinity: that is for the caller to prove.
pub(super) fn improved<D: Dynamics>(
    mdp: &Mdp<D>,
    choice: &[Option<Pair>],
    most: usize,
    enough: impl Fn(&[f64]) -> bool,
) -> Result<Solution> {
    let task = mdp.task;
    let rounding = mdp.certificate().rounding();
    let mut choice = choice.to_vec();
    let mut before = vec![f64::NEG_INFINITY; task.states()];
    let mut sweeps = 0;
    loop {
        let policy = Policy::deterministic(task, &choice);
        let chain = Chain::new(mdp, &policy)?;
        let values = chain.values(|s| choice[s.at()].map_or(0.0, |pair| mdp.reward[pair.at()]));
        finite(mdp, &values)?;
        sweeps += 1;
        let slack = |pair: Pair| rounding * mdp.terms(pair, &values);
        let rises = |s: State| {
            let up = values[s.at()] - before[s.at()];
            choice[s.at()].is_some_and(|pair| up > slack(pair))
        };
        let goes_on = sweeps < most && task.all_states().any(rises) && !enough(&values);
        let mut changes = Vec::new();
        for state in task.all_states().filter(|_| goes_on) {
            if let (Some(now), Some((best, q))) = (choice[state.at()], mdp.best(state, &values))
                && q > mdp.q(now, &values) + slack(now) + slack(best)
            {
                changes.push((state, best));
            }
        }
        if changes.is_empty() {
            return Ok(Solution {
                values,
                choice,
                error: f64::INFINITY,
                sweeps,
            });
        }
        for (state, best) in changes {
            choice[state.at()] = Some(best);
        }
        before = values;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    #[test]
    fn waiting_pays_only_if_the_discount_allows() -> Result<()> {
        // Take 0.5 now, or walk two steps to 1, with the value gamma^2, so better from 0.5^(1/2) = 0.707 on.
        for (gamma, value, walks) in [(0.6, 0.5, false), (0.8, 0.64, true)] {
            let mut b = ModelBuilder::new(4, ["take", "walk"], gamma);
            b.start(0, 1.0).terminal(3);
            b.transition(0, 0, 3, 1.0).reward(0, 0, 0.5);
            b.transition(0, 1, 1, 1.0);
            b.transition(1, 1, 2, 1.0);
            b.transition(2, 0, 3, 1.0).reward(2, 0, 1.0);
            let model = b.build()?;
            let outcome = policy_iteration(&Mdp::of(&model), &Limits::default())?;
            assert!(matches!(outcome, Outcome::Optimal(_)));
            let found = outcome.solution();
            assert!(found.is_some_and(|f| {
                (f.values[0] - value).abs() < 1e-15 && f.choice[0] == Some(Pair(u32::from(walks)))
            }));
        }
        Ok(())
    }
}
