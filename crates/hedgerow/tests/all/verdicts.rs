//! Confidence sets, interval evaluation and verdicts, against known answers and the truth.

use crate::common;
use hedgerow::run::Stop;
use std::ops::ControlFlow;

use common::{Kind, config, draw};
use hedgerow::costset;
use hedgerow::env::{Environment, Simulator, TableSimulator, Truth, builtin};
use hedgerow::explore;
use hedgerow::index::{Action, Pair, State};
use hedgerow::learn::{Inference, Learner};
use hedgerow::model::{Cost, ModelBuilder, Policy};
use hedgerow::solve::{Mdp, evaluate_exact};
use hedgerow::verdict::{
    Assume, Criteria, CriteriaParams, Inferred, Intervals, PairVerdict, SearchOptions, Verdict,
    Verdicts, greatest_mean, infer, least_mean, on_states, radius,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

const MODELS: Kind = Kind {
    states: 2..=8,
    actions: 3,
    gammas: &[0.0, 0.5, 0.9],
    holes: false,
};

/// A distribution, values, and a number above all values.
fn distribution() -> impl Strategy<Value = (Vec<f64>, Vec<f64>, f64)> {
    (2..=6_usize, any::<u64>()).prop_map(|(n, seed)| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut p: Vec<f64> = (0..n).map(|_| rng.random_range(0.01..1.0)).collect();
        let sum: f64 = p.iter().sum();
        p.iter_mut().for_each(|p| *p /= sum);
        let v: Vec<f64> = (0..n).map(|_| rng.random_range(0.0..2.0)).collect();
        let top = v.iter().copied().fold(0.0, f64::max) + rng.random_range(0.0..0.5);
        (p, v, top)
    })
}

fn mean(p: &[f64], v: &[f64]) -> f64 {
    p.iter().zip(v).map(|(p, v)| p * v).sum()
}

fn kl(p: &[f64], q: &[f64]) -> f64 {
    p.iter().zip(q).map(|(p, q)| p * (p / q).ln()).sum()
}

proptest! {
    #![proptest_config(config(3000))]

    /// The greatest mean puts weights proportional to `p / (nu - v)`: choosing `nu` gives both the
    /// distance and the answer.
    #[test]
    fn the_greatest_mean_is_attained_by_tilting(
        (p, v, top) in distribution(), away in 0.01..5.0_f64
    ) {
        let nu = top + away;
        let mut g: Vec<f64> = p.iter().zip(&v).map(|(p, v)| p / (nu - v)).collect();
        let sum: f64 = g.iter().sum();
        g.iter_mut().for_each(|g| *g /= sum);
        let d = kl(&p, &g);
        prop_assume!(d > 1e-9);
        let found = greatest_mean(&p, &v, top, d);
        prop_assert!((found - mean(&g, &v)).abs() < 1e-6, "{found} {}", mean(&g, &v));
        // The mirror image: the least mean of -v.
        let low: Vec<f64> = v.iter().map(|v| -v).collect();
        prop_assert!((least_mean(&p, &low, -top, d) + found).abs() < 1e-12);
    }

    /// No distribution within the distance does better, the end that was never seen included.
    #[test]
    fn no_distribution_within_the_radius_beats_the_greatest_mean(
        (p, v, top) in distribution(), seed in any::<u64>()
    ) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut g: Vec<f64> = p.iter().map(|p| p * rng.random_range(0.2..1.0)).collect();
        let hidden = rng.random_range(0.0..0.3);
        let sum: f64 = g.iter().sum::<f64>() / (1.0 - hidden);
        g.iter_mut().for_each(|g| *g /= sum);
        let d = kl(&p, &g);
        let other = mean(&g, &v) + hidden * top;
        prop_assert!(other <= greatest_mean(&p, &v, top, d) + 1e-9);
        prop_assert!(mean(&g, &v) >= least_mean(&p, &v, 0.0, d) - 1e-9);
    }
}

