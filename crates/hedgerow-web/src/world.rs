//! Drawn maps, as the editor of the page has them.
//!
//! ```
//! use hedgerow_web::world::Drawn;
//!
//! let drawn = Drawn::read("gamma = 0.8\nmap = '''\n. G\nS .\n'''", "yard.toml")?;
//! assert_eq!((drawn.name.as_str(), drawn.map.len()), ("yard", 2));
//! let refused = Drawn::read("map = 'S.?'", "yard.toml").unwrap_err().to_string();
//! assert!(refused.starts_with("yard.toml: map cell (0, 2): unknown symbol `?`"));
//! # Ok::<(), hedgerow::Error>(())
//! ```

use hedgerow::env::Environment;
use hedgerow::env::grid::Grid;
use hedgerow::finite::{FiniteDomain, FiniteGeometry};
use hedgerow::index::State;
use hedgerow::io::grid_file;
use hedgerow::metrics::overlap;
use hedgerow::{Error, Result};
use hedgerow_report::page;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A grid as the editor has it: the keys of a map file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// The name.
    pub name: String,
    /// The discount.
    pub gamma: f64,
    /// Probability that another move replaces the chosen one.
    pub slip: f64,
    /// 4 or 8.
    pub moves: usize,
    /// Longest episode in steps.
    pub horizon: usize,
    /// Reward of every move elsewhere than in a goal.
    pub step: f64,
    /// Discounted cost that the expert may spend.
    pub budget: f64,
    /// Whether a positive budget is lowered until the expert does not randomise.
    pub deterministic: bool,
    /// The rows, top row first, one symbol a cell.
    pub map: Vec<String>,
    /// The reward of each goal.
    pub goals: BTreeMap<char, f64>,
}

/// What a page has to show of a drawn map.
#[derive(Debug, Serialize)]
pub struct Described {
    /// As the report describes environments.
    environment: Box<RawValue>,
    /// What the expert may do from the starts on: from state, to state.
    expert_steps: Vec<(u32, u32)>,
    /// The map as a file.
    toml: String,
}

impl Drawn {
    /// What the map file `file`, which holds `text`, draws; refused if it is no environment.
    pub fn read(text: &str, file: &str) -> Result<Self> {
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let grid = grid_file::parse(text, stem);
        let known = grid.and_then(|grid| grid.environment().map(|_| Self::of(&grid)));
        known.map_err(|e| e.within(file))
    }

    fn of(grid: &Grid) -> Self {
        let rows = grid.symbols.iter().rev();
        Self {
            name: grid.name.clone(),
            gamma: grid.gamma,
            slip: grid.slip,
            moves: grid.moves,
            horizon: grid.horizon,
            step: grid.step,
            budget: grid.budget,
            deterministic: grid.deterministic,
            map: rows.map(|line| line.iter().collect()).collect(),
            goals: grid.goals.clone(),
        }
    }

    fn grid(&self) -> Grid {
        let rows = self.map.iter().rev();
        Grid {
            moves: self.moves,
            slip: self.slip,
            gamma: self.gamma,
            horizon: self.horizon,
            budget: self.budget,
            deterministic: self.deterministic,
            step: self.step,
            goals: self.goals.clone(),
            ..Grid::new(
                self.name.clone(),
                rows.map(|line| line.chars().collect()).collect(),
            )
        }
    }

    /// The environment that it draws, its expert solved for.
    pub fn environment(&self) -> Result<Environment> {
        self.grid().environment()
    }

    /// What a page has to show of it.
    pub fn describe(&self) -> Result<Described> {
        let opened = FiniteDomain::default().opened(Arc::new(self.environment()?))?;
        let file = opened.file();
        let geometry = file.geometry.as_ref();
        let geometry = geometry.map(|g| g.read::<FiniteGeometry>()).transpose()?;
        Ok(Described {
            environment: RawValue::from_string(page::environment(file)?).map_err(defect)?,
            expert_steps: geometry.map_or(Vec::new(), |g| g.expert_steps),
            toml: self.grid().to_toml(),
        })
    }

    /// The intersection over union of `guessed` cells, each as row and column, with the true ones.
    pub fn score(&self, guessed: &[[usize; 2]]) -> Result<f64> {
        let environment = self.environment()?;
        let task = environment.task();
        let layout = environment.layout();
        let charged = hedgerow::constraint::charged(&environment);
        let number = |is: bool| f64::from(u8::from(is));
        let truth = charged.map_or(vec![0.0; task.states()], |c| {
            c.into_iter().map(number).collect()
        });
        let cell = |s: State| layout.and_then(|l| l.cell_of(s));
        let is_guessed = |s: State| cell(s).is_some_and(|c| guessed.contains(&[c.row, c.column]));
        let guess: Vec<f64> = task.all_states().map(|s| number(is_guessed(s))).collect();
        Ok(overlap(&guess, &truth, layout)?.iou)
    }
}

/// What should always be possible was not.
pub(crate) fn defect(error: impl std::fmt::Display) -> Error {
    let remedy = "this is a defect of the program: please report it";
    Error::invalid("playground", error.to_string(), remedy)
}
