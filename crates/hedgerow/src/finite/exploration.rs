//! One run in a finite world.

use crate::Result;
use crate::env::FiniteWorld;
use crate::explore::{Context, Plan, Strategy};
use crate::finite::checkpoint::Checkpoint;
use crate::finite::{FiniteSettings, Gather};
use crate::index::State;
use crate::learn::{Inference, Learner, Seen};
use crate::metrics::FiniteEvaluator;
use crate::run::{
    Exploration, KeepNothing, Keeper, Payload, Row, RunResult, RunSettings, RunSpec, Snapshot,
    Stop, Trace, run_loop, running_score,
};
use crate::seed::Stream;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Instant;

/// States that iterations look at between two renewals, all together: some seconds of a large world, and
/// more than there are in a run of a small one.
const RENEWAL: usize = 2_000_000;

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
    let begin = Begin {
        seen: None,
        spec: None,
        keeper: &mut KeepNothing,
    };
    run_from(world, strategy, options, begin, observe, halted)
}

/// What a run begins with, and where it keeps its checkpoints.
pub(super) struct Begin<'a> {
    /// Seen before.
    pub seen: Option<&'a Seen>,
    /// What determines the run; without it there are no checkpoints.
    pub spec: Option<&'a RunSpec>,
    /// Who keeps them.
    pub keeper: &'a mut dyn Keeper,
}

/// The same, beginning with what was seen before or kept of this very run.
pub(super) fn run_from(
    world: &dyn FiniteWorld,
    strategy: &mut dyn Strategy,
    options: &RunOptions,
    begin: Begin,
    observe: &mut FiniteObserver,
    halted: &dyn Fn() -> bool,
) -> Result<RunResult> {
    let mut exploration = FiniteExploration::new(world, strategy, options)?;
    if let Some(seen) = begin.seen {
        exploration.recall(seen)?;
    }
    let kept = begin.spec.and_then(|spec| {
        let bytes = begin.keeper.kept()?;
        Checkpoint::read(&bytes, spec)
    });
    if let Some(checkpoint) = kept {
        exploration.go_on(checkpoint)?;
    }
    if let Some(spec) = begin.spec {
        exploration.keeping = Some((spec, &mut *begin.keeper));
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
    world: &'a dyn FiniteWorld,
    /// The iteration that comes first.
    first: usize,
    /// States that iterations had to look at since the last [renewal](Self::renew).
    work: usize,
    keeping: Option<(&'a RunSpec, &'a mut dyn Keeper)>,
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
            world,
            first: 0,
            work: 0,
            keeping: None,
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

    /// The states of the last episode in order, of a very long one its beginning; none before the
    /// first, and none of samples that were drawn without walking.
    pub fn trajectory(&self) -> &[State] {
        &self.gather.trajectory
    }

    /// Makes the learner one that has seen this and no more.
    fn recall(&mut self, seen: &Seen) -> Result<()> {
        let task = self.world.task().clone();
        self.gather.learner = Learner::recall(task, self.options.finite.inference, seen)?;
        Ok(())
    }

    /// Goes on from where a run of the same specification was.
    fn go_on(&mut self, checkpoint: Checkpoint) -> Result<()> {
        self.recall(&checkpoint.seen)?;
        self.strategy.recall(&checkpoint.strategy)?;
        self.gather.go_to(&checkpoint.simulator, checkpoint.acting);
        self.gather.trajectory = checkpoint.trajectory.into_iter().map(State).collect();
        self.rollouts.go_to(checkpoint.rollouts);
        self.trace = Trace {
            rows: checkpoint.rows,
            snapshots: checkpoint.snapshots,
        };
        self.first = checkpoint.iteration;
        Ok(())
    }

    /// After a fixed amount of work, drops all that is kept to go faster, so that what follows depends on
    /// counts and random streams alone, whether or not the run is ever interrupted; and keeps those
    /// if it is time. Nothing is dropped where they cannot be told.
    fn renew(&mut self, iteration: usize) -> Result<()> {
        self.work += self.gather.learner.entered().len();
        if self.work < RENEWAL {
            return Ok(());
        }
        self.work = 0;
        let Some((simulator, acting)) = self.gather.position() else {
            return Ok(());
        };
        if self.strategy.remembered().is_none() {
            return Ok(());
        }
        self.strategy.renew();
        self.evaluator.renew();
        let seen = self.gather.learner.seen();
        self.recall(&seen)?;
        let is_due = |(_, keeper): &(_, &mut dyn Keeper)| keeper.is_due();
        if let Some((spec, keeper)) = self.keeping.as_mut().filter(|k| is_due(k)) {
            let checkpoint = Checkpoint {
                iteration,
                seen,
                strategy: self.strategy.remembered().unwrap_or_default(),
                simulator,
                acting,
                rollouts: self.rollouts.position(),
                trajectory: self.gather.trajectory.iter().map(|s| s.0).collect(),
                rows: self.trace.rows.clone(),
                snapshots: self.trace.snapshots.clone(),
            };
            keeper.keep(&checkpoint.write(spec)?)?;
        }
        Ok(())
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

    fn first(&self) -> usize {
        self.first
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
        self.renew(iteration)
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
