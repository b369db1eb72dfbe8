//! What continuous worlds add to reports: figures of mazes in metres, their part of the page, and
//! the estimates of a run for every cell.
//!
//! | figure | shows |
//! |---|---|
//! | `maze-ENV` | the inferred points at six moments |
//! | `maze-maps-ENV` | the fitted value, and where samples were taken |
//! | `charged-pairs-ENV` | in worlds of any kind: how probable it is that pairs are charged |
//! | `reliability-ENV` | in worlds of any kind: predicted against observed |
//!
//! ```
//! use hedgerow_continuous::report::MazeReport;
//! use hedgerow_report::Reports;
//!
//! let reports = Reports::default().with(MazeReport);
//! assert!(reports.of("continuous").is_some());
//! ```

mod estimates;
mod general;
mod ground;
mod maps;
mod page;
mod points;
mod shown;

pub use general::GeneralReport;

use crate::payload::DOMAIN;
use hedgerow::Result;
use hedgerow::results::{EnvironmentFile, Results, SavedRun};
use hedgerow::run::Payload;
use hedgerow_report::domain::{DomainReport, PageParts};
use hedgerow_report::figure::Figure;
use hedgerow_report::verdicts::RunVerdicts;

/// What continuous worlds add to reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct MazeReport;

impl DomainReport for MazeReport {
    fn domain(&self) -> &str {
        DOMAIN
    }

    fn figures(&self, results: &Results) -> Result<Vec<Figure>> {
        let names = results.env_names();
        let found = names.iter().filter_map(|name| results.environment(name));
        let mazes: Vec<&EnvironmentFile> = found.filter(|e| e.domain == DOMAIN).collect();
        let points = mazes.iter().filter_map(|e| points::figure(results, e));
        let maps = mazes.iter().filter_map(|e| maps::figure(results, e));
        Ok(points.chain(maps).collect())
    }

    fn remark(&self, envs: &[&str]) -> Option<String> {
        Some(format!(
            "In {} a sample is a decision, and reward and cost are means over played episodes.",
            envs.join(", ")
        ))
    }

    fn page(&self) -> PageParts {
        PageParts {
            script: include_str!("assets/maze.js"),
            style: include_str!("assets/maze.css"),
        }
    }

    fn environment(&self, environment: &EnvironmentFile) -> Result<Option<Payload>> {
        page::environment(environment)
    }

    fn run(&self, _: &EnvironmentFile, run: &SavedRun) -> Result<Option<Payload>> {
        page::run(run)
    }

    fn verdicts(
        &self,
        environment: &EnvironmentFile,
        run: &SavedRun,
    ) -> Result<Option<RunVerdicts>> {
        estimates::estimates(environment, run)
    }
}
