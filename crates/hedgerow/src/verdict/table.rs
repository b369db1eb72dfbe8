//! The verdict on every pair.

use super::{Assume, Classes, Criteria, Intervals, Scope};
use crate::index::{Pair, State};
use crate::learn::Learner;
use crate::model::{Dynamics, Task, reached};
use serde::{Deserialize, Serialize};

/// What is known of a pair; what matters more comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Earns more than the expert, who avoids it.
    Constrained,
    /// Not known.
    Undecided,
    /// The expert was seen to take it.
    Taken,
    /// Earns no more than the expert: its behaviour would not show a constraint.
    #[serde(alias = "free")]
    NoGain,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Constrained => "constrained",
            Self::Taken => "taken",
            Self::NoGain => "nothing to gain",
            Self::Undecided => "undecided",
        })
    }
}

/// The verdict on one pair and what it rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairVerdict {
    /// The verdict.
    pub verdict: Verdict,
    /// `A^(s,a)`, moved into the interval where gaps in the data put it outside; `None` if the pair
    /// was never tried or the expert never seen in its state.
    pub estimate: Option<f64>,
    /// `A_E(s,a)` is at least this.
    pub low: f64,
    /// `A_E(s,a)` is at most this.
    pub high: f64,
    /// How often the pair was tried.
    pub visits: u32,
    /// How often the expert was seen to take it.
    pub chosen: u32,
    /// Whether the advantage surely exceeds the tolerance by no more than the margin, so that a verdict
    /// would not matter.
    pub negligible: bool,
    /// Whether its state is one in which pairs get verdicts, see [`Scope`].
    pub in_scope: bool,
}

impl PairVerdict {
    /// Whether more samples could still change what matters.
    pub fn is_open(&self) -> bool {
        self.verdict == Verdict::Undecided && !self.negligible && self.in_scope
    }
}

/// Verdicts on all pairs.
#[derive(Clone, Debug)]
pub struct Verdicts {
    criteria: Criteria,
    pairs: Vec<PairVerdict>,
    /// States that were entered or in which the expert was seen.
    seen: Vec<bool>,
    contradicted: Vec<State>,
    samples: u64,
    /// Pairs whose own verdict need not be found; none are if this is empty.
    settled: Vec<bool>,
}

impl Verdicts {
    /// The verdicts that follow from `intervals`.
    pub fn new(learner: &Learner, intervals: &Intervals, criteria: &Criteria) -> Self {
        let task = learner.task();
        let in_scope = match criteria.scope {
            Scope::All => vec![true; task.states()],
            Scope::Visited => visited(learner),
        };
        let verdict = |pair: Pair| {
            let found = pair_verdict(learner, intervals, criteria, pair);
            match in_scope[task.state_of(pair).at()] {
                true => found,
                false => PairVerdict {
                    verdict: match found.verdict {
                        Verdict::Taken => Verdict::Taken,
                        _ => Verdict::Undecided,
                    },
                    in_scope: false,
                    ..found
                },
            }
        };
        Self {
            criteria: *criteria,
            pairs: task.all_pairs().map(verdict).collect(),
            seen: seen(learner),
            contradicted: task
                .all_states()
                .filter(|&s| intervals.is_empty(s))
                .collect(),
            samples: learner.samples(),
            settled: Vec::new(),
        }
    }

    /// The same verdicts, where part of what they rest on was declared: `learner` has counted what was
    /// really seen, and `reachable` are the states to which the declared dynamics may lead.
    pub(super) fn counted_by(mut self, learner: &Learner, reachable: Vec<bool>) -> Self {
        self.samples = learner.samples();
        for (pair, found) in learner.task().all_pairs().zip(&mut self.pairs) {
            found.visits = learner.estimate().visits(pair);
        }
        self.seen = reachable;
        self
    }

    /// The same, with pairs of which `classes` say that their own verdict need not be found.
    pub fn within(mut self, task: &Task, classes: &Classes) -> Self {
        self.settled = classes.settled(task, &self);
        self
    }

    /// Whether the verdict on `pair` need not be found, see [`Classes::settled`].
    pub fn is_settled(&self, pair: Pair) -> bool {
        self.settled.get(pair.at()).copied().unwrap_or(false)
    }

    /// Verdicts from data that will not grow.
    pub fn of(learner: &Learner, criteria: &Criteria) -> Self {
        let mut intervals = Intervals::new(learner.task());
        intervals.tighten(learner, criteria);
        Self::new(learner, &intervals, criteria)
    }

    /// The verdict on `pair` and what it rests on.
    pub fn at(&self, pair: Pair) -> &PairVerdict {
        &self.pairs[pair.at()]
    }

    /// The verdicts on all pairs, in order.
    pub fn all(&self) -> &[PairVerdict] {
        &self.pairs
    }

    /// What was promised.
    pub fn criteria(&self) -> &Criteria {
        &self.criteria
    }

    /// Samples they rest on.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Whether `state` was ever entered.
    pub fn is_seen(&self, state: State) -> bool {
        self.seen[state.at()]
    }

    /// States whose value would have to lie above one bound and below a smaller one. Either the
    /// promise failed, which is improbable, or the data break an assumption: an expert that does
    /// not keep to the stated [`Assume`], or transitions that were selected by their outcome.
    pub fn contradicted(&self) -> &[State] {
        &self.contradicted
    }

