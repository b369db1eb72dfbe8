//! The incremental learner against one that computes everything from all samples at once.

use crate::common;

use common::{Case, Kind, SMALL, config, random_model};
use hedgerow::index::{Pair, State};
use hedgerow::learn::{Inference, InferenceParams, Learner, PairStatus};
use hedgerow::model::{Dynamics, ModelBuilder, Policy, Task};
use hedgerow::solve::{Mdp, evaluate_exact};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug)]
enum Sample {
    Transition(Pair, State),
    Expert(Pair),
}

fn feed(learner: &mut Learner, sample: Sample) {
    match sample {
        Sample::Transition(pair, next) => learner.see_transition(pair, next),
        Sample::Expert(pair) => learner.see_expert(pair),
    }
}

/// Samples of some pairs only, so that pairs, answers and whole states are missing.
fn samples(case: &Case, seed: u64, count: usize) -> Vec<Sample> {
    let task = case.task();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let open: Vec<bool> = (0..task.pairs()).map(|_| rng.random_bool(0.8)).collect();
    let asked: Vec<bool> = (0..task.states()).map(|_| rng.random_bool(0.8)).collect();
    let mut all = Vec::new();
    for _ in 0..count {
        let pair = Pair::new(rng.random_range(0..task.pairs()));
        let state = task.state_of(pair);
        if open[pair.at()] {
            let (next, _) = case.model.rows().row(pair);
            let next = next[rng.random_range(0..next.len())];
            all.push(Sample::Transition(pair, State(next)));
        }
        if asked[state.at()] && rng.random_bool(0.5) {
            // Two of a state's actions at most, so that some are never chosen.
            let range = task.pairs_of(state);
            let choice = range.start + rng.random_range(0..range.len().min(2));
            all.push(Sample::Expert(Pair::new(choice)));
        }
    }
    all
}

/// Everything the learner knows, from scratch.
struct Scratch {
    rows: Vec<(Vec<u32>, Vec<f64>)>,
    visits: Vec<u32>,
    values: Vec<f64>,
    advantage: Vec<f64>,
    variance: Vec<f64>,
    /// By how much the advantage exceeds its threshold; `None` where no constraint may be.
    excess: Vec<Option<f64>>,
}

impl Dynamics for Scratch {
    fn row(&self, pair: Pair) -> (&[u32], &[f64]) {
        let (next, prob) = &self.rows[pair.at()];
        (next, prob)
    }
}

impl Scratch {
    fn new(task: &Task, inference: &InferenceParams, samples: &[Sample]) -> Self {
        let mut counts = vec![BTreeMap::<u32, u32>::new(); task.pairs()];
        let mut chosen = vec![0_u32; task.pairs()];
        for sample in samples {
            match *sample {
                Sample::Transition(pair, next) => {
                    *counts[pair.at()].entry(next.0).or_default() += 1;
                }
                Sample::Expert(pair) => chosen[pair.at()] += 1,
            }
        }
        let visits: Vec<u32> = counts.iter().map(|c| c.values().sum()).collect();
        let rows = counts.iter().zip(&visits).map(|(c, &n)| {
            let share = |k: &u32| f64::from(*k) / f64::from(n);
            (c.keys().copied().collect(), c.values().map(share).collect())
        });
        let mut scratch = Self {
            rows: rows.collect(),
            visits,
            values: Vec::new(),
            advantage: vec![0.0; task.pairs()],
            variance: vec![0.0; task.pairs()],
            excess: vec![None; task.pairs()],
        };
        let asked = |s: State| task.pairs_of(s).map(|i| chosen[i]).sum::<u32>();
        let mut prob = Policy::uniform(task).probs().to_vec();
        let mut goes_on = vec![false; task.pairs()];
        for s in task.all_states().filter(|&s| asked(s) > 0) {
            for i in task.pairs_of(s) {
                goes_on[i] = true;
                prob[i] = f64::from(chosen[i]) / f64::from(asked(s));
            }
        }
        let mdp = Mdp::new(task, &scratch).with_allowed(&goes_on);
        let expert = Policy::new(task, prob).unwrap();
        scratch.values = evaluate_exact(&mdp, &expert).unwrap().values;
        for pair in task.all_pairs().filter(|p| scratch.visits[p.at()] > 0) {
            let i = pair.at();
            let mean = scratch.expect(pair, &scratch.values);
            let (next, prob) = scratch.row(pair);
            let square = |(&s, &p): (&u32, &f64)| p * (scratch.values[s as usize] - mean).powi(2);
            let variance: f64 = next.iter().zip(prob).map(square).sum();
            let state = task.state_of(pair);
            let q = task.reward()[i] + task.gamma() * mean;
            let n = f64::from(scratch.visits[i]);
            let error = task.gamma() * (variance / n).sqrt();
            let threshold = inference.threshold_z * error + inference.threshold;
            scratch.advantage[i] = q - scratch.values[state.at()];
            scratch.variance[i] = variance;
            if chosen[i] == 0 && asked(state) > 0 {
                scratch.excess[i] = Some(scratch.advantage[i] - threshold);
            }
        }
        scratch
    }

