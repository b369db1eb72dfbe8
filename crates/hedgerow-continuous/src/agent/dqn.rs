//! Deep Q-learning.
//!
//! With `Q` the network in training and `Q'` a target network that follows it slowly, a transition
//! of `k` steps from `s` by `a` with the return `R = r_0 + ... + gamma^{k-1} r_{k-1}` to `t` pulls
//! `Q(s, a)` towards
//!
//! ```text
//! y = R + gamma^k Q'(t, argmax_b Q(t, b)),      y = R if the episode terminated,
//! ```
//!
//! through the Huber loss. One network chooses and the other one evaluates the choice (double
//! Q-learning), since the maximum of noisy values is biased upwards.

use super::loss::huber;
use super::n_step::NStep;
use super::replay_buffer::{Batch, ReplayBuffer};
use super::{DqnSettings, VecEnv, VecStep};
use crate::Result;
use crate::net::{Adam, Frozen, Mlp, Scratch, Trainer};
use crate::select::argmax;
use hedgerow::seed::Stream;
use rand::RngExt;

/// How far training is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Gradient steps made.
    pub updates: usize,
    /// Gradient steps in all.
    pub of: usize,
    /// Loss of the last one.
    pub loss: f32,
    /// The target network: the smoother one, and the result.
    pub net: &'a Mlp,
}

/// Learns the values of the actions in `env`; the network has one output per action.
///
/// `progress` is called after every step of all copies that was followed by learning; `false` ends
/// training.
pub fn train(
    env: &mut dyn VecEnv,
    settings: &DqnSettings,
    seed: u64,
    progress: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Mlp> {
    settings.check()?;
    let mut learner = Learner::new(env, settings, seed)?;
    let mut collector = Collector::new(env, &learner.target, settings, seed);
    let mut loss = 0.0;
    while learner.updates < settings.updates {
        let share = learner.updates as f32 / settings.updates as f32;
        let epsilon = settings.epsilon_at(share);
        collector.step(env, learner.trainer.net(), epsilon);
        if collector.buffer.len() < settings.warmup {
            continue;
        }
        learner.trainer.set_rate(settings.learning_rate_at(share));
        for _ in 0..settings.updates_per_step {
            loss = learner.update(&collector.buffer)?;
        }
        let go_on = progress(&Progress {
            updates: learner.updates,
            of: settings.updates,
            loss,
            net: &learner.target,
        });
        if !go_on {
            break;
        }
    }
    Ok(learner.target)
}

/// Acts in all copies of the environment and keeps the transitions.
struct Collector {
    observations: Vec<f32>,
    actions: Vec<usize>,
    steps: VecStep,
    returns: Vec<NStep>,
    buffer: ReplayBuffer,
    scratch: Scratch,
    stream: Stream,
}

impl Collector {
    fn new(env: &dyn VecEnv, net: &Mlp, settings: &DqnSettings, seed: u64) -> Self {
        let (copies, inputs) = (env.copies(), env.inputs());
        let n_step = || NStep::new(settings.n_step, settings.gamma);
        Self {
            observations: vec![0.0; copies * inputs],
            actions: vec![0; copies],
            steps: VecStep::new(copies, inputs),
            returns: std::iter::repeat_with(n_step).take(copies).collect(),
            buffer: ReplayBuffer::new(inputs, settings.capacity),
            scratch: Scratch::new(net),
            stream: Stream::new(seed, "dqn.actions"),
        }
    }

    /// One step in every copy, random with probability `epsilon` and greedy otherwise.
    fn step(&mut self, env: &mut dyn VecEnv, net: &Mlp, epsilon: f32) {
        let inputs = env.inputs();
        env.observe(&mut self.observations);
        for (copy, state) in self.observations.chunks_exact(inputs).enumerate() {
            let greedy = argmax(net.forward(state, &mut self.scratch));
            let action = match self.stream.random::<f32>() < epsilon {
                true => self.stream.random_range(0..env.actions()),
                false => greedy,
            };
            self.actions[copy] = action;
            self.returns[copy].act(state, action, action == greedy, &mut self.buffer);
        }
        env.step(&self.actions, &mut self.steps);
        for (copy, next) in self.steps.next.chunks_exact(inputs).enumerate() {
            let returns = &mut self.returns[copy];
            let terminated = self.steps.terminated[copy];
            returns.arrive(self.steps.reward[copy], next, terminated, &mut self.buffer);
            if terminated || self.steps.reset[copy] {
                returns.flush(next, terminated, &mut self.buffer);
            }
        }
    }
}

/// The two networks.
struct Learner<'a> {
    settings: &'a DqnSettings,
    trainer: Trainer,
    target: Mlp,
    updates: usize,
    batch: Batch,
    stream: Stream,
}

impl<'a> Learner<'a> {
    fn new(env: &dyn VecEnv, settings: &'a DqnSettings, seed: u64) -> Result<Self> {
        let mut sizes = vec![env.inputs()];
        sizes.extend(&settings.hidden);
        sizes.push(env.actions());
        let net = Mlp::random(&sizes, 0.1, &mut Stream::new(seed, "dqn.weights"))?;
        let (rate, norm) = (settings.learning_rate, settings.max_grad_norm);
        let adam = Adam::new(net.values().len(), rate, norm);
        Ok(Self {
            settings,
            target: net.clone(),
            trainer: Trainer::new(net, adam)?,
            updates: 0,
            batch: Batch::default(),
            stream: Stream::new(seed, "dqn.batches"),
        })
    }

    fn update(&mut self, buffer: &ReplayBuffer) -> Result<f32> {
        let (settings, batch) = (self.settings, &mut self.batch);
        buffer.sample(settings.batch, &mut self.stream, batch);
        let choosing = self.trainer.outputs(&batch.nexts)?;
        let evaluating = Frozen::new(&self.target)?.outputs(&batch.nexts)?;
        let actions = self.target.outputs();
        let scale = 1.0 / settings.batch as f32;
        let loss = self.trainer.step(&batch.states, |values, gradient| {
            let mut total = 0.0;
            for i in 0..settings.batch {
                let row = i * actions..(i + 1) * actions;
                let next = evaluating[row.clone()][argmax(&choosing[row.clone()])];
                let target = batch.rewards[i] + batch.discounts[i] * next;
                let at = row.start + batch.actions[i] as usize;
                let (loss, slope) = huber(values[at] - target, settings.huber_delta);
                gradient[at] = scale * slope;
                total += scale * loss;
            }
            total
        })?;
        self.target.soft_update(self.trainer.net(), settings.tau);
        self.updates += 1;
        Ok(loss)
    }
}
