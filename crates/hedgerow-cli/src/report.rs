//! `hedgerow report`: figures and a page from a results folder.

use crate::problems::listed;
use crate::terminal::{self, ended, stop_on_ctrl_c};
use clap::{Args, ValueEnum};
use hedgerow::constraint::Constraint;
use hedgerow::io::write_atomic;
use hedgerow::results::{Figures, FileProblem, Results};
use hedgerow::{Error, Result};
use hedgerow_report::{Reports, constraint, figure, page};
use serde::Serialize;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Problems listed on the terminal; the page and `--json` have them all.
const LISTED: usize = 10;

/// The options of `hedgerow report`.
#[derive(Debug, Args)]
pub struct Report {
    /// A results folder, or a constraint saved by `infer --out`
    #[arg(value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Folder for report.html and figures/; the results folder if left out
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Only these environments
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    env: Vec<String>,
    /// Only these strategies
    #[arg(long, value_name = "X,Y", value_delimiter = ',')]
    strategy: Vec<String>,
    /// Files of each figure
    #[arg(
        long,
        value_name = "A,B",
        value_delimiter = ',',
        default_value = "svg,png,pdf"
    )]
    format: Vec<Format>,
    /// Make only the page, or only the figures
    #[arg(long, value_name = "WHAT")]
    only: Option<Only>,
    /// Print what was made as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Only {
    Page,
    Figures,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Svg,
    Png,
    Pdf,
}

impl From<Format> for figure::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Svg => Self::Svg,
            Format::Png => Self::Png,
            Format::Pdf => Self::Pdf,
        }
    }
}

/// What was made, as JSON shows it.
#[derive(Serialize)]
struct Made<'a> {
    runs: usize,
    /// Runs that were asked for; unknown if the manifest is not whole.
    planned: Option<usize>,
    page: Option<PathBuf>,
    figures: Vec<PathBuf>,
    /// What the figures leave out, and why.
    notes: Vec<String>,
    problems: &'a [FileProblem],
    /// Whether Ctrl-C came before all was made.
    interrupted: bool,
}

/// What the domains of this program add to reports.
pub fn reports() -> Reports {
    let reports = Reports::default();
    #[cfg(feature = "continuous")]
    let reports = reports
        .with(hedgerow_continuous::report::MazeReport)
        .with(hedgerow_continuous::report::GeneralReport);
    reports
}

impl Report {
    /// Reads the results, makes the report, says where it is.
    pub fn run(&self) -> Result<ExitCode> {
        if self.results.is_file() {
            return self.of_constraint();
        }
        let stop = stop_on_ctrl_c();
        let mut results = Results::read(&self.results)?;
        results.limit(&self.env, &self.strategy)?;
        let reports = reports();
        let out = self.out.as_ref().unwrap_or(&self.results);
        if out.exists() && !out.is_dir() {
            let problem = "it is a file, and a report needs a folder";
            let remedy = "name a folder with --out, or leave it out";
            return Err(Error::invalid(out.display().to_string(), problem, remedy));
        }
        let mut made = Made {
            runs: results.runs.len(),
            planned: (!results.reconstructed).then_some(results.planned),
            interrupted: false,
            page: None,
            figures: Vec::new(),
            notes: Vec::new(),
            problems: &results.problems,
        };
        let is_stopped = || stop.load(Ordering::Relaxed);
        if self.only != Some(Only::Figures) && !is_stopped() {
            let path = out.join("report.html");
            write_atomic(&path, page::html(&results, &reports, None)?.as_bytes())?;
            made.page = Some(path);
        }
        if self.only != Some(Only::Page) {
            let (folder, formats) = (out.join("figures"), self.formats());
            made.figures = figure::write_until(&results, &reports, &folder, &formats, &stop)?;
            made.notes = figure::notes(&results, &reports);
            if !is_stopped() {
                // Those of an earlier report that are no longer made.
                Figures::new(&folder).keep_only(&made.figures)?;
            }
        }
        made.interrupted = is_stopped();
        match self.json {
            true => terminal::print_json(&made)?,
            false => terminal::print(&text(&made, &self.formats()))?,
        }
        if made.interrupted {
            terminal::say("interrupted: what is listed is whole; the same command makes the rest");
        }
        Ok(ended(made.interrupted))
    }