    /// Whether rounding could tip a flag.
    fn on_edge(&self) -> bool {
        self.excess.iter().flatten().any(|e| e.abs() < 1e-9)
    }

    fn constrained(&self) -> Vec<bool> {
        self.excess
            .iter()
            .map(|e| e.is_some_and(|e| e > 0.0))
            .collect()
    }

    fn cost(&self, cost_max: f64) -> Vec<f64> {
        let flags = self.constrained();
        let flagged = || (0..flags.len()).filter(|&i| flags[i]);
        let largest = flagged().map(|i| self.advantage[i]).fold(0.0, f64::max);
        let mut cost = vec![0.0; flags.len()];
        flagged().for_each(|i| cost[i] = cost_max * self.advantage[i] / largest);
        cost
    }

    fn cells(&self, task: &Task, cost: &[f64]) -> Vec<f64> {
        let mut cells = vec![0.0; task.states()];
        for pair in task.all_pairs() {
            let (next, prob) = self.row(pair);
            for (&s, &p) in next.iter().zip(prob) {
                if !task.is_terminal(State(s)) {
                    cells[s as usize] += p * cost[pair.at()];
                }
            }
        }
        cells
    }
}

fn near(a: &[f64], b: &[f64], what: &str) -> std::result::Result<(), TestCaseError> {
    prop_assert_eq!(a.len(), b.len());
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        prop_assert!(
            (a - b).abs() <= 1e-9 * b.abs().max(1.0),
            "{}[{}]: {} against {}",
            what,
            i,
            a,
            b
        );
    }
    Ok(())
}

fn compare(
    learner: &Learner,
    scratch: &Scratch,
    seen: &[Sample],
) -> std::result::Result<(), TestCaseError> {
    let task = learner.task();
    let all = |f: &dyn Fn(Pair) -> f64| task.all_pairs().map(f).collect::<Vec<f64>>();
    near(learner.values(), &scratch.values, "values")?;
    near(
        &all(&|p| learner.advantage(p)),
        &scratch.advantage,
        "advantage",
    )?;
    near(
        &all(&|p| learner.variance(p)),
        &scratch.variance,
        "variance",
    )?;
    let transitions = |s: &&Sample| matches!(s, Sample::Transition(..));
    prop_assert_eq!(
        learner.samples(),
        seen.iter().filter(transitions).count() as u64
    );
    let estimate = learner.estimate();
    prop_assert_eq!(estimate.all_visits(), &scratch.visits[..]);
    prop_assert_eq!(
        estimate.least_visits(),
        *scratch.visits.iter().min().unwrap()
    );
    prop_assert_eq!(
        estimate.unseen(),
        scratch.visits.iter().filter(|&&n| n == 0).count()
    );
    let entries: usize = scratch.rows.iter().map(|(next, _)| next.len()).sum();
    prop_assert_eq!(estimate.entries(), entries);
    if !scratch.on_edge() {
        let cost_max = learner.inference().cost_max;
        prop_assert_eq!(learner.constrained(), &scratch.constrained()[..]);
        near(&learner.cost(), &scratch.cost(cost_max), "cost")?;
        let cells = scratch.cells(task, &scratch.cost(cost_max));
        near(&learner.cost_on_cells(), &cells, "cells")?;
    }
    Ok(())
}

