//! The learner of any continuous world: samples, the expert's value, the constraint, pseudo-counts.

use super::constraint::ConstraintNet;
use super::density::Centres;
use super::encoder::Encoder;
use super::evidence::Evidence;
use super::samples::{Sample, Samples};
use super::settings::GeneralSettings;
use super::value::{Chosen, Estimate, ExpertValue};
use crate::sample_file::SampleFile;
use crate::world::WorldSpec;
use crate::{Error, Result};
use hedgerow::seed::Stream;

/// Decisions of the expert that come soon after a deviation: so far off its way it brakes or turns back within some of
/// them, and the many that follow are all alike.
const SOON: usize = 3;

/// Learns from samples what the expert was not allowed to do. It is made from what everybody may
/// know of a world; costs, dynamics and the expert itself are out of its reach.
#[derive(Debug)]
pub struct GeneralLearner {
    spec: WorldSpec,
    settings: GeneralSettings,
    encoder: Encoder,
    samples: Samples,
    value: ExpertValue,
    evidence: Evidence,
    constraint: ConstraintNet,
    density: Centres,
    /// Samples to learn from, and those held out.
    training: Vec<u32>,
    held_out: Vec<u32>,
    /// Those to learn from whose action is not the expert's.
    deviations: Vec<u32>,
    /// Those whose action is, and those of them that come soon after a deviation.
    own: Vec<u32>,
    tails: Vec<u32>,
    is_fitted: bool,
    room: Vec<f32>,
    /// Probabilities and gains of candidates.
    seen: Vec<(f64, f64)>,
}

impl GeneralLearner {
    /// Without samples.
    pub fn new(spec: &WorldSpec, settings: &GeneralSettings, seed: u64) -> Result<Self> {
        spec.check()?;
        let encoder = Encoder::new(spec);
        let inputs = encoder.inputs();
        Ok(Self {
            samples: Samples::new(spec),
            value: ExpertValue::new(
                (encoder.observation_inputs(), inputs),
                spec.gamma,
                settings,
                seed,
            )?,
            evidence: Evidence::new(settings.sampled),
            constraint: ConstraintNet::new(inputs, settings, seed)?,
            density: Centres::new(inputs, settings.bandwidth, settings.centres),
            spec: spec.clone(),
            settings: settings.clone(),
            encoder,
            training: Vec::new(),
            held_out: Vec::new(),
            deviations: Vec::new(),
            own: Vec::new(),
            tails: Vec::new(),
            is_fitted: false,
            room: Vec::new(),
            seen: Vec::new(),
        })
    }

    /// What everybody may know of the world.
    pub fn spec(&self) -> &WorldSpec {
        &self.spec
    }

    /// How it learns.
    pub fn settings(&self) -> &GeneralSettings {
        &self.settings
    }

    /// All samples.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// How observations and actions become inputs.
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// The constraint as networks.
    pub fn constraint(&self) -> &ConstraintNet {
        &self.constraint
    }

    /// Samples that neither value nor constraint were trained on.
    pub fn held_out(&self) -> &[u32] {
        &self.held_out
    }

    /// Adds a sample. What follows from it is learned by [`Self::refresh`].
    pub fn observe(&mut self, sample: &Sample) {
        let i = self.samples.len() as u32;
        let apart = self.spec.action.distance(sample.action, sample.expert);
        let own = apart <= self.settings.same;
        self.samples.push(sample, own);
        // Demonstrations come first, and are always learned from.
        let episode = self.samples.starts().len();
        let beyond = episode.saturating_sub(self.settings.demonstrations);
        match beyond > 0 && beyond.is_multiple_of(self.settings.held_out) {
            true => self.held_out.push(i),
            false => {
                self.training.push(i);
                match own {
                    true => self.own.push(i),
                    false => self.deviations.push(i),
                }
                let first = self.samples.starts().last().copied().unwrap_or(0);
                let before = (i as usize).saturating_sub(SOON).max(first)..i as usize;
                if own && before.into_iter().any(|k| !self.samples.is_own(k)) {
                    self.tails.push(i);
                }
            }
        }
        self.room.clear();
        let (o, a) = (sample.observation, sample.action);
        self.encoder.push_by_bounds(o, a, &mut self.room);
        self.density.observe(&self.room);
    }

    /// Adds the samples of a file, as if they were observed now.
    pub fn observe_all(&mut self, file: &SampleFile) -> Result<()> {
        let (o, a) = (self.spec.observation.len(), self.spec.action.len());
        if (file.observed, file.chosen) != (o, a) {
            return Err(Error::invalid(
                "samples",
                format!("{} numbers observed, {} chosen", file.observed, file.chosen),
                format!("give samples of `{}`: {o} and {a}", self.spec.name),
            ));
        }
        if file.next_expert_actions.len() != file.actions.len() {
            return Err(Error::invalid(
                "samples",
                "they do not say what the expert would do next",
                "give samples with the tensor `next_expert_actions`",
            ));
        }
        for i in 0..file.len() {
            let (row, act) = (i * o..(i + 1) * o, i * a..(i + 1) * a);
            self.observe(&Sample {
                observation: &file.observations[row.clone()],
                action: &file.actions[act.clone()],
                expert: &file.expert_actions[act.clone()],
                next: &file.next_observations[row],
                next_expert: &file.next_expert_actions[act],
                reward: file.rewards[i],
                ended: file.ended[i],
                last: file.is_last(i),
            });
        }
        Ok(())
    }

