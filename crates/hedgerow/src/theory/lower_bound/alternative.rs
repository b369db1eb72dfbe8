//! Other worlds in which the answer about a pair is another one.

use super::tilt::{Lever, Moved};
use crate::Result;
use crate::index::{Pair, State};
use crate::model::{Dynamics, Model, Policy, Rows, Task};
use crate::solve::{Chain, Mdp};

/// A question about a pair: whether its advantage is beyond a threshold.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) pair: Pair,
    /// The advantage has to rise (1) or fall (-1) for the other answer.
    pub(super) sign: f64,
    /// How far it has to get.
    pub(super) threshold: f64,
    /// How far that is from here, positive.
    pub(super) gap: f64,
    /// The rows on which the advantage hangs and by how much, `D`.
    pub(super) influence: Vec<(Pair, f64)>,
}

/// A row of an alternative world.
#[derive(Clone, Debug, PartialEq)]
pub struct AlternativeRow {
    /// The pair whose row it is.
    pub pair: Pair,
    /// The next states and their probabilities.
    pub next: Vec<(State, f64)>,
    /// `KL(P, P')` of the row: what one sample of the pair tells of the difference.
    pub divergence: f64,
}

/// A world that differs from the true one in some rows, and in the answer about one pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The rows that differ.
    pub rows: Vec<AlternativeRow>,
    /// The advantage of the pair there.
    pub advantage: f64,
}

impl Alternative {
    /// `sum n KL` over the rows: what `samples` of each pair tell of the difference.
    pub(super) fn information(&self, samples: &[f64]) -> f64 {
        let told = |row: &AlternativeRow| samples[row.pair.at()] * row.divergence;
        self.rows.iter().map(told).sum()
    }
}

/// The true world.
pub(super) struct Truth<'a> {
    pub(super) task: &'a Task,
    pub(super) rows: &'a Rows,
    pub(super) expert: &'a Policy,
    /// The expert's values.
    pub(super) values: Vec<f64>,
}

/// The true rows with some of them replaced.
struct Changed<'a> {
    rows: &'a Rows,
    /// Which of `moved` is a pair's row; `usize::MAX` for none.
    place: Vec<usize>,
    moved: Vec<Moved>,
    reward: Vec<f64>,
}

impl Dynamics for Changed<'_> {
    fn row(&self, pair: Pair) -> (&[u32], &[f64]) {
        match self.moved.get(self.place[pair.at()]) {
            Some(moved) => (&moved.next, &moved.prob),
            None => self.rows.row(pair),
        }
    }

    fn reward<'a>(&'a self, _task: &'a Task) -> &'a [f64] {
        &self.reward
    }
}

/// What a pair is worth in a world, and why.
struct Worth {
    values: Vec<f64>,
    influence: Vec<(Pair, f64)>,
    advantage: f64,
}

/// How often the alternative is renewed with what the last one made of values and visits.
const PASSES: usize = 3;

/// An alternative this much of the gap beyond the threshold is near enough.
const OVERSHOOT: f64 = 5e-3;

/// And at least this much beyond it, so that rounding does not leave it on the wrong side.
const BEYOND: f64 = 1e-7;

/// Steps of a search for the size of a move.
const STEPS: usize = 40;

impl<'a> Truth<'a> {
    pub(super) fn new(model: &'a Model, expert: &'a Policy) -> Result<Self> {
        let mut truth = Self {
            task: model.task(),
            rows: model.rows(),
            expert,
            values: Vec::new(),
        };
        let mdp = Mdp::of(model);
        truth.values = truth.values_in(&mdp, &Chain::new(&mdp, expert)?);
        Ok(truth)
    }

    fn values_in<D: Dynamics>(&self, mdp: &Mdp<D>, chain: &Chain) -> Vec<f64> {
        chain.values(|state| {
            let pairs = self.task.pairs_of(state);
            pairs.map(|i| self.expert.probs()[i] * mdp.reward[i]).sum()
        })
    }

    /// `D(k)`: by how much more often, discounted, the row of every pair is drawn when `pair` is
    /// taken once and the expert followed then than when it is followed at once. It is the derivative of
    /// the advantage by the mean of that row.
    pub(super) fn influence<D: Dynamics>(
        &self,
        dynamics: &D,
        chain: &Chain,
        pair: Pair,
    ) -> Vec<(Pair, f64)> {
        let here = self.task.state_of(pair);
        let (next, prob) = dynamics.row(pair);
        let mut start = vec![(here, -1.0)];
        for (&s, &p) in next.iter().zip(prob) {
            match s == here.0 {
                true => start[0].1 += self.task.gamma() * p,
                false => start.push((State(s), self.task.gamma() * p)),
            }
        }
        let change = chain.visits(&start);
        let of_pair = |p: Pair| {
            let once = f64::from(u8::from(p == pair));
            (
                p,
                change[self.task.state_of(p).at()] * self.expert.prob(p) + once,
            )
        };
        let all = self.task.all_pairs().map(of_pair);
        all.filter(|&(_, d)| d.abs() > 1e-12).collect()
    }

