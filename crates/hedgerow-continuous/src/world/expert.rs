//! Experts of continuous worlds: a network, a callback, or recorded trajectories.

use super::{Space, WorldSpec};
use crate::net::{Mlp, Scratch};
use crate::select::argmax;
use crate::{Error, Result};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Who shows how to act well under the constraint.
#[derive(Clone, Debug)]
pub enum Expert {
    /// It can be asked anywhere.
    Policy(Arc<dyn Policy>),
    /// It was recorded; elsewhere its action has to be estimated from what it did nearby.
    Data(Arc<Trajectories>),
}

/// Chooses actions.
pub trait Policy: fmt::Debug + Send + Sync {
    /// Writes down the action at an observation.
    fn act(&self, observation: &[f64], action: &mut [f64]) -> Result<()>;
}

/// A policy that is a function.
pub struct Callback<F>(F);

impl<F> Callback<F>
where
    F: Fn(&[f64], &mut [f64]) -> Result<()> + Send + Sync,
{
    /// The policy that calls `act` with an observation and room for the action.
    pub fn new(act: F) -> Self {
        Self(act)
    }
}

impl<F> fmt::Debug for Callback<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Callback")
    }
}

impl<F> Policy for Callback<F>
where
    F: Fn(&[f64], &mut [f64]) -> Result<()> + Send + Sync,
{
    fn act(&self, observation: &[f64], action: &mut [f64]) -> Result<()> {
        (self.0)(observation, action)
    }
}

/// A policy that is a network: from the encoded observation ([`Space::encode`]) to one score per
/// name, of which the largest is chosen, or to one number per coordinate, from -1 to 1 of its range.
#[derive(Debug)]
pub struct NetworkPolicy {
    net: Mlp,
    observation: Space,
    action: Space,
    room: Mutex<(Vec<f32>, Scratch)>,
}

impl NetworkPolicy {
    /// The policy that `net` is in a world.
    pub fn new(net: Mlp, spec: &WorldSpec) -> Result<Self> {
        let wanted = (spec.observation.inputs(), spec.action.inputs());
        if (net.inputs(), net.outputs()) != wanted {
            return Err(Error::invalid(
                "expert",
                format!(
                    "its network takes {} numbers to {}",
                    net.inputs(),
                    net.outputs()
                ),
                format!("use one that takes {} to {}", wanted.0, wanted.1),
            ));
        }
        Ok(Self {
            room: Mutex::new((vec![0.0; wanted.0], Scratch::new(&net))),
            net,
            observation: spec.observation.clone(),
            action: spec.action.clone(),
        })
    }

    /// The network.
    pub fn net(&self) -> &Mlp {
        &self.net
    }
}

impl Policy for NetworkPolicy {
    fn act(&self, observation: &[f64], action: &mut [f64]) -> Result<()> {
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let (inputs, scratch) = &mut *room;
        self.observation.encode(observation, inputs);
        let outputs = self.net.forward(inputs, scratch);
        match &self.action {
            Space::Discrete(_) => action[0] = argmax(outputs) as f64,
            Space::Box(coordinates) => {
                for ((a, c), y) in action.iter_mut().zip(coordinates).zip(outputs) {
                    let share = 0.5 * (f64::from(*y).clamp(-1.0, 1.0) + 1.0);
                    *a = c.low + share * (c.high - c.low);
                }
            }
        }
        Ok(())
    }
}

/// What an expert did in one episode.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Observations, one row per decision and one for the end.
    pub observations: Vec<f64>,
    /// Actions, one row per decision.
    pub actions: Vec<f64>,
    /// Rewards, one per decision.
    pub rewards: Vec<f64>,
    /// Whether the episode ended, rather than being broken off.
    pub ended: bool,
}

/// What an expert did in some episodes, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectories {
    all: Vec<Trajectory>,
}

impl Trajectories {
    /// Episodes in a world with this specification.
    pub fn new(all: Vec<Trajectory>, spec: &WorldSpec) -> Result<Self> {
        if all.iter().all(|t| t.rewards.is_empty()) {
            return Err(Error::invalid(
                "trajectories",
                "there is no decision in them",
                "record at least one episode of the expert",
            ));
        }
        let (width, each) = (spec.observation.len(), spec.action.len());
        for (i, t) in all.iter().enumerate() {
            let n = t.rewards.len();
            let place = || format!("trajectory {i}");
            if t.observations.len() != (n + 1) * width || t.actions.len() != n * each {
                return Err(Error::invalid(
                    place(),
                    format!(
                        "{} numbers of observations and {} of actions for {n} rewards",
                        t.observations.len(),
                        t.actions.len()
                    ),
                    format!(
                        "give {} and {}: one observation more than actions",
                        (n + 1) * width,
                        n * each
                    ),
                ));
            }
            for row in t.observations.chunks_exact(width) {
                let value = spec.observation.check_value("an observation", row);
                value.map_err(|e| e.within(place()))?;
            }
            for row in t.actions.chunks_exact(each) {
                let value = spec.action.check_value("an action", row);
                value.map_err(|e| e.within(place()))?;
            }
            if let Some(r) = t.rewards.iter().find(|r| !r.is_finite()) {
                let problem = format!("a reward is {r}");
                return Err(Error::invalid(place(), problem, "give finite rewards"));
            }
        }
        Ok(Self { all })
    }

    /// All of them.
    pub fn all(&self) -> &[Trajectory] {
        &self.all
    }

    /// Decisions in all of them.
    pub fn decisions(&self) -> usize {
        self.all.iter().map(|t| t.rewards.len()).sum()
    }
}
