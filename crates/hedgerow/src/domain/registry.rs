//! The domains that a program has.

use super::Domain;
use crate::error::nearest;
use crate::explore::StrategyInfo;
use crate::{Error, Result};
use std::path::Path;
use std::sync::Arc;

/// The domains that a program has. The default is finite worlds only.
#[derive(Clone, Debug)]
pub struct Domains(Vec<Arc<dyn Domain>>);

impl Domains {
    /// One domain only. Whatever no other recognises is left to it.
    pub fn new(domain: impl Domain + 'static) -> Self {
        Self(vec![Arc::new(domain)])
    }

    /// The same with one more, which is asked before those that are there.
    #[must_use]
    pub fn with(mut self, domain: impl Domain + 'static) -> Self {
        self.0.insert(0, Arc::new(domain));
        self
    }

    /// All of them, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Domain>> {
        self.0.iter().rev()
    }

    /// The domain called `name`.
    pub fn find(&self, name: &str) -> Option<&Arc<dyn Domain>> {
        self.0.iter().find(|d| d.name() == name)
    }

    /// The domain of the environment called `source`. Whatever there is a file for and no other
    /// recognises is left to the first one.
    pub fn of(&self, source: &str) -> Result<&Arc<dyn Domain>> {
        let last = self.0.len() - 1;
        for domain in &self.0[..last] {
            if domain.recognises(source)? {
                return Ok(domain);
            }
        }
        match Path::new(source).exists() || self.0[last].recognises(source)? {
            true => Ok(&self.0[last]),
            false => Err(self.missing(source)),
        }
    }

    /// The error for an environment that is neither a file nor built into any domain.
    fn missing(&self, source: &str) -> Error {
        let names: Vec<String> = self.iter().flat_map(|d| d.environments()).collect();
        let near = |word: &str| nearest(word, names.iter().map(String::as_str));
        let path = Path::new(source);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_file = path.extension().is_some_and(|e| {
            ["toml", "json", "umb", "tra"]
                .iter()
                .any(|known| e == *known)
        });
        match is_file || source.contains('/') {
            true => Error::invalid(
                source,
                "there is no such file",
                match near(&stem) {
                    meant if meant.starts_with("did you mean") => {
                        format!("check the path, or use a built-in environment: {meant}")
                    }
                    _ => "check the path; `hedgerow envs` lists what is built in".to_owned(),
                },
            ),
            false => Error::invalid(
                "environment",
                format!("`{source}` is neither a file nor built in"),
                near(source),
            ),
        }
    }

    /// The strategies of all domains, each name once, with the domains that have it.
    pub fn strategies(&self) -> Vec<(StrategyInfo, Vec<&'static str>)> {
        let mut all: Vec<(StrategyInfo, Vec<&'static str>)> = Vec::new();
        for domain in self.iter() {
            for strategy in domain.strategies() {
                match all.iter_mut().find(|(s, _)| s.name == strategy.name) {
                    Some((_, domains)) => domains.push(domain.name()),
                    None => all.push((strategy, vec![domain.name()])),
                }
            }
        }
        all
    }

    /// The name of a strategy that some domain has.
    pub(crate) fn strategy_name(&self, name: &str) -> Result<&'static str> {
        let all = self.strategies();
        let found = all.iter().find(|(s, _)| s.name == name);
        found.map(|(s, _)| s.name).ok_or_else(|| {
            Error::invalid(
                "strategy",
                format!("`{name}` is unknown"),
                nearest(name, all.iter().map(|(s, _)| s.name)),
            )
        })
    }
}
