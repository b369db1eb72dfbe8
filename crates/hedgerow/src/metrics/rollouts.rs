//! Evaluation by simulated episodes, for worlds that are not known as tables.

use crate::Result;
use crate::env::{FiniteWorld, Simulator};
use crate::index::Pair;
use crate::learn::Learner;
use crate::metrics::evaluator::{compared, is_at_expert, is_spent};
use crate::metrics::iou::positive;
use crate::model::Policy;
use crate::run::Row;
use crate::seed::Stream;
use crate::solve::{Mdp, sharing_ties};

/// Episodes that a policy is evaluated by unless it is said otherwise. Their mean is within a few per
/// cent of the value where returns vary as in the built-in worlds.
pub const ROLLOUTS: usize = 200;

/// The seed of those episodes: the same for all policies, so that they differ by what they do.
const SEED: u64 = 0;

/// Evaluates learners by simulated episodes. The best policy under the inferred cost is planned in
/// the estimated dynamics, since no others are known.
#[derive(Debug)]
pub struct RolloutEvaluator<'a> {
    world: &'a dyn FiniteWorld,
    expert: (f64, f64),
    true_cells: Option<Vec<f64>>,
    episodes: usize,
    /// The policy evaluated last, and its reward and cost.
    evaluated: Option<(Policy, (f64, f64))>,
}

impl<'a> RolloutEvaluator<'a> {
    /// An evaluator for `world` with so many episodes a policy, at least one.
    pub fn new(world: &'a dyn FiniteWorld, episodes: usize) -> Result<Self> {
        let mut evaluator = Self {
            world,
            expert: (0.0, 0.0),
            true_cells: true_cells(world),
            episodes: episodes.max(1),
            evaluated: None,
        };
        evaluator.expert = evaluator.mean(None)?;
        Ok(evaluator)
    }

    /// The expert's discounted reward and cost, means over simulated episodes.
    pub fn expert(&self) -> (f64, f64) {
        self.expert
    }

    /// The true cost on cells, if it is known.
    pub fn true_cells(&self) -> Option<&[f64]> {
        self.true_cells.as_deref()
    }

    /// Evaluates what `learner` has inferred so far.
    pub fn evaluate(&mut self, learner: &Learner) -> Result<Row> {
        let allowed: Vec<bool> = learner.constrained().iter().map(|c| !c).collect();
        let task = self.world.task();
        let mdp = Mdp::new(task, learner.estimate());
        let policy = sharing_ties(&mdp.with_allowed(&allowed))?;
        let values = match &self.evaluated {
            Some((last, values)) if *last == policy => *values,
            _ => self.mean(Some(&policy))?,
        };
        self.evaluated = Some((policy, values));
        let charged = positive(self.true_cells.as_deref().unwrap_or_default());
        let found = learner.significant_cells();
        Ok(compared(values, &found, &charged, self.world.layout()))
    }

    /// Discounted reward and cost of one sampled episode of the policy evaluated last.
    pub fn rollout(&self, rng: &mut Stream) -> Result<(f64, f64)> {
        use rand::Rng;
        let mut simulator = self.world.simulator(rng.next_u64())?;
        let policy = self.evaluated.as_ref().map(|(policy, _)| policy);
        self.episode(simulator.as_mut(), policy, rng)
    }

    /// Whether reward and cost are at the expert's level.
    pub fn at_expert(&self, reward: f64, cost: f64) -> bool {
        let truth = self.true_cells.as_deref().unwrap_or_default();
        is_at_expert((reward, cost), self.expert, truth)
    }

    /// Mean discounted reward and cost of `policy`, or of the expert.
    fn mean(&self, policy: Option<&Policy>) -> Result<(f64, f64)> {
        let mut simulator = self.world.simulator(SEED)?;
        let mut acting = Stream::new(SEED, "evaluation");
        let (mut reward, mut cost) = (0.0, 0.0);
        for _ in 0..self.episodes {
            let (r, c) = self.episode(simulator.as_mut(), policy, &mut acting)?;
            reward += r;
            cost += c;
        }
        let n = self.episodes as f64;
        Ok((reward / n, cost / n))
    }

    fn episode(
        &self,
        simulator: &mut dyn Simulator,
        policy: Option<&Policy>,
        rng: &mut Stream,
    ) -> Result<(f64, f64)> {
        let task = self.world.task();
        let (mut reward, mut cost, mut discount) = (0.0, 0.0, 1.0);
        let mut state = simulator.reset()?;
        for step in 0..self.world.horizon() {
            if is_spent(step, discount, task.gamma()) {
                break;
            }
            if state.at() >= task.states() || task.is_terminal(state) {
                break;
            }
            let pair: Pair = match policy {
                Some(policy) => policy.sample(task, state, rng),
                None => simulator.ask_expert(state)?,
            };
            if pair.at() >= task.pairs() {
                break;
            }
            let came = simulator.step(pair)?;
            state = came.next;
            let earned = came.reward;
            reward += discount * earned.unwrap_or_else(|| task.reward_of(pair, state));
            cost += discount * self.world.true_cost(pair).unwrap_or(0.0);
            discount *= task.gamma();
            if came.truncated {
                break;
            }
        }
        Ok((reward, cost))
    }
}

/// The true cost on cells: the largest of a state's pairs.
fn true_cells(world: &dyn FiniteWorld) -> Option<Vec<f64>> {
    let task = world.task();
    let of = |pair: Pair| world.true_cost(pair);
    task.all_pairs().find_map(of)?;
    let cell = |state| {
        let pairs = task.pairs_of(state).map(Pair::new);
        pairs.filter_map(of).fold(0.0, f64::max)
    };
    Some(task.all_states().map(cell).collect())
}
