//! Agents in the target task, and how safely they act.

use crate::Result;
use crate::env::{Environment, Simulator, TableSimulator};
use crate::index::Pair;
use crate::model::{Dynamics, Policy};
use crate::solve::{Mdp, value_at_start};
use crate::transfer::TransferSettings;

/// An agent, evaluated in the truth of the task it acts in.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentEvaluation {
    /// What the agent is.
    pub name: String,
    /// Discounted reward from the start.
    pub reward: f64,
    /// Discounted true cost from the start.
    pub cost: f64,
    /// Probability that an episode takes a charged pair before the horizon.
    pub enters: f64,
    /// Expected number of charged steps per episode.
    pub charged_steps: f64,
}

/// Evaluates `policy` in `environment`: discounted values exactly, episodes by propagating the
/// state distribution up to the horizon.
pub fn evaluate(name: &str, environment: &Environment, policy: &Policy) -> Result<AgentEvaluation> {
    let truth = environment.truth();
    let (task, rows) = (environment.task(), truth.model().rows());
    let mdp = Mdp::of(truth.model());
    let paid = mdp.with_reward(truth.cost().values());
    let (mut clean, mut charged) = (vec![0.0; task.states()], vec![0.0; task.states()]);
    for &(s, p) in task.start() {
        clean[s.at()] = p;
    }
    let (mut enters, mut charged_steps) = (0.0, 0.0);
    for _ in 0..environment.horizon() {
        let (mut next_clean, mut next_charged) =
            (vec![0.0; task.states()], vec![0.0; task.states()]);
        for pair in task.all_pairs().filter(|&p| policy.prob(p) > 0.0) {
            let s = task.state_of(pair).at();
            let (mut kept, mut lost) =
                (policy.prob(pair) * clean[s], policy.prob(pair) * charged[s]);
            if truth.cost().at(pair) > 0.0 {
                charged_steps += kept + lost;
                enters += kept;
                lost += std::mem::take(&mut kept);
            }
            let (next, prob) = rows.row(pair);
            for (&to, &p) in next.iter().zip(prob) {
                next_clean[to as usize] += p * kept;
                next_charged[to as usize] += p * lost;
            }
        }
        (clean, charged) = (next_clean, next_charged);
    }
    Ok(AgentEvaluation {
        name: name.to_owned(),
        reward: value_at_start(&mdp, policy)?.value,
        cost: value_at_start(&paid, policy)?.value,
        enters,
        charged_steps,
    })
}

/// Behaviour cloning of the source's expert, in the target: its empirical frequencies in states that
/// demonstrations visit, uniform elsewhere and where the target has no such pair.
pub fn behaviour_clone(
    source: &Environment,
    target: &Environment,
    settings: &TransferSettings,
) -> Result<Policy> {
    let (from, to) = (source.task(), target.task());
    let mut counts = vec![0.0; to.pairs()];
    let mut world = TableSimulator::new(source, settings.seed);
    for _ in 0..settings.demonstrations {
        let mut state = world.reset()?;
        for _ in 0..source.horizon() {
            if from.is_terminal(state) {
                break;
            }
            let pair: Pair = world.ask_expert(state)?;
            if let Some(same) = to.pair(state, from.action_of(pair)) {
                counts[same.at()] += 1.0;
            }
            state = world.step(pair)?.next;
        }
    }
    Ok(crate::solve::policy_of(to, &counts))
}
