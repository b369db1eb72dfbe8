//! What has to hold for elements, ranges, projections, distances and intersections of every set.

use crate::common;

use common::brute::{Answer, Brute, dot};
use common::{config, random_policy};
use hedgerow::costset::{CostSet, Role, Rule};
use hedgerow::index::Pair;
use hedgerow::model::{Policy, Rows};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const RULES: [Rule; 2] = [Rule::Conditions, Rule::Optimality];

/// What an interior point can promise.
const ROUGH: f64 = 1e-6;

/// How far outside a target pulls a projection to the end of a range.
const PULL: f64 = 1e4;

/// Every model with a hard and a soft expert that is optimal for some cost, and some more.
fn experts(brute: &Brute, rng: &mut ChaCha8Rng) -> Vec<(Policy, f64)> {
    let hidden = brute.lattice(rng);
    let mut experts = vec![(random_policy(brute.task(), rng.random()), 0.0)];
    experts.extend(brute.best_free(&hidden).map(|p| (p, 0.0)));
    experts.push(brute.best_at(&hidden, rng.random_range(0.1..1.0)));
    let (free, spent) = brute.best_at(&hidden, 0.0);
    experts.push((free, 1.5 * spent));
    experts.retain(|(_, budget)| *budget == 0.0 || *budget > 0.05);
    experts
}

/// Whether counting through policies finds `cost` in the set; close calls count.
fn known(brute: &Brute, expert: &Policy, budget: f64, cost: &[f64], rule: Rule) -> bool {
    let answer = match (rule, budget == 0.0) {
        (Rule::Conditions, hard) => brute.conditions(expert, cost, hard),
        (Rule::Optimality, true) => brute.optimal_hard(expert, cost),
        (Rule::Optimality, false) => brute.optimal_soft(expert, cost, budget),
    };
    answer != Answer::No
}

/// Members that counting finds: lattice costs, also scaled to spend the budget.
fn members(
    brute: &Brute,
    set: &CostSet<Rows>,
    expert: &Policy,
    rule: Rule,
    rng: &mut ChaCha8Rng,
) -> Vec<Vec<f64>> {
    let budget = set.budget();
    let charged = |i: usize| set.role(Pair::new(i)) == Role::Paying;
    let mut found = Vec::new();
    for round in 0..200 {
        let mut cost = brute.lattice(rng);
        if round % 2 == 0 {
            for (i, c) in cost.iter_mut().enumerate() {
                *c = if charged(i) {
                    c.max(0.5)
                } else if set.is_hard() {
                    0.0
                } else {
                    0.5 * *c
                };
            }
        }
        if budget > 0.0 && rule == Rule::Optimality {
            let factor = budget / brute.worth(expert.probs(), &cost).max(1e-9);
            cost.iter_mut().for_each(|c| *c *= factor);
        }
        let within = cost.iter().all(|&c| c <= 1.0);
        if within && known(brute, expert, budget, &cost, rule) {
            found.push(cost);
        }
    }
    found
}

