//! Maps that are too large to be drawn cell by cell.

use crate::common;
use crate::common::layout::{check_layout, texts, tree};
use hedgerow::constraint::Constraint;
use hedgerow::finite::FiniteMoment;
use hedgerow::io::open;
use hedgerow::results::Results;
use hedgerow::run::Payload;
use hedgerow::verdict::Scope;
use hedgerow_report::figure::{self, Figure};
use hedgerow_report::{Reports, constraint, page};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const STANDS: &str = "stands for 2 x 2 cells";

/// 20 rows of 130 columns: the start at the lower left, a goal ten cells above it, and a constraint
/// between them.
fn wide(folder: &Path) -> PathBuf {
    let mut rows = vec![vec!["."; 130]; 20];
    rows[19][0] = "S";
    rows[9][0] = "G";
    for cell in &mut rows[14][..4] {
        *cell = "x";
    }
    let lines: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
    let map = lines.join("\n");
    let path = folder.join("wide.toml");
    let text = format!("gamma = 0.9\nhorizon = 40\nmap = \"\"\"\n{map}\n\"\"\"\n");
    std::fs::write(&path, text).unwrap();
    path
}

fn results(folder: &Path) -> Results {
    let map = wide(folder);
    let envs = [map.to_str().unwrap(), "gridworld-3"];
    common::results(&folder.join("out"), &envs, &["pcse"], &[1], 4)
}

fn figures(results: &Results) -> Vec<Figure> {
    figure::all(results, &Reports::default()).unwrap()
}

fn data(results: &Results) -> Value {
    let text = page::data(results, &Reports::default(), None).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn words(figure: &Figure) -> Vec<String> {
    let mut found = Vec::new();
    texts(tree(figure).root(), &mut found);
    found.into_iter().map(|(words, _)| words).collect()
}

#[test]
fn a_map_of_130_columns_is_drawn_as_squares_of_four_cells() {
    let folder = tempfile::tempdir().unwrap();
    let figures = figures(&results(folder.path()));
    for name in [
        "environments",
        "constraint-learning-wide",
        "trajectories-wide",
    ] {
        let figure = figures.iter().find(|f| f.name == name).unwrap();
        check_layout(figure);
        assert!(figure.caption.contains(STANDS), "{}", figure.caption);
        assert!(words(figure).join(" ").contains(STANDS), "{name}");
    }
    // Columns are those of the world: there are 65 squares and 130 columns.
    let environments = figures.iter().find(|f| f.name == "environments").unwrap();
    assert!(words(environments).contains(&"100".to_owned()));
    let small = figures
        .iter()
        .find(|f| f.name == "trajectories-gridworld-3");
    assert!(!small.unwrap().caption.contains("stands for"));
}

#[test]
fn the_page_has_squares_and_says_where_the_verdicts_are() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = results(folder.path());
    let run = &mut results.runs[0].result;
    // Columns 0 to 3 of row 0, which is two squares.
    let last = run.snapshots.last_mut().unwrap();
    last.cells = vec![(0, 0.25), (1, 0.5), (2, 0.125)];
    let data = data(&results);
    let (large, small) = (&data["environments"][0], &data["environments"][1]);
    assert_eq!(
        (&large["name"], &small["name"]),
        (&json!("wide"), &json!("gridworld-3"))
    );
    assert_eq!(
        (&large["per_square"], &large["too_large"]),
        (&json!(2), &json!(true))
    );
    assert_eq!(
        (small.get("per_square"), small.get("too_large")),
        (None, None)
    );
    assert_eq!(
        (&large["grid"]["rows"], &large["grid"]["columns"]),
        (&json!(10), &json!(65))
    );
    // The constraint is in row 5, columns 0 to 3: row 2 of the squares.
    assert_eq!(large["true_cells"], json!([[130, 1], [131, 1]]));
    assert_eq!(large["goals"], json!([["G", 1]]));
    let (first, other) = (&data["runs"][0], &data["runs"][1]);
    let shots = first["snapshots"].as_array().unwrap();
    assert_eq!(
        shots.last().unwrap()["cells"],
        json!([[0, 0.5], [1, 0.125]])
    );
    assert!(first["verdicts"].is_null() && other["verdicts"].is_string());
    // They are not missing for want of room.
    assert_eq!(data["left_out"]["verdicts"], 0);
    let notes = figure::notes(&results, &Reports::default());
    assert!(
        notes
            .iter()
            .any(|n| n.starts_with("wide: ") && n.contains(STANDS)),
        "{notes:?}"
    );
}

#[test]
fn trajectories_lead_from_square_to_square() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = results(folder.path());
    // To the right along the lowest row, within the first square and into the second one.
    let steps = |results: &mut Results, trajectory: Vec<u32>| {
        for snapshot in &mut results.runs[0].result.snapshots {
            let kept = FiniteMoment {
                trajectory: trajectory.clone(),
            };
            snapshot.payload = Some(Payload::new(&kept).unwrap());
        }
        let figures = figures(results);
        figures
            .into_iter()
            .find(|f| f.name == "trajectories-wide")
            .unwrap()
            .svg
    };
    let slow = steps(&mut results, vec![0, 1, 130, 131, 2, 3]);
    assert_eq!(slow, steps(&mut results, vec![0, 2]));
    assert_ne!(slow, steps(&mut results, vec![0, 1]));
}

#[test]
fn a_saved_constraint_is_drawn_as_squares_too() {
    let folder = tempfile::tempdir().unwrap();
    let world = open(wide(folder.path()).to_str().unwrap()).unwrap();
    let found = Constraint::exact(&world, Scope::All).unwrap();
    let figure = constraint::figure(&found).unwrap();
    let words = words(&figure);
    assert!(words.join(" ").contains(STANDS), "{words:?}");
    assert!(
        ["S", "G", "0", "100"]
            .iter()
            .all(|w| words.contains(&(*w).to_owned())),
        "{words:?}"
    );
    assert!(constraint::html(&found).contains(STANDS));
}
