//! Drawn maps: to and from the editor, and the race on them.

use hedgerow::env::builtin;
use hedgerow::explore;
use hedgerow::finite::{RunOptions, run};
use hedgerow_web::race;
use hedgerow_web::world::Drawn;
use serde_json::{Value, json};
use std::ops::ControlFlow;

#[test]
fn a_map_goes_to_the_editor_and_back_unchanged() {
    for name in builtin::names() {
        let grid = builtin::grid(&name).unwrap();
        let drawn = Drawn::read(&grid.to_toml(), "copy.toml").unwrap();
        let text = serde_json::to_string(&drawn).unwrap();
        let back: Drawn = serde_json::from_str(&text).unwrap();
        assert_eq!(back, drawn);
        let said = serde_json::to_value(back.describe().unwrap()).unwrap();
        assert_eq!(said["toml"], json!(grid.to_toml()));
        assert_eq!(said["environment"]["name"], json!(name));
    }
}

#[test]
fn what_is_shown_of_a_map_is_what_the_engine_knows() {
    let drawn = Drawn::read(
        "gamma = 0.9\nslip = 0.0\nmap = '''\n. . G\nS x .\n'''",
        "a.toml",
    );
    let said: Value = serde_json::to_value(drawn.unwrap().describe().unwrap()).unwrap();
    let env = &said["environment"];
    assert_eq!(env["grid"]["map"], json!(["..G", "Sx."]));
    assert_eq!(env["true_cells"].as_array().unwrap().len(), 1);
    // Up-right, right, and the goal pays: 0.9^2.
    assert_eq!(env["expert_reward"], json!(0.81));
    // Cells are counted from the lower left, the terminal state comes last.
    assert!(
        said["expert_steps"]
            .as_array()
            .unwrap()
            .contains(&json!([0, 4]))
    );
}

#[test]
fn a_guess_is_scored_by_the_cells_it_shares_with_the_rule() {
    let drawn = Drawn::read("map = '''\nxx..G\nS....\n'''", "a.toml").unwrap();
    assert_eq!(drawn.score(&[[1, 0], [1, 1]]).unwrap(), 1.0);
    assert_eq!(drawn.score(&[[1, 1], [0, 1]]).unwrap(), 1.0 / 3.0);
    assert_eq!(drawn.score(&[[0, 3]]).unwrap(), 0.0);
    // Nobody can guess a cell that is not there.
    assert_eq!(drawn.score(&[[1, 0], [1, 1], [9, 9]]).unwrap(), 1.0);
}

#[test]
fn a_race_is_the_run_of_the_library_iteration_by_iteration() {
    let environment = builtin::environment("gridworld-3").unwrap();
    for name in ["pcse", "uniform-generative"] {
        let mut options = RunOptions {
            seed: 11,
            ..RunOptions::default()
        };
        options.run.iterations = 12;
        let mut strategy = explore::find(name).unwrap().with_defaults();
        let expected = run(&environment, strategy.as_mut(), &options).unwrap();
        let mut frames = Vec::new();
        let summary = race::run(&environment, name, 11, 12, &mut |frame| {
            frames.push((frame.row, frame.cells.clone(), frame.walk.len()));
            assert_eq!(
                frame.seen.iter().map(|&n| u64::from(n)).sum::<u64>(),
                frame.row.samples
            );
            ControlFlow::Continue(())
        });
        assert_eq!(summary.unwrap(), expected.summary);
        let rows: Vec<_> = frames.iter().map(|f| f.0).collect();
        assert_eq!(rows, expected.rows);
        for shot in &expected.snapshots {
            assert_eq!(frames[shot.iteration].1, shot.cells);
        }
        // Only who acts from the start walks.
        assert_eq!(frames[0].2, 0);
        assert_eq!(frames[5].2 > 0, name == "pcse");
    }
}

#[test]
fn a_race_ends_when_it_is_told_to() {
    let environment = builtin::environment("gridworld-3").unwrap();
    let mut seen = 0;
    let summary = race::run(&environment, "random", 0, 100, &mut |_| {
        seen += 1;
        match seen {
            4 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    assert_eq!(summary.unwrap().last.iteration, 3);
    let unknown = race::run(
        &environment,
        "pcs",
        0,
        1,
        &mut |_| ControlFlow::Continue(()),
    );
    assert!(unknown.unwrap_err().to_string().contains("pcse"));
}
