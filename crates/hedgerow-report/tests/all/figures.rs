//! Figures from results on disk.

use crate::common;
use crate::common::layout::{check_layout, texts, tree};
use hedgerow::finite::FiniteMoment;
use hedgerow::results::Results;
use hedgerow::run::Payload;
use hedgerow_report::figure::{self, Figure, Format};
use hedgerow_report::{Reports, page, theme};
use std::path::Path;

const MODEL: &str = r#"{
  "format": "hedgerow-model/1", "name": "two-ways",
  "states": ["home", "bridge", "path", "town"], "actions": ["walk", "detour"],
  "gamma": 0.9, "horizon": 20, "start": [["home", 1.0]], "terminal": ["town"],
  "transitions": [["home", "walk", "bridge", 1.0], ["home", "detour", "path", 1.0],
    ["bridge", "walk", "town", 1.0], ["path", "walk", "town", 0.5], ["path", "walk", "path", 0.5]],
  "rewards": [["bridge", "walk", 1.0], ["path", "walk", 0.5]],
  "expert": [["home", "detour", 1.0], ["bridge", "walk", 1.0], ["path", "walk", 1.0]]
}"#;

/// A small sweep on disk; the folder must outlive the results.
fn sweep(folder: &Path, envs: &[&str], strategies: &[&str], seeds: Vec<u64>) -> Results {
    let mut results = common::results(folder, envs, strategies, &seeds, 25);
    // In so few iterations bounds stay at their cap, and what never moves is not drawn.
    let rows = results.runs.iter_mut().flat_map(|r| &mut r.result.rows);
    rows.for_each(|row| row.accuracy /= (row.iteration + 1) as f64);
    results
}

#[test]
fn a_bound_that_never_moves_is_not_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let envs = ["gridworld-3", "gridworld-4"];
    let mut results = sweep(folder.path(), &envs, &["pcse", "random"], vec![1, 2]);
    let still = |results: &mut Results, env: &str| {
        let runs = results.runs.iter_mut().filter(|r| r.id.env == env);
        let rows = runs.flat_map(|r| &mut r.result.rows);
        rows.for_each(|row| row.accuracy = 10.0);
    };
    let shown = |results: &Results| {
        let figures = drawn(results);
        let accuracy = figures.into_iter().find(|f| f.name == "accuracy");
        let titled = |svg: &str| envs.map(|e| svg.contains(&format!(">{e}<")));
        accuracy.map(|f| titled(&f.svg))
    };
    let on_the_page = |results: &Results| {
        let html = page::html(results, &Reports::default(), None).unwrap();
        html.contains("accuracy (error bound)")
    };
    assert_eq!(shown(&results), Some([true, true]));
    still(&mut results, "gridworld-3");
    assert_eq!(shown(&results), Some([false, true]));
    assert!(on_the_page(&results));
    still(&mut results, "gridworld-4");
    assert_eq!(shown(&results), None);
    // Strategies of finite worlds stop on it, so the page keeps its button there.
    assert!(on_the_page(&results));
    let runs = results.runs.iter_mut();
    runs.for_each(|r| r.domain = "pendulum".to_owned());
    assert!(!on_the_page(&results));
}

fn drawn(results: &Results) -> Vec<Figure> {
    figure::all(results, &Reports::default()).unwrap()
}

fn names(figures: &[Figure]) -> Vec<&str> {
    figures.iter().map(|f| f.name.as_str()).collect()
}

