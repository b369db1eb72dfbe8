//! One simulation of a black box: every answer is checked.

use super::{BlackBox, OnlineWorld};
use crate::env::{FiniteWorld, Simulator, Step};
use crate::index::{Action, Pair, State};
use crate::model::sample_weighted;
use crate::seed::Stream;
use crate::{Error, Result};

/// A copy of the black box and where it is.
pub(super) struct OnlineSimulator<'a> {
    world: &'a OnlineWorld,
    black_box: Box<dyn BlackBox>,
    /// For the first reset.
    seed: Option<u64>,
    asking: Stream,
    /// Where it is; nowhere before the first reset and after the end of an episode.
    at: Option<State>,
}

impl<'a> OnlineSimulator<'a> {
    pub(super) fn new(world: &'a OnlineWorld, seed: u64) -> Result<Self> {
        Ok(Self {
            world,
            black_box: (world.factory)()?,
            seed: Some(seed),
            asking: Stream::new(seed, "expert"),
            at: None,
        })
    }

    /// The pair of an action that the expert was said to take.
    fn answered(&self, state: State, action: usize) -> Result<Pair> {
        let task = self.world.task();
        let known = action < task.actions();
        let pair = known.then(|| task.pair(state, Action::new(action)));
        pair.flatten().ok_or_else(|| {
            let place = format!("expert in {}", task.state_name(state));
            match known {
                true => Error::invalid(
                    place,
                    format!("{} is not available", task.action_name(Action::new(action))),
                    "return an action that can be taken there",
                ),
                false => Error::invalid(
                    place,
                    format!("action {action}, and there are {}", task.actions()),
                    "return actions counted from 0",
                ),
            }
        })
    }
}

impl Simulator for OnlineSimulator<'_> {
    fn reset(&mut self) -> Result<State> {
        let state = self.black_box.reset(self.seed.take())?;
        let state = self.world.entered("reset", state, false)?;
        self.at = Some(state);
        Ok(state)
    }

    fn step(&mut self, pair: Pair) -> Result<Step> {
        let task = self.world.task();
        let from = task.state_of(pair);
        match self.at {
            Some(at) if at == from => {}
            Some(at) => {
                let problem = format!("the world is in {}", task.state_name(at));
                let place = format!("step from {}", task.state_name(from));
                let remedy = "take an action of the state it is in";
                return Err(Error::invalid(place, problem, remedy));
            }
            None => {
                let problem = "no episode has begun, or it is over";
                return Err(Error::invalid("step", problem, "reset the world first"));
            }
        }
        let seen = self.black_box.step(task.action_of(pair).at())?;
        let place = format!("step by {}", task.pair_name(pair));
        let next = self.world.entered(&place, seen.state, seen.terminated)?;
        let reward = task.checked_reward(pair, next, seen.reward)?;
        let truncated = seen.truncated && !seen.terminated;
        self.at = (!seen.terminated && !truncated).then_some(next);
        Ok(Step {
            next,
            reward: Some(reward),
            truncated,
        })
    }

    fn ask_expert(&mut self, state: State) -> Result<Pair> {
        let task = self.world.task();
        let Some(policy) = &self.world.policy else {
            let action = self.black_box.expert(state.at())?;
            return self.answered(state, action);
        };
        let pairs = task.pairs_of(state);
        let row = &policy[pairs.clone()];
        if row.iter().all(|&p| p == 0.0) {
            return Err(Error::invalid(
                format!("expert in {}", task.state_name(state)),
                "its policy says nothing of this state, which was reached",
                "give a distribution over the actions there",
            ));
        }
        Ok(Pair::new(
            pairs.start + sample_weighted(row, &mut self.asking),
        ))
    }
}
