//! From rows to evidence: every value is looked up, every row must follow from the one before.

use super::columns::{Column, Row};
use super::{Records, Source};
use crate::error::nearest;
use crate::index::{Pair, State};
use crate::io::names::{Names, Word, pair_in};
use crate::model::{Dynamics, Task};
use crate::{Error, Result};
use std::collections::HashSet;

/// Records being read.
pub(super) struct Reading<'a> {
    task: &'a Task,
    names: Names,
    default: Source,
    dynamics: Option<&'a dyn Dynamics>,
    records: Records,
    /// Episodes seen so far.
    episodes: HashSet<String>,
    /// The episode of the row before, kept apart so that most rows need no new text.
    episode: String,
    before: Option<Before>,
}

/// The row before.
struct Before {
    next: Option<State>,
    step: Option<u64>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(
        task: &'a Task,
        default: Source,
        dynamics: Option<&'a dyn Dynamics>,
    ) -> Result<Self> {
        Ok(Self {
            task,
            names: Names::of(task)?,
            default,
            dynamics,
            records: Records::default(),
            episodes: HashSet::new(),
            episode: String::new(),
            before: None,
        })
    }

    /// Takes the next row.
    pub(super) fn row(&mut self, row: &Row) -> Result<()> {
        let goes_on = self.same_episode(row)?;
        let state = self.state(row, Column::State)?;
        let step = step(row)?;
        match self.before.as_ref().filter(|_| goes_on) {
            Some(before) => self.follows(row, before, state, step)?,
            None => self.records.episodes += 1,
        }
        let pair = self.pair(row, state, Column::Action)?;
        let next = match row.get(Column::NextState) {
            Some(_) => Some(self.state(row, Column::NextState)?),
            None => None,
        };
        if let Some(next) = next {
            self.possible(row, pair, next)?;
            self.records.transitions.push((pair, next));
        }
        if let Some(choice) = self.choice(row, state, pair)? {
            self.records.choices.push(choice);
        }
        self.records.rows += 1;
        self.before = Some(Before { next, step });
        Ok(())
    }

    /// What was read; a file without a row is an error.
    pub(super) fn finish(mut self) -> Result<Records> {
        if self.records.rows == 0 {
            return Err(Error::invalid(
                "rows",
                "the file holds none",
                "write one row per step, each with episode, state, action and next_state",
            ));
        }
        self.end_episode();
        Ok(self.records)
    }

    fn end_episode(&mut self) {
        if self.before.as_ref().is_some_and(|b| b.next.is_none()) {
            self.records.open_ends += 1;
        }
    }

    /// Whether the row belongs to the episode of the row before; else its episode is entered and
    /// must be a new one.
    fn same_episode(&mut self, row: &Row) -> Result<bool> {
        let number;
        let episode = match row.need(Column::Episode)? {
            Word::Name(text) | Word::Either(text) => text,
            Word::Index(i) => {
                number = i.to_string();
                &number
            }
        };
        if self.before.is_some() && self.episode == episode {
            return Ok(true);
        }
        self.end_episode();
        if !self.episodes.insert(episode.to_owned()) {
            return Err(Error::invalid(
                row.place(Column::Episode),
                format!("episode `{episode}` was left and comes back"),
                "keep the rows of an episode together, or give every episode a name of its own",
            ));
        }
        self.episode.clear();
        self.episode.push_str(episode);
        Ok(false)
    }

