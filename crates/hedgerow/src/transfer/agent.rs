//! Agents in the target task, and how safe they are.

use crate::Result;
use crate::env::{Environment, Simulator, TableSimulator};
use crate::index::Pair;
use crate::model::{Dynamics, Policy};
use crate::solve::{Mdp, visits};
use crate::transfer::Settings;

/// An agent, judged by the truth of the task it acts in.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// What it is.
    pub name: String,
    /// Discounted reward from the start.
    pub reward: f64,
    /// Discounted true cost from the start.
    pub cost: f64,
    /// Probability that an episode takes a charged pair before the horizon.
    pub enters: f64,
    /// Expected charged steps of an episode.
    pub charged_steps: f64,
}

/// Judges `policy` in `environment`: discounted values exactly, episodes by pushing probability
/// through the horizon.
pub fn judge(name: &str, environment: &Environment, policy: &Policy) -> Result<Agent> {
    let truth = environment.truth();
    let (task, rows) = (environment.task(), truth.model().rows());
    let x = visits(&Mdp::of(truth.model()), policy)?;
    let worth = |f: &[f64]| x.iter().zip(f).map(|(x, f)| x * f).sum();
    let (mut clean, mut stained) = (vec![0.0; task.states()], vec![0.0; task.states()]);
    for &(s, p) in task.start() {
        clean[s.at()] = p;
    }
    let (mut enters, mut charged_steps) = (0.0, 0.0);
    for _ in 0..environment.horizon() {
        let (mut next_clean, mut next_stained) =
            (vec![0.0; task.states()], vec![0.0; task.states()]);
        for pair in task.all_pairs().filter(|&p| policy.prob(p) > 0.0) {
            let s = task.state_of(pair).at();
            let (mut kept, mut lost) =
                (policy.prob(pair) * clean[s], policy.prob(pair) * stained[s]);
            if truth.cost().at(pair) > 0.0 {
                charged_steps += kept + lost;
                enters += kept;
                lost += std::mem::take(&mut kept);
            }
            let (next, prob) = rows.row(pair);
            for (&to, &p) in next.iter().zip(prob) {
                next_clean[to as usize] += p * kept;
                next_stained[to as usize] += p * lost;
            }
        }
        (clean, stained) = (next_clean, next_stained);
    }
    Ok(Agent {
        name: name.to_owned(),
        reward: worth(task.reward()),
        cost: worth(truth.cost().values()),
        enters,
        charged_steps,
    })
}

/// What cloning demonstrations of the source's expert gives in the target: its frequencies where
/// a demonstration came by, all actions alike elsewhere and where the target has no such pair.
pub fn clone_of(source: &Environment, target: &Environment, settings: &Settings) -> Policy {
    let (from, to) = (source.task(), target.task());
    let mut counts = vec![0.0; to.pairs()];
    let mut world = TableSimulator::new(source, settings.seed);
    for _ in 0..settings.demonstrations {
        let mut state = world.reset();
        for _ in 0..source.horizon() {
            if from.is_terminal(state) {
                break;
            }
            let pair: Pair = world.ask_expert(state);
            if let Some(same) = to.pair(state, from.action_of(pair)) {
                counts[same.at()] += 1.0;
            }
            state = world.step(pair);
        }
    }
    crate::solve::policy_of(to, &counts)
}
