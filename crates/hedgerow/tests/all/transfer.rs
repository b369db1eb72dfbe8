//! Constraints of one task in another: who keeps them there?

use hedgerow::costset::canonical;
use hedgerow::env::{Environment, builtin};
use hedgerow::io::{grid_file, open};
use hedgerow::model::Policy;
use hedgerow::transfer::{
    AgentEvaluation, Carried, Transfer, TransferSettings, evaluate, transfer,
};
use std::path::Path;

fn map(name: &str) -> Environment {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/maps/{name}.toml"));
    open(path.to_str().unwrap()).unwrap()
}

/// As what the constraint is carried.
#[derive(Clone, Copy)]
enum Carry {
    Pairs,
    Cells,
}

fn carried(target: &Environment, carry: Carry) -> Transfer {
    let source = builtin::environment("gridworld-3").unwrap();
    let truth = source.truth();
    let cost = canonical(truth.model(), truth.expert(), 1.0).unwrap();
    let constraint = match carry {
        Carry::Pairs => Carried::pairs(&cost),
        Carry::Cells => Carried::cells(&source, &cost).unwrap(),
    };
    transfer(&source, &constraint, target, &TransferSettings::default()).unwrap()
}

#[test]
fn an_episode_is_judged_by_hand() {
    // Three cells in a row, no slips, the middle charged: walking right costs gamma once, earns
    // gamma^2 at the goal, and enters for sure.
    let text = "slip = 0.0\nmoves = 4\ngamma = 0.5\nhorizon = 10\nmap = '''\n. . .\nS x G\n'''";
    let env = grid_file::parse(text, "row")
        .unwrap()
        .environment()
        .unwrap();
    let task = env.task();
    let right = task
        .action_names()
        .iter()
        .position(|n| n == "right")
        .unwrap();
    let choice: Vec<_> = task
        .all_states()
        .map(|s| task.pair(s, hedgerow::index::Action::new(right)))
        .collect();
    let walk = Policy::deterministic(task, &choice);
    let agent = evaluate("walk", &env, &walk).unwrap();
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} for {b}");
    near(agent.reward, 0.25);
    near(agent.cost, 0.5);
    near(agent.enters, 1.0);
    near(agent.charged_steps, 1.0);
    let safe = evaluate("expert", &env, env.truth().expert()).unwrap();
    near(safe.reward, 0.0625);
    near(safe.enters, 0.0);
}

#[test]
fn carried_cells_keep_the_agent_safe_where_the_others_are_not() {
    for name in ["wall-other-goal", "wall-from-above"] {
        let target = map(name);
        let found = carried(&target, Carry::Cells);
        let [carried, greedy, clone, expert]: &[AgentEvaluation; 4] =
            found.agents.as_slice().try_into().unwrap();
        // Slips enter now and then, also the expert's.
        assert!(carried.enters <= 1.05 * expert.enters + 1e-9, "{found:?}");
        assert!(carried.cost <= 1.05 * expert.cost + 1e-9, "{found:?}");
        assert!(carried.reward >= 0.95 * expert.reward, "{found:?}");
        assert!(
            greedy.enters > 0.9 && greedy.reward > carried.reward,
            "{found:?}"
        );
        // The clone walks the source's ways: it earns little here, or is not safe, or both.
        assert!(clone.reward < 0.5 * carried.reward, "{found:?}");
    }
}

#[test]
fn carried_pairs_protect_from_the_side_they_were_seen_from() {
    let below = carried(&map("wall-other-goal"), Carry::Pairs);
    let above = carried(&map("wall-from-above"), Carry::Pairs);
    let [safe, _, _, expert] = &below.agents[..] else {
        panic!("four agents");
    };
    assert!(safe.enters <= 1.5 * expert.enters, "{below:?}");
    // Nobody ever wanted to enter the wall from above: nothing was inferred there.
    let [unsafe_, greedy, ..] = &above.agents[..] else {
        panic!("four agents");
    };
    assert!(unsafe_.enters > 0.5 * greedy.enters, "{above:?}");
}

#[test]
fn other_worlds_are_refused() {
    let source = builtin::environment("gridworld-3").unwrap();
    let target = builtin::environment("rooms").unwrap();
    let nothing = Carried::Pairs(vec![false; source.task().pairs()]);
    let refused = transfer(&source, &nothing, &target, &TransferSettings::default());
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("same states and actions")
    );
}
