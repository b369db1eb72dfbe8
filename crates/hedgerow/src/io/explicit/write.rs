//! Writing.

use super::labels::{END, INIT};
use super::{EXTRA, Form, beside, extra};
use crate::Result;
use crate::env::Environment;
use crate::io::tables::Tables;
use crate::io::write_atomic;
use std::fmt::Write;
use std::path::Path;

/// Writes an environment as `path`, which ends in `.tra`, and files beside it; reading them gives the
/// same numbers bit for bit.
pub fn write(path: &Path, environment: &Environment, form: Form) -> Result<()> {
    let tables = Tables::of(environment);
    let mut files = vec![
        ("lab", labels(&tables, form)),
        (EXTRA, extra::text(environment, &tables)?),
    ];
    match form {
        Form::Prism => {
            files.push(("trew", rewards(&tables, form)));
            files.push(("sta", states(&tables)));
        }
        Form::Storm => files.push(("rew", rewards(&tables, form))),
    }
    // Last, so that whoever waits for it finds the others.
    files.push(("tra", transitions(&tables, form)));
    for (ending, text) in files {
        write_atomic(&beside(path, ending), text.as_bytes())?;
    }
    Ok(())
}

/// Calls `line` with state, choice counted in the state, choice and branch, for every branch.
fn branches(tables: &Tables, mut line: impl FnMut(usize, usize, usize, usize)) {
    for (s, of) in tables.choice_start.windows(2).enumerate() {
        for choice in of[0]..of[1] {
            for branch in tables.branch_start[choice]..tables.branch_start[choice + 1] {
                line(s, choice - of[0], choice, branch);
            }
        }
    }
}

fn sizes(tables: &Tables) -> String {
    let (states, choices) = (tables.states(), tables.choices());
    format!("{states} {choices} {}\n", tables.target.len())
}

fn transitions(tables: &Tables, form: Form) -> String {
    let mut text = match form {
        Form::Prism => sizes(tables),
        Form::Storm => "mdp\n".to_owned(),
    };
    let names = &tables.action_names;
    let words = |n: &String| !n.is_empty() && !n.contains(char::is_whitespace);
    let named = form == Form::Prism && names.iter().all(words);
    branches(tables, |s, place, choice, branch| {
        let (next, prob) = (tables.target[branch], tables.prob[branch]);
        let _ = write!(text, "{s} {place} {next} {prob:?}");
        if let (true, Some(of)) = (named, &tables.action_of) {
            let _ = write!(text, " {}", names[of[choice] as usize]);
        }
        text.push('\n');
    });
    text
}

/// What transitions earn, that of their choice included.
fn rewards(tables: &Tables, form: Form) -> String {
    let mut text = String::new();
    let value = |v: &Option<Vec<f64>>, i: usize| v.as_ref().map_or(0.0, |v| v[i]);
    branches(tables, |s, place, choice, branch| {
        let earned = value(&tables.choice_reward, choice) + value(&tables.branch_reward, branch);
        if earned != 0.0 {
            let next = tables.target[branch];
            let _ = writeln!(text, "{s} {place} {next} {earned:?}");
        }
    });
    match form {
        Form::Storm => text,
        Form::Prism => {
            let (states, choices) = (tables.states(), tables.choices());
            format!("{states} {choices} {}\n{text}", text.lines().count())
        }
    }
}

fn labels(tables: &Tables, form: Form) -> String {
    let mut text = match form {
        Form::Prism => format!("0=\"{INIT}\" 1=\"{END}\"\n"),
        Form::Storm => format!("#DECLARATION\n{INIT} {END}\n#END\n"),
    };
    let mut starts = tables.start.iter().map(|&(s, _)| s).peekable();
    for (s, ends) in tables.terminal.iter().flatten().enumerate() {
        let starts = starts.next_if_eq(&s).is_some();
        let label = match (starts, form) {
            (true, Form::Prism) => "0",
            (true, Form::Storm) => INIT,
            (false, _) if !ends => continue,
            (false, Form::Prism) => "1",
            (false, Form::Storm) => END,
        };
        let _ = match form {
            Form::Prism => writeln!(text, "{s}: {label}"),
            Form::Storm => writeln!(text, "{s} {label}"),
        };
    }
    text
}

/// States by number: names are no values of variables.
fn states(tables: &Tables) -> String {
    let mut text = "(s)\n".to_owned();
    for s in 0..tables.states() {
        let _ = writeln!(text, "{s}:({s})");
    }
    text
}
