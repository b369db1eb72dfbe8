//! The environment a command works on.

use crate::domains::require_finite;
use clap::Args;
use hedgerow::Result;
use hedgerow::env::{Cell, Environment};
use hedgerow::io::{self, Defaults, policy_file};
use std::path::PathBuf;

/// An environment and, if it is not the environment's own, its expert.
#[derive(Debug, Args)]
pub struct Chosen {
    /// A built-in name, a drawn grid (FILE.toml) or a model (FILE.json, FILE.umb or FILE.tra).
    pub env: String,
    /// The discount of a file that has none, as those of other programs (FILE.umb, FILE.tra).
    #[arg(long, value_name = "DISCOUNT", allow_negative_numbers = true)]
    pub gamma: Option<f64>,
    /// The expert's policy or demonstrations (FILE.csv or FILE.json) instead of the usual expert.
    #[arg(long, value_name = "FILE")]
    pub expert: Option<PathBuf>,
    /// The most memory that opening the environment may take, such as 4G; 80 % of the machine's
    /// otherwise. What would take more is refused beforehand.
    #[arg(long, value_name = "LIMIT")]
    pub memory: Option<String>,
}

impl Chosen {
    /// What to assume where the file does not say.
    pub fn defaults(&self) -> Result<Defaults> {
        let memory = self.memory.as_deref().map(io::memory::parse).transpose()?;
        Ok(Defaults {
            gamma: self.gamma,
            memory,
        })
    }

    /// Opens the environment with its expert.
    pub fn open(&self) -> Result<Environment> {
        require_finite(&self.env)?;
        let environment = io::open_with(&self.env, &self.defaults()?)?;
        match &self.expert {
            None => Ok(environment),
            Some(path) => {
                let expert = policy_file::read(path, &environment)?;
                environment.with_expert(&expert)
            }
        }
    }
}

/// `[row, column]` of the states that are charged, sorted; empty without a grid.
pub fn charged_cells(environment: &Environment, on_states: &[f64]) -> Vec<[usize; 2]> {
    let Some(layout) = environment.layout() else {
        return Vec::new();
    };
    let states = environment.task().all_states();
    let charged = states.filter(|s| on_states[s.at()] > 0.0);
    let mut cells: Vec<Cell> = charged.filter_map(|s| layout.cell_of(s)).collect();
    cells.sort_unstable();
    // States may share a cell.
    cells.dedup();
    cells.into_iter().map(|c| [c.row, c.column]).collect()
}
