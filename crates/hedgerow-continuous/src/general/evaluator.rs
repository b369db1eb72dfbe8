//! The evaluator: it alone compares what was inferred with the truth.

use super::calibration::{Reliability, reliability};
use super::learner::GeneralLearner;
use crate::Result;
use crate::world::{ContinuousWorld, Episodes, Policy, Step};
use hedgerow::seed::Stream;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Pairs that constraints are compared on.
const PAIRS: usize = 1000;

/// Decisions after which a pair has shown what it costs.
const AFTER: usize = 12;

/// Episodes that evaluate the expert.
const EPISODES: usize = 50;

/// Probability of a random action on the way to a pair.
const RANDOM: f64 = 0.3;

/// A pair, and whether it is truly constrained.
#[derive(Clone, Debug, PartialEq)]
pub struct TruePair {
    /// The observation.
    pub observation: Vec<f64>,
    /// The action.
    pub action: Vec<f64>,
    /// Whether the action costs at once.
    pub costs: bool,
    /// Whether the action, with the expert following it, costs more than the expert does from the same
    /// state; `costs` itself in worlds that cannot be forked.
    pub constrained: bool,
    /// What the action, with the expert following it, earns more than the expert does from the same state;
    /// infinite in worlds that cannot be forked.
    pub gain: f64,
}

impl TruePair {
    /// Whether it would pay: what does not leaves no trace in what an expert does.
    pub fn pays(&self) -> bool {
        self.gain > 1e-9
    }
}

/// How a constraint compares with the truth on sampled pairs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Pairs compared.
    pub pairs: u64,
    /// Pairs truly constrained, as shares of all.
    pub truth: f64,
    /// Intersection over union of charged and truly constrained pairs.
    pub iou: f64,
    /// The same with the pairs that cost at once.
    pub iou_at_once: f64,
    /// Share of the charged weight (the sum of probabilities of charged pairs) that lies on pairs that are
    /// not constrained; 0 if nothing is charged.
    pub false_weight: f64,
    /// Share of the unconstrained pairs that is charged.
    pub false_positives: f64,
    /// Share of the constrained pairs that is not charged.
    pub missed: f64,
    /// The same of those that pay, which alone can be found.
    #[serde(default)]
    pub missed_paying: f64,
    /// The probabilities against the truth.
    pub reliability: Reliability,
}

/// Mean discounted reward and cost of episodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Reward.
    pub reward: f64,
    /// Cost; 0 where it is not known.
    pub cost: f64,
    /// Reward if episodes that were broken off had gone on earning what they earned last.
    pub endless: f64,
}

/// Writes down an action at an observation.
pub type Act<'a> = dyn FnMut(&[f64], &mut [f64]) -> Result<()> + 'a;

/// Evaluates learners in one world.
#[derive(Debug)]
pub struct GeneralEvaluator {
    world: Arc<dyn ContinuousWorld>,
    expert: Arc<dyn Policy>,
    played: Played,
    /// Where the expert's episodes began.
    starts: Vec<Vec<f64>>,
    pairs: Vec<TruePair>,
}

impl GeneralEvaluator {
    /// Plays the expert's episodes and samples the pairs to compare on.
    pub fn new(world: &Arc<dyn ContinuousWorld>, expert: &Arc<dyn Policy>) -> Result<Self> {
        let mut evaluator = Self {
            world: world.clone(),
            expert: expert.clone(),
            played: Played::default(),
            starts: Vec::new(),
            pairs: Vec::new(),
        };
        let mut act = |o: &[f64], a: &mut [f64]| expert.act(o, a);
        let mut starts = Vec::new();
        evaluator.played = evaluator.played(0, EPISODES, &mut act, &mut starts)?;
        evaluator.starts = starts;
        evaluator.sample_pairs()?;
        Ok(evaluator)
    }

    /// What the expert earns and pays.
    pub fn expert(&self) -> Played {
        self.played
    }

    /// The same in so many episodes, those that agents are played in: with few of them it matters where they
    /// begin.
    pub fn expert_in(&self, episodes: usize) -> Result<Played> {
        let mut act = |o: &[f64], a: &mut [f64]| self.expert.act(o, a);
        self.play(0, episodes, &mut act)
    }

    /// Where the episodes of [`Self::expert`] began.
    pub fn starts(&self) -> &[Vec<f64>] {
        &self.starts
    }

    /// The pairs that constraints are compared on; none where no cost is known.
    pub fn pairs(&self) -> &[TruePair] {
        &self.pairs
    }

    /// Plays episodes of a policy.
    pub fn play(&self, seed: u64, episodes: usize, act: &mut Act) -> Result<Played> {
        self.played(seed, episodes, act, &mut Vec::new())
    }

    /// The same, and where they began.
    fn played(
        &self,
        seed: u64,
        episodes: usize,
        act: &mut Act,
        starts: &mut Vec<Vec<f64>>,
    ) -> Result<Played> {
        let spec = self.world.spec();
        let mut env = self.world.episodes(seed, "general.played")?;
        let mut o = vec![0.0; spec.observation.len()];
        let mut a = vec![0.0; spec.action.len()];
        let mut all = Played::default();
        for _ in 0..episodes {
            env.reset(&mut o)?;
            starts.push(o.clone());
            let mut discount = 1.0 / episodes as f64;
            let mut last = Step::default();
            for _ in 0..spec.horizon {
                act(&o, &mut a)?;
                let step = env.step(&a, &mut o)?;
                all.reward += discount * step.reward;
                all.cost += discount * step.cost.unwrap_or(0.0);
                discount *= spec.gamma;
                last = step;
                if step.done() {
                    break;
                }
            }
            if !last.ended {
                all.endless += discount * last.reward / (1.0 - spec.gamma);
            }
        }
        all.endless += all.reward;
        Ok(all)
    }