#[test]
fn every_figure_is_drawn_and_every_text_has_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let envs = ["gridworld-1", "gridworld-3"];
    let strategies = ["pcse", "random", "uniform-generative", "undecided"];
    let results = sweep(folder.path(), &envs, &strategies, vec![1, 2, 3]);
    let figures = drawn(&results);
    assert_eq!(
        names(&figures),
        [
            "environments",
            "training-curves",
            "training-curves-iterations",
            "running-scores",
            "constraint-learning-gridworld-1",
            "constraint-learning-gridworld-3",
            "trajectories-gridworld-1",
            "trajectories-gridworld-3",
            "sample-efficiency",
            "accuracy"
        ]
    );
    figures.iter().for_each(check_layout);
    let curves = &figures[1].svg;
    for words in [
        "discounted reward",
        "discounted cost",
        "IoU with the truth",
        "WGIoU with the truth",
        "exact inference",
        "samples (transitions)",
        "expert",
        "gridworld-3",
    ] {
        assert_eq!(curves.matches(&format!(">{words}<")).count(), 1, "{words}");
    }
    // One legend: every strategy is named once.
    for strategy in strategies {
        assert_eq!(curves.matches(&format!(">{strategy}<")).count(), 1);
    }
    let of = |name: &str| &figures.iter().find(|f| f.name == name).unwrap().svg;
    let gallery = of("constraint-learning-gridworld-1");
    assert!(gallery.contains("inferred cost (mean over 3 seeds)"));
    let running = of("running-scores");
    for words in [
        "running score: reward",
        "running score: cost",
        "WGIoU with the truth",
        "iterations",
    ] {
        assert_eq!(running.matches(&format!(">{words}<")).count(), 1, "{words}");
    }
    assert!(!running.contains(">IoU with the truth<"));
    assert!(running.contains("0.8 of one sampled episode"));
}

#[test]
fn the_same_results_give_the_same_bytes() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let make =
        |folder: &Path| common::results(folder, &["gridworld-3"], &["pcse", "ucb"], &[4, 5], 25);
    let first = drawn(&make(one.path()));
    assert_eq!(drawn(&Results::read(one.path()).unwrap()), first);
    // Made anew, with another number of threads.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let again = pool.unwrap().install(|| drawn(&make(two.path())));
    assert_eq!(again, first);
    assert_eq!(again[0].png().unwrap(), first[0].png().unwrap());
}

#[test]
fn files_are_svg_in_inches_pdf_in_points_and_png_at_300_dpi() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path(), &["gridworld-3"], &["pcse"], vec![1]);
    let target = folder.path().join("figures");
    let files = figure::write(&results, &Reports::default(), &target, &Format::ALL).unwrap();
    let figures = drawn(&results);
    assert_eq!(files.len(), 3 * figures.len());
    for figure in &figures {
        let svg = std::fs::read_to_string(target.join(format!("{}.svg", figure.name))).unwrap();
        assert!(svg.contains("aria-label=") && !svg.contains("<text"));
        assert!(
            svg.len() < 4 * figure.svg.len().max(20_000),
            "{}",
            svg.len()
        );
        let size = tree(figure).size();
        let pdf = std::fs::read(target.join(format!("{}.pdf", figure.name))).unwrap();
        let words = String::from_utf8_lossy(&pdf);
        let end = words.find("/MediaBox").unwrap();
        let sides: Vec<f32> = words[end..]
            .trim_start_matches("/MediaBox [0 0 ")
            .split([' ', ']'])
            .take(2)
            .map(|x| x.parse().unwrap())
            .collect();
        assert!((sides[0] - size.width()).abs() < 0.01 && (sides[1] - size.height()).abs() < 0.01);
        let file = std::fs::File::open(target.join(format!("{}.png", figure.name))).unwrap();
        let reader = png::Decoder::new(std::io::BufReader::new(file)).read_info();
        let reader = reader.unwrap();
        let info = reader.info();
        let pixels = |points: f32| f64::from(points) / 72.0 * f64::from(figure::DPI);
        assert!((f64::from(info.width) - pixels(size.width())).abs() <= 1.0);
        assert!((f64::from(info.height) - pixels(size.height())).abs() <= 1.0);
        let dots = info.pixel_dims.unwrap();
        assert_eq!(
            (dots.xppu, dots.yppu, dots.unit),
            (11811, 11811, png::Unit::Meter)
        );
    }
    // A folder with figures in it is still read without complaint.
    assert_eq!(Results::read(folder.path()).unwrap().problems, []);
}

#[test]
fn only_the_formats_asked_for_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path(), &["gridworld-3"], &["pcse"], vec![1]);
    let target = folder.path().join("figures");
    let files = figure::write(&results, &Reports::default(), &target, &[Format::Pdf]).unwrap();
    assert!(
        !files.is_empty()
            && files
                .iter()
                .all(|f| f.extension().is_some_and(|e| e == "pdf"))
    );
    assert_eq!(std::fs::read_dir(&target).unwrap().count(), files.len());
}

