//! What continuous worlds of any kind add to reports: the charged pairs on two axes that the world
//! names, and reliability curves.

mod page;
mod pairs;
mod reliability;

use crate::general::payload::{GeneralSummary, Moment, ShownPairs, WorldGeometry};
use crate::general::world::DOMAIN;
use hedgerow::Result;
use hedgerow::results::{EnvironmentFile, Results, SavedRun};
use hedgerow::run::{Payload, Snapshot};
use hedgerow_report::domain::{DomainReport, PageParts};
use hedgerow_report::figure::Figure;

/// What continuous worlds of any kind add to reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct GeneralReport;

impl DomainReport for GeneralReport {
    fn domain(&self) -> &str {
        DOMAIN
    }

    fn figures(&self, results: &Results) -> Result<Vec<Figure>> {
        let names = results.env_names();
        let found = names.iter().filter_map(|name| results.environment(name));
        let worlds: Vec<&EnvironmentFile> = found.filter(|e| e.domain == DOMAIN).collect();
        let pairs = worlds.iter().filter_map(|e| pairs::figure(results, e));
        let curves = worlds
            .iter()
            .filter_map(|e| reliability::figure(results, e));
        Ok(pairs.chain(curves).collect())
    }

    fn draws(&self, environment: &EnvironmentFile) -> bool {
        shown_pairs(environment).is_some()
    }

    fn remark(&self, envs: &[&str]) -> Option<String> {
        Some(format!(
            "In {} a sample is a decision, reward and cost are means over played episodes, and IoU is that of pairs.",
            envs.join(", ")
        ))
    }

    fn page(&self) -> PageParts {
        PageParts {
            script: include_str!("../assets/general.js"),
            style: include_str!("../assets/general.css"),
        }
    }

    fn environment(&self, environment: &EnvironmentFile) -> Result<Option<Payload>> {
        page::environment(environment)
    }

    fn run(&self, _: &EnvironmentFile, run: &SavedRun) -> Result<Option<Payload>> {
        page::run(run)
    }
}

/// How the pairs of a world are shown; none if its file does not say so.
fn shown_pairs(environment: &EnvironmentFile) -> Option<ShownPairs> {
    let geometry: WorldGeometry = environment.geometry.as_ref()?.read().ok()?;
    geometry.shown.filter(|shown| !shown.places.is_empty())
}

/// What a run had inferred at a moment; none if that cannot be read.
fn moment(snapshot: &Snapshot) -> Option<Moment> {
    snapshot.payload.as_ref()?.read().ok()
}

/// What a run knew in the end; none if that cannot be read.
fn summary(run: &SavedRun) -> Option<GeneralSummary> {
    run.result.payload.read().ok()
}

/// `one seed`, or over how many something is a mean.
fn seeds(n: usize) -> String {
    match n {
        1 => "one seed".to_owned(),
        n => format!("mean over {n} seeds"),
    }
}
