//! Settings of the learning algorithms, and their ranges.

use crate::{Error, Result};

/// How DQN learns. Every field has a default.
#[derive(Clone, Debug, PartialEq)]
pub struct DqnSettings {
    /// Units of the hidden layers; 128, 128.
    pub hidden: Vec<usize>,
    /// Discount per step, in [0, 1); 0.99.
    pub gamma: f32,
    /// Gradient steps; 30,000.
    pub updates: usize,
    /// Gradient steps per step of all environments; 1.
    pub updates_per_step: usize,
    /// Transitions per gradient step; 256.
    pub batch: usize,
    /// Transitions that the replay buffer keeps; 200,000.
    pub capacity: usize,
    /// Transitions gathered before learning begins; 5,000.
    pub warmup: usize,
    /// Learning rate at first; 0.001. It falls to `learning_rate_end` along a half cosine.
    pub learning_rate: f32,
    /// Learning rate at the end; 0.00003.
    pub learning_rate_end: f32,
    /// Gradients are clipped to this norm; 10.
    pub max_grad_norm: f32,
    /// Share by which each gradient step moves the target network; 0.005.
    pub tau: f32,
    /// Probability of a random action at first; 1.
    pub epsilon: f32,
    /// Probability of a random action after `epsilon_until`; 0.1.
    pub epsilon_end: f32,
    /// Share of all gradient steps over which that probability falls; 0.2.
    pub epsilon_until: f32,
    /// Most rewards in a return; 3.
    pub n_step: usize,
    /// Error at which the Huber loss becomes linear; 1.
    pub huber_delta: f32,
}

impl Default for DqnSettings {
    fn default() -> Self {
        Self {
            hidden: vec![128, 128],
            gamma: 0.99,
            updates: 30_000,
            updates_per_step: 1,
            batch: 256,
            capacity: 200_000,
            warmup: 5_000,
            learning_rate: 1e-3,
            learning_rate_end: 3e-5,
            max_grad_norm: 10.0,
            tau: 0.005,
            epsilon: 1.0,
            epsilon_end: 0.1,
            epsilon_until: 0.2,
            n_step: 3,
            huber_delta: 1.0,
        }
    }
}

impl DqnSettings {
    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<()> {
        let check = Check("dqn");
        check.count("updates_per_step", self.updates_per_step)?;
        check.count("batch", self.batch)?;
        check.count("capacity", self.capacity)?;
        check.count("warmup", self.warmup)?;
        check.count("n_step", self.n_step)?;
        if self.warmup > self.capacity {
            let problem = format!("{} is more than the capacity", self.warmup);
            return check.wrong("warmup", problem, "use at most dqn.capacity");
        }
        check.positive("learning_rate", self.learning_rate)?;
        check.positive("learning_rate_end", self.learning_rate_end)?;
        check.positive("max_grad_norm", self.max_grad_norm)?;
        check.positive("huber_delta", self.huber_delta)?;
        check.share("tau", self.tau)?;
        check.share("epsilon", self.epsilon)?;
        check.share("epsilon_end", self.epsilon_end)?;
        check.share("epsilon_until", self.epsilon_until)?;
        match (0.0..1.0).contains(&self.gamma) {
            true => Ok(()),
            false => check.wrong("gamma", self.gamma, "use a discount in [0, 1)"),
        }
    }

    /// The probability of a random action after this share of all gradient steps.
    pub(super) fn epsilon_at(&self, share: f32) -> f32 {
        let done = (share / self.epsilon_until.max(1e-9)).min(1.0);
        self.epsilon + done * (self.epsilon_end - self.epsilon)
    }

    /// The learning rate after this share of all gradient steps.
    pub(super) fn learning_rate_at(&self, share: f32) -> f32 {
        let high = 0.5 * (1.0 + libm::cosf(std::f32::consts::PI * share.min(1.0)));
        self.learning_rate_end + high * (self.learning_rate - self.learning_rate_end)
    }
}

/// How PPO learns. Every field has a default.
#[derive(Clone, Debug, PartialEq)]
pub struct PpoSettings {
    /// Units of the hidden layers, of both networks; 64, 64.
    pub hidden: Vec<usize>,
    /// Discount per step, in [0, 1]; 0.99.
    pub gamma: f32,
    /// The lambda of generalised advantage estimation, in [0, 1]; 0.95.
    pub gae_lambda: f32,
    /// How far the probability ratio may leave 1; 0.2.
    pub clip: f32,
    /// Weight of the entropy; 0.01.
    pub entropy: f32,
    /// Passes over all episodes; 4.
    pub epochs: usize,
    /// Steps per gradient step; 64.
    pub batch: usize,
    /// Learning rate of the policy; 0.0003.
    pub learning_rate: f32,
    /// Learning rate of the value; 0.001.
    pub value_learning_rate: f32,
    /// Gradients of both networks are clipped to this norm; 0.5.
    pub max_grad_norm: f32,
}

impl Default for PpoSettings {
    fn default() -> Self {
        Self {
            hidden: vec![64, 64],
            gamma: 0.99,
            gae_lambda: 0.95,
            clip: 0.2,
            entropy: 0.01,
            epochs: 4,
            batch: 64,
            learning_rate: 3e-4,
            value_learning_rate: 1e-3,
            max_grad_norm: 0.5,
        }
    }
}

impl PpoSettings {
    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<()> {
        let check = Check("ppo");
        check.count("epochs", self.epochs)?;
        check.count("batch", self.batch)?;
        check.share("gamma", self.gamma)?;
        check.share("gae_lambda", self.gae_lambda)?;
        if !(0.0..f32::INFINITY).contains(&self.entropy) {
            return check.wrong("entropy", self.entropy, "use a number of at least 0");
        }
        check.positive("clip", self.clip)?;
        check.positive("learning_rate", self.learning_rate)?;
        check.positive("value_learning_rate", self.value_learning_rate)?;
        check.positive("max_grad_norm", self.max_grad_norm)
    }
}

/// Checks settings of the algorithm with this name.
struct Check(&'static str);

impl Check {
    fn wrong(&self, name: &str, value: impl ToString, remedy: &str) -> Result<()> {
        let place = format!("{}.{name}", self.0);
        Err(Error::invalid(place, value.to_string(), remedy))
    }

    fn count(&self, name: &str, n: usize) -> Result<()> {
        match n {
            0 => self.wrong(name, n, "use at least 1"),
            _ => Ok(()),
        }
    }

    fn positive(&self, name: &str, x: f32) -> Result<()> {
        match x > 0.0 {
            true => Ok(()),
            false => self.wrong(name, x, "use a number above 0"),
        }
    }

    fn share(&self, name: &str, x: f32) -> Result<()> {
        match (0.0..=1.0).contains(&x) {
            true => Ok(()),
            false => self.wrong(name, x, "use a number from 0 to 1"),
        }
    }
}
