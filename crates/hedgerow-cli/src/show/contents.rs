//! What there is to show of a results folder.

use hedgerow::results::{FileProblem, Results, SavedRun, SummaryRow};
use hedgerow_report::curves::mean_cost;
use serde::Serialize;

/// Seeds that are named; more are counted.
const SEEDS: usize = 10;

/// The summary, and the inferred cost on cells.
#[derive(Serialize)]
pub struct Contents<'a> {
    folder: String,
    version: &'a str,
    /// Finished runs that are whole.
    finished: usize,
    /// Runs that were asked for; unknown if the manifest is not whole.
    planned: Option<usize>,
    environments: Vec<&'a str>,
    strategies: Vec<&'a str>,
    seeds: &'a [u64],
    /// One row per environment and strategy.
    pub summary: Vec<SummaryRow>,
    /// What was inferred in each environment by each strategy.
    pub maps: Vec<Map>,
    /// What is not as it should be in the folder.
    pub problems: &'a [FileProblem],
}

/// The inferred cost on cells at the end of the runs.
#[derive(Serialize)]
pub struct Map {
    /// The environment.
    pub env: String,
    /// The strategy.
    pub strategy: String,
    /// Number of finished runs.
    pub seeds: usize,
    /// State and its cost, mean over the seeds; what is not listed is 0.
    pub cells: Vec<(u32, f64)>,
}

impl<'a> Contents<'a> {
    /// The contents of `results`; so many runs are finished and were asked for, though not all may
    /// be shown.
    pub fn new(results: &'a Results, finished: usize, planned: usize) -> Self {
        let manifest = &results.manifest;
        let summary = results.summary();
        let maps = summary.iter().map(|row| Map {
            env: row.env.clone(),
            strategy: row.strategy.clone(),
            seeds: row.seeds,
            cells: inferred(results, row),
        });
        Self {
            folder: results.folder.display().to_string(),
            version: &manifest.version,
            finished,
            planned: (!results.reconstructed).then_some(planned),
            environments: manifest
                .environments
                .iter()
                .map(|e| e.name.as_str())
                .collect(),
            strategies: manifest.strategies(),
            seeds: &manifest.seeds,
            maps: maps.collect(),
            summary,
            problems: &results.problems,
        }
    }

    /// What it is, in a few lines.
    pub fn heading(&self) -> Vec<String> {
        let runs = match self.planned {
            None => format!(
                "{} runs finished; how many were asked for is not known",
                self.finished
            ),
            Some(planned) if planned != self.finished => {
                format!("{} of {planned} runs finished", self.finished)
            }
            Some(1) => "its one run finished".to_owned(),
            Some(planned) => format!("all {planned} runs finished"),
        };
        vec![
            format!("{}: hedgerow {}, {runs}", self.folder, self.version),
            format!("environments: {}", self.environments.join(", ")),
            format!("strategies: {}", self.strategies.join(", ")),
            format!("seeds: {}", listed(self.seeds)),
        ]
    }
}

/// The mean over the seeds of the inferred cost at the end.
fn inferred(results: &Results, row: &SummaryRow) -> Vec<(u32, f64)> {
    let runs: Vec<&SavedRun> = results.runs_of(&row.env, &row.strategy).collect();
    mean_cost(&runs, None).into_iter().collect()
}

/// The seeds: a range, a list, or the first of them.
fn listed(seeds: &[u64]) -> String {
    let n = seeds.len();
    let follow = seeds.windows(2).all(|w| w[0].checked_add(1) == Some(w[1]));
    if let ([first, .., last], true) = (seeds, follow && n > 2) {
        return format!("{first} to {last}");
    }
    let mut names: Vec<String> = seeds.iter().take(SEEDS).map(u64::to_string).collect();
    if n > SEEDS {
        names.push(format!("and {} more", n - SEEDS));
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn seeds_are_named_as_far_as_one_wants_to_read() {
        assert_eq!(listed(&[3]), "3");
        assert_eq!(listed(&[3, 4]), "3, 4");
        assert_eq!(listed(&[3, 4, 5]), "3 to 5");
        assert_eq!(listed(&[5, 4, 3]), "5, 4, 3");
        let odd: Vec<u64> = (0..30).map(|i| 2 * i + 1).collect();
        assert_eq!(
            listed(&odd),
            "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, and 20 more"
        );
    }
}
