//! Random models and slow, obviously right answers to compare with.

pub mod brute;
pub mod problems;

use hedgerow::env::{Environment, Simulator, TableSimulator, Truth};
use hedgerow::finite::RunOptions;
use hedgerow::index::{Pair, State};
use hedgerow::learn::{Inference, Learner};
use hedgerow::model::{Cost, Dynamics, Model, ModelBuilder, Policy, Rows, Task};
use hedgerow::solve::Mdp;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The same cases every time, so that a failure is a change and not a coincidence.
pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(20_240_229),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// What kind of model to draw.
#[derive(Clone, Debug)]
pub struct Kind {
    /// States that are not terminal.
    pub states: RangeInclusive<usize>,
    /// Actions a state may offer at most.
    pub actions: usize,
    /// Discounts to choose from.
    pub gammas: &'static [f64],
    /// Whether some pairs have an empty row, as pairs never tried have.
    pub holes: bool,
}

/// Models of up to a few dozen states.
pub const SMALL: Kind = Kind {
    states: 1..=30,
    actions: 4,
    gammas: &[0.0, 0.3, 0.9, 0.99],
    holes: true,
};

/// Models whose deterministic policies can be counted through.
pub const TINY: Kind = Kind {
    states: 1..=4,
    actions: 3,
    gammas: &[0.0, 0.5, 0.9],
    holes: true,
};

/// A random problem and a random cost for it.
#[derive(Clone)]
pub struct Case {
    /// What it was drawn from: enough to draw it again.
    pub label: String,
    /// Task and full rows.
    pub model: Model,
    /// The rows, some of them emptied.
    pub dynamics: Holes,
    /// At least 0, often 0.
    pub cost: Vec<f64>,
    /// A second set of weights, of either sign.
    pub weights: Vec<f64>,
    /// A random subset of the pairs, which may leave states with none.
    pub allowed: Vec<bool>,
}

// Thousands of numbers help nobody: a failing case names what to pass to `draw`.
impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.label)
    }
}

impl Case {
    /// The task.
    pub fn task(&self) -> &Task {
        self.model.task()
    }

    /// The problem with all pairs allowed.
    pub fn mdp(&self) -> Mdp<'_, Holes> {
        Mdp::new(self.model.task(), &self.dynamics)
    }
}

/// Rows of which some are hidden.
#[derive(Clone, Debug)]
pub struct Holes {
    rows: Rows,
    hidden: Vec<bool>,
}

impl Dynamics for Holes {
    fn row(&self, pair: Pair) -> (&[u32], &[f64]) {
        if self.hidden[pair.at()] {
            (&[], &[])
        } else {
            self.rows.row(pair)
        }
    }
}

/// Random models of a kind: sparse rows, actions that differ by state, terminals, several starts.
pub fn random_model(kind: Kind) -> impl Strategy<Value = Case> {
    (
        kind.states.clone(),
        0..=2_usize,
        proptest::sample::select(kind.gammas),
        any::<u64>(),
    )
        .prop_map(move |(live, terminals, gamma, seed)| draw(&kind, live, terminals, gamma, seed))
}

/// The model of `live` states that are not terminal and `terminals` that are.
pub fn draw(kind: &Kind, live: usize, terminals: usize, gamma: f64, seed: u64) -> Case {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let states = live + terminals;
    let names: Vec<String> = (0..kind.actions).map(|a| format!("a{a}")).collect();
    let mut b = ModelBuilder::new(states, names, gamma);
    for s in live..states {
        b.terminal(s);
    }
    for s in 0..live {
        let first = rng.random_range(0..kind.actions);
        for a in 0..kind.actions {
            if a == first || rng.random_bool(0.6) {
                let width = rng.random_range(1..=3.min(states));
                let mut next: Vec<usize> = Vec::new();
                while next.len() < width {
                    let to = rng.random_range(0..states);
                    if !next.contains(&to) {
                        next.push(to);
                    }
                }
                let share: Vec<f64> = next.iter().map(|_| rng.random_range(0.05..1.0)).collect();
                let total: f64 = share.iter().sum();
                for (&to, p) in next.iter().zip(&share) {
                    b.transition(s, a, to, p / total);
                }
                // Quarters make ties, which is where solvers go wrong.
                if rng.random_bool(0.7) {
                    let r: f64 = rng.random();
                    let tie = rng.random_bool(0.5);
                    b.reward(s, a, if tie { (4.0 * r).round() / 4.0 } else { r });
                }
            }
        }
    }
    let starts = rng.random_range(1..=3.min(live));
    for s in 0..starts {
        b.start(s, 1.0 / starts as f64);
    }
    let model = b.build().expect("a valid model");
    let pairs = model.task().pairs();
    let hole = if kind.holes && rng.random_bool(0.5) {
        0.2
    } else {
        0.0
    };
    Case {
        label: format!("draw({kind:?}, {live}, {terminals}, {gamma}, {seed})"),
        dynamics: Holes {
            rows: model.rows().clone(),
            hidden: (0..pairs).map(|_| rng.random_bool(hole)).collect(),
        },
        cost: (0..pairs)
            .map(|_| {
                if rng.random_bool(0.5) {
                    0.0
                } else {
                    rng.random()
                }
            })
            .collect(),
        weights: (0..pairs).map(|_| rng.random_range(-1.0..1.0)).collect(),
        allowed: (0..pairs).map(|_| rng.random_bool(0.7)).collect(),
        model,
    }
}

