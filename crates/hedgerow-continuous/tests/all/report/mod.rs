//! Reports on mazes.

use crate::common::layout;
use crate::common::maze;

use hedgerow::sweep::Results;
use hedgerow::verdict::Verdict;
use hedgerow_report::figure::{self, Figure};
use hedgerow_report::verdicts::{RunVerdicts, verdicts};
use hedgerow_report::{page, theme};
use layout::{check_layout, texts, tree};
use serde_json::Value;
use std::path::Path;

const STRATEGIES: [&str; 3] = ["pcse", "random", "undecided"];

fn sweep(folder: &Path) -> Results {
    maze::results(folder, &STRATEGIES, &[1, 2, 3])
}

fn named<'a>(figures: &'a [Figure], name: &str) -> &'a Figure {
    figures.iter().find(|f| f.name == name).unwrap()
}

fn words(figure: &Figure) -> Vec<String> {
    let mut found = Vec::new();
    texts(tree(figure).root(), &mut found);
    found.into_iter().map(|(t, _)| t).collect()
}

/// How often `fill` is the colour of a circle.
fn circles(figure: &Figure, fill: &str) -> usize {
    let circles = figure.svg.lines().filter(|l| l.starts_with("<circle"));
    circles.filter(|l| l.contains(fill)).count()
}

#[test]
fn every_figure_of_a_maze_is_drawn_and_every_text_has_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path());
    let figures = figure::all(&results).unwrap();
    let names: Vec<&str> = figures.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "environments",
            "training-curves",
            "training-curves-iterations",
            "constraint-learning-ring",
            "maze-ring",
            "maze-maps-ring",
            "sample-efficiency",
            "accuracy"
        ]
    );
    figures.iter().for_each(check_layout);
    assert_eq!(figure::notes(&results), [] as [String; 0]);
    let curves = words(named(&figures, "training-curves")).join(" ");
    assert!(
        curves.contains("In ring a sample is a decision"),
        "{curves}"
    );
    // The same again, byte for byte.
    let again = figure::all(&Results::read(folder.path()).unwrap()).unwrap();
    assert_eq!(again, figures);
}

#[test]
fn six_moments_show_all_points_of_all_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path());
    let figures = figure::all(&results).unwrap();
    let maze = named(&figures, "maze-ring");
    let texts = words(maze);
    for strategy in ["pcse", "undecided"] {
        let runs: Vec<_> = results.runs_of("ring", strategy).collect();
        let mut expected = 0;
        for moment in [1, 5, 10, 50, 100, 150] {
            let shots = runs.iter().flat_map(|r| &r.snapshots);
            let shots = shots.filter(|s| s.iteration == moment);
            expected += shots.map(|s| s.points.len()).sum::<usize>();
        }
        // One more in the legend.
        assert_eq!(circles(maze, theme::style(strategy).colour), expected + 1);
        assert!(texts.iter().any(|t| t == strategy));
    }
    assert_ne!(
        theme::style("pcse").colour,
        theme::style("undecided").colour
    );
    // Its points are not shown, as those two are there.
    assert!(!texts.iter().any(|t| t == "random"));
    for title in [
        "iteration 1, 57 samples",
        "iteration 150, 8\u{2009}550 samples",
    ] {
        assert_eq!(texts.iter().filter(|t| *t == title).count(), 2, "{title}");
    }
    let share = texts.iter().filter(|t| t.ends_with("% at the constraint"));
    assert_eq!(share.count(), 12);
    assert!(maze.caption.contains("all 3 seeds"), "{}", maze.caption);
}

