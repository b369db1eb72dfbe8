//! The constraint that explains the expert, with known dynamics.

use crate::environment::charged_cells;
use crate::terminal::{number, print, print_json, table};
use hedgerow::Result;
use hedgerow::constraint::{ClassFound, Constraint, ConstraintPair};
use hedgerow::costset::{CostSet, Rule, on_cells};
use hedgerow::env::{Environment, Layout};
use hedgerow::index::Pair;
use hedgerow::metrics::overlap;
use hedgerow::model::{Cost, entered};
use hedgerow::rules;
use hedgerow::verdict::{Scope, Verdict};
use serde::Serialize;

/// Pairs listed on the terminal; `--json` has them all.
const LISTED: usize = 20;

#[derive(Serialize)]
struct Report {
    env: String,
    exact: bool,
    scope: Scope,
    /// Pairs that would pay in states that the expert never visits: no verdict.
    left_out: usize,
    budget: f64,
    /// `None` where the true cost is not known.
    wgiou: Option<f64>,
    giou: Option<f64>,
    iou: Option<f64>,
    /// What is known of the true cost as an explanation of the expert.
    #[serde(skip_serializing_if = "Option::is_none")]
    true_cost: Option<TrueCost>,
    constrained_pairs: usize,
    /// `[row, column]`, sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<Vec<[usize; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    true_cells: Option<Vec<[usize; 2]>>,
    /// Indices of the states it costs to enter, where there are no cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    constrained_states: Option<Vec<usize>>,
    /// What the constrained pairs have in common.
    rules: Vec<rules::Rule>,
    /// Constrained pairs that no rule covers.
    unruled: usize,
    /// Classes of pairs, if any were declared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    classes: Vec<ClassFound>,
    pairs: Vec<Charged>,
    #[serde(skip)]
    drawing: Option<String>,
    #[serde(skip)]
    in_short: String,
}

/// The true cost, held to the set of costs that explain the expert.
#[derive(Serialize)]
struct TrueCost {
    /// What the expert spends from the start.
    spent: f64,
    /// `None`: the expert is optimal under it; else why not.
    optimality: Option<String>,
    /// `None`: it keeps the three conditions in every state; else the first that it breaks.
    conditions: Option<String>,
}

impl TrueCost {
    fn new(environment: &Environment) -> Result<Option<Self>> {
        let (task, truth) = (environment.task(), environment.truth());
        let cost = truth.cost().values();
        let largest = cost.iter().copied().fold(0.0, f64::max);
        if largest <= 0.0 {
            return Ok(None);
        }
        let set = CostSet::of(truth.model(), truth.expert(), truth.budget(), largest)?;
        let broken = |rule| -> Result<Option<String>> {
            let violation = set.contains(cost, rule)?.violation;
            Ok(violation.map(|v| v.describe(task)))
        };
        Ok(Some(Self {
            spent: task.at_start(&set.cost_values(cost)?),
            optimality: broken(Rule::Optimality)?,
            conditions: broken(Rule::Conditions)?,
        }))
    }

    fn text(&self, budget: f64) -> String {
        let answer = |violation: &Option<String>| match violation {
            None => "yes".to_owned(),
            Some(why) => format!("no: {why}"),
        };
        format!(
            "The expert has a budget of {} and spends {}. Above is what has to cost more than the expert's own way.\n\
             Does the true cost explain the expert? By optimality: {}. By the three conditions: {}.\n",
            number(budget),
            number(self.spent),
            answer(&self.optimality),
            answer(&self.conditions)
        )
    }
}

/// A pair with an inferred cost.
#[derive(Serialize)]
struct Charged {
    state: usize,
    state_name: String,
    action: String,
    advantage: f64,
    cost: f64,
}

/// Infers and prints.
pub fn run(environment: &Environment, found: &Constraint, json: bool) -> Result<()> {
    let report = report(environment, found)?;
    if json {
        print_json(&report)
    } else {
        print(&report.text())
    }
}