/// `(I - gamma P_pi)^{-1} r_pi` by plain Gaussian elimination with pivoting.
pub fn dense_values<D: Dynamics>(mdp: &Mdp<D>, probs: &[f64], reward: &[f64]) -> Vec<f64> {
    let n = mdp.task().states();
    let mut m = vec![vec![0.0; n + 1]; n];
    for (s, row) in m.iter_mut().enumerate() {
        row[s] += 1.0;
        for i in mdp.task().pairs_of(State::new(s)) {
            row[n] += probs[i] * reward[i];
            let (next, prob) = mdp.dynamics().row(Pair::new(i));
            for (&to, &p) in next.iter().zip(prob) {
                row[to as usize] -= mdp.gamma() * probs[i] * p;
            }
        }
    }
    for c in 0..n {
        let pivot = (c..n)
            .max_by(|&i, &j| m[i][c].abs().total_cmp(&m[j][c].abs()))
            .expect("a row");
        m.swap(c, pivot);
        let row = m[c].clone();
        for (_, other) in m.iter_mut().enumerate().filter(|&(i, _)| i != c) {
            let f = other[c] / row[c];
            if f != 0.0 {
                for k in c..=n {
                    other[k] -= f * row[k];
                }
            }
        }
    }
    (0..n).map(|s| m[s][n] / m[s][s]).collect()
}

/// Every deterministic policy, as probabilities.
pub fn all_policies(task: &Task) -> Vec<Vec<f64>> {
    let mut all = vec![vec![0.0; task.pairs()]];
    for s in task.all_states().filter(|&s| !task.is_terminal(s)) {
        all = all
            .iter()
            .flat_map(|policy| {
                task.pairs_of(s).map(move |i| {
                    let mut policy = policy.clone();
                    policy[i] = 1.0;
                    policy
                })
            })
            .collect();
    }
    all
}

/// For every deterministic policy, its values from the start in each of `rewards`.
pub fn all_values<D: Dynamics>(mdp: &Mdp<D>, rewards: &[&[f64]]) -> Vec<Vec<f64>> {
    all_policies(mdp.task())
        .iter()
        .map(|policy| {
            rewards
                .iter()
                .map(|r| mdp.task().at_start(&dense_values(mdp, policy, r)))
                .collect()
        })
        .collect()
}

/// The best reward within `budget` of any mixture of two deterministic policies, which is the
/// best of all policies; `None` if no policy is within it.
pub fn best_mixture(points: &[Vec<f64>], budget: f64) -> Option<f64> {
    let mut best: Option<f64> = None;
    let mut take = |v: f64| best = Some(best.map_or(v, |b: f64| b.max(v)));
    for low in points.iter().filter(|p| p[1] <= budget) {
        take(low[0]);
        for high in points.iter().filter(|p| p[1] > budget) {
            let w = (budget - low[1]) / (high[1] - low[1]);
            take((1.0 - w) * low[0] + w * high[0]);
        }
    }
    best
}

/// A builder with the states, actions, terminals and start of `task`.
pub fn builder_like(task: &Task) -> ModelBuilder {
    let mut b = ModelBuilder::new(task.states(), task.action_names().to_vec(), task.gamma());
    for s in task.all_states().filter(|&s| task.is_terminal(s)) {
        b.terminal(s.at());
    }
    for &(s, p) in task.start() {
        b.start(s.at(), p);
    }
    b
}

