//! The kinds of worlds this program was built with.

use crate::terminal::say;
use hedgerow::constraint::Constraint;
use hedgerow::domain::Domains;
use hedgerow::finite::{self, FiniteDomain};
use hedgerow::{Error, Result};
use std::path::Path;

/// All of them: finite worlds and, with the feature `continuous`, continuous ones.
pub fn domains() -> Domains {
    around(FiniteDomain::default())
}

/// The same with finite runs that begin with what was seen for a saved constraint.
pub fn warm_domains(path: &Path) -> Result<Domains> {
    let constraint = Constraint::read(path)?;
    Ok(around(FiniteDomain::default().with_warm(constraint)))
}

/// Those around finite worlds that were added to.
pub fn around(finite: FiniteDomain) -> Domains {
    let domains = Domains::new(finite);
    #[cfg(feature = "continuous")]
    let domains = domains
        .with(hedgerow_continuous::ContinuousDomain)
        .with(hedgerow_continuous::GeneralDomain::default());
    domains
}

/// Bytes of a file from which on it takes a while to find its expert.
const LARGE: u64 = 250_000;

/// The same of files of arrays, which are read faster.
const LARGE_EXCHANGED: u64 = 100_000_000;

/// Says what is being done if it will take a while.
pub fn announce(source: &str) {
    let size = std::fs::metadata(source).map_or(0, |m| m.len());
    let exchanged = [".umb", ".tra"].iter().any(|end| source.ends_with(end));
    if exchanged && size >= LARGE_EXCHANGED {
        say(&format!("{source}: reading {:.0} MB", size as f64 / 1e6));
    } else if !exchanged && size >= LARGE {
        say(&format!(
            "{source}: reading {:.1} MB and finding its expert, which can take minutes",
            size as f64 / 1e6
        ));
    }
}

/// Refuses an environment of another domain where a command needs a finite one. Says so if opening
/// it will take a while.
pub fn require_finite(source: &str) -> Result<()> {
    let domains = domains();
    let domain = domains.of(source)?;
    match domain.name() {
        finite::NAME => {
            announce(source);
            Ok(())
        }
        name => Err(Error::invalid(
            source,
            format!("this environment is of the domain `{name}`"),
            "use it with `hedgerow run --env`; this command needs a finite environment",
        )),
    }
}
