//! A model pair by pair, in order: nothing is kept but the model itself.

use crate::model::build::check_rows;
use crate::model::compressed::states_of;
use crate::model::task::RewardRange;
use crate::model::{Model, ModelBuilder, RowsBuilder, Task};
use crate::{Error, Result};

/// Pairs in the order of their states and actions.
#[derive(Clone, Debug)]
pub(crate) struct Streamed {
    pair_start: Vec<u32>,
    action_of: Vec<u32>,
    reward: Vec<f64>,
    rows: RowsBuilder,
}

impl Streamed {
    /// Room for `states` states with `pairs` pairs in all.
    pub(crate) fn with_capacity(states: usize, pairs: usize) -> Self {
        let mut pair_start = Vec::with_capacity(states + 1);
        pair_start.push(0);
        Self {
            pair_start,
            action_of: Vec::with_capacity(pairs),
            reward: Vec::with_capacity(pairs),
            rows: RowsBuilder::new(),
        }
    }

    /// Adds a pair of the present state: its action, larger than those before it, its reward, and
    /// its next states, ascending, with positive probabilities.
    pub(crate) fn pair(&mut self, action: usize, reward: f64, next: &[u32], prob: &[f64]) {
        self.action_of.push(action as u32);
        self.reward.push(reward);
        self.rows.push(next, prob);
    }

    /// Goes on to the next state. One without pairs is terminal.
    pub(crate) fn end_state(&mut self) {
        self.pair_start.push(self.action_of.len() as u32);
    }
}

impl ModelBuilder {
    /// Validates and builds a model of these pairs, in place of those that single calls would have
    /// added. The result is the same.
    pub(crate) fn build_streamed(mut self, pairs: Streamed) -> Result<Model> {
        self.check_sizes()?;
        if pairs.action_of.len() >= u32::MAX as usize {
            return Err(Error::invalid(
                "transitions",
                format!("{} pairs", pairs.action_of.len()),
                "a model has fewer than 2^32 - 1 pairs",
            ));
        }
        let ends = |of: &[u32]| of[0] == of[1];
        let terminal: Vec<bool> = pairs.pair_start.windows(2).map(ends).collect();
        let mut task = Task {
            gamma: self.gamma,
            state_of: states_of(&pairs.pair_start),
            pair_start: pairs.pair_start,
            action_of: pairs.action_of,
            reward: pairs.reward,
            start: self.start_distribution(&terminal)?,
            state_names: std::mem::take(&mut self.state_names),
            action_names: std::mem::take(&mut self.action_names),
            transition_rewards: None,
            observed: None,
            range: RewardRange::default(),
        };
        let rows = pairs.rows.finish();
        check_rows(&task, &rows)?;
        self.fill_range(&mut task)?;
        Ok(Model::from_parts(task, rows))
    }
}
