//! Samples to the expert.

use crate::Reports;
use crate::curves::{Axis, Reached, reached};
use crate::draw::marks::{self, circle};
use crate::draw::panel::{Panel, TITLE_HEIGHT, X_NUMBERS};
use crate::draw::scale::Scale;
use crate::draw::svg::{Anchor, Svg, number, path};
use crate::draw::text::{self, Font, LABEL, SMALL, wrapped};
use crate::draw::{Figure, WIDE, numbered};
use crate::theme::{self, FAINT, INK};
use hedgerow::Result;
use hedgerow::results::{Results, SavedRun};

/// Maps side by side, and on a sheet.
const COLUMNS: usize = 4;
const SHEET: usize = 8;
const MARGIN: f64 = 5.0;
/// Height of a strategy's row.
const ROW: f64 = 14.5;
/// Room for "5/5" right of a panel, and between panels.
const COUNT: f64 = 22.0;
const GAP: f64 = 9.0;
/// How far below the interval the seeds stand.
const SEEDS: f64 = 4.2;
/// The widest name.
const NAME: f64 = 100.0;

const EXPLAINED: &str = "Large marks: median; lines: interval that holds the median with at \
    least 68\u{a0}%; dots: single seeds; arrows: seeds that had not reached the expert when they \
    ended, and intervals without an end. Right: seeds that did.";

/// One strategy in one environment.
struct Entry {
    strategy: String,
    /// Its row.
    order: usize,
    reached: Reached,
    /// Where the seeds ended that did not get there.
    missed: Vec<f64>,
}

/// `sample-efficiency`: all strategies on all maps.
pub(super) fn efficiency(results: &Results, _: &Reports) -> Result<Vec<Figure>> {
    let envs = results.env_names();
    let sheets = envs.chunks(SHEET).enumerate();
    Ok(sheets.map(|(i, envs)| sheet(results, envs, i)).collect())
}

fn entries(results: &Results, env: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (order, strategy) in results.strategy_names().into_iter().enumerate() {
        let runs: Vec<&SavedRun> = results.runs_of(env, strategy).collect();
        if runs.is_empty() {
            continue;
        }
        let missed = runs
            .iter()
            .filter(|r| r.summary().samples_to_expert.is_none());
        entries.push(Entry {
            strategy: strategy.to_owned(),
            order,
            reached: reached(&runs),
            missed: missed.map(|r| r.summary().last.samples as f64).collect(),
        });
    }
    entries
}

fn sheet(results: &Results, envs: &[&str], i: usize) -> Figure {
    let names = results.strategy_names();
    let widths = names.iter().map(|n| 1.04 * text::width(n, LABEL));
    let name_room = widths.fold(0.0, f64::max).min(NAME) + 5.0;
    let columns = envs.len().min(COLUMNS);
    let width = [252.0, 390.0, WIDE][columns.clamp(1, 3) - 1];
    let left = MARGIN + name_room;
    let share = (width - left - MARGIN + GAP) / columns as f64;
    let height = ROW * names.len() as f64 + 4.0;
    let mut svg = Svg::default();
    let mut y = MARGIN;
    let all: Vec<Vec<Entry>> = envs.iter().map(|env| entries(results, env)).collect();
    let x = all.iter().map(|e| x_scale(e)).reduce(Scale::union);
    let x = x.unwrap_or(Scale::log(1.0, 10.0)).padded(0.03);
    for (row, all) in envs.chunks(COLUMNS).zip(all.chunks(COLUMNS)) {
        y += TITLE_HEIGHT;
        for (r, name) in names.iter().enumerate() {
            let at = (left - 5.0, row_at(r) + y + 2.6);
            svg.text_within(at, name, LABEL, Anchor::End, NAME);
        }
        for (c, (env, entries)) in row.iter().zip(all).enumerate() {
            let panel = Panel {
                left: left + c as f64 * share,
                top: y,
                width: share - COUNT - GAP,
                height,
                x,
                y: Scale::linear(0.0, 1.0),
            };
            panel.title(&mut svg, env);
            draw(&mut svg, &panel, entries);
        }
        y += height + X_NUMBERS + 5.0;
    }
    let what = format!("{} to the expert", Axis::Samples.label());
    svg.text(
        (f64::midpoint(left, width), y + 5.0),
        &what,
        LABEL,
        Anchor::Middle,
    );
    y += 10.0;
    let explained = explained(&all);
    for line in wrapped(&explained, width - 20.0) {
        y += 9.0;
        svg.text((width / 2.0, y), &line, SMALL, Anchor::Middle);
    }
    let title = "Sample efficiency".to_owned();
    let caption = format!(
        "Samples until the best policy under the inferred cost came within 10 % of the expert's \
         reward and 1.25 times its cost, and stayed. {explained}"
    );
    let svg = svg.finish(width, y + MARGIN, &title, &caption);
    Figure {
        name: numbered("sample-efficiency", i),
        title,
        caption,
        svg,
    }
}

