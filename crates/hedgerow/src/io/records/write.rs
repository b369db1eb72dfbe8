//! Writing records that [`Records::read`](super::Records::read) gives back.

use super::columns::Column;
use super::{Format, Source};
use crate::index::{Pair, State};
use crate::model::Task;
use std::fmt::Write;

/// One step to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which episode, and which step of it.
    pub at: (usize, usize),
    /// What was done.
    pub pair: Pair,
    /// Where it led.
    pub next: State,
    /// Who did it.
    pub source: Source,
    /// What the expert would have done, if it was asked.
    pub answer: Option<Pair>,
}

/// The text of a file of records.
#[derive(Debug)]
pub struct Writer<'a> {
    task: &'a Task,
    format: Format,
    /// States and actions as the format quotes them.
    states: Vec<String>,
    actions: Vec<String>,
    text: String,
}

impl<'a> Writer<'a> {
    /// An empty file, its header written.
    pub fn new(task: &'a Task, format: Format) -> Self {
        let name = |name: &String| match format {
            Format::Csv => field(name),
            Format::JsonLines => serde_json::Value::from(name.as_str()).to_string(),
        };
        let header: Vec<&str> = Column::ALL.map(Column::name).to_vec();
        Self {
            task,
            format,
            states: match task.state_names() {
                [] => (0..task.states()).map(|s| s.to_string()).collect(),
                names => names.iter().map(name).collect(),
            },
            actions: task.action_names().iter().map(name).collect(),
            text: match format {
                Format::Csv => header.join(",") + "\n",
                Format::JsonLines => String::new(),
            },
        }
    }

    /// Adds a step.
    pub fn write(&mut self, step: &Step) {
        let action = |pair| self.actions[self.task.action_of(pair).at()].as_str();
        let (episode, count) = step.at;
        let state = &self.states[self.task.state_of(step.pair).at()];
        let next = &self.states[step.next.at()];
        let (done, source) = (action(step.pair), step.source.name());
        let answer = step.answer.map(action);
        // Writing to a string cannot fail.
        let _ = match (self.format, answer) {
            (Format::Csv, answer) => writeln!(
                self.text,
                "{episode},{count},{state},{done},{next},{source},{}",
                answer.unwrap_or("")
            ),
            (Format::JsonLines, answer) => writeln!(
                self.text,
                "{{\"episode\": {episode}, \"step\": {count}, \"state\": {state}, \"action\": {done}, \
                 \"next_state\": {next}, \"source\": \"{source}\"{}}}",
                answer.map_or(String::new(), |a| format!(", \"expert_action\": {a}"))
            ),
        };
    }

    /// What was added since this was last asked for.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The file, or what is left of it.
    pub fn text(self) -> String {
        self.text
    }
}

/// A field of a table, quoted if it has to be.
fn field(text: &str) -> String {
    let plain = !text.contains([',', '"', '\n', '\r']);
    match plain {
        true => text.to_owned(),
        false => format!("\"{}\"", text.replace('"', "\"\"")),
    }
}
