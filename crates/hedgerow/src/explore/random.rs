//! `random`: every available action alike.

use crate::Result;
use crate::explore::{Entry, Plan, Strategy};
use crate::learn::Learner;
use crate::model::Policy;
use crate::seed::Stream;

pub(super) const ENTRY: Entry = Entry {
    name: "random",
    summary: "every available action alike",
    parameters: &[],
    build: |_| Box::new(Random),
};

struct Random;

impl Strategy for Random {
    fn plan(&mut self, learner: &Learner, _: usize, _: &mut Stream) -> Result<Plan> {
        Ok(Plan::Follow(Policy::uniform(learner.task())))
    }
}
