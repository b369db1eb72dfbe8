//! An advantage or a value that is in question, with all stakes against hypotheses about it.

use super::bets::Bets;
use super::flow::{FAINT, Flow};
use super::moment::Moment;
use crate::index::{Pair, State};
use crate::model::Task;
use crate::verdict::Assume;

/// Most that a stake risks of the fortune, whatever comes.
const HARD: f64 = 0.95;

/// Most that the average stake risks.
const SOFT: f64 = 0.8;

/// Stakes that catch up are at most this many times the average.
const CATCH_UP: f64 = 1.5;

/// How much more is staked than would do if nothing were lost.
const AMPLE: f64 = 1.4;

/// How far the own row may go ahead: it may be seen often before the next look.
const AHEAD: f64 = 1.1;

/// How far the stakes on other rows may be ahead of those on the own row.
const LEAD: f64 = 1.02;

/// The share of its goal that other rows begin with.
const FIRST: f64 = 0.02;

/// Where all that was to be staked did not do, this many times as much is.
const ZEAL: f64 = 1.1;

/// Where nothing is lost anything could be staked; numbers have an end, in units of the largest reward.
const MOST: f64 = 1e12;

/// Stakes on one tape, and what they should be.
#[derive(Clone, Debug, Default)]
struct Line {
    bets: Bets,
    /// What they should add up to.
    goal: f64,
    /// What one of them should be, on average.
    unit: f64,
}

impl Line {
    /// So many of each outcome came.
    fn settle(&mut self, fresh: &[u32]) {
        for (outcome, &times) in fresh.iter().enumerate() {
            self.bets.settle(outcome, times);
        }
    }

    /// A stake for each of the next `block` outcomes that brings the total to its goal, as far as a
    /// steady hand goes and no outcome on the losing side, so far below or above, can ruin it.
    fn next(&self, block: f64, (below, above): (f64, f64)) -> f64 {
        let most = CATCH_UP * self.unit;
        let stake = ((self.goal - self.bets.total()) / block).clamp(-most, most);
        stake.clamp(-HARD / above, HARD / below)
    }
}

/// Stakes along the expert's way through one state.
#[derive(Clone, Debug)]
struct Way {
    answers: Line,
    /// Of every pair of the state; those that the expert does not take stay empty.
    steps: Vec<Line>,
}

/// What is in question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum About {
    /// The advantage of a pair.
    Gain(Pair),
    /// The value of a state.
    Value(State),
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Target {
    about: About,
    /// On the pair's own row: positive to show that the advantage is larger than a hypothesis,
    /// negative to show that it is smaller.
    own: Line,
    /// How many times as much is staked as should do.
    zeal: f64,
    ways: Vec<Option<Box<Way>>>,
}

/// The evidence against hypotheses but for what the target's own row adds, with its slopes in the
/// values of states and pairs.
pub(super) struct Slopes {
    values: Vec<f64>,
    q: Vec<f64>,
    own: Vec<(usize, f64)>,
}

impl Slopes {
    pub fn new(task: &Task) -> Self {
        Self {
            values: vec![0.0; task.states()],
            q: vec![0.0; task.pairs()],
            own: Vec::new(),
        }
    }
}

/// What is to be shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    /// 1 if what is in question is thought to be larger than a hypothesis, -1 if smaller.
    pub side: f64,
    /// How much; of a value, whatever can be shown.
    pub gap: f64,
    /// The logarithm of what has to be earned.
    pub sure: f64,
}

impl Target {
    pub fn new(about: About, task: &Task) -> Self {
        Self {
            about,
            own: Line::default(),
            zeal: 1.0,
            ways: vec![None; task.states()],
        }
    }

    /// The stakes on the row of `pair`, if there are any.
    fn line(&mut self, task: &Task, pair: Pair) -> Option<&mut Line> {
        if self.about == About::Gain(pair) {
            return Some(&mut self.own);
        }
        let state = task.state_of(pair);
        let first = task.pairs_of(state).start;
        let way = self.ways[state.at()].as_deref_mut()?;
        Some(&mut way.steps[pair.at() - first])
    }

