//! What is declared of the dynamics before anything is seen: assumptions that are printed with the
//! answer and checked against the data.
//!
//! A declaration is given by whoever asks, never taken from a world by the search itself: the
//! constructors need tables, a map or a file, which a learner does not have.

mod check;
mod classes;

use crate::env::{Environment, Layout};
use crate::index::{Pair, State};
use crate::model::{ClassRow, Dynamics, Rows, Task};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// What is known of the dynamics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Know {
    /// The possible next states of every pair.
    Successors,
    /// Also which pairs have the same dynamics, up to the names of their next states.
    Classes,
    /// The dynamics themselves: only the expert is unknown.
    Dynamics,
}

impl Know {
    /// What is assumed, as the answer says it.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Successors => {
                "This assumes that every pair leads to its declared next states only."
            }
            Self::Classes => {
                "This assumes that pairs of the same declared class have the same dynamics, up to where they begin."
            }
            Self::Dynamics => "This assumes that the declared dynamics are right.",
        }
    }
}

impl std::fmt::Display for Know {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Successors => "successors",
            Self::Classes => "classes",
            Self::Dynamics => "dynamics",
        })
    }
}

/// Declared knowledge of the dynamics of one task.
///
/// ```
/// use hedgerow::env::builtin;
/// use hedgerow::index::Pair;
/// use hedgerow::verdict::Knowledge;
///
/// let world = builtin::environment("gridworld-1")?;
/// let rows = world.truth().model().rows();
/// // From a corner there are three moves, and a slip may take any of them.
/// assert_eq!(Knowledge::successors(rows, world.task()).possible(Pair(0)).len(), 3);
///
/// // Moving up is the same wherever the same cells lie around.
/// let classes = Knowledge::on_map(rows, world.task(), world.layout())?;
/// assert_eq!(classes.class_of(Pair(0)), [0]);
/// assert!(classes.count() < world.task().pairs() / 5);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Knowledge {
    know: Know,
    /// Where the outcomes of every pair begin.
    first: Vec<u32>,
    /// Possible next states, pair by pair; a pair without any has nothing declared of it.
    next: Vec<u32>,
    /// Their probabilities, if the dynamics are known.
    prob: Vec<f64>,
    /// The class of every pair; none if classes are not known.
    class: Vec<u32>,
    /// The pairs of every class; outcome by outcome they lead to what is the same.
    members: Vec<Vec<u32>>,
}

impl Knowledge {
    fn new(know: Know) -> Self {
        Self {
            know,
            first: vec![0],
            next: Vec::new(),
            prob: Vec::new(),
            class: Vec::new(),
            members: Vec::new(),
        }
    }

    fn push(&mut self, next: impl IntoIterator<Item = u32>) {
        self.next.extend(next);
        self.first.push(self.next.len() as u32);
    }

    /// What `source` declares of the dynamics of `task`, which has the same states and actions.
    pub fn declared_by(source: &Environment, know: Know, task: &Task) -> Result<Self> {
        if !source.task().has_pairs_of(task) {
            return Err(Error::invalid(
                "known",
                format!("{} has other states or actions", source.name()),
                "give a model of the same states and actions",
            ));
        }
        let rows = source.truth().model().rows();
        match know {
            Know::Successors => Ok(Self::successors(rows, task)),
            Know::Classes => Self::on_map(rows, task, source.layout()),
            Know::Dynamics => Self::dynamics(rows, task),
        }
    }

    /// Nothing but the possible next states of every pair: those to which `rows` give any probability.
    pub fn successors(rows: &Rows, task: &Task) -> Self {
        let mut known = Self::new(Know::Successors);
        for pair in task.all_pairs() {
            known.push(possible(rows, pair));
        }
        known
    }

    /// The dynamics themselves.
    pub fn dynamics(rows: &Rows, task: &Task) -> Result<Self> {
        let mut known = Self::new(Know::Dynamics);
        known.refuse_unknown_rewards(task)?;
        for pair in task.all_pairs() {
            known.push(possible(rows, pair));
            let (_, prob) = rows.row(pair);
            known.prob.extend(prob.iter().filter(|&&p| p > 0.0));
        }
        Ok(known)
    }

    /// Classes on a map: pairs of the same action whose possible next cells lie in the same places
    /// around their own. Only which next states are possible is taken from `rows`, no probability.
    pub fn on_map(rows: &Rows, task: &Task, layout: Option<&Layout>) -> Result<Self> {
        let layout = layout.ok_or_else(|| {
            Error::invalid(
                "classes",
                "the states lie on no map, so nothing says which pairs are alike",
                "give a table of classes",
            )
        })?;
        let known = Self::new(Know::Classes);
        known.refuse_unknown_rewards(task)?;
        Ok(classes::on_map(known, rows, task, layout))
    }

    /// Classes from a table, see [`ClassRow`].
    pub fn from_table(task: &Task, table: &[ClassRow]) -> Result<Self> {
        let known = Self::new(Know::Classes);
        known.refuse_unknown_rewards(task)?;
        classes::from_table(known, task, table)
    }

    fn refuse_unknown_rewards(&self, task: &Task) -> Result<()> {
        match task.observed_rewards() {
            None => Ok(()),
            Some(_) => Err(Error::invalid(
                self.know.to_string(),
                "rewards are not known beforehand here, and one pair tells nothing of what another earns",
                "use a task with its rewards, or declare successors only",
            )),
        }
    }

    /// What is known.
    pub fn know(&self) -> Know {
        self.know
    }

    /// The possible next states of `pair`; none if nothing is declared of it.
    pub fn possible(&self, pair: Pair) -> &[u32] {
        &self.next[self.outcomes(pair)]
    }

    fn outcomes(&self, pair: Pair) -> std::ops::Range<usize> {
        self.first[pair.at()] as usize..self.first[pair.at() + 1] as usize
    }

    /// The row of `pair`, if the dynamics are known.
    pub fn row(&self, pair: Pair) -> Option<(&[u32], &[f64])> {
        let at = self.outcomes(pair);
        match self.know {
            Know::Dynamics => Some((&self.next[at.clone()], &self.prob[at])),
            Know::Successors | Know::Classes => None,
        }
    }

    /// The pairs with the dynamics of `pair`, itself included; none if classes are not known.
    pub fn class_of(&self, pair: Pair) -> &[u32] {
        match self.class.get(pair.at()) {
            Some(&class) => &self.members[class as usize],
            None => &[],
        }
    }

    /// How many classes there are.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// What one step from `pair` to `next` says of all pairs of its class: where each would have led.
    pub(super) fn alike(&self, pair: Pair, next: State) -> impl Iterator<Item = (Pair, State)> {
        let outcome = self.possible(pair).iter().position(|&s| s == next.0);
        let members = outcome.map_or(&[][..], |_| self.class_of(pair));
        members.iter().map(move |&p| {
            let at = outcome.unwrap_or(0);
            (Pair(p), State(self.possible(Pair(p))[at]))
        })
    }
}

fn possible(rows: &Rows, pair: Pair) -> impl Iterator<Item = u32> {
    let (next, prob) = rows.row(pair);
    let outcomes = next.iter().zip(prob);
    outcomes.filter(|&(_, &p)| p > 0.0).map(|(&s, _)| s)
}
