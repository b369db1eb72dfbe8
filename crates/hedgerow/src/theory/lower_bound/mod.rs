//! How many samples any algorithm must take before it can answer for sure.

mod allocation;
mod alternative;
mod tilt;

pub use alternative::{Alternative, AlternativeRow};

use crate::Result;
use crate::costset::advantage;
use crate::index::Pair;
use crate::model::{Model, Policy, reached};
use crate::solve::{Chain, Mdp};
use crate::verdict::{Criteria, Scope};
use allocation::{Shares, cover, first_order, no_row_without};
use alternative::{Target, Truth};
use rayon::prelude::*;

/// What has to be found out about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// That it earns more than the expert.
    Constrained,
    /// That it earns no more than the margin over the expert.
    NoGain,
}

/// Samples in all, of all pairs together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// No algorithm of the class does with fewer in expectation.
    pub at_least: f64,
    /// This many would do, well divided, against all alternatives that were found.
    pub at_most: f64,
}

/// What one pair asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct PairDemand {
    /// The pair.
    pub pair: Pair,
    /// What has to be found out.
    pub question: Question,
    /// `A_E`.
    pub advantage: f64,
    /// How far the advantage has to move for the other answer.
    pub gap: f64,
    /// Samples that no algorithm does without, if this were the only question.
    pub alone: f64,
    /// A world with the other answer, hard to tell from the true one.
    pub alternative: Alternative,
}

/// How many samples are needed at least, see [`lower_bound`].
#[derive(Clone, Debug, PartialEq)]
pub struct LowerBound {
    /// `kl(1 - delta, delta)`: what samples have to tell of every alternative.
    pub information: f64,
    /// To call every constrained pair constrained.
    pub constrained: Demand,
    /// To settle all pairs.
    pub settled: Demand,
    /// The questions that need samples.
    pub pairs: Vec<PairDemand>,
    /// Questions that known rewards answer, or for which no alternative was found.
    pub answered: usize,
    /// Pairs whose advantage lies between tolerance and margin, which may be called either.
    pub either: usize,
}

/// `kl(1 - delta, delta)`, 0 for a confidence that guessing reaches.
fn information(confidence: f64) -> f64 {
    let delta = 1.0 - confidence;
    match confidence > 0.5 {
        true => (confidence - delta) * libm::log(confidence / delta),
        false => 0.0,
    }
}

