//! `hedgerow solve`: what the constraint costs the expert.

use crate::environment::Chosen;
use crate::terminal::{print, print_json, significant, table};
use clap::Args;
use hedgerow::Result;
use hedgerow::constraint::Constraint;
use hedgerow::env::Environment;
use hedgerow::model::Policy;
use hedgerow::solve::{Mdp, Sum, optimum_sharing_ties, value_and_cost};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Reward and cost of the expert, of the unconstrained optimum, and of the best under a constraint.
#[derive(Debug, Args)]
pub struct Solve {
    #[command(flatten)]
    chosen: Chosen,
    /// Also the best policy that keeps to a constraint saved by `infer --out`.
    #[arg(long, value_name = "FILE")]
    under: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    env: &'a str,
    states: usize,
    pairs: usize,
    gamma: f64,
    horizon: usize,
    budget: f64,
    expert_reward: f64,
    expert_reward_error: f64,
    expert_cost: f64,
    expert_cost_error: f64,
    unconstrained_reward: f64,
    unconstrained_reward_error: f64,
    unconstrained_cost: f64,
    unconstrained_cost_error: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    under: Option<Under>,
}

/// The best policy that keeps to a constraint.
#[derive(Serialize)]
struct Under {
    constraint: String,
    forbidden_pairs: usize,
    /// States that the constraint leaves no pair; they keep all of theirs.
    states_without_a_choice: usize,
    reward: f64,
    reward_error: f64,
    cost: f64,
    cost_error: f64,
}

impl Under {
    fn new(environment: &Environment, path: &Path) -> Result<Self> {
        let constraint = Constraint::read(path)?;
        let (allowed, overruled) = constraint
            .allowed(environment.task())
            .map_err(|e| e.within(path.display()))?;
        let mdp = Mdp::of(environment.truth().model()).with_allowed(&allowed);
        let (policy, optimum) = optimum_sharing_ties(&mdp)?;
        let [mut reward, cost] = values(environment, &policy, None)?;
        let most = optimum.at_start(mdp.task());
        reward.error = reward.error.max(most.value + most.error - reward.value);
        Ok(Self {
            constraint: path.display().to_string(),
            forbidden_pairs: allowed.iter().filter(|&&a| !a).count(),
            states_without_a_choice: overruled,
            reward: reward.value,
            reward_error: reward.error,
            cost: cost.value,
            cost_error: cost.error,
        })
    }
}

impl Solve {
    /// Solves and prints.
    pub fn run(&self) -> Result<()> {
        let environment = self.chosen.open()?;
        let report = report(&environment, self.under.as_deref())?;
        if self.json {
            print_json(&report)
        } else {
            print(&report.text())
        }
    }
}

/// Discounted reward and cost of a policy, each certified; an error if one cannot be.
fn values(environment: &Environment, policy: &Policy, warm: Option<&[f64]>) -> Result<[Sum; 2]> {
    let truth = environment.truth();
    value_and_cost(&Mdp::of(truth.model()), truth.cost().values(), policy, warm)
        .map_err(|e| e.within(environment.name()))
}

fn report<'a>(environment: &'a Environment, under: Option<&Path>) -> Result<Report<'a>> {
    let mdp = Mdp::of(environment.truth().model());
    let [reward, cost] = values(environment, environment.truth().expert(), None)?;
    let (policy, optimum) = optimum_sharing_ties(&mdp)?;
    let [mut best, best_cost] = match policy == *environment.truth().expert() {
        true => [reward, cost],
        false => values(environment, &policy, Some(&optimum.values))?,
    };
    // The policy earns what was evaluated; the optimum may be more by what its solve leaves open.
    let most = optimum.at_start(mdp.task());
    best.error = best.error.max(most.value + most.error - best.value);
    let task = environment.task();
    Ok(Report {
        env: environment.name(),
        states: task.states(),
        pairs: task.pairs(),
        gamma: task.gamma(),
        horizon: environment.horizon(),
        budget: environment.truth().budget(),
        expert_reward: reward.value,
        expert_reward_error: reward.error,
        expert_cost: cost.value,
        expert_cost_error: cost.error,
        unconstrained_reward: best.value,
        unconstrained_reward_error: best.error,
        unconstrained_cost: best_cost.value,
        unconstrained_cost_error: best_cost.error,
        under: match under {
            None => None,
            Some(path) => Some(Under::new(environment, path)?),
        },
    })
}

/// A number with the digits that are certain, and the bound on its error.
fn certain(value: f64, error: f64) -> [String; 2] {
    let digits = if error > 0.0 && value != 0.0 {
        (value.abs() / error).log10().floor().clamp(1.0, 15.0) as usize
    } else {
        15
    };
    let bound = match error {
        0.0 => "0".to_owned(),
        _ => format!("{:.0e}", 1.5 * error),
    };
    [significant(value, digits), bound]
}

impl Report<'_> {
    fn text(&self) -> String {
        let row = |who: &str, reward: [String; 2], cost: [String; 2]| {
            let [reward, reward_error] = reward;
            let [cost, cost_error] = cost;
            [who.to_owned(), reward, reward_error, cost, cost_error]
        };
        let mut rows = vec![
            row(
                "expert",
                certain(self.expert_reward, self.expert_reward_error),
                certain(self.expert_cost, self.expert_cost_error),
            ),
            row(
                "unconstrained optimum",
                certain(self.unconstrained_reward, self.unconstrained_reward_error),
                certain(self.unconstrained_cost, self.unconstrained_cost_error),
            ),
        ];
        if let Some(under) = &self.under {
            rows.push(row(
                "under the constraint",
                certain(under.reward, under.reward_error),
                certain(under.cost, under.cost_error),
            ));
        }
        let header = [
            "policy",
            "discounted reward",
            "error below",
            "discounted cost",
            "error below",
        ];
        let note = match &self.under {
            None => String::new(),
            Some(u) => format!(
                "\nThe constraint forbids {} pairs outright.{}\n",
                u.forbidden_pairs,
                match self.budget > 0.0 {
                    true => " It does not carry the soft budget.",
                    false => "",
                }
            ),
        };
        format!(
            "{}: {} states, {} pairs, gamma {}, budget {}\n{}{note}",
            self.env,
            self.states,
            self.pairs,
            self.gamma,
            self.budget,
            table(header, 1, rows)
        )
    }
}
