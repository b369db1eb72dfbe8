//! A constraint as a file: the verdict on every pair, what it rests on and what is promised.
//!
//! [`Constraint::explored`] and [`Constraint::exact`] make one, [`Constraint::write`] saves it with a
//! checksum, [`Constraint::text`] shows it to readers, and [`Constraint::read`] takes it back, for another task over the same states too:
//! states and actions go by their names. `schemas/constraint.schema.json` describes the format.
//!
//! ```
//! use hedgerow::constraint::Constraint;
//! use hedgerow::env::builtin;
//! use hedgerow::verdict::Scope;
//!
//! let environment = builtin::environment("gridworld-3")?;
//! let found = Constraint::exact(&environment, Scope::All)?;
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("wall.json");
//! found.write(&path)?;
//!
//! let read = Constraint::read(&path)?;
//! assert_eq!(read, found);
//! let forbidden = read.forbidden(environment.task())?;
//! assert_eq!(forbidden.iter().filter(|&&f| f).count(), read.constrained);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod evidence;
mod exact;
mod explored;
mod features;
mod file;
mod in_short;
mod named;
mod places;
mod words;

pub use evidence::{Evidence, charged};
pub use exact::visited_by_expert;
pub use explored::{Background, Origin};
pub use named::{ClassFound, Named, read_classes};
pub use places::Places;

use crate::finite::WarmStart;
use crate::learn::Seen;
use crate::model::Task;
use crate::results::LayoutFile;
use crate::rules::Rule;
use crate::run::Stop;
use crate::verdict::{Criteria, Explained, Know, Scope, Verdict};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// The tag of this format.
pub const FORMAT: &str = "hedgerow-constraint/1";

/// What the expert treats as forbidden, as far as it is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// [`FORMAT`].
    pub format: String,
    /// The name of the environment or model.
    pub env: String,
    /// Where it comes from.
    pub source: Source,
    /// The names of all states.
    pub state_names: Vec<String>,
    /// The names of all actions; none in files of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub action_names: Vec<String>,
    /// What is promised, in one sentence.
    pub promise: String,
    /// When a pair gets a verdict; none with known dynamics, where nothing is left to chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Criteria>,
    /// In which states pairs get verdicts.
    pub scope: Scope,
    /// What was declared of the dynamics, an assumption of the promise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub know: Option<Know>,
    /// Samples until the last pair was found to be constrained; none if none was, or without exploring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples_until_constrained: Option<u64>,
    /// What any other pair of a state that was reached could gain at most, at that moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_gain_at_most: Option<f64>,
    /// What the best policy that keeps to the constraint earns, if that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explained: Option<Explained>,
    /// Samples that no algorithm does without, if the truth is known and that was computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_samples: Option<LeastSamples>,
    /// How many pairs are constrained.
    pub constrained: usize,
    /// How many the expert was seen to take.
    pub taken: usize,
    /// How many bring nothing.
    pub no_gain: usize,
    /// How many are undecided.
    pub undecided: usize,
    /// How many of these surely gain no more than the margin.
    pub negligible: usize,
    /// How many of these matter, in states that were reached and in scope.
    pub open: usize,
    /// States that were never reached, terminal ones left out.
    pub unreached_states: Vec<usize>,
    /// Cells by the verdict on entering them, where states lie on a grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<Places<[usize; 2]>>,
    /// The same by indices of states where they do not, or where several share a cell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<Places<usize>>,
    /// What the reader should know about the data.
    pub warnings: Vec<String>,
    /// States in which the expert chose actions of different value, the widest gap first.
    pub contradictions: Vec<Torn>,
    /// What constrained pairs have in common; none in files of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// Constrained pairs that no rule covers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unruled: usize,
    /// Classes of pairs, if any were declared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<ClassFound>,
    /// Every pair, by state and action.
    pub pairs: Vec<ConstraintPair>,
    /// The drawing of a grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<LayoutFile>,
    /// All that was seen, to learn on from; none with known dynamics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Seen>,
    /// The checksum of a file.
    #[serde(default, skip_serializing)]
    checksum: Option<String>,
}

/// Samples that no algorithm does without that keeps the same promise, in expectation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeastSamples {
    /// To call every constrained pair constrained.
    pub constrained: f64,
    /// To settle all pairs.
    pub settled: f64,
}

/// Where a constraint comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// How it was inferred.
    pub method: Method,
    /// The program that wrote it, with its version.
    pub program: String,
    /// Transitions that were seen.
    pub samples: u64,
    /// Why exploring ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// The seed of exploring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Who chose what to sample, if not what open verdicts hang on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// The files of records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<String>,
}

impl Source {
    /// A source of this program.
    fn new(method: Method, samples: u64) -> Self {
        Self {
            method,
            program: format!("hedgerow {}", env!("CARGO_PKG_VERSION")),
            samples,
            stop: None,
            seed: None,
            strategy: None,
            records: Vec::new(),
        }
    }
}

/// How a constraint was inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// From the true dynamics and the expert's policy.
    Exact,
    /// By acting in the environment.
    Exploring,
    /// From records.
    Records,
}

