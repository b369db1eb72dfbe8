//! The built-in grids: their structure, their experts, and what exact inference finds in them.

use hedgerow::costset::{canonical, on_cells};
use hedgerow::env::{Cell, Environment, builtin};
use hedgerow::index::{Action, Pair, State};
use hedgerow::metrics::overlap;
use hedgerow::model::{Dynamics, Policy};
use hedgerow::solve::{Limits, Mdp, evaluate_exact, hard, modified_policy_iteration};

const GRIDWORLDS: [&str; 4] = ["gridworld-1", "gridworld-2", "gridworld-3", "gridworld-4"];

fn open(name: &str) -> Environment {
    builtin::environment(name).unwrap()
}

fn state(env: &Environment, row: usize, column: usize) -> State {
    let layout = env.layout().unwrap();
    layout.state_at(Cell { row, column }).unwrap()
}

fn pair(env: &Environment, row: usize, column: usize, action: &str) -> Pair {
    let task = env.task();
    let a = task.action_names().iter().position(|n| n == action);
    let s = state(env, row, column);
    task.pair(s, Action::new(a.unwrap())).unwrap()
}

/// Discounted reward and cost of a policy from the start.
fn values(env: &Environment, policy: &Policy) -> (f64, f64) {
    let truth = env.truth();
    let mdp = Mdp::of(truth.model());
    let value = |mdp: &Mdp<_>| {
        let v = evaluate_exact(mdp, policy).unwrap();
        env.task().at_start(&v.values)
    };
    let cost = mdp.with_reward(truth.cost().values());
    (value(&mdp), value(&cost))
}

fn unconstrained(env: &Environment) -> Policy {
    let mdp = Mdp::of(env.truth().model());
    let limits = Limits {
        tolerance: 1e-13,
        ..Limits::default()
    };
    let best = modified_policy_iteration(&mdp, &limits, None);
    best.solution().unwrap().policy(env.task())
}

/// Cells of the way a policy takes when no move slips, goal included; of equals the first.
fn undisturbed(env: &Environment, policy: &Policy) -> Vec<Cell> {
    let (task, layout) = (env.task(), env.layout().unwrap());
    let mut at = task.start()[0].0;
    let mut way = vec![layout.cell_of(at).unwrap()];
    while way.len() < 1000 {
        let mut best = task.pairs_of(at).start;
        for i in task.pairs_of(at) {
            if policy.probs()[i] > policy.probs()[best] {
                best = i;
            }
        }
        let (next, prob) = env.truth().model().rows().row(Pair::new(best));
        let likely = (0..next.len()).max_by(|&a, &b| prob[a].total_cmp(&prob[b]));
        at = State(next[likely.unwrap()]);
        match layout.cell_of(at) {
            Some(cell) => way.push(cell),
            None => return way,
        }
    }
    panic!("{} never ends", env.name());
}

/// How many of the cells are constraint cells.
fn charged(env: &Environment, way: &[Cell]) -> usize {
    let truth = env.truth().cost().by_state(env.task());
    way.iter()
        .filter(|c| truth[state(env, c.row, c.column).at()] > 0.0)
        .count()
}

fn cells(env: &Environment, on_states: &[f64]) -> Vec<(usize, usize)> {
    let layout = env.layout().unwrap();
    let charged = env.task().all_states().filter(|s| on_states[s.at()] > 0.0);
    charged
        .map(|s| layout.cell_of(s).unwrap())
        .map(|c| (c.row, c.column))
        .collect()
}

#[test]
fn a_gridworld_has_its_cells_moves_start_and_end() {
    let env = open("gridworld-1");
    let task = env.task();
    assert_eq!(task.states(), 50);
    // 25 inner cells with 8 moves, 20 on an edge with 5, 4 corners with 3.
    assert_eq!(task.pairs(), 25 * 8 + 20 * 5 + 4 * 3);
    assert_eq!(task.start(), [(state(&env, 0, 0), 1.0)]);
    assert_eq!((task.gamma(), env.horizon()), (0.7, 50));
    assert_eq!(env.truth().budget(), 0.0);
    let ends: Vec<State> = task.all_states().filter(|&s| task.is_terminal(s)).collect();
    assert_eq!(ends.len(), 1);
    for p in task.all_pairs() {
        let in_goal = task.state_of(p) == state(&env, 6, 6);
        assert_eq!(task.reward()[p.at()], f64::from(u8::from(in_goal)));
        if in_goal {
            let (next, prob) = env.truth().model().rows().row(p);
            assert_eq!((next, prob), (&[ends[0].0][..], &[1.0][..]));
        }
    }
}

#[test]
fn a_slip_takes_any_available_move_alike() {
    let env = open("gridworld-1");
    let rows = env.truth().model().rows();
    let check = |row: usize, column: usize, intended: (usize, usize), moves: f64, chosen: f64| {
        let action = match (intended.0 > row, intended.1 > column) {
            (true, true) => "up-right",
            _ => "up",
        };
        let (next, prob) = rows.row(pair(&env, row, column, action));
        assert_eq!(next.len(), moves as usize);
        for (&s, &p) in next.iter().zip(prob) {
            let hit = State(s) == state(&env, intended.0, intended.1);
            let known = if hit { chosen } else { 0.05 / moves };
            assert!((p - known).abs() < 1e-15, "{p} for {known}");
        }
    };
    // A corner has 3 moves: 0.95 + 0.05/3 for the chosen one; an inner cell 8.
    check(0, 0, (1, 1), 3.0, 0.966_666_666_666_666_7);
    check(3, 3, (4, 3), 8.0, 0.956_25);
}

