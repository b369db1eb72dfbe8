//! `x.lab`: the initial states; `x.sta`: the states.

use super::lines::{Line, lines};
use crate::{Error, Result};

/// The label of initial states.
pub(super) const INIT: &str = "init";

/// The label of terminal states.
pub(super) const END: &str = "end";

/// The states that are labelled as initial.
pub(super) fn initial(text: &str, states: usize) -> Result<Vec<usize>> {
    let mut all = lines(text).peekable();
    let first = all.peek().map_or("", |l| l.text);
    let mut found = Vec::new();
    if first.starts_with("#DECLARATION") {
        for line in all.skip_while(|l| !l.text.starts_with("#END")).skip(1) {
            let s = state(&line, line.words().next(), states)?;
            if line.words().skip(1).any(|label| label == INIT) {
                found.push(s);
            }
        }
    } else {
        let quoted = format!("=\"{INIT}\"");
        let mut labels = first.split_whitespace();
        let number = labels.find_map(|l| l.strip_suffix(quoted.as_str()));
        for line in all.skip(1) {
            let (s, labels) = line.text.split_once(':').unwrap_or((line.text, ""));
            let s = state(&line, Some(s.trim()), states)?;
            if labels.split_whitespace().any(|l| Some(l) == number) {
                found.push(s);
            }
        }
    }
    match found.is_empty() {
        false => Ok(found),
        true => Err(Error::invalid(
            "labels",
            format!("no state has the label `{INIT}`"),
            "label the states in which episodes start",
        )),
    }
}

fn state(line: &Line, word: Option<&str>, states: usize) -> Result<usize> {
    let s: usize = line.number(word, "state")?;
    match s < states {
        true => Ok(s),
        false => Err(line.invalid(
            format!("state {s} is out of range"),
            "name a state of the transitions",
        )),
    }
}

/// The names of states: their variables as `x=1,y=2`.
pub(super) fn names(text: &str, states: usize) -> Result<Vec<String>> {
    let mut all = lines(text);
    let inner = |text: &str| text.trim().trim_matches(['(', ')']).to_owned();
    let variables = all.next().map(|l| inner(l.text)).unwrap_or_default();
    let mut names = Vec::new();
    for line in all {
        let (s, values) = line.text.split_once(':').unwrap_or((line.text, ""));
        if state(&line, Some(s.trim()), states)? != names.len() {
            return Err(line.invalid("a state is out of order", "list all states in order"));
        }
        let values = inner(values);
        let pairs = variables.split(',').zip(values.split(','));
        let named: Vec<String> = pairs.map(|(x, v)| format!("{x}={v}")).collect();
        names.push(named.join(","));
    }
    match names.len() == states {
        true => Ok(names),
        false => Err(Error::invalid(
            "states",
            format!("{} states, the transitions have {states}", names.len()),
            "list all states in order",
        )),
    }
}
