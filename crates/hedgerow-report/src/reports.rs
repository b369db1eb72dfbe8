//! The domains that reports know.

use crate::domain::DomainReport;
use crate::finite::FiniteReport;
use crate::verdicts::RunVerdicts;
use hedgerow::Result;
use hedgerow::results::{EnvironmentFile, Results, SavedRun};

/// The domains that reports know. The default knows finite worlds.
///
/// An environment of any other domain is reported with what all domains share.
#[derive(Debug)]
pub struct Reports(Vec<Box<dyn DomainReport>>);

impl Default for Reports {
    fn default() -> Self {
        Self::none().with(FiniteReport)
    }
}

impl Reports {
    /// No domain at all.
    pub fn none() -> Self {
        Self(Vec::new())
    }

    /// These and another one, which replaces one of the same name.
    #[must_use]
    pub fn with(mut self, report: impl DomainReport + 'static) -> Self {
        self.0.retain(|known| known.domain() != report.domain());
        self.0.push(Box::new(report));
        self
    }

    /// The one of a domain, if it is known.
    pub fn of(&self, domain: &str) -> Option<&dyn DomainReport> {
        let mut all = self.0.iter();
        Some(&**all.find(|report| report.domain() == domain)?)
    }

    /// Those of the domains that have environments in `results`.
    pub fn in_results<'a>(
        &'a self,
        results: &'a Results,
    ) -> impl Iterator<Item = &'a dyn DomainReport> {
        let environments = &results.manifest.environments;
        let there = |r: &&dyn DomainReport| environments.iter().any(|e| e.domain == r.domain());
        self.0.iter().map(|report| &**report).filter(there)
    }

    /// What is different in the curves of some environments, a sentence per domain.
    pub fn remarks(&self, results: &Results, envs: &[&str]) -> Vec<String> {
        let remark = |report: &dyn DomainReport| {
            let environments = results.manifest.environments.iter();
            let own: Vec<&str> = environments
                .filter(|e| e.domain == report.domain() && envs.contains(&e.name.as_str()))
                .map(|e| e.name.as_str())
                .collect();
            (!own.is_empty()).then(|| report.remark(&own)).flatten()
        };
        self.in_results(results).filter_map(remark).collect()
    }

    /// What can be said of every cell of a run; none if its domain is not known or has nothing to
    /// say.
    pub fn verdicts(
        &self,
        environment: &EnvironmentFile,
        run: &SavedRun,
    ) -> Result<Option<RunVerdicts>> {
        match self.of(&environment.domain) {
            Some(report) => report.verdicts(environment, run),
            None => Ok(None),
        }
    }
}
