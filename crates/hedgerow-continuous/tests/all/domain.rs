//! Continuous worlds as a domain: one suite for every strategy.

use hedgerow::domain::{Domain, Domains, World};
use hedgerow::param::Parameters;
use hedgerow::results::Results;
use hedgerow::run::{self, Row, RunId, RunResult, RunSpec, Stop};
use hedgerow::sweep::{Experiment, Silent, Sweep};
use hedgerow::verdict::Verdict;
use hedgerow_continuous::ContinuousDomain;
use hedgerow_continuous::domain::{MazeWorld, PARAMETERS};
use hedgerow_continuous::expert::shipped;
use hedgerow_continuous::explore::{STRATEGIES, find};
use hedgerow_continuous::maze::builtin;
use hedgerow_continuous::payload::{MazeGeometry, MazeSummary, Points};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

fn names() -> impl Iterator<Item = &'static str> {
    STRATEGIES.iter().map(|s| s.info.name)
}

static WORLD: LazyLock<MazeWorld> = LazyLock::new(|| {
    let maze = builtin::maze("point-maze").unwrap();
    let expert = shipped(&maze, true).unwrap();
    MazeWorld::new(maze, expert).unwrap()
});

fn run_observed(
    strategy: &str,
    set: &[(&str, &str)],
    seed: u64,
    observe: &mut dyn FnMut(&Row) -> ControlFlow<()>,
) -> RunResult {
    let mut shared = Parameters::defaults(run::PARAMETERS);
    let mut own = Parameters::defaults(PARAMETERS);
    for (key, value) in set {
        let table = match shared.find(key) {
            Some(_) => &mut shared,
            None => &mut own,
        };
        table.set(key, value).unwrap();
    }
    let parameters = Parameters::defaults(find(strategy).unwrap().info.parameters);
    let spec = RunSpec {
        version: String::new(),
        id: RunId {
            env: "point-maze".into(),
            strategy: strategy.into(),
            seed,
        },
        domain: "continuous".into(),
        environment: String::new(),
        settings: shared.values().clone().and(own.values()),
        strategy_settings: parameters.values().clone(),
        variant_of: None,
    };
    WORLD.run(&spec, observe).unwrap()
}

fn run(strategy: &str, set: &[(&str, &str)], seed: u64) -> RunResult {
    run_observed(strategy, set, seed, &mut |_| ControlFlow::Continue(()))
}

fn experiment() -> Experiment {
    Experiment::new(Domains::default().with(ContinuousDomain))
}

#[test]
fn every_strategy_keeps_the_contract_of_a_run() {
    for name in names() {
        let record = run(name, &[("iterations", "6")], 11);
        assert_eq!(record.summary.stop, Stop::Iterations, "{name}");
        assert_eq!(record.rows.len(), 7, "{name}");
        let first = record.rows[0];
        assert_eq!(
            (first.samples, first.constrained, first.unseen),
            (0, 0, 64),
            "{name}"
        );
        for (before, after) in record.rows.iter().zip(&record.rows[1..]) {
            // One episode: at least the shortest way, at most 100 decisions. The first iteration begins
            // with five of the expert.
            let episodes = if after.iteration == 1 { 6 } else { 1 };
            let gathered = after.samples - before.samples;
            let range = 7 * episodes..=100 * episodes;
            assert!(range.contains(&gathered), "{name}: {gathered}");
            assert!(after.unseen <= before.unseen, "{name}");
            assert!(
                after.reward > 0.0 && after.reward < 1.0 && after.cost >= 0.0,
                "{name}"
            );
        }
        let moments: Vec<usize> = record.snapshots.iter().map(|s| s.iteration).collect();
        assert_eq!(moments, [0, 1, 2, 5, 6], "{name}");
        let summary: MazeSummary = record.payload.read().unwrap();
        let all: f64 = summary.density.iter().sum();
        assert!((all - 1.0).abs() < 0.01, "{name}: {all}");
        assert_eq!(summary.cells.len(), 8, "{name}");
        let again = run(name, &[("iterations", "6")], 11);
        assert_eq!(record, again, "{name}");
        let other = run(name, &[("iterations", "6")], 12);
        assert_ne!(record.rows, other.rows, "{name}");
    }
}