#[test]
fn goals_of_different_reward_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("two.toml");
    let text =
        "gamma = 0.8\nmap = \"\"\"\nA . . G\n. x x .\nS . . .\n\"\"\"\n[goals]\nG = 1\nA = 0.25\n";
    std::fs::write(&map, text).unwrap();
    let target = folder.path().join("results");
    let results = sweep(&target, &[map.to_str().unwrap()], &["pcse"], vec![1]);
    for figure in drawn(&results) {
        let maps = ["environments", "constraint-", "trajectories-"];
        let of_maps = maps.iter().any(|m| figure.name.starts_with(m));
        assert_eq!(figure.svg.contains(">goal A: reward 0.25<"), of_maps);
        assert_eq!(figure.svg.contains(">goal G: reward 1<"), of_maps);
        check_layout(&figure);
    }
    // On the map and in the legend.
    let maps = &drawn(&results)[0].svg;
    assert_eq!(
        (maps.matches(">A<").count(), maps.matches(">G<").count()),
        (2, 2)
    );
}

#[test]
fn a_report_is_limited_to_what_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let envs = ["gridworld-1", "gridworld-3"];
    let mut results = sweep(folder.path(), &envs, &["pcse", "random"], vec![1]);
    let names = |names: &[&str]| -> Vec<String> { names.iter().map(|n| (*n).to_owned()).collect() };
    let refused = results.limit(&names(&["gridworld-2"]), &[]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "--env: no finished run has `gridworld-2`; use one of gridworld-1, gridworld-3"
    );
    assert_eq!(results.runs.len(), 4);
    results
        .limit(&names(&["gridworld-3"]), &names(&["random"]))
        .unwrap();
    assert_eq!((results.runs.len(), results.planned), (1, 1));
    let figures = drawn(&results);
    for figure in &figures {
        assert!(!figure.svg.contains("gridworld-1") && !figure.svg.contains("pcse"));
    }
    assert!(figures[0].svg.contains("gridworld-3"));
    let page = hedgerow_report::page::data(&results, &Reports::default(), None).unwrap();
    let page: serde_json::Value = serde_json::from_str(&page).unwrap();
    for part in [
        "environments",
        "strategies",
        "summary",
        "curves",
        "runs",
        "answers",
    ] {
        assert_eq!(page[part].as_array().unwrap().len(), 1, "{part}");
    }
    // The whole sweep can still be repeated.
    assert!(
        page["command"]
            .as_str()
            .unwrap()
            .contains("--env gridworld-1,gridworld-3")
    );
}

/// A small sweep whose environment, and one of whose strategies, is called `name`.
fn renamed(folder: &Path, strategy: &str, name: &str) -> Results {
    let strategies = ["pcse", "random"];
    let mut results = sweep(folder, &["gridworld-3"], &strategies, vec![1, 2]);
    let rename = |text: &mut String| *text = name.to_owned();
    let listed = &mut results.manifest.environments[0];
    rename(&mut listed.name);
    rename(&mut results.environments[0].name);
    for listed in &mut listed.strategies {
        if listed == strategy {
            rename(listed);
        }
    }
    for run in &mut results.runs {
        rename(&mut run.id.env);
        if run.id.strategy == strategy {
            rename(&mut run.id.strategy);
        }
    }
    results
}

#[test]
fn text_from_files_is_text() {
    let folder = tempfile::tempdir().unwrap();
    let wicked = "<script>alert(1)</script>&\"'";
    let results = renamed(folder.path(), "random", wicked);
    let figures = drawn(&results);
    assert_eq!(figures.len(), 8);
    for figure in &figures {
        assert!(!figure.svg.contains("<script"), "{}", figure.name);
        assert!(figure.svg.contains("&lt;script&gt;"), "{}", figure.name);
        let mut found = Vec::new();
        texts(tree(figure).root(), &mut found);
        assert!(
            found.iter().any(|(t, _)| t.starts_with("<script>")),
            "{found:?}"
        );
    }
}

