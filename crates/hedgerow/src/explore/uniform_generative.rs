//! `uniform-generative`: as many samples of every pair from a generative model.

use crate::Result;
use crate::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use crate::param::{Parameter, Values, whole};

const PARAMETERS: &[Parameter] = &[whole(
    "samples",
    50,
    1,
    u32::MAX as u64,
    "samples asked for an iteration; every pair gets its share, rounded up",
)];

pub(super) const ENTRY: StrategyEntry = StrategyEntry::builtin(
    StrategyInfo {
        name: "uniform-generative",
        summary: "ceil(samples / pairs) samples of every pair from a generative model",
        parameters: PARAMETERS,
    },
    |p| Box::new(UniformGenerative::new(p)),
);

struct UniformGenerative {
    samples: u64,
}

impl UniformGenerative {
    fn new(p: &Values) -> Self {
        Self {
            samples: p.whole("samples"),
        }
    }
}

impl Strategy for UniformGenerative {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let learner = at.learner;
        let share = self.samples.div_ceil(learner.task().pairs() as u64);
        Ok(Plan::Generate(share as u32))
    }

    fn remembered(&self) -> Option<String> {
        Some(String::new())
    }
}
