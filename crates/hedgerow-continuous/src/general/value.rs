//! The expert's values, fitted by an ensemble of networks.
//!
//! The value of an observation is what the expert earns from it on. Every decision of the expert's own shows it,
//!
//! ```text
//! V(s) = r + gamma r' + gamma^2 r'' + ... + gamma^n V(s_n),
//! ```
//!
//! with the rewards up to the first decision `n` that was not the expert's own ([`Return`](super::Return)); nothing
//! that anybody else did counts towards it. Where the expert goes after somebody deviated, values are known too.
//! It is a network over the observation alone: over observation and the expert's action it would jump wherever
//! that action does, and half of what it learned would be the actions of others.
//!
//! Advantages are small beside values: at 9 m of road a decision gains centimetres. So each member has a second
//! network for them alone, over observation and action, on the scale of one decision's reward, that learns
//! `target - V(s)`. The advantage of a pair is the difference of two of its outputs, `A(s, a) - A(s, a_E(s))`, so
//! that errors at a state cancel. Members disagree where samples say little, and that is the width.

use super::encoder::Encoder;
use super::samples::Samples;
use super::settings::GeneralSettings;
use crate::Result;
use crate::net::{Adam, BatchScratch, Mlp, PlainTrainer, Scratch};
use hedgerow::seed::Stream;
use rand::RngExt;

/// Gradient steps after which it is asked whether they still help.
const BLOCK: usize = 50;

/// A block that lowers the loss by a smaller share than this is the last one.
const PROGRESS: f32 = 0.02;

/// Errors count by their square up to this share of one decision's reward, and by their size beyond: where the
/// expert itself does something odd, a few returns are off by metres, and squares would bend the values around them.
const FAR: f32 = 0.5;

/// What the values are trained on.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a> {
    /// All samples to learn from.
    pub all: &'a [u32],
    /// Those whose action is not the expert's own.
    pub deviations: &'a [u32],
    /// Those whose action is.
    pub own: &'a [u32],
    /// Those of them that come soon after a deviation.
    pub tails: &'a [u32],
}

/// A value and how far the members of the ensemble disagree about it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Mean of the members.
    pub value: f64,
    /// Deviation between them.
    pub width: f64,
}

impl Estimate {
    /// The mean of two estimates of the same, each by how sure it is: by the inverse of its squared width. As
    /// their errors have much in common, the width is the same mean of the two.
    pub fn with(self, other: Self) -> Self {
        let trust = |e: Self| 1.0 / (e.width * e.width).max(1e-24);
        let share = trust(self) / (trust(self) + trust(other));
        let mean = |a: f64, b: f64| share * a + (1.0 - share) * b;
        Self {
            value: mean(self.value, other.value),
            width: mean(self.width, other.width),
        }
    }
}

#[derive(Debug)]
struct Member {
    /// The value of observations.
    trainer: PlainTrainer,
    /// Its running mean, which is read.
    target: Mlp,
    scratch: Scratch,
    ahead: BatchScratch,
    stream: Stream,
    /// The advantages, on a scale of their own.
    advantage: PlainTrainer,
    /// Its running mean, which is read.
    averaged: Mlp,
}

/// The ensemble.
#[derive(Debug)]
pub struct ExpertValue {
    members: Vec<Member>,
    /// Returns are divided by this, so that networks learn numbers of order 1.
    scale: f64,
    batch: usize,
    /// The reward of one decision, as a share of the scale.
    per_decision: f32,
    tau: f32,
    /// Inputs of one observation or pair, of the pairs of a batch, of its observations, and of those that its
    /// returns go on from.
    room: Vec<f32>,
    rows: Vec<f32>,
    own: Vec<f32>,
    ahead: Vec<f32>,
    targets: Vec<(f32, f32)>,
    after: Vec<f32>,
    differences: Vec<f32>,
}

