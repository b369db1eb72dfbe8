//! The expert of a file: a policy, demonstrations, or the best that the cost allows.

use crate::index::State;
use crate::io::names::{Names, Reference};
use crate::model::{Cost, Model, Policy, Task, reachable};
use crate::solve::{self, Mdp, Outcome, hard, thrifty};
use crate::{Error, Result};

/// The key of an expert's policy, and what belongs there.
pub(super) const EXPERT: (&str, &str) = (
    "expert",
    "entries [state, action, probability] with finite numbers",
);

/// The key of demonstrations, and what belongs there.
pub(super) const DEMONSTRATIONS: (&str, &str) = ("demonstrations", "entries [state, action]");

/// States whose actions are left out, by state; none if empty.
#[derive(Default)]
pub(super) struct LeftOut(pub(super) Vec<bool>);

impl LeftOut {
    /// Whether what is said of an action in `state` has no meaning.
    pub(super) fn has(&self, names: &Names, state: &Reference) -> bool {
        let at = names.state(String::new, state).ok();
        at.is_some_and(|at| self.0.get(at) == Some(&true))
    }
}

/// Weights of the pairs an expert was said or seen to take, from a file.
pub(super) struct Evidence<'a> {
    model: &'a Model,
    names: &'a Names,
    weight: Vec<Option<f64>>,
}

impl<'a> Evidence<'a> {
    /// No evidence yet.
    pub(super) fn new(model: &'a Model, names: &'a Names) -> Self {
        Self {
            model,
            names,
            weight: vec![None; model.task().pairs()],
        }
    }

    /// `pi_E(action | state) = prob`, said at `place`.
    pub(super) fn say(
        &mut self,
        place: impl Fn() -> String,
        state: &Reference,
        action: &Reference,
        prob: f64,
    ) -> Result<()> {
        let task = self.model.task();
        let pair = self.names.pair(task, &place, state, action)?;
        if !(prob.is_finite() && prob >= 0.0) {
            return Err(Error::invalid(
                place(),
                format!("{prob} is not a probability"),
                "use a finite number of at least 0",
            ));
        }
        if self.weight[pair.at()].replace(prob).is_some() {
            return Err(Error::invalid(
                place(),
                format!("{} is given twice", task.pair_name(pair)),
                "keep one of them",
            ));
        }
        Ok(())
    }

    /// The expert took `action` in `state` once, seen at `place`.
    pub(super) fn see(
        &mut self,
        place: impl Fn() -> String,
        state: &Reference,
        action: &Reference,
    ) -> Result<()> {
        let pair = self.names.pair(self.model.task(), place, state, action)?;
        *self.weight[pair.at()].get_or_insert(0.0) += 1.0;
        Ok(())
    }

    /// The policy that was said.
    pub(super) fn said(self, key: &str) -> Result<Policy> {
        self.complete(key, |w, _| w)
    }

    /// The empirical frequencies `N(s,a) / N(s)` of what was seen.
    pub(super) fn seen(self, key: &str) -> Result<Policy> {
        self.complete(key, |w, total| w / total)
    }

    /// States that cannot be reached need no evidence and get the uniform distribution.
    fn complete(&self, key: &str, prob: impl Fn(f64, f64) -> f64) -> Result<Policy> {
        let task = self.model.task();
        let start = task.start().iter().map(|&(s, _)| s);
        let reachable = reachable(task, self.model.rows(), start, |_| true);
        let mut is_reachable = vec![false; task.states()];
        reachable.iter().for_each(|s| is_reachable[s.at()] = true);
        let mut probs = vec![0.0; task.pairs()];
        for state in task.all_states().filter(|&s| !task.is_terminal(s)) {
            let range = task.pairs_of(state);
            let weights = &self.weight[range.clone()];
            if weights.iter().all(Option::is_none) {
                if is_reachable[state.at()] {
                    return Err(missing(task, key, state));
                }
                probs[range.clone()].fill(1.0 / range.len() as f64);
                continue;
            }
            let total: f64 = weights.iter().flatten().sum();
            for (i, w) in range.zip(weights) {
                probs[i] = w.map_or(0.0, |w| prob(w, total));
            }
        }
        Policy::new(task, probs).map_err(|e| e.within(key))
    }
}

/// The policy that the entries `[state, action, probability]` of the key `expert` give.
pub(super) fn said(
    model: &Model,
    names: &Names,
    entries: &[(Reference, Reference, f64)],
    left_out: &LeftOut,
) -> Result<Policy> {
    let mut evidence = Evidence::new(model, names);
    let entries = entries.iter().enumerate();
    for (i, (s, a, p)) in entries.filter(|(_, (s, ..))| !left_out.has(names, s)) {
        evidence.say(|| format!("expert[{i}]"), s, a, *p)?;
    }
    evidence.said("expert")
}

/// The frequencies of the entries `[state, action]` of the key `demonstrations`.
pub(super) fn demonstrated(
    model: &Model,
    names: &Names,
    entries: &[(Reference, Reference)],
    left_out: &LeftOut,
) -> Result<Policy> {
    let mut evidence = Evidence::new(model, names);
    let entries = entries.iter().enumerate();
    for (i, (s, a)) in entries.filter(|(_, (s, _))| !left_out.has(names, s)) {
        evidence.see(|| format!("demonstrations[{i}]"), s, a)?;
    }
    evidence.seen("demonstrations")
}

fn missing(task: &Task, key: &str, state: State) -> Error {
    let name = match task.state_names().is_empty() {
        true => String::new(),
        false => format!(" ({})", task.state_name(state)),
    };
    Error::invalid(
        key,
        format!(
            "nothing is said about state {}{name}, which can be reached from the start",
            state.at()
        ),
        "add what the expert does there",
    )
}

/// The best policy within the budget, also in states that it never enters: sharing ties for a
/// positive budget, the hard-constrained optimum for 0.
pub fn best_within(model: &Model, cost: &Cost, budget: f64) -> Result<Policy> {
    let mdp = Mdp::of(model);
    if budget > 0.0 {
        return match solve::best_within(&mdp, cost.values(), budget)? {
            Outcome::Optimal(best) => Ok(best.policy),
            Outcome::LimitReached(best) => Err(best.uncertain()),
            Outcome::Infeasible { least_cost } => Err(infeasible(budget, least_cost)),
        };
    }
    match hard(&mdp, cost.values())? {
        Outcome::Optimal(best) | Outcome::LimitReached(best) => Ok(best.policy),
        // Without a future it is enough to pay nothing at the start.
        Outcome::Infeasible { least_cost } if least_cost <= budget => {
            let best = thrifty(&mdp, cost.values())?;
            Ok(Policy::deterministic(model.task(), &best.choice))
        }
        Outcome::Infeasible { least_cost } => Err(infeasible(budget, least_cost)),
    }
}

fn infeasible(budget: f64, least_cost: f64) -> Error {
    Error::invalid(
        "budget",
        format!(
            "no policy keeps the cost within {budget}; the least that can be reached is {least_cost}"
        ),
        "raise the budget, or give the expert's policy or demonstrations",
    )
}
