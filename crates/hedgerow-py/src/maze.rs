//! The Point Maze.

use crate::error::{OrRaise, exception};
use hedgerow::Error;
use hedgerow::seed::Stream;
use hedgerow_continuous::expert::{self, Expert};
use hedgerow_continuous::maze::{self, ACTIONS, FORCES};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// A maze and its expert.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct Maze {
    maze: Arc<maze::Maze>,
    expert: Mutex<Option<Arc<Expert>>>,
}

#[pymethods]
impl Maze {
    /// The maze called so: built in, or a file.
    #[staticmethod]
    fn open(source: &str) -> PyResult<Self> {
        let maze = maze::file::open(source).or_raise()?;
        Ok(Self {
            maze: Arc::new(maze),
            expert: Mutex::new(None),
        })
    }

    #[getter]
    fn name(&self) -> &str {
        self.maze.name()
    }

    #[getter]
    fn gamma(&self) -> f64 {
        self.maze.design().gamma
    }

    #[getter]
    fn horizon(&self) -> u32 {
        self.maze.design().horizon
    }

    #[getter]
    fn hold(&self) -> u32 {
        self.maze.design().hold
    }

    #[getter]
    fn drawing(&self) -> String {
        self.maze.design().drawing()
    }

    #[getter]
    fn forces(&self) -> Vec<(&'static str, [f64; 2])> {
        FORCES.to_vec()
    }

    #[getter]
    fn constraint_cells(&self) -> Vec<(usize, usize)> {
        self.maze.constraint_cells()
    }

    /// The action of the expert that comes with the maze, in a state.
    fn expert_action(&self, state: [f64; 4]) -> PyResult<usize> {
        let mut kept = self.expert.lock().unwrap_or_else(PoisonError::into_inner);
        let expert = match &*kept {
            Some(expert) => expert.clone(),
            None => {
                let expert = Arc::new(expert::shipped(&self.maze, true).or_raise()?);
                *kept = Some(expert.clone());
                expert
            }
        };
        Ok(expert.action(&state, &mut expert.scratch()))
    }
}

/// What is seen, reward, ended, cut off, and the steps in constraint cells.
type Stepped<'py> = (Bound<'py, PyArray1<f64>>, f64, bool, bool, u32);

/// Episodes in a maze.
#[pyclass(module = "hedgerow._native")]
pub struct MazeEnv {
    maze: Arc<maze::Maze>,
    env: maze::MazeEnv,
}

#[pymethods]
impl MazeEnv {
    #[new]
    fn new(maze: &Maze, seed: u64) -> Self {
        Self {
            maze: maze.maze.clone(),
            env: maze::MazeEnv::new(&maze.maze, Stream::new(seed, "episodes")),
        }
    }

    /// Draws all randomness anew from a seed.
    fn seed(&mut self, seed: u64) {
        self.env = maze::MazeEnv::new(&self.maze, Stream::new(seed, "episodes"));
    }

    /// Begins an episode and observes the ball.
    fn reset<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.env.reset();
        PyArray1::from_slice(py, &self.env.observe())
    }

    /// What is seen, reward, ended, cut off, and the steps in constraint cells.
    fn step<'py>(&mut self, py: Python<'py>, action: usize) -> PyResult<Stepped<'py>> {
        if action >= ACTIONS {
            return Err(exception(Error::invalid(
                "action",
                format!("{action} is not one of {ACTIONS} forces"),
                format!("use 0 to {}", ACTIONS - 1),
            )));
        }
        let step = self.env.step(action);
        let seen = PyArray1::from_slice(py, &self.env.observe());
        Ok((
            seen,
            step.reward,
            step.terminated,
            step.truncated,
            step.cost,
        ))
    }
}
