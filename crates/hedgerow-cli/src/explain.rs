//! `hedgerow explain`: why a cell, a state or a pair counts as constrained.

use crate::environment::Chosen;
use crate::infer::{Gathering, Naming};
use crate::terminal::{ended, print, print_json};
use crate::window;
use clap::Args;
use hedgerow::constraint::Constraint;
use hedgerow::env::Layout;
use hedgerow::explain::{Answer, Question};
use hedgerow::io;
use hedgerow::model::Task;
use hedgerow::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Why a cell, a state or a pair counts as constrained, or why it does not.
#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    what: What,
    /// Explain what follows from the true dynamics and the expert's policy instead of exploring.
    #[arg(long, conflicts_with_all = ["confidence", "samples", "strategy", "demos", "logs"])]
    exact: bool,
    /// Explain a constraint saved by `infer --out`, with its verdicts and intervals, instead of
    /// exploring.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["exact", "confidence", "samples", "strategy", "demos", "logs"])]
    under: Option<PathBuf>,
    #[command(flatten)]
    gathering: Gathering,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct What {
    /// A cell of a grid.
    #[arg(long, value_name = "ROW,COLUMN")]
    cell: Option<String>,
    /// A state by name or index.
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
    /// A pair: a cell or state, a comma, and an action by name or index.
    #[arg(long, value_name = "STATE,ACTION", allow_hyphen_values = true)]
    pair: Option<String>,
}

impl Explain {
    /// Explains and prints.
    pub fn run(&self) -> Result<ExitCode> {
        if self.exact {
            self.explain_truth()?;
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(path) = &self.under {
            self.explain_saved(path)?;
            return Ok(ExitCode::SUCCESS);
        }
        Ok(ended(self.explain_evidence()?))
    }

    /// What a saved constraint says, with the environment's dynamics to show why.
    fn explain_saved(&self, path: &Path) -> Result<()> {
        let environment = self.chosen.open()?;
        let (task, layout) = (environment.task(), environment.layout());
        let asked = self.what.find(task, layout, environment.name())?;
        let saved = Constraint::read(path)?;
        let file = path.display().to_string();
        self.print(&Answer::saved(&environment, &saved, &file, asked)?)
    }

    fn explain_truth(&self) -> Result<()> {
        let environment = self.chosen.open()?;
        let (task, layout) = (environment.task(), environment.layout());
        let asked = self.what.find(task, layout, environment.name())?;
        let scope = self.gathering.scope(&environment);
        self.print(&Answer::exact(&environment, scope, asked)?)
    }

    /// Whether the search was interrupted.
    fn explain_evidence(&self) -> Result<bool> {
        crate::domains::require_finite(&self.chosen.env)?;
        let known = io::open_task_with(&self.chosen.env, &self.chosen.defaults()?)?;
        // A wrong place is refused before a long search for it.
        let asked = self
            .what
            .find(&known.task, known.layout.as_ref(), &known.name)?;
        let evidence = self.gathering.evidence(&self.chosen, &Naming::default())?;
        self.print(&Answer::learned(&evidence, asked)?)?;
        Ok(evidence.is_interrupted())
    }

    fn print(&self, answer: &Answer) -> Result<()> {
        match self.json {
            true => print_json(answer),
            false => print(&answer.text(window::width())),
        }
    }
}

impl What {
    fn find(&self, task: &Task, layout: Option<&Layout>, name: &str) -> Result<Question> {
        if let Some(pair) = &self.pair {
            return Question::pair(task, layout, pair);
        }
        if let Some(cell) = &self.cell {
            if layout.is_none() {
                return Err(Error::invalid(
                    "--cell",
                    format!("{name} has no map"),
                    "name the state with --state",
                ));
            }
            if !cell.contains(',') {
                let remedy = "write ROW,COLUMN, counted from the lower left";
                return Err(Error::invalid("--cell", format!("`{cell}`"), remedy));
            }
            return Question::place(task, layout, cell).map_err(|e| {
                match e.to_string().contains("states share cell") {
                    true => e,
                    false => Error::invalid(
                        "--cell",
                        format!("`{cell}` is not an open cell of the map"),
                        "choose ROW,COLUMN of one, counted from the lower left",
                    ),
                }
            });
        }
        let state = self.state.as_deref().unwrap_or_default();
        Question::place(task, layout, state)
    }
}
