//! The answer: verdicts on pairs and places, for programs.

use super::evidence::Evidence;
use super::report_text;
use hedgerow::env::Cell;
use hedgerow::index::{Pair, State};
use hedgerow::learn::{Contradiction, Learner};
use hedgerow::model::{Task, entered};
use hedgerow::run::Stop;
use hedgerow::verdict::{Criteria, Verdict, Verdicts, looks_constrained};
use serde::Serialize;

/// The answer.
#[derive(Serialize)]
pub struct Report {
    format: &'static str,
    pub(super) env: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stop: Option<Stop>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    pub(super) samples: u64,
    #[serde(flatten)]
    pub(super) criteria: Criteria,
    pub(super) constrained: usize,
    pub(super) taken: usize,
    pub(super) no_gain: usize,
    pub(super) undecided: usize,
    /// Undecided pairs whose advantage is surely within the margin.
    pub(super) negligible: usize,
    /// Undecided pairs that matter, in states that were reached.
    pub(super) open: usize,
    pub(super) unreached_states: Vec<usize>,
    /// Whether anything that was tried earns something, at once or later.
    pub(super) earns: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<Places<[usize; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<Places<usize>>,
    pub(super) warnings: Vec<String>,
    contradictions: Vec<Torn>,
    pub(super) pairs: Vec<Row>,
    #[serde(skip)]
    pub(super) drawing: Option<String>,
}

/// Places by verdict on entering them, and the best guess.
#[derive(Serialize)]
struct Places<T> {
    constrained: Vec<T>,
    taken: Vec<T>,
    no_gain: Vec<T>,
    undecided: Vec<T>,
    /// Places that pairs lead to which look constrained: an estimate without a promise.
    guessed: Vec<T>,
}

/// A pair and its verdict.
#[derive(Serialize)]
pub struct Row {
    state: usize,
    pub(super) state_name: String,
    pub(super) action: String,
    pub(super) verdict: Verdict,
    pub(super) estimate: Option<f64>,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) visits: u32,
    chosen: u32,
    pub(super) negligible: bool,
    /// Undecided, in a state that was reached, and not negligible.
    pub(super) open: bool,
    /// Better than the expert by three standard errors: an estimate without a promise.
    pub(super) looks_constrained: bool,
}

/// A state in which the expert was seen to choose actions of different values.
#[derive(Serialize)]
struct Torn {
    state: usize,
    state_name: String,
    gap: f64,
    choices: Vec<Chosen>,
}

/// What the expert chose there.
#[derive(Serialize)]
struct Chosen {
    action: String,
    times: u32,
    value: f64,
}

impl Torn {
    fn new(task: &Task, torn: &Contradiction) -> Self {
        let chosen = |c: &hedgerow::learn::Choice| Chosen {
            action: task.action_name(task.action_of(c.pair)).to_owned(),
            times: c.times,
            value: c.q,
        };
        Self {
            state: torn.state.at(),
            state_name: task.state_name(torn.state),
            gap: torn.gap,
            choices: torn.choices.iter().map(chosen).collect(),
        }
    }
}

impl Report {
    /// The answer that the evidence gives.
    pub fn new(evidence: &Evidence) -> Self {
        let (learner, verdicts) = (&evidence.learner, &evidence.verdicts);
        let layout = evidence.layout.as_ref();
        let task = learner.task();
        let on_states = verdicts.on_states(learner);
        let looks = looks_constrained(learner);
        let guess = entered(task, learner.estimate(), &looks);
        let is_at = |s: State, verdict| on_states[s.at()] == verdict && !task.is_terminal(s);
        let at = |verdict| {
            task.all_states()
                .filter(move |&s| is_at(s, verdict))
                .collect()
        };
        let places = Places {
            constrained: at(Verdict::Constrained),
            taken: at(Verdict::Taken),
            no_gain: at(Verdict::NoGain),
            undecided: at(Verdict::Undecided),
            guessed: task.all_states().filter(|s| guess[s.at()]).collect(),
        };
        let mut warnings = evidence.warnings.clone();
        warnings.extend(contradiction(verdicts, |s| task.state_name(s)));
        let unreached = |s: &State| !verdicts.is_seen(*s) && !task.is_terminal(*s);
        let surely_small = verdicts.all().iter();
        Self {
            format: "hedgerow-verdicts/1",
            env: evidence.env.clone(),
            stop: evidence.stop,
            seed: evidence.seed,
            samples: verdicts.samples(),
            criteria: *verdicts.criteria(),
            constrained: verdicts.count(Verdict::Constrained),
            taken: verdicts.count(Verdict::Taken),
            no_gain: verdicts.count(Verdict::NoGain),
            undecided: verdicts.count(Verdict::Undecided),
            negligible: surely_small
                .filter(|f| f.verdict == Verdict::Undecided && f.negligible)
                .count(),
            open: verdicts.open(task).count(),
            earns: task
                .all_pairs()
                .any(|p| learner.estimate().visits(p) > 0 && learner.q(p) != 0.0),
            unreached_states: task.all_states().filter(unreached).map(State::at).collect(),
            cells: layout.map(|layout| {
                let cell = |s| layout.cell_of(s).map(|c: Cell| [c.row, c.column]);
                places.named(cell)
            }),
            states: match layout {
                Some(_) => None,
                None => Some(places.named(|s| Some(s.at()))),
            },
            warnings,
            contradictions: evidence
                .contradictions
                .iter()
                .map(|c| Torn::new(task, c))
                .collect(),
            pairs: rows(learner, verdicts, &looks),
            drawing: layout.map(|layout| report_text::draw(layout, &on_states, &guess)),
        }
    }
}

impl Places<State> {
    fn named<T: Ord>(&self, name: impl Fn(State) -> Option<T>) -> Places<T> {
        let sorted = |states: &[State]| {
            let mut names: Vec<T> = states.iter().filter_map(|&s| name(s)).collect();
            names.sort_unstable();
            names
        };
        Places {
            constrained: sorted(&self.constrained),
            taken: sorted(&self.taken),
            no_gain: sorted(&self.no_gain),
            undecided: sorted(&self.undecided),
            guessed: sorted(&self.guessed),
        }
    }
}

fn rows(learner: &Learner, verdicts: &Verdicts, looks: &[bool]) -> Vec<Row> {
    let task = learner.task();
    let row = |pair: Pair| {
        let (state, finding) = (task.state_of(pair), verdicts.at(pair));
        Row {
            state: state.at(),
            state_name: task.state_name(state),
            action: task.action_name(task.action_of(pair)).to_owned(),
            verdict: finding.verdict,
            estimate: finding.estimate,
            low: finding.low,
            high: finding.high,
            visits: finding.visits,
            chosen: finding.chosen,
            negligible: finding.negligible,
            open: finding.is_open() && verdicts.is_seen(state),
            looks_constrained: looks[pair.at()],
        }
    };
    task.all_pairs().map(row).collect()
}

fn contradiction(verdicts: &Verdicts, name: impl Fn(State) -> String) -> Option<String> {
    let first = verdicts.contradicted().first()?;
    Some(format!(
        "no value fits what was seen in {} of the states, the first one {}: the expert is not as --assume says, or transitions were selected by their outcome",
        verdicts.contradicted().len(),
        name(*first)
    ))
}