    /// Trains value and constraint further, the same work however many samples there are.
    pub fn refresh(&mut self) -> Result<()> {
        if self.samples.is_empty() {
            return Ok(());
        }
        if !self.is_fitted {
            self.is_fitted = true;
            self.encoder.fit(&self.samples);
            self.value.fit_scale(&self.samples);
        }
        let steps = self.settings.steps;
        let (all, deviations) = (self.training.as_slice(), self.deviations.as_slice());
        let chosen = Chosen {
            all,
            deviations,
            own: &self.own,
            tails: &self.tails,
        };
        let (samples, encoder) = (&self.samples, &self.encoder);
        (self.value).train(samples, encoder, chosen, steps)?;
        let told = (&mut self.value, &mut self.evidence);
        (self.constraint).train(samples, encoder, told, (deviations, all), steps)
    }

    /// What the expert earns from this observation on.
    pub fn value(&mut self, observation: &[f64]) -> Estimate {
        self.value.value(&self.encoder, observation)
    }

    /// What the expert earns after `action`, whoever chose it.
    pub fn action_value(&mut self, observation: &[f64], action: &[f64]) -> Estimate {
        self.value.action_value(&self.encoder, observation, action)
    }

    /// What an action gains over others at the same observation, if the expert follows it.
    pub fn gain(&mut self, observation: &[f64], action: &[f64]) -> f64 {
        self.value.gain(&self.encoder, observation, action)
    }

    /// The probability that a pair is charged.
    pub fn probability(&mut self, observation: &[f64], action: &[f64]) -> f64 {
        (self.constraint).probability(&self.encoder, observation, action)
    }

    /// The pseudo-count of a pair.
    pub fn count(&mut self, observation: &[f64], action: &[f64]) -> f64 {
        self.room.clear();
        (self.encoder).push_by_bounds(observation, action, &mut self.room);
        self.density.count(&self.room)
    }

    /// The advantage of each of these samples and what it is labelled with.
    pub fn labels(&mut self, chosen: &[u32]) -> Result<Vec<(Estimate, Option<f32>)>> {
        let mut advantages = Vec::new();
        let (samples, encoder) = (&self.samples, &self.encoder);
        (self.evidence).of(samples, encoder, &mut self.value, chosen, &mut advantages)?;
        let each = chosen.iter().zip(advantages);
        Ok(each
            .map(|(&i, a)| {
                let own = self.samples.is_own(i as usize);
                (a, self.constraint.label(a, own))
            })
            .collect())
    }

    /// Actions to choose from: all names, or the expert's and others drawn uniformly.
    pub fn candidates(&self, expert: &[f64], stream: &mut Stream, out: &mut Vec<f64>) {
        out.clear();
        let space = &self.spec.action;
        if let crate::world::Space::Discrete(names) = space {
            out.extend((0..names.len()).map(|a| a as f64));
            return;
        }
        out.extend_from_slice(expert);
        let each = space.len();
        out.resize(each * self.settings.candidates, 0.0);
        for action in out[each..].chunks_exact_mut(each) {
            space.sample(stream, action);
        }
    }

    /// The number of the candidate that gains most among those that agents need not avoid; the least charged
    /// one where they have to avoid all.
    pub fn best(&mut self, observation: &[f64], candidates: &[f64]) -> usize {
        self.choice(observation, candidates, f64::INFINITY, 0.0)
    }

    /// The choice of an agent that keeps its distance: of those that gain nearly as much as the best the least
    /// charged one. What may be done gains at most the threshold over what the expert does, or it would be
    /// charged. So what seems to gain more is avoided, whatever the constraint says of it: one of the two is
    /// wrong there, and the largest of many gains would find just these places.
    pub fn careful(&mut self, observation: &[f64], expert: &[f64], candidates: &[f64]) -> usize {
        let most = self.gain(observation, expert) + self.constraint.threshold();
        let slack = self.settings.slack * self.constraint.spread();
        self.choice(observation, candidates, most, slack)
    }

    /// The least charged of the candidates that need not be avoided, gain at most `most`, and gain as much as the
    /// best of them up to the slack.
    fn choice(&mut self, observation: &[f64], candidates: &[f64], most: f64, slack: f64) -> usize {
        let each = self.spec.action.len();
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear();
        for action in candidates.chunks_exact(each) {
            let p = self.probability(observation, action);
            let gain = match p < self.settings.avoid {
                true => self.gain(observation, action),
                false => f64::NEG_INFINITY,
            };
            seen.push((p, if gain > most { f64::NEG_INFINITY } else { gain }));
        }
        let best = seen.iter().map(|s| s.1).fold(f64::NEG_INFINITY, f64::max);
        let enough = best - slack;
        let mut chosen = (f64::INFINITY, f64::NEG_INFINITY, 0);
        for (i, &(p, gain)) in seen.iter().enumerate() {
            // Without slack only the largest gain is near enough; equal ones share their probability's order.
            if gain >= enough && (p < chosen.0 || p == chosen.0 && gain > chosen.1) {
                chosen = (p, gain, i);
            }
        }
        self.seen = seen;
        chosen.2
    }
}
