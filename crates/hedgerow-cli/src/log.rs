//! `hedgerow log`: act in an environment and write down what was seen, as records.

use crate::environment::Chosen;
use crate::terminal::{ended, print, print_json, say, stop_on_ctrl_c};
use clap::{Args, ValueEnum};
use hedgerow::Result;
use hedgerow::env::{Environment, Simulator, TableSimulator};
use hedgerow::io::PendingFile;
use hedgerow::io::records::{Format, Source, Step, Writer};
use hedgerow::model::Policy;
use hedgerow::seed::Stream;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steps that are kept in memory before they are written.
const CHUNK: u64 = 10_000;

/// Write records: episodes of the expert or of somebody who acts at random.
#[derive(Debug, Args)]
pub struct Log {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    amount: Amount,
    /// Who acts.
    #[arg(long, value_enum, default_value = "expert")]
    policy: Who,
    /// Ask the expert in every state what it would do, and write its answer down too.
    #[arg(long)]
    ask: bool,
    /// Decides every random number.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// FILE.csv for a table, FILE.jsonl for JSON Lines.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Amount {
    /// Stop after this many episodes.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    episodes: Option<u64>,
    /// Stop after this many steps.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Who {
    /// The expert: demonstrations.
    Expert,
    /// Somebody who takes every available action alike: a log.
    Random,
}

#[derive(Serialize)]
struct Written<'a> {
    env: &'a str,
    file: &'a PathBuf,
    episodes: u64,
    samples: u64,
}

impl Log {
    /// Acts and writes.
    pub fn run(&self) -> Result<ExitCode> {
        let format = Format::of(&self.out)?;
        hedgerow::io::check_writable(&self.out)?;
        let environment = self.chosen.open()?;
        let stop = stop_on_ctrl_c();
        let mut file = PendingFile::create(&self.out)?;
        let (episodes, samples) = self.act(&environment, format, &mut file, &stop)?;
        file.finish()?;
        let interrupted = stop.load(Ordering::Relaxed);
        if interrupted {
            say("interrupted: what was done is kept");
        }
        if self.json {
            print_json(&Written {
                env: environment.name(),
                file: &self.out,
                episodes,
                samples,
            })?;
        } else {
            print(&format!(
                "{samples} steps of {episodes} episodes in {} written to {}\n",
                environment.name(),
                self.out.display()
            ))?;
        }
        Ok(ended(interrupted))
    }

    /// Acts until the amount is reached or `stop` is raised; writes whenever there is something.
    fn act(
        &self,
        environment: &Environment,
        format: Format,
        file: &mut PendingFile,
        stop: &AtomicBool,
    ) -> Result<(u64, u64)> {
        let task = environment.task();
        let mut world = TableSimulator::new(environment, self.seed);
        let mut acting = Stream::new(self.seed, "acting");
        let random = Policy::uniform(task);
        let mut writer = Writer::new(task, format);
        let limit = |given: Option<u64>| given.unwrap_or(u64::MAX);
        let (most_episodes, most) = (limit(self.amount.episodes), limit(self.amount.samples));
        let (mut episodes, mut samples) = (0, 0);
        let halted = || stop.load(Ordering::Relaxed);
        while episodes < most_episodes && samples < most && !halted() {
            let mut state = world.reset()?;
            for step in 0..environment.horizon() {
                if task.is_terminal(state) || samples == most || halted() {
                    break;
                }
                let (pair, source, answer) = match self.policy {
                    Who::Expert => (world.ask_expert(state)?, Source::Expert, None),
                    Who::Random => (
                        random.sample(task, state, &mut acting),
                        Source::Log,
                        self.ask.then(|| world.ask_expert(state)).transpose()?,
                    ),
                };
                let next = world.step(pair)?.next;
                writer.write(&Step {
                    at: (episodes as usize, step),
                    pair,
                    next,
                    source,
                    answer,
                });
                state = next;
                samples += 1;
                if samples.is_multiple_of(CHUNK) {
                    file.write(writer.take().as_bytes())?;
                }
            }
            episodes += 1;
        }
        file.write(writer.text().as_bytes())?;
        Ok((episodes, samples))
    }
}