#[test]
fn the_share_at_the_constraint_is_told_by_weight() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = maze::results(folder.path(), &["random"], &[4]);
    // In the cell, within a ball's radius of it, and just beyond: 3 + 1 of 5.
    let points = vec![[-1.0, 0.0, 3.0], [-0.41, 0.0, 1.0], [-0.39, 0.0, 1.0]];
    let shots = &mut results.runs[0].snapshots;
    shots.iter_mut().for_each(|s| s.points.clear());
    shots.last_mut().unwrap().points = points;
    let figures = figure::all(&results).unwrap();
    let maze = named(&figures, "maze-ring");
    let texts = words(maze);
    assert!(
        texts.iter().any(|t| t == "80\u{a0}% at the constraint"),
        "{texts:?}"
    );
    assert_eq!(texts.iter().filter(|t| *t == "no points yet").count(), 5);
    assert!(maze.caption.contains("seed 4"), "{}", maze.caption);
    figures.iter().for_each(check_layout);
    // Areas are as weights: radii as 1 to the root of 3.
    let radii = maze.svg.lines().filter(|l| l.starts_with("<circle"));
    let radius = |l: &str| -> f64 {
        l.split("r=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    let radii: Vec<f64> = radii.map(radius).take(3).collect();
    assert!((radii[0] / radii[1] - 3_f64.sqrt()).abs() < 0.01 && radii[1] == radii[2]);
}

#[test]
fn what_a_maze_lacks_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = maze::results(folder.path(), &["ucb"], &[4, 5]);
    let plane = results.environments[0].plane.as_mut().unwrap();
    plane.constraints.clear();
    plane.paths.clear();
    for run in &mut results.runs {
        run.survey = None;
    }
    let figures = figure::all(&results).unwrap();
    assert!(figures.iter().all(|f| !f.name.starts_with("maze-maps")));
    let maze = named(&figures, "maze-ring");
    check_layout(maze);
    let texts = words(maze).join("; ");
    assert!(!texts.contains("at the constraint;") && !texts.contains("ways of the expert"));
    // No survey, nothing to say of cells: above all not with the means of finite worlds.
    assert!(verdicts(&results.environments[0], &results.runs[0]).is_err());
    let page: Value = serde_json::from_str(&page::data(&results, None).unwrap()).unwrap();
    assert!(page["runs"][0]["verdicts"].is_null() && page["runs"][0]["plane"].is_string());
    // Sizes that do not fit are no reason to fail.
    let mut results = maze::results(folder.path(), &["ucb"], &[4]);
    results.runs[0].survey.as_mut().unwrap().columns = usize::MAX;
    assert!(
        figure::all(&results)
            .unwrap()
            .iter()
            .all(|f| !f.name.starts_with("maze-maps"))
    );
    results.environments[0].plane.as_mut().unwrap().cell = 0.0;
    assert!(
        figure::all(&results)
            .unwrap()
            .iter()
            .all(|f| !f.name.starts_with("maze-"))
    );
    page::html(&results, None).unwrap();
}

#[test]
fn maps_show_every_tile_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = maze::results(folder.path(), &["pcse"], &[4]);
    let survey = results.runs[0].survey.as_mut().unwrap();
    survey.value = vec![None; 2500];
    survey.density = vec![0.0; 2500];
    // A row of three alike, one apart; one tile in which samples lie but no value is known.
    for (tile, value) in [(510, 0.5), (511, 0.5), (512, 0.5), (1510, 0.75)] {
        survey.value[tile] = Some(value);
        survey.density[tile] = 0.2;
    }
    survey.density[1511] = 0.02;
    let figures = figure::all(&results).unwrap();
    let maps = &named(&figures, "maze-maps-ring").svg;
    let shapes: Vec<&str> = maps
        .lines()
        .filter(|l| l.contains("crispEdges") && l.contains("transform"))
        .collect();
    let data: Vec<&str> = shapes
        .iter()
        .map(|l| l.split('"').nth(1).unwrap())
        .collect();
    // Row 10 of 50 is row 39 from the top.
    assert_eq!(
        data,
        [
            "M10 39h3v1h-3z",
            "M10 19h1v1h-1z",
            "M11 19h1v1h-1z",
            "M10 39h3v1h-3zM10 19h1v1h-1z"
        ]
    );
    let darkest = theme::hex(theme::seen(1.0));
    assert!(shapes[1].contains(&darkest) && shapes[3].contains(&darkest));
    assert!(shapes[0].contains(&theme::hex(theme::seen(0.0))));
    assert!(
        words(named(&figures, "maze-maps-ring"))
            .iter()
            .any(|t| t == "nothing seen")
    );
}

