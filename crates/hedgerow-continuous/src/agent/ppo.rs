//! Proximal policy optimisation: a stochastic policy that improves by small steps.
//!
//! One network scores the actions, `pi(a|s) = softmax(scores(s))_a`; another one estimates the value
//! `V(s)`. After some episodes, with `d_t = r_t + gamma V(s_{t+1}) - V(s_t)`,
//!
//! ```text
//! A_t = d_t + gamma lambda A_{t+1},      R_t = A_t + V(s_t),
//! ```
//!
//! the policy ascends `E[min(rho A, clip(rho, 1 - c, 1 + c) A)] + e H(pi)` with
//! `rho = pi(a|s) / pi_old(a|s)`, and `V` goes towards `R`.

use super::PpoSettings;
use super::loss::{Surrogate, huber, softmax};
use crate::net::{Adam, Mlp, Scratch, Trainer};
use crate::select::inverse_cdf;
use crate::{Error, Result};
use hedgerow::seed::Stream;
use rand::RngExt;

/// What [`Ppo::act`] chose; an [`Episode`] keeps it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The action.
    pub action: usize,
    /// The logarithm of its probability.
    pub log_prob: f32,
    /// The estimated value of the state.
    pub value: f32,
}

/// Consecutive steps, as they were when they were made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Episode {
    /// Observations, one row per step.
    pub inputs: Vec<f32>,
    /// Actions.
    pub actions: Vec<usize>,
    /// Logarithms of their probabilities.
    pub log_probs: Vec<f32>,
    /// Rewards.
    pub rewards: Vec<f32>,
    /// Estimated values of the states.
    pub values: Vec<f32>,
    /// Estimated value after the last step; 0 if the episode terminated there.
    pub last_value: f32,
}

impl Episode {
    /// Adds a step: observation, choice, reward.
    pub fn push(&mut self, input: &[f32], choice: Choice, reward: f32) {
        self.inputs.extend_from_slice(input);
        self.actions.push(choice.action);
        self.log_probs.push(choice.log_prob);
        self.values.push(choice.value);
        self.rewards.push(reward);
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }
}

/// Statistics of an update by [`Ppo::learn`]: means over the last pass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UpdateStats {
    /// Loss of the policy.
    pub policy_loss: f32,
    /// Loss of the value.
    pub value_loss: f32,
}

/// A policy and a value that are kept through the iterations of a run.
#[derive(Debug)]
pub struct Ppo {
    settings: PpoSettings,
    policy: Trainer,
    critic: Trainer,
    scratch: Scratch,
    /// Probabilities of the actions and their logarithms.
    distribution: (Vec<f32>, Vec<f32>),
    stream: Stream,
}

/// All steps of some episodes.
#[derive(Default)]
struct Rollouts {
    inputs: Vec<f32>,
    actions: Vec<usize>,
    log_probs: Vec<f32>,
    advantages: Vec<f32>,
    returns: Vec<f32>,
}

impl Ppo {
    /// A policy that is nearly uniform over `actions` in all states.
    pub fn new(inputs: usize, actions: usize, settings: PpoSettings, seed: u64) -> Result<Self> {
        settings.check()?;
        let trainer = |outputs: usize, last: f32, rate: f32, name: &str| {
            let mut sizes = vec![inputs];
            sizes.extend(&settings.hidden);
            sizes.push(outputs);
            let net = Mlp::random(&sizes, last, &mut Stream::new(seed, name))?;
            let adam = Adam::new(net.values().len(), rate, settings.max_grad_norm);
            Trainer::new(net, adam)
        };
        let policy = trainer(actions, 0.01, settings.learning_rate, "ppo.policy")?;
        Ok(Self {
            critic: trainer(1, 1.0, settings.value_learning_rate, "ppo.value")?,
            scratch: Scratch::new(policy.net()),
            distribution: (vec![0.0; actions], vec![0.0; actions]),
            stream: Stream::new(seed, "ppo.batches"),
            policy,
            settings,
        })
    }

    /// The network that scores the actions.
    pub fn policy(&self) -> &Mlp {
        self.policy.net()
    }

    /// The probabilities of the actions.
    pub fn probabilities(&mut self, input: &[f32]) -> &[f32] {
        let scores = self.policy.net().forward(input, &mut self.scratch);
        softmax(scores, &mut self.distribution.0, &mut self.distribution.1);
        &self.distribution.0
    }

    /// Draws an action.
    pub fn act(&mut self, input: &[f32], stream: &mut Stream) -> Choice {
        let level = stream.random::<f32>();
        let probabilities = self.probabilities(input);
        // Rounding may leave the sum below the level.
        let action = inverse_cdf(probabilities, level).unwrap_or(probabilities.len() - 1);
        Choice {
            action,
            log_prob: self.distribution.1[action],
            value: self.value(input),
        }
    }

    /// The estimated value of a state.
    pub fn value(&mut self, input: &[f32]) -> f32 {
        self.critic.net().forward(input, &mut self.scratch)[0]
    }

