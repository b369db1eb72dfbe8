//! Deep Q-learning: the value of every action by practice.
//!
//! With `Q` the network in training and `Q'` one that follows it slowly, a transition of `k` steps
//! from `s` by `a` with reward `R = r_0 + ... + gamma^{k-1} r_{k-1}` to `t` pulls `Q(s, a)` towards
//!
//! ```text
//! y = R + gamma^k Q'(t, argmax_b Q(t, b)),      y = R if the world ended,
//! ```
//!
//! through Huber's loss: one network chooses, the other one says what the choice is worth, since
//! the largest of noisy values is too large.

use super::loss::huber;
use super::replay::{Batch, Joiner, Replay};
use super::{Practice, Steps};
use crate::net::{Adam, Frozen, Mlp, Scratch, Trainer, largest};
use crate::{Error, Result};
use hedgerow::seed::Stream;
use rand::RngExt;

/// How to learn. Every field has a default.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Units of the hidden layers; 128, 128.
    pub hidden: Vec<usize>,
    /// Discount of a step, in [0, 1); 0.99.
    pub gamma: f32,
    /// Gradient steps; 30,000.
    pub updates: usize,
    /// Gradient steps for every step of all lanes; 1.
    pub updates_per_step: usize,
    /// Transitions a gradient step learns from; 256.
    pub batch: usize,
    /// Transitions kept; 200,000.
    pub capacity: usize,
    /// Transitions seen before learning begins; 5,000.
    pub warmup: usize,
    /// Length of the first gradient steps; 0.001. It shrinks to `rate_end`, along a half cosine.
    pub rate: f32,
    /// Length of the last ones; 0.00003.
    pub rate_end: f32,
    /// Longest gradient; 10.
    pub clip: f32,
    /// Share of the way that the slow network goes with each gradient step; 0.005.
    pub follow: f32,
    /// Share of random actions at first; 1.
    pub epsilon: f32,
    /// Share of random actions after `epsilon_until`; 0.1.
    pub epsilon_end: f32,
    /// Share of all gradient steps until the share of random actions is down; 0.2.
    pub epsilon_until: f32,
    /// Most steps a transition joins; 3.
    pub join: usize,
    /// Where Huber's loss bends; 1.
    pub bend: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hidden: vec![128, 128],
            gamma: 0.99,
            updates: 30_000,
            updates_per_step: 1,
            batch: 256,
            capacity: 200_000,
            warmup: 5_000,
            rate: 1e-3,
            rate_end: 3e-5,
            clip: 10.0,
            follow: 0.005,
            epsilon: 1.0,
            epsilon_end: 0.1,
            epsilon_until: 0.2,
            join: 3,
            bend: 1.0,
        }
    }
}

/// How far training is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Gradient steps made.
    pub updates: usize,
    /// Gradient steps in all.
    pub of: usize,
    /// Loss of the last one.
    pub loss: f32,
    /// The slow network: the smoother one, and the result.
    pub net: &'a Mlp,
}

impl Settings {
    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<()> {
        let wrong = |name: &str, value: String, remedy: &str| {
            Err(Error::invalid(format!("dqn.{name}"), value, remedy))
        };
        let counts = [
            ("updates_per_step", self.updates_per_step),
            ("batch", self.batch),
            ("capacity", self.capacity),
            ("warmup", self.warmup),
            ("join", self.join),
        ];
        for (name, n) in counts {
            if n == 0 {
                return wrong(name, "0".into(), "use at least 1");
            }
        }
        if self.warmup > self.capacity {
            let problem = format!("{} is more than the capacity", self.warmup);
            return wrong("warmup", problem, "use at most dqn.capacity");
        }
        let positive = [
            ("rate", self.rate),
            ("rate_end", self.rate_end),
            ("clip", self.clip),
            ("bend", self.bend),
        ];
        for (name, x) in positive {
            if x.is_nan() || x <= 0.0 {
                return wrong(name, x.to_string(), "use a number above 0");
            }
        }
        let shares = [
            ("follow", self.follow),
            ("epsilon", self.epsilon),
            ("epsilon_end", self.epsilon_end),
            ("epsilon_until", self.epsilon_until),
        ];
        for (name, x) in shares {
            if !(0.0..=1.0).contains(&x) {
                return wrong(name, x.to_string(), "use a share from 0 to 1");
            }
        }
        if !(0.0..1.0).contains(&self.gamma) {
            return wrong("gamma", self.gamma.to_string(), "use a discount in [0, 1)");
        }
        Ok(())
    }

    fn epsilon_at(&self, share: f32) -> f32 {
        let way = (share / self.epsilon_until.max(1e-9)).min(1.0);
        self.epsilon + way * (self.epsilon_end - self.epsilon)
    }

    fn rate_at(&self, share: f32) -> f32 {
        let high = 0.5 * (1.0 + libm::cosf(std::f32::consts::PI * share.min(1.0)));
        self.rate_end + high * (self.rate - self.rate_end)
    }
}

