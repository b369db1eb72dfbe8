//! `hedgerow transfer`: a constraint inferred in one environment, kept in another.

use crate::infer::Search;
use crate::terminal::{number, print, print_json, table};
use clap::{Args, ValueEnum};
use hedgerow::constraint::{Constraint, Method};
use hedgerow::costset::canonical;
use hedgerow::env::Environment;
use hedgerow::index::Pair;
use hedgerow::io;
use hedgerow::run::Stop;
use hedgerow::transfer::{
    Carried, Transfer as Transferred, TransferSettings, same_states, transfer, transfer_saved,
};
use hedgerow::verdict::Verdict;
use hedgerow::{Error, Result};
use serde::Serialize;
use std::path::Path;

/// Only the proportions of a cost can be inferred.
const COST_MAX: f64 = 1.0;

/// Keep a constraint inferred in one environment in another one.
#[derive(Debug, Args)]
pub struct Transfer {
    /// Where the constraint is inferred: with known dynamics, or by exploring. Or a constraint saved
    /// by `infer --out`.
    from: String,
    /// Where it is kept: the same states and actions, another goal, start, reward or slip.
    to: String,
    /// What is carried: forbidden cells, or forbidden state-action pairs.
    #[arg(long = "as", value_enum, default_value_t = As::Cells)]
    carry: As,
    /// Infer by exploring, and carry what is surely constrained.
    #[arg(long)]
    explore: bool,
    #[command(flatten)]
    search: Search,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum As {
    Cells,
    Pairs,
}

#[derive(Serialize)]
struct Report {
    from: String,
    to: String,
    carried_as: &'static str,
    explored: bool,
    forbidden_pairs: usize,
    states_without_a_choice: usize,
    agents: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shared: Option<Shared>,
}

#[derive(Serialize)]
struct Row {
    agent: String,
    reward: f64,
    cost: f64,
    enters: f64,
    charged_steps: f64,
}

/// What explains both experts.
#[derive(Serialize)]
struct Shared {
    conflicts: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forced: Option<Vec<String>>,
}

impl Transfer {
    /// Transfers and prints.
    pub fn run(&self) -> Result<()> {
        let saved = Path::new(&self.from);
        let report = if Constraint::is_file(saved) {
            crate::domains::require_finite(&self.to)?;
            self.of_saved(saved, &io::open(&self.to)?)?
        } else {
            for env in [&self.from, &self.to] {
                crate::domains::require_finite(env)?;
            }
            self.report(&io::open(&self.from)?, &io::open(&self.to)?)?
        };
        if self.json {
            print_json(&report)
        } else {
            print(&report.text())
        }
    }

    fn report(&self, from: &Environment, to: &Environment) -> Result<Report> {
        // Two worlds are refused before a long search in the first.
        same_states(from, to)?;
        let constraint = match self.explore {
            true => self.explored(from)?,
            false => self.exact(from)?,
        };
        let found = transfer(from, &constraint, to, &TransferSettings::default())?;
        Ok(self.told(from.name(), to, found, self.explore))
    }

    /// What becomes of a saved constraint.
    fn of_saved(&self, path: &Path, to: &Environment) -> Result<Report> {
        let constraint = Constraint::read(path)?;
        let as_cells = matches!(self.carry, As::Cells);
        let found =
            transfer_saved(&constraint, as_cells, to).map_err(|e| e.within(path.display()))?;
        let explored = constraint.source.method != Method::Exact;
        Ok(self.told(&constraint.env, to, found, explored))
    }

    fn told(&self, from: &str, to: &Environment, found: Transferred, explored: bool) -> Report {
        let name = |pair: Pair| to.task().pair_name(pair);
        Report {
            from: from.to_owned(),
            to: to.name().to_owned(),
            carried_as: match self.carry {
                As::Cells => "cells",
                As::Pairs => "pairs",
            },
            explored,
            forbidden_pairs: found.forbidden,
            states_without_a_choice: found.overruled,
            agents: found
                .agents
                .into_iter()
                .map(|a| Row {
                    agent: a.name,
                    reward: a.reward,
                    cost: a.cost,
                    enters: a.enters,
                    charged_steps: a.charged_steps,
                })
                .collect(),
            shared: found.shared.map(|s| Shared {
                conflicts: s.conflicts.iter().map(|c| name(c.pair)).collect(),
                forced: s.forced.map(|f| f.into_iter().map(name).collect()),
            }),
        }
    }
}

impl Transfer {
    /// What follows from the true dynamics and the expert's policy.
    fn exact(&self, from: &Environment) -> Result<Carried> {
        let truth = from.truth();
        let cost = canonical(truth.model(), truth.expert(), COST_MAX)?;
        Ok(match self.carry {
            As::Cells => Carried::cells(from, &cost)?,
            As::Pairs => Carried::pairs(&cost),
        })
    }

    /// What exploring leaves no doubt about.
    fn explored(&self, from: &Environment) -> Result<Carried> {
        let found = self.search.run(from, None)?;
        if found.stop != Stop::Decided {
            let open = found.verdicts.open(from.task()).count();
            let problem = format!("the search ended with {open} pairs open");
            let remedy = "raise --samples or --margin, or leave --explore out";
            return Err(Error::invalid(from.name(), problem, remedy));
        }
        let is_constrained = |v: Verdict| v == Verdict::Constrained;
        let on_states = found.verdicts.on_states(&found.learner);
        Ok(match self.carry {
            As::Cells => Carried::Cells(on_states.into_iter().map(is_constrained).collect()),
            As::Pairs => {
                let findings = found.verdicts.all().iter();
                Carried::Pairs(findings.map(|f| is_constrained(f.verdict)).collect())
            }
        })
    }
}

impl Report {
    fn text(&self) -> String {
        let rows = self.agents.iter().map(|a| {
            let numbers = [a.reward, a.cost, a.enters, a.charged_steps].map(number);
            let [reward, cost, enters, steps] = numbers;
            [a.agent.clone(), reward, cost, enters, steps]
        });
        let header = [
            "agent",
            "discounted reward",
            "discounted cost",
            "enters",
            "charged steps",
        ];
        let mut text = format!(
            "{} to {}: {} pairs forbidden, carried as {}\n{}",
            self.from,
            self.to,
            self.forbidden_pairs,
            self.carried_as,
            table(header, 1, rows)
        );
        if self.states_without_a_choice > 0 {
            text.push_str(&format!(
                "\n{} states were left no pair and keep all of theirs\n",
                self.states_without_a_choice
            ));
        }
        text.push_str(&match &self.shared {
            None => "\nThe source's expert is not known here, or the two tasks offer other pairs or other kinds of constraint: no common cost is looked for.\n".to_owned(),
            Some(s) if !s.conflicts.is_empty() => format!(
                "\nNo cost explains both experts. They conflict at {}\n",
                s.conflicts.join(", ")
            ),
            Some(s) => match &s.forced {
                Some(f) => format!(
                    "\nA common cost explains both experts; it has to charge {} pairs.\n",
                    f.len()
                ),
                None => "\nA common cost explains both experts.\n".to_owned(),
            },
        });
        text
    }
}