    /// Settles the stakes on the row of `pair`.
    pub fn settle_row(&mut self, task: &Task, pair: Pair, fresh: &[u32]) {
        if let Some(line) = self.line(task, pair) {
            line.settle(fresh);
        }
    }

    /// Settles the stakes on the answers in `state`.
    pub fn settle_answers(&mut self, state: State, fresh: &[u32]) {
        if let Some(way) = &mut self.ways[state.at()] {
            way.answers.settle(fresh);
        }
    }

    /// Places stakes on the next `block` outcomes of `pair`.
    pub fn stake_row(&mut self, moment: &Moment, pair: Pair, block: f64) {
        if let Some(line) = self.line(&moment.task, pair) {
            let range = (moment.range(pair, 1.0), moment.range(pair, -1.0));
            line.bets.stake = line.next(block, range);
        }
    }

    /// Places stakes on the next `block` answers in `state`.
    pub fn stake_answers(&mut self, moment: &Moment, state: State, block: f64) {
        let Some(way) = &mut self.ways[state.at()] else {
            return;
        };
        if moment.assume == Assume::Mixed && moment.task.pairs_of(state).len() > 1 {
            let (below, above) = (
                moment.answer_range(state, 1.0),
                moment.answer_range(state, -1.0),
            );
            way.answers.bets.stake = way.answers.next(block, (below, above));
        }
    }

