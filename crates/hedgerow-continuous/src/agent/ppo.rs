//! Proximal policy optimisation: a random policy that improves by small steps.
//!
//! A network scores the actions, `pi(a|s) = softmax(scores(s))_a`; another one says what a state is
//! worth, `V(s)`. After some episodes, with `d_t = r_t + gamma V(s_{t+1}) - V(s_t)`,
//!
//! ```text
//! A_t = d_t + gamma lambda A_{t+1},      R_t = A_t + V(s_t),
//! ```
//!
//! the policy climbs `E[min(rho A, clip(rho, 1 - c, 1 + c) A)] + e H(pi)` with
//! `rho = pi(a|s) / pi_old(a|s)`, and `V` goes towards `R`.

use super::loss::{Clipped, clipped, huber, softmax};
use crate::net::{Adam, Mlp, Scratch, Trainer};
use crate::{Error, Result};
use hedgerow::seed::Stream;
use rand::RngExt;

/// How to learn. Every field has a default.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Units of the hidden layers, of both networks; 64, 64.
    pub hidden: Vec<usize>,
    /// Discount of a step, in [0, 1]; 0.99.
    pub gamma: f32,
    /// How far advantages look ahead, in [0, 1]; 0.95.
    pub lambda: f32,
    /// How far a policy may go from the one that acted; 0.2.
    pub clip: f32,
    /// What entropy is worth; 0.01.
    pub entropy: f32,
    /// Times that all episodes are gone through; 4.
    pub epochs: usize,
    /// Steps that a gradient step learns from; 64.
    pub batch: usize,
    /// Length of gradient steps; 0.0003.
    pub rate: f32,
    /// Length of gradient steps of the value; 0.001.
    pub value_rate: f32,
    /// Longest gradient; 0.5 for the policy, and for the value the same.
    pub longest: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hidden: vec![64, 64],
            gamma: 0.99,
            lambda: 0.95,
            clip: 0.2,
            entropy: 0.01,
            epochs: 4,
            batch: 64,
            rate: 3e-4,
            value_rate: 1e-3,
            longest: 0.5,
        }
    }
}

/// What [`Ppo::act`] chose; an [`Episode`] keeps it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The action.
    pub action: usize,
    /// The logarithm of its probability.
    pub log_prob: f32,
    /// What the state is thought to be worth.
    pub value: f32,
}

/// Steps that followed each other, as they were when they were made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Episode {
    /// What was seen, one row a step.
    pub inputs: Vec<f32>,
    /// What was done.
    pub actions: Vec<usize>,
    /// Logarithms of the probabilities of doing so.
    pub log_probs: Vec<f32>,
    /// What each step paid.
    pub rewards: Vec<f32>,
    /// What the states were thought to be worth.
    pub values: Vec<f32>,
    /// What the state after the last step is thought to be worth; 0 if the world ended there.
    pub last_value: f32,
}

impl Episode {
    /// Adds a step: what was seen, what was chosen, what it paid.
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

/// What [`Ppo::learn`] made of some episodes, as means over the last time through them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lesson {
    /// Loss of the policy.
    pub policy_loss: f32,
    /// Loss of the value.
    pub value_loss: f32,
}

/// A policy and a value that live on through the iterations of a run.
#[derive(Debug)]
pub struct Ppo {
    settings: Settings,
    policy: Trainer,
    value: Trainer,
    scratch: Scratch,
    chances: (Vec<f32>, Vec<f32>),
    stream: Stream,
}

/// All steps of some episodes.
#[derive(Default)]
struct Lessons {
    inputs: Vec<f32>,
    actions: Vec<usize>,
    logs: Vec<f32>,
    advantages: Vec<f32>,
    returns: Vec<f32>,
}

