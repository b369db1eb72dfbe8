//! Inferring constraints.

use crate::constraint::Constraint;
use crate::environment::Environment;
use crate::error::{OrRaise, exception};
use crate::records::{AnyRecords, dynamics};
use crate::work::work;
use crate::world::{AnyStrategy, AnyWorld};
use hedgerow::Error;
use hedgerow::columns::Column;
use hedgerow::constraint::{Evidence, Named, read_classes};
use hedgerow::env::FiniteWorld;
use hedgerow::io::OpenedTask;
use hedgerow::io::records::{Records, Source};
use hedgerow::io::{classes_file, columns_file};
use hedgerow::model::Task;
use hedgerow::verdict::{
    Assume, Classes, Criteria, CriteriaParams, Goal, Know, Knowledge, Scope, SearchOptions,
    infer as search,
};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// What verdicts are asked for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Asked {
    confidence: f64,
    margin: Option<f64>,
    tolerance: f64,
    assume: String,
    rare: f64,
    scope: Option<String>,
}

/// Tables of the user's: columns that rules may speak of, and classes of pairs.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Tables {
    features: Option<PathBuf>,
    classes: Option<PathBuf>,
}

impl Tables {
    fn read(&self, task: &Task, soft: bool) -> PyResult<(Vec<Column>, Option<Classes>)> {
        let columns = self
            .features
            .as_ref()
            .map(|path| columns_file::read(path, task));
        let classes = self
            .classes
            .as_ref()
            .map(|path| read_classes(path, task, soft));
        Ok((
            columns.transpose().or_raise()?.unwrap_or_default(),
            classes.transpose().or_raise()?,
        ))
    }
}

fn scope(name: Option<&str>, soft: bool) -> PyResult<Scope> {
    match name {
        None => Ok(Scope::usual(soft)),
        Some("visited") => Ok(Scope::Visited),
        Some("all") => Ok(Scope::All),
        Some(other) => Err(unknown("scope", other, "use all or visited")),
    }
}

fn unknown(place: &str, word: &str, remedy: &str) -> PyErr {
    exception(Error::invalid(
        place,
        format!("`{word}` is unknown"),
        remedy,
    ))
}

impl Asked {
    fn criteria(&self, task: &Task, soft: bool) -> PyResult<Criteria> {
        let usual = CriteriaParams::usual_for(task, soft);
        CriteriaParams {
            confidence: self.confidence,
            assume: match self.assume.as_str() {
                "mixed" => Assume::Mixed,
                "ties" => Assume::Ties,
                other => return Err(unknown("assume", other, "use mixed or ties")),
            },
            tolerance: self.tolerance,
            margin: self.margin.unwrap_or(usual.margin),
            rare: self.rare,
            scope: scope(self.scope.as_deref(), soft)?,
        }
        .check()
        .or_raise()
    }
}

/// What is declared of the dynamics, and what the search is for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Beyond<'py> {
    know: Option<String>,
    known: Option<Declared<'py>>,
    eps: Option<f64>,
    explain: bool,
}

/// Where something is declared: a model, or a table of classes.
#[derive(FromPyObject)]
enum Declared<'py> {
    Model(PyRef<'py, Environment>),
    Table(PathBuf),
}

impl Beyond<'_> {
    fn goal(&self, criteria: &Criteria) -> PyResult<Goal> {
        match (self.explain, self.eps) {
            (false, _) => Ok(Goal::Verdicts),
            (true, eps) => Goal::explain(eps.unwrap_or(criteria.margin)).or_raise(),
        }
    }

    fn knowledge(&self, world: &dyn FiniteWorld) -> PyResult<Option<Arc<Knowledge>>> {
        let know = match self.know.as_deref() {
            None => return Ok(None),
            Some("successors") => Know::Successors,
            Some("classes") => Know::Classes,
            Some("dynamics") => Know::Dynamics,
            Some(other) => {
                return Err(unknown(
                    "know",
                    other,
                    "use successors, classes or dynamics",
                ));
            }
        };
        let task = world.task();
        let known = match (&self.known, world.tables()) {
            (Some(Declared::Table(path)), _) => {
                let table = classes_file::read(path, task).or_raise()?;
                Knowledge::from_table(task, &table)
            }
            (Some(Declared::Model(model)), _) => Knowledge::declared_by(&model.0, know, task),
            (None, Some(tables)) => Knowledge::declared_by(tables, know, task),
            (None, None) => Err(Error::invalid(
                "know",
                "this world has no tables of its own",
                "give a model, or a table of classes, as `known`",
            )),
        };
        Ok(Some(Arc::new(known.or_raise()?)))
    }
}

