//! How many samples are enough, by the theorems on uniform sampling, BEAR and PCSE.

use crate::Result;
use crate::costset::{advantage, canonical, check_cost_max};
use crate::error::in_range;
use crate::learn::{ZetaRule, sigma};
use crate::model::{Model, Policy};
use crate::theory::lambert::{closed_bound, least_root};
use crate::theory::pseudo_sigma;

/// What is demanded, and of which problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PacParams {
    /// Number of available pairs, `S A`.
    pub pairs: usize,
    /// `H`: the most steps of an episode, at least 1; of no concern to uniform sampling.
    pub horizon: usize,
    /// The discount, in `[0, 1)`.
    pub gamma: f64,
    /// `R_max`, at least 0.
    pub reward_max: f64,
    /// `C_max`, positive.
    pub cost_max: f64,
    /// The largest scale of a cost, `zeta_max`, at least 0.
    pub zeta_max: f64,
    /// Probability with which the answer may be wrong, in `(0, 1)`.
    pub delta: f64,
    /// `eps`, positive: the error allowed on discounted costs (values, not costs of one step).
    pub accuracy: f64,
}

/// What PCSE needs beyond that to gain on BEAR.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The least positive advantage `Q^c - V^c` over the cheapest policy, positive.
    pub advantage: f64,
    /// `eps_{K-1}`: the accuracy one iteration before the last, at least `eps`.
    pub before: f64,
    /// The expert's budget `b`, at least 0.
    pub budget: f64,
}

/// A sample size, exactly and by its closed bound.
///
/// Both are for the pair that needs most; a total multiplies them by the number of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleSize {
    /// The least `n` with `n >= a log(b n^2)` from there on, by Lambert's `W_{-1}`.
    pub exact: f64,
    /// The closed bound on it.
    pub closed: f64,
}

impl SampleSize {
    const NONE: Self = Self {
        exact: 0.0,
        closed: 0.0,
    };

    fn solving(a: f64, b: f64) -> Self {
        let exact = least_root(a, b);
        // Counts are floored at 1, so what one sample would do is done before the first.
        if exact <= 1.0 {
            return Self::NONE;
        }
        Self {
            exact,
            closed: closed_bound(a, b),
        }
    }

    /// The same for all of `pairs` pairs: with the factor `S A`.
    #[must_use]
    pub fn of_all(self, pairs: usize) -> Self {
        Self {
            exact: self.exact * pairs as f64,
            closed: self.closed * pairs as f64,
        }
    }

    fn or_less(self, other: Self) -> Self {
        Self {
            exact: self.exact.min(other.exact),
            closed: self.closed.min(other.closed),
        }
    }
}

impl PacParams {
    /// Checks every range.
    pub fn checked(self) -> Result<Self> {
        let fine = |x: f64| x.is_finite() && x >= 0.0;
        in_range(self.pairs > 0, "pairs", self.pairs as f64, "use at least 1")?;
        let horizon = self.horizon as f64;
        in_range(self.horizon > 0, "horizon", horizon, "use at least 1")?;
        let gamma = (0.0..1.0).contains(&self.gamma);
        in_range(gamma, "gamma", self.gamma, "use at least 0 and below 1")?;
        let remedy = "use a finite number of at least 0";
        in_range(fine(self.reward_max), "reward-max", self.reward_max, remedy)?;
        in_range(fine(self.zeta_max), "zeta-max", self.zeta_max, remedy)?;
        let remedy = "use a positive finite number";
        let positive = |x: f64| fine(x) && x > 0.0;
        in_range(positive(self.cost_max), "cost-max", self.cost_max, remedy)?;
        in_range(positive(self.accuracy), "eps", self.accuracy, remedy)?;
        let delta = self.delta > 0.0 && self.delta < 1.0;
        in_range(
            delta,
            "delta",
            self.delta,
            "use a probability above 0 and below 1",
        )?;
        Ok(self)
    }

    /// `sigma` of the bound `C_k`.
    pub fn sigma(&self) -> f64 {
        sigma(self.gamma, self.reward_max, self.zeta_max, self.cost_max)
    }

    /// `b = 36 S A / delta`.
    fn inside(&self) -> f64 {
        36.0 * self.pairs as f64 / self.delta
    }

    /// The unclipped width `y = sigma beta` of the least visited pair with which `max C_k` is
    /// `error`: `4y / (1 + 2y/C_max) = error` gives `y = error C_max / (4 C_max - 2 error)`.
    ///
    /// `None` if `error` is at least `C_max`: then the clip alone keeps to it.
    fn width_for(&self, error: f64) -> Option<f64> {
        let c = self.cost_max;
        (error < c).then(|| error * c / (4.0 * c - 2.0 * error))
    }
}

