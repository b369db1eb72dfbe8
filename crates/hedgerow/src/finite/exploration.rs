//! One run in a finite world.

use crate::Result;
use crate::env::FiniteWorld;
use crate::explore::{Context, Plan, Strategy};
use crate::finite::{FiniteSettings, Gather};
use crate::learn::{Inference, Learner, Seen};
use crate::metrics::FiniteEvaluator;
use crate::run::{
    Exploration, Payload, Row, RunResult, RunSettings, Snapshot, Stop, Trace, run_loop,
    running_score,
};
use crate::seed::Stream;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Instant;

/// Everything that determines a run beside world and strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunOptions {
    /// When it stops.
    pub run: RunSettings,
    /// How costs are inferred and evaluated.
    pub finite: FiniteSettings,
    /// The seed of all its randomness.
    pub seed: u64,
}

/// What the files of finite runs keep: enough to build the learner again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinitePayload {
    /// How the learner turned what it saw into a cost.
    pub inference: Inference,
    /// All that it had seen in the end.
    #[serde(flatten)]
    pub seen: Seen,
}

/// What a snapshot of a finite run has to show beside the inferred cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FiniteMoment {
    /// The states of the last episode of the iteration, in order; of a very long one its beginning.
    pub trajectory: Vec<u32>,
}

/// Runs `strategy` in `world`.
pub fn run(
    world: &dyn FiniteWorld,
    strategy: &mut dyn Strategy,
    options: &RunOptions,
) -> Result<RunResult> {
    let mut go_on = |_: &Row, _: &FiniteExploration| Ok(ControlFlow::Continue(()));
    run_observed(world, strategy, options, &mut go_on)
}

/// Is handed every row and the learner and plan behind it, and may break the run off. It cannot
/// change what is learned or planned.
pub type FiniteObserver<'a> = dyn FnMut(&Row, &FiniteExploration) -> Result<ControlFlow<()>> + 'a;

/// The same with an observer.
pub fn run_observed(
    world: &dyn FiniteWorld,
    strategy: &mut dyn Strategy,
    options: &RunOptions,
    observe: &mut FiniteObserver,
) -> Result<RunResult> {
    run_until(world, strategy, options, observe, &|| false)
}

/// The same, broken off as soon as `halted` says so, even within an episode.
pub fn run_until(
    world: &dyn FiniteWorld,
    strategy: &mut dyn Strategy,
    options: &RunOptions,
    observe: &mut FiniteObserver,
    halted: &dyn Fn() -> bool,
) -> Result<RunResult> {
    run_from(world, strategy, options, None, observe, halted)
}

/// The same, beginning with what was `seen` before.
pub(super) fn run_from(
    world: &dyn FiniteWorld,
    strategy: &mut dyn Strategy,
    options: &RunOptions,
    seen: Option<&Seen>,
    observe: &mut FiniteObserver,
    halted: &dyn Fn() -> bool,
) -> Result<RunResult> {
    let mut exploration = FiniteExploration::new(world, strategy, options)?;
    if let Some(seen) = seen {
        let inference = options.finite.inference;
        exploration.gather.learner = Learner::recall(world.task().clone(), inference, seen)?;
    }
    let deadline = exploration.deadline.clone();
    exploration.gather.halted = Box::new(move || {
        let is_late = |at: &Instant| Instant::now() >= *at;
        halted() || deadline.get().is_some_and(is_late)
    });
    let mut observe = |row: &Row, exploration: &FiniteExploration| {
        let flow = observe(row, exploration)?;
        Ok(if halted() {
            ControlFlow::Break(())
        } else {
            flow
        })
    };
    let stop = run_loop(&mut exploration, &options.run, &mut observe)?;
    exploration.finish(stop)
}

/// A strategy, the learner it feeds and the evaluator that compares them with the truth.
pub struct FiniteExploration<'a> {
    gather: Gather<'a>,
    evaluator: FiniteEvaluator<'a>,
    strategy: &'a mut dyn Strategy,
    rollouts: Stream,
    options: &'a RunOptions,
    plan: Option<Plan>,
    trace: Trace,
    /// When the time is up; known from the first evaluation on.
    deadline: Rc<OnceCell<Instant>>,
}

impl<'a> FiniteExploration<'a> {
    fn new(
        world: &'a dyn FiniteWorld,
        strategy: &'a mut dyn Strategy,
        options: &'a RunOptions,
    ) -> Result<Self> {
        let FiniteSettings {
            inference,
            plan_in,
            rollouts,
            ..
        } = options.finite;
        let mut gather = Gather::new(world, inference, options.seed)?;
        gather.samples = options.run.samples;
        if let Some(horizon) = options.run.horizon {
            gather.horizon = horizon.get();
        }
        Ok(Self {
            gather,
            evaluator: FiniteEvaluator::new(world, plan_in, rollouts)?,
            strategy,
            rollouts: Stream::new(options.seed, "rollouts"),
            options,
            plan: None,
            trace: Trace::default(),
            deadline: Rc::default(),
        })
    }

