//! Variants: one strategy several times in a sweep, each with parameters of its own.
//!
//! ```toml
//! strategy = ["pcse", "pcse-first", "random"]
//!
//! [variant.pcse-first]                      # as in --variant pcse-first=pcse
//! strategy = "pcse"
//! ties = "first"                            # as in --set pcse-first.ties=first
//! ```
//!
//! A variant is filed, summarised and reported under its own name. It starts from the defaults of
//! its strategy: parameters of the strategy itself are not its own.

use super::Experiment;
use super::experiment::Table;
use crate::io::check_name;
use crate::io::keys::wrong;
use crate::param::Parameters;
use crate::{Error, Result};
use toml::Value;

impl Experiment {
    /// Adds a variant called `name` of the strategy called `strategy`, with its defaults.
    /// [`Self::set`] changes its parameters by the key `NAME.PARAMETER`.
    pub fn add_variant(&mut self, name: &str, strategy: &str) -> Result<()> {
        let place = format!("variant.{name}");
        check_name(name).map_err(|e| e.within("variant"))?;
        if name.contains('.') {
            let problem = "there is a dot in its name, which divides keys";
            return Err(Error::invalid(
                place,
                problem,
                "use letters, digits and hyphens",
            ));
        }
        let taken = self.strategy(name).is_some() || self.domains.find(name).is_some();
        if taken {
            let problem = format!("there is a strategy, variant or domain `{name}` already");
            let remedy = "give it another name: results are filed by it";
            return Err(Error::invalid(place, problem, remedy));
        }
        let strategy = self.domains.strategy_name(strategy);
        let strategy = strategy.map_err(|e| e.at_place(format!("{place}.strategy")))?;
        for domain in self.domains.iter() {
            let all = domain.strategies().into_iter();
            for own in all.filter(|s| s.name == strategy) {
                let table = Table::Strategy(domain.name(), name.to_owned());
                self.tables
                    .insert(table, Parameters::defaults(own.parameters));
            }
        }
        self.variants.insert(name.to_owned(), strategy);
        Ok(())
    }

    /// Adds a variant from one text, `name=strategy`; see [`Self::add_variant`].
    pub fn assign_variant(&mut self, text: &str) -> Result<()> {
        match text.split_once('=') {
            Some((name, strategy)) => self.add_variant(name.trim(), strategy.trim()),
            None => Err(Error::invalid(
                text,
                "there is no `=` in it",
                "write name=strategy, like pcse-first=pcse",
            )),
        }
    }