impl Ppo {
    /// A policy that takes all of `actions` about alike, whatever it sees.
    pub fn new(inputs: usize, actions: usize, settings: Settings, seed: u64) -> Result<Self> {
        settings.check()?;
        let trainer = |outputs: usize, last: f32, rate: f32, name: &str| {
            let mut sizes = vec![inputs];
            sizes.extend(&settings.hidden);
            sizes.push(outputs);
            let net = Mlp::random(&sizes, last, &mut Stream::new(seed, name))?;
            let adam = Adam::new(net.values().len(), rate, settings.longest);
            Trainer::new(net, adam)
        };
        let policy = trainer(actions, 0.01, settings.rate, "ppo.policy")?;
        Ok(Self {
            value: trainer(1, 1.0, settings.value_rate, "ppo.value")?,
            scratch: Scratch::new(policy.net()),
            chances: (vec![0.0; actions], vec![0.0; actions]),
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
        softmax(scores, &mut self.chances.0, &mut self.chances.1);
        &self.chances.0
    }

    /// Draws an action.
    pub fn act(&mut self, input: &[f32], stream: &mut Stream) -> Choice {
        let mut left = stream.random::<f32>();
        let probabilities = self.probabilities(input);
        // Rounding may leave something after the last one.
        let mut action = probabilities.len() - 1;
        for (i, p) in probabilities.iter().enumerate() {
            left -= p;
            if left < 0.0 {
                action = i;
                break;
            }
        }
        Choice {
            action,
            log_prob: self.chances.1[action],
            value: self.worth(input),
        }
    }

    /// What a state is thought to be worth.
    pub fn worth(&mut self, input: &[f32]) -> f32 {
        self.value.net().forward(input, &mut self.scratch)[0]
    }

    /// Improves policy and value by what `episodes` tell.
    pub fn learn(&mut self, episodes: &[Episode]) -> Result<Lesson> {
        let lessons = self.lessons(episodes)?;
        let mut order: Vec<usize> = (0..lessons.actions.len()).collect();
        let mut lesson = Lesson::default();
        let inputs = self.policy.net().inputs();
        let mut rows = Vec::new();
        for _ in 0..self.settings.epochs {
            lesson = Lesson::default();
            shuffle(&mut order, &mut self.stream);
            for part in order.chunks(self.settings.batch) {
                rows.clear();
                for &i in part {
                    rows.extend_from_slice(&lessons.inputs[i * inputs..(i + 1) * inputs]);
                }
                let share = part.len() as f32 / order.len() as f32;
                lesson.policy_loss += share * self.improve(&lessons, part, &rows)?;
                lesson.value_loss += share * self.judge(&lessons, part, &rows)?;
            }
        }
        Ok(lesson)
    }

    fn lessons(&self, episodes: &[Episode]) -> Result<Lessons> {
        let mut all = Lessons::default();
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
            all.logs.extend_from_slice(&e.log_probs);
            let advantages = advantages(e, self.settings.gamma, self.settings.lambda);
            let returns = advantages.iter().zip(&e.values).map(|(a, v)| a + v);
            all.returns.extend(returns);
            all.advantages.extend(advantages);
        }
        normalise(&mut all.advantages);
        Ok(all)
    }

    fn improve(&mut self, all: &Lessons, part: &[usize], rows: &[f32]) -> Result<f32> {
        let actions = self.policy.net().outputs();
        let (probabilities, logs) = &mut self.chances;
        let settings = &self.settings;
        let scale = 1.0 / part.len() as f32;
        self.policy.step(rows, |scores, slope| {
            let mut total = 0.0;
            let slopes = slope.chunks_exact_mut(actions);
            for ((&i, scores), slope) in part.iter().zip(scores.chunks_exact(actions)).zip(slopes) {
                softmax(scores, probabilities, logs);
                let choice = Clipped {
                    action: all.actions[i],
                    old_log: all.logs[i],
                    advantage: all.advantages[i],
                    probabilities,
                    logs,
                    clip: settings.clip,
                    entropy: settings.entropy,
                };
                total += scale * clipped(&choice, slope);
                slope.iter_mut().for_each(|s| *s *= scale);
            }
            total
        })
    }

    fn judge(&mut self, all: &Lessons, part: &[usize], rows: &[f32]) -> Result<f32> {
        let scale = 1.0 / part.len() as f32;
        self.value.step(rows, |values, slope| {
            let mut total = 0.0;
            for ((&i, value), slope) in part.iter().zip(values).zip(slope) {
                let (loss, pull) = huber(value - all.returns[i], 1.0);
                *slope = scale * pull;
                total += scale * loss;
            }
            total
        })
    }
}

impl Settings {
    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<()> {
        let wrong = |name: &str, value: String, remedy: &str| {
            Err(Error::invalid(format!("ppo.{name}"), value, remedy))
        };
        for (name, n) in [("epochs", self.epochs), ("batch", self.batch)] {
            if n == 0 {
                return wrong(name, "0".into(), "use at least 1");
            }
        }
        for (name, x) in [("gamma", self.gamma), ("lambda", self.lambda)] {
            if !(0.0..=1.0).contains(&x) {
                return wrong(name, x.to_string(), "use a number from 0 to 1");
            }
        }
        if !(0.0..f32::INFINITY).contains(&self.entropy) {
            return wrong("entropy", self.entropy.to_string(), "use a number from 0");
        }
        let positive = [
            ("clip", self.clip),
            ("rate", self.rate),
            ("value_rate", self.value_rate),
            ("longest", self.longest),
        ];
        for (name, x) in positive {
            if x.is_nan() || x <= 0.0 {
                return wrong(name, x.to_string(), "use a number above 0");
            }
        }
        Ok(())
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

/// Every order is as likely as any other.
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
        let mut alike = [2.0, 2.0];
        normalise(&mut alike);
        assert_eq!(alike, [0.0, 0.0]);
    }
}