/// How many samples any algorithm takes that answers as `criteria` ask, in the world of `model`
/// with this expert.
///
/// **What is proved.** Take all algorithms that choose pairs as they like (even in any order,
/// without walking there), see next states, may know rewards, discount and the expert's policy,
/// and keep this promise in *every* world with the same task: with probability at least `1 - delta`, what they
/// say when they stop is true. Call a question of the true world one of
///
/// - a pair the expert avoids with `A_E > tolerance + margin`: it has to be called constrained,
///   which is false in every world where `A_E <= tolerance`;
/// - a pair it avoids with `A_E <= tolerance`: it has to be settled as one that gains no more than
///   the margin, which is false in every world where `A_E > tolerance + margin`.
///
/// If such an algorithm answers all questions here with probability `1 - delta` and takes `n_k`
/// samples of pair `k` in expectation, then for every world `P'` in which an answer is false
///
/// ```text
/// sum_k n_k KL(P_k, P'_k) >= kl(1 - delta, delta) = (1 - 2 delta) log((1 - delta) / delta),
/// ```
///
/// because what it says must be likely here and unlikely there (change of measure). Any set of
/// such worlds gives a linear program, `min sum n_k` subject to these inequalities, and any point
/// of its dual a number that the expected total cannot be below. The worlds used here are explicit:
/// their rows are known, their advantages evaluated and their divergences exact, so
/// [`Demand::at_least`] holds whatever led to them.
///
/// **What is not.** Worlds are found by local search, so more samples may be needed than
/// `at_least`; [`Demand::at_most`] says how many would do against all worlds that the search finds,
/// which is an estimate. A pair with `tolerance < A_E <= tolerance + margin` may be called either
/// and is no question. Walking to a pair, learning what the expert does, and worlds with another
/// expert are left out; each could only add samples.
///
/// ```
/// use hedgerow::model::{ModelBuilder, Policy};
/// use hedgerow::theory::lower_bound;
/// use hedgerow::verdict::Criteria;
///
/// // `risk` earns 1 three times out of four, and the expert takes a sure 1/2.
/// let mut b = ModelBuilder::new(3, ["risk", "safe"], 0.9);
/// b.start(0, 1.0).terminal(1).terminal(2);
/// b.outcome((0, 0), 1, 0.75, 1.0, false).outcome((0, 0), 2, 0.25, 0.0, false);
/// b.transition(0, 1, 2, 1.0).reward(0, 1, 0.5);
/// let model = b.build()?;
/// let expert = Policy::new(model.task(), vec![0.0, 1.0])?;
///
/// // Is the coin of `risk` better than a fair one? At 95 %, 0.9 log 19 over KL(3/4, 1/2) = 20.26.
/// let bound = lower_bound(&model, &expert, &Criteria::default())?;
/// assert!(20.0 < bound.constrained.at_least && bound.constrained.at_least < 20.26);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn lower_bound(model: &Model, expert: &Policy, criteria: &Criteria) -> Result<LowerBound> {
    expert.check(model.task()).map_err(|e| e.within("expert"))?;
    let log = information(criteria.confidence);
    let (targets, advantages, either) = targets(model, expert, criteria)?;
    let asked = targets.len();
    let truth = Truth::new(model, expert)?;
    let extremes = truth.extremes(&truth.values);
    let pairs = model.task().pairs();
    let alone = |target: Target| -> Result<Option<(Target, Shares, Alternative)>> {
        let shares = Shares::of(&truth, &target, extremes, log.max(f64::MIN_POSITIVE));
        let found = truth.alternative(&target, &shares.alone(pairs))?;
        Ok(found.map(|a| (target, shares, a)))
    };
    let found: Vec<_> = targets
        .into_par_iter()
        .map(alone)
        .collect::<Result<Vec<_>>>()?;
    let found: Vec<_> = found.into_iter().flatten().collect();
    let problem = Problem { truth: &truth, log };
    let of_pair = |asked: &(Target, Shares, Alternative)| -> Result<PairDemand> {
        let (target, _, alternative) = asked;
        Ok(PairDemand {
            pair: target.pair,
            question: match target.sign < 0.0 {
                true => Question::Constrained,
                false => Question::NoGain,
            },
            advantage: advantages[target.pair.at()],
            gap: target.gap,
            alone: problem.demand(&[asked], ROUNDS_ALONE)?.at_least,
            alternative: alternative.clone(),
        })
    };
    let pairs: Vec<PairDemand> = found.par_iter().map(of_pair).collect::<Result<_>>()?;
    let constrained: Vec<_> = found.iter().filter(|f| f.0.sign < 0.0).collect();
    let all: Vec<_> = found.iter().collect();
    Ok(LowerBound {
        information: log,
        constrained: problem.demand(&constrained, ROUNDS)?,
        settled: problem.demand(&all, ROUNDS)?,
        answered: asked - found.len(),
        pairs,
        either,
    })
}

/// The questions, the advantages of all pairs, and how many pairs may be called either.
fn targets(
    model: &Model,
    expert: &Policy,
    criteria: &Criteria,
) -> Result<(Vec<Target>, Vec<f64>, usize)> {
    let task = model.task();
    let advantages = advantage(model, expert)?;
    let in_scope = match criteria.scope {
        Scope::All => reached(task, model.rows(), |_| true),
        Scope::Visited => reached(task, model.rows(), |p| expert.prob(p) > 0.0),
    };
    let mdp = Mdp::of(model);
    let chain = Chain::new(&mdp, expert)?;
    let truth = Truth::new(model, expert)?;
    let settled = criteria.tolerance + criteria.margin;
    let mut either = 0;
    let mut targets = Vec::new();
    let avoided = |p: &Pair| expert.prob(*p) == 0.0 && in_scope[task.state_of(*p).at()];
    for pair in task.all_pairs().filter(avoided) {
        let a = advantages[pair.at()];
        let (sign, threshold) = match a {
            a if a > settled => (-1.0, criteria.tolerance),
            a if a <= criteria.tolerance => (1.0, settled),
            _ => {
                either += 1;
                continue;
            }
        };
        targets.push(Target {
            pair,
            sign,
            threshold,
            gap: sign * (threshold - a),
            influence: truth.influence(model.rows(), &chain, pair),
        });
    }
    Ok((targets, advantages, either))
}

