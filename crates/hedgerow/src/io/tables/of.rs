//! From an environment to arrays.

use super::Tables;
use crate::env::Environment;
use crate::index::Pair;
use crate::model::Dynamics;

impl Tables {
    /// The arrays of an environment: a choice for every pair, and one for every terminal state that
    /// stays there. The drawing is left out.
    pub(in crate::io) fn of(environment: &Environment) -> Self {
        let (task, truth) = (environment.task(), environment.truth());
        let choices = task.pairs() + task.all_states().filter(|&s| task.is_terminal(s)).count();
        let mut tables = Self::known(environment);
        let mut action_of = Vec::with_capacity(choices);
        let [mut reward, mut cost, mut expert] = [(); 3].map(|()| Vec::with_capacity(choices));
        let mut own = task.has_transition_rewards().then(Vec::new);
        tables.choice_start.push(0);
        tables.branch_start.push(0);
        for state in task.all_states() {
            for pair in task.pairs_of(state).map(Pair::new) {
                let (next, prob) = truth.model().rows().row(pair);
                tables.target.extend_from_slice(next);
                tables.prob.extend_from_slice(prob);
                if let Some(own) = &mut own {
                    own.extend_from_slice(task.transition_rewards(pair).1);
                    own.resize(tables.target.len(), 0.0);
                }
                tables.branch_start.push(tables.target.len());
                action_of.push(task.action_of(pair).0);
                reward.push(task.reward()[pair.at()]);
                cost.push(truth.cost().at(pair));
                expert.push(truth.expert().prob(pair));
            }
            if task.is_terminal(state) {
                tables.target.push(state.0);
                tables.prob.push(1.0);
                own.iter_mut().for_each(|own| own.push(0.0));
                tables.branch_start.push(tables.target.len());
                action_of.push(0);
                reward.push(0.0);
                cost.push(0.0);
                expert.push(1.0);
            }
            tables.choice_start.push(action_of.len());
        }
        tables.action_of = Some(action_of);
        tables.choice_reward = Some(reward);
        tables.branch_reward = own;
        // No cost at all says that the truth is not known.
        tables.cost = (truth.cost().support() > 0).then_some(cost);
        tables.expert = Some(expert);
        tables
    }

    /// What is not in arrays of choices and branches.
    fn known(environment: &Environment) -> Self {
        let (task, truth) = (environment.task(), environment.truth());
        let start = task.start().iter();
        Self {
            action_names: task.action_names().to_vec(),
            state_names: task.state_names().to_vec(),
            start: start.map(|&(s, p)| (s.at(), p)).collect(),
            terminal: Some(task.all_states().map(|s| task.is_terminal(s)).collect()),
            name: Some(environment.name().to_owned()),
            gamma: Some(task.gamma()),
            horizon: Some(environment.horizon()),
            budget: Some(truth.budget()),
            value_range: task.declared_range(),
            ..Self::default()
        }
    }
}
