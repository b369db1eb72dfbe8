//! The answer to "why is this constrained", as a value with text.

use super::{Explanation, ExplanationContext, Witness};
use crate::Result;
use crate::constraint::{Constraint, Evidence, charged, visited_by_expert};
use crate::env::{Cell, Environment, Layout};
use crate::index::{Pair, State};
use crate::io::{find_pair, find_state};
use crate::model::{Dynamics, Task};
use crate::run::Stop;
use crate::text::number;
use crate::verdict::{Scope, Verdict};
use serde::Serialize;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Why entering a state counts as constrained, or why it does not.
    Place(State),
    /// The same of a pair.
    Pair(Pair),
}

impl Question {
    /// The state that `text` names: by its name, its index, or its cell as `ROW,COLUMN`.
    pub fn place(task: &Task, layout: Option<&Layout>, text: &str) -> Result<Self> {
        find_state(task, layout, text).map(Self::Place)
    }

    /// The pair that `text` names: a state as in [`Self::place`], a comma, and an action by name or
    /// index.
    pub fn pair(task: &Task, layout: Option<&Layout>, text: &str) -> Result<Self> {
        find_pair(task, layout, text).map(Self::Pair)
    }
}

/// What shows why.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Shows {
    /// Every move into a place, and what shows the best of them.
    Place(Explanation),
    /// What shows the advantage of a pair; nothing if it was never tried.
    Pair(Option<Witness>),
}

/// An answer with all that its text needs.
///
/// ```
/// use hedgerow::env::builtin;
/// use hedgerow::explain::{Answer, Question};
/// use hedgerow::verdict::Scope;
///
/// let environment = builtin::environment("gridworld-3")?;
/// let wall = Question::place(environment.task(), environment.layout(), "3,1")?;
/// let answer = Answer::exact(&environment, Scope::All, wall)?;
/// let text = answer.text(hedgerow::text::WIDTH);
/// assert!(text.starts_with("gridworld-3: explained with known dynamics\n"));
/// assert!(text.contains("every way in is constrained") || text.contains("the expert leaves"));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The name of the environment.
    pub env: String,
    /// Whether the truth was asked, rather than samples or a saved constraint.
    pub exact: bool,
    /// What shows why.
    #[serde(flatten)]
    pub shows: Shows,
    /// What the text begins with: where the answer comes from, and what is promised.
    #[serde(skip)]
    pub title: String,
    #[serde(skip)]
    pub(super) drawing: Option<Drawing>,
}

impl Answer {
    /// With the true dynamics and the expert's policy; verdicts in the states of `scope`.
    pub fn exact(environment: &Environment, scope: Scope, question: Question) -> Result<Self> {
        let mut context = ExplanationContext::exact(environment)?;
        let limited = scope == Scope::Visited;
        if limited {
            context.limit_to(&visited_by_expert(environment));
        }
        let title = format!(
            "{}: explained with known dynamics\n{}{}",
            environment.name(),
            note(environment.truth().budget()),
            match limited {
                true =>
                    "Verdicts are limited to states that the expert visits; --scope all asks for the others.\n",
                false => "",
            }
        );
        Ok(Self {
            env: environment.name().to_owned(),
            exact: true,
            shows: shows(&context, question, charged(environment).as_deref())?,
            title,
            drawing: drawing(environment.layout(), None),
        })
    }

    /// With the verdicts of a constraint that was saved as `file`, and the environment's dynamics to
    /// show why.
    pub fn saved(
        environment: &Environment,
        saved: &Constraint,
        file: &str,
        question: Question,
    ) -> Result<Self> {
        let task = environment.task();
        let known = saved.verdicts_in(task).map_err(|e| e.within(file))?;
        let mut context = ExplanationContext::exact(environment)?;
        context.take_verdicts(&known);
        let title = format!(
            "{}: explained with the verdicts of {file}; numbers are those of the true dynamics\n{}\n",
            environment.name(),
            saved.promise
        );
        let shows = shows(&context, question, charged(environment).as_deref())?;
        let on_states = saved.entering(task)?;
        let found = on_states.iter().map(|&x| constrained_or_not(x)).collect();
        Ok(Self {
            env: environment.name().to_owned(),
            exact: false,
            shows,
            title,
            drawing: drawing(environment.layout(), Some(found)),
        })
    }

    /// With what was learned from samples, and the verdicts that rest on it.
    pub fn learned(evidence: &Evidence, question: Question) -> Result<Self> {
        let layout = evidence.layout.as_ref();
        let (learner, verdicts) = (&evidence.learner, &evidence.verdicts);
        let context =
            ExplanationContext::with_verdicts(learner, layout, evidence.horizon, verdicts);
        let criteria = verdicts.criteria();
        let title = format!(
            "{}: explained from {} samples{}; advantages within {} count as none\n{}\n",
            evidence.env,
            verdicts.samples(),
            cut(evidence),
            number(criteria.margin),
            criteria.promise()
        );
        Ok(Self {
            env: evidence.env.clone(),
            exact: false,
            shows: shows(&context, question, evidence.charged.as_deref())?,
            title,
            drawing: drawing(layout, Some(verdicts.on_states(learner))),
        })
    }
}

/// The answer for any context, exact or learned. `charged` says whether the true cost charges a
/// state, where that is known.
fn shows<D: Dynamics>(
    context: &ExplanationContext<D>,
    question: Question,
    charged: Option<&[bool]>,
) -> Result<Shows> {
    match question {
        Question::Place(state) => {
            let truth = charged.map(|c| c[state.at()]);
            context.explain(state, truth).map(Shows::Place)
        }
        Question::Pair(pair) => context.witness(pair).map(Shows::Pair),
    }
}

fn constrained_or_not(constrained: bool) -> Verdict {
    match constrained {
        true => Verdict::Constrained,
        false => Verdict::Undecided,
    }
}

/// How the search ended, if not by deciding everything.
fn cut(evidence: &Evidence) -> &'static str {
    match evidence.origin.stop {
        Some(Stop::Interrupted) => " (interrupted)",
        Some(Stop::Samples) => " (all there were; some verdicts are open)",
        _ => "",
    }
}

/// What an explanation by hard constraints leaves out.
fn note(budget: f64) -> String {
    match budget > 0.0 {
        true => format!(
            "The expert has a budget of {}: constrained is what costs more than its own way, not what costs anything.\n",
            number(budget)
        ),
        false => String::new(),
    }
}

/// A map to draw on: with the true constraint, or with what was found out.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    pub(super) layout: Layout,
    found: Option<Vec<Verdict>>,
}

fn drawing(layout: Option<&Layout>, found: Option<Vec<Verdict>>) -> Option<Drawing> {
    let layout = layout?.clone();
    Some(Drawing { layout, found })
}

impl Drawing {
    pub(super) fn symbol(&self, cell: Cell) -> char {
        let symbol = self.layout.symbol(cell);
        let Some(found) = &self.found else {
            return symbol;
        };
        let mut states = self.layout.states_at(cell).iter();
        if states.any(|s| found[s.at()] == Verdict::Constrained) {
            return 'x';
        }
        // The true constraint is not drawn here.
        if symbol == 'x' { '.' } else { symbol }
    }
}
