//! Reports on mazes.

#[path = "common/layout.rs"]
mod layout;
#[path = "common/maze.rs"]
mod maze;

use hedgerow_report::figure::{self, Figure};
use layout::{check_layout, texts, tree};

fn named<'a>(figures: &'a [Figure], name: &str) -> &'a Figure {
    figures.iter().find(|f| f.name == name).unwrap()
}

fn words(figure: &Figure) -> Vec<String> {
    let mut found = Vec::new();
    texts(tree(figure).root(), &mut found);
    found.into_iter().map(|(t, _)| t).collect()
}

#[test]
fn every_figure_of_a_maze_is_drawn_and_every_text_has_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let strategies = ["pcse", "random", "undecided"];
    let results = maze::results(folder.path(), &strategies, &[1, 2, 3]);
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
    if let Ok(look) = std::env::var("LOOK") {
        figure::write(&results, look.as_ref()).unwrap();
    }
}
