//! BEAR: a policy that seeks where the bound on the cost's error is large, by PPO.

use super::{ACTIONS, Strategy};
use crate::Result;
use crate::agent::ppo::{Choice, Episode, Ppo, Settings};
use crate::expert::{FEATURES, features};
use crate::learn::Learner;
use crate::maze::State;
use hedgerow::seed::Stream;

/// The strategy `bear`.
///
/// The reward of a decision is its bound with pseudo-counts, `1/sqrt(N^+(s,a))` up to factors that
/// rank nothing: the bound itself is at its cap for any number of samples that can be afforded.
/// The policy lives on from iteration to iteration and learns from the episodes it gathered.
#[derive(Debug)]
pub struct Bear {
    ppo: Ppo,
    /// What was chosen at each decision of this iteration, in order.
    choices: Vec<Choice>,
}

impl Bear {
    /// A policy that knows nothing; `gamma` is the discount of its bonus.
    pub fn new(gamma: f64, seed: u64) -> Result<Self> {
        let settings = Settings {
            gamma: gamma as f32,
            ..Settings::default()
        };
        Ok(Self {
            ppo: Ppo::new(FEATURES, ACTIONS, settings, seed)?,
            choices: Vec::new(),
        })
    }
}

impl Strategy for Bear {
    fn plan(&mut self, _: &Learner, _: usize) -> Result<()> {
        self.choices.clear();
        Ok(())
    }

    fn act(&mut self, learner: &Learner, state: &State, _: usize, rng: &mut Stream) -> usize {
        let choice = self.ppo.act(&features(state, &learner.terms().map), rng);
        self.choices.push(choice);
        choice.action
    }

    fn learn(&mut self, learner: &Learner, first: usize) -> Result<()> {
        let map = &learner.terms().map;
        let mut episodes = Vec::new();
        let mut episode = Episode::default();
        for (sample, choice) in learner.samples()[first..].iter().zip(&self.choices) {
            let count = learner.density().count(&sample.state, sample.action.into());
            let bonus = 1.0 / count.max(1.0).sqrt();
            episode.push(&features(&sample.state, map), *choice, bonus as f32);
            if sample.last {
                episode.last_value = match sample.ended {
                    true => 0.0,
                    false => self.ppo.worth(&features(&sample.next, map)),
                };
                episodes.push(std::mem::take(&mut episode));
            }
        }
        self.ppo.learn(&episodes)?;
        Ok(())
    }
}
