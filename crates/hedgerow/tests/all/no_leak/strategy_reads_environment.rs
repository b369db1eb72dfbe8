//! A situation has no way to the environment.
use hedgerow::explore::{Plan, Situation, Strategy};

struct Cheat;

impl Strategy for Cheat {
    fn plan(&mut self, at: &Situation) -> hedgerow::Result<Plan> {
        let _ = at.environment.truth();
        unimplemented!()
    }
}

fn main() {}