#[test]
fn a_mean_stays_in_its_set_at_all_times_at_once() {
    let (delta, sequences) = (0.2, 1000);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut failed = 0;
    let mut wide = 0.0;
    for i in 0..sequences {
        let p = [0.02, 0.3, 0.5, 0.9][i % 4];
        let mut ones = 0_u32;
        let mut ever = false;
        for n in 1..=400_u32 {
            ones += u32::from(rng.random_bool(p));
            let share = f64::from(ones) / f64::from(n);
            let (w, x, d) = ([1.0 - share, share], [0.0, 1.0], radius(n, delta));
            let (low, high) = (least_mean(&w, &x, 0.0, d), greatest_mean(&w, &x, 1.0, d));
            ever |= p < low || p > high;
            if n == 400 {
                wide += high - low;
            }
        }
        failed += usize::from(ever);
    }
    // Promised: at most a fifth of the sequences ever leave. Sets that were right at one time only
    // would be left by many more.
    assert!(failed as f64 <= delta * sequences as f64, "{failed}");
    assert!(failed > 0, "the sets are needlessly wide");
    assert!(wide / (sequences as f64) < 0.15, "{wide}");
}

/// Two ways out of one state, `big` for 1 and `small` for 1/2; the expert takes the small one.
fn fork(gamma: f64) -> Learner {
    let mut b = ModelBuilder::new(2, ["big", "small"].map(String::from), gamma);
    b.terminal(1).start(0, 1.0);
    b.transition(0, 0, 1, 1.0).transition(0, 1, 1, 1.0);
    b.reward(0, 0, 1.0).reward(0, 1, 0.5);
    Learner::new(b.build().unwrap().task().clone(), Inference::default())
}

#[test]
fn a_fork_by_hand() {
    let mut learner = fork(0.8);
    let n = 100;
    for _ in 0..n {
        learner.see_expert(Pair(1));
        learner.see_transition(Pair(0), State(1));
        learner.see_transition(Pair(1), State(1));
    }
    learner.refresh();
    let criteria = CriteriaParams {
        assume: Assume::Ties,
        ..CriteriaParams::DEFAULT
    }
    .check()
    .unwrap();
    let verdicts = Verdicts::of(&learner, &criteria);
    // Both rows may hide the mass m = 1 - exp(-d), which leads back to the state itself at best.
    // Its value is at most V = 1/2 + 0.8 m V, so V = 1/2 / (1 - 0.8 m).
    let n = f64::from(n);
    let d = ((std::f64::consts::PI * n + 1.0).ln() / 2.0 + (2.0 / 0.05_f64).ln()) / n;
    let m = 1.0 - (-d).exp();
    let most = 0.5 / (1.0 - 0.8 * m);
    let PairVerdict { low, high, .. } = *verdicts.at(Pair(0));
    assert!((low - (1.0 - most)).abs() < 1e-5, "{low}");
    assert!((high - (1.0 + 0.8 * m * most - 0.5)).abs() < 1e-5, "{high}");
    assert_eq!(verdicts.at(Pair(0)).verdict, Verdict::Constrained);
    assert_eq!(verdicts.at(Pair(1)).verdict, Verdict::Taken);
    // The end itself is innocent: the expert goes there too.
    assert_eq!(verdicts.on_states(&learner)[1], Verdict::Taken);
}

#[test]
fn a_tolerance_forgives_a_small_advantage() {
    let mut learner = fork(0.8);
    for _ in 0..2000 {
        learner.see_expert(Pair(1));
        learner.see_transition(Pair(0), State(1));
        learner.see_transition(Pair(1), State(1));
    }
    learner.refresh();
    let verdict = |tolerance| {
        let criteria = CriteriaParams {
            tolerance,
            ..CriteriaParams::DEFAULT
        }
        .check()
        .unwrap();
        Verdicts::of(&learner, &criteria).at(Pair(0)).verdict
    };
    assert_eq!(verdict(0.0), Verdict::Constrained);
    assert_eq!(verdict(0.5), Verdict::Undecided);
    assert_eq!(verdict(0.6), Verdict::NoGain);
}

#[test]
fn what_was_never_tried_is_undecided() {
    let mut learner = fork(0.3);
    // The expert takes the big one, and even a small one that leads
    // back would be worse; but it was never tried.
    for _ in 0..1000 {
        learner.see_expert(Pair(0));
        learner.see_transition(Pair(0), State(1));
    }
    learner.refresh();
    let verdicts = Verdicts::of(&learner, &Criteria::default());
    assert!(verdicts.at(Pair(1)).high < 0.0);
    assert_eq!(verdicts.at(Pair(1)).verdict, Verdict::Undecided);
    assert_eq!(verdicts.at(Pair(1)).estimate, None);
    assert_eq!(verdicts.at(Pair(0)).verdict, Verdict::Taken);
}

