//! What all targets share at one moment: values around which hypotheses are tried, how far they may
//! reach, and how far outcomes may lie from their means.

use crate::index::{Pair, State};
use crate::learn::Learner;
use crate::model::{Dynamics, Task};
use crate::verdict::{Assume, Criteria, Intervals, Know, Knowledge};
use std::sync::Arc;

/// A value with how far below and above it the truth may lie.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    pub at: f64,
    down: f64,
    up: f64,
}

impl Around {
    /// `at`, or the nearest number within `[low, high]`.
    fn new(at: f64, low: f64, high: f64) -> Self {
        let at = at.max(low).min(high);
        Self {
            at,
            down: (at - low).max(0.0),
            up: (high - at).max(0.0),
        }
    }

    /// The furthest distance of the truth.
    pub fn reach(&self) -> f64 {
        self.down.max(self.up)
    }

    /// How far the truth may lie from that of `other`, below and above.
    pub fn minus(&self, other: &Self) -> (f64, f64) {
        let least = self.at - self.down - (other.at + other.up);
        let most = self.at + self.up - (other.at - other.down);
        (least, most)
    }

    /// The least that `slope` times the distance of the truth may be.
    pub fn least(&self, slope: f64) -> f64 {
        if slope == 0.0 {
            0.0
        } else if slope > 0.0 {
            -slope * self.down
        } else {
            slope * self.up
        }
    }
}

/// One outcome of a row that was seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub next: usize,
    /// Its estimated probability.
    pub prob: f64,
    /// `r(s,a,s') + gamma V(s')`.
    pub worth: Around,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub task: Arc<Task>,
    pub assume: Assume,
    /// Whether nothing is staked on rows: they are declared, or covered by their intervals, since a sample
    /// of one is a sample of its whole class.
    pub unstaked: bool,
    /// How far the mean of a row may lie below and above that of its outcomes; 0 if the row is declared.
    pub astray: Vec<(f64, f64)>,
    pub values: Vec<Around>,
    pub q: Vec<Around>,
    pub outcomes: Vec<Vec<Outcome>>,
    visits: Vec<f64>,
    asked: Vec<f64>,
    share: Vec<f64>,
    ranges: Vec<(f64, f64)>,
    answer_ranges: Vec<(f64, f64)>,
    variance: Vec<f64>,
    answer_variance: Vec<f64>,
    /// What blur counts on rows.
    weight: f64,
    blur: Vec<f64>,
    answer_blur: Vec<f64>,
}

/// Ranges below this share of the largest reward are 0 but for rounding.
const NOTHING: f64 = 1e-9;

/// Where next states are declared, hardly anything is left of what was perhaps not seen, which else keeps
/// stakes low until values are sharp. There blur counts this many times: with 1 searches took a fifth more
/// samples. With nothing declared constrained pairs fall earlier with 1.
const BLUR_OF_DECLARED: f64 = 3.0;

