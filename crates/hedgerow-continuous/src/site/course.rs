//! The course of a run in a maze.

use super::MazeSite;
use super::settings::MazeSettings;
use crate::Result;
use crate::explore::{self, Strategy};
use crate::learn::{KnownWorld, Learner, Sample};
use crate::maze::physics::STEP;
use crate::maze::{FORCES, MazeEnv};
use crate::net::Scratch;
use hedgerow::param::Parameters;
use hedgerow::run::{Course, Row, Settings, Snapshot, Survey, score};
use hedgerow::seed::Stream;
use hedgerow::sweep::Order;

/// A strategy, the learner it feeds and the evaluator of both.
pub(super) struct MazeCourse<'a> {
    site: &'a MazeSite,
    settings: &'a Settings,
    maze_settings: MazeSettings,
    env: MazeEnv,
    scratch: Scratch,
    learner: Learner,
    strategy: Box<dyn Strategy>,
    acting: Stream,
    rollouts: MazeEnv,
    watch: &'a mut dyn FnMut(&Row) -> bool,
    /// Whether an action was ever tried in a cell, by cell and action.
    tried: Vec<bool>,
}

impl<'a> MazeCourse<'a> {
    pub(super) fn new(
        site: &'a MazeSite,
        order: &Order<'a>,
        watch: &'a mut dyn FnMut(&Row) -> bool,
    ) -> Result<Self> {
        let maze = site.maze();
        let design = maze.design();
        let settings = MazeSettings::new(order.table);
        let known = KnownWorld {
            map: maze.map().clone(),
            gamma: design.gamma,
            seconds: STEP * f64::from(design.hold),
        };
        let entry = explore::find(order.strategy.name)?;
        let parameters = Parameters::defaults(entry.parameters);
        let strategy = (entry.build)(&parameters, design.gamma, order.seed)?;
        let cells = maze.map().rows() * maze.map().columns();
        Ok(Self {
            learner: Learner::new(known, settings.inference, &settings.density)?,
            env: MazeEnv::new(maze, Stream::new(order.seed, "maze")),
            rollouts: MazeEnv::new(maze, Stream::new(order.seed, "rollouts")),
            acting: Stream::new(order.seed, "acting"),
            scratch: site.expert().scratch(),
            settings: order.settings,
            maze_settings: settings,
            tried: vec![false; cells * FORCES.len()],
            site,
            strategy,
            watch,
        })
    }

    fn spent(&self) -> bool {
        let limit = self.settings.samples;
        limit.is_some_and(|limit| self.learner.samples().len() as u64 >= limit)
    }

    fn episode(&mut self) {
        self.env.reset();
        self.strategy.begin(&mut self.acting);
        let mut state = self.env.observe();
        let horizon = self.settings.horizon.unwrap_or(usize::MAX);
        let map = self.site.maze().map();
        for decision in 1.. {
            let expert = self.site.expert().action(&state, &mut self.scratch);
            let action = self
                .strategy
                .act(&self.learner, &state, expert, &mut self.acting);
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

    /// What is known in the end.
    pub(super) fn survey(&self) -> Survey {
        super::survey::survey(&self.learner)
    }

    fn untried(&self) -> usize {
        let map = self.site.maze().map();
        let cells = map.open_cells().map(|(row, column)| map.index(row, column));
        let each = FORCES.len();
        let untried = |cell: usize| {
            let tried = &self.tried[cell * each..(cell + 1) * each];
            tried.iter().filter(|t| !**t).count()
        };
        cells.map(untried).sum()
    }
}

impl Course for MazeCourse<'_> {
    fn judge(&mut self, iteration: usize, before: Option<&Row>) -> Result<Row> {
        let evaluator = self.site.evaluator();
        let cells = self.learner.cell_costs();
        let agent = evaluator.agent(&cells.cost)?;
        let overlap = evaluator.overlap(cells)?;
        let (reward, cost) = evaluator.rollout(&agent, &mut self.rollouts);
        Ok(Row {
            iteration,
            samples: self.learner.samples().len() as u64,
            reward: agent.stats.reward,
            cost: agent.stats.cost,
            wgiou: overlap.map(|f| f.wgiou),
            accuracy: self.learner.accuracy(&self.settings.inference),
            giou: overlap.map(|f| f.giou),
            iou: overlap.map(|f| f.iou),
            rollout_reward: score(before.map(|b| b.rollout_reward), reward),
            rollout_cost: score(before.map(|b| b.rollout_cost), cost),
            constrained: self.learner.costs().iter().filter(|c| **c > 0.0).count(),
            unseen: self.untried(),
        })
    }

    fn tell(&mut self, row: &Row) -> Result<bool> {
        Ok((self.watch)(row))
    }

    fn snapshot(&mut self, row: &Row) -> Result<Snapshot> {
        let cells = self.learner.cell_costs();
        let cells = self.site.evaluator().by_state(&cells.cost);
        let positive = cells.into_iter().enumerate().filter(|(_, c)| *c > 0.0);
        Ok(Snapshot {
            iteration: row.iteration,
            samples: row.samples,
            pairs: Vec::new(),
            cells: positive.map(|(s, c)| (s as u32, c)).collect(),
            points: super::survey::thinned(self.learner.cost_points(), self.maze_settings.points),
        })
    }

    fn advance(&mut self, iteration: usize) -> Result<()> {
        self.strategy.plan(&self.learner, iteration)?;
        let first = self.learner.samples().len();
        for _ in 0..self.settings.episodes {
            if !self.spent() {
                self.episode();
            }
        }
        self.strategy.learn(&self.learner, first)?;
        self.learner.refresh();
        Ok(())
    }

    fn at_expert(&self, row: &Row) -> bool {
        self.site.evaluator().at_expert_level(row.reward, row.cost)
    }
}