/// What has to be told from the truth, and how clearly.
struct Problem<'a> {
    truth: &'a Truth<'a>,
    log: f64,
}

/// A question is near to deciding how many samples are needed if they tell its alternative from the
/// truth by at most this many times as much as the nearest one.
const NEAR: f64 = 1.5;

/// Rounds of new alternatives against the best allocation so far.
const ROUNDS: usize = 8;

/// The same for one question.
const ROUNDS_ALONE: usize = 3;

/// Sides this close, relative to the upper one, are close enough.
const CLOSE: f64 = 0.1;

/// Alternatives that are told from the truth by this many times as much as the nearest one do not
/// decide how many samples are needed.
const FAR: f64 = 3.0;

impl Problem<'_> {
    /// What some questions need together: alternatives against an allocation, the least allocation
    /// against all alternatives so far, and so on.
    fn demand(&self, found: &[&(Target, Shares, Alternative)], rounds: usize) -> Result<Demand> {
        let pairs = self.truth.task.pairs();
        let mut demand = Demand {
            at_least: 0.0,
            at_most: 0.0,
        };
        if found.is_empty() || self.log <= 0.0 {
            return Ok(demand);
        }
        demand.at_most = f64::INFINITY;
        let shares: Vec<&Shares> = found.iter().map(|f| &f.1).collect();
        let mut samples = first_order(&shares, pairs);
        // The alternatives of every question so far.
        let mut pool: Vec<Vec<Alternative>> = found.iter().map(|f| vec![f.2.clone()]).collect();
        for round in 0..rounds {
            self.extend(found, &mut pool, &samples, round == 0)?;
            let all: Vec<&Alternative> = pool.iter().flatten().collect();
            let told: Vec<f64> = all.iter().map(|a| a.information(&samples)).collect();
            let nearest = told.iter().copied().fold(f64::INFINITY, f64::min);
            let scale = self.log / nearest;
            let total: f64 = samples.iter().sum();
            demand.at_most = demand.at_most.min(total * scale);
            let near = all.iter().zip(&told).filter(|(_, t)| **t <= FAR * nearest);
            let near: Vec<&Alternative> = near.map(|(a, _)| *a).collect();
            let least = cover(&near, pairs, self.log)?;
            demand.at_least = demand.at_least.max(least.at_least);
            if demand.at_least >= (1.0 - CLOSE) * demand.at_most {
                break;
            }
            for (n, m) in samples.iter_mut().zip(&least.samples) {
                *n = 0.5 * (*n * scale + m);
            }
            no_row_without(&mut samples);
        }
        Ok(demand)
    }

    /// New alternatives against `samples`: of all questions, or of those that are near to
    /// deciding how many are needed.
    fn extend(
        &self,
        found: &[&(Target, Shares, Alternative)],
        pool: &mut [Vec<Alternative>],
        samples: &[f64],
        all: bool,
    ) -> Result<()> {
        let least = |pool: &[Alternative]| {
            let told = pool.iter().map(|a| a.information(samples));
            told.fold(f64::INFINITY, f64::min)
        };
        let most_pressing = pool.iter().map(|p| least(p)).fold(f64::INFINITY, f64::min);
        let news = found.par_iter().zip(&*pool).map(|(f, known)| {
            match all || least(known) <= NEAR * most_pressing {
                true => self.truth.alternative(&f.0, samples),
                false => Ok(None),
            }
        });
        let news: Vec<Option<Alternative>> = news.collect::<Result<_>>()?;
        for (known, new) in pool.iter_mut().zip(news) {
            known.extend(new);
        }
        Ok(())
    }
}
