//! `hedgerow run`: a sweep from the command line.

mod observe;
pub mod table;
mod watch;

use crate::domains::{announce, domains, warm_domains};
use crate::progress::{Progress, Work};
use crate::serve::Address;
use crate::terminal;
use crate::terminal::{INTERRUPTED, say, stop_on_ctrl_c};
use crate::window;
use clap::Args;
use hedgerow::results::FileProblem;
use hedgerow::sweep::{Both, Experiment, Shard, Sweep, SweepOutcome, seeds};
use hedgerow::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use watch::Watch;

/// The options of `hedgerow run`.
#[derive(Debug, Args)]
pub struct Run {
    /// An experiment file; without one, the four Gridworlds with all strategies and five seeds
    experiment: Option<PathBuf>,
    /// Environments, by name or file
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    env: Option<Vec<String>>,
    /// Strategies; `hedgerow strategies` lists them
    #[arg(long, value_name = "X,Y", value_delimiter = ',')]
    strategy: Option<Vec<String>>,
    /// A strategy once more under a name of its own, to be given parameters of its own
    #[arg(long, value_name = "NAME=STRATEGY")]
    variant: Vec<String>,
    /// Seeds, like 1,2,7 or 0..20 (0 to 19)
    #[arg(long, allow_hyphen_values = true)]
    seeds: Option<String>,
    /// Iterations per run, short for --set iterations=N
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    iterations: Option<String>,
    /// Folder for the results; finished runs in it are kept
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,
    /// A parameter, like delta=0.05 or pcse.lookahead=2
    #[arg(long, value_name = "KEY=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,
    /// Begin every run with the samples of a constraint saved by `infer --out`, in its environment
    #[arg(long, value_name = "FILE")]
    warm: Option<PathBuf>,
    /// Do only a part of the sweep: 2/8 is the second of eight; `hedgerow merge` puts them together
    #[arg(long, value_name = "N/M")]
    shard: Option<String>,
    /// Remove the results in the folder first
    #[arg(long)]
    fresh: bool,
    /// Seconds between two checkpoints of a long run, from which it goes on if it is interrupted
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    checkpoint_every: f64,
    /// Serve a page that follows the sweep, for browsers on this machine, until it is over
    #[arg(long)]
    watch: bool,
    /// Serve it there instead of 127.0.0.1:7410; implies --watch
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

impl Run {
    /// Runs the sweep, shows its progress and prints its summary.
    pub fn run(self) -> Result<ExitCode> {
        let shard = match &self.shard {
            Some(text) => text.parse()?,
            None => Shard::WHOLE,
        };
        let experiment = self.experiment()?;
        if !self.quiet {
            experiment.environments().iter().for_each(|e| announce(e));
        }
        // What is wrong is refused before the folder is touched, which --fresh empties.
        let address = self.address()?;
        let checkpoints = Duration::try_from_secs_f64(self.checkpoint_every).map_err(|_| {
            let problem = format!("{} is no time", self.checkpoint_every);
            Error::invalid("checkpoint-every", problem, "use seconds, at least 0")
        })?;
        let sweep = Sweep::open_part(&experiment, &self.out, shard, self.fresh)?;
        let sweep = sweep.checkpoint_every(checkpoints);
        self.name_damage(sweep.damaged());
        let (saved, runs) = (sweep.saved(), sweep.runs());
        let watch = address.map(|address| Watch::start(address, &self.out, saved, runs));
        let watch = watch.transpose()?;
        let work = Work {
            before: saved as u64,
            ..Work::new(runs as u64, "runs")
        };
        let progress = Progress::new(work, self.quiet);
        let stop = stop_on_ctrl_c();
        let outcome = match &watch {
            None => sweep.run(&progress, &stop),
            Some(watch) => sweep.run(&Both(&progress, &**watch), &stop),
        };
        progress.clear();
        let code = self.report(&outcome?, saved)?;
        if let Some(watch) = watch {
            watch.finish(&stop);
        }
        Ok(code)
    }

    /// Says which files are not whole and are written anew.
    fn name_damage(&self, damaged: &[FileProblem]) {
        let Some(first) = damaged.first() else {
            return;
        };
        let more = match damaged.len() - 1 {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        say(&format!(
            "not whole, done again: {} ({}){more}",
            first.file, first.problem
        ));
    }

    /// Where the page is served, if that is asked for.
    fn address(&self) -> Result<Option<Address>> {
        let listen = self.listen.as_deref();
        let asked = self.watch || listen.is_some();
        asked.then(|| Address::bind(listen)).transpose()
    }

    /// The experiment: file or defaults, changed by the options.
    fn experiment(&self) -> Result<Experiment> {
        let domains = match &self.warm {
            Some(path) => warm_domains(path)?,
            None => domains(),
        };
        let mut experiment = match &self.experiment {
            Some(path) => Experiment::new(domains).reading(path)?,
            None => Experiment::new(domains),
        };
        if let Some(names) = &self.env {
            experiment.set_environments(names)?;
        }
        for text in &self.variant {
            experiment.assign_variant(text)?;
        }
        if let Some(names) = &self.strategy {
            experiment.set_strategies(names.iter().map(String::as_str))?;
        }
        if let Some(text) = &self.seeds {
            experiment.set_seeds(seeds::parse(text)?)?;
        }
        if let Some(text) = &self.iterations {
            experiment.set("iterations", text)?;
        }
        for text in &self.set {
            experiment.assign(text)?;
        }
        Ok(experiment)
    }

    fn report(&self, outcome: &SweepOutcome, earlier: usize) -> Result<ExitCode> {
        let out = folder(&self.out);
        if outcome.interrupted {
            let without = if self.fresh { " without --fresh" } else { "" };
            say(&format!(
                "interrupted: {} of {} runs saved in {out}; the same command{without} continues",
                outcome.finished, outcome.runs
            ));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        if self.json {
            terminal::print_json(&outcome.summary)?;
        } else {
            let kept = match earlier {
                0 => String::new(),
                n => format!(", {n} of them from before"),
            };
            let stops = outcome.stops.iter();
            let stops: Vec<String> = stops.map(|(stop, n)| format!("{n} on {stop}")).collect();
            terminal::print(&format!(
                "{}Runs stopped: {}.\n{} saved in {out}{kept}: summary.csv, manifest.json, runs/\n",
                table::draw(&outcome.summary, window::width()),
                stops.join(", "),
                match outcome.finished {
                    1 => "1 run".to_owned(),
                    n => format!("{n} runs"),
                }
            ))?;
        }
        let Some((run, reason)) = outcome.failed.first() else {
            return Ok(ExitCode::SUCCESS);
        };
        say(&format!(
            "error: {} of {} runs failed, the first one {run}: {reason}; {out}/runs/ has the others, in files ending in .failed.json",
            outcome.failed.len(),
            outcome.runs
        ));
        Ok(ExitCode::FAILURE)
    }
}

fn folder(path: &Path) -> String {
    let text = path.display().to_string();
    match text.trim_end_matches('/') {
        "" => text,
        trimmed => trimmed.to_owned(),
    }
}
