//! The evaluator of a maze: it alone compares what was inferred with the truth.

use crate::Result;
use crate::expert::evaluate::evaluate_policy;
use crate::expert::{EpisodeStats, Expert, evaluate};
use crate::lattice::Lattice;
use crate::learn::CellCosts;
use crate::maze::{Maze, MazeEnv, State};
use crate::plan::{PlannedPolicy, Planner};
use hedgerow::env::Layout;
use hedgerow::metrics::{Overlap, overlap};
use hedgerow::run::Row;
use hedgerow::seed::Stream;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Metres between positions, and speeds per axis, of the lattice on which agents are planned: the first
/// with no more than [`MOST_NODES`], or the last.
const LATTICES: [(f64, usize); 4] = [(0.2, 9), (0.25, 9), (0.34, 7), (0.5, 7)];

/// A node takes about a kilobyte: eight actions, each with up to sixteen nodes that it leads to.
const MOST_NODES: usize = 250_000;

/// What a whole decision in a cell with an inferred cost costs an agent, as it does the expert.
const PENALTY: f64 = 1.0;

/// Episodes per evaluation.
const EPISODES: usize = 400;

/// The randomness of these episodes: the same for all agents.
fn noise() -> Stream {
    // The label is part of the numbers; with another one the episodes would be others.
    Stream::new(0, "judge")
}

/// The optimal agent under an inferred cost, and what it truly earns and pays.
#[derive(Debug)]
pub struct PlannedAgent {
    policy: PlannedPolicy,
    /// Statistics of its episodes.
    pub stats: EpisodeStats,
}

/// The planner with the finest lattice that is not too large.
fn planner(maze: &Maze) -> Result<Planner> {
    let mut chosen = LATTICES[LATTICES.len() - 1];
    for (spacing, speeds) in LATTICES {
        if Lattice::new(maze.map(), spacing, speeds)?.nodes() <= MOST_NODES {
            chosen = (spacing, speeds);
            break;
        }
    }
    Planner::new(maze, chosen.0, chosen.1)
}

/// Evaluates learners in one maze.
#[derive(Debug)]
pub struct MazeEvaluator {
    maze: Arc<Maze>,
    planner: Planner,
    layout: Option<Layout>,
    /// The true cost by cell.
    truth: Vec<f64>,
    expert: EpisodeStats,
    /// Reward of the optimal agent under the true cost.
    best_reward: f64,
    /// Agents that were planned already, by the cells they avoid: many runs infer the same.
    agents: Mutex<BTreeMap<Vec<bool>, Arc<PlannedAgent>>>,
}

impl MazeEvaluator {
    /// An evaluator of learners that observe `expert`. `layout` has the cells of the maze as
    /// states.
    pub fn new(maze: &Arc<Maze>, expert: &Expert, layout: Option<Layout>) -> Result<Self> {
        let mut truth = vec![0.0; maze.map().rows() * maze.map().columns()];
        for (row, column) in maze.constraint_cells() {
            truth[maze.map().index(row, column)] = 1.0;
        }
        let mut evaluator = Self {
            maze: maze.clone(),
            planner: planner(maze)?,
            layout,
            expert: evaluate(maze, expert, EPISODES, noise()),
            best_reward: 0.0,
            truth,
            agents: Mutex::default(),
        };
        evaluator.best_reward = evaluator.agent(&evaluator.truth)?.stats.reward;
        Ok(evaluator)
    }

    /// Statistics of the expert's episodes.
    pub fn expert(&self) -> &EpisodeStats {
        &self.expert
    }

    /// The optimal agent that avoids the cells with a cost in `cell_costs`.
    pub fn agent(&self, cell_costs: &[f64]) -> Result<Arc<PlannedAgent>> {
        let avoided: Vec<bool> = cell_costs.iter().map(|c| *c > 0.0).collect();
        let lock = || self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(agent) = lock().get(&avoided) {
            return Ok(agent.clone());
        }
        let penalties: Vec<f64> = avoided
            .iter()
            .map(|a| f64::from(u8::from(*a)) * PENALTY)
            .collect();
        let policy = self.planner.solve(&penalties)?;
        let mut act = |state: &State| self.planner.action(&policy, state);
        let mut starts = (0..EPISODES).map(|_| None);
        let stats = evaluate_policy(&self.maze, &mut act, noise(), &mut starts);
        let agent = Arc::new(PlannedAgent { policy, stats });
        lock().insert(avoided, agent.clone());
        Ok(agent)
    }

    /// Discounted reward and cost of one episode of an agent.
    pub fn rollout(&self, agent: &PlannedAgent, env: &mut MazeEnv) -> (f64, f64) {
        env.reset();
        let design = self.maze.design();
        let (mut reward, mut cost, mut discount) = (0.0, 0.0, 1.0);
        loop {
            let state = env.observe();
            let step = env.step(self.planner.action(&agent.policy, &state));
            reward += discount * step.reward;
            cost += discount * f64::from(step.cost) / f64::from(design.hold);
            discount *= design.gamma;
            if step.done() {
                return (reward, cost);
            }
        }
    }

    /// The columns of a row that compare what was inferred with the truth; the others are blank.
    pub fn compared(&self, agent: &PlannedAgent, inferred: &CellCosts) -> Result<Row> {
        let overlap = self.overlap(inferred)?;
        Ok(Row {
            reward: agent.stats.reward,
            cost: agent.stats.cost,
            wgiou: overlap.map(|o| o.wgiou),
            giou: overlap.map(|o| o.giou),
            iou: overlap.map(|o| o.iou),
            ..Row::default()
        })
    }

    /// How well the inferred cells fit the true ones; `None` if no cell is constrained.
    pub fn overlap(&self, inferred: &CellCosts) -> Result<Option<Overlap>> {
        if self.truth.iter().all(|c| *c == 0.0) {
            return Ok(None);
        }
        let (inferred, truth) = (self.by_state(&inferred.cost), self.by_state(&self.truth));
        overlap(&inferred, &truth, self.layout.as_ref()).map(Some)
    }

    /// Share of the inferred weight that lies on cells without a true cost; 0 where nothing is charged.
    pub fn overcharged(&self, cell_costs: &[f64]) -> f64 {
        let (mut free, mut all) = (0.0, 0.0);
        for (cost, truth) in cell_costs.iter().zip(&self.truth) {
            all += cost;
            free += if *truth > 0.0 { 0.0 } else { *cost };
        }
        if all > 0.0 { free / all } else { 0.0 }
    }

    /// Values of all cells as values by state: open cells from the bottom row up, then the end.
    pub fn by_state(&self, cells: &[f64]) -> Vec<f64> {
        let map = self.maze.map();
        let open = map.open_cells();
        let values = open.map(|(row, column)| cells[map.index(row, column)]);
        values.chain(std::iter::once(0.0)).collect()
    }

    /// Whether reward and cost are at the expert's level: the reward no less than 0.9 of the
    /// expert's and no more than 1.1 of what the optimal agent earns that knows the true cells, the
    /// cost no more than 1.25 of the expert's and 0.01.
    ///
    /// The expert was trained, so the optimal agent may earn a little more.
    pub fn at_expert_level(&self, reward: f64, cost: f64) -> bool {
        let most = 1.1 * self.best_reward.max(self.expert.reward);
        (0.9 * self.expert.reward..=most).contains(&reward)
            && cost <= 1.25 * self.expert.cost + 0.01
    }
}
