//! The best policy, certified state by state.

use crate::Result;
use crate::index::{Pair, State};
use crate::model::{Dynamics, Task};
use crate::solve::bound::{
    Of, all_states, by_policies, by_sweeps, of_states, offsets, polished, proved,
};
use crate::solve::evaluate::{ACCURACY, Sum, finite, magnitude, patience, uncertain};
use crate::solve::policy_iteration::{first_choice, improved};
use crate::solve::policy_rows::LARGE;
use crate::solve::{Limits, Mdp, in_place, modified_policy_iteration};

/// Relative difference of two values that a choice makes at the very least: far above the rounding
/// of a solve. A choice repeats for `1 / (1 - gamma)` steps, so it is that much smaller for each.
pub(super) const TIE: f64 = 1e-9;

/// Evaluations before policy iteration gives up; a few dozen are many.
const EVALUATIONS: usize = 1000;

/// Optimal values, a policy that has them, and how exact they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// `V*(s)`; 0 at terminals and at states without an allowed pair.
    pub values: Vec<f64>,
    /// Certified bound on the error of each.
    pub errors: Vec<f64>,
    /// The best pair of every state; `None` at terminals and where nothing is allowed.
    pub choice: Vec<Option<Pair>>,
    /// Whether the errors are small beside the value of every state.
    plain: bool,
}

/// Solves `mdp` so exactly that in every state equal and different pairs can be told apart.
///
/// Modified policy iteration is enough where the values are of similar size; sweeps back and forth
/// make small ones exact too, and policy iteration with factors takes over for discounts near 1.
/// Values that overflow, or whose error stays above [`ACCURACY`] of the largest, are refused.
pub fn optimum<D: Dynamics>(mdp: &Mdp<D>) -> Result<Optimum> {
    if in_place::suits(mdp, LARGE)
        && let Some(found) = by_policies_from(mdp, in_place::from_below(mdp))?
    {
        return Ok(found);
    }
    let limits = Limits {
        tolerance: 1e-14 * magnitude(mdp.largest_reward()),
        sweeps: patience(mdp.task),
    };
    let Some(rough) = modified_policy_iteration(mdp, &limits, None).solution() else {
        return Err(uncertain("optimal values".into(), 0.0, f64::INFINITY));
    };
    finite(mdp, &rough.values)?;
    let mut plain = Optimum {
        errors: vec![rough.error; rough.values.len()],
        values: rough.values,
        choice: rough.choice,
        plain: true,
    };
    if all_states(mdp, |s| plain.tells_apart(mdp, s)) {
        for state in mdp.task.all_states() {
            if plain.is_empty(mdp, state) {
                plain.errors[state.at()] = 0.0;
            }
        }
        return Ok(plain);
    }
    if mdp.task.states() >= LARGE {
        return large(mdp, plain);
    }
    if let Some(values) = polished(mdp, Of::Best, plain.values.clone()) {
        let off = offsets(mdp, Of::Best, &values);
        if let Some(errors) = by_sweeps(mdp, Of::Best, &off) {
            let choice = first_choice(mdp, &values);
            return Ok(Optimum {
                values,
                errors,
                choice,
                plain: false,
            });
        }
    }
    by_factors(mdp, &plain.choice)
}

/// The same for a large problem: by sweeps alone, since factors would fill up. Where they do not
/// settle, the error that holds for all states is what there is.
fn large<D: Dynamics>(mdp: &Mdp<D>, plain: Optimum) -> Result<Optimum> {
    let error = plain.errors.first().copied().unwrap_or(0.0);
    if let Some(found) = by_policies_from(mdp, plain.values.clone())? {
        return Ok(found);
    }
    let largest = plain.values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    match error <= ACCURACY * largest.max(mdp.largest_reward()) {
        true => Ok(Optimum {
            plain: false,
            ..plain
        }),
        false => Err(uncertain("optimal values".into(), largest, error)),
    }
}

/// Policy iteration by sweeps from `values`; `None` where it does not settle.
fn by_policies_from<D: Dynamics>(mdp: &Mdp<D>, values: Vec<f64>) -> Result<Option<Optimum>> {
    let Some(values) = in_place::polished(mdp, values, 0.0) else {
        return Ok(None);
    };
    finite(mdp, &values)?;
    let off = offsets(mdp, Of::Best, &values);
    let choice = of_states(mdp, |s| mdp.best(s, &values).map(|(pair, _)| pair));
    Ok(
        by_policies(mdp, (&values, &choice), &off).map(|errors| Optimum {
            choice,
            values,
            errors,
            plain: false,
        }),
    )
}