    /// Where they stand, in a few words: how many pairs are constrained, how many open.
    pub fn standing(&self, task: &Task) -> String {
        format!(
            "{} constrained, {} open",
            self.count(Verdict::Constrained),
            self.open(task).count()
        )
    }

    /// How many pairs have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.pairs.iter().filter(|f| f.verdict == verdict).count()
    }

    /// The pairs of states that were entered whose verdict is open and matters, and is not settled.
    pub fn open<'a>(&'a self, task: &'a Task) -> impl Iterator<Item = Pair> + 'a {
        task.all_pairs().filter(|&p| {
            self.seen[task.state_of(p).at()] && self.at(p).is_open() && !self.is_settled(p)
        })
    }

    /// The verdict on entering every state, see [`on_states`].
    pub fn on_states(&self, learner: &Learner) -> Vec<Verdict> {
        let verdict = |pair: Pair| {
            let found = self.at(pair);
            Some(match found.verdict {
                Verdict::Undecided if found.negligible => Verdict::NoGain,
                verdict => verdict,
            })
        };
        on_states(learner.task(), learner.estimate(), verdict)
    }
}

/// The verdict on entering every state, from those on pairs.
///
/// A pair leads to a state if it ends there more often than not; where outcomes are spread more
/// evenly, pairs are named and no state is. A state the expert goes to on purpose, following what
/// it takes and where that leads from the start, is taken, whatever is constrained about some ways
/// into it. Of the others one is constrained if a pair that leads there is, undecided if one is or
/// none is known, taken if one is taken, and else brings nothing. A pair without a verdict, because
/// nobody can come to its state, leads nowhere.
pub fn on_states<D: Dynamics>(
    task: &Task,
    dynamics: &D,
    verdict: impl Fn(Pair) -> Option<Verdict>,
) -> Vec<Verdict> {
    let leads_to = |pair: Pair| {
        let at = dynamics.likeliest_outcome(pair)?;
        let (next, prob) = dynamics.row(pair);
        (prob[at] > 0.5).then(|| State(next[at]))
    };
    let mut ways: Vec<Option<Verdict>> = vec![None; task.states()];
    for pair in task.all_pairs() {
        let (Some(next), Some(way)) = (leads_to(pair), verdict(pair)) else {
            continue;
        };
        let known = ways[next.at()].unwrap_or(way);
        ways[next.at()] = Some(known.min(way));
    }
    let mut on: Vec<Verdict> = ways
        .into_iter()
        .map(|way| way.unwrap_or(Verdict::Undecided))
        .collect();
    let mut route: Vec<State> = task.start().iter().map(|&(s, _)| s).collect();
    let mut met = vec![false; task.states()];
    while let Some(state) = route.pop() {
        if std::mem::replace(&mut met[state.at()], true) {
            continue;
        }
        on[state.at()] = Verdict::Taken;
        let taken = |p: &Pair| verdict(*p) == Some(Verdict::Taken);
        let pairs = task.pairs_of(state).map(Pair::new);
        route.extend(pairs.filter(taken).filter_map(leads_to));
    }
    on
}

fn seen(learner: &Learner) -> Vec<bool> {
    let task = learner.task();
    let tried = |s| {
        task.pairs_of(s)
            .any(|i| learner.estimate().visits(Pair::new(i)) > 0)
    };
    let mut seen: Vec<bool> = task
        .all_states()
        .map(|s| learner.expert_asked(s) > 0 || tried(s))
        .collect();
    for pair in task.all_pairs() {
        for &s in learner.estimate().row(pair).0 {
            seen[s as usize] = true;
        }
    }
    seen
}

/// The states that the expert surely visits: choices and outcomes that were seen lead there from a
/// start, and what was seen once is possible.
fn visited(learner: &Learner) -> Vec<bool> {
    reached(learner.task(), learner.estimate(), |p| {
        learner.expert_chose(p)
    })
}

fn pair_verdict(
    learner: &Learner,
    intervals: &Intervals,
    criteria: &Criteria,
    pair: Pair,
) -> PairVerdict {
    let task = learner.task();
    let (low, high) = intervals.advantage(task, pair);
    let visits = learner.estimate().visits(pair);
    let asked = learner.expert_asked(task.state_of(pair));
    let chosen = learner.expert_choices(pair);
    let avoided = || match criteria.assume {
        Assume::Ties => asked > 0,
        Assume::Mixed => intervals.taken_at_most(learner, pair, criteria) < criteria.rare,
    };
    // Where the data contradict the assumptions nothing follows from them.
    let sound = !intervals.is_empty(task.state_of(pair));
    // A pair that was never tried is a gap in the data, and nothing is known of gaps.
    let verdict = if chosen > 0 {
        Verdict::Taken
    } else if sound && visits > 0 && high <= criteria.tolerance {
        Verdict::NoGain
    } else if sound && low > criteria.tolerance && avoided() {
        Verdict::Constrained
    } else {
        Verdict::Undecided
    };
    PairVerdict {
        verdict,
        estimate: (visits > 0 && asked > 0).then(|| learner.advantage(pair).min(high).max(low)),
        low,
        high,
        visits,
        chosen,
        negligible: high <= criteria.tolerance + criteria.margin,
        in_scope: true,
    }
}
