//! What a constraint rests on: samples from exploring a world, or records.

use super::{Background, Constraint, Named, Origin};
use crate::columns::Column;
use crate::env::{FiniteWorld, Layout};
use crate::index::Pair;
use crate::io::OpenedTask;
use crate::io::records::Records;
use crate::learn::{Contradiction, Learner, contradictions};
use crate::model::Task;
use crate::run::Stop;
use crate::verdict::{Classes, Criteria, Inferred, Verdicts};
use crate::{Error, Result};

/// Places named in a warning; the constraint has them all.
const NAMED: usize = 3;

/// The longest way drawn in a model that has no horizon of its own.
const HORIZON: usize = 1_000;

/// Samples, and the verdicts that rest on them.
///
/// ```
/// use hedgerow::constraint::Evidence;
/// use hedgerow::index::{Pair, State};
/// use hedgerow::io::{self, records::Records};
/// use hedgerow::verdict::CriteriaParams;
///
/// let known = io::open_task("gridworld-3")?;
/// let criteria = CriteriaParams::usual_for(&known.task, false).check()?;
/// // Usually read from files: `Records::read_files`.
/// let records = Records {
///     transitions: vec![(Pair(0), State(1))],
///     choices: vec![Pair(0)],
///     ..Records::default()
/// };
/// let evidence = Evidence::recorded(&known, records, 0.0, &criteria)?;
/// assert!(evidence.text().starts_with("gridworld-3: no reward was reached in 1 recorded"));
/// assert_eq!(evidence.constraint().taken, 1);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The name of the model.
    pub env: String,
    /// Where its states lie.
    pub layout: Option<Layout>,
    /// The longest episode.
    pub horizon: usize,
    /// Whether the true cost charges each state, where that is known.
    pub charged: Option<Vec<bool>>,
    /// Where the samples come from.
    pub origin: Origin,
    /// All that was seen.
    pub learner: Learner,
    /// What follows from it.
    pub verdicts: Verdicts,
    /// What the reader should know about the data.
    pub warnings: Vec<String>,
    /// Where demonstrations contradict each other.
    pub contradictions: Vec<Contradiction>,
    /// Columns of pairs that rules may speak of.
    pub columns: Vec<Column>,
    /// Classes of pairs that are declared to be forbidden as a whole or not at all.
    pub classes: Option<Classes>,
}

impl Evidence {
    /// What a search in `world` has found, all its randomness drawn from `seed`.
    pub fn explored(world: &dyn FiniteWorld, found: Inferred, seed: u64) -> Self {
        Self {
            env: world.name().to_owned(),
            layout: world.layout().cloned(),
            horizon: world.horizon(),
            charged: charged(world),
            origin: Origin {
                stop: Some(found.stop),
                seed: Some(seed),
                milestone: found.milestone,
                explained: found.explained,
                know: found.knowledge.as_ref().map(|k| k.know()),
                ..Origin::default()
            },
            learner: found.learner,
            verdicts: found.verdicts,
            warnings: found.contradiction.iter().map(|why| broken(why)).collect(),
            contradictions: Vec::new(),
            columns: Vec::new(),
            classes: None,
        }
    }

    /// What `records` show of the task. Choices of the expert that are made in less than the share
    /// `slips` of the visits to a state are taken for mistakes, and left out.
    pub fn recorded(
        known: &OpenedTask,
        records: Records,
        slips: f64,
        criteria: &Criteria,
    ) -> Result<Self> {
        let task = &known.task;
        if task.observed_rewards().is_some() {
            return Err(Error::invalid(
                "records",
                "they tell no rewards, and those of this task are not known beforehand",
                "use a task with its rewards",
            ));
        }
        if records.choices.is_empty() {
            return Err(Error::invalid(
                "demonstrations",
                "the records hold no choice of the expert",
                "give demonstrations, or logs with a column `expert_action`",
            ));
        }
        let (kept, mistakes) = records.without_slips(task, slips)?;
        let mut warnings = Vec::new();
        if !mistakes.is_empty() {
            let times: u32 = mistakes.iter().map(|s| s.times).sum();
            let places = mistakes.iter().map(|s| task.pair_name(s.pair));
            warnings.push(format!(
                "{times} choices of the expert taken for mistakes, at {}",
                named(places)
            ));
        }
        let mut learner = Learner::new(task.clone(), criteria.inference(task)?);
        kept.feed(&mut learner);
        let contradictions = contradictions(&learner, criteria.tolerance);
        warnings.extend(torn_apart(task, &contradictions));
        let environment = known.environment.as_ref();
        Ok(Self {
            env: known.name.clone(),
            layout: known.layout.clone(),
            horizon: environment.map_or(HORIZON, FiniteWorld::horizon),
            charged: environment.and_then(|e| charged(e)),
            origin: Origin::default(),
            verdicts: Verdicts::of(&learner, criteria),
            learner,
            warnings,
            contradictions,
            columns: Vec::new(),
            classes: None,
        })
    }

    /// Whether exploring was cut short from outside.
    pub fn is_interrupted(&self) -> bool {
        self.origin.stop == Some(Stop::Interrupted)
    }

    /// What is saved, and read by other programs.
    pub fn constraint(&self) -> Constraint {
        Constraint::explored(
            &self.env,
            &self.learner,
            &self.verdicts,
            self.origin.clone(),
            Background {
                layout: self.layout.as_ref(),
                warnings: &self.warnings,
                contradictions: &self.contradictions,
                named: Named {
                    columns: &self.columns,
                    classes: self.classes.as_ref(),
                },
            },
        )
    }

    /// The constraint as text.
    pub fn text(&self) -> String {
        self.constraint().text(self.learner.has_earned())
    }
}

/// Whether the true cost charges each state; `None` if there is none, or it is not known.
pub fn charged(world: &dyn FiniteWorld) -> Option<Vec<bool>> {
    let task = world.task();
    let pays = |pair: Pair| world.true_cost(pair).is_some_and(|c| c > 0.0);
    let charges = |state| task.pairs_of(state).map(Pair::new).any(pays);
    let any = task.all_pairs().any(pays);
    any.then(|| task.all_states().map(charges).collect())
}

fn broken(why: &str) -> String {
    format!("what was declared of the dynamics is wrong, and the answer does without it: {why}")
}

fn torn_apart(task: &Task, torn: &[Contradiction]) -> Option<String> {
    let first = torn.first()?;
    let choices = first.choices.iter().map(|c| {
        let action = task.action_name(task.action_of(c.pair));
        format!("{action} {} times, value {:.4}", c.times, c.q)
    });
    let choices: Vec<String> = choices.collect();
    let others = match torn.len() {
        1 => String::new(),
        _ => {
            let names = torn[1..].iter().map(|c| task.state_name(c.state));
            format!(" (and in {})", named(names))
        }
    };
    Some(format!(
        "the demonstrations contradict each other in {}: {}{others}; --tolerance forgives small differences, --slips drops rare choices, and steps of others belong into --logs",
        task.state_name(first.state),
        choices.join(", "),
    ))
}

fn named(places: impl ExactSizeIterator<Item = String>) -> String {
    let more = places.len().saturating_sub(NAMED);
    let mut text = places.take(NAMED).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}
