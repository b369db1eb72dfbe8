//! `hedgerow merge`: puts the parts of a sweep together.

use crate::run::table;
use crate::terminal::{print, print_json};
use crate::window;
use clap::Args;
use hedgerow::Result;
use hedgerow::sweep::merge;
use serde_json::json;
use std::path::PathBuf;

/// Put together the parts of a sweep that `hedgerow run --shard` has done.
#[derive(Debug, Args)]
pub struct Merge {
    /// The results folders of the parts
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// Folder for the whole; finished runs in it are kept
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

impl Merge {
    /// Merges and prints the summary.
    pub fn run(&self) -> Result<()> {
        let merged = merge(&self.parts, &self.out)?;
        if self.json {
            return print_json(&json!({
                "planned": merged.planned,
                "finished": merged.finished,
                "copied": merged.copied,
                "summary": merged.summary,
            }));
        }
        let missing = match merged.planned - merged.finished {
            0 => String::new(),
            1 => ", 1 is missing: `hedgerow run` with the same options does it".to_owned(),
            n => format!(", {n} are missing: `hedgerow run` with the same options does them"),
        };
        print(&format!(
            "{}{} copied, {} of {} runs in {}{missing}\n",
            table::draw(&merged.summary, window::width()),
            match merged.copied {
                1 => "1 run".to_owned(),
                n => format!("{n} runs"),
            },
            merged.finished,
            merged.planned,
            self.out.display(),
        ))
    }
}