    /// The same for a saved constraint, beside its file.
    fn of_constraint(&self) -> Result<ExitCode> {
        if !Constraint::is_file(&self.results) && !is_json(&self.results) {
            let problem = "it is neither a results folder nor a saved constraint";
            let remedy = "name a folder that `hedgerow run` has filled, or a file that `hedgerow infer --out` wrote";
            let place = self.results.display().to_string();
            return Err(Error::invalid(place, problem, remedy));
        }
        if !Constraint::is_file(&self.results) {
            return Err(Error::invalid(
                self.results.display().to_string(),
                "it is a file, and no constraint",
                "name a folder of results, or a constraint saved by `hedgerow infer --out`",
            ));
        }
        let found = Constraint::read(&self.results)?;
        let beside = match self.results.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let out = self.out.as_deref().unwrap_or(beside);
        let mut made = Made {
            runs: 0,
            planned: None,
            interrupted: false,
            page: None,
            figures: Vec::new(),
            notes: Vec::new(),
            problems: &[],
        };
        if self.only != Some(Only::Figures) {
            let path = out.join(format!("constraint-{}.html", found.env));
            write_atomic(&path, constraint::html(&found).as_bytes())?;
            made.page = Some(path);
        }
        if self.only != Some(Only::Page) {
            match constraint::figure(&found) {
                None => made.notes.push("there is no map to draw".to_owned()),
                Some(figure) => {
                    for format in self.formats() {
                        let name = format!("{}.{}", figure.name, format.ending());
                        let path = out.join(name);
                        write_atomic(&path, &format.of(&figure)?)?;
                        made.figures.push(path);
                    }
                }
            }
        }
        match self.json {
            true => terminal::print_json(&made)?,
            false => terminal::print(&listed_files(&made, &self.formats()))?,
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The formats asked for, each once.
    fn formats(&self) -> Vec<figure::Format> {
        let asked: Vec<figure::Format> = self.format.iter().map(|f| (*f).into()).collect();
        let all = figure::Format::ALL.into_iter();
        all.filter(|f| asked.contains(f)).collect()
    }
}

/// Whether a file begins like JSON, whole or not.
fn is_json(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut head));
    read.is_ok() && head.trim_ascii_start().starts_with(b"{")
}

fn text(made: &Made, formats: &[figure::Format]) -> String {
    let mut text = match made.planned {
        Some(planned) => format!("{} of {planned} runs\n", made.runs),
        None => format!("{} runs, of an unknown number\n", made.runs),
    };
    text.push_str(&listed_files(made, formats));
    let lines = listed(made.problems, LISTED, "the page lists them all");
    for (i, line) in lines.iter().enumerate() {
        let indent = if i == 0 { "" } else { "  " };
        text.push_str(&format!("{indent}{line}\n"));
    }
    text
}

/// The page and the figures.
fn listed_files(made: &Made, formats: &[figure::Format]) -> String {
    let mut text = String::new();
    if let Some(page) = &made.page {
        let size = std::fs::metadata(page).map_or(0, |m| m.len());
        text.push_str(&format!(
            "page: {} ({:.1} MB; open it in a browser)\n",
            page.display(),
            size as f64 / 1e6
        ));
    }
    if let Some(folder) = made.figures.first().and_then(|f| f.parent()) {
        let stems = made.figures.iter().filter_map(|f| f.file_stem());
        let mut names: Vec<_> = stems.map(|n| n.to_string_lossy()).collect();
        names.dedup();
        let endings: Vec<String> = formats.iter().map(|f| format!(".{}", f.ending())).collect();
        let each = match endings.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        };
        text.push_str(&format!(
            "figures in {}, each {each}: {}\n",
            folder.display(),
            names.join(", ")
        ));
    }
    for note in &made.notes {
        text.push_str(&format!("  {note}\n"));
    }
    text
}