#[test]
fn runs_stop_on_samples_exactly_and_when_asked_to() {
    let record = run("random", &[("samples", "123")], 1);
    assert_eq!(record.summary.stop, Stop::Samples);
    assert_eq!(record.rows.last().unwrap().samples, 123);
    let mut observe = |row: &Row| match row.iteration < 2 {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let record = run_observed("pcse", &[("iterations", "50")], 1, &mut observe);
    assert_eq!(record.summary.stop, Stop::Interrupted);
    assert_eq!(record.rows.len(), 3);
}

/// Share of the weight of the points in a constraint cell or within a ball's radius of one.
fn share_near(world: &MazeWorld, points: &[[f64; 3]]) -> f64 {
    let maze = world.maze();
    let near = |p: &[f64; 3]| {
        maze.constraint_cells().iter().any(|&(row, column)| {
            let [x, y] = maze.map().cell_centre(row, column);
            (p[0] - x).abs() <= 0.6 && (p[1] - y).abs() <= 0.6
        })
    };
    let all: f64 = points.iter().map(|p| p[2]).sum();
    let good: f64 = points.iter().filter(|p| near(p)).map(|p| p[2]).sum();
    good / all
}

#[test]
fn both_strategies_of_ours_find_the_constraint_cell_and_the_agent_becomes_as_safe_as_the_expert() {
    for name in ["pcse", "undecided"] {
        let record = run(name, &[("iterations", "200")], 3);
        let last = record.rows.last().unwrap();
        let last_snapshot = record.snapshots.last().unwrap();
        let kept: Points = last_snapshot.payload.as_ref().unwrap().read().unwrap();
        let points = &kept.points;
        let share = share_near(&WORLD, points);
        assert!(
            points.len() >= 3 && share >= 0.9,
            "{name}: {share} of {}",
            points.len()
        );
        assert_eq!(last.wgiou, Some(1.0), "{name}");
        assert!(
            last.cost <= 0.01 && last.reward >= 0.9 * record.summary.expert_reward,
            "{name}"
        );
        assert!(record.rows[0].cost > 1.0, "{name}");
        assert!(
            record
                .summary
                .samples_to_expert
                .is_some_and(|s| s < last.samples),
            "{name}"
        );
        // Rows from the bottom: start, constraint cell and goal are the first cells of theirs.
        let summary: MazeSummary = record.payload.read().unwrap();
        let constrained: Vec<u32> = summary
            .cells
            .iter()
            .filter(|f| f.verdict == Verdict::Constrained)
            .map(|f| f.state)
            .collect();
        assert_eq!(constrained, [3], "{name}");
    }
}

#[test]
fn the_tiled_density_works_as_well() {
    let tiled = ("density", "tiled");
    let record = run("max-entropy", &[("iterations", "5"), tiled], 2);
    let smooth = run("max-entropy", &[("iterations", "5")], 2);
    assert_ne!(record.rows, smooth.rows);
}

#[test]
fn a_maze_of_ones_own_needs_its_expert() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(
        &path,
        "kind = \"maze\"\nmap = \"\"\"\n#####\n#SxG#\n#...#\n#####\n\"\"\"\n",
    )
    .unwrap();
    let path = path.to_str().unwrap();
    assert!(ContinuousDomain.recognises(path).unwrap());
    let message = ContinuousDomain.open(path).unwrap_err().to_string();
    assert!(message.contains("hedgerow maze train"), "{message}");
    assert!(!ContinuousDomain.recognises("gridworld-1").unwrap());
    assert!(!ContinuousDomain.recognises("nothing.toml").unwrap());
}

