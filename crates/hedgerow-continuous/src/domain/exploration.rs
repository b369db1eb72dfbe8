//! One run in a maze.

use super::MazeWorld;
use super::settings::MazeSettings;
use super::summary::{RunFindings, points, sample_file, summary, value_at_start};
use crate::Result;
use crate::explore::{self, Strategy};
use crate::learn::{KnownWorld, Learner, Sample};
use crate::maze::physics::STEP;
use crate::maze::{FORCES, MazeEnv};
use crate::net::Scratch;
use hedgerow::run::{
    Exploration, Payload, Row, RunResult, RunSettings, RunSpec, Snapshot, Stop, Trace,
    running_score,
};
use hedgerow::seed::Stream;

/// A run whose charged weight lies on free cells by a larger share than this is not at the expert's
/// level, whatever its agent earns.
const MOST_OVERCHARGED: f64 = 0.1;

/// A strategy, the learner it feeds and the evaluator of both.
pub(super) struct MazeExploration<'a> {
    world: &'a MazeWorld,
    settings: RunSettings,
    maze_settings: MazeSettings,
    env: MazeEnv,
    scratch: Scratch,
    learner: Learner,
    strategy: Box<dyn Strategy>,
    acting: Stream,
    rollouts: MazeEnv,
    trace: Trace,
    /// Whether an action was ever tried in a cell, by cell and action.
    tried: Vec<bool>,
    /// Share of the charged weight that lies on free cells, by iteration.
    overcharged: Vec<f64>,
    /// Samples when everything was learned last.
    learned: usize,
    objectives: Vec<(f64, f64)>,
}

impl<'a> MazeExploration<'a> {
    pub(super) fn new(world: &'a MazeWorld, spec: &RunSpec, settings: RunSettings) -> Result<Self> {
        let maze = world.maze();
        let design = maze.design();
        let seed = spec.id.seed;
        let maze_settings = MazeSettings::new(&spec.settings)?;
        let known = KnownWorld {
            map: maze.map().clone(),
            gamma: design.gamma,
            seconds: STEP * f64::from(design.hold),
        };
        let entry = explore::find(spec.strategy())?;
        let strategy = (entry.build)(&spec.strategy_settings, design.gamma, seed)?;
        let cells = maze.map().rows() * maze.map().columns();
        Ok(Self {
            learner: Learner::new(known, maze_settings.inference, &maze_settings.density)?,
            env: MazeEnv::new(maze, Stream::new(seed, "maze")),
            rollouts: MazeEnv::new(maze, Stream::new(seed, "rollouts")),
            acting: Stream::new(seed, "acting"),
            scratch: world.expert().scratch(),
            settings,
            maze_settings,
            tried: vec![false; cells * FORCES.len()],
            trace: Trace::default(),
            overcharged: Vec::new(),
            learned: 0,
            objectives: Vec::new(),
            world,
            strategy,
        })
    }

    /// The result of a run that ended here.
    pub(super) fn finish(mut self, stop: Stop) -> Result<RunResult> {
        self.refresh()?;
        let evaluator = self.world.evaluator();
        let expert = (evaluator.expert().reward, evaluator.expert().cost);
        let overcharged = self.overcharged;
        let at_expert = |row: &Row| {
            let free = overcharged.get(row.iteration).copied().unwrap_or(0.0);
            evaluator.at_expert_level(row.reward, row.cost) && free <= MOST_OVERCHARGED
        };
        let found = RunFindings {
            overcharged: overcharged.last().copied().unwrap_or(0.0),
            value_at_start: (value_at_start(&self.learner), evaluator.expert().reward),
            objectives: self.objectives,
        };
        let payload = Payload::new(&summary(&self.learner, found))?;
        let mut result = self.trace.finish(stop, expert, at_expert, payload);
        if self.maze_settings.keep_samples {
            result.samples = Some(sample_file(&self.learner).bytes()?);
        }
        Ok(result)
    }

    /// Learns from all samples and plans anew.
    fn refresh(&mut self) -> Result<()> {
        if self.learned == self.learner.samples().len() {
            return Ok(());
        }
        self.learned = self.learner.samples().len();
        self.learner.refresh();
        self.maze_settings.deviation.plan(&self.learner);
        self.strategy.plan(&self.learner)?;
        self.objectives.extend(self.strategy.objective());
        Ok(())
    }

    fn is_spent(&self) -> bool {
        let limit = self.settings.samples;
        limit.is_some_and(|limit| self.learner.samples().len() as u64 >= limit)
    }

