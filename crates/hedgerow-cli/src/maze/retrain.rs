//! `hedgerow maze retrain`: are agents that respect what was inferred as safe as the expert?

use crate::progress::{Progress, Work};
use crate::terminal::{INTERRUPTED, print, print_json, say, significant, stop_on_ctrl_c, table};
use clap::Args;
use hedgerow::domain::Domain;
use hedgerow::results::{EnvironmentFile, Results};
use hedgerow::seed::Stream;
use hedgerow::{Error, Result};
use hedgerow_continuous::ContinuousDomain;
use hedgerow_continuous::domain::open_maze;
use hedgerow_continuous::expert::{self, EpisodeStats, Expert, TrainingSettings, with_constraint};
use hedgerow_continuous::maze::Maze;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Train agents under what runs inferred, and evaluate them in the true maze.
#[derive(Debug, Args)]
pub struct Retrain {
    /// A results folder with runs in mazes.
    results: PathBuf,
    /// Only this maze.
    #[arg(long, value_name = "ENV")]
    env: Option<String>,
    /// Only these strategies.
    #[arg(long, value_name = "X,Y", value_delimiter = ',')]
    strategy: Option<Vec<String>>,
    /// Gradient steps of each training.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    updates: Option<u64>,
    /// Seed of all random numbers of the training.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Number of episodes that each agent plays in the true maze.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    episodes: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

/// Cells by row and column, `(0, 0)` at the lower left.
type Cells = Vec<(usize, usize)>;

/// Runs by maze and inferred cells: strategy and seed.
type Groups = BTreeMap<(String, Cells), Vec<(String, u64)>>;

/// A training that can be done: the maze, its expert, and the maze with the inferred cells.
struct Job {
    env: String,
    cells: Cells,
    runs: Vec<(String, u64)>,
    maze: Arc<Maze>,
    inferred: Arc<Maze>,
    expert: Expert,
}

impl Job {
    /// Or the names of the runs, and why they cannot be used.
    fn new(
        results: &Results,
        (env, cells): (String, Cells),
        runs: Vec<(String, u64)>,
    ) -> std::result::Result<Self, (String, Error)> {
        let made = || {
            let maze = Arc::new(maze_of(results, &env)?);
            let inferred = Arc::new(with_constraint(&maze, &cells)?);
            let expert = expert::find(&source_of(results, &env), &maze, true)?;
            Ok((maze, inferred, expert))
        };
        match made() {
            Ok((maze, inferred, expert)) => Ok(Self {
                env,
                cells,
                runs,
                maze,
                inferred,
                expert,
            }),
            Err(error) => {
                let name = |(strategy, seed): &(String, u64)| format!("{strategy} {seed}");
                let names: Vec<String> = runs.iter().map(name).collect();
                Err((format!("{env}, {}", names.join(", ")), error))
            }
        }
    }
}

/// Runs that inferred the same cells: one agent is trained for all of them.
#[derive(Serialize)]
struct Agent {
    env: String,
    /// Row and column.
    cells: Cells,
    /// Strategy and seed.
    runs: Vec<(String, u64)>,
    /// The expert's reward in the same episodes.
    expert_reward: f64,
    #[serde(flatten)]
    stats: EpisodeStats,
}

impl Retrain {
    /// Trains an agent for every inferred set of cells, and evaluates it. What cannot be used is skipped, with
    /// a line each.
    pub fn run(&self) -> Result<ExitCode> {
        let results = Results::read(&self.results)?;
        for problem in &results.problems {
            say(&format!("skipped: {}: {}", problem.file, problem.problem));
        }
        let mut last = None;
        let mut jobs = Vec::new();
        for (key, runs) in self.groups(&results)? {
            match Job::new(&results, key, runs) {
                Ok(job) => jobs.push(job),
                Err((names, error)) => {
                    say(&format!("skipped: {names}: {error}"));
                    last = Some(error);
                }
            }
        }
        if let (true, Some(error)) = (jobs.is_empty(), last) {
            return Err(error);
        }
        self.train(jobs)
    }