#[test]
fn elements_ranges_and_projections_fit_the_members_that_counting_finds() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (mut sets, mut empty, mut met, mut open, mut closed) = (0, 0, 0, 0, 0);
    let mut judged = 0;
    for brute in (300..345).filter_map(Brute::draw) {
        for (expert, budget) in experts(&brute, &mut rng) {
            let set = CostSet::of(&brute.case.model, &expert, budget, 1.0).unwrap();
            for rule in RULES {
                let is_known = |cost: &[f64]| known(&brute, &expert, budget, cost, rule);
                let say = format!("{:?} {expert:?} {budget} {rule:?}", brute.case);
                let members = members(&brute, &set, &expert, rule, &mut rng);
                let Some(ranges) = set.ranges(rule).unwrap() else {
                    assert!(members.is_empty(), "{say}");
                    assert_eq!(set.innermost(rule).unwrap(), None);
                    empty += 1;
                    continue;
                };
                sets += 1;
                met += members.len();
                let inner = set.innermost(rule).unwrap().expect("a member");
                assert!(is_known(&inner), "{say} {inner:?}");
                for cost in &members {
                    for (c, range) in cost.iter().zip(&ranges) {
                        assert!(range.holds(*c, 1e-7), "{say}: {c} in {range}");
                        // Lattice points meet the ends exactly.
                        assert!(!range.low_open || *c > range.low, "{say}: {c} in {range}");
                        assert!(!range.high_open || *c < range.high, "{say}: {c} in {range}");
                    }
                }
                let target: Vec<f64> = inner.iter().map(|_| rng.random_range(-0.5..1.5)).collect();
                let near = set.nearest(&target, rule, 0.0).unwrap().expect("members");
                let off: Vec<f64> = target.iter().zip(&near.cost).map(|(a, b)| a - b).collect();
                assert!((dot(&off, &off).sqrt() - near.distance).abs() < 1e-12);
                for cost in &members {
                    // The set's closure is convex: from the nearest point nobody is on the side of
                    // the target. In particular nobody is nearer.
                    let way: Vec<f64> = cost.iter().zip(&near.cost).map(|(a, b)| a - b).collect();
                    assert!(
                        dot(&off, &way) < ROUGH,
                        "{say} {target:?} {near:?} {cost:?}"
                    );
                }
                // An interior point is off by 1e-9 or so, and a price of up to R_max / margin may make
                // more of it than counting calls zero.
                let soft = rule == Rule::Optimality && budget > 0.0;
                let fits = |cost: &[f64]| {
                    let (over, lost) = brute.lacks(&expert, cost, budget);
                    if soft {
                        over < 1e-12 && lost < 1e-5
                    } else {
                        is_known(cost)
                    }
                };
                if let Some(inside) = set.nearest(&target, rule, 1e-3).unwrap() {
                    let member = set.contains(&inside.cost, rule).unwrap();
                    assert!(member.is_member(), "{say} {inside:?} {member:?}");
                    assert!(
                        fits(&inside.cost),
                        "{say} {inside:?} {:?}",
                        brute.lacks(&expert, &inside.cost, budget)
                    );
                    assert!(inside.distance >= near.distance - ROUGH);
                    judged += 1;
                }
                // Two costs differ by at most 1 an entry, so a target this far away is worth a detour of
                // its square over the distance.
                let reach = ranges.len() as f64 / PULL;
                for (i, range) in ranges.iter().enumerate() {
                    open += usize::from(range.low_open) + usize::from(range.high_open);
                    for (end, is_open, pull) in [
                        (range.low, range.low_open, -PULL),
                        (range.high, range.high_open, PULL),
                    ] {
                        closed += usize::from(!is_open);
                        let mut target = inner.clone();
                        target[i] += pull;
                        let near = set.nearest(&target, rule, 0.0).unwrap().expect("members");
                        assert!(
                            (near.cost[i] - end).abs() <= reach,
                            "{say} {i} {range} {near:?}"
                        );
                        // On the way from there to the innermost member all are members.
                        let step = |(a, b): (&f64, &f64)| a + 1e-3 * (b - a);
                        let cost: Vec<f64> = near.cost.iter().zip(&inner).map(step).collect();
                        assert!(fits(&cost), "{say} {i} {range} {cost:?}");
                    }
                }
            }
        }
    }
    println!("{sets} sets, {empty} empty, {met} members, ends: {open} open, {closed} closed");
    assert!(sets > 100 && met > 1000 && open > 50 && closed > 50 && judged > 100);
}

#[test]
fn canonical_costs_are_members() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut charged, mut shaped) = (0, 0);
    for brute in (500..620).filter_map(Brute::draw) {
        for (expert, budget) in experts(&brute, &mut rng) {
            let set = CostSet::of(&brute.case.model, &expert, budget, 1.0).unwrap();
            let cost = set.canonical().unwrap();
            charged += cost.support();
            assert!(known(
                &brute,
                &expert,
                budget,
                cost.values(),
                Rule::Conditions
            ));
            assert!(
                set.contains(cost.values(), Rule::Conditions)
                    .unwrap()
                    .is_member()
            );
            let lots = expert.probs().iter().any(|&p| p > 0.0 && p < 1.0);
            if budget == 0.0 && !lots {
                assert!(
                    set.contains(cost.values(), Rule::Optimality)
                        .unwrap()
                        .is_member()
                );
                continue;
            }
            // A cost-to-go of a member is good for another, up to a factor.
            for member in members(&brute, &set, &expert, Rule::Conditions, &mut rng) {
                let values = set.cost_values(&member).unwrap();
                let (cost, scale) = set.canonical_for(&values).unwrap();
                assert!(known(
                    &brute,
                    &expert,
                    budget,
                    cost.values(),
                    Rule::Conditions
                ));
                let again = set.cost_values(cost.values()).unwrap();
                for (a, v) in again.iter().zip(&values) {
                    assert!((a - scale * v).abs() < 1e-10);
                }
                shaped += usize::from(scale < 1.0);
            }
        }
    }
    assert!(charged > 100 && shaped > 100, "{charged} {shaped}");
}

