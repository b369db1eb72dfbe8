//! Expected visits of every pair.

use super::Who;
use crate::terminal::{number, table};
use hedgerow::Result;
use hedgerow::env::Environment;
use hedgerow::index::Pair;
use hedgerow::model::Policy;
use hedgerow::theory::{PseudoCounts, median};
use serde::Serialize;

#[derive(Serialize)]
pub struct Report {
    env: String,
    policy: Who,
    episodes: u64,
    horizon: usize,
    /// Expected number of samples in all.
    samples: f64,
    least: f64,
    median: f64,
    largest: f64,
    /// Pairs that the policy cannot visit.
    never: usize,
    pairs: Vec<Visited>,
}

#[derive(Serialize)]
struct Visited {
    state: usize,
    state_name: String,
    action: String,
    expected: f64,
}

pub fn report(
    environment: &Environment,
    who: Who,
    episodes: u64,
    horizon: usize,
) -> Result<Report> {
    let (task, truth) = (environment.task(), environment.truth());
    let policy = match who {
        Who::Expert => truth.expert().clone(),
        Who::Uniform => Policy::uniform(task),
    };
    let mut counts = PseudoCounts::new(task, truth.model().rows(), horizon);
    counts.add(&policy, episodes as f64)?;
    let mut sorted = counts.counts().to_vec();
    sorted.sort_by(f64::total_cmp);
    let visited = |pair: Pair| Visited {
        state: task.state_of(pair).at(),
        state_name: task.state_name(task.state_of(pair)),
        action: task.action_name(task.action_of(pair)).to_owned(),
        expected: counts.counts()[pair.at()],
    };
    Ok(Report {
        env: environment.name().to_owned(),
        policy: who,
        episodes,
        horizon,
        samples: sorted.iter().sum(),
        least: sorted[0],
        median: median(sorted.clone()).unwrap_or(0.0),
        largest: sorted[sorted.len() - 1],
        never: sorted.iter().filter(|&&n| n == 0.0).count(),
        pairs: task.all_pairs().map(visited).collect(),
    })
}

impl Report {
    pub fn text(&self) -> String {
        let who = match self.policy {
            Who::Expert => "the expert",
            Who::Uniform => "the uniform policy",
        };
        let episodes = match self.episodes {
            1 => "1 episode".to_owned(),
            n => format!("{n} episodes"),
        };
        let row = |what: &str, value: String| [what.to_owned(), value];
        let rows = vec![
            row("samples in all", number(self.samples)),
            row("least visited pair", number(self.least)),
            row("median pair", number(self.median)),
            row("most visited pair", number(self.largest)),
            row("pairs never visited", self.never.to_string()),
        ];
        format!(
            "{}: {episodes} of {who}, at most {} steps each, {} pairs\n{}--json lists every pair\n",
            self.env,
            self.horizon,
            self.pairs.len(),
            table(["expected", "visits"], 1, rows)
        )
    }
}
