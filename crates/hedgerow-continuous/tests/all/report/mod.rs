//! Reports on mazes.

mod general;
#[path = "../../../../hedgerow-report/tests/all/common/layout.rs"]
mod layout;
pub mod ring;

use hedgerow::results::{Results, SavedRun};
use hedgerow::run::{Payload, Snapshot};
use hedgerow::verdict::Verdict;
use hedgerow_continuous::payload::{MazeGeometry, MazeSummary, Points};
use hedgerow_continuous::report::MazeReport;
use hedgerow_report::figure::{self, Figure};
use hedgerow_report::verdicts::RunVerdicts;
use hedgerow_report::{Reports, page, theme};
use layout::{check_layout, texts, tree};
use serde_json::Value;
use std::path::Path;

const STRATEGIES: [&str; 3] = ["pcse", "random", "undecided"];

fn reports() -> Reports {
    Reports::default().with(MazeReport)
}

fn drawn(results: &Results) -> Vec<Figure> {
    figure::all(results, &reports()).unwrap()
}

fn points(snapshot: &Snapshot) -> Vec<[f64; 3]> {
    let payload = snapshot.payload.as_ref().unwrap();
    payload.read::<Points>().unwrap().points
}

fn with_points(snapshot: &mut Snapshot, points: Vec<[f64; 3]>) {
    snapshot.payload = Some(Payload::new(&Points { points }).unwrap());
}

fn summary(run: &SavedRun) -> MazeSummary {
    run.result.payload.read().unwrap()
}

/// Changes what the files keep of a run.
fn change_summary(run: &mut SavedRun, change: impl FnOnce(&mut MazeSummary)) {
    let mut summary = summary(run);
    change(&mut summary);
    run.result.payload = Payload::new(&summary).unwrap();
}

/// Changes what the files keep of the maze.
fn change_geometry(results: &mut Results, change: impl FnOnce(&mut MazeGeometry)) {
    let mut geometry = ring::geometry();
    change(&mut geometry);
    results.environments[0].geometry = Some(Payload::new(&geometry).unwrap());
}

fn sweep(folder: &Path) -> Results {
    ring::results(folder, &STRATEGIES, &[1, 2, 3])
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
    let figures = drawn(&results);
    let names: Vec<&str> = figures.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "environments",
            "training-curves",
            "training-curves-iterations",
            "running-scores",
            "constraint-learning-ring",
            "maze-ring",
            "maze-maps-ring",
            "sample-efficiency",
            "accuracy"
        ]
    );
    figures.iter().for_each(check_layout);
    assert_eq!(figure::notes(&results, &reports()), [] as [String; 0]);
    let curves = words(named(&figures, "training-curves")).join(" ");
    assert!(
        curves.contains("In ring a sample is a decision"),
        "{curves}"
    );
    // The same again, byte for byte.
    let again = drawn(&Results::read(folder.path()).unwrap());
    assert_eq!(again, figures);
}

