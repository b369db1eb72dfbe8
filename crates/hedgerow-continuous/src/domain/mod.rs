//! Continuous worlds as a domain: the same loop, files and reports as finite ones.
//!
//! ```
//! use hedgerow::domain::{Domain, Domains};
//! use hedgerow_continuous::ContinuousDomain;
//!
//! let domains = Domains::default().with(ContinuousDomain);
//! assert_eq!(domains.of("point-maze")?.name(), "continuous");
//! assert_eq!(domains.of("gridworld-1")?.name(), "finite");
//! # Ok::<(), hedgerow_continuous::Error>(())
//! ```

mod describe;
mod exploration;
mod settings;
mod summary;

pub use settings::PARAMETERS;

use crate::evaluator::MazeEvaluator;
use crate::expert::{self, Expert};
use crate::explore;
use crate::maze::{Maze, builtin, file};
use crate::payload::DOMAIN;
use crate::{Error, Result};
use hedgerow::domain::{Domain, RowObserver, World};
use hedgerow::explore::StrategyInfo;
use hedgerow::param::Parameter;
use hedgerow::results::EnvironmentFile;
use hedgerow::run::{RunResult, RunSettings, RunSpec, run_loop};
use std::path::Path;
use std::sync::Arc;

/// A maze with its expert and its evaluator.
#[derive(Debug)]
pub struct MazeWorld {
    maze: Arc<Maze>,
    expert: Expert,
    evaluator: MazeEvaluator,
    file: EnvironmentFile,
}

impl MazeWorld {
    /// The world of a maze and an expert that was trained in it.
    pub fn new(maze: Maze, expert: Expert) -> Result<Self> {
        let maze = Arc::new(maze);
        let mut file = describe::describe(&maze, &expert)?;
        let evaluator = MazeEvaluator::new(&maze, &expert, file.grid()?)?;
        file.expert_reward = evaluator.expert().reward;
        file.expert_cost = evaluator.expert().cost;
        Ok(Self {
            maze,
            expert,
            evaluator,
            file,
        })
    }

    /// The maze.
    pub fn maze(&self) -> &Arc<Maze> {
        &self.maze
    }

    /// Its expert.
    pub fn expert(&self) -> &Expert {
        &self.expert
    }

    /// Its evaluator.
    pub fn evaluator(&self) -> &MazeEvaluator {
        &self.evaluator
    }
}

/// Continuous worlds: mazes, built in and drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContinuousDomain;

impl Domain for ContinuousDomain {
    fn name(&self) -> &'static str {
        DOMAIN
    }

    fn summary(&self) -> &'static str {
        "continuous worlds: the Point Maze and drawn mazes"
    }

    fn environments(&self) -> Vec<String> {
        builtin::NAMES.iter().map(|&n| n.to_owned()).collect()
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn strategies(&self) -> Vec<StrategyInfo> {
        explore::STRATEGIES.iter().map(|s| s.info).collect()
    }

    fn recognises(&self, source: &str) -> Result<bool> {
        if builtin::NAMES.contains(&source) {
            return Ok(true);
        }
        let path = Path::new(source);
        if path.extension().is_none_or(|e| e != "toml") || !path.is_file() {
            return Ok(false);
        }
        let bytes = std::fs::read(path).map_err(|e| Error::reading(path, e))?;
        // A file that is not text is no maze; what is wrong with it is said when it is opened.
        Ok(str::from_utf8(&bytes).is_ok_and(file::is_maze))
    }

    fn definition(&self, source: &str) -> Result<String> {
        Ok(open_maze(source)?.design().to_toml())
    }

    fn open(&self, source: &str) -> Result<Arc<dyn World>> {
        let maze = open_maze(source)?;
        let expert = expert::find(source, &maze, true)?;
        Ok(Arc::new(MazeWorld::new(maze, expert)?))
    }
}

/// The maze called `source`: built in, or a file.
pub fn open_maze(source: &str) -> Result<Maze> {
    if builtin::NAMES.contains(&source) {
        return builtin::maze(source);
    }
    let path = Path::new(source);
    let text = hedgerow::io::read_text(path)?;
    file::parse_file(&text, path)
}

impl World for MazeWorld {
    fn file(&self) -> &EnvironmentFile {
        &self.file
    }

    fn run(&self, spec: &RunSpec, observe: &mut RowObserver) -> Result<RunResult> {
        let settings = RunSettings::new(&spec.settings);
        let mut exploration = exploration::MazeExploration::new(self, spec, settings)?;
        let stop = run_loop(&mut exploration, &settings, &mut |row, _| Ok(observe(row)))?;
        exploration.finish(stop)
    }
}
