//! What is declared of the dynamics, from the command line.

use clap::{Args, ValueEnum};
use hedgerow::Result;
use hedgerow::env::Environment;
use hedgerow::io::{self, classes_file};
use hedgerow::verdict::{Know, Knowledge};
use std::path::PathBuf;
use std::sync::Arc;

/// An assumption about the dynamics, printed with the answer and checked against what is seen.
#[derive(Debug, Args)]
pub struct Declared {
    /// Declare something of the dynamics: fewer samples, and an assumption more.
    #[arg(long, value_enum, value_name = "WHAT")]
    know: Option<Declaration>,
    /// Where it is declared, instead of in ENV itself: a model, or for classes a table (FILE.csv).
    #[arg(long, value_name = "FILE", requires = "know")]
    known: Option<String>,
}

/// [`hedgerow::verdict::Know`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Declaration {
    /// The possible next states of every pair
    Successors,
    /// Which pairs have the same dynamics: on a map, moves with the same cells around
    Classes,
    /// The dynamics: only the expert is unknown
    Dynamics,
}

impl Declared {
    /// What is known of the dynamics of `environment`.
    pub fn knowledge(&self, environment: &Environment) -> Result<Option<Arc<Knowledge>>> {
        let Some(know) = self.know else {
            return Ok(None);
        };
        let task = environment.task();
        if let (Declaration::Classes, Some(path)) = (know, &self.known) {
            let table = classes_file::read(&PathBuf::from(path), task)?;
            let known = Knowledge::from_table(task, &table);
            return Ok(Some(Arc::new(known.map_err(|e| e.within(path))?)));
        }
        let other = match &self.known {
            None => None,
            Some(path) => Some(io::open(path)?),
        };
        let source = other.as_ref().unwrap_or(environment);
        let known = Knowledge::declared_by(source, know.into(), task);
        let option = match self.known {
            Some(_) => "--known",
            None => "--know",
        };
        Ok(Some(Arc::new(known.map_err(|e| e.at_place(option))?)))
    }
}

impl From<Declaration> for Know {
    fn from(declaration: Declaration) -> Self {
        match declaration {
            Declaration::Successors => Self::Successors,
            Declaration::Classes => Self::Classes,
            Declaration::Dynamics => Self::Dynamics,
        }
    }
}
