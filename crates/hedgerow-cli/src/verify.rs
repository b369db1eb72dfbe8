//! `hedgerow verify`: are the promises kept, over many independent runs?

use crate::environment::Chosen;
use crate::infer::Asked;
use crate::progress::{Progress, Work};
use crate::terminal::{number, print, print_json, table};
use clap::Args;
use hedgerow::env::Environment;
use hedgerow::explore;
use hedgerow::finite::RunOptions;
use hedgerow::learn::InferenceParams;
use hedgerow::param::Parameters;
use hedgerow::verify::{Tally, VerdictTally, VerifyOptions, verify, verify_verdicts};
use hedgerow::{Error, Result};
use serde::Serialize;

/// How often each promise fails, against how often it may.
#[derive(Debug, Args)]
pub struct Verify {
    #[command(flatten)]
    chosen: Chosen,
    /// Independent runs.
    #[arg(long, value_name = "N", default_value_t = 200)]
    runs: u64,
    /// The seed of the first run; the others follow.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    seed: u64,
    #[command(flatten)]
    asked: Asked,
    /// Most samples of a search for verdicts.
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    samples: u64,
    /// The strategy whose bounds are checked.
    #[arg(long, value_name = "NAME", default_value = "pcse")]
    strategy: String,
    /// Iterations of its runs.
    #[arg(long, value_name = "N", default_value_t = 200)]
    iterations: usize,
    /// Probability with which its bounds may fail.
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.1,
        allow_negative_numbers = true
    )]
    delta: f64,
    /// Stop its runs at this accuracy.
    #[arg(long, value_name = "EPS")]
    accuracy: Option<f64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

#[derive(Serialize)]
struct Report {
    env: String,
    strategy: String,
    runs: u64,
    promises: Vec<Line>,
    /// Searches in which everything that matters was decided.
    decided: u64,
    /// Searches that left a pair with a larger advantage than the margin undecided.
    missed: u64,
    margin: f64,
    median_samples: f64,
    most_samples: u64,
}

#[derive(Serialize)]
struct Line {
    promise: &'static str,
    may_fail: f64,
    failures: u64,
    runs: u64,
    rate: f64,
    at_least: f64,
    at_most: f64,
    kept: bool,
    looseness: Option<f64>,
}

impl Line {
    fn new(tally: &Tally) -> Self {
        Self {
            promise: tally.name,
            may_fail: tally.may_fail,
            failures: tally.failures,
            runs: tally.runs,
            rate: tally.failures as f64 / tally.runs as f64,
            at_least: tally.interval.lower,
            at_most: tally.interval.upper,
            kept: tally.kept(),
            looseness: tally.looseness,
        }
    }
}

impl Line {
    /// Whether so many runs show that the promise is kept, or that it is not.
    fn shown(&self) -> &'static str {
        if !self.kept {
            "NO"
        } else if self.at_most <= self.may_fail {
            "yes"
        } else {
            "too few runs to tell"
        }
    }
}

impl Verify {
    /// Runs, counts and prints.
    pub fn run(&self) -> Result<()> {
        let environment = self.chosen.open()?;
        let progress = Progress::new(Work::new(2 * self.runs, "runs"), self.quiet);
        let result = self.tallies(&environment, &|| progress.one_more());
        progress.clear();
        let (mut tallies, verdicts) = result?;
        tallies.push(verdicts.verdicts.clone());
        tallies.push(verdicts.intervals.clone());
        let report = Report {
            env: environment.name().to_owned(),
            strategy: self.strategy.clone(),
            runs: self.runs,
            promises: tallies.iter().map(Line::new).collect(),
            decided: verdicts.decided,
            missed: verdicts.missed,
            margin: self.asked.criteria()?.margin,
            median_samples: verdicts.samples,
            most_samples: verdicts.most_samples,
        };
        if self.json {
            print_json(&report)
        } else {
            print(&report.text())
        }
    }

    fn tallies(
        &self,
        environment: &Environment,
        ended: &(dyn Fn() + Sync),
    ) -> Result<(Vec<Tally>, VerdictTally)> {
        let criteria = self.asked.criteria()?;
        // The searches come last; what is wrong with them is said first.
        if self.samples == 0 {
            return Err(Error::invalid("samples", "0 samples", "use at least 1"));
        }
        let entry = explore::find(&self.strategy)?;
        let mut run = RunOptions::default();
        run.run.iterations = self.iterations;
        run.run.accuracy = self.accuracy;
        run.finite.inference = InferenceParams {
            delta: self.delta,
            ..InferenceParams::DEFAULT
        }
        .check()?;
        let options = VerifyOptions {
            runs: self.runs,
            seed: self.seed,
            ..VerifyOptions::default()
        };
        let parameters = Parameters::defaults(entry.info.parameters);
        let strategy = (entry, parameters.values());
        let bounds = verify(environment, strategy, &run, &options, ended)?;
        let verdicts = verify_verdicts(environment, &criteria, self.samples, &options, ended)?;
        Ok((bounds, verdicts))
    }
}

impl Report {
    fn text(&self) -> String {
        let rows = self.promises.iter().map(|p| {
            [
                p.promise.to_owned(),
                number(p.may_fail),
                format!("{} of {}", p.failures, p.runs),
                format!("{:.4} to {:.4}", p.at_least, p.at_most),
                p.shown().to_owned(),
                p.looseness.map_or_else(String::new, |x| format!("{x:.1}")),
            ]
        });
        let header = [
            "promise",
            "may fail",
            "failed",
            "95 % interval",
            "kept",
            "looseness",
        ];
        format!(
            "{}: {} runs of {}, {} searches for verdicts\n{}\n\
             Everything that matters was decided in {} of {} searches, after {} samples (median) and at most {}.\n\
             {} searches left a pair undecided whose advantage is beyond {}.\n\
             looseness: how many times the error there was the bound allows (median).\n",
            self.env,
            self.runs,
            self.strategy,
            self.runs,
            table(header, 1, rows),
            self.decided,
            self.runs,
            self.median_samples,
            self.most_samples,
            self.missed,
            number(self.margin),
        )
    }
}