#[test]
fn what_two_sets_share_is_in_both() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (mut shared, mut empty, mut met) = (0, 0, 0);
    for brute in (700..725).filter_map(Brute::draw) {
        let experts = experts(&brute, &mut rng);
        let set = |(expert, budget)| CostSet::of(&brute.case.model, expert, budget, 1.0).unwrap();
        for (i, (p, b)) in experts.iter().enumerate() {
            for (q, d) in &experts[i..] {
                let (one, two) = (set((p, *b)), set((q, *d)));
                for rule in RULES {
                    if rule == Rule::Optimality && one.is_hard() != two.is_hard() {
                        continue;
                    }
                    let say = format!("{:?} {p:?} {b} {q:?} {d} {rule:?}", brute.case);
                    let both = one.intersect(&two, rule).unwrap();
                    let mut common = members(&brute, &one, p, rule, &mut rng);
                    common.retain(|c| known(&brute, q, *d, c, rule));
                    met += common.len();
                    let Some(ranges) = both.ranges().unwrap() else {
                        assert!(both.is_empty() && common.is_empty(), "{say}");
                        empty += 1;
                        continue;
                    };
                    assert!(!both.is_empty() && both.conflicts().is_empty(), "{say}");
                    shared += 1;
                    for (c, range) in common.iter().flat_map(|c| c.iter().zip(&ranges)) {
                        assert!(range.holds(*c, 1e-7), "{say}");
                    }
                    let target: Vec<f64> = ranges.iter().map(|_| rng.random()).collect();
                    let near = both.nearest(&target, 0.0).unwrap().expect("something");
                    for (own, other) in [(&one, &near), (&two, &near)] {
                        // In the closure of both: nearest to itself.
                        let again = own.nearest(&other.cost, rule, 0.0).unwrap().expect("some");
                        assert!(again.distance < 1e-5, "{say} {near:?} {again:?}");
                    }
                }
            }
        }
    }
    println!("{shared} shared, {empty} empty, {met} common members");
    assert!(shared > 100 && empty > 25 && met > 1000);
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn parts_make_the_cost_again(seed in any::<u64>()) {
        let Some(brute) = (seed..).find_map(Brute::draw) else { unreachable!() };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for (expert, budget) in experts(&brute, &mut rng) {
            let set = CostSet::of(&brute.case.model, &expert, budget, 1.0).unwrap();
            let cost: Vec<f64> = (0..brute.task().pairs()).map(|_| rng.random()).collect();
            let parts = set.decompose(&cost).unwrap();
            for (a, b) in set.compose(&parts).unwrap().iter().zip(&cost) {
                prop_assert!((a - b).abs() < 1e-12);
            }
            let x = common::brute::visits(&brute.case.model, expert.probs());
            for (v, x) in parts.values.iter().zip(&x) {
                prop_assert!((v - dot(x, &cost)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_quotient_is_a_distance_that_forgets_shaping(seed in any::<u64>()) {
        let Some(brute) = (seed..).find_map(Brute::draw) else { unreachable!() };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let expert = random_policy(brute.task(), seed);
        let set = CostSet::of(&brute.case.model, &expert, 0.0, 1.0).unwrap();
        let task = brute.task();
        let mut random = |n: usize| -> Vec<f64> { (0..n).map(|_| rng.random_range(-1.0..1.0)).collect() };
        let [a, b, c] = [0; 3].map(|_| random(task.pairs()));
        let mut values = random(task.states());
        for s in task.all_states().filter(|&s| task.is_terminal(s)) {
            values[s.at()] = 0.0;
        }
        let shaped: Vec<f64> = a.iter().zip(set.shaping(&values).unwrap()).map(|(a, f)| a + f).collect();
        let far = |x: &[f64], y: &[f64]| set.quotient(x, y).unwrap().distance;
        prop_assert!(far(&a, &shaped) < 1e-12);
        prop_assert!((far(&a, &b) - far(&b, &a)).abs() < 1e-12);
        prop_assert!((far(&a, &b) - far(&shaped, &b)).abs() < 1e-12);
        prop_assert!(far(&a, &c) <= far(&a, &b) + far(&b, &c) + 1e-12);
        let plain: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
        prop_assert!(far(&a, &b) <= dot(&plain, &plain).sqrt() + 1e-12);
        // What is left is orthogonal to every shaping, which is what makes it the least.
        let found = set.quotient(&a, &b).unwrap();
        let own = set.shaping(&found.values).unwrap();
        let rest: Vec<f64> = plain.iter().zip(&own).map(|(d, f)| d - f).collect();
        prop_assert!(dot(&rest, &set.shaping(&values).unwrap()).abs() < 1e-12);
    }
}