    fn train(&self, jobs: Vec<Job>) -> Result<ExitCode> {
        let mut settings = TrainingSettings::default();
        if let Some(updates) = self.updates {
            settings.dqn.updates = updates as usize;
        }
        let each = settings.dqn.updates as u64;
        let stop = stop_on_ctrl_c();
        let work = Work::new(each * jobs.len() as u64, "updates");
        let progress = Progress::new(work, self.quiet);
        let mut agents = Vec::new();
        for (i, job) in jobs.into_iter().enumerate() {
            let before = each * i as u64;
            let trained = expert::train(&job.inferred, &settings, self.seed, true, &mut |p| {
                let text = || format!("{}: avoiding {}", job.env, named(&job.cells));
                progress.reach(before + p.updates as u64, text);
                !stop.load(Ordering::Relaxed)
            })?;
            if trained.interrupted {
                progress.clear();
                eprintln!("interrupted: nothing was written; the same command starts again");
                return Ok(ExitCode::from(INTERRUPTED));
            }
            let evaluate = |agent| {
                let stream = Stream::new(self.seed, "retrain");
                expert::evaluate(&job.maze, agent, self.episodes as usize, stream)
            };
            agents.push(Agent {
                expert_reward: evaluate(&job.expert).reward,
                stats: evaluate(&trained.expert),
                env: job.env,
                cells: job.cells,
                runs: job.runs,
            });
        }
        progress.clear();
        match self.json {
            true => print_json(&agents)?,
            false => print(&text(&agents))?,
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The runs by maze and inferred cells.
    fn groups(&self, results: &Results) -> Result<Groups> {
        let mut groups = Groups::new();
        for run in &results.runs {
            let id = &run.id;
            let wanted = self.env.as_ref().is_none_or(|env| *env == id.env)
                && (self.strategy.as_ref()).is_none_or(|names| names.contains(&id.strategy));
            let file = results.environment(&id.env);
            let Some(file) =
                file.filter(|f| wanted && f.domain == hedgerow_continuous::payload::DOMAIN)
            else {
                continue;
            };
            let cells = run
                .result
                .snapshots
                .last()
                .map(|s| inferred(file, &s.cells));
            let key = (id.env.clone(), cells.unwrap_or_default());
            groups
                .entry(key)
                .or_default()
                .push((id.strategy.clone(), id.seed));
        }
        match groups.is_empty() {
            true => Err(Error::invalid(
                self.results.display().to_string(),
                "it holds no run in a maze that fits",
                "check --env and --strategy, or run some: `hedgerow run --env point-maze`",
            )),
            false => Ok(groups),
        }
    }
}

/// The cells of states with an inferred cost.
fn inferred(file: &EnvironmentFile, cells: &[(u32, f64)]) -> Cells {
    let Some(layout) = &file.layout else {
        return Vec::new();
    };
    let place = |&(state, _): &(u32, f64)| *layout.cells.get(state as usize)?;
    let mut cells: Cells = cells.iter().filter_map(place).collect();
    cells.sort_unstable();
    cells
}

fn source_of(results: &Results, env: &str) -> String {
    let environments = &results.manifest.environments;
    let known = environments.iter().find(|e| e.name == env);
    known.map_or_else(|| env.to_owned(), |e| e.source.clone())
}

/// The maze that the runs took place in, as it is now.
fn maze_of(results: &Results, env: &str) -> Result<Maze> {
    let source = source_of(results, env);
    match ContinuousDomain.recognises(&source)? {
        true => open_maze(&source),
        false => {
            let remedy = "put the file of the maze back where it was";
            let problem = "the maze of these runs is not there";
            Err(Error::invalid(source, problem, remedy))
        }
    }
}

fn named(cells: &Cells) -> String {
    let name = |&(row, column): &(usize, usize)| format!("({row}, {column})");
    match cells.is_empty() {
        true => "nothing".to_owned(),
        false => cells.iter().map(name).collect::<Vec<_>>().join(" "),
    }
}

fn text(agents: &[Agent]) -> String {
    let share = |x: f64| format!("{} %", significant(100.0 * x, 3));
    let rows = agents.iter().map(|a| {
        let mut runs: BTreeMap<&str, usize> = BTreeMap::new();
        for (strategy, _) in &a.runs {
            *runs.entry(strategy).or_default() += 1;
        }
        let runs: Vec<String> = runs.iter().map(|(s, n)| format!("{s} {n}")).collect();
        [
            a.env.clone(),
            named(&a.cells),
            runs.join(", "),
            significant(a.stats.reward, 3),
            share(a.stats.reward / a.expert_reward),
            share(a.stats.inside),
            share(a.stats.reached),
            share(a.stats.reached_and_clear),
        ]
    });
    let header = [
        "maze",
        "avoids",
        "inferred by runs of",
        "reward",
        "of the expert's",
        "steps inside",
        "reach the goal",
        "and clear",
    ];
    format!(
        "{}Cells are (row, column) from the lower left, from 0.\n",
        table(header, 3, rows)
    )
}
