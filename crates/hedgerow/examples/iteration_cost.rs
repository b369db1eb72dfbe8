//! What an iteration costs as more is seen, phase by phase, in milliseconds of processor time:
//! `cargo run --release --example iteration_cost -- MAP STRATEGY[,STRATEGY] ITERATIONS [COVER] [KEY=VALUE ...]`.
//!
//! With `COVER` above 0 the run begins with so many samples of every pair: a map that is covered. Values
//! are set as `hedgerow run --set` would, those of the strategy as `STRATEGY.KEY`.

use hedgerow::domain::Domain;
use hedgerow::env::Environment;
use hedgerow::explore::{self, Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use hedgerow::finite::{FiniteDomain, FinitePayload, FiniteSettings, PARAMETERS, RunOptions, run};
use hedgerow::io;
use hedgerow::learn::Seen;
use hedgerow::model::Task;
use hedgerow::param::{Parameter, Parameters};
use hedgerow::run::{self as runs, RunId, RunSettings, RunSpec};
use hedgerow::{Error, Result};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// Nanoseconds that this thread has run, where the system tells.
///
/// It counts them up when the thread is taken off the processor, and else a few milliseconds late: hence the
/// short sleep.
fn processor_time() -> u64 {
    std::thread::sleep(Duration::from_nanos(1));
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next();
    first.and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// What reading the time takes itself, the median of some.
fn own_time() -> u64 {
    static OWN: OnceLock<u64> = OnceLock::new();
    *OWN.get_or_init(|| {
        let mut taken: Vec<u64> = (0..101)
            .map(|_| {
                let since = processor_time();
                processor_time() - since
            })
            .collect();
        taken.sort_unstable();
        taken[taken.len() / 2]
    })
}

fn milliseconds(since: u64) -> f64 {
    (processor_time() - since).saturating_sub(own_time()) as f64 / 1e6
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

fn covered(world: &Environment, each: u64) -> Result<Seen> {
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

fn main() -> ExitCode {
    // All work is done by one thread, so that its time is all there is.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    match one.expect("a thread can be started").install(measured) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A strategy with its parameters and those of the run.
type Chosen = (&'static StrategyEntry, Parameters, Parameters);

/// What `names` and the words after the number of iterations say, all of it checked.
fn chosen(names: &str, iterations: &str, rest: &[String]) -> Result<Vec<Chosen>> {
    let mut all = [runs::PARAMETERS, PARAMETERS].concat();
    all.sort_by_key(|p| p.name);
    let all: &'static [Parameter] = Box::leak(all.into_boxed_slice());
    let set = rest.iter().filter(|w| w.contains('='));
    let set: Vec<(&str, &str)> = set.filter_map(|w| w.split_once('=')).collect();
    let of = |name: &str| {
        let entry = explore::find(name)?;
        let mut own = Parameters::defaults(entry.info.parameters);
        let mut settings = Parameters::defaults(all);
        settings.set("iterations", iterations)?;
        for &(key, value) in &set {
            match key.split_once('.') {
                Some((of, key)) if of == name => own.set(key, value)?,
                Some(_) => {}
                None => settings.set(key, value)?,
            }
        }
        FiniteSettings::new(settings.values())?;
        let _ = RunSettings::new(settings.values());
        Ok((entry, own, settings))
    };
    names.split(',').map(of).collect()
}

/// How many samples of every pair the run begins with: the first word, unless that sets something.
fn cover(rest: &[String]) -> Result<u64> {
    let mut plain = rest.iter().enumerate().filter(|(_, w)| !w.contains('='));
    let refuse = |word: &str| {
        Error::invalid(
            "argument",
            word,
            "give COVER, a whole number, and then KEY=VALUE only",
        )
    };
    match (plain.next(), plain.next()) {
        (None, _) => Ok(0),
        (Some((0, word)), None) => word.parse().map_err(|_| refuse(word)),
        (Some((0, _)), Some((_, word))) | (Some((_, word)), _) => Err(refuse(word)),
    }
}

fn measured() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [map, names, iterations, rest @ ..] = &words[..] else {
        return Err(Error::invalid(
            "arguments",
            words.join(" "),
            "use `iteration_cost MAP STRATEGY[,STRATEGY] ITERATIONS [COVER] [KEY=VALUE ...]`",
        ));
    };
    let (strategies, cover) = (chosen(names, iterations, rest)?, cover(rest)?);
    let world = Arc::new(io::open(map)?);
    let seen = match cover {
        0 => None,
        each => Some(covered(&world, each)?),
    };
    println!("strategy,iteration,samples,seen,constrained,plan,accuracy,rest,total");
    for (entry, own, settings) in &strategies {
        time(&world, entry, (own, settings), seen.clone())?;
    }
    Ok(())
}

/// Runs one strategy, and prints what each of its iterations takes.
fn time(
    world: &Arc<Environment>,
    entry: &'static StrategyEntry,
    (own, settings): (&Parameters, &Parameters),
    seen: Option<Seen>,
) -> Result<()> {
    let noted = Arc::new(Mutex::new([0.0; 2]));
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
    if let Some(seen) = seen {
        domain = domain.with_warm(Covered(seen));
    }
    let pairs = world.task().pairs();
    let opened = domain.opened(world.clone())?;
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
    let name = entry.info.name;
    own_time();
    let mut since = processor_time();
    opened.run(&spec, &mut |row| {
        // Plan and accuracy are timed within it.
        let total = (milliseconds(since) - 4.0 * own_time() as f64 / 1e6).max(0.0);
        let [plan, accuracy] = noted.lock().map_or([0.0; 2], |n| *n);
        let rest = total - plan - accuracy;
        let (iteration, samples, seen) = (row.iteration, row.samples, pairs - row.unseen);
        let constrained = row.constrained;
        println!(
            "{name},{iteration},{samples},{seen},{constrained},{plan:.4},{accuracy:.4},{rest:.4},{total:.4}"
        );
        since = processor_time();
        ControlFlow::Continue(())
    })?;
    Ok(())
}