/// Learns the values of the actions in `practice`, one output an action.
///
/// `progress` is called after every step of all lanes that taught something; `false` ends training.
pub fn train(
    practice: &mut dyn Practice,
    settings: &Settings,
    seed: u64,
    progress: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Mlp> {
    settings.check()?;
    let mut learner = Learner::new(practice, settings, seed)?;
    let mut lanes = Lanes::new(practice, &learner.slow, settings, seed);
    let mut loss = 0.0;
    while learner.updates < settings.updates {
        let share = learner.updates as f32 / settings.updates as f32;
        let epsilon = settings.epsilon_at(share);
        lanes.step(practice, learner.trainer.net(), epsilon);
        if lanes.replay.len() < settings.warmup {
            continue;
        }
        learner.trainer.set_rate(settings.rate_at(share));
        for _ in 0..settings.updates_per_step {
            loss = learner.update(&lanes.replay)?;
        }
        let go_on = progress(&Progress {
            updates: learner.updates,
            of: settings.updates,
            loss,
            net: &learner.slow,
        });
        if !go_on {
            break;
        }
    }
    Ok(learner.slow)
}

/// The lanes and what was seen in them.
struct Lanes {
    seen: Vec<f32>,
    actions: Vec<usize>,
    steps: Steps,
    joiners: Vec<Joiner>,
    replay: Replay,
    scratch: Scratch,
    stream: Stream,
}

impl Lanes {
    fn new(practice: &dyn Practice, net: &Mlp, settings: &Settings, seed: u64) -> Self {
        let (lanes, inputs) = (practice.lanes(), practice.inputs());
        let joiner = || Joiner::new(settings.join, settings.gamma);
        Self {
            seen: vec![0.0; lanes * inputs],
            actions: vec![0; lanes],
            steps: Steps::new(lanes, inputs),
            joiners: std::iter::repeat_with(joiner).take(lanes).collect(),
            replay: Replay::new(inputs, settings.capacity),
            scratch: Scratch::new(net),
            stream: Stream::new(seed, "dqn.actions"),
        }
    }

    /// One step in every lane, most of them by the best action known.
    fn step(&mut self, practice: &mut dyn Practice, net: &Mlp, epsilon: f32) {
        let inputs = practice.inputs();
        practice.observe(&mut self.seen);
        for (lane, state) in self.seen.chunks_exact(inputs).enumerate() {
            let best = largest(net.forward(state, &mut self.scratch));
            let action = match self.stream.random::<f32>() < epsilon {
                true => self.stream.random_range(0..practice.actions()),
                false => best,
            };
            self.actions[lane] = action;
            self.joiners[lane].choose(state, action, action == best, &mut self.replay);
        }
        practice.step(&self.actions, &mut self.steps);
        for (lane, next) in self.steps.next.chunks_exact(inputs).enumerate() {
            let joiner = &mut self.joiners[lane];
            let ended = self.steps.ended[lane];
            joiner.arrive(self.steps.reward[lane], next, ended, &mut self.replay);
            if ended || self.steps.restarted[lane] {
                joiner.flush(next, ended, &mut self.replay);
            }
        }
    }
}

/// The two networks.
struct Learner<'a> {
    settings: &'a Settings,
    trainer: Trainer,
    slow: Mlp,
    updates: usize,
    batch: Batch,
    stream: Stream,
}

impl<'a> Learner<'a> {
    fn new(practice: &dyn Practice, settings: &'a Settings, seed: u64) -> Result<Self> {
        let mut sizes = vec![practice.inputs()];
        sizes.extend(&settings.hidden);
        sizes.push(practice.actions());
        let net = Mlp::random(&sizes, 0.1, &mut Stream::new(seed, "dqn.weights"))?;
        let adam = Adam::new(net.values().len(), settings.rate, settings.clip);
        Ok(Self {
            settings,
            slow: net.clone(),
            trainer: Trainer::new(net, adam)?,
            updates: 0,
            batch: Batch::default(),
            stream: Stream::new(seed, "dqn.batches"),
        })
    }

    fn update(&mut self, replay: &Replay) -> Result<f32> {
        let (settings, batch) = (self.settings, &mut self.batch);
        replay.sample(settings.batch, &mut self.stream, batch);
        let choosing = self.trainer.outputs(&batch.nexts)?;
        let judging = Frozen::new(&self.slow)?.outputs(&batch.nexts)?;
        let actions = self.slow.outputs();
        let scale = 1.0 / settings.batch as f32;
        let loss = self.trainer.step(&batch.states, |values, slope| {
            let mut total = 0.0;
            for i in 0..settings.batch {
                let row = i * actions..(i + 1) * actions;
                let ahead = judging[row.clone()][largest(&choosing[row.clone()])];
                let target = batch.rewards[i] + batch.discounts[i] * ahead;
                let at = row.start + batch.actions[i] as usize;
                let (loss, pull) = huber(values[at] - target, settings.bend);
                slope[at] = scale * pull;
                total += scale * loss;
            }
            total
        })?;
        self.slow.follow(self.trainer.net(), settings.follow);
        self.updates += 1;
        Ok(loss)
    }
}
