//! `hedgerow strategies`: every strategy and parameter there is.

use crate::domains::domains;
use crate::terminal;
use clap::Args;
use hedgerow::Result;
use hedgerow::param::{Parameter, Range};
use hedgerow::run;
use serde_json::json;

/// Widest line of the listing.
const WIDTH: usize = 100;

/// The options of `hedgerow strategies`.
#[derive(Debug, Args)]
pub struct Strategies {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Strategies {
    /// Prints the listing.
    pub fn run(self) -> Result<()> {
        if self.json {
            terminal::print_json(&as_json())
        } else {
            terminal::print(&as_text())
        }
    }
}

fn as_json() -> serde_json::Value {
    let parameters = |table: &[Parameter]| -> Vec<serde_json::Value> {
        let entry = |p: &Parameter| {
            let kind = match p.range {
                Range::Number { .. } => "number",
                Range::Whole { .. } => "whole",
                Range::Word(_) => "word",
            };
            json!({
                "name": p.name,
                "kind": kind,
                "default": p.default(),
                "range": p.range_text(),
                "purpose": p.purpose,
            })
        };
        table.iter().map(entry).collect()
    };
    let mut all = serde_json::Map::new();
    all.insert("settings".into(), parameters(run::PARAMETERS).into());
    for domain in domains().iter() {
        let strategies = domain.strategies();
        let strategies = strategies.iter().map(|s| {
            json!({
                "name": s.name,
                "summary": s.summary,
                "parameters": parameters(s.parameters),
            })
        });
        let own = json!({
            "summary": domain.summary(),
            "settings": parameters(domain.parameters()),
            "strategies": strategies.collect::<Vec<_>>(),
        });
        all.insert(domain.name().to_owned(), own);
    }
    all.into()
}

fn as_text() -> String {
    let mut text = String::new();
    for domain in domains().iter() {
        text.push_str(&format!("{}: {}\n\n", domain.name(), domain.summary()));
        for strategy in domain.strategies() {
            text.push_str(&format!("{}: {}\n", strategy.name, strategy.summary));
            let names = |p: &Parameter| format!("{}.{}", strategy.name, p.name);
            text.push_str(&listing(strategy.parameters, names));
        }
        text.push_str(&format!(
            "\nParameters of all runs of the domain `{}`:\n",
            domain.name()
        ));
        text.push_str(&listing(domain.parameters(), |p| p.name.to_owned()));
        text.push('\n');
    }
    text.push_str("Parameters of all runs:\n");
    text.push_str(&listing(run::PARAMETERS, |p| p.name.to_owned()));
    text.push_str(
        "\nSet them with --set KEY=VALUE or under [settings] of an experiment file; where two domains have\n\
         the same key, DOMAIN.KEY sets it in one of them.\n",
    );
    text
}

/// One parameter per line: key, default, purpose and range.
fn listing(parameters: &[Parameter], key: impl Fn(&Parameter) -> String) -> String {
    let mut text = String::new();
    let keys: Vec<String> = parameters
        .iter()
        .map(|p| format!("  {} = {}", key(p), p.default()))
        .collect();
    let indent = 2 + keys.iter().map(String::len).max().unwrap_or(0);
    for (key, p) in keys.iter().zip(parameters) {
        let mut line = format!("{key:indent$}");
        let said = format!("{} ({})", p.purpose, p.range_text());
        for word in said.split_whitespace() {
            if line.len() + word.len() > WIDTH {
                text.push_str(line.trim_end());
                text.push('\n');
                line = " ".repeat(indent);
            }
            line.push_str(word);
            line.push(' ');
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_listed_in_lines_that_fit() {
        let text = as_text();
        for (strategy, _) in domains().strategies() {
            assert!(text.contains(&format!("{}: ", strategy.name)));
        }
        for p in run::PARAMETERS {
            assert!(text.contains(&format!("\n  {} = ", p.name)), "{}", p.name);
        }
        for line in text.lines() {
            assert!(line.len() <= WIDTH, "{line}");
        }
    }
}