impl Moment {
    /// The moment that `learner` and `intervals` describe.
    pub fn new(
        task: Arc<Task>,
        learner: &Learner,
        intervals: &Intervals,
        criteria: &Criteria,
    ) -> Self {
        let known = intervals.known();
        let states = || task.all_states();
        let pairs = || task.all_pairs();
        let values: Vec<Around> = states().map(|s| value(learner, intervals, s)).collect();
        let nothing = NOTHING * task.reward_scale().max(f64::MIN_POSITIVE);
        let least = |(down, up): (f64, f64)| (f64::max(down, nothing), f64::max(up, nothing));
        let range = |p: Pair| {
            let (low, high) = intervals.worth(&task, p);
            let (q_low, q_high) = (intervals.q_low[p.at()], intervals.q_high[p.at()]);
            least((q_high - low, high - q_low))
        };
        let asked = |s: State| f64::from(learner.expert_asked(s));
        let share =
            |p: Pair| f64::from(learner.expert_choices(p)) / asked(task.state_of(p)).max(1.0);
        let mut moment = Self {
            assume: criteria.assume,
            unstaked: known.is_some_and(|k| k.know() != Know::Successors),
            astray: vec![(0.0, 0.0); task.pairs()],
            q: pairs().map(|p| q(learner, intervals, p)).collect(),
            outcomes: pairs()
                .map(|p| outcomes(learner, known, p, &values))
                .collect(),
            values,
            visits: learner
                .estimate()
                .all_visits()
                .iter()
                .map(|&n| f64::from(n))
                .collect(),
            asked: states().map(asked).collect(),
            share: pairs().map(share).collect(),
            ranges: pairs().map(range).collect(),
            answer_ranges: states()
                .map(|s| least(intervals.answer_range(&task, s)))
                .collect(),
            variance: Vec::new(),
            answer_variance: Vec::new(),
            weight: known.map_or(1.0, |_| BLUR_OF_DECLARED),
            blur: Vec::new(),
            answer_blur: Vec::new(),
            task: task.clone(),
        };
        moment.variance = pairs().map(|p| moment.variance_of(p)).collect();
        moment.answer_variance = states().map(|s| moment.answer_variance_of(s)).collect();
        if known.is_some_and(|k| k.know() == Know::Classes) {
            let delta = intervals.each(&task, criteria);
            let astray = |p| moment.astray_of(learner, intervals, p, delta);
            moment.astray = pairs().map(astray).collect();
        }
        moment.blur = pairs().map(|p| moment.blur_of(p)).collect();
        moment.answer_blur = states().map(|s| moment.answer_blur_of(s)).collect();
        moment
    }

    /// What the outcomes of `pair` are measured against: `Q`, or the value of the state where all that
    /// the expert takes has its value.
    pub fn mean(&self, pair: Pair) -> Around {
        match self.assume {
            Assume::Mixed => self.q[pair.at()],
            Assume::Ties => self.values[self.task.state_of(pair).at()],
        }
    }

    /// What so much on the row of `pair` may lose because its true mean is another than it seems.
    pub fn lost(&self, pair: Pair, total: f64) -> f64 {
        let (below, above) = self.astray[pair.at()];
        if total > 0.0 {
            total * below
        } else {
            -total * above
        }
    }

    /// How often the row of `pair` was seen.
    pub fn visits(&self, pair: Pair) -> f64 {
        self.visits[pair.at()]
    }

    /// How often the expert was asked in `state`.
    pub fn asked(&self, state: State) -> f64 {
        self.asked[state.at()]
    }

    /// The share of the expert's answers that `pair` is; 0 where it was never asked.
    pub fn share(&self, pair: Pair) -> f64 {
        self.share[pair.at()]
    }

    /// How far an outcome of `pair` may lie on the losing side of a stake of this sign.
    pub fn range(&self, pair: Pair, stake: f64) -> f64 {
        if self.unstaked {
            return 0.0;
        }
        let (down, up) = self.ranges[pair.at()];
        if stake > 0.0 { down } else { up }
    }

    /// How far an answer in `state` may lie on the losing side of a stake of this sign.
    pub fn answer_range(&self, state: State, stake: f64) -> f64 {
        let (down, up) = self.answer_ranges[state.at()];
        if stake > 0.0 { down } else { up }
    }

    /// What a stake on one sample of `pair` costs: its variance, what was perhaps not seen yet, and that
    /// its mean is known no better than its values.
    pub fn noise(&self, pair: Pair, stake: f64) -> f64 {
        if self.unstaked {
            return 0.0;
        }
        let (range, n) = (self.range(pair, stake), self.visits(pair).max(1.0));
        self.variance[pair.at()] + 0.5 * range * range / n + self.blur[pair.at()]
    }

    /// The same for one answer in `state`.
    pub fn answer_noise(&self, state: State, stake: f64) -> f64 {
        let (range, n) = (self.answer_range(state, stake), self.asked(state).max(1.0));
        let unseen = 0.5 * range * range / n;
        self.answer_variance[state.at()] + unseen + self.answer_blur[state.at()]
    }

