//! A situation holds what was seen, not the model it was seen in.
use hedgerow::explore::{Plan, Situation, Strategy};

struct Cheat;

impl Strategy for Cheat {
    fn plan(&mut self, at: &Situation) -> hedgerow::Result<Plan> {
        let _ = at.model.rows();
        unimplemented!()
    }
}

fn main() {}