    /// The evidence so far but for the own row: its logarithm, at least, and the slopes.
    pub fn gather<'a>(&'a self, moment: &'a Moment, slopes: &'a mut Slopes) -> Evidence<'a> {
        let task = &moment.task;
        slopes.values.fill(0.0);
        slopes.q.fill(0.0);
        let mut log = 0.0;
        for (s, way) in self.ways.iter().enumerate() {
            let Some(way) = way else { continue };
            let state = State::new(s);
            for (j, i) in task.pairs_of(state).enumerate() {
                if j < way.answers.bets.outcomes() {
                    let (q, v) = (moment.q[i], moment.values[s]);
                    let reach = q.reach() + v.reach();
                    let at = way.answers.bets.earned(j, q.at - v.at, reach, q.minus(&v));
                    log += at.log - at.bend;
                    slopes.q[i] += at.slope;
                    slopes.values[s] -= at.slope;
                }
                log -= moment.lost(Pair::new(i), way.steps[j].bets.total());
                let mean = moment.mean(Pair::new(i));
                for (at, outcome) in moment.outcomes[i]
                    .iter()
                    .enumerate()
                    .take(way.steps[j].bets.outcomes())
                {
                    let reach = outcome.worth.reach() + mean.reach();
                    let y = outcome.worth.at - mean.at;
                    let range = outcome.worth.minus(&mean);
                    let earned = way.steps[j].bets.earned(at, y, reach, range);
                    log += earned.log - earned.bend;
                    slopes.values[outcome.next] += task.gamma() * earned.slope;
                    match moment.assume {
                        Assume::Mixed => slopes.q[i] -= earned.slope,
                        Assume::Ties => slopes.values[s] -= earned.slope,
                    }
                }
            }
        }
        let values = slopes.values.iter().zip(&moment.values);
        let q = slopes.q.iter().zip(&moment.q);
        let slack: f64 = values.chain(q).map(|(&g, around)| around.least(g)).sum();
        Evidence {
            target: self,
            moment,
            log,
            slack,
            slopes,
        }
    }

    /// Sets what the stakes should add up to from now on.
    ///
    /// Totals in proportion to the visits of the estimated world cancel whatever the values are: only
    /// what is in question is left. A total of `g` then earns `g gap - g^2 noise / 2`, where the noise
    /// is `sum w^2 var / n` over the rows with their weights: most at `g = gap / noise`. Where the gap is
    /// as small as can be shown, `g gap - g^2 noise / 2 = sure`, that is `sqrt(2 sure / noise)`. And no row
    /// may be seen so rarely that it does not bear its stakes.
    pub fn aim(&mut self, moment: &Moment, question: Question, flow: &mut Flow) {
        flow.follow(moment, self.about);
        let unit = moment.task.reward_scale().max(f64::MIN_POSITIVE);
        let (mut noise, mut most) = (0.0, MOST / unit);
        let mut weigh = |weight: f64, one: f64, range: f64, n: f64| {
            noise += weight * weight * one / n;
            most = f64::min(most, SOFT * n / (weight.abs() * range));
        };
        let (side, sure) = (question.side, question.sure);
        if let About::Gain(pair) = self.about {
            let n = moment.visits(pair).max(1.0);
            weigh(1.0, moment.noise(pair, side), moment.range(pair, side), n);
        }
        each_row(moment, flow, side, |row| {
            weigh(row.weight, row.noise, row.range, row.seen.max(1.0));
        });
        let (total, others) = match self.about {
            About::Gain(pair) => {
                let best = (question.gap / noise).min(most);
                let total = self.aim_own(moment, (pair, question), best);
                // What is ahead of the own row would not cancel.
                let lead = LEAD * (side * self.own.bets.total()).max(FIRST * total);
                (total, lead.min(total))
            }
            About::Value(_) => {
                let total = (2.0 * sure / noise).sqrt().min(most);
                (total, total)
            }
        };
        self.aim_others(moment, flow, (side, side * others, total));
    }

    /// Sets what the stakes on the own row should add up to, at most `total`.
    fn aim_own(&mut self, moment: &Moment, (pair, question): (Pair, Question), total: f64) -> f64 {
        let enough = AMPLE * question.sure / question.gap * self.zeal;
        if question.side * self.own.bets.total() >= 0.95 * enough {
            self.zeal *= ZEAL;
        }
        let total = total.min(enough);
        self.own.goal = question.side * (AHEAD * total).min(enough);
        self.own.unit = total / moment.visits(pair).max(1.0);
        total
    }

    /// Sets what the stakes on the expert's way should add up to: `goal` times the weight of each row.
    fn aim_others(&mut self, moment: &Moment, flow: &Flow, (side, goal, total): (f64, f64, f64)) {
        for way in self.ways.iter_mut().flatten() {
            way.answers.goal = 0.0;
            for line in &mut way.steps {
                line.goal = 0.0;
            }
        }
        let (task, ways) = (&moment.task, &mut self.ways);
        each_row(moment, flow, side, |row| {
            let pairs = task.pairs_of(row.state);
            let way = ways[row.state.at()].get_or_insert_with(|| {
                Box::new(Way {
                    answers: Line::default(),
                    steps: vec![Line::default(); pairs.len()],
                })
            });
            let line = match row.pair {
                Some(pair) => &mut way.steps[pair.at() - pairs.start],
                None => &mut way.answers,
            };
            line.goal = goal * row.weight;
            line.unit = total * row.weight.abs() / row.seen.max(1.0);
        });
    }

    /// Where rows are declared, stakes on them lose nothing, so they add up to what they should at once.
    pub fn weigh_declared(&mut self, moment: &Moment) {
        if !moment.declared {
            return;
        }
        let row = |pair: Pair| moment.outcomes[pair.at()].iter().map(|o| o.prob);
        if let About::Gain(pair) = self.about {
            self.own.bets.weigh(self.own.goal, row(pair));
        }
        for (s, way) in self.ways.iter_mut().enumerate() {
            let Some(way) = way else { continue };
            let pairs = moment.task.pairs_of(State::new(s)).map(Pair::new);
            for (line, pair) in way.steps.iter_mut().zip(pairs) {
                line.bets.weigh(line.goal, row(pair));
            }
        }
    }

    /// Where there is one answer to give, it bears any stake and loses nothing.
    pub fn weigh_forced(&mut self) {
        for way in self.ways.iter_mut().flatten() {
            if way.steps.len() == 1 {
                way.answers
                    .bets
                    .weigh(way.steps[0].bets.total(), std::iter::once(1.0));
            }
        }
    }
}

