//! A model straight from arrays: the short way for files of millions of transitions.

use crate::model::build::{check_rows, fill_transition_rewards};
use crate::model::rows_builder::RowsBuilder;
use crate::model::task::RewardRange;
use crate::model::{Model, ModelBuilder, Task};
use crate::{Error, Result};

/// Pairs by state and outcomes by pair, in compressed rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compressed {
    /// Where the pairs of every state begin, and the end; a terminal state has none.
    pub(crate) pair_start: Vec<u32>,
    /// The action of every pair, ascending within a state.
    pub(crate) action_of: Vec<u32>,
    /// What every pair earns.
    pub(crate) reward: Vec<f64>,
    /// Where the outcomes of every pair begin, and the end.
    pub(crate) row_start: Vec<usize>,
    /// The next state of every outcome, in any order.
    pub(crate) next: Vec<u32>,
    /// Its probability.
    pub(crate) prob: Vec<f64>,
    /// What it earns besides its pair, if any outcome does.
    pub(crate) own: Option<Vec<f64>>,
}

impl ModelBuilder {
    /// Validates and builds a model of these pairs and outcomes, in place of those that single calls
    /// would have added. The result is the same.
    pub(crate) fn build_compressed(mut self, mut arrays: Compressed) -> Result<Model> {
        self.check_sizes()?;
        self.check_arrays(&arrays)?;
        arrays.sort();
        let mut task = self.task_of(arrays.pair_start, arrays.action_of, arrays.reward)?;
        let mut rows = RowsBuilder::of_arrays(arrays.row_start, arrays.next, arrays.prob);
        check_rows(&task, &rows)?;
        if let Some(own) = &arrays.own {
            fill_transition_rewards(&mut task, &mut rows, own);
        }
        self.fill_range(&mut task)?;
        Ok(Model::from_parts(task, rows))
    }

    /// The task of pairs in order; a state without any is terminal.
    pub(super) fn task_of(
        &mut self,
        pair_start: Vec<u32>,
        action_of: Vec<u32>,
        reward: Vec<f64>,
    ) -> Result<Task> {
        let ends = |of: &[u32]| of[0] == of[1];
        let terminal: Vec<bool> = pair_start.windows(2).map(ends).collect();
        Ok(Task {
            gamma: self.gamma,
            state_of: states_of(&pair_start),
            pair_start,
            action_of,
            reward,
            start: self.start_distribution(&terminal)?,
            state_names: std::mem::take(&mut self.state_names),
            action_names: self.action_names.clone(),
            transition_rewards: None,
            observed: None,
            range: RewardRange::default(),
        })
    }

    /// Refuses sizes that do not fit and numbers that cannot be.
    fn check_arrays(&self, arrays: &Compressed) -> Result<()> {
        let (pairs, outcomes) = (arrays.action_of.len(), arrays.next.len());
        let own = arrays.own.as_ref().is_none_or(|own| own.len() == outcomes);
        let fits = arrays.pair_start.len() == self.states + 1
            && arrays.reward.len() == pairs
            && arrays.row_start.len() == pairs + 1
            && arrays.prob.len() == outcomes
            && own;
        if !fits || pairs >= u32::MAX as usize {
            return Err(Error::invalid(
                "transitions",
                format!("{pairs} pairs and {outcomes} outcomes that do not fit together"),
                "give every pair its action, reward and outcomes, fewer than 2^32 - 1 in all",
            ));
        }
        for (s, of) in arrays.pair_start.windows(2).enumerate() {
            for pair in of[0] as usize..of[1] as usize {
                self.check_pair(arrays, s, pair)?;
            }
        }
        Ok(())
    }

