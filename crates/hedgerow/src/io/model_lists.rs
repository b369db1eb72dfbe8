//! The long lists of a model file, kept column by column with names counted instead of copied.

use crate::Result;
use crate::io::names::{Names, Reference};
use crate::model::Transitions;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::HashMap;
use std::fmt;

/// From here on a code stands for a reference in the list rather than for an index.
const LISTED: u32 = 1 << 31;

/// References as numbers: a small index is itself, anything else its place in a list.
#[derive(Default)]
struct Codes {
    listed: Vec<Reference>,
    named: HashMap<String, u32>,
}

impl Codes {
    fn code(&mut self, reference: Reference) -> u32 {
        let next = LISTED + self.listed.len() as u32;
        match &reference {
            Reference::Index(i) if *i < LISTED as usize => return *i as u32,
            Reference::Index(_) | Reference::Either(_) => {}
            Reference::Name(name) => {
                if let Some(&code) = self.named.get(name) {
                    return code;
                }
                self.named.insert(name.clone(), next);
            }
        }
        self.listed.push(reference);
        next
    }

    /// The index that a code stands for, `look_up` being asked for those that are listed.
    #[inline]
    fn index(&self, code: u32, look_up: impl Fn(&Reference) -> Result<usize>) -> Result<usize> {
        match code.checked_sub(LISTED) {
            None => Ok(code as usize),
            Some(at) => look_up(&self.listed[at as usize]),
        }
    }
}

/// `[state, action, next state, probability]`, perhaps with the reward of the transition and whether
/// it ends the episode.
pub(super) struct Outcome {
    state: Reference,
    action: Reference,
    next: Reference,
    prob: f64,
    reward: Option<f64>,
    ends: bool,
}

impl<'de> Deserialize<'de> for Outcome {
    /// Entry by entry, so that a message names the one that is wrong.
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Outcome;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("4 to 6 entries")
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> std::result::Result<Outcome, A::Error> {
                let short = |n: usize| de::Error::invalid_length(n, &Entries);
                let mut found = Outcome {
                    state: seq.next_element()?.ok_or_else(|| short(0))?,
                    action: seq.next_element()?.ok_or_else(|| short(1))?,
                    next: seq.next_element()?.ok_or_else(|| short(2))?,
                    prob: seq.next_element()?.ok_or_else(|| short(3))?,
                    reward: seq.next_element()?,
                    ends: false,
                };
                if found.reward.is_some()
                    && let Some(ends) = seq.next_element()?
                {
                    found.ends = ends;
                    if seq.next_element::<IgnoredAny>()?.is_some() {
                        return Err(short(7));
                    }
                }
                Ok(found)
            }
        }
        d.deserialize_seq(Entries)
    }
}

/// The transitions of a file.
#[derive(Default)]
pub(super) struct Outcomes {
    codes: Codes,
    columns: Transitions,
    /// Whether any entry has a reward of its own, be it 0.
    earning: bool,
}

impl Outcomes {
    pub(super) fn push(&mut self, outcome: Outcome) {
        let codes = [outcome.state, outcome.action, outcome.next].map(|r| self.codes.code(r));
        let [state, action, next] = codes.map(|code| code as usize);
        self.earning |= outcome.reward.is_some();
        let reward = outcome.reward.unwrap_or(0.0);
        self.columns
            .push((state, action, next), outcome.prob, reward, outcome.ends);
    }

    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn earning(&self) -> bool {
        self.earning
    }

    /// The transitions with their names looked up; what has no name stays as it is.
    pub(super) fn resolved(mut self, names: &Names) -> Result<Transitions> {
        if self.codes.listed.is_empty() {
            return Ok(self.columns);
        }
        let small = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
        let (codes, columns) = (&self.codes, &mut self.columns);
        for i in 0..columns.len() {
            let place = || format!("transitions[{i}]");
            let state = |r: &Reference| names.state(place, r);
            let action = |r: &Reference| names.action(place, r);
            columns.state[i] = small(codes.index(columns.state[i], state)?);
            columns.action[i] = small(codes.index(columns.action[i], action)?);
            columns.next[i] = small(codes.index(columns.next[i], state)?);
        }
        Ok(self.columns)
    }
}

/// `[state, action, reward]`, or `[state, action, next state, reward]` without dynamics.
pub(super) enum Reward {
    Pair(Reference, Reference, f64),
    Transition(Reference, Reference, Reference, f64),
}