fn judged(results: &Results, strategy: &str) -> RunVerdicts {
    let run = results.runs_of("ring", strategy).next().unwrap();
    verdicts(&results.environments[0], run).unwrap()
}

#[test]
fn cells_are_explained_by_what_was_tried_and_nothing_is_promised() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path());
    let found = judged(&results, "pcse");
    assert_eq!((found.confidence, found.samples), (None, 8550));
    // The state after the end lies nowhere.
    assert!(found.cells[8].is_none());
    let cells: Vec<_> = found.cells.iter().flatten().collect();
    assert_eq!(cells.len(), 8);
    for cell in &cells {
        assert!(
            cell.sure.starts_with("An estimate, nothing is promised"),
            "{}",
            cell.sure
        );
        assert_eq!(cell.truth, Some(cell.state.0 == maze::CONSTRAINT));
        assert!(cell.moves.is_empty() && cell.witness.is_none());
    }
    let cell = cells[maze::CONSTRAINT as usize];
    assert_eq!((cell.verdict, cell.inferred), (Verdict::Constrained, true));
    assert_eq!(
        cell.words,
        "Pushing up at x \u{2212}0.95 m, y \u{2212}1.25 m led there and would have earned 0.230 \
         more discounted reward than pushing right, which the expert chose (uncertainty 0.040). \
         It would pay, and the expert does not do it: the cell looks forbidden."
    );
    assert_eq!(
        cell.sure,
        "An estimate, nothing is promised: 200 samples led into the cell, 31 of them count as \
         constrained."
    );
    assert!(cells[0].words.contains("0.070 less"), "{}", cells[0].words);
    assert!(
        cells[5]
            .words
            .ends_with("only a gain that surely exceeds 0.1 counts."),
        "{}",
        cells[5].words
    );
    assert!(
        cells[7].words.starts_with("No sample that led there"),
        "{}",
        cells[7].words
    );
    assert!(cells[7].tried.is_none());
}

#[test]
fn the_page_has_the_points_and_maps_of_every_run() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path());
    let data: Value = serde_json::from_str(&page::data(&results, None).unwrap()).unwrap();
    let environment = &data["environments"][0];
    assert_eq!(environment["plane"]["goal_radius"], 0.45);
    assert_eq!(environment["plane"]["paths"].as_array().unwrap().len(), 3);
    assert_eq!(data["left_out"]["planes"], 0);
    for (run, saved) in data["runs"].as_array().unwrap().iter().zip(&results.runs) {
        let known = unpacked(run["plane"].as_str().unwrap());
        let points = known["points"].as_array().unwrap();
        assert_eq!(points.len(), saved.snapshots.len());
        for (shown, shot) in points.iter().zip(&saved.snapshots) {
            let shown = shown.as_array().unwrap();
            assert_eq!(shown.len(), shot.points.len().min(250));
            let weight = |p: &Value| p[2].as_f64().unwrap();
            let whole: f64 = shot.points.iter().map(|p| p[2]).sum();
            assert!((shown.iter().map(weight).sum::<f64>() - whole).abs() <= 0.02 * whole);
        }
        let survey = saved.survey.as_ref().unwrap();
        let seen = |name: &str| {
            let tiles = known["maps"][name].as_array().unwrap();
            assert_eq!(tiles.len(), 2500);
            tiles.iter().filter(|t| !t.is_null()).count()
        };
        assert_eq!(seen("value"), survey.value.iter().flatten().count());
        assert_eq!(
            seen("density"),
            survey.density.iter().filter(|d| **d > 0.0).count()
        );
    }
}

/// The content of a blob.
fn unpacked(blob: &str) -> Value {
    use base64::Engine;
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(blob)
        .unwrap();
    serde_json::from_reader(flate2::read::GzDecoder::new(&bytes[..])).unwrap()
}
