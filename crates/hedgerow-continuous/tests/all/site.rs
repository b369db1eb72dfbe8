//! Mazes as environments of a sweep: one suite for every strategy.

use hedgerow::explore::find;
use hedgerow::param::Parameters;
use hedgerow::run::{Record, Row, Settings, Stop};
use hedgerow::sweep::{Experiment, Order, Results, Silent, Site, Sweep};
use hedgerow::verdict::Verdict;
use hedgerow_continuous::expert::shipped;
use hedgerow_continuous::explore::NAMES;
use hedgerow_continuous::maze::builtin;
use hedgerow_continuous::site::{MazeSite, PARAMETERS, experiment, open};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

static SITE: LazyLock<MazeSite> = LazyLock::new(|| site("point-maze"));

fn site(name: &str) -> MazeSite {
    let maze = builtin::maze(name).unwrap();
    let expert = shipped(&maze, true).unwrap();
    MazeSite::new(maze, expert).unwrap()
}

fn run_in(
    site: &MazeSite,
    strategy: &str,
    settings: &Settings,
    set: &[(&str, &str)],
    seed: u64,
    watch: &mut dyn FnMut(&Row) -> bool,
) -> Record {
    let entry = find(strategy).unwrap();
    let parameters = Parameters::defaults(entry.parameters);
    let mut table = Parameters::defaults(PARAMETERS);
    for (key, value) in set {
        table.set(key, value).unwrap();
    }
    let order = Order {
        strategy: entry,
        parameters: &parameters,
        table: Some(&table),
        settings,
        seed,
    };
    site.run(&order, watch).unwrap()
}

fn run(strategy: &str, settings: &Settings, seed: u64) -> Record {
    run_in(&SITE, strategy, settings, &[], seed, &mut |_| true)
}

fn iterations(iterations: usize) -> Settings {
    Settings {
        iterations,
        ..Settings::default()
    }
}

#[test]
fn every_strategy_keeps_the_contract_of_a_run() {
    for name in NAMES {
        let record = run(name, &iterations(6), 11);
        assert_eq!(record.stop, Stop::Iterations, "{name}");
        assert_eq!(record.rows.len(), 7, "{name}");
        let first = record.rows[0];
        assert_eq!(
            (first.samples, first.constrained, first.unseen),
            (0, 0, 64),
            "{name}"
        );
        for (before, after) in record.rows.iter().zip(&record.rows[1..]) {
            // One episode: at least the shortest way, at most 100 decisions.
            let gathered = after.samples - before.samples;
            assert!((7..=100).contains(&gathered), "{name}: {gathered}");
            assert!(after.unseen <= before.unseen, "{name}");
            assert!(
                after.reward > 0.0 && after.reward < 1.0 && after.cost >= 0.0,
                "{name}"
            );
        }
        let moments: Vec<usize> = record.snapshots.iter().map(|s| s.iteration).collect();
        assert_eq!(moments, [0, 1, 2, 5, 6], "{name}");
        let survey = record.survey.as_ref().unwrap();
        let all: f64 = survey.density.iter().sum();
        assert!((all - 1.0).abs() < 0.01, "{name}: {all}");
        assert_eq!(survey.findings.len(), 8, "{name}");
        let again = run(name, &iterations(6), 11);
        assert_eq!(record, again, "{name}");
        let other = run(name, &iterations(6), 12);
        assert_ne!(record.rows, other.rows, "{name}");
    }
}

#[test]
fn runs_stop_on_samples_exactly_and_when_asked_to() {
    let settings = Settings {
        samples: Some(123),
        ..Settings::default()
    };
    let record = run("random", &settings, 1);
    assert_eq!(record.stop, Stop::Samples);
    assert_eq!(record.rows.last().unwrap().samples, 123);
    let mut watch = |row: &Row| row.iteration < 2;
    let record = run_in(&SITE, "pcse", &iterations(50), &[], 1, &mut watch);
    assert_eq!(record.stop, Stop::Interrupted);
    assert_eq!(record.rows.len(), 3);
}