    /// What has been seen.
    pub fn learner(&self) -> &Learner {
        &self.gather.learner
    }

    /// How the samples of the last iteration were gathered; none before the first.
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    /// Whether what was learned is compared with the truth after this iteration: every few, and at the
    /// end as far as it is known beforehand.
    fn is_judged(&self, iteration: usize, accuracy: f64) -> bool {
        let limits = &self.options.run;
        let samples = self.gather.learner.samples();
        iteration.is_multiple_of(self.options.finite.judge_every)
            || iteration >= limits.iterations
            || limits.samples.is_some_and(|limit| samples >= limit)
            || limits.reaches(accuracy)
    }

    /// What a snapshot shows of the last episode; none before the first, and none of samples that
    /// were drawn without walking.
    fn moment(&self) -> Result<Option<Payload>> {
        let trajectory: Vec<u32> = self.gather.trajectory.iter().map(|s| s.0).collect();
        if trajectory.is_empty() {
            return Ok(None);
        }
        Payload::new(&FiniteMoment { trajectory }).map(Some)
    }

    fn finish(self, stop: Stop) -> Result<RunResult> {
        let payload = Payload::new(&FinitePayload {
            inference: self.options.finite.inference,
            seen: self.gather.learner.seen(),
        })?;
        let evaluator = &self.evaluator;
        let at_expert = |row: &Row| evaluator.at_expert(row.reward, row.cost);
        Ok(self
            .trace
            .finish(stop, evaluator.expert(), at_expert, payload))
    }
}

impl Exploration for FiniteExploration<'_> {
    type Row = Row;

    fn evaluate(&mut self, iteration: usize) -> Result<Row> {
        if let Some(time) = self.options.run.time {
            self.deadline.get_or_init(|| Instant::now() + time);
        }
        let learner = &self.gather.learner;
        let (evaluator, options) = (&self.evaluator, self.options);
        let at = context(iteration + 1, learner, evaluator, options, &self.trace);
        let accuracy = self.strategy.accuracy(&at)?;
        let before = self.trace.rows.last().copied();
        let judged = match before.filter(|_| !self.is_judged(iteration, accuracy)) {
            Some(before) => before,
            None => {
                let compared = self.evaluator.evaluate(learner)?;
                let (reward, cost) = self.evaluator.rollout(&mut self.rollouts)?;
                Row {
                    rollout_reward: running_score(before.map(|b| b.rollout_reward), reward),
                    rollout_cost: running_score(before.map(|b| b.rollout_cost), cost),
                    ..compared
                }
            }
        };
        Ok(Row {
            iteration,
            samples: learner.samples(),
            accuracy,
            constrained: learner.constrained_pairs().len(),
            unseen: learner.estimate().unseen(),
            ..judged
        })
    }

    fn samples(&self) -> u64 {
        self.gather.learner.samples()
    }

    fn is_done(&self, row: &Row) -> Option<Stop> {
        let reached = self.options.run.reaches(row.accuracy);
        reached.then_some(Stop::Accuracy)
    }

    fn record(&mut self, row: &Row, stop: Option<Stop>) -> Result<()> {
        self.trace.rows.push(*row);
        if Trace::wants_snapshot(row.iteration, stop) {
            let learner = &self.gather.learner;
            self.trace.snapshots.push(Snapshot {
                iteration: row.iteration,
                samples: row.samples,
                pairs: listed(learner.positive_cost(), |pair| pair.0),
                cells: listed(learner.significant_cells(), |state| state.0),
                payload: self.moment()?,
            });
        }
        Ok(())
    }

    fn advance(&mut self, iteration: usize) -> Result<()> {
        let learner = &self.gather.learner;
        let (evaluator, options) = (&self.evaluator, self.options);
        let at = context(iteration, learner, evaluator, options, &self.trace);
        let plan = self.strategy.plan(&at)?;
        for _ in 0..self.options.run.episodes {
            self.gather.episode(&plan)?;
        }
        self.plan = Some(plan);
        self.gather.learner.refresh();
        Ok(())
    }
}

/// What the strategy may look at in the iteration with this number.
fn context<'c>(
    iteration: usize,
    learner: &'c Learner,
    evaluator: &FiniteEvaluator,
    options: &RunOptions,
    trace: &Trace,
) -> Context<'c> {
    let oracle = options.finite.oracle.then(|| evaluator.oracle(learner));
    Context {
        learner,
        iteration,
        accuracy: trace.rows.last().map(|row| row.accuracy),
        oracle: oracle.flatten(),
    }
}

/// Positive entries by their numbers.
fn listed<I>(entries: Vec<(I, f64)>, number: impl Fn(I) -> u32) -> Vec<(u32, f64)> {
    let positive = entries.into_iter().filter(|(_, v)| *v > 0.0);
    positive.map(|(i, v)| (number(i), v)).collect()
}
