//! The least number of samples against answers by hand, and its alternatives against what they claim.

use crate::common;

use common::{Kind, builder_like, config, draw, random_policy};
use hedgerow::costset::advantage;
use hedgerow::model::{Dynamics, Model, ModelBuilder, Policy};
use hedgerow::theory::{Alternative, LowerBound, Question, lower_bound};
use hedgerow::verdict::{Criteria, CriteriaParams};
use proptest::prelude::*;

/// `0.9 log 19`: what samples have to tell at a confidence of 0.95.
const INFORMATION: f64 = 2.649_995_081;

fn criteria(confidence: f64, margin: f64) -> Criteria {
    CriteriaParams {
        confidence,
        margin,
        ..CriteriaParams::DEFAULT
    }
    .check()
    .unwrap()
}

/// One coin: `risk` earns 1 with this chance and ends, the expert takes a sure 1/2 and ends.
/// Rewards are those of transitions, so nothing but the coin can be another one.
fn coin(chance: f64) -> (Model, Policy) {
    let mut b = ModelBuilder::new(3, ["risk", "safe"], 0.9);
    b.start(0, 1.0).terminal(1).terminal(2);
    b.outcome((0, 0), 1, chance, 1.0, false);
    b.outcome((0, 0), 2, 1.0 - chance, 0.0, false);
    b.transition(0, 1, 2, 1.0).reward(0, 1, 0.5);
    let model = b.build().unwrap();
    let expert = Policy::new(model.task(), vec![0.0, 1.0]).unwrap();
    (model, expert)
}

fn of_coin(chance: f64, confidence: f64) -> LowerBound {
    let (model, expert) = coin(chance);
    lower_bound(&model, &expert, &criteria(confidence, 0.01)).unwrap()
}

/// `KL` of two coins.
fn kl(p: f64, q: f64) -> f64 {
    p * (p / q).ln() + (1.0 - p) * ((1.0 - p) / (1.0 - q)).ln()
}

/// At most `expected`, and hardly less: an alternative is a little beyond its threshold.
fn just_below(found: f64, expected: f64) {
    assert!(
        found <= expected && found > 0.98 * expected,
        "{found} for {expected}"
    );
}

#[test]
fn one_coin_by_hand() {
    // With a chance of 3/4 risk earns 1/4 more than the expert; the answer is another one from a
    // chance of 1/2 on downwards.
    let better = of_coin(0.75, 0.95);
    assert!((better.information - INFORMATION).abs() < 1e-8);
    just_below(better.constrained.at_least, INFORMATION / kl(0.75, 0.5));
    just_below(better.settled.at_least, INFORMATION / kl(0.75, 0.5));
    assert_eq!(better.pairs.len(), 1);
    assert_eq!(better.pairs[0].question, Question::Constrained);
    just_below(better.pairs[0].alone, INFORMATION / kl(0.75, 0.5));
    // With 1/4 it gains nothing, and the answer is another one above a chance of 0.51.
    let worse = of_coin(0.25, 0.95);
    assert_eq!(worse.constrained.at_least, 0.0);
    just_below(worse.settled.at_least, INFORMATION / kl(0.25, 0.51));
    assert_eq!(worse.pairs[0].question, Question::NoGain);
}

#[test]
fn a_sure_row_could_lead_somewhere_new_by_hand() {
    // Action 0 ends with nothing and the expert's ends with 1/2. State 1, which nothing leads to,
    // is worth 1: action 0 would gain 0.9 q - 1/2, more than the margin for q above 0.51 / 0.9.
    let mut b = ModelBuilder::new(3, ["end", "take"], 0.9);
    b.start(0, 1.0).terminal(2);
    b.transition(0, 0, 2, 1.0);
    b.transition(0, 1, 2, 1.0).reward(0, 1, 0.5);
    b.transition(1, 1, 2, 1.0).reward(1, 1, 1.0);
    let model = b.build().unwrap();
    let expert = Policy::new(model.task(), vec![0.0, 1.0, 1.0]).unwrap();
    let found = lower_bound(&model, &expert, &Criteria::default()).unwrap();
    let q: f64 = 0.51 / 0.9;
    just_below(found.settled.at_least, INFORMATION / -(1.0 - q).ln());
    let row = &found.pairs[0].alternative.rows[0];
    assert!((row.next[1].1 - q).abs() < 0.01 * q, "{row:?}");
}

#[test]
fn nothing_is_needed_where_nothing_is_to_decide() {
    // What a confidence of 1/2 asks for can be guessed.
    assert_eq!(of_coin(0.75, 0.5).settled.at_least, 0.0);
    // Of 0.505 - 0.5 either may be said.
    let near = of_coin(0.505, 0.95);
    assert_eq!(
        (near.either, near.pairs.len(), near.settled.at_least),
        (1, 0, 0.0)
    );
    // Without a future rewards alone decide.
    let (model, expert) = common::mixing_without_a_future();
    let known = lower_bound(&model, &expert, &Criteria::default()).unwrap();
    assert_eq!((known.settled.at_most, known.answered), (0.0, 2));
}

