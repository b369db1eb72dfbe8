//! Certificates: evidence about one advantage, gathered over many rows at once.
//!
//! Interval evaluation takes the worst case of every row at the same time. But the errors of different
//! rows are independent, and one advantage hangs on a weighted sum of them. So for every pair in
//! question, its *target*, a fortune is staked on what comes: before the outcome `s'` of a row `(x,u)` is
//! drawn, a stake `b` is fixed from what was seen so far, and the fortune is multiplied by
//!
//! ```text
//! 1 + b (r(x,u,s') + gamma V(s') - Q(x,u)),
//! ```
//!
//! and before the expert answers `u` in `x` another one, for `1 + b (Q(x,u) - V(x))`. At the true `V = V_E`
//! and `Q = Q_E` both brackets have mean 0 given the past, and stakes are so small that no factor can be
//! negative. The fortune at the truth is then a martingale that begins at 1, so by Ville's inequality it
//! ever reaches `1 / delta` with probability at most `delta`, whatever is sampled when, and whatever the
//! stakes are. One number is fixed in advance, the fortune of one target; there is no union over rows.
//!
//! A hypothesis is a choice of `V` and `Q` within their intervals with `Q(s,a) - V(s) = a`. If its
//! fortune is at least `1 / delta`, it is ruled out; if that is so for all `V` and `Q`, the advantage is not `a`.
//! To the first order the logarithm is
//!
//! ```text
//! sum_k W_k (mean of r + gamma V over what was seen - Q)_k,   W_k the sum of all stakes on row k,
//! ```
//!
//! and if the totals are in proportion to the visits of the estimated world ([`Flow`]) every value
//! cancels but for `a^ - a`. [`Target::aim`] sets those proportions, stakes are placed so that the totals
//! follow them, and what does not cancel is bounded by its slope times the interval of that value
//! ([`Target::gather`]): of second order, and paid for in evidence, never in validity.
//!
//! Values of states are targets of the same kind, two for each, one for either side: what they show
//! narrows the intervals that the slack and the size of stakes hang on.
//!
//! Stakes may depend on the intervals, which hold with their own share of the allowance. While they
//! do, factors are not negative; a fortune is stopped where they cease to.

mod bets;
mod flow;
mod moment;
mod target;

use super::{Criteria, Intervals, PairVerdict, Verdicts};
use crate::index::{Pair, State};
use crate::learn::Learner;
use crate::model::Task;
use flow::Flow;
use moment::Moment;
use std::sync::Arc;
use target::{About, Question, Slopes, Target};

/// The share of the allowance that certificates may fail with; intervals have the rest.
pub(super) const PART: f64 = 0.8;

/// Stakes on a row are renewed whenever it has been seen this share more often.
const BLOCK: f64 = 0.02;

/// But not before so many more samples.
const SHORTEST: u32 = 2;

/// Halvings of the distance between what is ruled out and the estimate.
const HALVINGS: usize = 12;

/// A pair whose advantage seems to lie closer than this share of the margin to what is to be ruled out
/// is treated as this far away.
const NEAREST: f64 = 0.05;

/// Outcomes of a row, or answers in a state, since stakes were renewed.
#[derive(Clone, Debug, Default)]
struct Tape {
    fresh: Vec<u32>,
    count: u32,
    block: u32,
    seen: f64,
}

impl Tape {
    /// Notes an outcome; true if the block is full.
    fn see(&mut self, outcome: usize) -> bool {
        if self.fresh.len() <= outcome {
            self.fresh.resize(outcome + 1, 0);
        }
        self.fresh[outcome] += 1;
        self.seen += 1.0;
        self.count += 1;
        self.count >= self.block
    }

    /// Begins the next block; its length.
    fn begin(&mut self) -> f64 {
        self.fresh.fill(0);
        self.count = 0;
        self.block = ((BLOCK * self.seen) as u32).max(SHORTEST);
        f64::from(self.block)
    }
}

