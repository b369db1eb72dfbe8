//! Episodes of a given length, with the time in the state.

use crate::index::Pair;
use crate::model::{Dynamics, Model, ModelBuilder};
use crate::{Error, Result};

/// Most states of a model with time.
const MOST: usize = 10_000_000;

impl Model {
    /// The same model with episodes of at most `horizon` steps: what to do may then depend on how many
    /// are left.
    ///
    /// State `s` after `t` steps is state `t S + s`, where `S` counts the states, and the last step ends the episode whatever it
    /// leads to. So everything that is computed of a model is computed of its finite-horizon form.
    /// Actions, rewards and discount stay as they are; the discount is below 1, and one near 1
    /// weighs all steps alike.
    ///
    /// ```
    /// use hedgerow::model::ModelBuilder;
    ///
    /// let mut b = ModelBuilder::new(1, ["stay"], 0.999);
    /// b.start(0, 1.0).transition(0, 0, 0, 1.0).reward(0, 0, 1.0);
    /// let three_steps = b.build()?.with_time(3)?;
    /// assert_eq!(three_steps.task().states(), 4);
    /// assert_eq!(three_steps.task().state_name(hedgerow::index::State(2)), "s0 after 2");
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn with_time(&self, horizon: usize) -> Result<Self> {
        let task = self.task();
        let each = task.states();
        let states = each.checked_mul(horizon).filter(|&n| n > 0 && n < MOST);
        let Some(states) = states else {
            return Err(Error::invalid(
                "horizon",
                format!("{horizon} steps of {each} states"),
                "use at least one step, and fewer than 10 million states in all",
            ));
        };
        let actions = task.action_names().to_vec();
        let mut b = ModelBuilder::new(states + 1, actions, task.gamma());
        let mut names: Vec<String> = Vec::with_capacity(states + 1);
        for time in 0..horizon {
            let named = |s| format!("{} after {time}", task.state_name(s));
            names.extend(task.all_states().map(named));
        }
        names.push("end".to_owned());
        b.state_names(names).terminal(states);
        for &(s, p) in task.start() {
            b.start(s.at(), p);
        }
        for time in 0..horizon {
            let first = time * each;
            for s in task.all_states().filter(|&s| task.is_terminal(s)) {
                b.terminal(first + s.at());
            }
            for pair in task.all_pairs() {
                let next = (time + 1 < horizon).then_some(first + each);
                self.step(&mut b, pair, first, next.unwrap_or(states), next.is_none());
            }
        }
        if let Some((low, high)) = task.declared_range() {
            b.value_range(low, high);
        }
        b.build()
    }

    /// The transitions of `pair` from the layer of states at `first` to that at `next`, or to the
    /// one state there if they are the `last`.
    fn step(&self, b: &mut ModelBuilder, pair: Pair, first: usize, next: usize, last: bool) {
        let task = self.task();
        let (s, a) = (first + task.state_of(pair).at(), task.action_of(pair).at());
        let (to, prob) = self.rows().row(pair);
        b.reward(s, a, task.reward()[pair.at()]);
        if last {
            // All outcomes are one, which earns what they earn on average.
            let own = self.reward()[pair.at()] - task.reward()[pair.at()];
            b.outcome((s, a), next, 1.0, own, false);
            return;
        }
        for (&to, &p) in to.iter().zip(prob) {
            let own = self.rows().reward_of(task, pair, crate::index::State(to));
            let own = own - task.reward()[pair.at()];
            b.outcome((s, a), next + to as usize, p, own, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Policy;
    use crate::solve::{Limits, Mdp, evaluate_exact, modified_policy_iteration};

    /// In 0 `work` earns 1 and `climb` leads to 1 half of the time; 1 earns 3 and goes back to 0,
    /// and on the way down another 1.
    fn hill() -> Result<Model> {
        let mut b = ModelBuilder::new(2, ["work", "climb"], 0.5);
        b.start(0, 1.0);
        b.transition(0, 0, 0, 1.0).reward(0, 0, 1.0);
        b.transition(0, 1, 0, 0.5).transition(0, 1, 1, 0.5);
        b.reward(1, 0, 3.0).outcome((1, 0), 0, 1.0, 1.0, false);
        b.build()
    }

    #[test]
    fn backward_induction_by_hand() -> Result<()> {
        let model = hill()?.with_time(3)?;
        let mdp = Mdp::of(&model);
        let best = modified_policy_iteration(&mdp, &Limits::default(), None);
        let best = best.solution().map(|v| v.values).unwrap_or_default();
        // One step left: work earns 1, and 4 is earned in 1. Two left: 1 + 1/2 or (1 + 4) / 4; in 1
        // 4 + 1/2. Three left: work earns 1 + 3/4, climbing (3/2 + 9/2) / 4 = 3/2; in 1 4 + 3/4.
        let hand = [1.75, 4.75, 1.5, 4.5, 1.0, 4.0, 0.0];
        for (v, h) in best.iter().zip(hand) {
            assert!((v - h).abs() < 1e-9, "{best:?}");
        }
        assert_eq!(best.len(), hand.len());
        // The policy that always climbs, by hand: 0, then 4/4, then (1 + 4) / 4.
        let task = model.task();
        let climbs = |p: Pair| {
            let only = task.pairs_of(task.state_of(p)).len() == 1;
            f64::from(u8::from(only || task.action_of(p).at() == 1))
        };
        let climbs = Policy::new(task, task.all_pairs().map(climbs).collect())?;
        let values = evaluate_exact(&mdp, &climbs)?.values;
        assert_eq!([values[4], values[2], values[0]], [0.0, 1.0, 1.25]);
        Ok(())
    }

    #[test]
    fn a_horizon_of_nothing_and_one_without_end_are_refused() -> Result<()> {
        for horizon in [0, usize::MAX, MOST] {
            let refused = hill()?.with_time(horizon).err().map(|e| e.to_string());
            let refused = refused.unwrap_or_default();
            assert!(refused.starts_with("horizon: "), "{refused}");
        }
        Ok(())
    }
}
