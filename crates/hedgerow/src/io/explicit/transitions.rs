//! `x.tra`: states, choices and what they lead to.

use super::Form;
use super::lines::{Line, lines};
use crate::io::tables::Tables;
use crate::{Error, Result};

/// The content of `x.tra`.
pub(super) struct Transitions {
    pub(super) form: Form,
    /// Whether every state has one choice and lines do not count choices.
    pub(super) chain: bool,
    pub(super) tables: Tables,
}

/// Reads the transitions, and their actions where they are named.
pub(super) fn parse(text: &str) -> Result<Transitions> {
    let mut all = lines(text).peekable();
    let head = all.peek().copied().ok_or_else(|| {
        Error::invalid(
            "line 1",
            "the file is empty",
            "write transitions, one per line",
        )
    })?;
    let form = match head.text.trim() {
        "mdp" | "dtmc" => Form::Storm,
        _ => Form::Prism,
    };
    let (chain, declared) = match form {
        Form::Storm => (head.text.trim() == "dtmc", None),
        Form::Prism => header(&head)?,
    };
    all.next();
    let mut reader = Reader {
        chain,
        tables: Tables::default(),
        actions: Actions::default(),
        last: None,
        most: 0,
    };
    let mut count = 0;
    for line in all {
        reader.line(&line)?;
        count += 1;
    }
    let states = match declared {
        None => reader.most,
        Some(states) if states >= reader.most => states,
        Some(states) => {
            let problem = format!("{states} states, but state {} is named", reader.most - 1);
            return Err(head.invalid(problem, "write how many states there are"));
        }
    };
    // Memory is taken for states only if the transitions can bear them out.
    if states == 0 || states > 2 * count + 1 {
        let problem = format!("{states} states, but {count} transitions");
        return Err(head.invalid(problem, "give every state a transition"));
    }
    Ok(Transitions {
        form,
        chain,
        tables: reader.finish(states),
    })
}

/// `states choices transitions`, or of a chain `states transitions`.
fn header(line: &Line) -> Result<(bool, Option<usize>)> {
    let words = line.words().count();
    if words != 2 && words != 3 {
        return Err(line.invalid(
            format!("{words} words where a first line is due"),
            "begin with `states choices transitions` (PRISM) or `mdp` (Storm)",
        ));
    }
    let states = line.number(line.words().next(), "number of states")?;
    Ok((words == 2, Some(states)))
}

struct Reader<'a> {
    chain: bool,
    tables: Tables,
    actions: Actions<'a>,
    /// State and choice of the line before.
    last: Option<(usize, usize)>,
    /// One more than the largest state that was named.
    most: usize,
}

/// Names of actions as they come.
#[derive(Default)]
struct Actions<'a> {
    of: Vec<Option<&'a str>>,
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: &Line<'a>) -> Result<()> {
        let mut words = line.words();
        let s: u32 = line.number(words.next(), "state")?;
        let choice: usize = match self.chain {
            true => 0,
            false => line.number(words.next(), "choice")?,
        };
        let next: u32 = line.number(words.next(), "next state")?;
        let prob: f64 = line.number(words.next(), "probability")?;
        if !(prob.is_finite() && prob > 0.0) {
            return Err(line.invalid(
                format!("{prob} is not a positive finite probability"),
                "leave out impossible transitions and give the others a positive probability",
            ));
        }
        if s == u32::MAX || next == u32::MAX {
            return Err(line.invalid("a state is out of range", "count states from 0"));
        }
        let here = (s as usize, choice);
        if self.last != Some(here) {
            self.choice(line, here)?;
            self.actions.of.push(words.next());
        }
        self.most = self.most.max(1 + s.max(next) as usize);
        self.tables.target.push(next);
        self.tables.prob.push(prob);
        Ok(())
    }

    /// Begins a choice, which must be the next one of its state, or the first one of a later state.
    fn choice(&mut self, line: &Line, (s, choice): (usize, usize)) -> Result<()> {
        let due = match self.last {
            Some((last, before)) if last == s => Some(before + 1),
            Some((last, _)) if last > s => None,
            _ => Some(0),
        };
        if due != Some(choice) {
            return Err(line.invalid(
                format!("choice {choice} of state {s} is out of order"),
                "sort by state and choice, and count the choices of each state from 0",
            ));
        }
        let tables = &mut self.tables;
        // States in between have no choice; how many there can be is checked at the end, so they are
        // only filled in there.
        tables.choice_start.push(s);
        tables.branch_start.push(tables.target.len());
        self.last = Some((s, choice));
        Ok(())
    }

    /// Turns the state of every choice into offsets, and names into actions.
    fn finish(mut self, states: usize) -> Tables {
        let mut tables = std::mem::take(&mut self.tables);
        let state_of = std::mem::take(&mut tables.choice_start);
        let mut offsets = vec![0; states + 1];
        state_of.iter().for_each(|&s| offsets[s + 1] += 1);
        for s in 0..states {
            offsets[s + 1] += offsets[s];
        }
        tables.choice_start = offsets;
        tables.branch_start.push(tables.target.len());
        self.actions.name(&mut tables);
        tables
    }
}

impl Actions<'_> {
    /// Actions in the order in which they first occur; none if no choice names one.
    fn name(&self, tables: &mut Tables) {
        if self.of.iter().all(Option::is_none) {
            return;
        }
        let mut place = std::collections::HashMap::new();
        let mut action_of = Vec::with_capacity(self.of.len());
        for &name in &self.of {
            let name = name.unwrap_or_default();
            let next = place.len() as u32;
            let action = *place.entry(name).or_insert_with(|| {
                tables.action_names.push(name.to_owned());
                next
            });
            action_of.push(action);
        }
        tables.action_of = Some(action_of);
    }
}
