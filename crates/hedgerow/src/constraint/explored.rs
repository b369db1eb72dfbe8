//! A constraint from samples: explored, or recorded.

use super::{Constraint, ConstraintPair, FORMAT, Method, Named, Places, Source, Torn, TornChoice};
use crate::env::Layout;
use crate::index::{Pair, State};
use crate::learn::{Contradiction, Learner};
use crate::model::{END, Task, entered};
use crate::results::LayoutFile;
use crate::run::Stop;
use crate::verdict::{Explained, Know, Milestone, Verdict, Verdicts, looks_constrained};
use std::collections::HashSet;

/// Where samples come from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// Why exploring ended; none for records.
    pub stop: Option<Stop>,
    /// The seed of exploring; none for records.
    pub seed: Option<u64>,
    /// Who chose what to sample, if not what open verdicts hang on.
    pub strategy: Option<String>,
    /// The files of records; none for exploring.
    pub records: Vec<String>,
    /// When the last pair was found to be constrained.
    pub milestone: Option<Milestone>,
    /// When every pair got its verdict; none for records.
    pub decided_after: Vec<u64>,
    /// How well the constraint explains the expert, if that was asked.
    pub explained: Option<Explained>,
    /// What was declared of the dynamics.
    pub know: Option<Know>,
}

/// What else belongs to an answer from samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Background<'a> {
    /// Where the states lie on a grid.
    pub layout: Option<&'a Layout>,
    /// What the reader should know about the data.
    pub warnings: &'a [String],
    /// Where demonstrations contradict each other.
    pub contradictions: &'a [Contradiction],
    /// What the user has named.
    pub named: Named<'a>,
}

impl Constraint {
    /// What follows from the samples of `learner` in the environment called `env`.
    pub fn explored(
        env: &str,
        learner: &Learner,
        verdicts: &Verdicts,
        origin: Origin,
        background: Background,
    ) -> Self {
        let task = learner.task();
        let on_states = verdicts.on_states(learner);
        let looks = looks_constrained(learner);
        let guess = entered(task, learner.estimate(), &looks);
        let known_by_ends = known_by_ends(task, verdicts);
        let places = Places::new(task, &on_states, &guess, &known_by_ends);
        let mut warnings = background.warnings.to_vec();
        warnings.extend(contradiction(task, verdicts));
        let unreached =
            |s: &State| !verdicts.is_seen(*s) && !task.is_terminal(*s) && !known_by_ends[s.at()];
        let criteria = *verdicts.criteria();
        Self {
            pairs: pairs(learner, verdicts, &looks, &origin.decided_after),
            format: FORMAT.to_owned(),
            env: env.to_owned(),
            samples_until_constrained: origin.milestone.map(|m| m.samples),
            others_gain_at_most: origin.milestone.map(|m| m.others_gain_at_most),
            explained: origin.explained,
            know: origin.know,
            least_samples: None,
            source: source(origin, verdicts.samples()),
            state_names: task.all_states().map(|s| task.state_name(s)).collect(),
            action_names: task.action_names().to_vec(),
            promise: criteria.promise(),
            criteria: Some(criteria),
            scope: criteria.scope,
            constrained: verdicts.count(Verdict::Constrained),
            taken: verdicts.count(Verdict::Taken),
            no_gain: verdicts.count(Verdict::NoGain),
            undecided: verdicts.count(Verdict::Undecided),
            negligible: negligible(verdicts),
            open: verdicts.open(task).count(),
            unreached_states: task.all_states().filter(unreached).map(State::at).collect(),
            cells: background.layout.map(|layout| places.cells(layout)),
            states: background
                .layout
                .is_none_or(Layout::shares_cells)
                .then(|| places.indices()),
            warnings,
            contradictions: background
                .contradictions
                .iter()
                .map(|c| torn(task, c))
                .collect(),
            rules: Vec::new(),
            unruled: 0,
            classes: Vec::new(),
            layout: background.layout.map(LayoutFile::new),
            seen: Some(learner.seen()),
            checksum: None,
        }
        .named(task, learner.estimate(), &background.named)
    }
}

fn negligible(verdicts: &Verdicts) -> usize {
    let all = verdicts.all().iter();
    all.filter(|f| f.verdict == Verdict::Undecided && f.negligible)
        .count()
}

fn source(origin: Origin, samples: u64) -> Source {
    let method = match origin.stop {
        Some(_) => Method::Exploring,
        None => Method::Records,
    };
    Source {
        stop: origin.stop,
        seed: origin.seed,
        strategy: origin.strategy,
        records: origin.records,
        ..Source::new(method, samples)
    }
}

/// States that were reached, and never but by the end of an episode: only their twins were entered.
fn known_by_ends(task: &Task, verdicts: &Verdicts) -> Vec<bool> {
    let names = task.state_names();
    let ended: HashSet<&str> = task
        .all_states()
        .filter(|&s| task.is_terminal(s) && verdicts.is_seen(s))
        .filter_map(|s| names.get(s.at())?.strip_suffix(END))
        .collect();
    let is_ended = |s: State| {
        let name = names.get(s.at()).map(String::as_str);
        !verdicts.is_seen(s) && name.is_some_and(|n| ended.contains(n))
    };
    task.all_states().map(is_ended).collect()
}

fn pairs(
    learner: &Learner,
    verdicts: &Verdicts,
    looks: &[bool],
    decided_after: &[u64],
) -> Vec<ConstraintPair> {
    let task = learner.task();
    let cost = learner.cost();
    let entry = |pair: Pair| {
        let (state, found) = (task.state_of(pair), verdicts.at(pair));
        ConstraintPair {
            state: state.at(),
            state_name: task.state_name(state),
            action: task.action_name(task.action_of(pair)).to_owned(),
            verdict: found.verdict,
            estimate: found.estimate,
            low: found.low,
            high: found.high,
            cost: cost[pair.at()],
            visits: found.visits,
            chosen: found.chosen,
            negligible: found.negligible,
            open: found.is_open() && verdicts.is_seen(state) && !verdicts.is_settled(pair),
            in_scope: found.in_scope,
            looks_constrained: looks[pair.at()],
            decided_after: match found.verdict {
                Verdict::Undecided => None,
                _ => decided_after.get(pair.at()).copied(),
            },
            class: None,
        }
    };
    task.all_pairs().map(entry).collect()
}

fn torn(task: &Task, torn: &Contradiction) -> Torn {
    let choice = |c: &crate::learn::Choice| TornChoice {
        action: task.action_name(task.action_of(c.pair)).to_owned(),
        times: c.times,
        value: c.q,
    };
    Torn {
        state: torn.state.at(),
        state_name: task.state_name(torn.state),
        gap: torn.gap,
        choices: torn.choices.iter().map(choice).collect(),
    }
}

fn contradiction(task: &Task, verdicts: &Verdicts) -> Option<String> {
    let first = verdicts.contradicted().first()?;
    Some(format!(
        "no value fits what was seen in {} of the states, the first one {}: the expert is not as --assume says, or transitions were selected by their outcome",
        verdicts.contradicted().len(),
        task.state_name(*first)
    ))
}
