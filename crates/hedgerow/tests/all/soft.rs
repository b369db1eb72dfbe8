//! A soft constraint end to end: an expert that spends its budget without drawing lots, and what
//! can be recovered from it.

use hedgerow::costset::{CostSet, Role, Rule, Violation};
use hedgerow::env::{Environment, builtin};
use hedgerow::index::{Pair, State};
use hedgerow::model::{Dynamics, Policy};
use hedgerow::solve::{Mdp, linear_program};

fn open() -> Environment {
    builtin::environment("soft-strip").unwrap()
}

/// Cost-to-go of a policy by summing 400 steps backwards: `0.8^400 < 1e-38`.
fn by_steps(env: &Environment, policy: &Policy, cost: &[f64]) -> Vec<f64> {
    let (task, rows) = (env.task(), env.truth().model().rows());
    let mut values = vec![0.0; task.states()];
    for _ in 0..400 {
        let mut before = vec![0.0; task.states()];
        for pair in task.all_pairs() {
            let (next, prob) = rows.row(pair);
            let later: f64 = next
                .iter()
                .zip(prob)
                .map(|(&s, &p)| p * values[s as usize])
                .sum();
            let once = cost[pair.at()] + task.gamma() * later;
            before[task.state_of(pair).at()] += policy.prob(pair) * once;
        }
        values = before;
    }
    values
}

#[test]
fn the_expert_spends_its_budget_without_drawing_lots() {
    let env = open();
    let truth = env.truth();
    assert!(truth.expert().probs().iter().all(|&p| p == 0.0 || p == 1.0));
    let paid = by_steps(&env, truth.expert(), truth.cost().values());
    assert!((env.task().at_start(&paid) - truth.budget()).abs() < 1e-12);
    // The budget it was asked to keep within is larger: there the optimum draws lots.
    let asked = builtin::grid("soft-strip").unwrap().budget;
    assert_eq!(
        (asked, format!("{:.4}", truth.budget())),
        (1.0, "0.8214".to_owned())
    );
    let mdp = Mdp::of(truth.model());
    let at = |budget| {
        let best = linear_program(&mdp, truth.cost().values(), budget).unwrap();
        best.solution().unwrap()
    };
    let lots = at(asked).policy;
    assert!(lots.probs().iter().any(|&p| p > 0.01 && p < 0.99));
    let earned = by_steps(&env, truth.expert(), env.task().reward());
    let best = at(truth.budget());
    assert!((best.reward - env.task().at_start(&earned)).abs() < 1e-7);
}

#[test]
fn it_cuts_a_corner_of_the_block_and_crosses_the_strip_once() {
    let env = open();
    let (task, layout) = (env.task(), env.layout().unwrap());
    let mut at = task.start()[0].0;
    let mut way = String::new();
    while let Some(cell) = layout.cell_of(at) {
        way.push(layout.symbol(cell));
        let expert = env.truth().expert().probs();
        let choice = task.pairs_of(at).find(|&i| expert[i] == 1.0).unwrap();
        let (next, prob) = env.truth().model().rows().row(Pair::new(choice));
        let likely = (0..next.len()).max_by(|&a, &b| prob[a].total_cmp(&prob[b]));
        at = State(next[likely.unwrap()]);
    }
    assert_eq!(way, "S..x...xG");
}

#[test]
fn the_cost_to_go_is_recovered_and_the_cost_rebuilt() {
    let env = open();
    let truth = env.truth();
    let cost = truth.cost().values();
    let set = CostSet::of(truth.model(), truth.expert(), truth.budget(), 1.0).unwrap();
    let parts = set.decompose(cost).unwrap();
    let known = by_steps(&env, truth.expert(), cost);
    for (found, known) in parts.values.iter().zip(&known) {
        assert!((found - known).abs() < 1e-12, "{found} for {known}");
    }
    assert!((env.task().at_start(&parts.values) - truth.budget()).abs() < 1e-12);
    for (found, known) in set.compose(&parts).unwrap().iter().zip(cost) {
        assert!((found - known).abs() < 1e-12, "{found} for {known}");
    }
    // Only zeta and V_c: no rest on the expert's own pairs.
    for pair in env
        .task()
        .all_pairs()
        .filter(|&p| set.role(p) == Role::Chosen)
    {
        assert!(parts.rest[pair.at()].abs() < 1e-12);
    }
}

