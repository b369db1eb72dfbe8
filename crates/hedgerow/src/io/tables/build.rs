//! From arrays to an environment.

use super::{Defaults, Tables};
use crate::env::{Environment, HORIZON, Truth};
use crate::io::expert::best_within;
use crate::io::layout::Drawn;
use crate::io::model_file::check_range;
use crate::io::names::Names;
use crate::model::{Compressed, Cost, Model, ModelBuilder, Policy};
use crate::solve::{Mdp, sharing_ties};
use crate::{Error, Result};

impl Tables {
    /// The environment that the arrays describe, called `default_name` unless they have a name.
    ///
    /// Without an expert it is the best policy within the budget of the cost, and without a cost
    /// the best policy there is.
    pub(in crate::io) fn environment(
        mut self,
        default_name: &str,
        defaults: &Defaults,
    ) -> Result<Environment> {
        let gamma = defaults.gamma(self.gamma)?;
        let name = match &self.name {
            Some(name) if crate::env::check_name(name).is_ok() => name.clone(),
            _ => default_name.to_owned(),
        };
        self.add_state_rewards();
        let terminal = self.terminals()?;
        let (action_of, action_names) = self.actions();
        let names = Names::new(&self.state_names, &action_names)?;
        let order = self.order(&action_of, &terminal);
        let (cost, expert) = (self.cost.take(), self.expert.take());
        let kept = |values: Vec<f64>| order.iter().map(|&i| values[i as usize]).collect();
        let layout = self.layout.take();
        let (budget, horizon) = (self.budget.unwrap_or(0.0), self.horizon);
        let arrays = self.arrays(&order, &action_of, &terminal);
        let model = self.model(gamma, action_names, arrays)?;
        check_range(&model)?;
        let task = model.task();
        let (known, cost) = match cost {
            None => (false, Cost::zero(task)),
            Some(cost) => (true, Cost::new(task, kept(cost))?),
        };
        let expert = match expert {
            Some(probs) => Policy::new(task, kept(probs)).map_err(|e| e.within("expert"))?,
            None if known => best_within(&model, &cost, budget)?,
            None => sharing_ties(&Mdp::of(&model))?,
        };
        let charged: Vec<bool> = cost.by_state(task).iter().map(|&c| c > 0.0).collect();
        let drawn = layout
            .map(|l| l.drawn(task, &names, &charged))
            .transpose()?;
        let horizon = horizon.unwrap_or(HORIZON);
        let truth = Truth::new(model, cost, budget, expert)?;
        match drawn {
            None => Environment::new(name, horizon, None, truth),
            Some(Drawn::Grid(layout)) => Environment::new(name, horizon, Some(layout), truth),
            Some(Drawn::Graph(positions)) => {
                Environment::new(name, horizon, None, truth)?.with_positions(positions)
            }
        }
    }

    fn add_state_rewards(&mut self) {
        let Some(by_state) = self.state_reward.take() else {
            return;
        };
        let mut rewards = self.choice_reward.take();
        let rewards = rewards.get_or_insert_with(|| vec![0.0; self.choices()]);
        for (s, of) in self.choice_start.windows(2).enumerate() {
            for reward in &mut rewards[of[0]..of[1]] {
                *reward += by_state[s];
            }
        }
        self.choice_reward = Some(std::mem::take(rewards));
    }

    /// The states that end the episode: those that are marked; where none can be, those without a
    /// choice, and those that cannot be left, earn nothing and are no start.
    fn terminals(&self) -> Result<Vec<bool>> {
        let states = 0..self.states();
        if let Some(marked) = &self.terminal {
            let left = states.clone().find(|&s| marked[s] && !self.stays(s));
            return match left {
                None => Ok(marked.clone()),
                Some(s) => Err(Error::invalid(
                    format!("state {s}"),
                    "it is marked as terminal but can be left or earns something",
                    "give it one choice that leads back to it for nothing, or remove the mark",
                )),
            };
        }
        let mut ends: Vec<bool> = states.map(|s| self.stays(s)).collect();
        for &(s, _) in &self.start {
            if let Some(ends) = ends.get_mut(s) {
                *ends &= self.choice_start[s] == self.choice_start[s + 1];
            }
        }
        Ok(ends)
    }

    /// Whether a state has no choice, or one that leads back to it and earns and costs nothing.
    fn stays(&self, s: usize) -> bool {
        let choices = self.choice_start[s]..self.choice_start[s + 1];
        if choices.len() != 1 {
            return choices.is_empty();
        }
        let choice = choices.start;
        let nothing = |v: &Option<Vec<f64>>, i: usize| v.as_ref().is_none_or(|v| v[i] == 0.0);
        let mut branches = self.branch_start[choice]..self.branch_start[choice + 1];
        nothing(&self.choice_reward, choice)
            && nothing(&self.cost, choice)
            && !branches.is_empty()
            && branches.all(|b| self.target[b] as usize == s && nothing(&self.branch_reward, b))
    }

    /// The choices that are pairs, by state and then by action.
    fn order(&self, action_of: &[u32], terminal: &[bool]) -> Vec<u32> {
        let mut order = Vec::with_capacity(action_of.len());
        for (of, _) in self
            .choice_start
            .windows(2)
            .zip(terminal)
            .filter(|(_, t)| !**t)
        {
            let first = order.len();
            order.extend(of[0] as u32..of[1] as u32);
            order[first..].sort_by_key(|&i| action_of[i as usize]);
        }
        order
    }

    /// The arrays of these choices only, in this order.
    fn arrays(&mut self, order: &[u32], action_of: &[u32], terminal: &[bool]) -> Compressed {
        let mut pair_start = Vec::with_capacity(self.choice_start.len());
        pair_start.push(0);
        let mut pairs = 0;
        for (of, ends) in self.choice_start.windows(2).zip(terminal) {
            pairs += if *ends { 0 } else { (of[1] - of[0]) as u32 };
            pair_start.push(pairs);
        }
        let reward = match &self.choice_reward {
            None => vec![0.0; order.len()],
            Some(reward) => order.iter().map(|&i| reward[i as usize]).collect(),
        };
        let mut arrays = Compressed {
            pair_start,
            action_of: order.iter().map(|&i| action_of[i as usize]).collect(),
            reward,
            row_start: Vec::with_capacity(order.len() + 1),
            next: Vec::with_capacity(self.target.len()),
            prob: Vec::with_capacity(self.prob.len()),
            own: None,
        };
        arrays.row_start.push(0);
        let mut own = self.branch_reward.as_ref().map(|_| Vec::new());
        for &choice in order {
            let row = self.branch_start[choice as usize]..self.branch_start[choice as usize + 1];
            arrays.next.extend_from_slice(&self.target[row.clone()]);
            arrays.prob.extend_from_slice(&self.prob[row.clone()]);
            if let (Some(own), Some(all)) = (&mut own, &self.branch_reward) {
                own.extend_from_slice(&all[row]);
            }
            arrays.row_start.push(arrays.next.len());
        }
        arrays.own = own;
        arrays
    }

    fn model(self, gamma: f64, actions: Vec<String>, arrays: Compressed) -> Result<Model> {
        let mut builder = ModelBuilder::new(self.states(), actions, gamma);
        builder.state_names(self.state_names);
        for &(s, p) in &self.start {
            builder.start(s, p);
        }
        if let Some((low, high)) = self.value_range {
            builder.value_range(low, high);
        }
        builder.build_compressed(arrays)
    }
}