/// Share of the weight of the points in a constraint cell or within a ball's radius of one.
fn share_near(site: &MazeSite, points: &[[f64; 3]]) -> f64 {
    let maze = site.maze();
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
        let record = run(name, &iterations(200), 3);
        let last = record.rows.last().unwrap();
        let points = &record.snapshots.last().unwrap().points;
        let share = share_near(&SITE, points);
        assert!(
            points.len() >= 3 && share >= 0.9,
            "{name}: {share} of {}",
            points.len()
        );
        assert_eq!(last.wgiou, Some(1.0), "{name}");
        assert!(
            last.cost <= 0.01 && last.reward >= 0.9 * record.expert_reward,
            "{name}"
        );
        assert!(record.rows[0].cost > 1.0, "{name}");
        assert!(
            record.samples_to_expert.is_some_and(|s| s < last.samples),
            "{name}"
        );
        // Rows from the bottom: start, constraint cell and goal are the first cells of theirs.
        let survey = record.survey.as_ref().unwrap();
        let constrained: Vec<u32> = survey
            .findings
            .iter()
            .filter(|f| f.verdict == Verdict::Constrained)
            .map(|f| f.state)
            .collect();
        assert_eq!(constrained, [3], "{name}");
    }
}

#[test]
fn the_tiled_density_works_as_well() {
    let tiled = [("density", "tiled")];
    let record = run_in(&SITE, "max-entropy", &iterations(5), &tiled, 2, &mut |_| {
        true
    });
    let smooth = run("max-entropy", &iterations(5), 2);
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
    let message = open(path.to_str().unwrap()).unwrap_err().to_string();
    assert!(message.contains("hedgerow maze train"), "{message}");
    assert!(open("gridworld-1").unwrap().is_none());
    assert!(open("nothing.toml").unwrap().is_none());
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
        e.set("maze.margin", "0.15").unwrap();
        e
    };
    let sweep = |e: Experiment| {
        let sweep = Sweep::open_with(e, folder.path(), false, &|s: &str| {
            Ok((s == "point-maze").then(|| Arc::new(site(s)) as Arc<dyn Site>))
        });
        sweep.unwrap()
    };
    let go = AtomicBool::new(false);
    sweep(asked(vec![1])).run(&Silent, &go).unwrap();
    let more = sweep(asked(vec![1, 2]));
    assert_eq!((more.saved(), more.runs()), (2, 4));
    more.run(&Silent, &go).unwrap();
    let results = Results::read(folder.path()).unwrap();
    assert_eq!((results.runs.len(), results.problems.len()), (4, 0));
    assert_eq!(results.configuration.tables["maze"]["margin"], 0.15);
    assert_eq!(results.configuration.tables["maze"].len(), 1);
    let file = &results.environments[0];
    let plane = file.plane.as_ref().unwrap();
    assert_eq!(plane.constraints, [[-1.0, 0.0]]);
    assert_eq!(file.true_cells, [(3, 1.0)]);
    assert!(results.runs.iter().all(|r| r.survey.is_some()));
    // Other parameters are another experiment.
    let mut other = asked(vec![1, 2]);
    other.set("maze.margin", "0.2").unwrap();
    let refused = Sweep::open_with(other, folder.path(), false, &|s: &str| open(s));
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("maze.margin was 0.15, now 0.2"),
        "{message}"
    );
}

#[test]
fn strategies_for_finite_worlds_only_are_refused_by_name_and_left_out_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let mut e = experiment();
    e.set_environments(["point-maze"]).unwrap();
    let opener = |s: &str| open(s);
    let sweep = Sweep::open_with(e.clone(), folder.path(), false, &opener).unwrap();
    assert_eq!(sweep.runs(), NAMES.len() * 5);
    e.set_strategies(["pcse", "uniform-generative"]).unwrap();
    let message = Sweep::open_with(e, folder.path(), false, &opener)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("`uniform-generative` cannot be run"),
        "{message}"
    );
}

#[test]
fn the_experiments_with_mazes_are_ready_to_run() {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    for name in ["point-maze", "point-maze-two"] {
        let path = experiments.join(format!("{name}.toml"));
        let e = experiment().reading(&path).unwrap();
        assert_eq!(e.environments(), [name]);
        assert_eq!(e.strategies(), NAMES);
        assert!(e.seeds().len() >= 5);
        e.run_settings().unwrap();
    }
}
