//! Continuous worlds of any kind: what a learner can be told of one, and how it is acted in.
//!
//! A [`ContinuousWorld`] has an observation space and an action space ([`Space`]: a box of
//! coordinates, or a choice of names), episodes to act in, an expert, and, where it is known, the
//! true cost. Observations and actions are slices of numbers, as long as [`Space::len`] says; the
//! action of a discrete space is one number, the index of its name.
//!
//! | module | holds |
//! |---|---|
//! | [`space`] | coordinates with names, units and bounds; distances and inputs of networks |
//! | [`expert`] | experts: a network, a callback, or recorded trajectories |
//! | [`vector`] | many copies, stepped together |
//! | [`view`] | how figures show pairs |
//!
//! ```
//! use hedgerow_continuous::Result;
//! use hedgerow_continuous::world::{
//!     Callback, ContinuousWorld, Coordinate, Episodes, Expert, Space, Step, WorldSpec,
//! };
//! use std::sync::Arc;
//!
//! /// A point on a line that earns its distance from 0.
//! #[derive(Debug)]
//! struct Line(WorldSpec);
//!
//! #[derive(Debug)]
//! struct Walk(f64);
//!
//! impl Episodes for Walk {
//!     fn reset(&mut self, observation: &mut [f64]) -> Result<()> {
//!         self.0 = 0.0;
//!         observation[0] = 0.0;
//!         Ok(())
//!     }
//!
//!     fn step(&mut self, action: &[f64], observation: &mut [f64]) -> Result<Step> {
//!         self.0 += action[0];
//!         observation[0] = self.0;
//!         Ok(Step { reward: self.0, ..Step::default() })
//!     }
//! }
//!
//! impl ContinuousWorld for Line {
//!     fn spec(&self) -> &WorldSpec {
//!         &self.0
//!     }
//!
//!     fn version(&self) -> String {
//!         "1".into()
//!     }
//!
//!     fn episodes(&self, _: u64, _: &str) -> Result<Box<dyn Episodes>> {
//!         Ok(Box::new(Walk(0.0)))
//!     }
//!
//!     fn expert(&self) -> Result<Expert> {
//!         // It stops at 1.
//!         let act = |o: &[f64], a: &mut [f64]| {
//!             a[0] = (1.0 - o[0]).clamp(-0.5, 0.5);
//!             Ok(())
//!         };
//!         Ok(Expert::Policy(Arc::new(Callback::new(act))))
//!     }
//!
//!     fn true_cost(&self, observation: &[f64], action: &[f64]) -> Option<f64> {
//!         Some(f64::from(u8::from(observation[0] + action[0] > 1.0)))
//!     }
//! }
//!
//! let line = Line(WorldSpec {
//!     name: "line".into(),
//!     observation: Space::Box(vec![Coordinate::new("x", "m", -10.0, 10.0)]),
//!     action: Space::Box(vec![Coordinate::new("step", "m", -0.5, 0.5)]),
//!     gamma: 0.9,
//!     horizon: 20,
//! });
//! line.spec().check()?;
//! let mut episodes = line.episodes(7, "example")?;
//! let mut observation = [0.0];
//! episodes.reset(&mut observation)?;
//! assert_eq!(episodes.step(&[0.5], &mut observation)?.reward, 0.5);
//! assert_eq!(line.true_cost(&[0.8], &[0.5]), Some(1.0));
//! # Ok::<(), hedgerow_continuous::Error>(())
//! ```

pub mod expert;
pub mod space;
pub mod vector;
pub mod view;

pub use expert::{Callback, Expert, NetworkPolicy, Policy, Trajectories, Trajectory};
pub use space::{Coordinate, Space};
pub use vector::{Copies, VecEpisodes, VecSteps};
pub use view::{Boundary, View};

use crate::{Error, Result};
use std::fmt::Debug;

/// What everybody may know of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSpec {
    /// Its name.
    pub name: String,
    /// What observations are.
    pub observation: Space,
    /// What actions are.
    pub action: Space,
    /// Discount per decision.
    pub gamma: f64,
    /// Most decisions of an episode.
    pub horizon: usize,
}

impl WorldSpec {
    /// Whether it makes sense: a name, spaces with coordinates, a discount in [0, 1), a horizon.
    pub fn check(&self) -> Result<()> {
        let wrong = |problem: String, remedy: &str| {
            Err(Error::invalid(
                format!("world `{}`", self.name),
                problem,
                remedy,
            ))
        };
        if self.name.is_empty() {
            return wrong("it has no name".into(), "name it");
        }
        if !(0.0..1.0).contains(&self.gamma) {
            return wrong(
                format!("its discount is {}", self.gamma),
                "choose one from 0 to below 1",
            );
        }
        if self.horizon == 0 {
            return wrong(
                "its episodes have no decisions".into(),
                "choose a horizon of at least 1",
            );
        }
        self.observation.check("observation")?;
        self.action.check("action")
    }
}

/// What one decision led to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// The reward.
    pub reward: f64,
    /// Whether the episode ended: nothing is earned after it.
    pub ended: bool,
    /// Whether it was broken off, though it could have gone on.
    pub truncated: bool,
    /// The true cost of the decision where it is known. Evaluators read it, learners never see it.
    pub cost: Option<f64>,
}

impl Step {
    /// Whether no step follows, for either reason.
    pub fn done(&self) -> bool {
        self.ended || self.truncated
    }
}

/// One episode after another. [`Self::reset`] comes first; after a step that is done, it comes again.
pub trait Episodes: Debug + Send {
    /// Begins an episode and writes down its first observation.
    fn reset(&mut self, observation: &mut [f64]) -> Result<()>;

    /// Takes an action and writes down the observation after it.
    fn step(&mut self, action: &[f64], observation: &mut [f64]) -> Result<Step>;

    /// A copy that goes on from here by itself, for evaluators; none where there cannot be one.
    fn fork(&self) -> Option<Box<dyn Episodes>> {
        None
    }
}

/// A continuous world. Learners are given its [`WorldSpec`] and samples, and nothing else of it.
pub trait ContinuousWorld: Debug + Send + Sync {
    /// What everybody may know.
    fn spec(&self) -> &WorldSpec;

    /// Tells definitions of a world apart: change it whenever the world changes.
    fn version(&self) -> String;

    /// Episodes whose randomness is determined by a seed and the purpose that they serve.
    fn episodes(&self, seed: u64, purpose: &str) -> Result<Box<dyn Episodes>>;

    /// The expert.
    fn expert(&self) -> Result<Expert>;

    /// The true cost of an action at an observation; none where it is not known.
    fn true_cost(&self, _observation: &[f64], _action: &[f64]) -> Option<f64> {
        None
    }

    /// The two axes on which figures show pairs, and where the true constraint begins on them: those on which
    /// it is seen best. Only files for figures keep it, learners never see it.
    fn view(&self) -> View {
        View::of(self.spec())
    }

    /// Where a pair lies on the axes of [`Self::view`].
    fn place(&self, observation: &[f64], action: &[f64]) -> [f64; 2] {
        view::first_two(observation, action)
    }

    /// Many copies that are stepped together; one [`Episodes`] each, unless the world knows better.
    fn copies(&self, copies: usize, seed: u64) -> Result<Box<dyn VecEpisodes>> {
        let all: Result<Vec<_>> = (0..copies)
            .map(|copy| self.episodes(seed, &format!("copy.{copy}")))
            .collect();
        Ok(Box::new(Copies::new(all?, self.spec())?))
    }
}
