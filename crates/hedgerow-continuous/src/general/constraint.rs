//! The constraint: a network over observation and action that says how probable it is that the
//! expert was not allowed to do that.
//!
//! It is a classifier. A pair is charged (label 1) if its advantage over the expert exceeds its width
//! and the margin and the expert does not choose it; it is not (label 0) if its advantage stays below
//! the margin by its width, or if the expert chooses it. Pairs in between teach nothing.

use super::encoder::Encoder;
use super::samples::Samples;
use super::settings::GeneralSettings;
use super::value::{Estimate, ExpertValue};
use crate::Result;
use crate::net::{Adam, Mlp, PlainTrainer, Scratch};
use hedgerow::seed::Stream;
use rand::RngExt;

/// How fast the spread of advantages follows that of the last batch.
const SPREAD_RATE: f64 = 0.02;

/// The network and how it is trained.
#[derive(Debug)]
pub struct ConstraintNet {
    trainer: PlainTrainer,
    scratch: Scratch,
    stream: Stream,
    batch: usize,
    margin: f64,
    z: f64,
    /// Deviation of advantages, a running mean; none before the first batch.
    spread: Option<f64>,
    room: Vec<f32>,
    rows: Vec<f32>,
    own: Vec<f32>,
    advantages: Vec<Estimate>,
    labels: Vec<Option<f32>>,
}

impl ConstraintNet {
    /// A network that charges nothing yet.
    pub fn new(inputs: usize, settings: &GeneralSettings, seed: u64) -> Result<Self> {
        let sizes = [inputs, settings.units, settings.units, 1];
        let net = Mlp::random(&sizes, 0.01, &mut Stream::new(seed, "general.constraint"))?;
        let adam = Adam::new(net.values().len(), settings.learning_rate as f32, 10.0);
        Ok(Self {
            scratch: Scratch::new(&net),
            trainer: PlainTrainer::new(net, adam),
            stream: Stream::new(seed, "general.constraint.batches"),
            batch: settings.batch,
            margin: settings.margin,
            z: settings.z,
            spread: None,
            room: Vec::new(),
            rows: Vec::new(),
            own: Vec::new(),
            advantages: Vec::new(),
            labels: Vec::new(),
        })
    }

    /// The network.
    pub fn net(&self) -> &Mlp {
        self.trainer.net()
    }

    /// Deviation of advantages over the samples; 0 before the first.
    pub fn spread(&self) -> f64 {
        self.spread.unwrap_or(0.0)
    }

    /// Advantages up to this are no evidence.
    pub fn threshold(&self) -> f64 {
        self.margin * self.spread()
    }

    /// The label of a pair with this advantage: charged, not charged, or open.
    pub fn label(&self, advantage: Estimate, own: bool) -> Option<f32> {
        let (value, width) = (advantage.value, self.z * advantage.width);
        if own || value + width < self.threshold() {
            Some(0.0)
        } else if value - width > self.threshold() {
            Some(1.0)
        } else {
            None
        }
    }

    /// Gradient steps on random samples of `chosen`.
    pub fn train(
        &mut self,
        samples: &Samples,
        encoder: &Encoder,
        value: &mut ExpertValue,
        chosen: &[u32],
        steps: usize,
    ) -> Result<()> {
        for _ in 0..steps {
            if !chosen.is_empty() {
                self.step(samples, encoder, value, chosen)?;
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        samples: &Samples,
        encoder: &Encoder,
        value: &mut ExpertValue,
        chosen: &[u32],
    ) -> Result<()> {
        let mut picked = Vec::with_capacity(self.batch);
        self.rows.clear();
        self.own.clear();
        for _ in 0..self.batch {
            let i = chosen[self.stream.random_range(0..chosen.len())] as usize;
            encoder.push(samples.observation(i), samples.action(i), &mut self.rows);
            encoder.push(samples.observation(i), samples.expert(i), &mut self.own);
            picked.push(i);
        }
        let mut advantages = std::mem::take(&mut self.advantages);
        value.advantages(&self.rows, &self.own, &mut advantages)?;
        self.follow_spread(&advantages);
        self.labels.clear();
        for (i, advantage) in picked.iter().zip(&advantages) {
            let label = self.label(*advantage, samples.is_own(*i));
            self.labels.push(label);
        }
        self.advantages = advantages;
        // The expert's own pairs at the same observations are never charged.
        self.labels.extend(picked.iter().map(|_| Some(0.0)));
        self.rows.extend_from_slice(&self.own);
        let labels = &self.labels;
        let known = labels.iter().flatten().count();
        let share = 1.0 / known.max(1) as f32;
        self.trainer.step(&self.rows, |scores, gradient| {
            let mut loss = 0.0;
            for (i, label) in labels.iter().enumerate() {
                let Some(label) = label else { continue };
                let p = sigmoid(scores[i]);
                gradient[i] = share * (p - label);
                let right = if *label > 0.5 { p } else { 1.0 - p };
                loss -= share * libm::logf(right.max(1e-7));
            }
            loss
        })?;
        Ok(())
    }

    fn follow_spread(&mut self, advantages: &[Estimate]) {
        let n = advantages.len().max(1) as f64;
        let mean = advantages.iter().map(|a| a.value).sum::<f64>() / n;
        let squares = advantages.iter().map(|a| (a.value - mean).powi(2));
        let deviation = (squares.sum::<f64>() / n).sqrt();
        let before = self.spread.unwrap_or(deviation);
        self.spread = Some(before + SPREAD_RATE * (deviation - before));
    }

    /// The probability that a pair is charged.
    pub fn probability(&mut self, encoder: &Encoder, observation: &[f64], action: &[f64]) -> f64 {
        self.room.clear();
        encoder.push(observation, action, &mut self.room);
        let score = self.trainer.net().forward(&self.room, &mut self.scratch)[0];
        f64::from(sigmoid(score))
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x.clamp(-30.0, 30.0)))
}