#[test]
fn a_policy_of_another_task_is_refused() {
    let (model, _) = coin(0.5);
    let (_, other) = common::mixing_without_a_future();
    let refused = lower_bound(&model, &other, &Criteria::default()).unwrap_err();
    assert!(refused.to_string().starts_with("expert"), "{refused}");
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn a_larger_gap_needs_fewer_samples_and_more_confidence_more(
        chance in 0.52..0.9_f64, more in 0.01..0.09_f64, confidence in 0.6..0.98_f64,
    ) {
        let here = of_coin(chance, confidence).settled.at_least;
        prop_assert!(of_coin(chance + more, confidence).settled.at_least < here);
        prop_assert!(of_coin(chance, confidence + 0.01).settled.at_least > here);
    }
}

/// The model with the rows of an alternative, and the divergences of all of them.
fn in_the_other_world(model: &Model, other: &Alternative) -> (Model, Vec<f64>) {
    let task = model.task();
    let mut b = builder_like(task);
    let mut divergences = vec![0.0; task.pairs()];
    for pair in task.all_pairs() {
        let (s, a) = (task.state_of(pair).at(), task.action_of(pair).at());
        let (next, prob) = model.rows().row(pair);
        b.reward(s, a, task.reward()[pair.at()]);
        match other.rows.iter().find(|r| r.pair == pair) {
            None => next.iter().zip(prob).for_each(|(&to, &p)| {
                b.transition(s, a, to as usize, p);
            }),
            Some(row) => {
                for (to, p) in &row.next {
                    b.transition(s, a, to.at(), *p);
                }
                let moved = |to: u32| row.next.iter().find(|n| n.0.0 == to).unwrap().1;
                let terms = next
                    .iter()
                    .zip(prob)
                    .map(|(&to, p)| p * (p / moved(to)).ln());
                divergences[pair.at()] = terms.sum();
            }
        }
    }
    (b.build().unwrap(), divergences)
}

const KIND: Kind = Kind {
    states: 2..=5,
    actions: 3,
    gammas: &[0.7],
    holes: false,
};

#[test]
fn every_alternative_has_the_other_answer_and_the_divergence_it_says() {
    let (mut constrained, mut free) = (0, 0);
    for seed in 0..40 {
        let case = draw(&KIND, 2 + seed as usize % 4, 1, 0.7, seed);
        let expert = random_policy(case.task(), seed);
        let found = lower_bound(&case.model, &expert, &criteria(0.95, 0.05)).unwrap();
        for asked in &found.pairs {
            let (other, divergences) = in_the_other_world(&case.model, &asked.alternative);
            let there = advantage(&other, &expert).unwrap()[asked.pair.at()];
            assert!((there - asked.alternative.advantage).abs() < 1e-9, "{seed}");
            match asked.question {
                Question::Constrained => {
                    assert!(asked.advantage > 0.05 && there <= 0.0, "{seed}: {there}");
                    constrained += 1;
                }
                Question::NoGain => {
                    assert!(asked.advantage <= 0.0 && there > 0.05, "{seed}: {there}");
                    free += 1;
                }
            }
            for row in &asked.alternative.rows {
                let exact = divergences[row.pair.at()];
                assert!(
                    (row.divergence - exact).abs() < 1e-9 * exact.max(1.0),
                    "{seed}"
                );
            }
            assert!(
                asked.alone <= found.settled.at_most * (1.0 + 1e-9),
                "{seed}"
            );
        }
        assert!(found.constrained.at_least <= found.settled.at_most * (1.0 + 1e-9));
        assert!(found.settled.at_least <= found.settled.at_most * (1.0 + 1e-9));
    }
    assert!(constrained > 20 && free > 20, "{constrained} {free}");
}

#[test]
fn the_sides_are_close_on_a_map() {
    let environment = hedgerow::io::open("gridworld-3").unwrap();
    let truth = environment.truth();
    let found = lower_bound(truth.model(), truth.expert(), &Criteria::default()).unwrap();
    assert_eq!(found.pairs.len() + found.either + found.answered, 261);
    for demand in [found.constrained, found.settled] {
        assert!(demand.at_least <= demand.at_most, "{demand:?}");
        assert!(demand.at_least > 0.7 * demand.at_most, "{demand:?}");
    }
    // Hundreds for what is constrained, tens of thousands to settle everything.
    assert!(
        (200.0..400.0).contains(&found.constrained.at_least),
        "{:?}",
        found.constrained
    );
    assert!(
        (15e3..25e3).contains(&found.settled.at_least),
        "{:?}",
        found.settled
    );
}
