//! A finite world and its expert given as code, with no table of probabilities anywhere:
//! `cargo run --release --example own_world`.
//!
//! A robot carries parcels along a corridor of twelve places. Running is twice as fast as walking,
//! and it never runs past the two places where people work. Nobody wrote that down.

use hedgerow::Result;
use hedgerow::env::{FiniteWorld, Simulator, Step};
use hedgerow::explore;
use hedgerow::finite::{RunOptions, run};
use hedgerow::index::{Action, Pair, State};
use hedgerow::model::{ModelBuilder, Task};
use hedgerow::run::RunResult;
use hedgerow::seed::Stream;
use hedgerow::verdict::{SearchOptions, Verdict, infer};
use rand::RngExt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The place where parcels are handed over, and the end of an episode.
const LAST: u32 = 11;
const END: u32 = 12;
const WALK: Action = Action(0);
const RUN: Action = Action(1);

/// Where people work: running must not end there.
fn is_workplace(place: u32) -> bool {
    place == 4 || place == 7
}

/// The corridor, as everybody may know it: places, actions, reward 1 for handing over a parcel at
/// the last place.
#[derive(Debug)]
pub struct Corridor {
    task: Arc<Task>,
}

impl Corridor {
    /// The corridor with its reward at the far end.
    pub fn new() -> Result<Self> {
        let (last, end) = (LAST as usize, END as usize);
        let mut builder = ModelBuilder::new(end + 1, ["walk", "run"], 0.8);
        builder.start(0, 1.0).terminal(end);
        for place in 0..end {
            builder.available(place, 0).available(place, 1);
        }
        builder.reward(last, 0, 1.0).reward(last, 1, 1.0);
        let task = Arc::new(builder.build_task()?);
        Ok(Self { task })
    }

    fn pair(&self, place: State, action: Action) -> Pair {
        self.task
            .pair(place, action)
            .expect("both actions are available everywhere")
    }
}

impl FiniteWorld for Corridor {
    fn name(&self) -> &str {
        "corridor"
    }

    fn task(&self) -> &Arc<Task> {
        &self.task
    }

    fn horizon(&self) -> usize {
        40
    }

    fn simulator(&self, seed: u64) -> Result<Box<dyn Simulator + '_>> {
        Ok(Box::new(Robot {
            corridor: self,
            slips: Stream::new(seed, "slips"),
        }))
    }
}

/// One robot on its way. One step in ten it does not get anywhere.
struct Robot<'a> {
    corridor: &'a Corridor,
    slips: Stream,
}

impl Simulator for Robot<'_> {
    fn reset(&mut self) -> Result<State> {
        Ok(State(0))
    }

    fn step(&mut self, pair: Pair) -> Result<Step> {
        let task = &self.corridor.task;
        let place = task.state_of(pair).0;
        let steps = match task.action_of(pair) == RUN {
            _ if self.slips.random::<f64>() < 0.1 => 0,
            true => 2,
            false => 1,
        };
        let next = match place {
            LAST => END,
            _ => (place + steps).min(LAST),
        };
        Ok(Step::to(State(next)))
    }

    fn ask_expert(&mut self, place: State) -> Result<Pair> {
        let action = match is_workplace(place.0 + 2) {
            true => WALK,
            false => RUN,
        };
        Ok(self.corridor.pair(place, action))
    }
}

/// A run of `pcse`, whose guess is evaluated by simulated episodes.
pub fn guess(corridor: &Corridor, iterations: usize) -> Result<RunResult> {
    let mut strategy = explore::find("pcse")?.with_defaults();
    let mut options = RunOptions::default();
    options.run.iterations = iterations;
    run(corridor, strategy.as_mut(), &options)
}

/// The places from which running is surely constrained, with probability 0.95.
pub fn places_not_to_run_from(corridor: &Corridor, samples: u64) -> Result<Vec<u32>> {
    let options = SearchOptions {
        samples: Some(samples),
        ..SearchOptions::default()
    };
    let found = infer(corridor, options, &mut |_| ControlFlow::Continue(()))?;
    let is_constrained = |place: &u32| {
        let pair = corridor.pair(State(*place), RUN);
        found.verdicts.at(pair).verdict == Verdict::Constrained
    };
    Ok((0..LAST).filter(is_constrained).collect())
}

#[allow(dead_code, reason = "tests include this file")]
fn main() -> Result<()> {
    let corridor = Corridor::new()?;
    let result = guess(&corridor, 30)?;
    let last = result.summary.last;
    println!(
        "a guess after {} samples: {} pairs",
        last.samples, last.constrained
    );
    let places = places_not_to_run_from(&corridor, 200_000)?;
    println!("surely constrained: running from {places:?}");
    Ok(())
}
