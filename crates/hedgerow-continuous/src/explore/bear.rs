//! BEAR: a policy that seeks states and actions where the bound on the cost's error is large.

use super::planning::first_state;
use super::{ContinuousStrategy, Strategy, argmax_random_ties};
use crate::Result;
use crate::learn::{Ending, FittedQ, Learner};
use crate::maze::State;
use hedgerow::explore::StrategyInfo;
use hedgerow::param::{Parameter, number, whole};
use hedgerow::seed::Stream;

const PARAMETERS: &[Parameter] = &[
    number(
        "discount",
        0.95,
        0.0,
        0.9999,
        "discount of the bonus per decision, across the ends of episodes",
    ),
    whole(
        "sweeps",
        400,
        1,
        1_000_000,
        "most sweeps over the samples per plan; fewer once values have converged",
    ),
];

pub const ENTRY: ContinuousStrategy = ContinuousStrategy {
    info: StrategyInfo {
        name: "bear",
        summary: "the policy with the largest discounted error bound with pseudo-counts",
        parameters: PARAMETERS,
    },
    build: |p, _, _| {
        Ok(Box::new(Bear {
            q: FittedQ::default(),
            discount: p.number("discount"),
            sweeps: p.whole("sweeps") as usize,
            objective: None,
        }))
    },
};

/// The reward of a decision is its bound with pseudo-counts, `1/sqrt(N^+(s,a))` up to factors that
/// do not change the ranking: the bound itself is at its cap for any number of samples that can be
/// afforded. The policy is the best one for this reward, by fitted Q iteration on all samples until it
/// converges.
///
/// The reward is counted across episodes: at a goal the next episode begins, and its value is that of
/// the start. If nothing followed, a bonus that is never negative would teach to avoid goals.
#[derive(Debug)]
struct Bear {
    q: FittedQ,
    discount: f64,
    sweeps: usize,
    objective: Option<(f64, f64)>,
}

impl Strategy for Bear {
    fn plan(&mut self, learner: &Learner) -> Result<()> {
        let Some(start) = first_state(learner) else {
            return Ok(());
        };
        let samples = learner.samples();
        let bonus = |i: usize| {
            let s = &samples[i];
            let count = learner.density().count(&s.state, s.action.into());
            1.0 / count.max(1.0).sqrt()
        };
        let bonuses: Vec<f64> = (0..samples.len()).map(bonus).collect();
        let discount = self.discount;
        // An action never tried has the largest bonus once, and leads to who knows where.
        let unseen = 1.0 + discount * self.q.value(learner, &start);
        let bonus = |i: usize| bonuses[i];
        let before = (self.q).policy_value(learner, discount, unseen, &start, bonus, self.sweeps);
        (self.q).plan_until(
            learner,
            discount,
            unseen,
            |i| Some(bonuses[i]),
            Ending::Restart(start),
            self.sweeps,
        );
        let after = self.q.value(learner, &start);
        self.objective = Some(((1.0 - discount) * before, (1.0 - discount) * after));
        Ok(())
    }

    fn act(&mut self, learner: &Learner, state: &State, _: usize, rng: &mut Stream) -> usize {
        argmax_random_ties(&self.q.values(learner, state), rng)
    }

    fn objective(&self) -> Option<(f64, f64)> {
        self.objective
    }
}