    /// The strategy that the variant called `name` is one of; none for a strategy itself.
    pub fn variant_of(&self, name: &str) -> Option<&'static str> {
        self.variants.get(name).copied()
    }

    /// Adds all variants of a file's table `[variant]`.
    pub(super) fn read_variants(&mut self, value: &Value) -> Result<()> {
        let remedy = "write a table [variant.NAME] with strategy = \"...\" and its parameters";
        let Value::Table(all) = value else {
            return Err(wrong("variant", value, remedy));
        };
        for (name, own) in all {
            let place = format!("variant.{name}");
            let Value::Table(own) = own else {
                return Err(wrong(&place, own, remedy));
            };
            let strategy = match own.get("strategy") {
                Some(Value::String(strategy)) => strategy,
                Some(other) => {
                    let place = format!("{place}.strategy");
                    return Err(wrong(&place, other, "write the name of a strategy"));
                }
                None => return Err(Error::invalid(place, "its strategy is missing", remedy)),
            };
            self.add_variant(name, strategy)?;
            for (key, value) in own.iter().filter(|(key, _)| *key != "strategy") {
                self.set_of_variant(name, key, value)?;
            }
        }
        Ok(())
    }

    fn set_of_variant(&mut self, name: &str, key: &str, value: &Value) -> Result<()> {
        let (place, full) = (format!("variant.{name}.{key}"), format!("{name}.{key}"));
        let text = self.text_of(&full, &place, value)?;
        self.set(&full, &text).map_err(|e| e.at_place(place))?;
        // It describes the variant, whether it is run or not.
        self.assigned.remove(&full);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn parse(text: &str) -> Result<Experiment> {
        Experiment::parse(text, Path::new(""))
    }

    #[test]
    fn a_variant_has_its_strategy_s_parameters_and_its_own_values() {
        let e = parse(
            "strategy = ['pcse', 'early']\n[variant.early]\nstrategy = 'pcse'\nties = 'first'\n\
             lookahead = 2\n[variant.unused]\nstrategy = 'bear'\nbonus = 'bound'\n\
             [settings.pcse]\nlookahead = 4\n[settings.early]\nshare = 0.5\n",
        )
        .unwrap();
        assert_eq!(e.strategies().unwrap(), ["pcse", "early"]);
        assert_eq!(e.variant_of("early"), Some("pcse"));
        assert_eq!(e.variant_of("pcse"), None);
        let values = |name| e.strategy_parameters("finite", name).unwrap().values();
        let early = values("early");
        assert_eq!(
            (early.word("ties"), early.number("lookahead")),
            ("first", 2.0)
        );
        assert_eq!((early.number("share"), early.word("bonus")), (0.5, "width"));
        let pcse = values("pcse");
        assert_eq!(
            (pcse.word("ties"), pcse.number("lookahead")),
            ("shared", 4.0)
        );
        // What describes a variant that is not run is no mistake.
        assert!(e.resolve().is_ok());
        let mut by_hand = Experiment::default();
        for variant in ["early=pcse", "unused=bear"] {
            by_hand.assign_variant(variant).unwrap();
        }
        by_hand.set_strategies(["pcse", "early"]).unwrap();
        for set in ["early.ties=first", "early.lookahead=2", "early.share=0.5"] {
            by_hand.assign(set).unwrap();
        }
        by_hand.assign("unused.bonus=bound").unwrap();
        by_hand.assign("pcse.lookahead=4").unwrap();
        assert_eq!(by_hand, e);
    }

    #[test]
    fn wrong_variants_are_refused_with_their_place() {
        for (text, said) in [
            ("variant = 3", "variant: found the integer 3; write a table"),
            ("[variant]\na = 3", "variant.a: found the integer 3"),
            (
                "[variant.a]\nties = 'first'",
                "variant.a: its strategy is missing",
            ),
            (
                "[variant.a]\nstrategy = 'psce'",
                "variant.a.strategy: `psce` is unknown; did you mean `pcse`?",
            ),
            (
                "[variant.a]\nstrategy = 1",
                "variant.a.strategy: found the integer 1",
            ),
            (
                "[variant.bear]\nstrategy = 'pcse'",
                "variant.bear: there is a strategy",
            ),
            (
                "[variant.finite]\nstrategy = 'pcse'",
                "variant.finite: there is a strategy",
            ),
            (
                "[variant.'a.b']\nstrategy = 'pcse'",
                "variant.a.b: there is a dot",
            ),
            ("[variant.'a/b']\nstrategy = 'pcse'", "variant: "),
            (
                "[variant.a]\nstrategy = 'pcse'\nties = 'fist'",
                "variant.a.ties: `fist` is not allowed",
            ),
            (
                "[variant.a]\nstrategy = 'pcse'\ntie = 'first'",
                "variant.a.tie: unknown key; did you mean `ties`?",
            ),
            (
                "[variant.a]\nstrategy = 'pcse'\n[variant.b]\nstrategy = 'a'",
                "variant.b.strategy: `a` is unknown",
            ),
            ("strategy = ['a']", "strategy: `a` is unknown"),
        ] {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.contains(said), "{message}");
            assert!(!message.contains('\n'), "{message}");
        }
        let refused = Experiment::default().assign_variant("pcse-first");
        assert!(refused.is_err_and(|e| e.to_string().contains("no `=`")));
    }
}