impl ExpertValue {
    /// Without samples.
    pub fn new(
        (observed, inputs): (usize, usize),
        gamma: f64,
        settings: &GeneralSettings,
        seed: u64,
    ) -> Result<Self> {
        let member = |k: usize| {
            let sizes = [observed, settings.units, settings.units, 1];
            let mut weights = Stream::new(seed, &format!("general.value.{k}"));
            let net = Mlp::random(&sizes, 1.0, &mut weights)?;
            let sizes = [inputs, settings.units, settings.units, 1];
            let adam = Adam::new(net.values().len(), settings.learning_rate as f32, 10.0);
            let mut weights = Stream::new(seed, &format!("general.advantage.{k}"));
            let gain = Mlp::random(&sizes, 1.0, &mut weights)?;
            let gain_adam = Adam::new(gain.values().len(), settings.learning_rate as f32, 10.0);
            Ok(Member {
                averaged: gain.clone(),
                advantage: PlainTrainer::new(gain, gain_adam),
                target: net.clone(),
                scratch: Scratch::new(&net),
                trainer: PlainTrainer::new(net, adam),
                ahead: BatchScratch::default(),
                stream: Stream::new(seed, &format!("general.batches.{k}")),
            })
        };
        Ok(Self {
            members: (0..settings.ensemble).map(member).collect::<Result<_>>()?,
            scale: 1.0,
            batch: settings.batch,
            tau: settings.tau as f32,
            room: Vec::new(),
            rows: Vec::new(),
            own: Vec::new(),
            per_decision: 1.0 - gamma as f32,
            ahead: Vec::new(),
            targets: Vec::new(),
            after: Vec::new(),
            differences: Vec::new(),
        })
    }

    /// Sets the size of returns, once, from the first samples.
    pub fn fit_scale(&mut self, samples: &Samples) {
        let squares = (0..samples.len()).map(|i| samples.return_of(i).reward.powi(2));
        let mean = squares.sum::<f64>() / samples.len().max(1) as f64;
        if mean > 0.0 {
            self.scale = mean.sqrt();
        }
    }

    /// Up to `steps` gradient steps of every member on random samples; fewer steps once they stop helping. Of the
    /// samples of values half come soon after a deviation, of those of advantages half are deviations, if there
    /// are any. Gives the steps that were made.
    pub fn train(
        &mut self,
        samples: &Samples,
        encoder: &Encoder,
        chosen: Chosen,
        steps: usize,
    ) -> Result<usize> {
        let mut most = 0;
        for k in 0..self.members.len() {
            let mut before = f32::INFINITY;
            let (mut block, mut made) = (0.0, 0);
            while made < steps && !chosen.own.is_empty() {
                block += self.step(k, samples, encoder, chosen)?;
                made += 1;
                if made % BLOCK == 0 {
                    if made > BLOCK && block > (1.0 - PROGRESS) * before {
                        break;
                    }
                    before = std::mem::take(&mut block);
                }
            }
            most = most.max(made);
        }
        Ok(most)
    }

    fn step(
        &mut self,
        k: usize,
        samples: &Samples,
        encoder: &Encoder,
        chosen: Chosen,
    ) -> Result<f32> {
        let share = 1.0 / self.batch as f32;
        let far = FAR * self.per_decision;
        self.draw(k, samples, encoder, (chosen.own, chosen.tails))?;
        let member = &mut self.members[k];
        let targets = &self.targets;
        let loss = member.trainer.step(&self.own, |outputs, gradient| {
            let mut loss = 0.0;
            for (i, (target, _)) in targets.iter().enumerate() {
                let (slope, part) = huber(outputs[i] - target, far);
                gradient[i] = share * slope;
                loss += share * part;
            }
            loss
        })?;
        member.target.soft_update(member.trainer.net(), self.tau);
        // What the decision gained over the expert's own, on the scale of one decision's reward.
        self.draw(k, samples, encoder, (chosen.all, chosen.deviations))?;
        let member = &mut self.members[k];
        let targets = &self.targets;
        let bases = member.target.forward_rows(&self.own, &mut member.ahead)?;
        let larger = 1.0 / self.per_decision;
        member.advantage.step(&self.rows, |outputs, gradient| {
            let mut loss = 0.0;
            for (i, (target, _)) in targets.iter().enumerate() {
                let error = outputs[i] - larger * (target - bases[i]);
                let (slope, part) = huber(error, larger * far);
                gradient[i] = share * slope;
                loss += share * part;
            }
            loss
        })?;
        let gains = member.advantage.net();
        member.averaged.soft_update(gains, self.tau);
        Ok(loss)
    }