#[test]
fn a_sweep_of_mazes_is_saved_continued_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let asked = |seeds: Vec<u64>| {
        let mut e = experiment();
        e.set_environments(["point-maze"]).unwrap();
        e.set_strategies(["pcse", "random"]).unwrap();
        e.set_seeds(seeds).unwrap();
        e.set("iterations", "3").unwrap();
        e.set("continuous.margin", "0.15").unwrap();
        e.set("pcse.decay", "0.4").unwrap();
        e
    };
    let go = AtomicBool::new(false);
    let sweep = |e: &Experiment| Sweep::open(e, folder.path());
    sweep(&asked(vec![1])).unwrap().run(&Silent, &go).unwrap();
    let more = sweep(&asked(vec![1, 2])).unwrap();
    assert_eq!((more.saved(), more.runs()), (2, 4));
    more.run(&Silent, &go).unwrap();
    let results = Results::read(folder.path()).unwrap();
    assert_eq!((results.runs.len(), results.problems.len()), (4, 0));
    assert_eq!(
        results.manifest.settings["continuous"].number("margin"),
        0.15
    );
    assert_eq!(results.manifest.chosen.parameters.len(), 3);
    let file = &results.environments[0];
    let geometry: MazeGeometry = file.geometry.as_ref().unwrap().read().unwrap();
    assert_eq!(geometry.constraints, [[-1.0, 0.0]]);
    assert_eq!(file.true_cells, [(3, 1.0)]);
    let kept = |r: &hedgerow::results::SavedRun| r.result.payload.read::<MazeSummary>();
    assert!(results.runs.iter().all(|r| kept(r).is_ok()));
    // Other parameters are another experiment.
    for (key, value, said) in [
        ("margin", "0.2", "margin was 0.15, now 0.2"),
        ("pcse.decay", "0.5", "pcse.decay was 0.4, now 0.5"),
    ] {
        let mut other = asked(vec![1, 2]);
        other.set(key, value).unwrap();
        let message = sweep(&other).unwrap_err().to_string();
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn a_parameter_that_only_finite_runs_read_is_refused_with_those_that_count() {
    let folder = tempfile::tempdir().unwrap();
    for key in ["pcse.lookahead", "threshold", "finite.delta"] {
        let mut e = experiment();
        e.set_environments(["point-maze"]).unwrap();
        e.set(key, "1.5").or_else(|_| e.set(key, "0.5")).unwrap();
        let message = Sweep::open(&e, folder.path()).unwrap_err().to_string();
        assert!(
            message.starts_with(&format!("{key}: no run of this experiment reads")),
            "{message}"
        );
        assert!(message.contains("pcse.decay") && message.contains("margin"));
        assert!(!message.contains('\n') && !message.contains("lookahead,"));
        // Where some run reads it, it counts.
        e.set_environments(["point-maze", "gridworld-1"]).unwrap();
        let fresh = tempfile::tempdir().unwrap();
        Sweep::open(&e, fresh.path()).unwrap();
    }
}

#[test]
fn keys_that_repeat_a_sweep_tell_domains_apart_only_where_they_differ() {
    let chosen = |set: &[(&str, &str)]| {
        let folder = tempfile::tempdir().unwrap();
        let mut e = experiment();
        e.set_environments(["point-maze", "gridworld-1"]).unwrap();
        e.set_strategies(["pcse"]).unwrap();
        e.set_seeds(vec![1]).unwrap();
        e.set("iterations", "1").unwrap();
        for (key, value) in set {
            e.set(key, value).unwrap();
        }
        let sweep = Sweep::open(&e, folder.path()).unwrap();
        sweep.run(&Silent, &AtomicBool::new(false)).unwrap();
        let manifest = Results::read(folder.path()).unwrap().manifest;
        let mut keys = manifest.chosen.parameters;
        keys.remove("iterations").unwrap();
        let text = |(key, value): (String, hedgerow::param::Value)| format!("{key}={value}");
        keys.into_iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(chosen(&[("delta", "0.2")]), ["delta=0.2"]);
    assert_eq!(chosen(&[("finite.delta", "0.2")]), ["finite.delta=0.2"]);
    assert_eq!(
        chosen(&[("delta", "0.2"), ("finite.delta", "0.3")]),
        ["continuous.delta=0.2", "finite.delta=0.3"]
    );
    assert_eq!(
        chosen(&[("pcse.lookahead", "2"), ("pcse.decay", "0.4")]),
        ["pcse.decay=0.4", "pcse.lookahead=2"]
    );
}

#[test]
fn a_range_counts_where_some_run_reads_the_parameter() {
    let folder = tempfile::tempdir().unwrap();
    let mut e = experiment();
    // More than continuous worlds take, and fine in finite ones.
    e.set("ucb.scale", "2000000").unwrap();
    Sweep::open(&e, folder.path()).unwrap();
    e.set_environments(["point-maze"]).unwrap();
    let message = Sweep::open(&e, folder.path()).unwrap_err().to_string();
    assert!(
        message.starts_with("ucb.scale: `2000000` is not allowed"),
        "{message}"
    );
}

#[test]
fn strategies_for_finite_worlds_only_are_refused_by_name_and_left_out_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let mut e = experiment();
    e.set_environments(["point-maze"]).unwrap();
    let sweep = Sweep::open(&e, folder.path()).unwrap();
    assert_eq!(sweep.runs(), STRATEGIES.len() * 5);
    drop(sweep);
    e.set_strategies(["pcse", "uniform-generative"]).unwrap();
    let message = Sweep::open(&e, folder.path()).unwrap_err().to_string();
    assert!(
        message.contains("`uniform-generative` cannot be run"),
        "{message}"
    );
}

#[test]
fn a_variant_may_have_a_parameter_that_another_domain_has_as_a_number() {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let e = experiment()
        .reading(&experiments.join("ablation.toml"))
        .unwrap();
    let own = |name| e.strategy_parameters("finite", name).unwrap().values();
    assert_eq!(own("undecided-bound").word("bonus"), "bound");
    assert_eq!(own("undecided").word("bonus"), "width");
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::open(&e, folder.path()).unwrap();
    assert_eq!(sweep.runs(), 4 * 29 * 100);
}

#[test]
fn the_experiments_with_mazes_are_ready_to_run() {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    for name in ["point-maze", "point-maze-two"] {
        let path = experiments.join(format!("{name}.toml"));
        let e = experiment().reading(&path).unwrap();
        assert_eq!(e.environments(), [name]);
        let all: Vec<String> = names().map(str::to_owned).collect();
        assert_eq!(e.strategies(), Some(&all[..]));
        assert!(e.seeds().len() >= 5);
    }
}

/// The expert's value at the start, fitted from whatever a strategy gathered, is the true one.
#[test]
fn the_fitted_value_at_the_start_is_within_a_tenth_of_the_truth_for_every_strategy() {
    for follow in ["on", "off"] {
        for name in names() {
            let set = [("iterations", "40"), ("follow-expert", follow)];
            let record = run(name, &set, 21);
            let summary: MazeSummary = record.payload.read().unwrap();
            let (fitted, truth) = summary.value_at_start.unwrap();
            let fitted = fitted.unwrap();
            assert!(
                (fitted - truth).abs() <= 0.1 * truth,
                "{name} {follow}: {fitted} {truth}"
            );
        }
    }
}

#[test]
fn bear_plans_for_a_larger_bonus_and_goes_to_goals() {
    let set = [("iterations", "60"), ("follow-expert", "off")];
    let record = run("bear", &set, 22);
    let summary: MazeSummary = record.payload.read().unwrap();
    assert!(summary.objectives.len() > 10);
    // What was planned is never worse than the plan before, and on the whole better.
    let (mut before, mut after) = (0.0, 0.0);
    for (old, new) in &summary.objectives {
        assert!(new >= &(old - 1e-3), "{old} {new}");
        before += old;
        after += new;
    }
    assert!(after > 1.01 * before, "{before} {after}");
    // Episodes that avoid the goal take all of their 100 decisions.
    let last = record.rows.last().unwrap().samples - record.rows[30].samples;
    assert!(last < 30 * 97, "{last}");
}

/// Scores that hide wrong answers: a goal cell that is charged more than the true cell changes neither
/// WGIoU nor the agent, and an agent that earns nothing costs nothing.
#[test]
fn charges_on_free_cells_are_seen_and_are_not_at_the_experts_level() {
    let maze = WORLD.maze();
    let map = maze.map();
    let (row, column) = maze.constraint_cells()[0];
    let [x, y] = maze.goals()[0];
    let goal = map.index_at([x, y]).unwrap();
    let mut cost = vec![0.0; map.rows() * map.columns()];
    cost[map.index(row, column)] = 0.0025;
    let evaluator = WORLD.evaluator();
    assert_eq!(evaluator.overcharged(&cost), 0.0);
    cost[goal] = 0.034;
    let share = evaluator.overcharged(&cost);
    assert!((share - 0.034 / 0.0365).abs() < 1e-12, "{share}");
    assert!(!evaluator.at_expert_level(0.0, 0.0));
    let same = evaluator.agent(&cost).unwrap().stats.reward;
    assert!(same > 0.3, "the agent alone does not show it: {same}");
}