/// Stakes on all that is in question.
#[derive(Clone, Debug)]
pub struct Certificates {
    task: Arc<Task>,
    /// One for the advantage of every pair, two for the value of every state.
    targets: Vec<Option<Box<Target>>>,
    /// Pairs that need no stakes any more: a fortune that was given up cannot be begun again.
    closed: Vec<bool>,
    steps: Vec<Tape>,
    answers: Vec<Tape>,
    moment: Option<Moment>,
    /// The share of the allowance.
    part: f64,
}

impl Certificates {
    /// Nothing staked yet; certificates may fail with this part of the allowance.
    pub fn new(task: &Arc<Task>, part: f64) -> Self {
        Self {
            targets: vec![None; task.pairs() + 2 * task.states()],
            closed: vec![false; task.pairs()],
            steps: vec![Tape::default(); task.pairs()],
            answers: vec![Tape::default(); task.states()],
            moment: None,
            part,
            task: task.clone(),
        }
    }

    /// Notes an answer of the expert, after the learner has seen it.
    pub fn see_answer(&mut self, answer: Pair) {
        let Some(moment) = &self.moment else { return };
        let state = self.task.state_of(answer);
        let tape = &mut self.answers[state.at()];
        if tape.see(answer.at() - self.task.pairs_of(state).start) {
            renew_answers(&mut self.targets, tape, moment, state);
        }
    }

    /// Notes an outcome of `pair`, by its place in the row, after the learner has seen it.
    pub fn see_step(&mut self, pair: Pair, outcome: usize) {
        let Some(moment) = &self.moment else { return };
        let tape = &mut self.steps[pair.at()];
        if tape.see(outcome) && !moment.declared {
            renew_row(&mut self.targets, tape, moment, pair);
        }
    }

    /// Shrinks `intervals` to what the stakes have shown, and places the next ones on what is in
    /// `question` after `verdicts`.
    pub fn look(
        &mut self,
        learner: &Learner,
        intervals: &mut Intervals,
        verdicts: &Verdicts,
        in_question: impl Fn(&PairVerdict) -> bool,
    ) {
        let (task, criteria) = (self.task.clone(), verdicts.criteria());
        for (s, tape) in self.answers.iter_mut().enumerate() {
            settle_answers(&mut self.targets, tape, State::new(s));
        }
        let moment = Moment::new(task.clone(), learner, intervals, criteria);
        if !moment.declared {
            for (i, tape) in self.steps.iter_mut().enumerate() {
                settle_row(&mut self.targets, tape, &task, Pair::new(i));
            }
        }
        let allowed = (1.0 - criteria.confidence) * self.part;
        let mut work = Work {
            sure: libm::log(self.targets.len() as f64 / allowed),
            slopes: Slopes::new(&task),
            flow: Flow::new(&task),
            moment,
        };
        for state in task.all_states() {
            self.look_at_value(state, learner, intervals, &mut work);
        }
        for pair in task.all_pairs() {
            self.closed[pair.at()] |= !in_question(verdicts.at(pair));
            self.look_at_gain(pair, (learner, criteria), intervals, &mut work);
        }
        let moment = work.moment;
        for (s, tape) in self.answers.iter_mut().enumerate() {
            tape.seen = moment.asked(State::new(s));
            renew_answers(&mut self.targets, tape, &moment, State::new(s));
        }
        if !moment.declared {
            for (i, tape) in self.steps.iter_mut().enumerate() {
                tape.seen = moment.visits(Pair::new(i));
                renew_row(&mut self.targets, tape, &moment, Pair::new(i));
            }
        }
        self.moment = Some(moment);
    }

    fn look_at_value(
        &mut self,
        state: State,
        learner: &Learner,
        intervals: &mut Intervals,
        work: &mut Work,
    ) {
        let s = state.at();
        if self.task.is_terminal(state) || work.moment.asked(state) == 0.0 {
            return;
        }
        for (i, side) in [-1.0, 1.0].into_iter().enumerate() {
            let target = &mut self.targets[self.task.pairs() + 2 * s + i];
            if let Some(target) = target {
                let (low, high) = (intervals.value_low[s], intervals.value_high[s]);
                let left = work.conclude(target, (low, learner.values()[s], high));
                (intervals.value_low[s], intervals.value_high[s]) = left;
            }
            let new = || Box::new(Target::new(About::Value(state), &self.task));
            let (gap, sure) = (0.0, work.sure);
            let question = Question { side, gap, sure };
            target
                .get_or_insert_with(new)
                .aim(&work.moment, question, &mut work.flow);
        }
    }