    /// A batch for a member, half from the second list if it has any: inputs, and the returns to aim at.
    fn draw(
        &mut self,
        k: usize,
        samples: &Samples,
        encoder: &Encoder,
        (first, second): (&[u32], &[u32]),
    ) -> Result<()> {
        let member = &mut self.members[k];
        self.rows.clear();
        self.own.clear();
        self.ahead.clear();
        self.targets.clear();
        for row in 0..self.batch {
            let chosen = match row % 2 == 1 && !second.is_empty() {
                true => second,
                false => first,
            };
            let i = chosen[member.stream.random_range(0..chosen.len())] as usize;
            let r = samples.return_of(i);
            encoder.push(samples.observation(i), samples.action(i), &mut self.rows);
            encoder.push_observation(samples.observation(i), &mut self.own);
            encoder.push_observation(samples.next(r.end), &mut self.ahead);
            let reward = (r.reward / self.scale) as f32;
            self.targets.push((reward, r.discount as f32));
        }
        let values = member.target.forward_rows(&self.ahead, &mut member.ahead)?;
        for (target, value) in self.targets.iter_mut().zip(values) {
            target.0 += target.1 * value;
        }
        Ok(())
    }

    /// The expert's value.
    pub fn value(&mut self, encoder: &Encoder, observation: &[f64]) -> Estimate {
        self.room.clear();
        encoder.push_observation(observation, &mut self.room);
        let scale = self.scale;
        let room = &self.room;
        estimate(self.members.iter_mut().map(|m| {
            let output = m.target.forward(room, &mut m.scratch)[0];
            scale * f64::from(output)
        }))
    }

    /// What the expert earns after any action: its value, and what the action gains over its own.
    pub fn action_value(
        &mut self,
        encoder: &Encoder,
        observation: &[f64],
        action: &[f64],
    ) -> Estimate {
        self.room.clear();
        encoder.push_observation(observation, &mut self.room);
        self.rows.clear();
        encoder.push(observation, action, &mut self.rows);
        let (scale, decision) = (self.scale, f64::from(self.per_decision));
        let (room, rows) = (&self.room, &self.rows);
        estimate(self.members.iter_mut().map(|m| {
            let value = f64::from(m.target.forward(room, &mut m.scratch)[0]);
            let gain = f64::from(m.averaged.forward(rows, &mut m.scratch)[0]);
            scale * (value + decision * gain)
        }))
    }

    /// What an action gains, up to a number that depends on the observation alone: ranks actions.
    pub fn gain(&mut self, encoder: &Encoder, observation: &[f64], action: &[f64]) -> f64 {
        self.room.clear();
        encoder.push(observation, action, &mut self.room);
        let room = &self.room;
        let each = self.members.iter_mut();
        let sum: f64 = each
            .map(|m| f64::from(m.averaged.forward(room, &mut m.scratch)[0]))
            .sum();
        self.scale * f64::from(self.per_decision) * sum / self.members.len().max(1) as f64
    }

