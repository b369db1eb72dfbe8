//! The course of a run in a maze.

use super::MazeSite;
use super::settings::MazeSettings;
use crate::explore::{self, Strategy};
use crate::learn::{Learner, Sample, Terms};
use crate::maze::physics::STEP;
use crate::maze::{FORCES, World};
use crate::net::Scratch;
use crate::{Error, Result};
use hedgerow::run::{Course, Row, Settings, Snapshot, Survey, score};
use hedgerow::seed::Stream;
use hedgerow::sweep::Order;

/// A strategy, the learner it feeds and the judge of both.
pub(super) struct MazeCourse<'a> {
    site: &'a MazeSite,
    settings: &'a Settings,
    maze_settings: MazeSettings,
    world: World,
    scratch: Scratch,
    learner: Learner,
    strategy: Box<dyn Strategy>,
    acting: Stream,
    rollouts: World,
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
        let terms = Terms {
            map: maze.map().clone(),
            gamma: design.gamma,
            seconds: STEP * f64::from(design.hold),
        };
        let name = order.strategy.name;
        let strategy = explore::named(name, design.gamma, order.seed)?;
        let strategy = strategy.ok_or_else(|| {
            let remedy = format!("use some of {}", explore::NAMES.join(", "));
            Error::invalid(
                "strategy",
                format!("`{name}` cannot be run in mazes"),
                remedy,
            )
        })?;
        let cells = maze.map().rows() * maze.map().columns();
        Ok(Self {
            learner: Learner::new(terms, settings.inference, &settings.density)?,
            world: World::new(maze, Stream::new(order.seed, "maze")),
            rollouts: World::new(maze, Stream::new(order.seed, "rollouts")),
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
        self.world.reset();
        self.strategy.begin(&mut self.acting);
        let mut state = self.world.observe();
        let horizon = self.settings.horizon.unwrap_or(usize::MAX);
        let map = self.site.maze().map();
        for step in 1.. {
            let expert = self.site.expert().action(&state, &mut self.scratch);
            let action = self
                .strategy
                .act(&self.learner, &state, expert, &mut self.acting);
            let outcome = self.world.decide(action);
            let next = self.world.observe();
            if let Some((row, column)) = map.cell_at([state[0], state[1]]) {
                let cell = row * map.columns() + column;
                self.tried[cell * FORCES.len() + action] = true;
            }
            let last = outcome.over()
                || step >= horizon
                || self.settings.samples == Some(self.learner.samples().len() as u64 + 1);
            self.learner.see(Sample {
                state,
                action: action as u8,
                expert: expert as u8,
                next,
                reward: outcome.reward,
                ended: outcome.ended,
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
        let cells = super::open_cells(map).map(|(row, column)| row * map.columns() + column);
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
        let judge = self.site.judge();
        let cells = self.learner.cells();
        let agent = judge.agent(&cells.cost)?;
        let fitting = judge.fitting(cells)?;
        let (reward, cost) = judge.rollout(&agent, &mut self.rollouts);
        Ok(Row {
            iteration,
            samples: self.learner.samples().len() as u64,
            reward: agent.played.reward,
            cost: agent.played.cost,
            wgiou: fitting.map(|f| f.wgiou),
            accuracy: self.learner.accuracy(&self.settings.inference),
            giou: fitting.map(|f| f.giou),
            iou: fitting.map(|f| f.iou),
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
        let cells = self.site.judge().by_state(&self.learner.cells().cost);
        let positive = cells.into_iter().enumerate().filter(|(_, c)| *c > 0.0);
        Ok(Snapshot {
            iteration: row.iteration,
            samples: row.samples,
            pairs: Vec::new(),
            cells: positive.map(|(s, c)| (s as u32, c)).collect(),
            points: super::survey::thinned(self.learner.points(), self.maze_settings.points),
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
        self.site.judge().at_expert(row.reward, row.cost)
    }
}