#[test]
fn the_true_cost_explains_the_expert_but_charges_more_than_it_must() {
    let env = open();
    let truth = env.truth();
    let cost = truth.cost().values();
    let set = CostSet::of(truth.model(), truth.expert(), truth.budget(), 1.0).unwrap();
    let best = set.contains(cost, Rule::Optimality).unwrap();
    assert!(best.is_member(), "{best:?}");
    // Half the cost leaves half of the budget unused, twice the budget is more than it spends.
    let half: Vec<f64> = cost.iter().map(|c| 0.5 * c).collect();
    let unused = set.contains(&half, Rule::Optimality).unwrap();
    assert!(
        matches!(unused.violation, Some(Violation::Beaten { .. })),
        "{unused:?}"
    );

    // The first two conditions hold everywhere: the expert is best in r - lambda c from every
    // state, so A_E <= lambda A_c, and whatever pays costs more. The third does not: a block costs
    // whoever enters it, also where entering would not even pay.
    let parts = set.decompose(cost).unwrap();
    let (mut paying, mut needless) = (0, 0);
    for pair in env.task().all_pairs() {
        let i = pair.at();
        let extra = parts.zeta[i] * set.advantage()[i] + parts.rest[i];
        match set.role(pair) {
            Role::Chosen => assert!(extra.abs() < 1e-12),
            Role::Paying => {
                assert!(extra > 1e-9);
                paying += 1;
            }
            Role::Idle => needless += usize::from(extra > 1e-9),
        }
    }
    // These numbers stand in docs/errata.md.
    assert_eq!((paying, needless), (8, 182));
    let local = set.contains(cost, Rule::Conditions).unwrap();
    assert_eq!(
        local.violation.and_then(|v| v.condition()),
        Some(3),
        "{local:?}"
    );
}

#[test]
fn the_set_of_a_whole_map_can_be_asked() {
    let env = open();
    let truth = env.truth();
    let cost = truth.cost().values();
    let set = CostSet::of(truth.model(), truth.expert(), truth.budget(), 1.0).unwrap();
    // A member is its own nearest element; by the conditions the nearest charges less.
    let near = set.nearest(cost, Rule::Optimality, 0.0).unwrap().unwrap();
    assert!(near.distance < 1e-5, "{}", near.distance);
    let least = set.nearest(cost, Rule::Conditions, 1e-6).unwrap().unwrap();
    assert!(
        set.contains(&least.cost, Rule::Conditions)
            .unwrap()
            .is_member()
    );
    assert!(least.distance > 1.0, "{}", least.distance);
    // The expert crosses the strip: what that may cost is limited by the budget, V_c(mu0) = b.
    let crossing = |p: &Pair| cost[p.at()] > 0.0 && set.role(*p) == Role::Chosen;
    let crossing = env.task().all_pairs().find(crossing).unwrap();
    let range = set.range(crossing, Rule::Optimality).unwrap().unwrap();
    assert!(range.holds(cost[crossing.at()], 1e-6), "{range}");
}

#[test]
fn an_expert_that_draws_lots_holds_no_dust() {
    let environment = hedgerow::env::builtin::environment("soft-block").unwrap();
    let (task, expert) = (environment.task(), environment.truth().expert());
    let drawing = |s: &hedgerow::index::State| {
        let own = &expert.probs()[task.pairs_of(*s)];
        assert!(own.iter().all(|&p| p == 0.0 || p > 1e-6), "{s}: {own:?}");
        own.iter().filter(|&&p| p > 0.0).count() > 1
    };
    // Two ways round at the start, lots whether to enter the block in two cells, and the goal.
    assert_eq!(task.all_states().filter(drawing).count(), 4);
}