#[test]
fn long_names_keep_the_layout() {
    let folder = tempfile::tempdir().unwrap();
    let long = "an-environment-with-a-name-as-long-as-the-file-system-of-its-owner-allows-it-to-be";
    let results = renamed(folder.path(), "pcse", long);
    let figures = drawn(&results);
    figures.iter().for_each(check_layout);
}

#[test]
fn what_is_not_there_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("two-ways.json");
    std::fs::write(&model, MODEL).unwrap();
    let target = folder.path().join("results");
    // No map, no true cost, one strategy, one seed: the model is drawn as a graph.
    let mut results = sweep(&target, &[model.to_str().unwrap()], &["random"], vec![7]);
    let figures = drawn(&results);
    assert_eq!(
        names(&figures),
        [
            "environments",
            "training-curves",
            "training-curves-iterations",
            "running-scores",
            "constraint-learning-two-ways",
            "trajectories-two-ways",
            "sample-efficiency",
            "accuracy"
        ]
    );
    figures.iter().for_each(check_layout);
    for name in ["home", "bridge", "path", "town"] {
        assert!(figures[0].svg.contains(&format!(">{name}<")), "{name}");
    }
    assert!(!figures[1].svg.contains("IoU with the truth"));
    assert!(figures[1].svg.contains("One seed."));
    let notes = figure::notes(&results, &Reports::default());
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].starts_with("two-ways: there is neither IoU nor WGIoU"));

    // One that is too large for that is left out.
    results.environments[0].graph = None;
    let figures = drawn(&results);
    assert_eq!(
        names(&figures),
        [
            "training-curves",
            "training-curves-iterations",
            "running-scores",
            "sample-efficiency",
            "accuracy"
        ]
    );
    let notes = figure::notes(&results, &Reports::default());
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].starts_with("two-ways: it has no map and is too large"));

    // Beside a map: panels for what each of them has.
    let both = ["gridworld-4", model.to_str().unwrap()];
    let mut results = sweep(&target, &both, &["random", "pcse"], vec![7, 8]);
    let figures = drawn(&results);
    assert_eq!(figures.len(), 10);
    figures.iter().for_each(check_layout);
    // The runs of one strategy in one of them are lost, then the file of the map.
    results
        .runs
        .retain(|r| (r.id.env.as_str(), r.id.strategy.as_str()) != ("two-ways", "pcse"));
    results.environments.clear();
    let figures = drawn(&results);
    assert_eq!(figures.len(), 5);
    figures.iter().for_each(check_layout);
    let notes = figure::notes(&results, &Reports::default());
    assert!(
        notes
            .iter()
            .any(|n| n.starts_with("gridworld-4: its file is not whole"))
    );
}

#[test]
fn many_environments_take_several_sheets() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = sweep(folder.path(), &["gridworld-3"], &["pcse"], vec![1]);
    let (listed, file) = (
        results.manifest.environments[0].clone(),
        results.environments[0].clone(),
    );
    let run = results.runs[0].clone();
    for i in 0..12 {
        let name = format!("copy-{i}");
        let (mut l, mut f, mut r) = (listed.clone(), file.clone(), run.clone());
        (l.name, f.name, r.id.env) = (name.clone(), name.clone(), name);
        results.manifest.environments.push(l);
        results.environments.push(f);
        results.runs.push(r);
    }
    let figures = drawn(&results);
    figures.iter().for_each(check_layout);
    let count = |name: &str| {
        names(&figures)
            .iter()
            .filter(|n| n.starts_with(name))
            .count()
    };
    assert_eq!(count("environments"), 2);
    assert_eq!(count("training-curves-iterations"), 4);
    assert_eq!(count("sample-efficiency"), 2);
    assert_eq!(count("accuracy"), 2);
    assert_eq!(count("constraint-learning-"), 13);
    assert_eq!((count("running-scores"), count("trajectories-")), (4, 13));
    assert!(names(&figures).contains(&"training-curves-4"));
}