    fn look_at_gain(
        &mut self,
        pair: Pair,
        (learner, criteria): (&Learner, &Criteria),
        intervals: &mut Intervals,
        work: &mut Work,
    ) {
        let i = pair.at();
        if self.closed[i] {
            self.targets[i] = None;
            return;
        }
        let tried = work.moment.visits(pair) > 0.0;
        if !tried || work.moment.asked(self.task.state_of(pair)) == 0.0 {
            return;
        }
        let estimate = learner.advantage(pair);
        if let Some(target) = &mut self.targets[i] {
            let (low, high) = intervals.advantage(&self.task, pair);
            let left = work.conclude(target, (low, estimate, high));
            (intervals.gain_low[i], intervals.gain_high[i]) = left;
        }
        let question = question(criteria, estimate, work.sure);
        let new = || Box::new(Target::new(About::Gain(pair), &self.task));
        self.targets[i]
            .get_or_insert_with(new)
            .aim(&work.moment, question, &mut work.flow);
    }
}

/// What a look works with.
struct Work {
    moment: Moment,
    sure: f64,
    slopes: Slopes,
    flow: Flow,
}

impl Work {
    /// What is left of `(low, high)` around `estimate` after what the stakes of `target` have ruled out.
    ///
    /// The evidence is concave in what is in question, so what holds at both ends holds between them.
    fn conclude(&mut self, target: &mut Target, ends: (f64, f64, f64)) -> (f64, f64) {
        let ((low, estimate, high), sure) = (ends, self.sure);
        target.weigh_declared(&self.moment);
        target.weigh_forced();
        let mut evidence = target.gather(&self.moment, &mut self.slopes);
        let mut end = |out: f64| {
            if !out.is_finite() || evidence.against(out) < sure {
                return out;
            }
            let (mut out, mut within) = (out, estimate);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (out + within);
                match evidence.against(middle) >= sure {
                    true => out = middle,
                    false => within = middle,
                }
            }
            out
        };
        (end(low).max(low), end(high).min(high))
    }
}

/// What to show of a pair with this estimate: that it gains, or that it gains no more than the margin.
fn question(criteria: &Criteria, estimate: f64, sure: f64) -> Question {
    let (side, against) = match estimate > criteria.likely() {
        true => (1.0, criteria.tolerance),
        false => (-1.0, criteria.tolerance + criteria.margin),
    };
    let gap = (estimate - against).abs().max(NEAREST * criteria.margin);
    Question { side, gap, sure }
}

fn settle_row(targets: &mut [Option<Box<Target>>], tape: &mut Tape, task: &Task, pair: Pair) {
    if std::mem::take(&mut tape.count) > 0 {
        for target in targets.iter_mut().flatten() {
            target.settle_row(task, pair, &tape.fresh);
        }
    }
}

fn settle_answers(targets: &mut [Option<Box<Target>>], tape: &mut Tape, state: State) {
    if std::mem::take(&mut tape.count) > 0 {
        for target in targets.iter_mut().flatten() {
            target.settle_answers(state, &tape.fresh);
        }
    }
}

/// Settles the outcomes of a row and places the next stakes on it.
fn renew_row(targets: &mut [Option<Box<Target>>], tape: &mut Tape, moment: &Moment, pair: Pair) {
    settle_row(targets, tape, &moment.task, pair);
    let block = tape.begin();
    for target in targets.iter_mut().flatten() {
        target.stake_row(moment, pair, block);
    }
}

/// Settles the answers in a state and places the next stakes on them.
fn renew_answers(
    targets: &mut [Option<Box<Target>>],
    tape: &mut Tape,
    moment: &Moment,
    state: State,
) {
    settle_answers(targets, tape, state);
    let block = tape.begin();
    for target in targets.iter_mut().flatten() {
        target.stake_answers(moment, state, block);
    }
}