/// Samples of every pair from a generative model after which `max C_k / (1 - gamma) <= eps`.
///
/// With `n` samples of every pair that is `sigma sqrt(log(b n^2) / (2n)) <= y`, where
/// `b = 36 S A / delta` and `y = e C_max / (4 C_max - 2 e)`, `e = eps (1 - gamma)`. So
///
/// ```text
/// n >= a log(b n^2),   a = sigma^2 / (2 y^2) = 2 sigma^2 (2 C_max - e)^2 / (e C_max)^2.
/// ```
///
/// Nothing is needed if `e >= C_max`. The total over all pairs is [`SampleSize::of_all`].
pub fn uniform(params: &PacParams) -> Result<SampleSize> {
    let params = params.checked()?;
    let error = params.accuracy * (1.0 - params.gamma);
    let Some(y) = params.width_for(error) else {
        return Ok(SampleSize::NONE);
    };
    let sigma = params.sigma();
    Ok(SampleSize::solving(
        0.5 * (sigma / y) * (sigma / y),
        params.inside(),
    ))
}

/// Expected samples of a pair after which BEAR stops, by the theorem on it.
///
/// The width of a count is replaced by that of its expectation, [`pseudo_sigma`] times
/// [`pseudo_beta`](crate::theory::pseudo_beta): with `s = max(sigma, sqrt(2 H) C_max)`, and
/// `y` as in [`uniform`], `s sqrt(2 log(b n^2) / n) <= y`, or
///
/// ```text
/// n >= a log(b n^2),   a = 2 s^2 / y^2 = 8 s^2 (2 C_max - e)^2 / (e C_max)^2.
/// ```
///
/// It is the expected number of visits that the pair with the fewest must have. A strategy that
/// walks also passes pairs that have enough, so even the total over all pairs counts useful
/// samples only.
pub fn bear(params: &PacParams) -> Result<SampleSize> {
    let params = params.checked()?;
    Ok(expected(&params, params.accuracy * (1.0 - params.gamma)))
}

/// Expected samples of a pair after which PCSE stops, by the theorem on it: those of [`bear`],
/// or fewer where a gap separates the candidates from all other policies.
///
/// The gap asks for `C_k <= t = g eps / (6 eps_{K-1} + 2 b)` with `g` the least positive cost
/// advantage, instead of `C_k <= eps (1 - gamma)`. Without a gap the bound is that of BEAR.
pub fn pcse(params: &PacParams, gap: Option<&Gap>) -> Result<SampleSize> {
    let all = bear(params)?;
    let Some(gap) = gap else {
        return Ok(all);
    };
    let positive = gap.advantage.is_finite() && gap.advantage > 0.0;
    in_range(
        positive,
        "gap",
        gap.advantage,
        "use a positive finite number",
    )?;
    let later = gap.before.is_finite() && gap.before >= params.accuracy;
    in_range(
        later,
        "eps-before",
        gap.before,
        "use a finite number of at least eps",
    )?;
    let budget = gap.budget.is_finite() && gap.budget >= 0.0;
    in_range(
        budget,
        "budget",
        gap.budget,
        "use a finite number of at least 0",
    )?;
    let target = gap.advantage * params.accuracy / (6.0 * gap.before + 2.0 * gap.budget);
    Ok(all.or_less(expected(params, target)))
}

fn expected(params: &PacParams, error: f64) -> SampleSize {
    let Some(y) = params.width_for(error) else {
        return SampleSize::NONE;
    };
    let s = pseudo_sigma(params.sigma(), params.cost_max, params.horizon);
    SampleSize::solving(2.0 * (s / y) * (s / y), params.inside())
}

/// `zeta_max = C_max / |A_E|`, with the expert's largest or smallest positive advantage; 0 if the
/// expert is indifferent between all actions, since then every cost of the set is 0.
pub fn zeta_max_of(model: &Model, expert: &Policy, cost_max: f64, rule: ZetaRule) -> Result<f64> {
    check_cost_max(cost_max)?;
    let sizes = advantage(model, expert)?;
    let sizes = sizes.iter().map(|a| a.abs()).filter(|&a| a > 0.0);
    let size = match rule {
        ZetaRule::Uniform => sizes.fold(0.0, f64::max),
        ZetaRule::PerPair => sizes.fold(f64::INFINITY, f64::min),
    };
    let some = size > 0.0 && size.is_finite();
    Ok(if some { cost_max / size } else { 0.0 })
}

/// The least positive cost advantage under the canonical cost of an expert; `None` if that cost is
/// zero.
///
/// The expert pays nothing under it, from no state, so the cheapest value is 0 everywhere and the
/// advantage `c + gamma P 0 - 0` of a pair over it is the pair's own cost.
pub fn gap_of(model: &Model, expert: &Policy, cost_max: f64) -> Result<Option<f64>> {
    let cost = canonical(model, expert, cost_max)?;
    let positive = cost.values().iter().copied().filter(|&c| c > 0.0);
    Ok(positive.reduce(f64::min))
}