/// What the marks mean.
fn explained(all: &[Vec<Entry>]) -> String {
    match all.iter().flatten().any(|e| e.reached.samples.contains(&0)) {
        true => {
            format!("{EXPLAINED} Seeds that were there from the start, with 0 samples, stand at 1.")
        }
        false => EXPLAINED.to_owned(),
    }
}

/// The middle of a row below the frame's top.
fn row_at(order: usize) -> f64 {
    1.0 + (order as f64 + 0.5) * ROW
}

fn x_scale(entries: &[Entry]) -> Scale {
    let reached = entries.iter().flat_map(|e| &e.reached.samples);
    let missed = entries.iter().flat_map(|e| &e.missed).copied();
    let all = reached.map(|&s| s as f64).chain(missed).map(|s| s.max(1.0));
    let (low, high) = all.fold((f64::INFINITY, 1.0_f64), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    // Room at the sides, also where all seeds lie close together.
    Scale::log(low.min(high) / 1.5, 1.5 * high)
}

fn draw(svg: &mut Svg, panel: &Panel, entries: &[Entry]) {
    let right = panel.left + panel.width;
    for tick in panel.x_ticks().iter().filter(|t| !t.label.is_empty()) {
        let x = panel.left + panel.across(tick.value);
        svg.line((x, panel.top), (x, panel.top + panel.height), FAINT, 0.5);
    }
    panel.x_axis(svg, true);
    for entry in entries {
        let y = panel.top + row_at(entry.order);
        svg.line((panel.left, y), (right, y), FAINT, 0.4);
        let (got, all) = (entry.reached.samples.len(), entry.reached.seeds);
        let font = Font {
            bold: got < all,
            colour: if got < all { theme::TRUTH } else { INK },
            ..SMALL
        };
        let at = (right + 4.0, y + 2.3);
        svg.text(at, &format!("{got}/{all}"), font, Anchor::Start);
    }
    let at = (right + 3.0, panel.top - 1.0);
    svg.text(at, "seeds", SMALL, Anchor::Start);
    panel.inside(svg, |svg| {
        for entry in entries {
            strategy(svg, panel, entry);
        }
    });
}

fn strategy(svg: &mut Svg, panel: &Panel, entry: &Entry) {
    let style = theme::style(&entry.strategy);
    let y = row_at(entry.order);
    let colour = style.colour;
    let across = |samples: f64| panel.across(samples.max(1.0));
    let low = entry.reached.low.map(across);
    if let Some(low) = low {
        let (end, open) = match entry.reached.high {
            Some(high) => (across(high), false),
            None => (panel.width - 3.0, true),
        };
        let look = format!("stroke=\"{colour}\" stroke-width=\"1.3\"");
        svg.path(&path(&[(low, y), (end, y)]), &look);
        if open {
            arrow(svg, (end + 2.0, y), colour);
        }
    }
    for &samples in &entry.reached.samples {
        let look = format!("fill=\"{colour}\" fill-opacity=\"0.55\"");
        svg.path(&circle((across(samples as f64), y + SEEDS), 1.2), &look);
    }
    for &samples in &entry.missed {
        arrow(svg, (across(samples) + 2.0, y + SEEDS), colour);
    }
    if let Some(median) = entry.reached.median {
        marks::marker(svg, (across(median), y), style, 1.35 * marks::MARKER);
    }
    // Ends that show even where the mark covers the line.
    for end in [entry.reached.low, entry.reached.high]
        .into_iter()
        .flatten()
    {
        let x = across(end);
        let look = format!("stroke=\"{colour}\" stroke-width=\"0.9\"");
        svg.path(&path(&[(x, y - 2.6), (x, y + 2.6)]), &look);
    }
}

/// A head that points right, its tip at `x`, `y`.
fn arrow(svg: &mut Svg, (x, y): (f64, f64), colour: &str) {
    let data = path(&[(x - 2.6, y - 1.9), (x, y), (x - 2.6, y + 1.9)]);
    let width = number(1.0);
    let look = format!("stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"");
    svg.path(&data, &look);
}
