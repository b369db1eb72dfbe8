//! Gathering samples: the only place where plans become actions.

use crate::env::{FiniteWorld, Simulator, Step};
use crate::explore::Plan;
use crate::explore::plan::Course;
use crate::index::{Pair, State};
use crate::learn::{Inference, Learner};
use crate::seed::Stream;
use crate::{Error, Result};

/// Steps between two questions whether to stop: an episode may be very long.
const ASK_EVERY: usize = 4_096;

/// The most states of an episode that are remembered for pictures.
const REMEMBERED: usize = 1_000;

/// One sample: what the expert answered, what was taken, and where that led.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub answer: Pair,
    pub pair: Pair,
    pub next: State,
}

/// Who is told of every sample, after the learner.
pub(crate) type Witness<'w> = &'w mut dyn FnMut(&Learner, Sample);

/// Everything that gathers samples.
pub(crate) struct Gather<'a> {
    simulator: Box<dyn Simulator + 'a>,
    /// Who sees the samples.
    pub learner: Learner,
    /// The states of the last episode in order, the first [`REMEMBERED`] of them; none if it did
    /// not walk.
    pub trajectory: Vec<State>,
    acting: Stream,
    /// Steps per episode.
    pub horizon: usize,
    /// Most samples.
    pub samples: Option<u64>,
    /// Whether to stop; asked before every episode and now and then within it.
    pub halted: Box<dyn Fn() -> bool + 'a>,
}

impl<'a> Gather<'a> {
    /// Nothing gathered yet; episodes of the world's length, no limit on samples.
    pub fn new(world: &'a dyn FiniteWorld, inference: Inference, seed: u64) -> Result<Self> {
        Ok(Self {
            simulator: world.simulator(seed)?,
            learner: Learner::new(world.task().clone(), inference),
            trajectory: Vec::with_capacity(REMEMBERED.min(world.horizon().saturating_add(1))),
            acting: Stream::new(seed, "acting"),
            horizon: world.horizon(),
            samples: None,
            halted: Box::new(|| false),
        })
    }

    /// How far the random streams were read: those of the simulation, and that of acting. None if the
    /// simulation cannot tell.
    pub fn position(&self) -> Option<(Vec<u64>, u64)> {
        Some((self.simulator.position()?, self.acting.position()))
    }

    /// Goes on from such a position.
    pub fn go_to(&mut self, simulator: &[u64], acting: u64) {
        self.simulator.go_to(simulator);
        self.acting.go_to(acting);
    }

    /// Gathers the samples of one episode.
    pub fn episode(&mut self, plan: &Plan) -> Result<()> {
        self.episode_before(plan, &mut |_, _| {})
    }

    /// Gathers the samples of one episode; `witness` is told of each after the learner.
    pub fn episode_before(&mut self, plan: &Plan, witness: Witness) -> Result<()> {
        self.trajectory.clear();
        if (self.halted)() {
            return Ok(());
        }
        match (plan, plan.course(&mut self.acting)) {
            (_, Some(course)) => self.follow(course, witness),
            (Plan::Generate(each), _) => self.generate(*each, witness),
            _ => Ok(()),
        }
    }

    fn is_spent(&self) -> bool {
        let seen = self.learner.samples();
        self.samples.is_some_and(|limit| seen >= limit)
    }

    fn follow(&mut self, course: Course, witness: Witness) -> Result<()> {
        let start = self.simulator.reset()?;
        let mut state = self.checked(start)?;
        self.trajectory.push(state);
        for step in 1..=self.horizon {
            if self.learner.task().is_terminal(state) || self.is_spent() {
                return Ok(());
            }
            if step.is_multiple_of(ASK_EVERY) && (self.halted)() {
                return Ok(());
            }
            let answer = self.ask_expert(state)?;
            let pair = if course.imitates(state) {
                answer
            } else {
                course.sample(self.learner.task(), state, &mut self.acting)
            };
            let seen = self.see(answer, pair, witness)?;
            if self.trajectory.len() < REMEMBERED {
                self.trajectory.push(seen.next);
            }
            if seen.truncated {
                return Ok(());
            }
            state = seen.next;
        }
        Ok(())
    }

    fn generate(&mut self, each: u32, witness: Witness) -> Result<()> {
        if !self.simulator.is_generative() {
            return Err(Error::invalid(
                "strategy",
                "it samples any pair at any time, which this world cannot do",
                "use a strategy that acts from the start, like pcse",
            ));
        }
        for i in 0..self.learner.task().pairs() {
            let pair = Pair::new(i);
            let state = self.learner.task().state_of(pair);
            if i.is_multiple_of(ASK_EVERY) && (self.halted)() {
                return Ok(());
            }
            for _ in 0..each {
                if self.is_spent() {
                    return Ok(());
                }
                let answer = self.ask_expert(state)?;
                self.see(answer, pair, witness)?;
            }
        }
        Ok(())
    }

    fn ask_expert(&mut self, state: State) -> Result<Pair> {
        let pair = self.simulator.ask_expert(state)?;
        let task = self.learner.task();
        match pair.at() < task.pairs() && task.state_of(pair) == state {
            true => Ok(pair),
            false => Err(Error::invalid(
                "expert",
                format!(
                    "pair {} is not one of {}",
                    pair.at(),
                    task.state_name(state)
                ),
                "return one of `task.pairs_of(state)`",
            )),
        }
    }

    fn see(&mut self, answer: Pair, pair: Pair, witness: Witness) -> Result<Step> {
        if self.learner.is_full(pair) {
            return Err(Error::invalid(
                "samples",
                format!(
                    "{} was sampled 4294967295 times, the most that can be counted",
                    self.learner.task().pair_name(pair)
                ),
                "limit the samples, or shorten the horizon",
            ));
        }
        self.learner.see_expert(answer);
        let step = self.simulator.step(pair)?;
        self.checked(step.next)?;
        self.learner.see_step(pair, step.next, step.reward)?;
        let next = step.next;
        witness(&self.learner, Sample { answer, pair, next });
        Ok(step)
    }

    /// A world in code may return anything.
    fn checked(&self, state: State) -> Result<State> {
        let states = self.learner.task().states();
        match state.at() < states {
            true => Ok(state),
            false => Err(Error::invalid(
                "simulator",
                format!("it came to state {}, and there are {states}", state.at()),
                "return states of the task, counted from 0",
            )),
        }
    }
}
