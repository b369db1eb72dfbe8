//! The constraint: networks over observation and action whose mean says how probable it is that the
//! expert was not allowed to do that.
//!
//! It is a classifier. What it learns of a pair is how probable it is that its advantage over the expert
//! exceeds the margin, if the error of the advantage is normal with the ensemble's width: near 0 and 1 where the
//! ensemble is sure, and in between near the boundary, so that an agent can keep its distance. The expert's own
//! pairs are never charged, wherever it was asked: also in states that only a deviation leads to.

use super::encoder::Encoder;
use super::evidence::Evidence;
use super::samples::Samples;
use super::settings::GeneralSettings;
use super::value::{Estimate, ExpertValue};
use crate::Result;
use crate::net::{Adam, Mlp, PlainTrainer, Scratch};
use hedgerow::seed::Stream;
use rand::RngExt;

/// Each network takes this share of the steps: several that learned less say more together than one that learned long.
const SHORT: f64 = 0.5;

/// The expert's own pairs in a batch, as a share of the others. What the expert is not allowed often begins right beside
/// what it does, and as many of its own pairs would hide it.
const OWN: f64 = 0.5;

/// How fast the spread of advantages follows that of the last batch.
const SPREAD_RATE: f64 = 0.02;

/// The networks and how they are trained.
#[derive(Debug)]
pub struct ConstraintNet {
    trainers: Vec<PlainTrainer>,
    scratch: Scratch,
    stream: Stream,
    batch: usize,
    margin: f64,
    z: f64,
    /// Deviation of advantages, a running mean; none before the first batch.
    spread: Option<f64>,
    room: Vec<f32>,
    rows: Vec<f32>,
    labels: Vec<f32>,
    /// Advantages of the samples to learn from, where they are known; those found last; the batch.
    known: Vec<Option<Estimate>>,
    found: Vec<Estimate>,
    places: Vec<usize>,
}

