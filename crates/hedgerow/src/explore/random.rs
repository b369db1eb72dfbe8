//! `random`: every available action alike.

use crate::Result;
use crate::explore::{Entry, Plan, Situation, Strategy};
use crate::model::Policy;

pub(super) const ENTRY: Entry = Entry {
    name: "random",
    summary: "every available action alike",
    parameters: &[],
    build: |_| Box::new(Random),
};

struct Random;

impl Strategy for Random {
    fn plan(&mut self, at: &Situation) -> Result<Plan> {
        let learner = at.learner;
        Ok(Plan::follow(Policy::uniform(learner.task())))
    }
}
