//! What drawings need of a maze.

use crate::Result;
use crate::expert::{self, Expert};
use crate::maze::contact::RADIUS;
use crate::maze::{FORCES, Maze, MazeEnv};
use crate::payload::{DOMAIN, MazeGeometry};
use hedgerow::fingerprint::Fingerprint;
use hedgerow::results::{EnvironmentFile, LayoutFile};
use hedgerow::run::Payload;
use hedgerow::seed::Stream;
use std::sync::Arc;

/// Trajectories of the expert that are drawn.
const PATHS: usize = 8;

/// Episodes from which it is told where the expert spends its time.
const EPISODES: usize = 100;

/// The environment file of a maze. The expert's reward and cost are left at 0: they are the
/// evaluator's business.
pub(super) fn describe(maze: &Arc<Maze>, expert: &Expert) -> Result<EnvironmentFile> {
    let (design, map) = (maze.design(), maze.map());
    let cells: Vec<(usize, usize)> = map.open_cells().collect();
    let state = |cell: (usize, usize)| cells.iter().position(|c| *c == cell);
    let at = |[x, y]: [f64; 2]| map.cell_at([x, y]).and_then(state);
    let starts: Vec<usize> = maze.starts().iter().filter_map(|p| at(*p)).collect();
    let share = 1.0 / starts.len().max(1) as f64;
    let each = FORCES.len();
    let pairs = (0..cells.len()).flat_map(|s| (0..each).map(move |a| (s as u32, a as u32)));
    let goals = maze.goals().iter().filter_map(|p| at(*p));
    let rewards = goals.flat_map(|g| g * each..(g + 1) * each);
    let constraints = maze.constraint_cells();
    let true_cells = constraints.iter().filter_map(|c| state(*c));
    let trajectories = Trajectories::of(maze, expert, &|p| at(p), cells.len());
    let end = || std::iter::once("end".to_owned());
    let names = cells
        .iter()
        .map(|(row, column)| format!("cell {row},{column}"));
    Ok(EnvironmentFile {
        format: EnvironmentFile::FORMAT.to_owned(),
        domain: DOMAIN.to_owned(),
        name: maze.name().to_owned(),
        fingerprint: fingerprint(maze, expert).to_string(),
        states: cells.len() + 1,
        gamma: design.gamma,
        horizon: design.horizon.div_ceil(design.hold) as usize,
        budget: 0.0,
        expert_reward: 0.0,
        expert_cost: 0.0,
        layout: Some(layout(maze, &cells)),
        actions: FORCES.iter().map(|(name, _)| (*name).to_owned()).collect(),
        pairs: pairs.collect(),
        state_names: names.chain(end()).collect(),
        start: starts.iter().map(|&s| (s as u32, share)).collect(),
        rewards: rewards.map(|pair| (pair as u32, 1.0)).collect(),
        transition_rewards: Vec::new(),
        value_range: None,
        observed_rewards: None,
        warm_samples: 0,
        true_cells: true_cells.map(|s| (s as u32, 1.0)).collect(),
        expert_cells: trajectories.time,
        expert: Vec::new(),
        graph: None,
        geometry: Some(Payload::new(&geometry(maze, trajectories.paths))?),
        exact: None,
    })
}

fn layout(maze: &Maze, cells: &[(usize, usize)]) -> LayoutFile {
    let lines = maze.design().lines.iter();
    LayoutFile {
        rows: maze.map().rows(),
        columns: maze.map().columns(),
        map: lines.map(|line| line.iter().collect()).collect(),
        cells: cells
            .iter()
            .map(|&cell| Some(cell))
            .chain(std::iter::once(None))
            .collect(),
        per_square: 1,
    }
}

fn geometry(maze: &Maze, paths: Vec<Vec<[f64; 2]>>) -> MazeGeometry {
    let (design, map) = (maze.design(), maze.map());
    let half = |cells: usize| map.size() * cells as f64 / 2.0;
    let constraints = maze.constraint_cells();
    let centres = constraints.iter();
    MazeGeometry {
        cell: map.size(),
        corner: [-half(map.columns()), -half(map.rows())],
        radius: RADIUS,
        starts: maze.starts().to_vec(),
        start_noise: design.start_noise,
        goals: maze.goals().to_vec(),
        goal_radius: design.goal_radius,
        constraints: centres
            .map(|&(row, column)| map.cell_centre(row, column))
            .collect(),
        paths,
    }
}

/// Where the expert goes.
struct Trajectories {
    paths: Vec<Vec<[f64; 2]>>,
    time: Vec<(u32, f64)>,
}

impl Trajectories {
    fn of(
        maze: &Arc<Maze>,
        expert: &Expert,
        at: &dyn Fn([f64; 2]) -> Option<usize>,
        cells: usize,
    ) -> Self {
        let gamma = maze.design().gamma;
        let mut env = MazeEnv::new(maze, Stream::new(0, "ways"));
        let mut scratch = expert.scratch();
        let mut paths = Vec::new();
        let mut time = vec![0.0; cells];
        let short = |[x, y]: [f64; 2]| [x, y].map(|v| (v * 1e4).round() / 1e4);
        for _ in 0..EPISODES {
            env.reset();
            let mut path = vec![short(env.ball().position)];
            let mut share = (1.0 - gamma) / EPISODES as f64;
            loop {
                if let Some(cell) = at(env.ball().position) {
                    time[cell] += share;
                }
                share *= gamma;
                let state = env.observe();
                let step = env.step(expert.action(&state, &mut scratch));
                path.push(short(env.ball().position));
                if step.done() {
                    break;
                }
            }
            if paths.len() < PATHS {
                paths.push(path);
            }
        }
        let visited = time.iter().enumerate().filter(|(_, t)| **t > 0.0);
        Self {
            paths,
            time: visited.map(|(s, t)| (s as u32, *t)).collect(),
        }
    }
}

/// The fingerprint of all that defines a maze and its expert.
fn fingerprint(maze: &Maze, expert: &Expert) -> Fingerprint {
    let design = maze.design();
    let mut f = expert::fingerprint(maze);
    f.text(&design.name).whole(design.horizon as usize);
    f.numbers(&[design.start_noise, design.position_noise]);
    for &w in expert.net().values() {
        f.numbers(&[f64::from(w)]);
    }
    f
}