    /// Whether the row may come after the one before in the same episode.
    fn follows(&self, row: &Row, before: &Before, state: State, step: Option<u64>) -> Result<()> {
        let name = |s: State| self.task.state_name(s);
        match before.next {
            None => {
                return Err(Error::invalid(
                    row.place(Column::Episode),
                    format!(
                        "episode `{}` goes on although the row before has no next_state",
                        self.episode
                    ),
                    "only the last row of an episode may leave it out: fill it in",
                ));
            }
            Some(end) if self.task.is_terminal(end) => {
                return Err(Error::invalid(
                    row.place(Column::Episode),
                    format!(
                        "episode `{}` goes on after the terminal state {}",
                        self.episode,
                        name(end)
                    ),
                    "remove the row, or start a new episode here",
                ));
            }
            Some(next) if next != state => {
                return Err(Error::invalid(
                    row.place(Column::State),
                    format!(
                        "episode `{}` jumps from {} to {}",
                        self.episode,
                        name(next),
                        name(state)
                    ),
                    "a state is the next_state of the row before, or a new episode starts",
                ));
            }
            Some(_) => {}
        }
        if step != before.step.map(|s| s.saturating_add(1)) {
            let say = |s: Option<u64>| s.map_or("nothing".to_owned(), |s| s.to_string());
            return Err(Error::invalid(
                row.place(Column::Step),
                format!("{} comes after {}", say(step), say(before.step)),
                "steps count up by 1 within an episode; give all of an episode or none",
            ));
        }
        Ok(())
    }

    fn state(&self, row: &Row, column: Column) -> Result<State> {
        let word = row.need(column)?;
        self.names.state_in(self.task, || row.place(column), word)
    }

    fn pair(&self, row: &Row, state: State, column: Column) -> Result<Pair> {
        let place = || row.place(column);
        let action = self.names.action_in(self.task, place, row.need(column)?)?;
        if self.task.is_terminal(state) {
            return Err(Error::invalid(
                place(),
                format!(
                    "{} in {}, which is terminal",
                    self.task.action_name(action),
                    self.task.state_name(state)
                ),
                "no action is taken in a terminal state: remove the row",
            ));
        }
        pair_in(self.task, place, state, action)
    }

    /// A transition that the known dynamics rule out cannot have been seen.
    fn possible(&self, row: &Row, pair: Pair, next: State) -> Result<()> {
        let Some(dynamics) = self.dynamics else {
            return Ok(());
        };
        let (states, probs) = dynamics.row(pair);
        let found = states.iter().position(|&s| s == next.0);
        if found.is_some_and(|i| probs[i] > 0.0) {
            return Ok(());
        }
        Err(Error::invalid(
            row.place(Column::NextState),
            format!(
                "{} cannot lead to {} in this model",
                self.task.pair_name(pair),
                self.task.state_name(next)
            ),
            "correct the row, or the model's transitions",
        ))
    }

    /// What the row says the expert chose.
    fn choice(&self, row: &Row, state: State, pair: Pair) -> Result<Option<Pair>> {
        let answer = match row.get(Column::ExpertAction) {
            Some(_) => Some(self.pair(row, state, Column::ExpertAction)?),
            None => None,
        };
        match (self.source(row)?, answer) {
            (Source::Log, answer) => Ok(answer),
            (Source::Expert, None) => Ok(Some(pair)),
            (Source::Expert, Some(answer)) if answer == pair => Ok(Some(pair)),
            (Source::Expert, Some(answer)) => Err(Error::invalid(
                row.place(Column::ExpertAction),
                format!(
                    "the expert chose {} here, but it also took {}",
                    self.task.action_name(self.task.action_of(answer)),
                    self.task.action_name(self.task.action_of(pair))
                ),
                "write the source `log` if the action was not the expert's",
            )),
        }
    }

    fn source(&self, row: &Row) -> Result<Source> {
        let text = match row.get(Column::Source) {
            None => return Ok(self.default),
            Some(Word::Name(text) | Word::Either(text)) => text.to_owned(),
            Some(Word::Index(i)) => i.to_string(),
        };
        let found = Source::ALL.into_iter().find(|s| s.name() == text);
        found.ok_or_else(|| {
            Error::invalid(
                row.place(Column::Source),
                format!("`{text}` is not a source"),
                nearest(&text, Source::ALL.map(Source::name)),
            )
        })
    }
}

fn step(row: &Row) -> Result<Option<u64>> {
    let text = match row.get(Column::Step) {
        None => return Ok(None),
        Some(Word::Index(i)) => return Ok(Some(i as u64)),
        Some(Word::Name(text) | Word::Either(text)) => text,
    };
    match text.parse() {
        Ok(step) => Ok(Some(step)),
        Err(_) => Err(Error::invalid(
            row.place(Column::Step),
            format!("`{text}` is not a step"),
            "count the steps of an episode with whole numbers",
        )),
    }
}