/// The same task with other rows: `share` of every row is replaced by a random one.
pub fn with_other_rows(model: &Model, share: f64, seed: u64) -> Model {
    let task = model.task();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut b = builder_like(task);
    for pair in task.all_pairs() {
        let (s, a) = (task.state_of(pair).at(), task.action_of(pair).at());
        let (next, prob) = model.rows().row(pair);
        let mut row: BTreeMap<usize, f64> = next
            .iter()
            .zip(prob)
            .map(|(&s, &p)| (s as usize, (1.0 - share) * p))
            .collect();
        *row.entry(rng.random_range(0..task.states())).or_default() += 0.5 * share;
        *row.entry(rng.random_range(0..task.states())).or_default() += 0.5 * share;
        let total: f64 = row.values().sum();
        for (to, p) in row.into_iter().filter(|&(_, p)| p > 0.0) {
            b.transition(s, a, to, p / total);
        }
        b.reward(s, a, task.reward()[pair.at()]);
    }
    b.build().expect("a valid model")
}

/// A random policy: in about half of the states it never takes some of the actions.
pub fn random_policy(task: &Task, seed: u64) -> Policy {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut prob = vec![0.0; task.pairs()];
    for s in task.all_states().filter(|&s| !task.is_terminal(s)) {
        let range = task.pairs_of(s);
        let sure = rng.random_range(range.clone());
        let mixes = rng.random_bool(0.5);
        for i in range.clone() {
            if i == sure || (mixes && rng.random_bool(0.5)) {
                prob[i] = rng.random_range(0.05..1.0);
            }
        }
        let total: f64 = prob[range.clone()].iter().sum();
        prob[range].iter_mut().for_each(|p| *p /= total);
    }
    Policy::new(task, prob).expect("a valid policy")
}

/// Every expert pair of a state and every transition of it, `each` times a pair, from a
/// generative model.
pub fn generated(environment: &Environment, inference: Inference, each: u32, seed: u64) -> Learner {
    let task = environment.task();
    let mut world = TableSimulator::new(environment, seed);
    let mut learner = Learner::new(task.clone(), inference);
    for pair in task.all_pairs() {
        for _ in 0..each {
            learner.see_expert(world.ask_expert(task.state_of(pair)).unwrap());
            learner.see_transition(pair, world.step(pair).unwrap().next);
        }
    }
    learner.refresh();
    learner
}

/// `model` with an expert and a cost of 1 on the first pair: runs want some truth to compare with.
pub fn environment(model: Model, expert: Policy, horizon: usize) -> Environment {
    let mut cost = vec![0.0; model.task().pairs()];
    cost[0] = 1.0;
    let cost = Cost::new(model.task(), cost).expect("a valid cost");
    let truth = Truth::new(model, cost, 0.0, expert).expect("a valid truth");
    Environment::new("test", horizon, None, truth).expect("a valid environment")
}

/// One step, nothing follows: in 0 the expert mixes rewards 0 and 1/2 and leaves 1 alone
/// (advantage 3/4), in 1 it leaves 1 for 0.
pub fn mixing_without_a_future() -> (Model, Policy) {
    let mut b = ModelBuilder::new(3, ["none", "half", "one"], 0.0);
    b.start(0, 0.5).start(1, 0.5).terminal(2);
    for (s, a, r) in [
        (0, 0, 0.0),
        (0, 1, 0.5),
        (0, 2, 1.0),
        (1, 0, 0.0),
        (1, 2, 1.0),
    ] {
        b.transition(s, a, 2, 1.0).reward(s, a, r);
    }
    let model = b.build().unwrap();
    let expert = Policy::new(model.task(), vec![0.5, 0.5, 0.0, 1.0, 0.0]).unwrap();
    (model, expert)
}

/// In 0 the expert takes 0.25 and leaves 1, in 1 it takes 0.5 and leaves 1; nothing follows.
pub fn take_and_leave() -> (Model, Policy) {
    let mut b = ModelBuilder::new(3, ["take", "leave"], 0.5);
    b.start(0, 0.5).start(1, 0.5).terminal(2);
    for (s, a, r) in [(0, 0, 0.25), (0, 1, 1.0), (1, 0, 0.5), (1, 1, 1.0)] {
        b.transition(s, a, 2, 1.0).reward(s, a, r);
    }
    let model = b.build().unwrap();
    let expert = Policy::new(model.task(), vec![1.0, 0.0, 1.0, 0.0]).unwrap();
    (model, expert)
}

/// Options of a run with this many iterations, otherwise the defaults.
pub fn iterations(iterations: usize) -> RunOptions {
    let mut options = RunOptions::default();
    options.run.iterations = iterations;
    options
}

/// The same options with another seed.
pub fn seeded(options: &RunOptions, seed: u64) -> RunOptions {
    RunOptions { seed, ..*options }
}