/// A tape on which an advantage hangs.
struct Row {
    /// The pair whose row it is; none for answers.
    pair: Option<Pair>,
    /// The state.
    state: State,
    /// How far what is in question moves with its mean.
    weight: f64,
    noise: f64,
    range: f64,
    seen: f64,
}

/// Calls `each` with the tapes along the expert's way, for stakes on this side.
fn each_row(moment: &Moment, flow: &Flow, side: f64, mut each: impl FnMut(Row)) {
    let task = &moment.task;
    for &state in &flow.states {
        let visits = flow.visits[state.at()];
        if visits.abs() < FAINT || moment.asked(state) == 0.0 {
            continue;
        }
        if moment.assume == Assume::Mixed && task.pairs_of(state).len() > 1 {
            each(Row {
                pair: None,
                state,
                weight: visits,
                noise: moment.answer_noise(state, side * visits),
                range: moment.answer_range(state, side * visits),
                seen: moment.asked(state),
            });
        }
        for pair in task.pairs_of(state).map(Pair::new) {
            let weight = visits * moment.share(pair);
            if weight != 0.0 {
                each(Row {
                    pair: Some(pair),
                    state,
                    weight,
                    noise: moment.noise(pair, side * weight),
                    range: moment.range(pair, side * weight),
                    seen: moment.visits(pair),
                });
            }
        }
    }
}

/// See [`Target::gather`].
pub(super) struct Evidence<'a> {
    target: &'a Target,
    moment: &'a Moment,
    log: f64,
    slack: f64,
    slopes: &'a mut Slopes,
}

impl Evidence<'_> {
    /// The same if the value of `state` is `v`.
    fn against_value(&self, state: State, v: f64) -> f64 {
        let (slope, here) = (
            self.slopes.values[state.at()],
            &self.moment.values[state.at()],
        );
        self.log + self.slack - here.least(slope) + slope * (v - here.at)
    }

    /// The logarithm of what the stakes have earned if the advantage is `a`, at least, whatever the other
    /// values within their intervals are.
    pub fn against(&mut self, a: f64) -> f64 {
        let (task, moment) = (&self.moment.task, self.moment);
        let pair = match self.target.about {
            About::Gain(pair) => pair,
            About::Value(state) => return self.against_value(state, a),
        };
        let s = task.state_of(pair);
        let here = moment.values[s.at()];
        let (mut log, mut slack) = (self.log, self.slack);
        let slopes = &mut *self.slopes;
        slopes.own.clear();
        slopes.own.push((s.at(), 0.0));
        let bets = &self.target.own.bets;
        log -= moment.lost(pair, bets.total());
        let outcomes = moment.outcomes[pair.at()].iter().enumerate();
        for (at, outcome) in outcomes.take(bets.outcomes()) {
            let reach = outcome.worth.reach() + here.reach();
            let y = outcome.worth.at - here.at - a;
            let range = outcome.worth.minus(&moment.q[pair.at()]);
            let earned = bets.earned(at, y, reach, range);
            log += earned.log - earned.bend;
            slopes.own[0].1 -= earned.slope;
            slopes.own.push((outcome.next, task.gamma() * earned.slope));
        }
        // A state may occur twice: its slopes add up before they count.
        for i in 0..slopes.own.len() {
            let (z, slope) = slopes.own[i];
            let before = slopes.values[z];
            slopes.values[z] += slope;
            let around = &moment.values[z];
            slack += around.least(slopes.values[z]) - around.least(before);
        }
        for &(z, slope) in slopes.own.iter().rev() {
            slopes.values[z] -= slope;
        }
        log + slack
    }
}