#[test]
fn six_moments_show_all_points_of_all_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path());
    let figures = drawn(&results);
    let maze = named(&figures, "maze-ring");
    let texts = words(maze);
    for strategy in ["pcse", "undecided"] {
        let runs: Vec<_> = results.runs_of("ring", strategy).collect();
        let mut expected = 0;
        for moment in [1, 5, 10, 50, 100, 150] {
            let shots = runs.iter().flat_map(|r| &r.result.snapshots);
            let shots = shots.filter(|s| s.iteration == moment);
            expected += shots.map(|s| points(s).len()).sum::<usize>();
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
    let mut results = ring::results(folder.path(), &["random"], &[4]);
    // In the cell, within a ball's radius of it, and just beyond: 3 + 1 of 5.
    let points = vec![[-1.0, 0.0, 3.0], [-0.41, 0.0, 1.0], [-0.39, 0.0, 1.0]];
    let shots = &mut results.runs[0].result.snapshots;
    shots.iter_mut().for_each(|s| s.payload = None);
    with_points(shots.last_mut().unwrap(), points);
    let figures = drawn(&results);
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
    let mut results = ring::results(folder.path(), &["ucb"], &[4, 5]);
    change_geometry(&mut results, |maze| {
        maze.constraints.clear();
        maze.paths.clear();
    });
    for run in &mut results.runs {
        run.result.payload = Payload::empty();
    }
    let figures = drawn(&results);
    assert!(figures.iter().all(|f| !f.name.starts_with("maze-maps")));
    let maze = named(&figures, "maze-ring");
    check_layout(maze);
    let texts = words(maze).join("; ");
    assert!(!texts.contains("at the constraint;") && !texts.contains("trajectories of the expert"));
    // Nothing was kept, so there is nothing to say of cells.
    let found = reports().verdicts(&results.environments[0], &results.runs[0]);
    assert!(found.is_err());
    let page = data(&results);
    assert!(page["runs"][0]["verdicts"].is_null() && page["runs"][0]["extra"].is_string());
    assert_eq!(page["problems"][0]["file"], "runs/ring/ucb/4.json");
    // Sizes that do not fit are no reason to fail.
    let mut results = ring::results(folder.path(), &["ucb"], &[4]);
    change_summary(&mut results.runs[0], |s| s.columns = usize::MAX);
    assert!(
        drawn(&results)
            .iter()
            .all(|f| !f.name.starts_with("maze-maps"))
    );
    change_geometry(&mut results, |maze| maze.cell = 0.0);
    assert!(drawn(&results).iter().all(|f| !f.name.starts_with("maze-")));
    page::html(&results, &reports(), None).unwrap();
    assert!(data(&results)["environments"][0]["extra"].is_null());
}

#[test]
fn maps_show_every_tile_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = ring::results(folder.path(), &["pcse"], &[4]);
    change_summary(&mut results.runs[0], |s| {
        s.value = vec![None; 2500];
        s.density = vec![0.0; 2500];
        // A row of three alike, one apart; one tile in which samples lie but no value is known.
        for (tile, value) in [(510, 0.5), (511, 0.5), (512, 0.5), (1510, 0.75)] {
            s.value[tile] = Some(value);
            s.density[tile] = 0.2;
        }
        s.density[1511] = 0.02;
    });
    let figures = drawn(&results);
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

fn estimates(results: &Results, strategy: &str) -> RunVerdicts {
    let run = results.runs_of("ring", strategy).next().unwrap();
    let found = reports().verdicts(&results.environments[0], run);
    found.unwrap().unwrap()
}

fn data(results: &Results) -> Value {
    serde_json::from_str(&page::data(results, &reports(), None).unwrap()).unwrap()
}

#[test]
fn cells_are_explained_by_what_was_tried_and_nothing_is_promised() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path());
    let found = estimates(&results, "pcse");
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
        assert_eq!(cell.truth, Some(cell.state.0 == ring::CONSTRAINT));
        assert!(cell.moves.is_empty() && cell.witness.is_none());
    }
    let cell = cells[ring::CONSTRAINT as usize];
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
    assert!(cells[7].extra.is_none() && cell.extra.is_some());
}

#[test]
fn the_page_has_the_points_and_maps_of_every_run() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path());
    let data = data(&results);
    let environment = &data["environments"][0];
    assert_eq!(environment["extra"]["goal_radius"], 0.45);
    assert_eq!(environment["extra"]["paths"].as_array().unwrap().len(), 3);
    assert_eq!(data["left_out"]["extras"], 0);
    for (run, saved) in data["runs"].as_array().unwrap().iter().zip(&results.runs) {
        let known = unpacked(run["extra"].as_str().unwrap());
        let shots = known["points"].as_array().unwrap();
        assert_eq!(shots.len(), saved.result.snapshots.len());
        for (shown, shot) in shots.iter().zip(&saved.result.snapshots) {
            let shown = shown.as_array().unwrap();
            let all = points(shot);
            assert_eq!(shown.len(), all.len().min(250));
            let weight = |p: &Value| p[2].as_f64().unwrap();
            let whole: f64 = all.iter().map(|p| p[2]).sum();
            assert!((shown.iter().map(weight).sum::<f64>() - whole).abs() <= 0.02 * whole);
        }
        let summary = summary(saved);
        let seen = |name: &str| {
            let tiles = known["maps"][name].as_array().unwrap();
            assert_eq!(tiles.len(), 2500);
            tiles.iter().filter(|t| !t.is_null()).count()
        };
        assert_eq!(seen("value"), summary.value.iter().flatten().count());
        assert_eq!(
            seen("density"),
            summary.density.iter().filter(|d| **d > 0.0).count()
        );
    }
}

#[test]
fn the_part_of_the_page_loads_nothing_and_cannot_make_markup() {
    use hedgerow_report::domain::DomainReport;
    let parts = MazeReport.page();
    for word in [
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "</",
        "<!--",
        "http:",
        "https:",
        "url(",
        "@import",
        "src=",
    ] {
        assert!(!parts.script.contains(word), "{word}");
        assert!(!parts.style.contains(word), "{word}");
    }
    let folder = tempfile::tempdir().unwrap();
    let results = ring::results(folder.path(), &["random"], &[1]);
    let html = page::html(&results, &reports(), None).unwrap();
    assert!(html.contains(parts.script) && html.contains(parts.style));
}

/// The content of a blob.
fn unpacked(blob: &str) -> Value {
    use base64::Engine;
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(blob)
        .unwrap();
    serde_json::from_reader(flate2::read::GzDecoder::new(&bytes[..])).unwrap()
}