    /// One episode of the strategy, or of the expert alone.
    fn episode(&mut self, demonstrated: bool) {
        self.env.reset();
        self.maze_settings.deviation.begin(&mut self.acting);
        let mut state = self.env.observe();
        let horizon = self.settings.horizon.map_or(usize::MAX, |h| h.get());
        let map = self.world.maze().map();
        for decision in 1.. {
            let expert = self.world.expert().action(&state, &mut self.scratch);
            let follows = demonstrated || self.maze_settings.deviation.is_over();
            let action = match follows {
                true => expert,
                false => (self.strategy).act(&self.learner, &state, expert, &mut self.acting),
            };
            let step = self.env.step(action);
            let next = self.env.observe();
            if let Some(cell) = map.index_at([state[0], state[1]]) {
                self.tried[cell * FORCES.len() + action] = true;
            }
            let last = step.done()
                || decision >= horizon
                || self.settings.samples == Some(self.learner.samples().len() as u64 + 1);
            self.learner.observe(Sample {
                state,
                action: action as u8,
                expert: expert as u8,
                next,
                reward: step.reward,
                terminated: step.terminated,
                last,
            });
            if last {
                return;
            }
            state = next;
        }
    }

    fn untried(&self) -> usize {
        let map = self.world.maze().map();
        let cells = map.open_cells().map(|(row, column)| map.index(row, column));
        let each = FORCES.len();
        let untried = |cell: usize| {
            let tried = &self.tried[cell * each..(cell + 1) * each];
            tried.iter().filter(|t| !**t).count()
        };
        cells.map(untried).sum()
    }
}

impl Exploration for MazeExploration<'_> {
    type Row = Row;

    fn evaluate(&mut self, iteration: usize) -> Result<Row> {
        let evaluator = self.world.evaluator();
        let cells = self.learner.cell_costs();
        let agent = evaluator.agent(&cells.cost)?;
        let compared = evaluator.compared(&agent, cells)?;
        self.overcharged.push(evaluator.overcharged(&cells.cost));
        let (reward, cost) = evaluator.rollout(&agent, &mut self.rollouts);
        let before = self.trace.rows.last();
        Ok(Row {
            iteration,
            samples: self.samples(),
            accuracy: self.learner.accuracy(&self.maze_settings.bound),
            rollout_reward: running_score(before.map(|b| b.rollout_reward), reward),
            rollout_cost: running_score(before.map(|b| b.rollout_cost), cost),
            constrained: self.learner.costs().iter().filter(|c| **c > 0.0).count(),
            unseen: self.untried(),
            ..compared
        })
    }

    fn samples(&self) -> u64 {
        self.learner.samples().len() as u64
    }

    fn is_done(&self, row: &Row) -> Option<Stop> {
        let reached = self.settings.reaches(row.accuracy);
        reached.then_some(Stop::Accuracy)
    }

    fn record(&mut self, row: &Row, stop: Option<Stop>) -> Result<()> {
        self.trace.rows.push(*row);
        if Trace::wants_snapshot(row.iteration, stop) {
            let cells = self.learner.cell_costs();
            let cells = self.world.evaluator().by_state(&cells.cost);
            let positive = cells.into_iter().enumerate().filter(|(_, c)| *c > 0.0);
            let points = points(&self.learner.cost_points(), self.maze_settings.points);
            self.trace.snapshots.push(Snapshot {
                iteration: row.iteration,
                samples: row.samples,
                pairs: Vec::new(),
                cells: positive.map(|(s, c)| (s as u32, c)).collect(),
                payload: Some(Payload::new(&points)?),
            });
        }
        Ok(())
    }

    fn advance(&mut self, iteration: usize) -> Result<()> {
        if iteration == 1 {
            for _ in 0..self.maze_settings.demonstrations {
                if !self.is_spent() {
                    self.episode(true);
                }
            }
            self.refresh()?;
        }
        self.strategy.begin(iteration);
        for _ in 0..self.settings.episodes {
            if !self.is_spent() {
                self.episode(false);
            }
        }
        // Learning goes over all samples. Once they have grown by a share, all of it together takes as
        // long as going over the last ones a fixed number of times.
        let grown = self.learner.samples().len() as f64;
        if grown >= (1.0 + self.maze_settings.refresh) * self.learned as f64 {
            self.refresh()?;
        }
        Ok(())
    }
}