/// Policy iteration from `choice`, with errors of its own.
fn by_factors<D: Dynamics>(mdp: &Mdp<D>, choice: &[Option<Pair>]) -> Result<Optimum> {
    let best = improved(mdp, choice, EVALUATIONS, |_| false)?;
    let off = offsets(mdp, Of::Best, &best.values);
    // The bound is the optimum of a problem of its own, whose reward is what may be off.
    let reward: Vec<f64> = mdp
        .task
        .all_pairs()
        .map(|p| off[mdp.task.state_of(p).at()])
        .collect();
    let worst = mdp.with_reward(&reward);
    let errors = match improved(&worst, &best.choice, EVALUATIONS, |guess| {
        proved(mdp, Of::Best, &off, guess).is_some()
    }) {
        Ok(found) => proved(mdp, Of::Best, &off, &found.values),
        Err(_) => None,
    };
    let errors = errors.unwrap_or_else(|| {
        let most = off.iter().copied().fold(0.0, f64::max);
        vec![most / (1.0 - mdp.gamma); off.len()]
    });
    let largest = best.values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let (worst, error) = (0..errors.len())
        .map(|s| (s, errors[s]))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((0, 0.0));
    // Where all is 0 but for rewards that cancel out, they are what is large.
    let largest = largest.max(mdp.largest_reward());
    if error > ACCURACY * largest {
        let place = format!(
            "optimal value of {}",
            mdp.task.state_name(State::new(worst))
        );
        return Err(uncertain(place, best.values[worst], error));
    }
    Ok(Optimum {
        values: best.values,
        errors,
        choice: best.choice,
        plain: false,
    })
}

impl Optimum {
    /// Whether the errors are small beside the value of every state.
    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    /// The allowed pairs that are as good as the best of their state.
    pub(super) fn ties<D: Dynamics>(&self, mdp: &Mdp<D>) -> Vec<bool> {
        let mut equal = vec![false; mdp.task.pairs()];
        let cuts = of_states(mdp, |state| {
            let best = mdp.best(state, &self.values);
            best.map(|(best, q)| q - self.tie(mdp, state, best, q))
        });
        for state in mdp.task.all_states() {
            if let Some(cut) = cuts[state.at()] {
                mdp.each_q(state, &self.values, |pair, q| equal[pair.at()] = q >= cut);
            }
        }
        equal
    }

    /// The sum from the start.
    pub fn at_start(&self, task: &Task) -> Sum {
        Sum {
            value: task.at_start(&self.values),
            error: task.at_start(&self.errors),
        }
    }

    /// How far below the best of `state` the `Q` of a pair as good as the best may come out.
    fn tie<D: Dynamics>(&self, mdp: &Mdp<D>, state: State, best: Pair, q: f64) -> f64 {
        // Errors that neighbours share do not tell their pairs apart; what one backup rounds does.
        let width = mdp.dynamics.row(best).0.len() + 4;
        let own = 16.0 * f64::EPSILON * width as f64 * mdp.terms(best, &self.values);
        let shared = 2.0 * self.errors[state.at()];
        TIE * (1.0 - mdp.gamma) * q.abs() + own.min(shared)
    }

    /// Whether the errors cannot make an equal pair of `state` look worse or a worse one equal.
    fn tells_apart<D: Dynamics>(&self, mdp: &Mdp<D>, state: State) -> bool {
        let best = mdp.best(state, &self.values).map_or(0.0, |(_, q)| q);
        let fine = 0.1 * TIE * (1.0 - mdp.gamma) * best.abs();
        2.0 * self.errors[state.at()] <= fine || self.is_empty(mdp, state)
    }

    /// Whether there is nothing to earn, here and after: then 0 is exact.
    fn is_empty<D: Dynamics>(&self, mdp: &Mdp<D>, state: State) -> bool {
        let mut allowed = mdp.task.pairs_of(state).map(Pair::new);
        self.values[state.at()] == 0.0
            && allowed.all(|p| !mdp.allows(p) || mdp.terms(p, &self.values) == 0.0)
    }
}