    fn check_pair(&self, arrays: &Compressed, s: usize, pair: usize) -> Result<()> {
        let a = arrays.action_of[pair];
        let place = || format!("state {s}, action {a}");
        let invalid = |problem: String, remedy: &str| Err(Error::invalid(place(), problem, remedy));
        let reward = arrays.reward[pair];
        if !reward.is_finite() {
            let problem = format!("the reward {reward} is not a finite number");
            return invalid(problem, "use a finite number");
        }
        for i in arrays.row_start[pair]..arrays.row_start[pair + 1] {
            let (next, prob) = (arrays.next[i], arrays.prob[i]);
            if next as usize >= self.states {
                self.state(&place(), next as usize)?;
            }
            if !(prob.is_finite() && prob > 0.0) {
                return invalid(
                    format!("P({next} | {s}, {a}) = {prob} is not a positive finite number"),
                    "leave out impossible transitions and give the others a positive probability",
                );
            }
            let own = arrays.own.as_ref().map_or(0.0, |own| own[i]);
            if !own.is_finite() {
                let problem = format!("r({s}, {a}, {next}) = {own} is not a finite number");
                return invalid(problem, "use a finite number");
            }
        }
        Ok(())
    }
}

impl Compressed {
    /// Next states ascending within each row, those listed several times put together.
    fn sort(&mut self) {
        let ascending = |row: &[u32]| row.windows(2).all(|w| w[0] < w[1]);
        let mut rows = self.row_start.windows(2);
        if rows.all(|of| ascending(&self.next[of[0]..of[1]])) {
            return;
        }
        let mut own = self.own.take();
        let mut row: Vec<(u32, f64, f64)> = Vec::new();
        let (mut kept, mut begin) = (0, self.row_start[0]);
        for end in self.row_start.iter_mut().skip(1) {
            row.clear();
            for i in begin..*end {
                let earned = own.as_ref().map_or(0.0, |own| own[i]);
                row.push((self.next[i], self.prob[i], earned));
            }
            row.sort_by_key(|outcome| outcome.0);
            row.dedup_by(|from, into| {
                let same = from.0 == into.0;
                if same {
                    let prob = into.1 + from.1;
                    if into.2 != from.2 {
                        into.2 = (into.1 * into.2 + from.1 * from.2) / prob;
                    }
                    into.1 = prob;
                }
                same
            });
            for &(next, prob, earned) in &row {
                (self.next[kept], self.prob[kept]) = (next, prob);
                if let Some(own) = &mut own {
                    own[kept] = earned;
                }
                kept += 1;
            }
            begin = std::mem::replace(end, kept);
        }
        self.next.truncate(kept);
        self.prob.truncate(kept);
        if let Some(own) = &mut own {
            own.truncate(kept);
        }
        self.own = own;
    }
}

/// The state of every pair.
pub(super) fn states_of(pair_start: &[u32]) -> Vec<u32> {
    let mut of = Vec::with_capacity(pair_start.last().map_or(0, |&n| n as usize));
    for (s, pairs) in pair_start.windows(2).enumerate() {
        of.resize(pairs[1] as usize, s as u32);
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_give_the_model_that_single_calls_give() -> Result<()> {
        let builder = || {
            let mut b = ModelBuilder::new(3, ["a", "b"], 0.9);
            b.start(0, 1.0);
            b
        };
        let mut single = builder();
        single.terminal(2).reward(0, 1, 0.5);
        single.outcome((0, 0), 2, 0.5, 1.0, false);
        single.outcome((0, 0), 1, 0.25, 3.0, false);
        single.outcome((0, 0), 2, 0.25, 4.0, false);
        single
            .transition(0, 1, 1, 1.0)
            .outcome((1, 1), 2, 1.0, 2.0, false);
        let arrays = Compressed {
            pair_start: vec![0, 2, 3, 3],
            action_of: vec![0, 1, 1],
            reward: vec![0.0, 0.5, 0.0],
            row_start: vec![0, 3, 4, 5],
            next: vec![2, 1, 2, 1, 2],
            prob: vec![0.5, 0.25, 0.25, 1.0, 1.0],
            own: Some(vec![1.0, 3.0, 4.0, 0.0, 2.0]),
        };
        assert_eq!(builder().build_compressed(arrays)?, single.build()?);
        Ok(())
    }
}
