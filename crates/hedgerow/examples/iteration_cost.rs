//! What an iteration costs as more is seen, phase by phase, in milliseconds of processor time:
//! `cargo run --release --example iteration_cost -- MAP STRATEGY ITERATIONS [COVER] [KEY=VALUE ...]`.
//!
//! With `COVER` above 0 the run begins with so many samples of every pair: a map that is covered. Values
//! are set as `hedgerow run --set` would, those of the strategy as `STRATEGY.KEY`.

use hedgerow::Result;
use hedgerow::domain::Domain;
use hedgerow::explore::{self, Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use hedgerow::finite::{FiniteDomain, FinitePayload, FiniteSettings, PARAMETERS, RunOptions, run};
use hedgerow::io;
use hedgerow::learn::Seen;
use hedgerow::model::Task;
use hedgerow::param::Parameters;
use hedgerow::run::{self as runs, RunId, RunSettings, RunSpec};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

/// Nanoseconds that this thread has run, where the system tells.
fn processor_time() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next();
    first.and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn milliseconds(since: u64) -> f64 {
    (processor_time() - since) as f64 / 1e6
}

/// A strategy that notes how long its answers take.
struct Timed {
    strategy: Box<dyn Strategy>,
    noted: Arc<Mutex<[f64; 2]>>,
}

impl Timed {
    fn note(&self, phase: usize, since: u64) {
        if let Ok(mut noted) = self.noted.lock() {
            noted[phase] = milliseconds(since);
        }
    }
}

impl Strategy for Timed {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let since = processor_time();
        let plan = self.strategy.plan(at);
        self.note(0, since);
        plan
    }

    fn accuracy(&mut self, at: &Context) -> Result<f64> {
        let since = processor_time();
        let accuracy = self.strategy.accuracy(at);
        self.note(1, since);
        accuracy
    }
}

/// What the run begins with.
#[derive(Debug)]
struct Covered(Seen);

impl hedgerow::finite::WarmStart for Covered {
    fn seen_in(&self, _env: &str, _task: &Task) -> Result<&Seen> {
        Ok(&self.0)
    }
}

fn covered(world: &hedgerow::env::Environment, each: u64) -> Result<Seen> {
    let pairs = world.task().pairs() as u64;
    let entry = explore::find("uniform-generative")?;
    let mut parameters = Parameters::defaults(entry.info.parameters);
    parameters.set("samples", &(each * pairs).to_string())?;
    let mut strategy = entry.build(parameters.values());
    let mut options = RunOptions::default();
    options.run.iterations = 1;
    options.finite.judge_every = 1_000_000;
    let result = run(world, strategy.as_mut(), &options)?;
    Ok(result.payload.read::<FinitePayload>()?.seen)
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [map, name, iterations, rest @ ..] = &words[..] else {
        println!("iteration_cost MAP STRATEGY ITERATIONS [COVER] [KEY=VALUE ...]");
        return Ok(());
    };
    let cover = rest
        .first()
        .and_then(|n| n.parse::<u64>().ok())
        .unwrap_or(0);
    let world = Arc::new(io::open(map)?);
    let entry = explore::find(name)?;
    let noted = Arc::new(Mutex::new([0.0; 2]));
    let mut own = Parameters::defaults(entry.info.parameters);
    let mut all = [runs::PARAMETERS, PARAMETERS].concat();
    all.sort_by_key(|p| p.name);
    let mut settings = Parameters::defaults(Box::leak(all.into_boxed_slice()));
    settings.set("iterations", iterations)?;
    for (key, value) in rest.iter().filter_map(|w| w.split_once('=')) {
        match key.strip_prefix(&format!("{name}.")) {
            Some(key) => own.set(key, value)?,
            None => settings.set(key, value)?,
        }
    }
    let (shared, values) = (noted.clone(), own.values().clone());
    let info = StrategyInfo {
        name: "timed",
        summary: "another one, timed",
        parameters: &[],
    };
    let timed = StrategyEntry::new(info, move |_| {
        Box::new(Timed {
            strategy: entry.build(&values),
            noted: shared.clone(),
        })
    });
    let mut domain = FiniteDomain::default().with_strategy(timed)?;
    if cover > 0 {
        domain = domain.with_warm(Covered(covered(&world, cover)?));
    }
    let pairs = world.task().pairs();
    let opened = domain.opened(world)?;
    let spec = RunSpec {
        version: String::new(),
        id: RunId {
            env: opened.file().name.clone(),
            strategy: "timed".into(),
            seed: 0,
        },
        domain: domain.name().into(),
        environment: String::new(),
        settings: settings.values().clone(),
        strategy_settings: Parameters::defaults(&[]).values().clone(),
        variant_of: None,
    };
    // Refused here rather than in the run.
    FiniteSettings::new(&spec.settings)?;
    let _ = RunSettings::new(&spec.settings);
    println!("iteration,samples,seen,constrained,plan,accuracy,rest,total");
    let mut since = processor_time();
    opened.run(&spec, &mut |row| {
        let total = milliseconds(since);
        let [plan, accuracy] = noted.lock().map_or([0.0; 2], |n| *n);
        let rest = total - plan - accuracy;
        println!(
            "{},{},{},{},{plan:.2},{accuracy:.2},{rest:.2},{total:.2}",
            row.iteration,
            row.samples,
            pairs - row.unseen,
            row.constrained
        );
        since = processor_time();
        ControlFlow::Continue(())
    })?;
    Ok(())
}
