//! What determines a run, and so tells whether a saved one can be kept.

use crate::Result;
use crate::env::{Cell, Environment};
use crate::fingerprint::Fingerprint;
use crate::model::Dynamics;
use crate::param::Parameters;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// Which run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunId {
    /// Name of the environment.
    pub env: String,
    /// Name of the strategy.
    pub strategy: String,
    /// The seed.
    pub seed: u64,
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} seed {}", self.env, self.strategy, self.seed)
    }
}

/// Everything that determines a run: two runs with the same identity have the same results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Version of the program.
    pub version: String,
    /// Name of the environment.
    pub env: String,
    /// Fingerprint of its definition.
    pub environment: String,
    /// Name of the strategy.
    pub strategy: String,
    /// The seed.
    pub seed: u64,
    /// The parameters that all strategies share.
    pub settings: BTreeMap<String, Value>,
    /// The strategy's own.
    pub strategy_settings: BTreeMap<String, Value>,
    /// Those of this kind of environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment_settings: BTreeMap<String, Value>,
}

impl Identity {
    /// The run that this is.
    pub fn id(&self) -> RunId {
        RunId {
            env: self.env.clone(),
            strategy: self.strategy.clone(),
            seed: self.seed,
        }
    }

    /// The first difference from `other`, in words: what it was there and what it is here.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let named = [
            ("version", &other.version, &self.version),
            ("environment", &other.env, &self.env),
            ("definition", &other.environment, &self.environment),
            ("strategy", &other.strategy, &self.strategy),
        ];
        for (what, was, is) in named {
            if was != is {
                return Some(format!("{what} was {was}, now {is}"));
            }
        }
        if other.seed != self.seed {
            return Some(format!("seed was {}, now {}", other.seed, self.seed));
        }
        let own = format!("{}.", self.strategy);
        first_change("", &other.settings, &self.settings)
            .or_else(|| first_change(&own, &other.strategy_settings, &self.strategy_settings))
            .or_else(|| {
                let (was, is) = (&other.environment_settings, &self.environment_settings);
                first_change("", was, is)
            })
    }
}

fn first_change(
    prefix: &str,
    was: &BTreeMap<String, Value>,
    is: &BTreeMap<String, Value>,
) -> Option<String> {
    let said = |v: Option<&Value>| v.map_or("absent".to_owned(), Value::to_string);
    let mut keys = was.keys().chain(is.keys());
    let key = keys.find(|k| was.get(*k) != is.get(*k))?;
    let (was, is) = (said(was.get(key)), said(is.get(key)));
    Some(format!("{prefix}{key} was {was}, now {is}"))
}

/// Parameters as they are written into files.
pub(super) fn values_of(parameters: &Parameters) -> Result<BTreeMap<String, Value>> {
    let entries = parameters.values().iter();
    entries
        .map(|(name, value)| Ok((String::from(*name), super::manifest::to_value(value)?)))
        .collect()
}

/// The fingerprint of all that defines an environment, its expert included.
pub fn environment_fingerprint(environment: &Environment) -> Fingerprint {
    let (task, truth) = (environment.task(), environment.truth());
    let mut f = Fingerprint::new();
    f.text(environment.name()).whole(environment.horizon());
    f.numbers(&[task.gamma(), truth.budget()]);
    f.whole(task.states()).whole(task.actions());
    for state in task.all_states() {
        f.whole(task.pairs_of(state).start);
    }
    let rows = truth.model().rows();
    for pair in task.all_pairs() {
        let (next, prob) = rows.row(pair);
        f.whole(task.action_of(pair).at()).numbers(prob);
        for &state in next {
            f.whole(state as usize);
        }
    }
    for &(state, p) in task.start() {
        f.whole(state.at()).numbers(&[p]);
    }
    f.numbers(task.reward()).numbers(truth.cost().values());
    f.numbers(truth.expert().probs());
    if let Some(layout) = environment.layout() {
        f.text(&layout.draw(|cell: Cell| layout.symbol(cell)));
    }
    f
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::builtin;

    #[test]
    fn the_fingerprint_follows_the_definition() {
        let of =
            |grid: &crate::env::grid::Grid| environment_fingerprint(&grid.environment().unwrap());
        let grid = builtin::grid("gridworld-1").unwrap();
        assert_eq!(of(&grid), of(&grid.clone()));
        let mut other = grid.clone();
        other.slip = 0.051;
        assert_ne!(of(&grid), of(&other));
        other = grid.clone();
        other.horizon = 49;
        assert_ne!(of(&grid), of(&other));
    }

    #[test]
    fn the_first_difference_is_named() {
        let a = Identity {
            version: "1".into(),
            env: "e".into(),
            environment: "00".into(),
            strategy: "pcse".into(),
            seed: 1,
            settings: BTreeMap::from([("iterations".into(), 200.into())]),
            strategy_settings: BTreeMap::from([("lookahead".into(), 3.0.into())]),
            environment_settings: BTreeMap::new(),
        };
        assert_eq!(a.difference(&a), None);
        let mut b = a.clone();
        b.strategy_settings.insert("lookahead".into(), 2.0.into());
        assert_eq!(b.difference(&a).unwrap(), "pcse.lookahead was 3.0, now 2.0");
        b.settings.insert("iterations".into(), 10.into());
        assert_eq!(b.difference(&a).unwrap(), "iterations was 200, now 10");
    }
}