#[test]
fn an_expert_that_mixes_unlike_actions_contradicts_ties() {
    let mut learner = fork(0.8);
    for i in 0..1000 {
        learner.see_expert(Pair(i % 2));
        learner.see_transition(Pair(i % 2), State(1));
    }
    learner.refresh();
    let with = |assume| {
        let criteria = CriteriaParams {
            assume,
            ..CriteriaParams::DEFAULT
        }
        .check()
        .unwrap();
        Verdicts::of(&learner, &criteria)
    };
    assert_eq!(with(Assume::Ties).contradicted(), [State(0)]);
    let mixed = with(Assume::Mixed);
    assert!(mixed.contradicted().is_empty());
    // Half of the time 1, half of the time 1/2: the big one is 1/4 better than that.
    let big = mixed.at(Pair(0));
    assert!(big.low < 0.25 && 0.25 < big.high && big.high - big.low < 0.2);
    assert_eq!(big.verdict, Verdict::Taken, "the expert takes it");
}

#[test]
fn a_promise_out_of_range_is_refused() {
    let criteria = CriteriaParams::DEFAULT;
    for (broken, key) in [
        (
            CriteriaParams {
                confidence: 1.0,
                ..criteria
            },
            "confidence",
        ),
        (
            CriteriaParams {
                confidence: f64::NAN,
                ..criteria
            },
            "confidence",
        ),
        (
            CriteriaParams {
                tolerance: -0.1,
                ..criteria
            },
            "tolerance",
        ),
        (
            CriteriaParams {
                margin: 0.0,
                ..criteria
            },
            "margin",
        ),
        (
            CriteriaParams {
                rare: 1.5,
                ..criteria
            },
            "rare",
        ),
    ] {
        let error = broken.check().unwrap_err().to_string();
        assert!(error.starts_with(key), "{error}");
    }
}

/// A random model with an expert that mixes all actions at random.
fn world(seed: u64) -> Environment {
    let live = 2 + (seed % 6) as usize;
    let gamma = [0.0, 0.5, 0.9][(seed % 3) as usize];
    let case = draw(&MODELS, live, 1, gamma, seed);
    let task = case.model.task().clone();
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xabc);
    let mut probs = vec![0.0; task.pairs()];
    for s in task.all_states() {
        let pairs = task.pairs_of(s);
        for i in pairs.clone() {
            let skip = i > pairs.start && rng.random_bool(0.5);
            probs[i] = if skip {
                0.0
            } else {
                rng.random_range(0.05..1.0)
            };
        }
        let sum: f64 = probs[pairs.clone()].iter().sum();
        probs[pairs].iter_mut().for_each(|p| *p /= sum);
    }
    let expert = Policy::new(&task, probs).unwrap();
    let cost = Cost::new(&task, vec![0.0; task.pairs()]).unwrap();
    let truth = Truth::new(case.model, cost, 0.0, expert).unwrap();
    Environment::new("random", 30, None, truth).unwrap()
}

/// Every pair sampled `n` times, the expert asked each time.
fn sample(environment: &Environment, learner: &mut Learner, world: &mut TableSimulator, n: usize) {
    for _ in 0..n {
        for pair in environment.task().all_pairs() {
            learner.see_expert(world.ask_expert(environment.task().state_of(pair)).unwrap());
            learner.see_transition(pair, world.step(pair).unwrap().next);
        }
    }
    learner.refresh();
}

#[test]
fn intervals_hold_the_truth_and_shrink_to_it() {
    let (models, criteria) = (
        200,
        CriteriaParams {
            confidence: 0.8,
            ..CriteriaParams::DEFAULT
        }
        .check()
        .unwrap(),
    );
    let mut failed = 0;
    for seed in 0..models {
        let environment = world(seed);
        let task = environment.task();
        let truth = environment.truth();
        let advantage = costset::advantage(truth.model(), truth.expert()).unwrap();
        let values = evaluate_exact(&Mdp::of(truth.model()), truth.expert()).unwrap();
        let mut learner = Learner::new(task.clone(), Inference::default());
        let mut world = TableSimulator::new(&environment, seed);
        let mut intervals = Intervals::new(task);
        let mut ever = false;
        let mut before = f64::INFINITY;
        for n in [1, 4, 15, 80, 400, 1500] {
            sample(&environment, &mut learner, &mut world, n);
            intervals.tighten(&learner, &criteria);
            let mut width: f64 = 0.0;
            for pair in task.all_pairs() {
                let (low, high) = intervals.advantage(task, pair);
                ever |= advantage[pair.at()] < low - 1e-9 || advantage[pair.at()] > high + 1e-9;
                width = width.max(high - low);
            }
            for s in 0..task.states() {
                ever |= values.values[s] < intervals.value_low[s] - 1e-9;
                ever |= values.values[s] > intervals.value_high[s] + 1e-9;
            }
            assert!(width <= before, "intervals may only shrink");
            before = width;
        }
        let most = 2.0 * task.reward_max() / (1.0 - task.gamma());
        assert!(before < 0.35 * most, "seed {seed}: {before} of {most}");
        failed += u64::from(ever);
    }
    assert!(failed as f64 <= 0.2 * models as f64, "{failed} of {models}");
}

