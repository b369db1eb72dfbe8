//! A model pair by pair, in order: nothing is kept but the model itself.

use crate::model::build::check_rows;
use crate::model::{Model, ModelBuilder, RowsBuilder};
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
        let mut task = self.task_of(pairs.pair_start, pairs.action_of, pairs.reward)?;
        let rows = pairs.rows.finish();
        check_rows(&task, &rows)?;
        self.fill_range(&mut task)?;
        Ok(Model::from_parts(task, rows))
    }
}
