//! `hedgerow show`: a results folder on the terminal.

mod contents;
mod costs;
mod heat;

use crate::problems::{listed, plain};
use crate::run::table;
use crate::terminal::{print_json, print_painted};
use crate::window::{self, Colours, When, wrap};
use clap::Args;
use contents::{Contents, Map};
use hedgerow::Result;
use hedgerow::env::Layout;
use hedgerow::results::{EnvironmentFile, Results};
use std::path::PathBuf;

/// Problems of the folder that are listed; the rest is counted.
const PROBLEMS: usize = 5;

/// The options of `hedgerow show`.
#[derive(Debug, Args)]
pub struct Show {
    /// The results folder
    #[arg(value_name = "DIR", default_value = "results")]
    folder: PathBuf,
    /// Only these environments
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    env: Vec<String>,
    /// Only these strategies
    #[arg(long, value_name = "X,Y", value_delimiter = ',')]
    strategy: Vec<String>,
    /// Colours
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    color: When,
    /// Print the summary and the mean inferred cost as JSON
    #[arg(long)]
    json: bool,
}

impl Show {
    /// Reads the folder and prints what it holds.
    pub fn run(&self) -> Result<()> {
        let mut results = Results::read(&self.folder)?;
        let (finished, planned) = (results.runs.len(), results.planned);
        results.limit(&self.env, &self.strategy)?;
        let contents = Contents::new(&results, finished, planned);
        if self.json {
            return print_json(&contents);
        }
        print_painted(&text(
            &results,
            &contents,
            window::width(),
            window::colours(self.color),
        )?)
    }
}

fn text(results: &Results, contents: &Contents, width: usize, colours: Colours) -> Result<String> {
    let mut text = String::new();
    for line in contents.heading() {
        text.push_str(&wrap(&plain(&line), width, 2));
    }
    text.push('\n');
    let mut drawn = false;
    let mut goals: Vec<heat::Goals> = Vec::new();
    for rows in contents.summary.chunk_by(|a, b| a.env == b.env) {
        let env = &rows[0].env;
        text.push_str(&table::draw(rows, width));
        let maps: Vec<&Map> = contents.maps.iter().filter(|m| m.env == *env).collect();
        if let Some(file) = results.environment(env)
            && let Some(layout) = drawing(file)?
        {
            let maps = named(file, &maps);
            text.push_str(&heat::draw(&layout, &maps, width, colours));
            if file.layout.is_none() {
                text.push_str(&costs::listed(&file.task()?, &maps, width));
            }
            drawn = true;
            goals.push((env, file.goals()));
        } else if let Some(file) = results.environment(env) {
            text.push_str(&costs::listed(&file.task()?, &named(file, &maps), width));
        }
    }
    if drawn {
        text.push_str(&heat::legend(width, colours, &goals));
    }
    text.push_str(&problems(contents, width));
    Ok(text)
}

/// The truth and what each strategy inferred.
fn named<'a>(file: &'a EnvironmentFile, maps: &[&'a Map]) -> Vec<heat::Named<'a>> {
    let truth = ("truth", &file.true_cells);
    let inferred = maps.iter().map(|m| (m.strategy.as_str(), &m.cells));
    std::iter::once(truth).chain(inferred).collect()
}

/// The map, or the cells that a graph is drawn on; `None` for a model that is too large.
fn drawing(file: &EnvironmentFile) -> Result<Option<Layout>> {
    if let Some(layout) = file.grid()? {
        return Ok(Some(layout));
    }
    match file.graph()? {
        Some(graph) => Ok(Some(graph.on_cells(&file.task()?))),
        None => Ok(None),
    }
}

fn problems(contents: &Contents, width: usize) -> String {
    let lines = listed(contents.problems, PROBLEMS, "--json lists them all");
    if lines.is_empty() {
        return String::new();
    }
    let lines = lines.iter().map(|line| wrap(line, width, 2));
    format!("\n{}", lines.collect::<String>())
}