    /// The advantages of samples as each itself shows it, `r + gamma V(s') - V(s)`: without the network of
    /// advantages, which blurs kinks, and with the noise of one step.
    pub fn of_samples(
        &mut self,
        samples: &Samples,
        encoder: &Encoder,
        chosen: &[u32],
        out: &mut Vec<Estimate>,
    ) -> Result<()> {
        let per_decision = self.per_decision;
        self.own.clear();
        self.after.clear();
        for &i in chosen {
            let i = i as usize;
            encoder.push_observation(samples.observation(i), &mut self.own);
            encoder.push_observation(samples.next(i), &mut self.after);
        }
        self.differences.clear();
        for member in &mut self.members {
            let start = self.differences.len();
            let values = member.target.forward_rows(&self.after, &mut member.ahead)?;
            self.differences.extend_from_slice(values);
            let mine = &mut self.differences[start..];
            for (sum, &i) in mine.iter_mut().zip(chosen) {
                let i = i as usize;
                let discount = if samples.ended(i) {
                    0.0
                } else {
                    1.0 - per_decision
                };
                *sum = (samples.reward(i) / self.scale) as f32 + discount * *sum;
            }
            let values = member.target.forward_rows(&self.own, &mut member.ahead)?;
            for (sum, value) in mine.iter_mut().zip(values) {
                *sum -= value;
            }
        }
        out.clear();
        for i in 0..chosen.len() {
            let members = self.differences.chunks_exact(chosen.len());
            out.push(estimate(members.map(|one| self.scale * f64::from(one[i]))));
        }
        Ok(())
    }

    /// The advantages of pairs, `Q(s, a) - Q(s, a_E)`: `rows` and `own` are the inputs of the pairs and
    /// of the expert's own at the same observations.
    pub fn advantages(&mut self, rows: &[f32], own: &[f32], out: &mut Vec<Estimate>) -> Result<()> {
        self.differences.clear();
        for member in &mut self.members {
            let net = &member.averaged;
            let start = self.differences.len();
            let values = net.forward_rows(rows, &mut member.ahead)?;
            self.differences.extend_from_slice(values);
            let values = net.forward_rows(own, &mut member.ahead)?;
            for (q, v) in self.differences[start..].iter_mut().zip(values) {
                *q -= v;
            }
        }
        let count = self.differences.len() / self.members.len().max(1);
        out.clear();
        for i in 0..count {
            let members = self.differences.chunks_exact(count);
            let scale = self.scale * f64::from(self.per_decision);
            out.push(estimate(members.map(|one| scale * f64::from(one[i]))));
        }
        Ok(())
    }
}

/// The slope of the loss at this error, and the loss: quadratic up to `far`, linear beyond.
fn huber(error: f32, far: f32) -> (f32, f32) {
    let near = error.clamp(-far, far);
    (near, near * (error - 0.5 * near))
}

fn estimate(values: impl Iterator<Item = f64>) -> Estimate {
    let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for x in values {
        n += 1.0;
        sum += x;
        squares += x * x;
    }
    let mean = sum / f64::max(n, 1.0);
    let variance = (squares - n * mean * mean) / f64::max(n - 1.0, 1.0);
    Estimate {
        value: mean,
        width: variance.max(0.0).sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_errors_count_by_their_size() {
        // 0.5 x^2 up to 0.5, and from there on with slope 0.5: 0.125 + 0.5 (2 - 0.5).
        assert_eq!(huber(0.25, 0.5), (0.25, 0.03125));
        assert_eq!(huber(2.0, 0.5), (0.5, 0.875));
        assert_eq!(huber(-2.0, 0.5), (-0.5, 0.875));
    }

    #[test]
    fn the_surer_of_two_estimates_counts_more() {
        let of = |value, width| Estimate { value, width };
        let both = of(1.0, 0.1).with(of(2.0, 0.2));
        // Weights 100 and 25.
        assert!((both.value - 1.2).abs() < 1e-12 && (both.width - 0.12).abs() < 1e-12);
        let sure = of(1.0, 0.1).with(of(2.0, 0.0));
        assert!((sure.value - 2.0).abs() < 1e-9 && sure.width < 1e-9);
        let equal = of(1.0, 0.0).with(of(3.0, 0.0));
        assert_eq!(equal, of(2.0, 0.0));
    }
}