    fn worth(&self, changed: &Changed, pair: Pair) -> Result<Worth> {
        let mdp = Mdp::new(self.task, changed);
        let chain = Chain::new(&mdp, self.expert)?;
        let values = self.values_in(&mdp, &chain);
        Ok(Worth {
            influence: self.influence(changed, &chain, pair),
            advantage: mdp.q(pair, &values) - values[self.task.state_of(pair).at()],
            values,
        })
    }

    /// What `pair` is worth if it leads to `next`: `r(s,a,s') + gamma V(s')`.
    pub(super) fn outcome(&self, pair: Pair, next: State, values: &[f64]) -> f64 {
        self.task.reward_of(pair, next) + self.task.gamma() * values[next.at()]
    }

    /// The states of the least and of the largest value.
    pub(super) fn extremes(&self, values: &[f64]) -> [State; 2] {
        let mut found = [State(0); 2];
        for s in self.task.all_states() {
            if values[s.at()] < values[found[0].at()] {
                found[0] = s;
            }
            if values[s.at()] > values[found[1].at()] {
                found[1] = s;
            }
        }
        found
    }

    /// The state other than the successors of `pair` that would raise (`sign` 1) or lower its worth
    /// most, and its worth, if one does so more than any successor.
    ///
    /// Where transitions earn rewards, what others would earn is not known, and there is none.
    pub(super) fn beyond(
        &self,
        pair: Pair,
        sign: f64,
        values: &[f64],
        extremes: [State; 2],
    ) -> Option<(State, f64)> {
        if self.task.has_transition_rewards() {
            return None;
        }
        let best = extremes[usize::from(sign > 0.0)];
        let better = |&s: &u32| sign * (values[best.at()] - values[s as usize]) > 0.0;
        let found = self.rows.row(pair).0.iter().all(better);
        found.then(|| (best, self.outcome(pair, best, values)))
    }

    fn levers(
        &self,
        target: &Target,
        influence: &[(Pair, f64)],
        values: &[f64],
        samples: &[f64],
    ) -> Vec<(Pair, Lever<'a>)> {
        let extremes = self.extremes(values);
        let lever = |&(pair, d): &(Pair, f64)| {
            let (next, prob) = self.rows.row(pair);
            let scale = target.sign * d / samples[pair.at()];
            let worth = |&s: &u32| scale * self.outcome(pair, State(s), values);
            let weight: Vec<f64> = next.iter().map(worth).collect();
            let beyond = self.beyond(pair, scale.signum(), values, extremes);
            let lever = Lever {
                next,
                prob,
                weight,
                beyond: beyond.map(|(s, w)| (s, scale * w)),
            };
            (pair, lever)
        };
        // A row that mattered nothing in the true world, or has no samples, stays as it is.
        let own = |pair: Pair| {
            let at = target.influence.binary_search_by_key(&pair, |i| i.0);
            at.is_ok() && samples[pair.at()] > 0.0
        };
        influence.iter().filter(|i| own(i.0)).map(lever).collect()
    }

