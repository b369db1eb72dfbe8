//! Undecided: go where it is open whether the expert could have done better.

use super::{ACTIONS, Deviation, Strategy, any, candidate, hope, largest};
use crate::Result;
use crate::learn::{Best, Learner};
use crate::maze::State;
use hedgerow::seed::Stream;
use rand::RngExt;

/// How often any action is taken, so that no corner stays unseen for ever.
const ANY: f64 = 0.1;

/// What a decision that is open is worth, beside a goal that is worth 1.
const OPEN: f64 = 0.1;

/// The strategy `undecided`.
///
/// Plans with what was seen: decisions whose advantage is open carry a bonus that shrinks with
/// their pseudo-count, decisions that are inferred to be constrained are left alone, since they
/// are decided, and what was never tried is worth a hope.
#[derive(Debug, Default)]
pub struct Undecided {
    best: Best,
    deviation: Deviation,
}

impl Strategy for Undecided {
    fn plan(&mut self, learner: &Learner, _: usize) -> Result<()> {
        let samples = learner.samples();
        let allowed = candidate(learner);
        let advantages = learner.advantages();
        let margin = learner.inference().margin;
        let pay = |i: usize| {
            let s = &samples[i];
            let open = match advantages[i] {
                Some(a) => (a.value - margin).abs() <= a.width,
                None => true,
            };
            let bonus = match open && s.action != s.expert {
                true => {
                    OPEN / learner
                        .density()
                        .count(&s.state, s.action.into())
                        .max(1.0)
                        .sqrt()
                }
                false => 0.0,
            };
            allowed(i).map(|reward| reward + bonus)
        };
        self.deviation.plan(learner);
        let gamma = learner.terms().gamma;
        self.best.plan(learner, gamma, hope(learner), pay);
        Ok(())
    }

    fn begin(&mut self, rng: &mut Stream) {
        self.deviation.begin(rng);
    }

    fn act(&mut self, learner: &Learner, state: &State, expert: usize, rng: &mut Stream) -> usize {
        if self.deviation.is_over() {
            return expert;
        }
        if rng.random::<f64>() < ANY {
            return any(rng);
        }
        let values: [f64; ACTIONS] = self.best.values(learner, state);
        largest(&values, rng)
    }
}
