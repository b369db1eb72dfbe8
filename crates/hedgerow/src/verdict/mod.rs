//! Verdicts: which pairs are constrained, taken by the expert, without gain, or not decided yet.
//!
//! A pair is constrained if it earns more than the expert does, `A_E(s,a) > 0`, and the expert
//! avoids it; taken if the expert was seen to take it; and there is nothing to gain if it earns no
//! more than the expert. [`Intervals`] hold `A_E` of all pairs
//! at all times with the promised probability; a verdict is given when the interval leaves no
//! doubt, and never before. It rests on nothing but the data, the known rewards and the stated
//! [`Assume`]d behaviour of the expert.
//!
//! Verdicts from samples that are already there, such as records of transitions and demonstrations;
//! [`infer`] explores for them.
//!
//! ```
//! use hedgerow::index::{Pair, State};
//! use hedgerow::io::records::Records;
//! use hedgerow::learn::{Inference, Learner};
//! use hedgerow::model::ModelBuilder;
//! use hedgerow::verdict::{Criteria, Verdict, Verdicts};
//! use std::sync::Arc;
//!
//! // In state 0, `short` earns 1 and `long` 0.5; both were seen to end the episode.
//! let mut b = ModelBuilder::new(2, ["short", "long"], 0.9);
//! b.start(0, 1.0).terminal(1);
//! b.reward(0, 0, 1.0).reward(0, 1, 0.5);
//! let task = Arc::new(b.build_task()?);
//!
//! // 300 times each; `Records::read` takes them from a file.
//! let (short, long, end) = (Pair(0), Pair(1), State(1));
//! let records = Records {
//!     transitions: [(short, end), (long, end)].repeat(300),
//!     choices: vec![long; 300],
//!     ..Records::default()
//! };
//! let mut learner = Learner::new(task, Inference::default());
//! records.feed(&mut learner);
//!
//! let verdicts = Verdicts::of(&learner, &Criteria::default());
//! assert_eq!(verdicts.at(short).verdict, Verdict::Constrained);
//! assert_eq!(verdicts.at(long).verdict, Verdict::Taken);
//! // The advantage of `short` over the expert is 0.5, and surely positive.
//! assert!(0.0 < verdicts.at(short).low && verdicts.at(short).high < 1.0);
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod certificate;
mod classes;
mod confidence;
mod criteria;
mod excess;
mod guess;
mod infer;
mod informed;
mod intervals;
mod knowledge;
mod need;
mod table;

pub use classes::{ClassVerdict, Classes, Count};
pub use confidence::{greatest_mean, least_mean, radius};
pub use criteria::{Assume, Criteria, CriteriaParams, Scope};
pub use excess::{Explained, Goal};
pub use guess::looks_constrained;
pub use infer::{Inferred, Milestone, SearchOptions, infer};
pub use intervals::Intervals;
pub use knowledge::{Know, Knowledge};
pub use table::{PairVerdict, Verdict, Verdicts, on_states};
