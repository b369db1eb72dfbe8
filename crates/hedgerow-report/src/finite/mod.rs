//! Reports on finite worlds: verdicts on every cell, and where strategies walked.

mod missing;
mod trajectories;
mod verdicts;

pub use verdicts::of_evidence;

use crate::domain::DomainReport;
use crate::draw::Figure;
use crate::verdicts::{RunVerdicts, is_too_large};
use hedgerow::Result;
use hedgerow::finite::NAME;
use hedgerow::results::{EnvironmentFile, Results, SavedRun};

/// What finite worlds add to reports: trajectories and verdicts.
#[derive(Clone, Copy, Debug, Default)]
pub struct FiniteReport;

impl DomainReport for FiniteReport {
    fn domain(&self) -> &str {
        NAME
    }

    fn figures(&self, results: &Results) -> Result<Vec<Figure>> {
        Ok(trajectories::figures(results))
    }

    fn verdicts(
        &self,
        environment: &EnvironmentFile,
        run: &SavedRun,
    ) -> Result<Option<RunVerdicts>> {
        match is_too_large(environment) {
            true => Ok(None),
            false => verdicts::verdicts(environment, run).map(Some),
        }
    }
}
