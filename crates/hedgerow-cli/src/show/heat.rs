//! Small heat maps side by side.

use crate::problems::plain;
use crate::terminal::number;
use crate::window::{Colours, wrap};
use hedgerow::env::{Cell, Layout};
use hedgerow_report::theme;

/// Columns between two maps.
const GAP: usize = 2;

/// Where there is neither a state nor a wall, on the map of a graph.
pub const VOID: char = ' ';

/// Symbols that are not letters of the map.
const UNMARKED: [char; 4] = ['.', 'x', '#', VOID];

/// A cost by state and what it is called.
pub type Named<'a> = (&'a str, &'a Vec<(u32, f64)>);

/// The size at which maps of one layout are drawn.
#[derive(Clone, Copy)]
struct Scale {
    /// Columns of the window per cell.
    cell: usize,
    /// Cells of the map that are drawn as one, in both directions.
    pool: usize,
}

/// The maps in rows of as many as `width` has room for, each with its name above, and an empty
/// line after each row.
pub fn draw(layout: &Layout, maps: &[Named], width: usize, colours: Colours) -> String {
    let scale = Scale::new(layout.columns(), width);
    let names = maps.iter().map(|(name, _)| name.chars().count());
    let across = layout.columns().div_ceil(scale.pool) * scale.cell;
    let block = names.max().unwrap_or(0).max(across);
    let per_row = ((width + GAP) / (block + GAP)).max(1);
    let mut text = String::new();
    for row in maps.chunks(per_row) {
        let drawn: Vec<Vec<String>> = row
            .iter()
            .map(|(_, cost)| rows(layout, cost, scale, colours))
            .collect();
        let names = row
            .iter()
            .map(|(name, _)| (name.to_string(), name.chars().count()));
        text.push_str(&side_by_side(names, block));
        for i in 0..drawn.first().map_or(0, Vec::len) {
            let line = drawn.iter().map(|map| (map[i].clone(), across));
            text.push_str(&side_by_side(line, block));
        }
        text.push('\n');
    }
    text
}

/// An environment and its goals, as [`EnvironmentFile::goals`] tells them.
///
/// [`EnvironmentFile::goals`]: hedgerow::results::EnvironmentFile::goals
pub type Goals<'a> = (&'a str, Vec<(char, Option<f64>)>);

/// What the colours or symbols mean, with the goals of each environment.
pub fn legend(width: usize, colours: Colours, goals: &[Goals]) -> String {
    let largest = "the largest cost on the map, each map by itself, mean over the seeds";
    let scale = match colours {
        Colours::None => {
            let scale = format!("X {largest}; 1 to 9 tenths of it; . less than half a tenth");
            wrap(&scale, width, 0)
        }
        _ => {
            let shares = (0..=10).map(|i| f64::from(i) / 10.0);
            let ramp: String = shares
                .map(|x| colours.paint(" ", theme::heat(x), false))
                .collect();
            // Stands for the ramp while lines are broken: nothing in the text looks like it.
            let room = "_".repeat(11);
            wrap(&format!("0 {room} {largest}"), width, 0).replacen(&room, &ramp, 1)
        }
    };
    let symbols = "S start, # wall, ^ v < > one-way, other letters goals";
    let mut text = scale + &wrap(symbols, width, 0);
    for (env, goals) in goals.iter().filter(|(_, goals)| goals.len() > 1) {
        let paid = goals.iter().map(|(symbol, reward)| match reward {
            Some(reward) => format!("{symbol} pays {}", number(*reward)),
            None => format!("{symbol} ends"),
        });
        let paid = paid.collect::<Vec<String>>().join(", ");
        text.push_str(&wrap(&plain(&format!("{env}: {paid}")), width, 2));
    }
    text
}

/// Pieces with their widths in blocks of equal width.
fn side_by_side(pieces: impl Iterator<Item = (String, usize)>, block: usize) -> String {
    let mut line = String::new();
    let mut space = 0;
    for (piece, width) in pieces {
        line.push_str(&" ".repeat(space));
        line.push_str(&piece);
        space = block.saturating_sub(width) + GAP;
    }
    line.truncate(line.trim_end().len());
    line + "\n"
}

impl Scale {
    /// Two columns per cell look square; a large map has to do with one, or with one for many.
    fn new(columns: usize, width: usize) -> Self {
        let cell = if 2 * columns <= width { 2 } else { 1 };
        Self {
            cell,
            pool: (columns * cell).div_ceil(width.max(1)).max(1),
        }
    }
}

/// The map, top row first.
fn rows(layout: &Layout, cost: &[(u32, f64)], scale: Scale, colours: Colours) -> Vec<String> {
    let largest = cost.iter().fold(0.0, |m: f64, (_, c)| m.max(*c));
    let mut share = vec![0.0; layout.states()];
    for &(state, c) in cost {
        if let (Some(share), true) = (share.get_mut(state as usize), largest > 0.0) {
            *share = c / largest;
        }
    }
    let blocks = |n: usize| n.div_ceil(scale.pool);
    let cells = |row: usize, column: usize| {
        let side = |i: usize, n: usize| i * scale.pool..((i + 1) * scale.pool).min(n);
        let rows = side(row, layout.rows());
        rows.flat_map(move |row| {
            let columns = side(column, layout.columns());
            columns.map(move |column| Cell { row, column })
        })
    };
    let draw = |row: usize, column: usize| {
        let states = cells(row, column).flat_map(|c| layout.states_at(c));
        let share = states.map(|s| share[s.at()]).reduce(f64::max);
        let marked = |c: &char| !UNMARKED.contains(c);
        let letter = cells(row, column).map(|c| layout.symbol(c)).find(marked);
        let void = cells(row, column).all(|c| layout.symbol(c) == VOID);
        match void {
            true => " ".repeat(scale.cell),
            false => one(share, letter, scale.cell, colours),
        }
    };
    let line = |row| {
        (0..blocks(layout.columns()))
            .map(|c| draw(row, c))
            .collect()
    };
    (0..blocks(layout.rows())).rev().map(line).collect()
}

/// One cell: its share of the largest cost, none for a wall, and the letter of start or goal.
fn one(share: Option<f64>, letter: Option<char>, width: usize, colours: Colours) -> String {
    let Some(share) = share else {
        return "#".repeat(width);
    };
    let tenths = (share * 10.0).round();
    let free = letter.unwrap_or('.');
    if colours != Colours::None {
        let (text, faint) = match (tenths, letter) {
            (0.0, _) => (free, letter.is_none()),
            (_, letter) => (letter.unwrap_or(' '), false),
        };
        return colours.paint(&format!("{text:width$}"), theme::heat(share), faint);
    }
    let symbol = match tenths {
        0.0 => free,
        1.0..10.0 => char::from(b'0' + tenths as u8),
        _ => 'X',
    };
    format!("{symbol:width$}")
}
