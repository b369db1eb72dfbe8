//! `max-entropy`: in every state the action tried least so far.

use crate::Result;
use crate::explore::plan::share_best;
use crate::explore::{Entry, Plan, Strategy};
use crate::learn::Learner;
use crate::seed::Stream;

pub(super) const ENTRY: Entry = Entry {
    name: "max-entropy",
    summary: "in every state the action tried least so far",
    parameters: &[],
    build: |_| Box::new(MaxEntropy),
};

struct MaxEntropy;

impl Strategy for MaxEntropy {
    fn plan(&mut self, learner: &Learner, _: usize, _: &mut Stream) -> Result<Plan> {
        let visits = |pair| f64::from(learner.estimate().visits(pair));
        Ok(Plan::Follow(share_best(learner.task(), |pair| {
            Some(-visits(pair))
        })))
    }
}
