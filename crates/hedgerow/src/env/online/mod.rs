//! Worlds that are explored online as black boxes: reset, step, and nothing known beforehand.
//!
//! A [`BlackBox`] is what environments of other programs offer, such as those of Gymnasium whose
//! spaces are discrete: states and actions are numbers, a step says where it led, what it earned and
//! whether the episode ended or was broken off. An [`OnlineWorld`] makes a [`FiniteWorld`] of it, so
//! that [`crate::finite`] and [`crate::verdict`] explore it as any other. Dynamics and rewards are
//! not known, only the range of a step's reward; the start distribution is counted over resets
//! unless it is given.
//!
//! Episodes end with a transition here, and the same state may be entered both ways. So every state
//! `NAME` has a twin `NAME (end)`, which is terminal: twin `s` of `n` states has the index `n + s`.
//!
//! ```
//! use hedgerow::Result;
//! use hedgerow::env::FiniteWorld;
//! use hedgerow::env::online::{BlackBox, Observed, OnlineExpert, OnlineOptions, OnlineWorld};
//! use hedgerow::verdict::{SearchOptions, Verdict, infer};
//! use std::ops::ControlFlow;
//! use std::sync::Arc;
//!
//! /// Five places in a row. `hop` goes two places on, `walk` one; the last one pays 1 and ends.
//! struct Row(usize);
//!
//! impl BlackBox for Row {
//!     fn reset(&mut self, _seed: Option<u64>) -> Result<usize> {
//!         self.0 = 0;
//!         Ok(self.0)
//!     }
//!
//!     fn step(&mut self, action: usize) -> Result<Observed> {
//!         self.0 = (self.0 + 1 + action).min(4);
//!         let last = self.0 == 4;
//!         let reward = f64::from(u8::from(last));
//!         Ok(Observed { state: self.0, reward, terminated: last, truncated: false })
//!     }
//!
//!     /// It could always hop, and does not want to land on 2.
//!     fn expert(&mut self, state: usize) -> Result<usize> {
//!         Ok(usize::from(state != 0))
//!     }
//! }
//!
//! let mut options = OnlineOptions::new("row", 5, ["walk", "hop"]);
//! options.gamma = 0.8;
//! let world = OnlineWorld::new(options, Arc::new(|| Ok(Box::new(Row(0)))))?;
//! assert_eq!(world.task().states(), 10);
//!
//! let search = SearchOptions { samples: Some(100_000), ..SearchOptions::default() };
//! let found = infer(&world, search, &mut |_| ControlFlow::Continue(()))?;
//! let constrained = world.task().all_pairs().filter(|&p| {
//!     found.verdicts.at(p).verdict == Verdict::Constrained
//! });
//! let names: Vec<String> = constrained.map(|p| world.task().pair_name(p)).collect();
//! assert_eq!(names, ["(s0, hop)"]);
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod simulator;
mod world;

pub use world::OnlineWorld;

use crate::Result;
use crate::env::Layout;
use std::sync::Arc;

#[cfg(doc)]
use crate::env::FiniteWorld;

/// A simulation that is known by what it answers only.
pub trait BlackBox: Send {
    /// Starts an episode and tells the state it starts in. With a seed all that follows is drawn
    /// from it.
    fn reset(&mut self, seed: Option<u64>) -> Result<usize>;

    /// Takes an action in the state it is in.
    fn step(&mut self, action: usize) -> Result<Observed>;

    /// The action that the expert takes in `state`, drawn anew whenever it is asked. Never asked
    /// where the expert is given as [`OnlineExpert::Policy`].
    fn expert(&mut self, state: usize) -> Result<usize>;
}

/// What a step of a black box came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// The state it led to.
    pub state: usize,
    /// What it earned. The same state, action, next state and ending have to earn the same.
    pub reward: f64,
    /// Whether it ended the episode: nothing is earned after it.
    pub terminated: bool,
    /// Whether the episode was broken off, at a limit of steps for example.
    pub truncated: bool,
}

/// Makes a new, independent copy of a black box for every simulation.
pub type Factory = Arc<dyn Fn() -> Result<Box<dyn BlackBox>> + Send + Sync>;

/// Who the expert is.
#[derive(Clone, Debug, PartialEq)]
pub enum OnlineExpert {
    /// The probability of every action in every state, state by state. A row of zeros says that the
    /// expert is never met there.
    Policy(Vec<Vec<f64>>),
    /// The black box is asked.
    Ask,
}

/// What has to be said of a black box.
#[derive(Clone, Debug)]
pub struct OnlineOptions {
    /// The name results are filed under.
    pub name: String,
    /// Number of states.
    pub states: usize,
    /// The names of the actions.
    pub actions: Vec<String>,
    /// The names of the states; empty for numbers.
    pub state_names: Vec<String>,
    /// State and action of every pair that can be taken; empty for all actions everywhere.
    pub available: Vec<(usize, usize)>,
    /// The discount.
    pub gamma: f64,
    /// The least and the largest reward of a step.
    pub reward_range: (f64, f64),
    /// The least and the largest discounted return, if they are known: intervals are narrower then.
    pub value_range: Option<(f64, f64)>,
    /// The probability of every state to start in; counted over resets if it is not given.
    pub start: Option<Vec<f64>>,
    /// How many resets to count.
    pub start_samples: usize,
    /// The longest episode, in steps.
    pub horizon: usize,
    /// The seed of those resets.
    pub seed: u64,
    /// Who the expert is.
    pub expert: OnlineExpert,
    /// The true cost of every action in every state, to evaluate with; no learner sees it.
    pub cost: Option<Vec<Vec<f64>>>,
    /// Where the states lie on a grid; a twin lies where its state does.
    pub layout: Option<Layout>,
    /// Tells one definition of the black box from another.
    pub version: String,
}

impl OnlineOptions {
    /// A black box with these states and actions, and for the rest: discount 0.99, rewards from 0 to
    /// 1, starts counted over 1000 resets, episodes of at most 1000 steps, seed 0, an expert that is
    /// asked.
    pub fn new<N: Into<String>>(
        name: impl Into<String>,
        states: usize,
        actions: impl IntoIterator<Item = N>,
    ) -> Self {
        Self {
            name: name.into(),
            states,
            actions: actions.into_iter().map(Into::into).collect(),
            state_names: Vec::new(),
            available: Vec::new(),
            gamma: 0.99,
            reward_range: (0.0, 1.0),
            value_range: None,
            start: None,
            start_samples: 1000,
            horizon: 1000,
            seed: 0,
            expert: OnlineExpert::Ask,
            cost: None,
            layout: None,
            version: String::new(),
        }
    }
}
