//! The cost set on examples small enough to work out by hand.

use hedgerow::costset::{CostSet, Range, Role, Rule, Violation};
use hedgerow::index::{Pair, State};
use hedgerow::model::{Model, ModelBuilder, Policy, Rows};

/// One choice, then the end: `rewards` of the actions, discount 0.5.
fn once(rewards: &[f64]) -> Model {
    let names = (0..rewards.len()).map(|a| format!("a{a}"));
    let mut b = ModelBuilder::new(2, names, 0.5);
    b.start(0, 1.0).terminal(1);
    for (a, &r) in rewards.iter().enumerate() {
        b.transition(0, a, 1, 1.0).reward(0, a, r);
    }
    b.build().unwrap()
}

fn policy(model: &Model, probs: &[f64]) -> Policy {
    Policy::new(model.task(), probs.to_vec()).unwrap()
}

fn violation(set: &CostSet<Rows>, cost: &[f64], rule: Rule) -> Option<Violation> {
    let answer = set.contains(cost, rule).unwrap();
    assert_eq!(answer.rule, rule);
    answer.violation
}

fn near(found: f64, known: f64) {
    assert!((found - known).abs() < 1e-9, "{found} for {known}");
}

fn shown(set: &CostSet<Rows>, rule: Rule) -> Vec<String> {
    let ranges = set.ranges(rule).unwrap().expect("members");
    let round = |x: f64| (x * 1e6).round() / 1e6;
    let text = ranges.into_iter().map(|mut r| {
        (r.low, r.high) = (round(r.low), round(r.high));
        r.to_string()
    });
    text.collect()
}

fn texts(ranges: &[Range]) -> Vec<String> {
    ranges.iter().map(ToString::to_string).collect()
}

#[test]
fn optimal_from_the_start_says_nothing_about_states_never_visited() {
    // 0 stays for ever; 1, where nobody comes, offers 0 or 1 for ever, and the expert takes 0.
    // V_E(1) = 0, so A_E(1, b) = 1 + 0.5 * 0 - 0 = 1: condition 2 wants a charge there.
    let mut b = ModelBuilder::new(2, ["a", "b"], 0.5);
    b.start(0, 1.0);
    b.transition(0, 0, 0, 1.0);
    b.transition(1, 0, 1, 1.0);
    b.transition(1, 1, 1, 1.0).reward(1, 1, 1.0);
    let model = b.build().unwrap();
    let expert = policy(&model, &[1.0, 1.0, 0.0]);
    let set = CostSet::of(&model, &expert, 0.0, 1.0).unwrap();
    assert!(!set.visits(State(1)) && set.role(Pair(2)) == Role::Paying);
    assert_eq!(violation(&set, &[0.0; 3], Rule::Optimality), None);
    let Some(Violation::Paying {
        pair,
        advantage,
        cost_advantage,
    }) = violation(&set, &[0.0; 3], Rule::Conditions)
    else {
        panic!();
    };
    assert_eq!(pair, Pair(2));
    near(advantage, 1.0);
    near(cost_advantage, 0.0);
    assert_eq!(
        shown(&set, Rule::Conditions),
        ["[0, 0]", "[0, 0]", "(0, 1]"]
    );
    assert_eq!(
        shown(&set, Rule::Optimality),
        ["[0, 0]", "[0, 1]", "[0, 1]"]
    );
}

#[test]
fn a_needless_charge_leaves_the_expert_optimal() {
    // The expert takes 1, the other pair pays 0: charged or not, nobody wants it.
    let model = once(&[1.0, 0.0]);
    let expert = policy(&model, &[1.0, 0.0]);
    let set = CostSet::of(&model, &expert, 0.0, 1.0).unwrap();
    assert_eq!(violation(&set, &[0.0, 1.0], Rule::Optimality), None);
    assert_eq!(
        violation(&set, &[0.0, 1.0], Rule::Conditions),
        Some(Violation::Idle {
            pair: Pair(1),
            advantage: -1.0,
            cost_advantage: 1.0
        })
    );
}