    /// Updates policy and value from `episodes`.
    pub fn learn(&mut self, episodes: &[Episode]) -> Result<UpdateStats> {
        let rollouts = self.rollouts(episodes)?;
        let mut order: Vec<usize> = (0..rollouts.actions.len()).collect();
        let mut stats = UpdateStats::default();
        let inputs = self.policy.net().inputs();
        let mut rows = Vec::new();
        for _ in 0..self.settings.epochs {
            stats = UpdateStats::default();
            shuffle(&mut order, &mut self.stream);
            for part in order.chunks(self.settings.batch) {
                rows.clear();
                for &i in part {
                    rows.extend_from_slice(&rollouts.inputs[i * inputs..(i + 1) * inputs]);
                }
                let share = part.len() as f32 / order.len() as f32;
                stats.policy_loss += share * self.update_policy(&rollouts, part, &rows)?;
                stats.value_loss += share * self.update_value(&rollouts, part, &rows)?;
            }
        }
        Ok(stats)
    }

    fn rollouts(&self, episodes: &[Episode]) -> Result<Rollouts> {
        let mut all = Rollouts::default();
        let (inputs, actions) = (self.policy.net().inputs(), self.policy.net().outputs());
        for (i, e) in episodes.iter().enumerate() {
            let n = e.len();
            let lengths = [e.log_probs.len(), e.rewards.len(), e.values.len()];
            if e.inputs.len() != n * inputs
                || lengths != [n; 3]
                || e.actions.iter().any(|&a| a >= actions)
            {
                return Err(Error::invalid(
                    format!("episode {i}"),
                    format!(
                        "{n} actions do not fit {} inputs, {lengths:?} other numbers or {actions} actions",
                        e.inputs.len()
                    ),
                    "push every step whole",
                ));
            }
            all.inputs.extend_from_slice(&e.inputs);
            all.actions.extend_from_slice(&e.actions);
            all.log_probs.extend_from_slice(&e.log_probs);
            let advantages = advantages(e, self.settings.gamma, self.settings.gae_lambda);
            let returns = advantages.iter().zip(&e.values).map(|(a, v)| a + v);
            all.returns.extend(returns);
            all.advantages.extend(advantages);
        }
        normalise(&mut all.advantages);
        Ok(all)
    }

    fn update_policy(&mut self, all: &Rollouts, part: &[usize], rows: &[f32]) -> Result<f32> {
        let actions = self.policy.net().outputs();
        let (probabilities, log_probs) = &mut self.distribution;
        let settings = &self.settings;
        let scale = 1.0 / part.len() as f32;
        self.policy.step(rows, |scores, gradient| {
            let mut total = 0.0;
            let gradients = gradient.chunks_exact_mut(actions);
            let steps = part.iter().zip(scores.chunks_exact(actions));
            for ((&i, scores), gradient) in steps.zip(gradients) {
                softmax(scores, probabilities, log_probs);
                let surrogate = Surrogate {
                    action: all.actions[i],
                    old_log_prob: all.log_probs[i],
                    advantage: all.advantages[i],
                    probabilities,
                    log_probs,
                    clip: settings.clip,
                    entropy: settings.entropy,
                };
                total += scale * surrogate.loss(gradient);
                gradient.iter_mut().for_each(|g| *g *= scale);
            }
            total
        })
    }

    fn update_value(&mut self, all: &Rollouts, part: &[usize], rows: &[f32]) -> Result<f32> {
        let scale = 1.0 / part.len() as f32;
        self.critic.step(rows, |values, gradient| {
            let mut total = 0.0;
            for ((&i, value), gradient) in part.iter().zip(values).zip(gradient) {
                let (loss, slope) = huber(value - all.returns[i], 1.0);
                *gradient = scale * slope;
                total += scale * loss;
            }
            total
        })
    }
}

/// `A_t = d_t + gamma lambda A_{t+1}` with `d_t = r_t + gamma V_{t+1} - V_t`.
fn advantages(episode: &Episode, gamma: f32, lambda: f32) -> Vec<f32> {
    let mut advantages = vec![0.0; episode.len()];
    let (mut next, mut after) = (episode.last_value, 0.0);
    for t in (0..episode.len()).rev() {
        let value = episode.values[t];
        after = episode.rewards[t] + gamma * next - value + gamma * lambda * after;
        advantages[t] = after;
        next = value;
    }
    advantages
}

/// Mean 0 and deviation 1, so that the length of steps does not depend on the size of rewards.
fn normalise(numbers: &mut [f32]) {
    if numbers.len() < 2 {
        return;
    }
    let n = numbers.len() as f32;
    let mean = numbers.iter().sum::<f32>() / n;
    let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / n;
    let scale = 1.0 / (variance.sqrt() + 1e-8);
    numbers.iter_mut().for_each(|x| *x = (*x - mean) * scale);
}

/// A uniformly random order.
fn shuffle(order: &mut [usize], stream: &mut Stream) {
    for i in (1..order.len()).rev() {
        order.swap(i, stream.random_range(0..=i));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advantages_are_worked_out_by_hand() {
        let episode = Episode {
            actions: vec![0, 0],
            rewards: vec![1.0, 2.0],
            values: vec![4.0, 8.0],
            last_value: 16.0,
            ..Episode::default()
        };
        // d_1 = 2 + 8 - 8 = 2, d_0 = 1 + 4 - 4 = 1, A_0 = 1 + 0.25 * 2.
        assert_eq!(advantages(&episode, 0.5, 0.5), [1.5, 2.0]);
    }

    #[test]
    fn normalised_numbers_have_mean_0_and_deviation_1() {
        let mut numbers = [1.0, 3.0];
        normalise(&mut numbers);
        assert!((numbers[0] + 1.0).abs() < 1e-6 && (numbers[1] - 1.0).abs() < 1e-6);
        let mut equal = [2.0, 2.0];
        normalise(&mut equal);
        assert_eq!(equal, [0.0, 0.0]);
    }
}
