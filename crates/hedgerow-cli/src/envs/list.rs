//! The table of built-in environments.

use crate::domains::domains;
use crate::terminal::{number, print, print_json, table};
use hedgerow::Result;
use hedgerow::env::builtin;
use hedgerow::finite;
use serde::Serialize;

/// An environment of another domain.
#[derive(Serialize)]
struct Elsewhere {
    name: String,
    domain: &'static str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Entry {
    Finite(Row),
    Elsewhere(Elsewhere),
}

#[derive(Serialize)]
struct Row {
    name: String,
    domain: &'static str,
    rows: usize,
    columns: usize,
    states: usize,
    pairs: usize,
    gamma: f64,
    horizon: usize,
    budget: f64,
}

/// Lists the built-in environments.
pub fn run(json: bool) -> Result<()> {
    let all: Result<Vec<Row>> = builtin::names().iter().map(|name| row(name)).collect();
    let all = all?;
    let domains = domains();
    let others = || domains.iter().filter(|d| d.name() != finite::NAME);
    if json {
        let elsewhere = others().flat_map(|d| {
            let domain = d.name();
            let names = d.environments().into_iter();
            names.map(move |name| Entry::Elsewhere(Elsewhere { name, domain }))
        });
        let elsewhere: Vec<Entry> = elsewhere.collect();
        let all: Vec<Entry> = all
            .into_iter()
            .map(Entry::Finite)
            .chain(elsewhere)
            .collect();
        return print_json(&all);
    }
    let header = [
        "name", "size", "states", "pairs", "gamma", "horizon", "budget",
    ];
    let rows = all.iter().map(|row| {
        [
            row.name.clone(),
            format!("{} x {}", row.rows, row.columns),
            row.states.to_string(),
            row.pairs.to_string(),
            number(row.gamma),
            row.horizon.to_string(),
            number(row.budget),
        ]
    });
    let mut text = table(header, 1, rows);
    for domain in others() {
        let (name, names) = (domain.name(), domain.environments().join(", "));
        text.push_str(&format!(
            "Environments of the domain `{name}`, for `hedgerow run`: {names}\n"
        ));
    }
    print(&text)
}

fn row(name: &str) -> Result<Row> {
    let environment = builtin::environment(name)?;
    let task = environment.task();
    let layout = environment.layout();
    Ok(Row {
        name: name.to_owned(),
        domain: finite::NAME,
        rows: layout.map_or(0, |l| l.rows()),
        columns: layout.map_or(0, |l| l.columns()),
        states: task.states(),
        pairs: task.pairs(),
        gamma: task.gamma(),
        horizon: environment.horizon(),
        budget: environment.truth().budget(),
    })
}
