//! The kinds of worlds this program was built with.

use hedgerow::domain::Domains;
use hedgerow::finite;
use hedgerow::{Error, Result};

/// All of them: finite worlds and, with the feature `continuous`, continuous ones.
pub fn domains() -> Domains {
    let domains = Domains::default();
    #[cfg(feature = "continuous")]
    let domains = domains.with(hedgerow_continuous::ContinuousDomain);
    domains
}

/// Refuses an environment of another domain where a command needs a finite one.
pub fn require_finite(source: &str) -> Result<()> {
    let domains = domains();
    let domain = domains.of(source)?;
    match domain.name() {
        finite::NAME => Ok(()),
        name => Err(Error::invalid(
            source,
            format!("this environment is of the domain `{name}`"),
            "use it with `hedgerow run --env`; this command needs a finite environment",
        )),
    }
}