/// Explores a world; the second value says whether the user interrupted it.
#[pyfunction]
#[pyo3(signature = (world, asked, beyond, tables, *, samples, strategy, seed, progress))]
#[expect(clippy::too_many_arguments, reason = "named in Python")]
fn infer(
    py: Python<'_>,
    world: AnyWorld<'_>,
    asked: Asked,
    beyond: Beyond<'_>,
    tables: Tables,
    samples: u64,
    strategy: Option<AnyStrategy>,
    seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Constraint, bool)> {
    let calls_python =
        world.calls_python() || strategy.as_ref().is_some_and(AnyStrategy::calls_python);
    let world = world.world();
    let soft = world.tables().is_some_and(|e| e.truth().budget() > 0.0);
    let criteria = asked.criteria(world.task(), soft)?;
    let inference = criteria.inference(world.task()).or_raise()?;
    let (goal, knowledge) = (beyond.goal(&criteria)?, beyond.knowledge(world.as_ref())?);
    let (columns, classes) = tables.read(world.task(), soft)?;
    let name = strategy.as_ref().map(|s| s.name().to_owned());
    let strategy = strategy.map(|s| s.build(py, &Vec::new())).transpose()?;
    let (found, stopped) = work(py, calls_python, progress.as_ref(), |watch| {
        watch.begin(samples, 0);
        let options = SearchOptions {
            criteria,
            inference,
            classes: classes.clone(),
            strategy,
            samples: Some(samples),
            seed,
            goal,
            knowledge,
            stop: Some(watch.stop.clone()),
        };
        search(world.as_ref(), options, &mut |verdicts| {
            watch.reach(verdicts.samples(), || verdicts.standing(world.task()));
            match watch.stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
    })?;
    let mut evidence = Evidence::explored(world.as_ref(), found, seed);
    evidence.origin.strategy = name;
    (evidence.columns, evidence.classes) = (columns, classes);
    Ok((Constraint::resting_on(&evidence), stopped))
}

/// The constraint that follows from the truth.
#[pyfunction]
#[pyo3(signature = (environment, tables, *, scope))]
fn infer_exact(
    py: Python<'_>,
    environment: &Environment,
    tables: Tables,
    scope: Option<&str>,
) -> PyResult<Constraint> {
    let environment = &environment.0;
    let soft = environment.truth().budget() > 0.0;
    let scope = self::scope(scope, soft)?;
    let (columns, classes) = tables.read(environment.task(), soft)?;
    let found = py.detach(|| {
        let named = Named {
            columns: &columns,
            classes: classes.as_ref(),
        };
        hedgerow::constraint::Constraint::exact_with(environment, scope, &named)
    });
    found.or_raise().map(Constraint::of)
}

/// The constraint that records allow.
#[pyfunction]
#[pyo3(signature = (environment, asked, tables, *, demos, logs, slips))]
fn infer_records(
    py: Python<'_>,
    environment: &Environment,
    asked: Asked,
    tables: Tables,
    demos: Vec<AnyRecords<'_>>,
    logs: Vec<AnyRecords<'_>>,
    slips: f64,
) -> PyResult<Constraint> {
    let known = OpenedTask::from((*environment.0).clone());
    let soft = environment.0.truth().budget() > 0.0;
    let criteria = asked.criteria(&known.task, soft)?;
    let (columns, classes) = tables.read(&known.task, soft)?;
    let mut records = Records::default();
    for (source, given) in [(Source::Expert, &demos), (Source::Log, &logs)] {
        for each in given {
            let read = each.read(&known.task, source, Some(dynamics(environment)));
            records.append(read.or_raise()?);
        }
    }
    let evidence = py.detach(|| Evidence::recorded(&known, records, slips, &criteria));
    let mut evidence = evidence.or_raise()?;
    (evidence.columns, evidence.classes) = (columns, classes);
    evidence.origin.records = demos.iter().chain(&logs).map(AnyRecords::name).collect();
    Ok(Constraint::resting_on(&evidence))
}

/// Adds what is here.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(infer, module)?)?;
    module.add_function(wrap_pyfunction!(infer_exact, module)?)?;
    module.add_function(wrap_pyfunction!(infer_records, module)?)
}