    fn variance_of(&self, pair: Pair) -> f64 {
        let outcomes = self.outcomes[pair.at()].iter();
        spread(outcomes.map(|o| (o.prob, o.worth.at)))
    }

    fn astray_of(
        &self,
        learner: &Learner,
        intervals: &Intervals,
        pair: Pair,
        delta: f64,
    ) -> (f64, f64) {
        let outcomes = &self.outcomes[pair.at()];
        let prob: Vec<f64> = outcomes.iter().map(|o| o.prob).collect();
        let worth: Vec<f64> = outcomes.iter().map(|o| o.worth.at).collect();
        let (low, high) = intervals.worth(&self.task, pair);
        let blur = (high - low).min(intervals.widest(&self.task, pair));
        let n = learner.estimate().visits(pair);
        intervals.astray((&prob, &worth), (n, delta), (low, high), blur)
    }

    /// The mean square of how far values may lie from where they are thought to be: by as much a
    /// hypothesis bends what stakes have earned.
    fn blur_of(&self, pair: Pair) -> f64 {
        let mean = self.mean(pair).reach();
        let reach = |o: &Outcome| o.worth.reach() + mean;
        let outcomes = self.outcomes[pair.at()].iter();
        let square: f64 = outcomes.map(|o| o.prob * reach(o) * reach(o)).sum();
        self.weight * square
    }

    fn answer_blur_of(&self, state: State) -> f64 {
        let value = self.values[state.at()].reach();
        let pairs = self.task.pairs_of(state).map(Pair::new);
        let square = |p: Pair| {
            let reach = self.q[p.at()].reach() + value;
            self.share(p) * reach * reach
        };
        pairs.map(square).sum()
    }

    fn answer_variance_of(&self, state: State) -> f64 {
        let pairs = self.task.pairs_of(state).map(Pair::new);
        spread(pairs.map(|p| (self.share(p), self.q[p.at()].at)))
    }
}

fn value(learner: &Learner, intervals: &Intervals, state: State) -> Around {
    let s = state.at();
    let (low, high) = (intervals.value_low[s], intervals.value_high[s]);
    Around::new(learner.values()[s], low, high)
}

fn q(learner: &Learner, intervals: &Intervals, pair: Pair) -> Around {
    let (low, high) = (intervals.q_low[pair.at()], intervals.q_high[pair.at()]);
    Around::new(learner.q(pair), low, high)
}

/// The variance of values with weights that add up to 1, or to 0.
fn spread(values: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let mean: f64 = values.clone().map(|(w, x)| w * x).sum();
    values.map(|(w, x)| w * (x - mean) * (x - mean)).sum()
}

fn outcomes(
    learner: &Learner,
    known: Option<&Knowledge>,
    pair: Pair,
    values: &[Around],
) -> Vec<Outcome> {
    let (task, estimate) = (learner.task(), learner.estimate());
    let outcome = |next: u32, prob: f64, (least, most): (f64, f64)| {
        let (value, gamma) = (values[next as usize], task.gamma());
        let (low, high) = (value.at - value.down, value.at + value.up);
        let at = 0.5 * (least + most) + gamma * value.at;
        Outcome {
            next: next as usize,
            prob,
            worth: Around::new(at, least + gamma * low, most + gamma * high),
        }
    };
    if let Some((next, prob)) = known.and_then(|k| k.row(pair)) {
        let reward = |s: u32| task.reward_of(pair, State(s));
        let row = next.iter().zip(prob);
        return row
            .map(|(&s, &p)| outcome(s, p, (reward(s), reward(s))))
            .collect();
    }
    let (next, prob) = estimate.row(pair);
    let rewards = estimate.reward_bounds(task, pair);
    let row = next.iter().zip(prob).zip(rewards);
    row.map(|((&s, &p), bounds)| outcome(s, p, bounds))
        .collect()
}
