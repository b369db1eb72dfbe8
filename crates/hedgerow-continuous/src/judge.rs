//! The evaluator of a maze: it alone compares what was inferred with the truth.

use crate::Result;
use crate::expert::play::{Played, count};
use crate::expert::{Expert, play};
use crate::learn::Cells;
use crate::maze::{Maze, State, World};
use crate::plan::{Plan, Planner};
use hedgerow::env::Layout;
use hedgerow::metrics::overlap;
use hedgerow::seed::Stream;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Metres between positions, and speeds an axis, of the lattice on which agents are planned.
const LATTICE: (f64, usize) = (0.2, 9);

/// What a whole decision in a cell with an inferred cost costs an agent, as it does the expert.
const PENALTY: f64 = 1.0;

/// Episodes that an agent is judged by, and the seed of their noise: the same for all.
const EPISODES: usize = 400;
const SEED: u64 = 0;

/// The best agent under an inferred cost, and what it truly earns and pays.
#[derive(Debug)]
pub struct Agent {
    plan: Plan,
    /// Its episodes.
    pub played: Played,
}

/// How well inferred cells fit the true ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitting {
    /// Intersection over union.
    pub iou: f64,
    /// The generalised one.
    pub giou: f64,
    /// The weighted generalised one.
    pub wgiou: f64,
}

/// Judges learners in one maze.
#[derive(Debug)]
pub struct Judge {
    maze: Arc<Maze>,
    planner: Planner,
    layout: Option<Layout>,
    truth: Vec<f64>,
    expert: Played,
    best: f64,
    /// Agents that were planned already, by the cells they avoid: many runs infer the same.
    agents: Mutex<BTreeMap<Vec<bool>, Arc<Agent>>>,
}

impl Judge {
    /// A judge of learners who watch `expert`. `layout` has the cells of the maze for states.
    pub fn new(maze: &Arc<Maze>, expert: &Expert, layout: Option<Layout>) -> Result<Self> {
        let columns = maze.map().columns();
        let mut truth = vec![0.0; maze.map().rows() * columns];
        for (row, column) in maze.constraint_cells() {
            truth[row * columns + column] = 1.0;
        }
        let mut judge = Self {
            maze: maze.clone(),
            planner: Planner::new(maze, LATTICE.0, LATTICE.1)?,
            layout,
            expert: play(maze, expert, EPISODES, Stream::new(SEED, "judge")),
            best: 0.0,
            truth,
            agents: Mutex::default(),
        };
        judge.best = judge.agent(&judge.truth.clone())?.played.reward;
        Ok(judge)
    }

    /// The expert's episodes.
    pub fn expert(&self) -> &Played {
        &self.expert
    }

    /// The best agent that avoids the cells with a cost in `cells`.
    pub fn agent(&self, cells: &[f64]) -> Result<Arc<Agent>> {
        let avoided: Vec<bool> = cells.iter().map(|c| *c > 0.0).collect();
        let lock = || self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(agent) = lock().get(&avoided) {
            return Ok(agent.clone());
        }
        let charged: Vec<f64> = avoided
            .iter()
            .map(|a| f64::from(u8::from(*a)) * PENALTY)
            .collect();
        let plan = self.planner.solve(&charged)?;
        let mut act = |state: &State| self.planner.action(&plan, state);
        let stream = Stream::new(SEED, "judge");
        let played = count(
            &self.maze,
            &mut act,
            stream,
            &mut (0..EPISODES).map(|_| None),
        );
        let agent = Arc::new(Agent { plan, played });
        lock().insert(avoided, agent.clone());
        Ok(agent)
    }

    /// Discounted reward and cost of one episode of an agent.
    pub fn rollout(&self, agent: &Agent, world: &mut World) -> (f64, f64) {
        world.reset();
        let design = self.maze.design();
        let (mut reward, mut cost, mut discount) = (0.0, 0.0, 1.0);
        loop {
            let state = world.observe();
            let outcome = world.decide(self.planner.action(&agent.plan, &state));
            reward += discount * outcome.reward;
            cost += discount * f64::from(outcome.cost) / f64::from(design.hold);
            discount *= design.gamma;
            if outcome.over() {
                return (reward, cost);
            }
        }
    }

    /// How well inferred cells fit the true ones; `None` without a true one.
    pub fn fitting(&self, cells: &Cells) -> Result<Option<Fitting>> {
        if self.truth.iter().all(|c| *c == 0.0) {
            return Ok(None);
        }
        let states = |values: &[f64]| self.by_state(values);
        let (inferred, truth) = (states(&cells.cost), states(&self.truth));
        let overlap = overlap(&inferred, &truth, self.layout.as_ref())?;
        Ok(Some(Fitting {
            iou: overlap.iou,
            giou: overlap.giou,
            wgiou: overlap.wgiou,
        }))
    }

    /// Values of the cells of the maze by state: open cells from the bottom row up, then the end.
    pub fn by_state(&self, cells: &[f64]) -> Vec<f64> {
        let map = self.maze.map();
        let open = crate::site::open_cells(map);
        let values = open.map(|(row, column)| cells[row * map.columns() + column]);
        values.chain(std::iter::once(0.0)).collect()
    }

    /// Whether reward and cost are at the expert's level: the reward no less than 0.9 of the
    /// expert's and no more than 1.1 of what the best agent earns that knows the true cells, the
    /// cost no more than 1.25 of the expert's and 0.01.
    ///
    /// The expert was trained, not solved for, so the best agent may earn a little more.
    pub fn at_expert(&self, reward: f64, cost: f64) -> bool {
        let most = 1.1 * self.best.max(self.expert.reward);
        (0.9 * self.expert.reward..=most).contains(&reward)
            && cost <= 1.25 * self.expert.cost + 0.01
    }
}