impl ConstraintNet {
    /// Networks that charge nothing yet.
    pub fn new(inputs: usize, settings: &GeneralSettings, seed: u64) -> Result<Self> {
        let sizes = [inputs, settings.units, settings.units, 1];
        let member = |k: usize| {
            let mut stream = Stream::new(seed, &format!("general.constraint.{k}"));
            let net = Mlp::random(&sizes, 0.01, &mut stream)?;
            let adam = Adam::new(net.values().len(), settings.learning_rate as f32, 10.0);
            Ok(PlainTrainer::new(net, adam))
        };
        let trainers = (0..settings.classifiers)
            .map(member)
            .collect::<Result<Vec<_>>>()?;
        Ok(Self {
            scratch: Scratch::new(trainers[0].net()),
            trainers,
            stream: Stream::new(seed, "general.constraint.batches"),
            batch: settings.batch,
            margin: settings.margin,
            z: settings.z,
            spread: None,
            room: Vec::new(),
            rows: Vec::new(),
            labels: Vec::new(),
            known: Vec::new(),
            found: Vec::new(),
            places: Vec::new(),
        })
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

    /// How probable it is that the true advantage exceeds the threshold, if its error is normal with the
    /// width as its deviation.
    fn chance(&self, advantage: Estimate, own: bool) -> f32 {
        if own {
            return 0.0;
        }
        let width = self.z * advantage.width + 0.1 * self.threshold() + 1e-12;
        let deviations = (advantage.value - self.threshold()) / width;
        (0.5 * libm::erfc(-deviations / std::f64::consts::SQRT_2)) as f32
    }

    /// Gradient steps of every network on random samples of `chosen`, whose advantages `evidence` tells, and on the
    /// expert's own pairs, at the observations of `seen`.
    pub fn train(
        &mut self,
        samples: &Samples,
        encoder: &Encoder,
        (value, evidence): (&mut ExpertValue, &mut Evidence),
        (chosen, seen): (&[u32], &[u32]),
        steps: usize,
    ) -> Result<()> {
        // Values do not change meanwhile, so what they say of a sample is found once.
        self.known.clear();
        self.known.resize(chosen.len(), None);
        let members = self.trainers.len();
        let each = (SHORT * steps as f64).ceil() as usize;
        for at in 0..members * each {
            if chosen.is_empty() || seen.is_empty() {
                break;
            }
            self.places.clear();
            for _ in 0..self.batch {
                let place = self.stream.random_range(0..chosen.len());
                self.places.push(place);
            }
            self.judge(samples, encoder, (value, evidence), chosen)?;
            self.follow_spread();
            self.step(at % members, samples, encoder, (chosen, seen))?;
        }
        Ok(())
    }

    /// Finds the advantages of those samples of the batch that are not known yet.
    fn judge(
        &mut self,
        samples: &Samples,
        encoder: &Encoder,
        (value, evidence): (&mut ExpertValue, &mut Evidence),
        chosen: &[u32],
    ) -> Result<()> {
        let mut asked = Vec::new();
        for &place in &self.places {
            if self.known[place].is_none() {
                self.known[place] = Some(Estimate::default());
                asked.push(place);
            }
        }
        let wanted: Vec<u32> = asked.iter().map(|&place| chosen[place]).collect();
        evidence.of(samples, encoder, value, &wanted, &mut self.found)?;
        for (place, found) in asked.into_iter().zip(&self.found) {
            self.known[place] = Some(*found);
        }
        Ok(())
    }

    fn step(
        &mut self,
        k: usize,
        samples: &Samples,
        encoder: &Encoder,
        (chosen, seen): (&[u32], &[u32]),
    ) -> Result<()> {
        self.rows.clear();
        self.labels.clear();
        for &place in &self.places {
            let i = chosen[place] as usize;
            encoder.push(samples.observation(i), samples.action(i), &mut self.rows);
            let chance = self.chance(self.advantage(place), samples.is_own(i));
            self.labels.push(chance);
        }
        let own = (OWN * self.places.len() as f64).ceil() as usize;
        // The expert's own pairs are never charged. Where somebody deviated is not enough: the states after it
        // are others, and there the network charged what the expert itself does.
        for _ in 0..own {
            let i = seen[self.stream.random_range(0..seen.len())] as usize;
            encoder.push(samples.observation(i), samples.expert(i), &mut self.rows);
            self.labels.push(0.0);
        }
        let labels = &self.labels;
        let share = 1.0 / labels.len().max(1) as f32;
        self.trainers[k].step(&self.rows, |scores, gradient| {
            let mut loss = 0.0;
            for (i, label) in labels.iter().enumerate() {
                let p = sigmoid(scores[i]);
                gradient[i] = share * (p - label);
                let surprise = |share: f32, p: f32| share * libm::logf(p.max(1e-7));
                loss -= share * (surprise(*label, p) + surprise(1.0 - label, 1.0 - p));
            }
            loss
        })?;
        Ok(())
    }

    fn advantage(&self, place: usize) -> Estimate {
        self.known[place].unwrap_or_default()
    }

    fn follow_spread(&mut self) {
        let n = self.places.len().max(1) as f64;
        let all = || self.places.iter().map(|&place| self.advantage(place).value);
        let mean = all().sum::<f64>() / n;
        let squares = all().map(|a| (a - mean).powi(2));
        let deviation = (squares.sum::<f64>() / n).sqrt();
        let before = self.spread.unwrap_or(deviation);
        self.spread = Some(before + SPREAD_RATE * (deviation - before));
    }

    /// The probability that a pair is charged.
    pub fn probability(&mut self, encoder: &Encoder, observation: &[f64], action: &[f64]) -> f64 {
        self.room.clear();
        encoder.push(observation, action, &mut self.room);
        let mut sum = 0.0;
        for trainer in &self.trainers {
            let score = trainer.net().forward(&self.room, &mut self.scratch)[0];
            sum += f64::from(sigmoid(score));
        }
        sum / self.trainers.len() as f64
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x.clamp(-30.0, 30.0)))
}
