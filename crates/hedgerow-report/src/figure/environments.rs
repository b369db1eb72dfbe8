//! The maps.

use crate::Reports;
use crate::draw::ground::Ground;
use crate::draw::legend::{self, Entry};
use crate::draw::map::CellKind;
use crate::draw::svg::{Anchor, Svg};
use crate::draw::text::TITLE;
use crate::draw::thinned::{sentences, standing_for};
use crate::draw::{Figure, numbered, width_of};
use hedgerow::Result;
use hedgerow::results::{EnvironmentFile, Results};

/// Maps side by side, and rows of them on a sheet.
const COLUMNS: usize = 4;
const ROWS: usize = 3;
/// Room at the sides.
const MARGIN: f64 = 6.0;
/// Room for the numbers of rows, and for those of columns.
const NUMBERS: f64 = 15.0;
/// What the maps show.
const CAPTION: &str = "The maps: start, goals, walls, one-way cells, the cells that the true \
                       constraint charges, and where the expert spends its discounted time. Rows are \
                       numbered from the bottom. Models without a map are drawn as graphs.";
/// Room for a title.
const TITLE_ROOM: f64 = 14.0;

/// `environments`: every map of the results.
pub(super) fn environments(results: &Results, _: &Reports) -> Result<Vec<Figure>> {
    let maps: Vec<&EnvironmentFile> = results
        .environments
        .iter()
        .filter(|e| Ground::within(e, 1.0).is_some())
        .collect();
    let sheets = maps.chunks(COLUMNS * ROWS).enumerate();
    Ok(sheets.map(|(i, maps)| sheet(maps, i)).collect())
}

fn sheet(maps: &[&EnvironmentFile], number: usize) -> Figure {
    let columns = maps.len().min(COLUMNS);
    let width = width_of(columns).min(252.0 * columns as f64);
    let share = (width - MARGIN) / columns as f64;
    let side = (share - NUMBERS - MARGIN).min(170.0);
    let mut svg = Svg::default();
    let mut kinds: Vec<CellKind> = Vec::new();
    let mut y = MARGIN;
    for row in maps.chunks(COLUMNS) {
        y += TITLE_ROOM;
        let mut height: f64 = 0.0;
        for (i, environment) in row.iter().enumerate() {
            let Some(map) = Ground::within(environment, side) else {
                continue;
            };
            let middle = share * (i as f64 + 0.5) + NUMBERS / 2.0;
            let map = map.at(middle - map.width() / 2.0, y);
            let name = &environment.name;
            svg.text_within((middle, y - 4.5), name, TITLE, Anchor::Middle, share - 12.0);
            kinds.extend(map.whole(&mut svg).into_iter().map(|kind| match kind {
                CellKind::OneWay(..) => ARROW,
                kind => kind,
            }));
            height = height.max(map.height());
        }
        y += height + NUMBERS;
    }
    let seen = |order: &[CellKind]| -> Vec<Entry> {
        let seen = order.iter().filter(|k| kinds.contains(k));
        seen.map(|kind| Entry::cell(*kind)).collect()
    };
    // On a map the start is a cell, on a graph a dot; one of them is enough.
    let start = [CellKind::Start, CellKind::StartDot];
    let mut entries = seen(&start);
    entries.truncate(1);
    entries.extend(Entry::goals(maps.iter().copied(), false));
    entries.extend(seen(&[
        CellKind::End,
        CellKind::Wall,
        ARROW,
        CellKind::Constraint,
        CellKind::Expert(0.5),
    ]));
    y += 2.0 + legend::draw(&mut svg, &entries, [MARGIN, width - MARGIN], y + 2.0);
    let named = maps.iter().filter_map(|e| standing(e, maps.len()));
    let thinned: Vec<String> = named.collect();
    y = sentences(&mut svg, &thinned, [MARGIN, width - MARGIN], y);
    let title = "Environments".to_owned();
    let caption = [CAPTION.to_owned()].into_iter().chain(thinned);
    let caption = caption.collect::<Vec<_>>().join(" ");
    let svg = svg.finish(width, y + MARGIN, &title, &caption);
    Figure {
        name: numbered("environments", number),
        title,
        caption,
        svg,
    }
}

/// What a square stands for, with the name of the map unless it is the only one.
fn standing(environment: &EnvironmentFile, maps: usize) -> Option<String> {
    let words = standing_for(environment)?;
    Some(match maps {
        1 => words,
        _ => format!("{}: {words}", environment.name),
    })
}

/// The arrow that stands for all in the legend.
const ARROW: CellKind = CellKind::OneWay(0, 1);