const INFERENCE: InferenceParams = InferenceParams {
    delta: 0.1,
    cost_max: 2.5,
    threshold_z: 0.5,
    threshold: 0.01,
    zeta: hedgerow::learn::ZetaRule::Uniform,
    width: hedgerow::learn::Width { z: 2.0, c: 0.1 },
};

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn incremental_equals_from_scratch(
        case in random_model(SMALL), seed in any::<u64>(), count in 1_usize..600,
    ) {
        let all = samples(&case, seed, count);
        let mut learner = Learner::new(case.task().clone().into(), INFERENCE.check().unwrap());
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 1);
        let mut fed = 0;
        while fed < all.len() {
            let batch = rng.random_range(1..=all.len() - fed);
            all[fed..fed + batch].iter().for_each(|&s| feed(&mut learner, s));
            fed += batch;
            learner.refresh();
            let scratch = Scratch::new(case.task(), &INFERENCE, &all[..fed]);
            compare(&learner, &scratch, &all[..fed])?;
        }
        prop_assert_eq!(learner.refresh(), 0, "nothing changed");
    }

    #[test]
    fn the_order_of_samples_does_not_matter(
        case in random_model(SMALL), seed in any::<u64>(), count in 1_usize..400,
    ) {
        let mut all = samples(&case, seed, count);
        all.shuffle(&mut ChaCha8Rng::seed_from_u64(seed ^ 2));
        let mut learner = Learner::new(case.task().clone().into(), INFERENCE.check().unwrap());
        for &sample in &all {
            feed(&mut learner, sample);
            learner.refresh();
        }
        let scratch = Scratch::new(case.task(), &INFERENCE, &samples(&case, seed, count));
        compare(&learner, &scratch, &all)?;
    }

    #[test]
    fn chosen_pairs_are_free_and_every_state_keeps_a_way(
        case in random_model(SMALL), seed in any::<u64>(), count in 1_usize..600,
    ) {
        let task = case.task();
        let bold = InferenceParams { threshold_z: 0.0, threshold: 0.0, ..INFERENCE }.check().unwrap();
        let mut learner = Learner::new(task.clone().into(), bold);
        samples(&case, seed, count).into_iter().for_each(|s| feed(&mut learner, s));
        learner.refresh();
        for pair in task.all_pairs().filter(|&p| learner.constrained()[p.at()]) {
            prop_assert!(!learner.expert_chose(pair));
            prop_assert!(learner.estimate().visits(pair) > 0);
            prop_assert!(learner.expert_asked(task.state_of(pair)) > 0);
        }
        for state in task.all_states().filter(|&s| !task.is_terminal(s)) {
            let open = task.pairs_of(state).any(|i| !learner.constrained()[i]);
            prop_assert!(open, "{} is walled in", task.state_name(state));
        }
    }
}

/// 0 -short-> end with reward 1/2, 0 -long-> 1 or 2, 1 -go-> end with reward 1, 2 -go-> end.
fn fork() -> hedgerow::model::Model {
    let mut b = ModelBuilder::new(4, ["short", "long", "go"], 0.5);
    b.start(0, 1.0).terminal(3);
    b.transition(0, 0, 3, 1.0).reward(0, 0, 0.5);
    b.transition(0, 1, 1, 0.5).transition(0, 1, 2, 0.5);
    b.transition(1, 2, 3, 1.0).reward(1, 2, 1.0);
    b.transition(2, 2, 3, 1.0);
    b.build().unwrap()
}

#[test]
fn a_fork_by_hand() {
    let model = fork();
    let inference = InferenceParams {
        cost_max: 2.0,
        ..InferenceParams::DEFAULT
    }
    .check()
    .unwrap();
    let mut learner = Learner::new(model.task().clone(), inference);
    let (short, long, go1, go2) = (Pair(0), Pair(1), Pair(2), Pair(3));
    assert_eq!(learner.cost(), [0.0; 4]);
    // The expert goes long 3 times and short never; long led to 1 three times out of four.
    for _ in 0..3 {
        learner.see_expert(long);
        learner.see_transition(long, State(1));
    }
    learner.see_transition(long, State(2));
    learner.see_transition(short, State(3));
    learner.see_expert(go1);
    learner.see_transition(go1, State(3));
    learner.refresh();
    // V(1) = 1, V(2) = 0 (never asked), V(0) = 0.5 * (3/4) = 0.375.
    assert_eq!(learner.values(), [0.375, 1.0, 0.0, 0.0]);
    // A(short) = 0.5 - 0.375, without a variance: above 0.001.
    assert_eq!(learner.advantage(short), 0.125);
    assert_eq!(learner.advantage(long), 0.0);
    assert_eq!(learner.advantage(go2), 0.0);
    // Var V at the next state of long: 3/4 * 1/4.
    assert_eq!(learner.variance(long), 0.1875);
    assert_eq!(learner.constrained(), [true, false, false, false]);
    // The only constrained pair has the largest cost, and ends the episode: no cell is charged.
    assert_eq!(learner.cost(), [2.0, 0.0, 0.0, 0.0]);
    assert_eq!(learner.cost_on_cells(), [0.0; 4]);
    // w = 0.5 (2 sqrt(0.1875 / 4) + 0.1 / 4) for long; 0.5 * 0.1 for short, below its advantage.
    let width = 0.5 * (2.0 * (0.1875_f64 / 4.0).sqrt() + 0.025);
    assert!((learner.width(long) - width).abs() < 1e-15);
    assert_eq!(learner.status(short), PairStatus::Constrained);
    assert_eq!(learner.status(long), PairStatus::Taken);
    assert_eq!(learner.status(go2), PairStatus::Unseen);
    assert_eq!(learner.expert_policy().probs(), [0.0, 1.0, 1.0, 1.0]);
    // Once the expert is seen to go short, V(0) = (0.5 + 3 * 0.375) / 4 and nothing is constrained.
    learner.see_expert(short);
    learner.refresh();
    assert_eq!(learner.values()[0], 0.40625);
    assert_eq!(learner.constrained(), [false; 4]);
    assert_eq!(learner.cost(), [0.0; 4]);
}

