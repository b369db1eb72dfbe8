//! What determines a run.

use crate::param::Values;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunId {
    /// Name of the environment.
    pub env: String,
    /// Name of the strategy or variant, under which the run is filed.
    pub strategy: String,
    /// The seed.
    pub seed: u64,
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} seed {}", self.env, self.strategy, self.seed)
    }
}

/// Everything that determines a run: two runs with the same specification have the same results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    /// Version of the program.
    pub version: String,
    /// Environment, strategy and seed.
    #[serde(flatten)]
    pub id: RunId,
    /// Name of the domain.
    pub domain: String,
    /// Fingerprint of the environment's definition.
    pub environment: String,
    /// The parameters of the run loop ([`crate::run::PARAMETERS`]) and of the domain.
    pub settings: Values,
    /// The strategy's own.
    pub strategy_settings: Values,
    /// The strategy, if the run is filed under the name of a variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant_of: Option<String>,
}

impl RunSpec {
    /// Name of the strategy that does the run.
    pub fn strategy(&self) -> &str {
        self.variant_of.as_ref().unwrap_or(&self.id.strategy)
    }

    /// The first difference from `other`, in words: what it was there and what it is here.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let named = [
            ("version", &other.version, &self.version),
            ("environment", &other.id.env, &self.id.env),
            ("domain", &other.domain, &self.domain),
            ("definition", &other.environment, &self.environment),
            ("strategy", &other.id.strategy, &self.id.strategy),
        ];
        for (what, was, is) in named {
            if was != is {
                return Some(format!("{what} was {was}, now {is}"));
            }
        }
        if other.strategy() != self.strategy() {
            let (name, was, is) = (&self.id.strategy, other.strategy(), self.strategy());
            return Some(format!("{name} was a variant of {was}, now of {is}"));
        }
        if other.id.seed != self.id.seed {
            return Some(format!("seed was {}, now {}", other.id.seed, self.id.seed));
        }
        if let Some((key, was, is)) = self.settings.difference(&other.settings) {
            return Some(format!("{key} was {was}, now {is}"));
        }
        let own = &self.strategy_settings;
        let (key, was, is) = own.difference(&other.strategy_settings)?;
        let strategy = &self.id.strategy;
        Some(format!("{strategy}.{key} was {was}, now {is}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Value;

    #[test]
    fn the_first_difference_is_named() {
        let values = |name: &str, value| {
            let mut values = Values::default();
            values.insert(name, value);
            values
        };
        let a = RunSpec {
            version: "1".into(),
            id: RunId {
                env: "e".into(),
                strategy: "pcse".into(),
                seed: 1,
            },
            domain: "finite".into(),
            environment: "00".into(),
            settings: values("iterations", Value::Whole(200)),
            strategy_settings: values("lookahead", Value::Number(3.0)),
            variant_of: None,
        };
        assert_eq!(a.difference(&a), None);
        let mut b = a.clone();
        b.strategy_settings.insert("lookahead", Value::Number(2.5));
        assert_eq!(b.difference(&a).unwrap(), "pcse.lookahead was 3, now 2.5");
        b.settings.insert("iterations", Value::Whole(10));
        assert_eq!(b.difference(&a).unwrap(), "iterations was 200, now 10");
        b.variant_of = Some("bear".into());
        assert_eq!(
            b.difference(&a).unwrap(),
            "pcse was a variant of pcse, now of bear"
        );
        let text = serde_json::to_string(&b).unwrap();
        assert_eq!(serde_json::from_str::<RunSpec>(&text).unwrap(), b);
    }
}