fn report(environment: &Environment, found: &Constraint) -> Result<Report> {
    let (task, truth) = (environment.task(), environment.truth());
    let costs = found.pairs.iter().map(|p| p.cost);
    let cost = Cost::new(task, costs.collect())?;
    // What would pay but is out of scope.
    let pays = |p: &&ConstraintPair| p.verdict == Verdict::Undecided && p.low > 0.0;
    let projected = on_cells(truth.model().rows(), task, cost.values());
    let charged_pairs: Vec<bool> = cost.values().iter().map(|&c| c > 0.0).collect();
    // Cells as everywhere: those that constrained pairs lead into. Scores are those of the projection.
    let leads_into = entered(task, truth.model().rows(), &charged_pairs);
    let inferred: Vec<f64> = leads_into.iter().map(|&e| f64::from(u8::from(e))).collect();
    let known = truth.cost().by_state(task);
    let score = match truth.cost().support() {
        0 => None,
        _ => Some(overlap(&projected, &known, environment.layout())?),
    };
    let charged = |pair: Pair| Charged {
        state: task.state_of(pair).at(),
        state_name: task.state_name(task.state_of(pair)),
        action: task.action_name(task.action_of(pair)).to_owned(),
        advantage: found.pairs[pair.at()].low,
        cost: cost.at(pair),
    };
    let layout = environment.layout();
    Ok(Report {
        env: environment.name().to_owned(),
        exact: true,
        scope: found.scope,
        left_out: found.pairs.iter().filter(pays).count(),
        budget: truth.budget(),
        wgiou: score.map(|s| s.wgiou),
        giou: score.map(|s| s.giou),
        iou: score.map(|s| s.iou),
        true_cost: match truth.budget() > 0.0 {
            true => TrueCost::new(environment)?,
            false => None,
        },
        constrained_pairs: cost.support(),
        cells: layout.map(|_| charged_cells(environment, &inferred)),
        true_cells: layout.map(|_| charged_cells(environment, &known)),
        constrained_states: match layout {
            Some(_) => None,
            None => found.states.as_ref().map(|s| s.constrained.clone()),
        },
        rules: found.rules.clone(),
        unruled: found.unruled,
        classes: found.classes.clone(),
        in_short: {
            let warnings = found.warnings.iter().map(|w| format!("warning: {w}\n"));
            warnings.collect::<String>() + &found.summed_up()
        },
        pairs: task
            .all_pairs()
            .filter(|&p| cost.at(p) > 0.0)
            .map(charged)
            .collect(),
        drawing: layout.map(|layout| draw(layout, &inferred, &known)),
    })
}

fn draw(layout: &Layout, inferred: &[f64], known: &[f64]) -> String {
    let map = hedgerow::text::map(layout, |cell| {
        // States may share a cell: it shows what holds for any of them.
        let any = |cost: &[f64]| layout.states_at(cell).iter().any(|s| cost[s.at()] > 0.0);
        match (any(inferred), any(known)) {
            (true, true) => 'X',
            (true, false) => '!',
            (false, true) => 'x',
            (false, false) => layout.symbol(cell),
        }
    });
    format!(
        "{map}\nX inferred and true, x true but not needed to explain the expert, ! inferred but not true\n"
    )
}

impl Report {
    fn text(&self) -> String {
        let mut text = format!("{}: constraint inferred with known dynamics\n\n", self.env);
        if let Some(drawing) = &self.drawing {
            text.push_str(&format!("{drawing}\n"));
        }
        if let Some(true_cost) = &self.true_cost {
            text.push_str(&true_cost.text(self.budget));
        }
        match (self.wgiou, self.giou, self.iou) {
            (Some(wgiou), Some(giou), Some(iou)) => text.push_str(&format!(
                "WGIoU {}, GIoU {}, IoU {}\n",
                number(wgiou),
                number(giou),
                number(iou)
            )),
            _ => text.push_str("no true cost is known to compare with\n"),
        }
        let (places, what) = match (&self.cells, &self.constrained_states) {
            (Some(cells), _) => (cells.len(), "cells"),
            (None, states) => (states.as_ref().map_or(0, Vec::len), "states"),
        };
        text.push_str(&format!(
            "{} constrained pairs, leading into {places} constrained {what}\n",
            self.constrained_pairs
        ));
        text.push_str(&match (self.scope, self.left_out) {
            (Scope::Visited, n) => format!(
                "verdicts are limited to states that the expert visits: {n} pairs that would pay elsewhere get none; --scope all asks for them\n"
            ),
            (Scope::All, 0) => String::new(),
            (Scope::All, n) => format!(
                "{n} pairs that would pay in states that cannot be reached get no verdict\n"
            ),
        });
        text.push_str(&self.in_short);
        if !self.pairs.is_empty() {
            text.push_str(&format!("\n{}", self.costliest()));
        }
        text
    }

    fn costliest(&self) -> String {
        let mut pairs: Vec<&Charged> = self.pairs.iter().collect();
        pairs.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        let more = pairs.len().saturating_sub(LISTED);
        let rows = pairs.iter().take(LISTED).map(|p| {
            [
                p.state_name.clone(),
                p.action.clone(),
                number(p.advantage),
                number(p.cost),
            ]
        });
        let header = ["state", "action", "advantage over expert", "inferred cost"];
        let mut text = table(header, 2, rows);
        if more > 0 {
            text.push_str(&format!("and {more} more: --json lists them all\n"));
        }
        text
    }
}
