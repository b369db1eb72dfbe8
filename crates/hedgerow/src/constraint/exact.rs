//! A constraint from the true dynamics and the expert's policy.

use super::{Constraint, ConstraintPair, FORMAT, Method, Named, Places, Source};
use crate::Result;
use crate::costset::{advantage, canonical_within};
use crate::env::{Environment, Layout};
use crate::index::Pair;
use crate::model::{Task, entered, reached};
use crate::results::LayoutFile;
use crate::verdict::{Scope, Verdict, on_states};

/// The largest inferred cost; only the proportions of a cost can be inferred.
const COST_MAX: f64 = 1.0;

/// What is promised where nothing is left to chance.
const PROMISE: &str = "With these dynamics and this expert, every constrained pair earns more than the expert, which never takes it, and no pair with nothing to gain earns more than the expert.";

/// The states that the expert visits, from the start and however rarely.
pub fn visited_by_expert(environment: &Environment) -> Vec<bool> {
    let truth = environment.truth();
    reached(environment.task(), truth.model().rows(), |pair| {
        truth.expert().prob(pair) > 0.0
    })
}

impl Constraint {
    /// What explains the expert of `environment`, with known dynamics.
    pub fn exact(environment: &Environment, scope: Scope) -> Result<Self> {
        Self::exact_with(environment, scope, &Named::default())
    }

    /// The same, summed up by what the user has named.
    // Long: one field of the file after the other.
    pub fn exact_with(environment: &Environment, scope: Scope, named: &Named) -> Result<Self> {
        let (task, truth) = (environment.task(), environment.truth());
        let advantage = advantage(truth.model(), truth.expert())?;
        let in_scope = in_scope(environment, scope);
        let cost = canonical_within(truth.model(), truth.expert(), COST_MAX, &in_scope)?;
        let known_states = in_scope_of_all(environment);
        let verdict = |pair: Pair| match truth.expert().prob(pair) > 0.0 {
            true => Verdict::Taken,
            false if !in_scope[task.state_of(pair).at()] => Verdict::Undecided,
            false if cost.at(pair) > 0.0 => Verdict::Constrained,
            false => Verdict::NoGain,
        };
        let entry = |pair: Pair| {
            let state = task.state_of(pair);
            let verdict = verdict(pair);
            let cost = if verdict == Verdict::Constrained {
                cost.at(pair)
            } else {
                0.0
            };
            ConstraintPair {
                in_scope: in_scope[state.at()],
                ..known(task, pair, verdict, (advantage[pair.at()], cost))
            }
        };
        let pairs: Vec<ConstraintPair> = task.all_pairs().map(entry).collect();
        let count = |verdict| pairs.iter().filter(|p| p.verdict == verdict).count();
        let rows = truth.model().rows();
        let charged: Vec<bool> = pairs.iter().map(|p| p.cost > 0.0).collect();
        let places = Places::new(
            task,
            &on_states(task, rows, |p| {
                known_states[task.state_of(p).at()].then(|| verdict(p))
            }),
            &entered(task, rows, &charged),
            &vec![false; task.states()],
        );
        let layout = environment.layout();
        Ok(Self {
            know: None,
            samples_until_constrained: None,
            others_gain_at_most: None,
            explained: None,
            least_samples: None,
            format: FORMAT.to_owned(),
            env: environment.name().to_owned(),
            source: Source::new(Method::Exact, 0),
            state_names: task.all_states().map(|s| task.state_name(s)).collect(),
            action_names: task.action_names().to_vec(),
            promise: PROMISE.to_owned(),
            criteria: None,
            scope,
            constrained: count(Verdict::Constrained),
            taken: count(Verdict::Taken),
            no_gain: count(Verdict::NoGain),
            undecided: count(Verdict::Undecided),
            negligible: 0,
            open: 0,
            unreached_states: unreached(task, &known_states),
            cells: layout.map(|layout| places.cells(layout)),
            states: layout
                .is_none_or(Layout::shares_cells)
                .then(|| places.indices()),
            warnings: Vec::new(),
            contradictions: Vec::new(),
            layout: layout.map(LayoutFile::new),
            rules: Vec::new(),
            unruled: 0,
            classes: Vec::new(),
            pairs,
            seen: None,
            checksum: None,
        }
        .named(task, rows, named))
    }
}

/// Whether pairs of each state get verdicts: none do where nobody can come.
fn in_scope(environment: &Environment, scope: Scope) -> Vec<bool> {
    match scope {
        Scope::All => in_scope_of_all(environment),
        Scope::Visited => visited_by_expert(environment),
    }
}

/// The states that can be reached from the start.
fn in_scope_of_all(environment: &Environment) -> Vec<bool> {
    let rows = environment.truth().model().rows();
    reached(environment.task(), rows, |_| true)
}

fn unreached(task: &Task, reached: &[bool]) -> Vec<usize> {
    let live = task.all_states().filter(|&s| !task.is_terminal(s));
    live.map(|s| s.at()).filter(|&s| !reached[s]).collect()
}

/// A pair of which all is known.
fn known(
    task: &Task,
    pair: Pair,
    verdict: Verdict,
    (advantage, cost): (f64, f64),
) -> ConstraintPair {
    let state = task.state_of(pair);
    ConstraintPair {
        state: state.at(),
        state_name: task.state_name(state),
        action: task.action_name(task.action_of(pair)).to_owned(),
        verdict,
        estimate: Some(advantage),
        low: advantage,
        high: advantage,
        cost,
        visits: 0,
        chosen: 0,
        negligible: false,
        open: false,
        in_scope: true,
        looks_constrained: verdict == Verdict::Constrained,
        class: None,
    }
}
