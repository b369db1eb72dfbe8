//! The evaluator that fits a finite world: exact where its tables are known.

use crate::Result;
use crate::env::FiniteWorld;
use crate::explore::OracleErrors;
use crate::learn::Learner;
use crate::metrics::{Evaluator, PlanIn, RolloutEvaluator};
use crate::run::Row;
use crate::seed::Stream;

/// Compares learners with the truth of one finite world.
#[derive(Debug)]
pub enum FiniteEvaluator<'a> {
    /// By exact solutions.
    Exact(Evaluator<'a>),
    /// By simulated episodes.
    Rollouts(RolloutEvaluator<'a>),
}

impl<'a> FiniteEvaluator<'a> {
    /// The evaluator of `world`, with so many simulated episodes a policy where it has no tables.
    pub fn new(world: &'a dyn FiniteWorld, plan_in: PlanIn, rollouts: usize) -> Result<Self> {
        match world.tables() {
            Some(environment) => Evaluator::new(environment, plan_in).map(Self::Exact),
            None => RolloutEvaluator::new(world, rollouts).map(Self::Rollouts),
        }
    }

    /// The expert's discounted reward and cost.
    pub fn expert(&self) -> (f64, f64) {
        match self {
            Self::Exact(e) => (e.expert_reward(), e.expert_cost()),
            Self::Rollouts(e) => e.expert(),
        }
    }

    /// Evaluates what `learner` has inferred so far.
    pub fn evaluate(&mut self, learner: &Learner) -> Result<Row> {
        match self {
            Self::Exact(e) => e.evaluate(learner),
            Self::Rollouts(e) => e.evaluate(learner),
        }
    }

    /// Forgets all that only makes the next evaluation faster.
    pub fn renew(&mut self) {
        match self {
            Self::Exact(e) => e.renew(),
            Self::Rollouts(_) => {}
        }
    }

    /// Discounted reward and cost of one sampled episode of the policy evaluated last.
    pub fn rollout(&mut self, rng: &mut Stream) -> Result<(f64, f64)> {
        match self {
            Self::Exact(e) => Ok(e.rollout(rng)),
            Self::Rollouts(e) => e.rollout(rng),
        }
    }

    /// How wrong the learner's estimates truly are, if that is known.
    pub fn oracle(&self, learner: &Learner) -> Option<OracleErrors> {
        match self {
            Self::Exact(e) => Some(e.oracle(learner)),
            Self::Rollouts(_) => None,
        }
    }

    /// Whether reward and cost are at the expert's level.
    pub fn at_expert(&self, reward: f64, cost: f64) -> bool {
        match self {
            Self::Exact(e) => e.at_expert(reward, cost),
            Self::Rollouts(e) => e.at_expert(reward, cost),
        }
    }
}