#[test]
fn a_strategy_that_never_reached_the_expert_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = sweep(
        folder.path(),
        &["gridworld-3"],
        &["pcse", "random"],
        vec![1, 2, 3],
    );
    for run in &mut results.runs {
        run.result.summary.samples_to_expert = match run.id.strategy.as_str() {
            "pcse" => Some(100 * run.id.seed),
            _ => None,
        };
    }
    let figures = drawn(&results);
    let efficiency = figures
        .iter()
        .find(|f| f.name == "sample-efficiency")
        .unwrap();
    assert!(efficiency.svg.contains(">3/3<") && efficiency.svg.contains(">0/3<"));
    assert_eq!(efficiency.svg.matches(">random<").count(), 1);
}

#[test]
fn an_infinite_bound_is_named_not_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = sweep(
        folder.path(),
        &["gridworld-3"],
        &["pcse", "random"],
        vec![1, 2],
    );
    for run in results
        .runs
        .iter_mut()
        .filter(|r| r.id.strategy == "random")
    {
        run.result
            .rows
            .iter_mut()
            .for_each(|r| r.accuracy = f64::INFINITY);
    }
    let figures = drawn(&results);
    let accuracy = figures.iter().find(|f| f.name == "accuracy").unwrap();
    assert!(
        accuracy
            .svg
            .contains("No finite bound in gridworld-3: random.")
    );
    for figure in &figures {
        assert!(
            !figure.svg.contains("NaN") && !figure.svg.contains("inf "),
            "{}",
            figure.name
        );
    }
    for run in &mut results.runs {
        run.result
            .rows
            .iter_mut()
            .for_each(|r| r.accuracy = f64::INFINITY);
    }
    let figures = drawn(&results);
    assert!(!names(&figures).contains(&"accuracy"));
}

#[test]
fn trajectories_show_the_steps_that_were_taken() {
    let folder = tempfile::tempdir().unwrap();
    let strategies = ["random", "uniform-generative"];
    let mut results = sweep(folder.path(), &["gridworld-3"], &strategies, vec![1, 2]);
    let shown = |results: &Results| {
        let figures = drawn(results).into_iter();
        let mut found = figures.filter(|f| f.name.starts_with("trajectories-"));
        (found.next(), found.count())
    };
    let (whole, others) = shown(&results);
    let whole = whole.unwrap();
    assert_eq!(
        (whole.name.as_str(), others),
        ("trajectories-gridworld-3", 0)
    );
    check_layout(&whole);
    // Samples that are drawn without walking have no trajectory.
    assert_eq!(whole.svg.matches(">random<").count(), 1);
    assert!(!whole.svg.contains(">uniform-generative<"));
    assert!(
        whole
            .caption
            .contains("No episodes were kept of uniform-generative.")
    );
    // One seed walked, at the end only, from state 0 to 1, waited, went back and on to 7: two steps,
    // however often, and one end.
    for run in &mut results.runs {
        let last = run.result.snapshots.len() - 1;
        for (i, snapshot) in run.result.snapshots.iter_mut().enumerate() {
            let walked = run.id.seed == 1 && run.id.strategy == "random" && i == last;
            let trajectory = vec![0, 1, 1, 0, 7];
            snapshot.payload = walked.then(|| Payload::new(&FiniteMoment { trajectory }).unwrap());
        }
    }
    let drawn = shown(&results).0.unwrap();
    let strokes = |colour: &str| drawn.svg.matches(&format!("stroke=\"{colour}\"")).count();
    // The steps, of one width, and an end on the map; two widths and an end in the legend.
    assert_eq!(strokes(theme::WALK), 2 + 3);
    let mut walked = drawn.svg.lines().filter(|l| l.contains(theme::WALK));
    assert_eq!(walked.next().unwrap().matches('M').count(), 2);
    assert!(drawn.svg.contains(">a step of all 2 seeds<"));
    // A payload that this domain did not write is left out, and with it the figure.
    for run in &mut results.runs {
        let strange = Payload::new(&"strange").unwrap();
        run.result
            .snapshots
            .iter_mut()
            .for_each(|s| s.payload = Some(strange.clone()));
    }
    assert_eq!(shown(&results).0, None);
}
