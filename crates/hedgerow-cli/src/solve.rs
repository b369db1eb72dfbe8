//! `hedgerow solve`: what the constraint costs the expert.

use crate::environment::Chosen;
use crate::terminal::{print, print_json, significant, table};
use clap::Args;
use hedgerow::Result;
use hedgerow::env::Environment;
use hedgerow::metrics::{Evaluator, PlanIn};
use hedgerow::solve::{Mdp, optimum, sharing_ties};
use serde::Serialize;

/// Reward and cost of the expert and of the unconstrained optimum.
#[derive(Debug, Args)]
pub struct Solve {
    #[command(flatten)]
    chosen: Chosen,
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
}

impl Solve {
    /// Solves and prints.
    pub fn run(&self) -> Result<()> {
        let environment = self.chosen.open()?;
        let report = report(&environment)?;
        if self.json {
            print_json(&report)
        } else {
            print(&report.text())
        }
    }
}

fn report(environment: &Environment) -> Result<Report<'_>> {
    let evaluator = Evaluator::new(environment, PlanIn::Truth)?;
    let mdp = Mdp::of(environment.truth().model());
    let [reward, cost] = evaluator.expert();
    let [mut best, best_cost] = evaluator.values(&sharing_ties(&mdp)?)?;
    // The policy earns what was evaluated; the optimum may be more by what its solve leaves open.
    let most = optimum(&mdp)?.at_start(mdp.task());
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
        let rows = vec![
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
        let header = [
            "policy",
            "discounted reward",
            "error below",
            "discounted cost",
            "error below",
        ];
        format!(
            "{}: {} states, {} pairs, gamma {}, budget {}\n{}",
            self.env,
            self.states,
            self.pairs,
            self.gamma,
            self.budget,
            table(header, 1, rows)
        )
    }
}