/// Earns 0.5 for 0.5; "save" earns 0.4 for nothing, "spend" earns 1 for 1.
fn between() -> (Model, [f64; 3]) {
    (once(&[0.5, 0.4, 1.0]), [0.5, 0.0, 1.0])
}

#[test]
fn one_price_has_to_explain_all_departures() {
    // A_E = 0, -0.1, 0.5 and A_c = 0, -0.5, 0.5: all three conditions hold. But spending asks for a
    // price of at least 0.5 / 0.5 = 1 and saving for at most 0.1 / 0.5 = 0.2. Half of each costs
    // 0.5, as the expert does, and earns 0.7 > 0.5.
    let (model, cost) = between();
    let expert = policy(&model, &[1.0, 0.0, 0.0]);
    let set = CostSet::of(&model, &expert, 0.5, 1.0).unwrap();
    assert_eq!(violation(&set, &cost, Rule::Conditions), None);
    let Some(Violation::Beaten {
        pair, best, expert, ..
    }) = violation(&set, &cost, Rule::Optimality)
    else {
        panic!();
    };
    near(best, 0.7);
    near(expert, 0.5);
    assert!(pair == Pair(1) || pair == Pair(2));
    // With c = (0.5, 0.5 - v, 0.5 + u) a price exists if 0.5 / u <= 0.1 / v: v <= u / 5 <= 0.1.
    assert_eq!(
        shown(&set, Rule::Optimality),
        ["[0.5, 0.5]", "[0.4, 1]", "(0.5, 1]"]
    );
    assert_eq!(violation(&set, &[0.5, 0.4, 1.0], Rule::Optimality), None);
    assert!(violation(&set, &[0.5, 0.39, 1.0], Rule::Optimality).is_some());
}

#[test]
fn two_pairs_in_one_state_are_too_few_for_that() {
    // One departure has one price: if the budget is spent, the conditions imply optimality.
    let lattice = [0.0, 0.25, 0.5, 0.75, 1.0];
    let mut members = 0;
    for (own, other) in lattice
        .iter()
        .flat_map(|a| lattice.iter().map(move |b| (*a, *b)))
    {
        let model = once(&[own, other]);
        let expert = policy(&model, &[1.0, 0.0]);
        for (paid, charge) in lattice[1..].iter().flat_map(|a| lattice.map(|b| (*a, b))) {
            let set = CostSet::of(&model, &expert, paid, 1.0).unwrap();
            if violation(&set, &[paid, charge], Rule::Conditions).is_none() {
                members += 1;
                assert_eq!(violation(&set, &[paid, charge], Rule::Optimality), None);
            }
        }
    }
    assert!(members > 100, "{members}");
}

#[test]
fn a_budget_that_is_not_used_up_buys_something() {
    // slow earns 0.5 for nothing, fast 1 for 1. A_E(fast) = 0.5, A_c(fast) = 1: the conditions
    // hold. But a budget of 0.25 pays for fast a quarter of the time: 0.25 + 0.75 * 0.5 = 0.625.
    let model = once(&[1.0, 0.5]);
    let expert = policy(&model, &[0.0, 1.0]);
    let set = CostSet::of(&model, &expert, 0.25, 1.0).unwrap();
    assert_eq!(violation(&set, &[1.0, 0.0], Rule::Conditions), None);
    let Some(Violation::Beaten {
        pair,
        best,
        expert,
        multiplier,
    }) = violation(&set, &[1.0, 0.0], Rule::Optimality)
    else {
        panic!();
    };
    assert_eq!(pair, Pair(0));
    near(best, 0.625);
    near(expert, 0.5);
    near(multiplier, 0.5);
    // Spent, the budget explains the expert; overspent, it does not.
    assert_eq!(violation(&set, &[1.0, 0.25], Rule::Optimality), None);
    assert_eq!(
        violation(&set, &[1.0, 0.5], Rule::Optimality),
        Some(Violation::OverBudget {
            pair: Pair(1),
            spent: 0.5,
            budget: 0.25
        })
    );
    assert_eq!(shown(&set, Rule::Conditions), ["(0, 1]", "[0, 1)"]);
    assert_eq!(shown(&set, Rule::Optimality), ["(0.25, 1]", "[0.25, 0.25]"]);
}

