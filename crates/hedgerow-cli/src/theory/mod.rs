//! `hedgerow theory`: what the theorems promise, in numbers.

mod counts;
mod least;
mod sizes;

use crate::terminal::{print, print_json};
use clap::{Args, ValueEnum};
use hedgerow::env::Environment;
use hedgerow::{Error, Result, io};
use serde::Serialize;

/// How many samples the theory asks for, and how often a policy visits every pair.
#[derive(Debug, Args)]
pub struct Theory {
    /// Take the sizes from this environment: a built-in name, FILE.toml or FILE.json.
    env: Option<String>,
    #[command(flatten)]
    sizes: sizes::Given,
    #[command(flatten)]
    least: least::Demanded,
    /// Expected visits of every pair by this policy instead; needs ENV.
    #[arg(long, value_name = "WHO", value_enum)]
    policy: Option<Who>,
    /// Episodes of the policy [default: 1].
    #[arg(long, value_name = "N", requires = "policy")]
    episodes: Option<u64>,
    /// Steps an episode [default: those of ENV, or 1].
    #[arg(long, value_name = "N")]
    horizon: Option<usize>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Whose visits to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    /// The environment's expert.
    Expert,
    /// All available actions alike.
    Uniform,
}

impl Theory {
    /// Computes and prints.
    pub fn run(&self) -> Result<()> {
        if let Some(env) = &self.env {
            crate::domains::require_finite(env)?;
        }
        let environment = self.env.as_deref().map(io::open).transpose()?;
        if let Some(environment) = environment.as_ref().filter(|_| self.least.lower_bound) {
            let report = least::report(&self.least, environment)?;
            return self.show(&report, || report.text());
        }
        match self.policy {
            Some(who) => self.count(environment.as_ref(), who),
            None => {
                let report = sizes::report(&self.sizes, environment.as_ref(), self.horizon)?;
                self.show(&report, || report.text())
            }
        }
    }

    fn count(&self, environment: Option<&Environment>, who: Who) -> Result<()> {
        let environment = environment.ok_or_else(|| {
            Error::invalid(
                "--policy",
                "there is no environment to act in",
                "name one: `hedgerow theory ENV --policy expert`",
            )
        })?;
        let episodes = self.episodes.unwrap_or(1);
        let horizon = self.horizon.unwrap_or(environment.horizon());
        for (option, value) in [("--episodes", episodes), ("--horizon", horizon as u64)] {
            if value == 0 {
                return Err(Error::invalid(option, "0 visits nothing", "use at least 1"));
            }
        }
        let report = counts::report(environment, who, episodes, horizon)?;
        self.show(&report, || report.text())
    }

    fn show(&self, report: &impl Serialize, text: impl Fn() -> String) -> Result<()> {
        if self.json {
            print_json(report)
        } else {
            print(&text())
        }
    }
}