    /// Samples pairs along episodes that follow the expert with random actions in between.
    fn sample_pairs(&mut self) -> Result<()> {
        let spec = self.world.spec().clone();
        let mut env = self.world.episodes(0, "general.pairs")?;
        let mut stream = Stream::new(0, "general.pairs.actions");
        let mut o = vec![0.0; spec.observation.len()];
        let mut a = vec![0.0; spec.action.len()];
        env.reset(&mut o)?;
        while self.pairs.len() < PAIRS {
            spec.action.sample(&mut stream, &mut a);
            let Some(cost) = self.world.true_cost(&o, &a) else {
                return Ok(());
            };
            let (constrained, gain) = match (env.fork(), env.fork()) {
                (Some(mut mine), Some(mut experts)) => {
                    let mut own = vec![0.0; a.len()];
                    self.expert.act(&o, &mut own)?;
                    let mine = self.from(&mut *mine, &a)?;
                    let experts = self.from(&mut *experts, &own)?;
                    let gain = mine.reward - experts.reward;
                    (mine.cost > experts.cost + 1e-9, gain)
                }
                _ => (cost > 0.0, f64::INFINITY),
            };
            self.pairs.push(TruePair {
                observation: o.clone(),
                action: a.clone(),
                costs: cost > 0.0,
                constrained,
                gain,
            });
            if stream.random::<f64>() >= RANDOM {
                self.expert.act(&o, &mut a)?;
            }
            if env.step(&a, &mut o)?.done() {
                env.reset(&mut o)?;
            }
        }
        Ok(())
    }

    /// An action and the expert after it: the discounted reward to the end of the episode, and what the first
    /// decisions cost.
    fn from(&self, env: &mut dyn Episodes, action: &[f64]) -> Result<Played> {
        let spec = self.world.spec();
        let mut o = vec![0.0; spec.observation.len()];
        let mut a = action.to_vec();
        let mut total = Played::default();
        let mut discount = 1.0;
        for decision in 0..spec.horizon {
            let step = env.step(&a, &mut o)?;
            total.reward += discount * step.reward;
            discount *= spec.gamma;
            if decision < AFTER {
                total.cost += step.cost.unwrap_or(0.0);
            }
            if step.done() {
                break;
            }
            self.expert.act(&o, &mut a)?;
        }
        Ok(total)
    }

    /// The largest IoU that a constraint can have that charges only what would pay; none where no pair is
    /// constrained.
    pub fn attainable(&self) -> Option<f64> {
        let truly = self.pairs.iter().filter(|p| p.constrained);
        let (all, paying) = truly.fold((0, 0), |(all, paying), p| {
            (all + 1, paying + usize::from(p.pays()))
        });
        (all > 0).then(|| paying as f64 / all as f64)
    }

    /// The agent that improves on the expert wherever the inferred constraint lets it, played.
    pub fn agent(&self, learner: &mut GeneralLearner, episodes: usize) -> Result<Played> {
        let mut stream = Stream::new(0, "general.agent");
        let (mut candidates, mut own) = (Vec::new(), vec![0.0; self.world.spec().action.len()]);
        let mut act = |o: &[f64], a: &mut [f64]| {
            self.expert.act(o, &mut own)?;
            learner.candidates(&own, &mut stream, &mut candidates);
            let best = learner.careful(o, &own, &candidates);
            a.copy_from_slice(&candidates[best * a.len()..(best + 1) * a.len()]);
            Ok(())
        };
        self.play(0, episodes, &mut act)
    }

    /// Compares the inferred constraint with the truth; none where no cost is known or no pair is
    /// constrained.
    pub fn compared(&self, learner: &mut GeneralLearner) -> Option<Comparison> {
        let truly = self.pairs.iter().filter(|p| p.constrained).count();
        if truly == 0 {
            return None;
        }
        let mut found = Vec::with_capacity(self.pairs.len());
        for p in &self.pairs {
            found.push(learner.probability(&p.observation, &p.action));
        }
        let both = || self.pairs.iter().zip(&found);
        let count = |wanted: &dyn Fn(&TruePair, bool) -> bool| {
            both().filter(|(t, p)| wanted(t, **p >= 0.5)).count() as f64
        };
        let share = |part: f64, of: f64| if of > 0.0 { part / of } else { 0.0 };
        // Folded from 0: the sum of nothing would be -0.
        let wrong = both()
            .filter(|(t, p)| !t.constrained && **p >= 0.5)
            .fold(0.0, |sum, (_, p)| sum + p);
        let charged: f64 = found.iter().filter(|p| **p >= 0.5).sum();
        let pairs: Vec<(f64, bool)> = both().map(|(t, p)| (*p, t.constrained)).collect();
        let all = self.pairs.len() as f64;
        let free = all - truly as f64;
        Some(Comparison {
            pairs: self.pairs.len() as u64,
            truth: truly as f64 / all,
            iou: share(
                count(&|t, c| t.constrained && c),
                count(&|t, c| t.constrained || c),
            ),
            iou_at_once: share(count(&|t, c| t.costs && c), count(&|t, c| t.costs || c)),
            false_weight: share(wrong, charged),
            false_positives: share(count(&|t, c| !t.constrained && c), free),
            missed: share(count(&|t, c| t.constrained && !c), truly as f64),
            missed_paying: share(
                count(&|t, c| t.constrained && t.pays() && !c),
                count(&|t, _| t.constrained && t.pays()),
            ),
            reliability: reliability(&pairs),
        })
    }
}