#[test]
fn an_expert_that_draws_lots_breaks_the_first_condition_or_escapes_it() {
    // Soft: a quarter fast is optimal for a budget of 0.25, but fast costs 1 and V_c is 0.25.
    let model = once(&[1.0, 0.5]);
    let expert = policy(&model, &[0.25, 0.75]);
    let set = CostSet::of(&model, &expert, 0.25, 1.0).unwrap();
    assert_eq!(violation(&set, &[1.0, 0.0], Rule::Optimality), None);
    let Some(Violation::Chosen {
        pair,
        cost_advantage,
    }) = violation(&set, &[1.0, 0.0], Rule::Conditions)
    else {
        panic!();
    };
    assert_eq!(pair, Pair(0));
    near(cost_advantage, 0.75);
    // Hard: the same expert uses both pairs, so both are free, and fast alone earns more. The
    // conditions hold all the same; no cost makes the expert optimal.
    let set = CostSet::of(&model, &expert, 0.0, 1.0).unwrap();
    assert_eq!(violation(&set, &[0.0, 0.0], Rule::Conditions), None);
    assert!(violation(&set, &[0.0, 0.0], Rule::Optimality).is_some());
    assert_eq!(set.ranges(Rule::Optimality).unwrap(), None);
    assert_eq!(
        set.nearest(&[0.0, 0.0], Rule::Optimality, 0.0).unwrap(),
        None
    );
}

#[test]
fn hard_answers_name_what_is_wrong() {
    let model = once(&[1.0, 0.5, 0.2]);
    let expert = policy(&model, &[0.0, 1.0, 0.0]);
    let set = CostSet::of(&model, &expert, 0.0, 1.0).unwrap();
    for rule in [Rule::Conditions, Rule::Optimality] {
        assert_eq!(violation(&set, &[0.3, 0.0, 0.0], rule), None);
        assert_eq!(
            violation(&set, &[0.3, 0.0, 1.5], rule),
            Some(Violation::OutOfRange {
                pair: Pair(2),
                cost: 1.5,
                cost_max: 1.0
            })
        );
    }
    assert_eq!(
        violation(&set, &[1.0, 0.5, 0.0], Rule::Conditions),
        Some(Violation::NotFree {
            state: State(0),
            value: 0.5
        })
    );
    assert_eq!(
        violation(&set, &[1.0, 0.5, 0.0], Rule::Optimality),
        Some(Violation::OverBudget {
            pair: Pair(1),
            spent: 0.5,
            budget: 0.0
        })
    );
    assert_eq!(
        violation(&set, &[0.0, 0.0, 0.0], Rule::Optimality),
        Some(Violation::Beaten {
            pair: Pair(0),
            best: 1.0,
            expert: 0.5,
            multiplier: 0.0
        })
    );
    let told = violation(&set, &[0.0; 3], Rule::Conditions).unwrap();
    let words = told.describe(model.task());
    assert_eq!(
        words,
        "condition 2 at (s0, a0): it would earn 0.5 more, but costs only 0 more"
    );
    assert!(set.contains(&[0.0; 2], Rule::Conditions).is_err());
    assert!(CostSet::of(&model, &expert, -1.0, 1.0).is_err());
}

#[test]
fn a_free_expert_may_spend_up_to_its_budget() {
    // The expert takes what pays most: its price is 0, and it may spend anything up to 0.25.
    let model = once(&[1.0, 0.5]);
    let expert = policy(&model, &[1.0, 0.0]);
    let set = CostSet::of(&model, &expert, 0.25, 1.0).unwrap();
    assert_eq!(shown(&set, Rule::Optimality), ["[0, 0.25]", "[0, 1]"]);
    // By the conditions the idle pair must not cost more than the chosen one.
    assert_eq!(shown(&set, Rule::Conditions), ["[0, 1]", "[0, 1]"]);
    // If V_c is known to be 0.4, so is the chosen entry: (E - gamma P) V_c = 0.4.
    let given = set.ranges_given(&[0.4, 0.0]).unwrap().unwrap();
    assert_eq!(texts(&given), ["[0.4, 0.4]", "[0, 0.4]"]);
}