/// A pair and its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstraintPair {
    /// Index of the state.
    pub state: usize,
    /// Its name.
    pub state_name: String,
    /// Name of the action.
    pub action: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The advantage over the expert: exact, or as estimated; none if the pair was never tried or
    /// the expert never seen in its state.
    pub estimate: Option<f64>,
    /// The advantage is at least this.
    pub low: f64,
    /// The advantage is at most this.
    pub high: f64,
    /// The inferred cost; 0 where none is inferred.
    pub cost: f64,
    /// How often it was tried.
    pub visits: u32,
    /// How often the expert was seen to take it.
    pub chosen: u32,
    /// Whether the interval lies within the margin of the tolerance.
    pub negligible: bool,
    /// Undecided, in a state that was reached and in scope, and not negligible.
    pub open: bool,
    /// Whether pairs of its state get verdicts.
    pub in_scope: bool,
    /// Better than the expert by three standard errors: an estimate without a promise.
    pub looks_constrained: bool,
    /// The place of its class among all, if it is in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<usize>,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// A state in which the expert was seen to choose actions of different values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Torn {
    /// Index of the state.
    pub state: usize,
    /// Its name.
    pub state_name: String,
    /// Estimated value of the best choice minus that of the worst.
    pub gap: f64,
    /// What was chosen, the best first.
    pub choices: Vec<TornChoice>,
}

/// What the expert chose in such a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TornChoice {
    /// Name of the action.
    pub action: String,
    /// How often it was chosen.
    pub times: u32,
    /// Its value as estimated.
    pub value: f64,
}

impl Constraint {
    /// The verdict on every pair of `task`, by the names of states and actions; `None` for pairs
    /// that the constraint does not know. Refused if no state is called as one of its own.
    pub fn verdicts_in(&self, task: &Task) -> Result<Vec<Option<&ConstraintPair>>> {
        let known: HashMap<(&str, &str), &ConstraintPair> = self
            .pairs
            .iter()
            .map(|p| ((p.state_name.as_str(), p.action.as_str()), p))
            .collect();
        let find = |pair| {
            let state = task.state_name(task.state_of(pair));
            let action = task.action_name(task.action_of(pair));
            known.get(&(state.as_str(), action)).copied()
        };
        let found: Vec<Option<&ConstraintPair>> = task.all_pairs().map(find).collect();
        if found.iter().all(Option::is_none) {
            return Err(self.foreign("pair"));
        }
        Ok(found)
    }

    /// Whether each pair of `task` is constrained, or in a class that is forbidden.
    pub fn forbidden(&self, task: &Task) -> Result<Vec<bool>> {
        let constrained = |p: &Option<&ConstraintPair>| p.is_some_and(|p| self.forbids(p));
        Ok(self.verdicts_in(task)?.iter().map(constrained).collect())
    }

    /// Whether each pair of `task` may be taken, and how many states the constraint left nothing:
    /// those keep all their pairs, as an agent that is there has to act.
    pub fn allowed(&self, task: &Task) -> Result<(Vec<bool>, usize)> {
        let allowed = self.forbidden(task)?.iter().map(|f| !f).collect();
        Ok(leave_a_choice(task, allowed))
    }

    /// Whether entering each state of `task` is constrained, by the names of states.
    pub fn entering(&self, task: &Task) -> Result<Vec<bool>> {
        let at = |cell: &Option<(usize, usize)>| {
            let cells = self.cells.as_ref().map(|c| &c.constrained);
            cell.zip(cells)
                .is_some_and(|((r, c), cells)| cells.contains(&[r, c]))
        };
        // States that share a cell are told apart by their indices.
        let by_cells = self.layout.iter().filter(|_| self.states.is_none());
        let of_cells = by_cells.flat_map(|l| &l.cells).enumerate();
        let of_cells = of_cells.filter(|(_, cell)| at(cell)).map(|(s, _)| s);
        let of_states = self
            .states
            .iter()
            .flat_map(|s| s.constrained.iter().copied());
        let named: HashSet<&str> = of_states
            .chain(of_cells)
            .filter_map(|s| self.state_names.get(s).map(String::as_str))
            .collect();
        let own: HashSet<&str> = self.state_names.iter().map(String::as_str).collect();
        let names: Vec<String> = task.all_states().map(|s| task.state_name(s)).collect();
        if !names.iter().any(|n| own.contains(n.as_str())) {
            return Err(self.foreign("state"));
        }
        Ok(names.iter().map(|n| named.contains(n.as_str())).collect())
    }

    fn foreign(&self, what: &str) -> Error {
        Error::invalid(
            "constraint",
            format!(
                "it is of {}, and no {what} here is called as one there",
                self.env
            ),
            "use it with an environment whose states and actions have the same names",
        )
    }
}

impl WarmStart for Constraint {
    fn seen_in(&self, env: &str, task: &Task) -> Result<&Seen> {
        let Some(seen) = &self.seen else {
            return Err(Error::invalid(
                "constraint",
                "it holds no samples to learn on from",
                "use one that was inferred by exploring or from records, and saved with --out",
            ));
        };
        let same = |(pair, own): (_, &ConstraintPair)| {
            let state = task.state_of(pair);
            own.state == state.at()
                && own.state_name == task.state_name(state)
                && own.action == task.action_name(task.action_of(pair))
        };
        let all = self.env == env && self.pairs.len() == task.pairs();
        match all && task.all_pairs().zip(&self.pairs).all(same) {
            true => Ok(seen),
            false => Err(Error::invalid(
                "constraint",
                format!("its samples are of {}, not of this {env}", self.env),
                "use it with the environment in which it was inferred",
            )),
        }
    }
}

/// `allowed` with all pairs of the states that it leaves none, as an agent that is there has to act,
/// and the number of these states.
pub(crate) fn leave_a_choice(task: &Task, mut allowed: Vec<bool>) -> (Vec<bool>, usize) {
    let mut overruled = 0;
    for state in task.all_states().filter(|&s| !task.is_terminal(s)) {
        let own = &mut allowed[task.pairs_of(state)];
        if !own.iter().any(|&a| a) {
            own.fill(true);
            overruled += 1;
        }
    }
    (allowed, overruled)
}
