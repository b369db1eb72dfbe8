//! Constraints: what was inferred.

use crate::arrays::array;
use crate::error::{OrRaise, raise};
use crate::model::Task;
use crate::table::{Column, Table};
use hedgerow::constraint::{ConstraintPair, Evidence};
use hedgerow::verdict::Verdict;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// What the expert treats as forbidden, as far as it is known.
#[pyclass(frozen, module = "hedgerow._native")]
pub struct Constraint(
    pub Arc<hedgerow::constraint::Constraint>,
    /// Whether a reward was ever seen: otherwise nothing tells actions apart.
    bool,
);

impl Constraint {
    /// A constraint for Python.
    pub fn of(constraint: hedgerow::constraint::Constraint) -> Self {
        Self(Arc::new(constraint), true)
    }

    /// The one that rests on this evidence.
    pub fn resting_on(evidence: &Evidence) -> Self {
        Self(
            Arc::new(evidence.constraint()),
            evidence.learner.has_earned(),
        )
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Constrained => "constrained",
        Verdict::Undecided => "undecided",
        Verdict::Taken => "taken",
        Verdict::NoGain => "no-gain",
    }
}

#[pymethods]
impl Constraint {
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        hedgerow::constraint::Constraint::read(&path)
            .or_raise()
            .map(Self::of)
    }

    fn write(&self, path: PathBuf) -> PyResult<()> {
        self.0.write(&path).or_raise()
    }

    /// All of it as JSON.
    fn json(&self) -> PyResult<String> {
        serde_json::to_string(&*self.0).map_err(|e| raise("HedgerowError", e.to_string()))
    }

    /// A constraint from its JSON.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        let read = serde_json::from_str(text);
        read.map(Self::of).map_err(|e| {
            raise(
                "InputError",
                format!("constraint: {e}; use one that was written by hedgerow"),
            )
        })
    }

    /// The answer as the command prints it.
    fn text(&self) -> String {
        self.0.text(self.1)
    }

    /// A page of its own.
    fn html(&self) -> String {
        hedgerow_report::constraint::html(&self.0)
    }

    /// The map with the verdict on entering every cell, if there is one.
    fn svg(&self) -> Option<String> {
        hedgerow_report::constraint::figure(&self.0).map(|f| f.outlined())
    }

    /// Whether each pair of `task` is constrained.
    fn forbidden<'py>(&self, py: Python<'py>, task: &Task) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(array(py, self.0.forbidden(&task.0).or_raise()?))
    }

    /// Whether each pair of `task` is constrained or looks so, as an estimate.
    fn suspected<'py>(&self, py: Python<'py>, task: &Task) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let known = self.0.verdicts_in(&task.0).or_raise()?;
        let of = |pair: &Option<&ConstraintPair>| {
            pair.is_some_and(|p| match p.verdict {
                Verdict::Constrained => true,
                Verdict::Undecided => p.looks_constrained,
                Verdict::Taken | Verdict::NoGain => false,
            })
        };
        Ok(array(py, known.iter().map(of).collect()))
    }

    /// Whether each pair of `task` may be taken, leaving every state a choice.
    fn allowed<'py>(&self, py: Python<'py>, task: &Task) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(array(py, self.0.allowed(&task.0).or_raise()?.0))
    }

    /// The inferred cost of each pair of `task`.
    fn cost<'py>(&self, py: Python<'py>, task: &Task) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let known = self.0.verdicts_in(&task.0).or_raise()?;
        array_of(py, known.iter().map(|p| p.map_or(0.0, |p| p.cost)))
    }

    /// Every pair with its verdict.
    fn pairs(&self) -> PyResult<Table> {
        let pairs = &self.0.pairs;
        let number =
            |of: fn(&ConstraintPair) -> Option<f64>| Column::Number(pairs.iter().map(of).collect());
        let mark = |of: fn(&ConstraintPair) -> bool| Column::Mark(pairs.iter().map(of).collect());
        let whole = |of: fn(&ConstraintPair) -> u64| {
            Column::Whole(pairs.iter().map(|p| Some(of(p))).collect())
        };
        let text = |of: fn(&ConstraintPair) -> String| Column::Text(pairs.iter().map(of).collect());
        let names = &self.0.action_names;
        let place = |p: &ConstraintPair| names.iter().position(|n| *n == p.action);
        let actions = pairs.iter().map(|p| place(p).map(|i| i as u64)).collect();
        Table::new(vec![
            ("state", whole(|p| p.state as u64)),
            ("state_name", text(|p| p.state_name.clone())),
            ("action", Column::Whole(actions)),
            ("action_name", text(|p| p.action.clone())),
            ("verdict", text(|p| word(p.verdict).to_owned())),
            ("estimate", number(|p| p.estimate)),
            ("low", number(|p| Some(p.low))),
            ("high", number(|p| Some(p.high))),
            ("cost", number(|p| Some(p.cost))),
            ("visits", whole(|p| u64::from(p.visits))),
            ("chosen", whole(|p| u64::from(p.chosen))),
            ("negligible", mark(|p| p.negligible)),
            ("open", mark(|p| p.open)),
            ("in_scope", mark(|p| p.in_scope)),
            ("looks_constrained", mark(|p| p.looks_constrained)),
        ])
    }
}

fn array_of<'py>(
    py: Python<'py>,
    values: impl Iterator<Item = f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    Ok(array(py, values.collect()))
}