#[test]
fn the_nearest_cost_by_hand() {
    let model = once(&[1.0, 0.5]);
    let expert = policy(&model, &[0.0, 1.0]);
    let hard = CostSet::of(&model, &expert, 0.0, 1.0).unwrap();
    let found = hard
        .nearest(&[-1.0, 3.0], Rule::Conditions, 0.125)
        .unwrap()
        .unwrap();
    assert_eq!(found.cost, [0.125, 0.0]);
    near(found.distance, (1.125_f64.powi(2) + 9.0).sqrt());
    // Soft: the closure is 0 <= c(slow) <= c(fast) <= 1, and (0.2, 0.6) meets it at (0.4, 0.4).
    let soft = CostSet::of(&model, &expert, 0.25, 1.0).unwrap();
    let found = soft
        .nearest(&[0.2, 0.6], Rule::Conditions, 0.0)
        .unwrap()
        .unwrap();
    for c in &found.cost {
        assert!((c - 0.4).abs() < 1e-7, "{found:?}");
    }
    assert!((found.distance - 0.08_f64.sqrt()).abs() < 1e-7);
    // By optimality c(slow) = 0.25 <= c(fast).
    let found = soft
        .nearest(&[0.0, 0.6], Rule::Optimality, 0.0)
        .unwrap()
        .unwrap();
    for c in &found.cost {
        assert!((c - 0.25).abs() < 1e-6, "{found:?}");
    }
}

#[test]
fn the_canonical_cost_with_a_cost_to_go_by_hand() {
    // V_c = 0.3 makes the expert and the idle pair cost 0.3; A_E = 0.5, 0.25 for two paying pairs
    // become 1 and 0.5 with zeta = 2. 1.3 exceeds C_max = 1, so everything shrinks by 1 / 1.3.
    let model = once(&[1.0, 0.75, 0.5, 0.5]);
    let expert = policy(&model, &[0.0, 0.0, 1.0, 0.0]);
    let set = CostSet::of(&model, &expert, 0.3, 1.0).unwrap();
    let (cost, scale) = set.canonical_for(&[0.3, 0.0]).unwrap();
    near(scale, 1.0 / 1.3);
    for (found, known) in cost.values().iter().zip([1.3, 0.8, 0.3, 0.3]) {
        near(*found, known / 1.3);
    }
    assert!(
        set.contains(cost.values(), Rule::Conditions)
            .unwrap()
            .is_member()
    );
    assert_eq!(set.canonical().unwrap().values(), [1.0, 0.5, 0.0, 0.0]);
    // Idle at a cost that no `zeta A_E` can express, because A_E = 0: that is the rest.
    let parts = set.decompose(&[1.0, 0.8, 0.3, 0.1]).unwrap();
    near(parts.zeta[0], 1.4);
    near(parts.zeta[1], 2.0);
    near(parts.rest[3], -0.2);
    near(parts.values[0], 0.3);
}

#[test]
fn a_distance_that_forgets_shaping() {
    // a ends, b stays with discount 0.5: (E - gamma P) = (1, 0.5). The difference (1, 0) is
    // nearest to 0.8 times that: (0.2, -0.4) is left, of length sqrt(0.2).
    let mut b = ModelBuilder::new(2, ["a", "b"], 0.5);
    b.start(0, 1.0).terminal(1);
    b.transition(0, 0, 1, 1.0).transition(0, 1, 0, 1.0);
    let model = b.build().unwrap();
    let expert = policy(&model, &[1.0, 0.0]);
    let set = CostSet::of(&model, &expert, 0.0, 1.0).unwrap();
    let found = set.quotient(&[1.0, 0.25], &[0.0, 0.25]).unwrap();
    near(found.distance, 0.2_f64.sqrt());
    near(found.values[0], 0.8);
    near(found.values[1], 0.0);
    near(
        set.quotient(&[0.5, 0.25], &[0.0, 0.0]).unwrap().distance,
        0.0,
    );
}

