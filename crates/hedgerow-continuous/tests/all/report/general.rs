//! Reports on continuous worlds of any kind.

use super::layout::{check_layout, texts, tree};
use crate::general::Line;
use hedgerow::domain::Domains;
use hedgerow::results::Results;
use hedgerow::run::Payload;
use hedgerow::sweep::{Experiment, Silent, Sweep};
use hedgerow_continuous::GeneralDomain;
use hedgerow_continuous::car::CarWorld;
use hedgerow_continuous::general::payload::{GeneralSummary, Moment, WorldGeometry};
use hedgerow_continuous::report::GeneralReport;
use hedgerow_continuous::world::ContinuousWorld;
use hedgerow_report::draw::text::grouped;
use hedgerow_report::figure::{self, Figure};
use hedgerow_report::{Reports, page};
use std::path::Path;
use std::sync::Arc;

fn reports() -> Reports {
    Reports::default().with(GeneralReport)
}

fn sweep(folder: &Path) -> Results {
    let domain = GeneralDomain::default().with_world(Arc::new(Line::new(false)));
    let mut experiment = Experiment::new(Domains::default().with(domain));
    experiment.set_environments(["line"]).unwrap();
    experiment.set_strategies(["pcse", "random"]).unwrap();
    experiment.set_seeds(vec![1, 2]).unwrap();
    let set = [
        ("iterations", "20"),
        ("steps", "40"),
        ("units", "16"),
        ("agent-episodes", "1"),
    ];
    for (key, value) in set {
        experiment.set(key, value).unwrap();
    }
    let sweep = Sweep::open(&experiment, folder).unwrap();
    sweep.run(&Silent, &Default::default()).unwrap();
    Results::read(folder).unwrap()
}

fn named<'a>(figures: &'a [Figure], name: &str) -> &'a Figure {
    let names: Vec<&str> = figures.iter().map(|f| f.name.as_str()).collect();
    let found = figures.iter().find(|f| f.name == name);
    found.unwrap_or_else(|| panic!("{name} is not among {names:?}"))
}

fn words(figure: &Figure) -> String {
    let mut found = Vec::new();
    texts(tree(figure).root(), &mut found);
    let found: Vec<String> = found.into_iter().map(|(text, _)| text).collect();
    found.join("\n")
}

#[test]
fn pairs_and_curves_are_drawn_from_the_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = sweep(folder.path());
    let figures = figure::all(&results, &reports()).unwrap();
    let pairs = named(&figures, "charged-pairs-line");
    check_layout(pairs);
    let said = words(pairs);
    // A world that names no axes shows the first two numbers of a pair, with their units.
    for label in ["x (m)", "step (m)", "probability that a pair is charged"] {
        assert!(said.contains(label), "{label} is missing:\n{said}");
    }
    // Of the iterations that are kept, 1, 2, 5, 10 and 20: the first, the last of the first half, and the end.
    for iteration in [1, 10, 20] {
        let at = results.runs_of("line", "pcse").map(|r| {
            let mut all = r.result.snapshots.iter();
            let found = all.find(|s| s.iteration == iteration).unwrap();
            found.samples as f64
        });
        let title = format!("pcse, {} samples", grouped(at.sum::<f64>() / 2.0));
        assert!(said.contains(&title), "{title} is missing:\n{said}");
    }
    let payload = |r: &hedgerow::results::SavedRun| -> Moment {
        let last = r.result.snapshots.last().unwrap();
        last.payload.as_ref().unwrap().read().unwrap()
    };
    let last = payload(&results.runs[0]);
    let truly = last.pairs.iter().filter(|p| p.3).count();
    assert!(truly > 10 && truly < 390, "{truly}");
    // Three moments of two strategies, and one diamond in the legend.
    let diamonds = pairs.svg.matches("stroke-width=\"0.4\"").count();
    assert_eq!(diamonds, 6 * 400 + 2);
    let curves = named(&figures, "reliability-line");
    check_layout(curves);
    let said = words(curves);
    for label in ["predicted probability", "observed share", "pcse", "random"] {
        assert!(said.contains(label), "{label} is missing:\n{said}");
    }
    assert_eq!(figures, figure::all(&results, &reports()).unwrap());
    let notes = figure::notes(&results, &reports());
    assert!(notes.iter().all(|n| !n.contains("drawn")), "{notes:?}");
    let html = page::html(&results, &reports(), None).unwrap();
    assert!(html.contains("domains[\"general\"]"));
    // Another curve gives another drawing; without curves there is none.
    let before = curves.svg.clone();
    for run in &mut results.runs {
        let mut summary: GeneralSummary = run.result.payload.read().unwrap();
        for bin in &mut summary.held_out.bins {
            bin.observed = 1.0 - bin.observed;
        }
        run.result.payload = Payload::new(&summary).unwrap();
    }
    let changed = figure::all(&results, &reports()).unwrap();
    assert_ne!(named(&changed, "reliability-line").svg, before);
    for run in &mut results.runs {
        run.result.payload = Payload::empty();
    }
    let without = figure::all(&results, &reports()).unwrap();
    assert!(without.iter().all(|f| f.name != "reliability-line"));
}

#[test]
fn roads_name_axes_on_which_the_constraint_is_a_line() {
    // Where a pair lies on the axes says whether it costs: above the limit, beyond the line.
    let speed = CarWorld::named("car-speed").unwrap();
    let view = speed.view();
    assert_eq!(view.y.label(), "speed after the decision (m/s)");
    let limit = view.boundaries[0].points[0][1];
    let line = CarWorld::named("car-line").unwrap();
    let stop = line.view().boundaries[0].points[0][0];
    for i in 0..200 {
        let t = f64::from(i) / 200.0;
        let observation = [14.0 * t, 0.0, 0.2, (i % 7) as f64 * 0.8];
        let action = [-8.0 + 12.0 * ((7.0 * t) % 1.0), 0.1];
        let [_, after] = speed.place(&observation, &action);
        let costs = speed.true_cost(&observation, &action).unwrap() > 0.0;
        assert_eq!(costs, after > limit + 1e-9);
        let [x, after] = line.place(&observation, &action);
        let costs = line.true_cost(&observation, &action).unwrap() > 0.0;
        assert_eq!(costs, x > stop + 1e-9 && after > 0.0);
    }
    // At 4 m/s the car drives 0.5 m and then 0 m while it brakes by 8 m/s².
    let last = &line.view().boundaries[1].points;
    let four = last.iter().find(|p| (p[1] - 4.0).abs() < 1e-9).unwrap();
    assert!((four[0] - (stop - 0.5)).abs() < 1e-9, "{four:?}");
}

#[test]
fn the_file_of_a_world_says_what_exact_inference_attains() {
    let folder = tempfile::tempdir().unwrap();
    let results = sweep(folder.path());
    let file = results.environment("line").unwrap();
    // Every step beyond 2 earns what it moves: all constrained pairs pay.
    assert_eq!(file.exact.as_ref().unwrap().iou, 1.0);
    let geometry: WorldGeometry = file.geometry.as_ref().unwrap().read().unwrap();
    assert_eq!(geometry.shown.unwrap().places.len(), 400);
}
