//! Mazes as environments of a sweep: the same loop, files, reports.

mod course;
mod describe;
mod settings;
mod survey;

pub use settings::{PARAMETERS, TABLE};

use crate::evaluator::MazeEvaluator;
use crate::expert::{self, Expert};
use crate::explore;
use crate::maze::{Maze, builtin, file};
use crate::{Error, Result};
use hedgerow::explore::Entry;
use hedgerow::run::{Record, Row, drive};
use hedgerow::sweep::{EnvironmentFile, Experiment, Order, Site};
use std::path::Path;
use std::sync::Arc;

/// A maze with its expert and its evaluator.
#[derive(Debug)]
pub struct MazeSite {
    maze: Arc<Maze>,
    expert: Expert,
    evaluator: MazeEvaluator,
    file: EnvironmentFile,
}

impl MazeSite {
    /// The site of a maze and an expert that was trained in it.
    pub fn new(maze: Maze, expert: Expert) -> Result<Self> {
        let maze = Arc::new(maze);
        let mut file = describe::describe(&maze, &expert);
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

impl Site for MazeSite {
    fn file(&self) -> &EnvironmentFile {
        &self.file
    }

    fn table(&self) -> Option<&'static str> {
        Some(TABLE)
    }

    fn accepts(&self, strategy: &Entry) -> Result<()> {
        let names = || explore::STRATEGIES.iter().map(|s| s.name);
        match names().any(|name| name == strategy.name) {
            true => Ok(()),
            false => Err(Error::invalid(
                "strategy",
                format!(
                    "`{}` cannot be run in the maze `{}`",
                    strategy.name, self.file.name
                ),
                format!("use some of {}", names().collect::<Vec<_>>().join(", ")),
            )),
        }
    }

    fn run(&self, order: &Order, watch: &mut dyn FnMut(&Row) -> bool) -> Result<Record> {
        let mut course = course::MazeCourse::new(self, order, watch)?;
        let history = drive(&mut course, order.settings)?;
        Ok(Record {
            stop: history.stop,
            rows: history.rows,
            snapshots: history.snapshots,
            samples_to_expert: history.samples_to_expert,
            seen: hedgerow::learn::Seen::default(),
            survey: Some(course.survey()),
            expert_reward: self.evaluator.expert().reward,
            expert_cost: self.evaluator.expert().cost,
        })
    }
}

/// The maze called `source`, if it is one: built in, or a file that says so.
pub fn open_maze(source: &str) -> Result<Option<Maze>> {
    if builtin::NAMES.contains(&source) {
        return builtin::maze(source).map(Some);
    }
    let path = Path::new(source);
    if path.extension().is_none_or(|e| e != "toml") || !path.is_file() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path).map_err(|e| Error::reading(path, e))?;
    if !file::is_maze(&text) {
        return Ok(None);
    }
    file::parse_file(&text, path).map(Some)
}

/// The site called `source`, for [`hedgerow::sweep::Sweep::open_with`].
pub fn open(source: &str) -> Result<Option<Arc<dyn Site>>> {
    let Some(maze) = open_maze(source)? else {
        return Ok(None);
    };
    let expert = expert::find(source, &maze, true)?;
    Ok(Some(Arc::new(MazeSite::new(maze, expert)?)))
}

/// The default experiment with the parameters of mazes.
pub fn experiment() -> Experiment {
    Experiment::default().with_table(TABLE, PARAMETERS)
}