#[test]
fn constraint_cells_are_the_documented_ones() {
    let rectangle = |rows: std::ops::RangeInclusive<usize>,
                     columns: std::ops::RangeInclusive<usize>| {
        rows.flat_map(|r| columns.clone().map(move |c| (r, c)))
            .collect::<Vec<_>>()
    };
    let walls = [rectangle(2..=2, 0..=4), rectangle(4..=4, 2..=6)].concat();
    for (name, known) in GRIDWORLDS.iter().zip([
        walls,
        rectangle(1..=5, 1..=5),
        rectangle(3..=3, 0..=4),
        rectangle(2..=4, 2..=4),
    ]) {
        let env = open(name);
        let truth = env.truth().cost().by_state(env.task());
        assert_eq!(cells(&env, &truth), known, "{name}");
    }
}

#[test]
fn the_expert_goes_round_in_the_documented_number_of_moves() {
    // The larger versions keep walls one cell thick, so a way along one is a little shorter than
    // the factor says.
    for (suffix, lengths) in [
        ("", [14, 11, 10, 9]),
        ("-13", [24, 21, 18, 17]),
        ("-31", [54, 51, 42, 41]),
    ] {
        for (name, moves) in GRIDWORLDS.iter().zip(lengths) {
            let env = open(&format!("{name}{suffix}"));
            let way = undisturbed(&env, env.truth().expert());
            assert_eq!(way.len() - 1, moves, "{}", env.name());
            assert_eq!(charged(&env, &way), 0, "{}", env.name());
        }
    }
}

#[test]
fn the_way_through_the_rooms_is_another_one_than_the_shortest() {
    let env = open("rooms");
    let expert = undisturbed(&env, env.truth().expert());
    let shortest = undisturbed(&env, &unconstrained(&env));
    assert_eq!((expert.len() - 1, shortest.len() - 1), (17, 14));
    assert_eq!(charged(&env, &expert), 0);
    assert!(charged(&env, &shortest) > 0);
    let top_door = Cell { row: 10, column: 5 };
    assert!(expert.contains(&top_door) && !shortest.contains(&top_door));
}

#[test]
fn the_soft_expert_spends_its_budget_and_draws_lots() {
    let env = open("soft-block");
    let truth = env.truth();
    let (_, cost) = values(&env, truth.expert());
    assert!(truth.budget() > 0.0);
    assert!((cost - truth.budget()).abs() < 1e-6, "{cost}");
    let between = |p: &&f64| **p > 0.01 && **p < 0.99;
    assert!(truth.expert().probs().iter().filter(between).count() >= 2);
}

#[test]
fn the_constraint_costs_the_expert_reward_and_saves_it_cost() {
    for name in builtin::names() {
        let env = open(&name);
        let (reward, cost) = values(&env, env.truth().expert());
        let (best, spent) = values(&env, &unconstrained(&env));
        assert!(reward < best - 1e-6, "{name}: {reward} against {best}");
        assert!(cost < spent - 1e-6, "{name}: {cost} against {spent}");
    }
}

#[test]
fn exact_inference_finds_all_of_a_wall_and_part_of_a_block() {
    for name in GRIDWORLDS {
        let env = open(name);
        let truth = env.truth();
        let cost = canonical(truth.model(), truth.expert(), 1.0).unwrap();
        let found = on_cells(truth.model().rows(), env.task(), cost.values());
        let known = truth.cost().by_state(env.task());
        let score = overlap(&found, &known, env.layout()).unwrap();
        if ["gridworld-1", "gridworld-3"].contains(&name) {
            assert_eq!(score.wgiou, 1.0, "{name}");
            assert_eq!(score.iou, 1.0, "{name}");
        } else {
            assert!(score.wgiou < 1.0, "{name}: {}", score.wgiou);
            let (found, known) = (cells(&env, &found), cells(&env, &known));
            assert!(found.len() < known.len(), "{name}");
            assert!(found.iter().all(|c| known.contains(c)), "{name}");
        }
    }
}

#[test]
fn the_best_policy_under_the_inferred_cost_is_worth_the_expert() {
    for name in GRIDWORLDS {
        let env = open(name);
        let truth = env.truth();
        let inferred = canonical(truth.model(), truth.expert(), 1.0).unwrap();
        let mdp = Mdp::of(truth.model());
        let best = hard(&mdp, inferred.values()).unwrap();
        let best = best.solution().unwrap();
        assert!(best.infeasible.is_empty(), "{name}");
        let expert = evaluate_exact(&mdp, truth.expert()).unwrap();
        for (found, known) in best.solution.values.iter().zip(&expert.values) {
            assert!((found - known).abs() < 1e-9, "{name}: {found} for {known}");
        }
        let (reward, cost) = values(&env, &best.policy);
        let (expert_reward, expert_cost) = values(&env, truth.expert());
        assert!((reward - expert_reward).abs() < 1e-9, "{name}");
        assert!((cost - expert_cost).abs() < 1e-9, "{name}");
    }
}