    /// The world in which all levers are moved by `theta`.
    fn changed(&self, levers: &[(Pair, Lever)], theta: f64) -> Changed<'a> {
        let mut changed = Changed {
            rows: self.rows,
            place: vec![usize::MAX; self.task.pairs()],
            moved: Vec::with_capacity(levers.len()),
            reward: self.rows.reward(self.task).to_vec(),
        };
        for (pair, lever) in levers {
            let moved = lever.moved(theta);
            if self.task.has_transition_rewards() {
                let outcomes = moved.next.iter().zip(&moved.prob);
                let earned = outcomes.map(|(&s, p)| p * self.task.reward_of(*pair, State(s)));
                changed.reward[pair.at()] = earned.sum();
            }
            changed.place[pair.at()] = changed.moved.len();
            changed.moved.push(moved);
        }
        changed
    }

    /// The world with the other answer from which `samples` tell the true one least, as far as a
    /// local search finds it; `None` if it finds none.
    ///
    /// To first order the best move of every row is that of [`Lever::moved`], with the values and
    /// visits of the true world; those of the last alternative take their place in the next pass.
    pub(super) fn alternative(
        &self,
        target: &Target,
        samples: &[f64],
    ) -> Result<Option<Alternative>> {
        let mut best: Option<(f64, Alternative)> = None;
        let mut worth = Worth {
            values: self.values.clone(),
            influence: target.influence.clone(),
            advantage: 0.0,
        };
        for _ in 0..PASSES {
            let levers = self.levers(target, &worth.influence, &worth.values, samples);
            let Some((changed, there)) = self.crossing(target, &levers, samples)? else {
                break;
            };
            let found = described(&levers, &changed, there.advantage);
            let told = found.information(samples);
            if self.allows(&there.values) && best.as_ref().is_none_or(|b| told < b.0) {
                best = Some((told, found));
            }
            worth = there;
        }
        Ok(best.map(|(_, alternative)| alternative))
    }

    /// Whether returns stay within what was declared of them, which an algorithm may rely on.
    fn allows(&self, values: &[f64]) -> bool {
        let Some((low, high)) = self.task.declared_range() else {
            return true;
        };
        let slack = 1e-9 * (high - low);
        let within = |&v: &f64| v >= low - slack && v <= high + slack;
        values.iter().all(within)
    }

    /// The smallest move of all levers together that gets the advantage over the threshold.
    fn crossing(
        &self,
        target: &Target,
        levers: &[(Pair, Lever)],
        samples: &[f64],
    ) -> Result<Option<(Changed<'a>, Worth)>> {
        let Some(mut high) = first_guess(target, levers, samples) else {
            return Ok(None);
        };
        let wanted = BEYOND * target.gap;
        let at = |theta: f64| -> Result<(f64, Changed<'a>, Worth)> {
            let changed = self.changed(levers, theta);
            let worth = self.worth(&changed, target.pair)?;
            let over = target.sign * (worth.advantage - target.threshold) - wanted;
            Ok((over, changed, worth))
        };
        let (mut low, mut off_low) = (0.0, -target.gap - wanted);
        let mut found = at(high)?;
        for _ in 0..STEPS {
            if found.0 >= 0.0 {
                break;
            }
            (low, off_low) = (high, found.0);
            high *= 2.0;
            found = at(high)?;
        }
        if !(found.0 >= 0.0 && found.0.is_finite()) {
            return Ok(None);
        }
        // Regula falsi; the end that stays has its weight halved (Illinois).
        let mut off_high = found.0;
        for _ in 0..STEPS {
            if found.0 <= OVERSHOOT * target.gap {
                break;
            }
            // Aims a little beyond the threshold, where the search may end.
            let aim = 0.3 * OVERSHOOT * target.gap;
            let share = (off_low - aim) / (off_low - off_high.max(2.0 * aim));
            let theta = low + (high - low) * share.clamp(0.01, 0.99);
            let tried = at(theta)?;
            if tried.0 >= 0.0 {
                (high, off_high) = (theta, tried.0);
                found = tried;
                off_low *= 0.5;
            } else {
                (low, off_low) = (theta, tried.0);
                off_high *= 0.5;
            }
        }
        Ok(Some((found.1, found.2)))
    }
}

/// The size of the move that would do if the advantage were linear, or the least that moves
/// anything; `None` if nothing moves it.
fn first_guess(target: &Target, levers: &[(Pair, Lever)], samples: &[f64]) -> Option<f64> {
    let slope = |(pair, lever): &(Pair, Lever)| samples[pair.at()] * lever.variance();
    let slope: f64 = levers.iter().map(slope).sum();
    let opens = |(_, lever): &(Pair, Lever)| {
        let (_, u) = lever.beyond?;
        Some(1.0 / (u - lever.top()))
    };
    let opens = levers
        .iter()
        .filter_map(opens)
        .fold(f64::INFINITY, f64::min);
    let guess = match slope > 0.0 {
        true => (target.gap / slope).min(2.0 * opens),
        false => 1.1 * opens,
    };
    (guess.is_finite() && guess > 0.0).then_some(guess)
}

fn described(levers: &[(Pair, Lever)], changed: &Changed, advantage: f64) -> Alternative {
    let rows = levers.iter().zip(&changed.moved);
    let rows = rows.filter(|(_, moved)| moved.divergence > 0.0);
    let described = |((pair, _), moved): (&(Pair, Lever), &Moved)| AlternativeRow {
        pair: *pair,
        next: moved
            .next
            .iter()
            .zip(&moved.prob)
            .map(|(&s, &p)| (State(s), p))
            .collect(),
        divergence: moved.divergence,
    };
    Alternative {
        rows: rows.map(described).collect(),
        advantage,
    }
}