#[test]
fn the_threshold_is_two_standard_errors() {
    // Now long is the avoided one: the expert goes short, V(0) = 0.5. After n of m tries led to 1,
    // A = 0.5 n/m - 0.5 < 0, so raise what state 1 earns: reward 3 makes it 1.5 n/m - 0.5.
    let mut b = ModelBuilder::new(4, ["short", "long", "go"], 0.5);
    b.start(0, 1.0).terminal(3);
    b.transition(0, 0, 3, 1.0).reward(0, 0, 0.5);
    b.transition(0, 1, 1, 0.5).transition(0, 1, 2, 0.5);
    b.transition(1, 2, 3, 1.0).reward(1, 2, 3.0);
    b.transition(2, 2, 3, 1.0);
    let task = b.build().unwrap().task().clone();
    let flagged = |hits: u32, tries: u32| {
        let mut learner = Learner::new(task.clone(), Inference::default());
        for k in 0..tries {
            learner.see_expert(Pair(0));
            learner.see_transition(Pair(1), State(if k < hits { 1 } else { 2 }));
        }
        learner.see_transition(Pair(0), State(3));
        learner.see_expert(Pair(2));
        learner.see_transition(Pair(2), State(3));
        learner.refresh();
        learner.constrained()[1]
    };
    // 2 of 4: A = 0.25; error 0.5 * 3 sqrt(1/4 / 4) = 0.375, twice that is above A.
    assert!(!flagged(2, 4));
    // 32 of 64: the same A, error 0.5 * 3 * 0.5 / 8 = 0.09375; twice is 0.1875, below A.
    assert!(flagged(32, 64));
    // 18 of 36: error 0.125, twice is 0.25, and 0.001 more is just above A.
    assert!(!flagged(18, 36));
    assert!(flagged(19, 38));
}

#[test]
fn nothing_is_stored_for_pairs_never_tried() {
    let case = common::draw(
        &Kind {
            states: 30..=30,
            ..SMALL
        },
        30,
        1,
        0.9,
        5,
    );
    let mut learner = Learner::new(case.task().clone().into(), INFERENCE.check().unwrap());
    assert_eq!(learner.estimate().entries(), 0);
    let pair = Pair::new(7);
    learner.see_transition(pair, State(0));
    assert_eq!(learner.estimate().entries(), 1);
    for other in case.task().all_pairs().filter(|&p| p != pair) {
        let (next, prob) = learner.estimate().row(other);
        assert!(next.is_empty() && prob.is_empty());
    }
}

#[test]
fn one_sample_in_a_large_world_costs_what_it_changes() {
    // A corridor with a reward at its end; the expert walks it.
    const STATES: usize = 200_000;
    let mut b = ModelBuilder::new(STATES, ["on"], 0.7);
    b.start(0, 1.0).terminal(STATES - 1);
    for s in 0..STATES - 1 {
        b.transition(s, 0, s + 1, 1.0);
    }
    b.reward(STATES - 2, 0, 1.0);
    let model = b.build().unwrap();
    let mut learner = Learner::new(model.task().clone(), Inference::default());
    for s in 0..STATES - 2 {
        learner.see_expert(Pair::new(s));
        learner.see_transition(Pair::new(s), State::new(s + 1));
    }
    learner.refresh();
    learner.see_expert(Pair(0));
    learner.see_transition(Pair(0), State(1));
    // Its value and what follows from it: two computations in one state.
    assert_eq!(learner.refresh(), 2);
    // News from the end travels back until 0.7^k falls below 1e-12, after 78 states.
    learner.see_expert(Pair::new(STATES - 2));
    learner.see_transition(Pair::new(STATES - 2), State::new(STATES - 1));
    let computed = learner.refresh();
    assert!((2 * 70..2 * 90).contains(&computed), "{computed}");
    let v = learner.values();
    assert_eq!(v[STATES - 2], 1.0);
    assert!((v[STATES - 12] - 0.7_f64.powi(10)).abs() < 1e-12);
    assert_eq!(v[0], 0.0);
}
