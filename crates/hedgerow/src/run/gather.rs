//! Gathering samples: the only place where plans become actions.

use crate::env::{Environment, World};
use crate::explore::Plan;
use crate::index::{Pair, State};
use crate::learn::{Inference, Learner};
use crate::model::{Policy, sample_weighted};
use crate::seed::Stream;

/// Everything that gathers samples.
#[derive(Debug)]
pub(crate) struct Gather<'a> {
    world: World<'a>,
    /// Who sees the samples.
    pub learner: Learner,
    acting: Stream,
    /// Steps an episode.
    pub horizon: usize,
    /// Most samples.
    pub samples: Option<u64>,
}

impl<'a> Gather<'a> {
    /// Nothing gathered yet; episodes of the environment's length, no limit on samples.
    pub fn new(environment: &'a Environment, inference: Inference, seed: u64) -> Self {
        Self {
            world: World::new(environment, seed),
            learner: Learner::new(environment.task().clone(), inference),
            acting: Stream::new(seed, "acting"),
            horizon: environment.horizon(),
            samples: None,
        }
    }

    /// Gathers the samples of one episode.
    pub fn episode(&mut self, plan: &Plan) {
        match plan {
            Plan::Act { mixture, imitate } => {
                let policy = match &mixture[..] {
                    [(_, only)] => only,
                    many => {
                        let weights: Vec<f64> = many.iter().map(|(w, _)| *w).collect();
                        &many[sample_weighted(&weights, &mut self.acting)].1
                    }
                };
                self.follow(policy, imitate);
            }
            Plan::Generate(each) => self.generate(*each),
        }
    }

    fn spent(&self) -> bool {
        let seen = self.learner.samples();
        self.samples.is_some_and(|limit| seen >= limit)
    }

    fn follow(&mut self, policy: &Policy, imitate: &[bool]) {
        let mut state = self.world.reset();
        for _ in 0..self.horizon {
            if self.learner.task().is_terminal(state) || self.spent() {
                return;
            }
            let answer = self.world.ask_expert(state);
            let pair = if imitate.get(state.at()) == Some(&true) {
                answer
            } else {
                policy.sample(self.learner.task(), state, &mut self.acting)
            };
            state = self.see(answer, pair);
        }
    }

    fn generate(&mut self, each: u32) {
        for i in 0..self.learner.task().pairs() {
            let pair = Pair::new(i);
            let state = self.learner.task().state_of(pair);
            for _ in 0..each {
                if self.spent() {
                    return;
                }
                let answer = self.world.ask_expert(state);
                self.see(answer, pair);
            }
        }
    }

    fn see(&mut self, answer: Pair, pair: Pair) -> State {
        self.learner.see_expert(answer);
        let next = self.world.step(pair);
        self.learner.see_transition(pair, next);
        next
    }
}
