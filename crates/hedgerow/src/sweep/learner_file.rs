//! What the learner of a run has seen, as a file to judge and explain from.

use crate::learn::{Inference, Seen};
use crate::run::{Record, Survey};
use crate::sweep::RunId;
use serde::{Deserialize, Serialize};

/// `SEED.learner.json`. Which state and action a pair is, is said in [`super::EnvironmentFile`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnerFile {
    /// `hedgerow-learner/1`.
    pub format: String,
    /// The run.
    #[serde(flatten)]
    pub run: RunId,
    /// How the learner turned what it saw into a cost.
    pub inference: Inference,
    /// What it saw.
    #[serde(flatten)]
    pub seen: Seen,
    /// What it knew of a continuous world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survey: Option<Survey>,
}

impl LearnerFile {
    /// The tag of this format.
    pub const FORMAT: &'static str = "hedgerow-learner/1";

    /// What the learner of a run has seen.
    pub fn new(run: &RunId, inference: Inference, record: &Record) -> Self {
        Self {
            format: Self::FORMAT.to_owned(),
            run: run.clone(),
            inference,
            seen: record.seen.clone(),
            survey: record.survey.clone(),
        }
    }
}