/// Wrong verdicts, and pairs that gain more than the margin and are undecided.
fn judged(environment: &Environment, verdicts: &Verdicts, margin: f64) -> (usize, usize) {
    let truth = environment.truth();
    let advantage = costset::advantage(truth.model(), truth.expert()).unwrap();
    let (mut wrong, mut missed) = (0, 0);
    for pair in environment.task().all_pairs() {
        let a = advantage[pair.at()];
        let constrained = a > 1e-12 && truth.expert().probs()[pair.at()] == 0.0;
        let found = verdicts.at(pair).verdict;
        wrong += usize::from(match found {
            Verdict::Constrained => !constrained,
            Verdict::Taken | Verdict::NoGain => constrained,
            Verdict::Undecided => false,
        });
        missed += usize::from(found == Verdict::Undecided && a > margin);
    }
    (wrong, missed)
}

#[test]
fn the_four_maps_are_decided_and_no_verdict_is_wrong() {
    for (map, budget) in [
        (1, 1_000_000),
        (2, 1_000_000),
        (3, 1_000_000),
        (4, 1_000_000),
    ] {
        let environment = builtin::environment(&format!("gridworld-{map}")).unwrap();
        let options = SearchOptions {
            samples: Some(budget),
            seed: 1000,
            ..SearchOptions::default()
        };
        let found = infer(&environment, options, &mut |verdicts| {
            assert_eq!(judged(&environment, verdicts, f64::INFINITY).0, 0);
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(found.stop, Stop::Decided, "map {map}");
        assert_eq!(
            judged(&environment, &found.verdicts, 0.01),
            (0, 0),
            "map {map}"
        );
        // Cells that a pair on the expert's side of the wall leads into are those of exact inference.
        let truth = environment.truth();
        let exact = costset::canonical(truth.model(), truth.expert(), 1.0).unwrap();
        let cells = costset::on_cells(truth.model().rows(), environment.task(), exact.values());
        let on_states = found.verdicts.on_states(&found.learner);
        for s in environment.task().all_states() {
            let constrained = on_states[s.at()] == Verdict::Constrained;
            assert_eq!(constrained, cells[s.at()] > 0.0, "map {map}, {s}");
        }
    }
}

#[test]
fn any_strategy_may_gather_the_samples_and_the_budget_is_kept() {
    let environment = builtin::environment("gridworld-3").unwrap();
    for entry in explore::STRATEGIES {
        let options = SearchOptions {
            strategy: Some(entry.with_defaults()),
            samples: Some(3000),
            seed: 7,
            ..SearchOptions::default()
        };
        let found = infer(&environment, options, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(found.stop, Stop::Samples, "{}", entry.info.name);
        assert_eq!(found.verdicts.samples(), 3000, "{}", entry.info.name);
        assert_eq!(judged(&environment, &found.verdicts, 1.0).0, 0);
    }
}

#[test]
fn a_search_repeats_bit_for_bit_and_can_be_stopped() {
    let environment = builtin::environment("gridworld-4").unwrap();
    let search = |stop_after: u64| {
        let options = SearchOptions {
            samples: Some(12_000),
            seed: 3,
            ..SearchOptions::default()
        };
        infer(
            &environment,
            options,
            &mut |v| match v.samples() < stop_after {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            },
        )
        .unwrap()
    };
    let (a, b) = (search(u64::MAX), search(u64::MAX));
    assert_eq!(a.verdicts.all(), b.verdicts.all());
    let stopped = search(6_000);
    assert_eq!(stopped.stop, Stop::Interrupted);
    assert!((6_000..12_000).contains(&stopped.verdicts.samples()));
    // What was known then is still so later.
    for (early, late) in stopped.verdicts.all().iter().zip(a.verdicts.all()) {
        assert!(late.low >= early.low - 1e-12 && late.high <= early.high + 1e-12);
    }
}

#[test]
fn a_place_is_judged_by_the_pairs_that_lead_there() {
    // Two states lead to a third, one pair constrained, one free.
    let mut b = ModelBuilder::new(3, ["go", "wait"].map(String::from), 0.5);
    b.start(0, 1.0).terminal(2);
    b.transition(0, 0, 1, 1.0).transition(0, 1, 2, 1.0);
    b.transition(1, 0, 2, 1.0).reward(1, 0, 1.0);
    let model = b.build().unwrap();
    let mut learner = Learner::new(Arc::clone(model.task()), Inference::default());
    let pair = |s: usize, a: usize| {
        let (s, a) = (State::new(s), Action::new(a));
        model.task().pair(s, a).unwrap()
    };
    for _ in 0..2000 {
        learner.see_expert(pair(0, 1));
        learner.see_expert(pair(1, 0));
        learner.see_transition(pair(0, 0), State(1));
        learner.see_transition(pair(0, 1), State(2));
        learner.see_transition(pair(1, 0), State(2));
    }
    learner.refresh();
    let verdicts = Verdicts::of(&learner, &Criteria::default());
    let on_states = verdicts.on_states(&learner);
    assert_eq!(on_states[1], Verdict::Constrained);
    assert_eq!(on_states[2], Verdict::Taken);
    assert_eq!(on_states[0], Verdict::Taken, "the expert starts there");
}

#[test]
fn where_outcomes_are_spread_no_state_is_blamed() {
    // `risk` ends in 1, 2 or 3 alike, `safe` in 3. Calling `risk` constrained says nothing of 1.
    let mut b = ModelBuilder::new(4, ["risk", "safe"], 0.5);
    b.start(0, 1.0).terminal(1).terminal(2).terminal(3);
    for s in 1..4 {
        b.transition(0, 0, s, 1.0 / 3.0);
    }
    b.transition(0, 1, 3, 1.0);
    let model = b.build().unwrap();
    let verdict = |pair: Pair| Some([Verdict::Constrained, Verdict::Taken][pair.at()]);
    let on = on_states(model.task(), model.rows(), verdict);
    let expected = [
        Verdict::Taken,
        Verdict::Undecided,
        Verdict::Undecided,
        Verdict::Taken,
    ];
    assert_eq!(on, expected);
}

/// A search in a small world, at a confidence so low that failures may show: whether an interval ever
/// missed the truth, and what it came to.
fn searched(environment: &Environment, confidence: f64, seed: u64) -> (bool, Inferred) {
    let truth = environment.truth();
    let advantage = costset::advantage(truth.model(), truth.expert()).unwrap();
    let criteria = CriteriaParams {
        confidence,
        margin: 0.05,
        ..CriteriaParams::DEFAULT
    };
    let options = SearchOptions {
        criteria: criteria.check().unwrap(),
        samples: Some(20_000),
        seed,
        ..SearchOptions::default()
    };
    let mut outside = false;
    let found = infer(environment, options, &mut |verdicts| {
        let pairs = verdicts.all().iter().zip(&advantage);
        let misses = |f: &PairVerdict, a: f64| a < f.low - 1e-9 || a > f.high + 1e-9;
        outside |= pairs.into_iter().any(|(f, &a)| misses(f, a));
        ControlFlow::Continue(())
    })
    .unwrap();
    (outside, found)
}

#[test]
fn searches_with_certificates_keep_their_promise_in_random_worlds() {
    for (confidence, worlds) in [(0.6, 120), (0.95, 120)] {
        let failed = (0..worlds)
            .filter(|&seed| searched(&world(seed), confidence, seed).0)
            .count();
        let allowed = (1.0 - confidence) * worlds as f64;
        assert!(
            (failed as f64) <= allowed,
            "{failed} of {worlds} at {confidence}"
        );
    }
}

#[test]
fn certificates_say_more_than_intervals_of_the_same_samples() {
    let environment = builtin::environment("gridworld-3").unwrap();
    let options = SearchOptions {
        samples: Some(250_000),
        seed: 7,
        ..SearchOptions::default()
    };
    let found = infer(&environment, options, &mut |_| ControlFlow::Continue(())).unwrap();
    // The same data without their order: only intervals are left.
    let alone = Verdicts::of(&found.learner, &Criteria::default());
    let open = |v: &Verdicts| v.open(environment.task()).count();
    let constrained = |v: &Verdicts| v.count(Verdict::Constrained);
    assert!(open(&found.verdicts) < open(&alone));
    assert!(constrained(&found.verdicts) >= constrained(&alone));
}
