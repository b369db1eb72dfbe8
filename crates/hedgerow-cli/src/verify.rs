//! `hedgerow verify`: are the promises kept, over many independent runs?

use crate::environment::Chosen;
use crate::infer::{Aim, Asked};
use crate::progress::{Progress, Work};
use crate::terminal::{ended, number, print, print_json, say, stop_on_ctrl_c, table};
use clap::Args;
use hedgerow::env::Environment;
use hedgerow::explore;
use hedgerow::finite::RunOptions;
use hedgerow::learn::InferenceParams;
use hedgerow::param::Parameters;
use hedgerow::verdict::Criteria;
use hedgerow::verify::{
    Searches, Tally, VerdictTally, VerifyOptions, Watch, verify, verify_verdicts,
};
use hedgerow::{Error, Result};
use serde::Serialize;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

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
    #[command(flatten)]
    aim: Aim,
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
    /// Whether Ctrl-C came before all had ended.
    interrupted: bool,
    /// Runs, and searches, that were asked for.
    asked: u64,
    /// Runs of the strategy that ended.
    runs: u64,
    /// Searches for verdicts that ended.
    searches: u64,
    promises: Vec<Line>,
    /// Searches in which everything that matters was decided, or the expert explained if that was asked.
    decided: u64,
    #[serde(skip)]
    explained: bool,
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
            rate: tally.failures as f64 / tally.runs.max(1) as f64,
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
    pub fn run(&self) -> Result<ExitCode> {
        let environment = self.chosen.open()?;
        let stop = stop_on_ctrl_c();
        let progress = Progress::new(Work::new(self.runs.saturating_mul(2), "runs"), self.quiet);
        let watch = Watch {
            ended: &|| progress.one_more(),
            stop: stop.clone(),
        };
        let result = self.tallies(&environment, &watch);
        progress.clear();
        let interrupted = stop.load(Ordering::Relaxed);
        let (mut tallies, verdicts) = result?;
        tallies.push(verdicts.verdicts.clone());
        tallies.push(verdicts.intervals.clone());
        tallies.extend(verdicts.explained.clone());
        let report = Report {
            env: environment.name().to_owned(),
            strategy: self.strategy.clone(),
            interrupted,
            asked: self.runs,
            runs: tallies[0].runs,
            searches: verdicts.verdicts.runs,
            promises: tallies.iter().map(Line::new).collect(),
            decided: verdicts.decided,
            explained: verdicts.explained.is_some(),
            missed: verdicts.missed,
            margin: self.criteria(&environment)?.margin,
            median_samples: verdicts.samples,
            most_samples: verdicts.most_samples,
        };
        match self.json {
            true => print_json(&report)?,
            false => print(&report.text())?,
        }
        if interrupted {
            say(&format!(
                "interrupted: {} of {} runs and {} of {} searches ended, and the table is about those",
                report.runs, self.runs, report.searches, self.runs
            ));
        }
        Ok(ended(interrupted))
    }

    fn criteria(&self, environment: &Environment) -> Result<Criteria> {
        let soft = environment.truth().budget() > 0.0;
        self.asked.criteria(environment.task(), soft)
    }

    fn tallies(
        &self,
        environment: &Environment,
        watch: &Watch,
    ) -> Result<(Vec<Tally>, VerdictTally)> {
        let criteria = self.criteria(environment)?;
        // The searches come last; what is wrong with them is said first.
        if self.samples == 0 {
            return Err(Error::invalid("samples", "0 samples", "use at least 1"));
        }
        let searches = Searches {
            goal: self.aim.goal(&criteria)?,
            knowledge: self.aim.knowledge(environment)?,
            ..Searches::new(criteria, self.samples)
        };
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
        let bounds = verify(environment, strategy, &run, &options, watch)?;
        let verdicts = verify_verdicts(environment, &searches, &options, watch)?;
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
        let of = |ended: u64| match ended == self.asked {
            true => ended.to_string(),
            false => format!("{ended} of {}", self.asked),
        };
        let cut = if self.interrupted {
            " (interrupted)"
        } else {
            ""
        };
        format!(
            "{}: {} runs of {}, {} searches for verdicts{cut}\n{}\n\
             {} in {} of {} searches, after {} samples (median) and at most {}.\n\
             {} searches left a pair undecided whose advantage is beyond {}.\n\
             looseness: how many times the error there was the bound allows (median).\n",
            self.env,
            of(self.runs),
            self.strategy,
            of(self.searches),
            table(header, 1, rows),
            match self.explained {
                false => "Everything that matters was decided",
                true => "The expert was explained",
            },
            self.decided,
            self.searches,
            self.median_samples,
            self.most_samples,
            self.missed,
            number(self.margin),
        )
    }
}