#[test]
fn two_tasks_agree_or_name_the_pair() {
    let (one, two) = (once(&[1.0, 0.5, 0.2]), once(&[0.1, 0.5, 0.9]));
    let middle = policy(&one, &[0.0, 1.0, 0.0]);
    let first = policy(&two, &[1.0, 0.0, 0.0]);
    let a = CostSet::of(&one, &middle, 0.0, 1.0).unwrap();
    let b = CostSet::of(&two, &middle, 0.0, 1.0).unwrap();
    let c = CostSet::of(&two, &first, 0.0, 1.0).unwrap();
    // a wants the first pair charged, b the last; neither takes the other's.
    let both = a.intersect(&b, Rule::Optimality).unwrap();
    assert!(!both.is_empty() && both.conflicts().is_empty());
    let ranges = texts(&both.ranges().unwrap().unwrap());
    assert_eq!(ranges, ["(0, 1]", "[0, 0]", "(0, 1]"]);
    assert!(
        both.contains(&[0.5, 0.0, 0.5])
            .unwrap()
            .iter()
            .all(|m| m.is_member())
    );
    // Taken literally the conditions forbid each what the other does not need.
    let both = a.intersect(&b, Rule::Conditions).unwrap();
    let named: Vec<_> = both.conflicts().iter().map(|c| (c.pair, c.roles)).collect();
    let idle = [Role::Idle, Role::Paying];
    assert_eq!(
        named,
        [(Pair(0), [Role::Paying, Role::Idle]), (Pair(2), idle)]
    );
    assert!(both.is_empty() && both.ranges().unwrap().is_none());
    // c takes the pair that a wants charged, and wants charged the one that a takes.
    for rule in [Rule::Conditions, Rule::Optimality] {
        let both = a.intersect(&c, rule).unwrap();
        let named: Vec<_> = both.conflicts().iter().map(|c| (c.pair, c.roles)).collect();
        assert!(
            named.contains(&(Pair(0), [Role::Paying, Role::Chosen])),
            "{named:?}"
        );
        assert!(
            named.contains(&(Pair(1), [Role::Chosen, Role::Paying])),
            "{named:?}"
        );
    }
}

#[test]
fn two_soft_tasks_agree_or_name_the_pair() {
    let (one, two) = (once(&[1.0, 0.5, 0.2]), once(&[0.1, 0.5, 0.9]));
    let middle = policy(&one, &[0.0, 1.0, 0.0]);
    let set = |model, budget| CostSet::of(model, &middle, budget, 1.0).unwrap();
    let (a, b, richer) = (set(&one, 0.25), set(&two, 0.25), set(&two, 0.5));
    // Both spend 0.25 on the middle; 0.5 / (c0 - 0.25) and 0.4 / (c2 - 0.25) are the least prices,
    // and neither task has a use for the other's pair unless it is much cheaper than 0.25.
    let both = a.intersect(&b, Rule::Optimality).unwrap();
    assert!(!both.is_empty());
    let ranges = both.ranges().unwrap().unwrap();
    near(ranges[1].low, 0.25);
    assert!(
        ranges[0].low_open && (ranges[0].low - 0.25).abs() < 1e-6,
        "{ranges:?}"
    );
    assert!(
        ranges[2].low_open && (ranges[2].low - 0.25).abs() < 1e-6,
        "{ranges:?}"
    );
    // One budget is spent on the same pair, so another cannot be.
    let both = a.intersect(&richer, Rule::Optimality).unwrap();
    assert!(both.is_empty() && both.ranges().unwrap().is_none());
    // By the conditions the first pair must cost more than the middle and must not.
    let both = a.intersect(&b, Rule::Conditions).unwrap();
    assert!(both.is_empty());
    assert!(
        both.conflicts()
            .iter()
            .any(|c| c.roles == [Role::Paying, Role::Idle])
    );
    // A hard set and a soft one share the conditions, not the forward problem.
    let hard = set(&one, 0.0);
    assert!(!hard.intersect(&a, Rule::Conditions).unwrap().is_empty());
    assert!(hard.intersect(&a, Rule::Optimality).is_err());
    let other = once(&[1.0, 0.5]);
    let slow = policy(&other, &[0.0, 1.0]);
    let smaller = CostSet::of(&other, &slow, 0.0, 1.0).unwrap();
    assert!(hard.intersect(&smaller, Rule::Conditions).is_err());
}