/// What a list may hold; only what is no JSON is an error here.
enum Item {
    Index(u64),
    Number(f64),
    Text(String),
    Other,
}

impl Item {
    fn reference(self) -> Option<Reference> {
        match self {
            Self::Index(i) => usize::try_from(i).ok().map(Reference::Index),
            Self::Text(name) => Some(Reference::Name(name)),
            Self::Number(_) | Self::Other => None,
        }
    }

    fn number(self) -> Option<f64> {
        match self {
            Self::Index(i) => Some(i as f64),
            Self::Number(x) => Some(x),
            Self::Text(_) | Self::Other => None,
        }
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Item;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a name")
            }

            fn visit_bool<E>(self, _: bool) -> std::result::Result<Item, E> {
                Ok(Item::Other)
            }

            fn visit_u64<E>(self, i: u64) -> std::result::Result<Item, E> {
                Ok(Item::Index(i))
            }

            fn visit_i64<E>(self, i: i64) -> std::result::Result<Item, E> {
                Ok(Item::Number(i as f64))
            }

            fn visit_f64<E>(self, x: f64) -> std::result::Result<Item, E> {
                Ok(Item::Number(x))
            }

            fn visit_str<E>(self, text: &str) -> std::result::Result<Item, E> {
                Ok(Item::Text(text.to_owned()))
            }

            fn visit_unit<E>(self) -> std::result::Result<Item, E> {
                Ok(Item::Other)
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> std::result::Result<Item, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Item::Other)
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Item, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Item::Other)
            }
        }
        d.deserialize_any(Any)
    }
}

impl<'de> Deserialize<'de> for Reward {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Reward;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("[state, action, reward]")
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> std::result::Result<Reward, A::Error> {
                let mut items = [const { None }; 4];
                for item in &mut items {
                    *item = seq.next_element::<Item>()?;
                }
                let more = seq.next_element::<IgnoredAny>()?.is_some();
                let [s, a, third, fourth] = items;
                let reference = |item: Option<Item>| item.and_then(Item::reference);
                let found = match (reference(s), reference(a), fourth) {
                    (Some(s), Some(a), None) => {
                        third.and_then(Item::number).map(|r| Reward::Pair(s, a, r))
                    }
                    (Some(s), Some(a), Some(r)) => reference(third)
                        .zip(r.number())
                        .map(|(next, r)| Reward::Transition(s, a, next, r)),
                    _ => None,
                };
                found.filter(|_| !more).ok_or_else(|| {
                    de::Error::custom(
                        "expected [state, action, reward] or [state, action, next state, reward]",
                    )
                })
            }
        }
        d.deserialize_seq(Entries)
    }
}

/// The rewards of a file.
#[derive(Default)]
pub(super) struct Rewards {
    codes: Codes,
    /// State, action, next state (only of those that are of transitions), reward.
    pairs: Vec<(u32, u32, f64)>,
    /// The next state of every reward; empty while none has one.
    next: Vec<Option<u32>>,
}

/// A reward with its names looked up.
pub(super) struct Earned {
    pub(super) state: usize,
    pub(super) action: usize,
    pub(super) next: Option<usize>,
    pub(super) reward: f64,
}

impl Rewards {
    pub(super) fn push(&mut self, reward: Reward) {
        let before = self.pairs.len();
        let (s, a, next, r) = match reward {
            Reward::Pair(s, a, r) => (s, a, None, r),
            Reward::Transition(s, a, next, r) => (s, a, Some(next), r),
        };
        let pair = (self.codes.code(s), self.codes.code(a), r);
        self.pairs.push(pair);
        if next.is_some() || !self.next.is_empty() {
            self.next.resize(before, None);
            let code = next.map(|next| self.codes.code(next));
            self.next.push(code);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether reward `i` is one of a transition.
    pub(super) fn of_transition(&self, i: usize) -> bool {
        self.next.get(i).is_some_and(Option::is_some)
    }

    /// Reward `i`.
    pub(super) fn earned(&self, i: usize, names: &Names) -> Result<Earned> {
        let place = || format!("rewards[{i}]");
        let state = |r: &Reference| names.state(place, r);
        let (s, a, reward) = self.pairs[i];
        let next = self.next.get(i).copied().flatten();
        Ok(Earned {
            state: self.codes.index(s, state)?,
            action: self.codes.index(a, |r| names.action(place, r))?,
            next: next.map(|code| self.codes.index(code, state)).transpose()?,
            reward,
        })
    }
}
