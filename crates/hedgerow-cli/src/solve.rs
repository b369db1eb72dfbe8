//! `hedgerow solve`: what the constraint costs the expert.

use crate::environment::Chosen;
use crate::terminal::{number, print, print_json, table};
use clap::Args;
use hedgerow::Result;
use hedgerow::env::Environment;
use hedgerow::metrics::{Evaluator, PlanIn};
use hedgerow::solve::{Mdp, sharing_ties};
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
    expert_cost: f64,
    unconstrained_reward: f64,
    unconstrained_cost: f64,
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
    let best = sharing_ties(&Mdp::of(environment.truth().model()))?;
    let (unconstrained_reward, unconstrained_cost) = evaluator.values(&best);
    let task = environment.task();
    Ok(Report {
        env: environment.name(),
        states: task.states(),
        pairs: task.pairs(),
        gamma: task.gamma(),
        horizon: environment.horizon(),
        budget: environment.truth().budget(),
        expert_reward: evaluator.expert_reward(),
        expert_cost: evaluator.expert_cost(),
        unconstrained_reward,
        unconstrained_cost,
    })
}

impl Report<'_> {
    fn text(&self) -> String {
        let row = |who: &str, reward, cost| [who.to_owned(), number(reward), number(cost)];
        let rows = vec![
            row("expert", self.expert_reward, self.expert_cost),
            row(
                "unconstrained optimum",
                self.unconstrained_reward,
                self.unconstrained_cost,
            ),
        ];
        format!(
            "{}: {} states, {} pairs, gamma {}, budget {}\n{}",
            self.env,
            self.states,
            self.pairs,
            self.gamma,
            self.budget,
            table(["policy", "discounted reward", "discounted cost"], 1, rows)
        )
    }
}
