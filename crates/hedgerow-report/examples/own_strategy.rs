//! A strategy of one's own in a sweep with built-in ones, and a report of all of them:
//! `cargo run --release --example own_strategy -- FOLDER`.

use hedgerow::domain::Domains;
use hedgerow::explore::plan::{
    best_sharing_ties, estimated, lookahead, optimistic, planning_gamma,
};
use hedgerow::explore::{Context, Plan, Strategy, StrategyEntry, StrategyInfo};
use hedgerow::finite::FiniteDomain;
use hedgerow::param::Parameter;
use hedgerow::results::Results;
use hedgerow::solve::Start;
use hedgerow::sweep::{Experiment, Silent, Sweep, SweepOutcome};
use hedgerow::{Error, Result, io};
use hedgerow_report::{Reports, page};
use std::path::Path;

const PARAMETERS: &[Parameter] = &[lookahead(3.0)];

const INFO: StrategyInfo = StrategyInfo {
    name: "rarest",
    summary: "go where pairs were tried least",
    parameters: PARAMETERS,
};

/// Plans in the estimated model with the bonus `1 / N(s,a)`; pairs never tried are optimistic.
struct Rarest {
    lookahead: f64,
    warm: Start,
}

impl Strategy for Rarest {
    fn plan(&mut self, at: &Context) -> Result<Plan> {
        let task = at.learner.task();
        let gamma = planning_gamma(task.gamma(), self.lookahead);
        let visits = |pair| f64::from(at.learner.estimate().visits(pair));
        let bonus = optimistic(task, gamma, |pair| 1.0 / visits(pair));
        let mdp = estimated(at.learner, &bonus, gamma);
        Ok(Plan::follow(best_sharing_ties(&mdp, &mut self.warm)))
    }
}

/// Compares the strategy with two built-in ones and writes a page; returns how the sweep ended.
pub fn compare(folder: &Path, seeds: &[u64], iterations: u32) -> Result<SweepOutcome> {
    let rarest = StrategyEntry::new(INFO, |values| {
        Box::new(Rarest {
            lookahead: values.number("lookahead"),
            warm: Start::default(),
        })
    });
    let domain = FiniteDomain::default().with_strategy(rarest)?;
    let mut experiment = Experiment::new(Domains::new(domain));
    experiment.set_environments(["gridworld-3"])?;
    experiment.set_strategies(["rarest", "bear", "random"])?;
    experiment.set_seeds(seeds.to_vec())?;
    experiment.set("iterations", &iterations.to_string())?;
    experiment.set("rarest.lookahead", "2")?;
    let outcome = Sweep::open(&experiment, folder)?.run(&Silent, &Default::default())?;
    let page = page::html(&Results::read(folder)?, &Reports::default(), None)?;
    io::write_atomic(&folder.join("report.html"), page.as_bytes())?;
    Ok(outcome)
}

#[allow(dead_code, reason = "tests include this file")]
fn main() -> Result<()> {
    let folder = std::env::args()
        .nth(1)
        .ok_or_else(|| Error::invalid("own_strategy", "no folder", "name one for the results"))?;
    for row in compare(Path::new(&folder), &[0, 1, 2, 3, 4], 200)?.summary {
        println!(
            "{:8} {:?} samples to expert",
            row.strategy, row.samples_to_expert
        );
    }
    println!("{folder}/report.html shows more");
    Ok(())
}
