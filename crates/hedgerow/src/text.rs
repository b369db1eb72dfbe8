//! Text for readers: numbers, aligned tables and drawn maps.
//!
//! ```
//! let rows = [["up", "0.5"], ["down-left", "12"]].map(|row| row.map(str::to_owned));
//! let table = hedgerow::text::table(["action", "value"], 1, rows);
//! let lines: Vec<&str> = table.lines().collect();
//! assert_eq!(lines[0], " action     value");
//! assert_eq!(lines[1], "------------------");
//! assert_eq!(lines[3], " down-left     12");
//! ```

use crate::env::{Cell, Layout};
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// How wide text is where nobody says how wide it may be, in columns.
pub const WIDTH: usize = 80;

/// A table with its first `left` columns to the left and the others, numbers, to the right. A
/// line break in a cell makes two lines of it.
pub fn table<'a>(
    header: impl IntoIterator<Item = &'a str>,
    left: usize,
    rows: impl IntoIterator<Item = impl IntoIterator<Item = String>>,
) -> String {
    let header: Vec<String> = header.into_iter().map(str::to_owned).collect();
    let rows = rows.into_iter().map(|row| row.into_iter().collect());
    let all: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    let mut widths: Vec<usize> = Vec::new();
    for row in &all {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            let widest = cell.split('\n').map(UnicodeWidthStr::width).max();
            *width = (*width).max(widest.unwrap_or(0));
        }
    }
    let mut text = String::new();
    for (i, row) in all.iter().enumerate() {
        push_row(&mut text, row, left, &widths);
        if i == 0 {
            let rule = widths.iter().map(|width| width + 2).sum();
            text.push_str(&"-".repeat(rule));
            text.push('\n');
        }
    }
    text
}

/// Adds a row, which has as many lines as its highest cell.
fn push_row(text: &mut String, row: &[String], left: usize, widths: &[usize]) {
    let cells: Vec<Vec<&str>> = row.iter().map(|cell| cell.split('\n').collect()).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..height {
        let mut line = String::new();
        for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let shown = cell.get(at).copied().unwrap_or_default();
            let room = " ".repeat(width - shown.width());
            line.push_str(&match column < left {
                true => format!(" {shown}{room} "),
                false => format!(" {room}{shown} "),
            });
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// A number with six significant digits, without trailing zeros.
pub fn number(x: f64) -> String {
    significant(x, 6)
}

/// A number with `n` significant digits, without trailing zeros.
pub fn significant(x: f64, n: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let more = n as i32 - 1;
    let digits = more - libm::log10(x.abs()).floor() as i32;
    if !(0..=more + 7).contains(&digits) {
        return format!("{x:.*e}", more as usize);
    }
    let text = format!("{x:.*}", digits as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Rows and columns of a map that is drawn cell by cell, at most.
const DRAWN: usize = 130;

/// Rows and columns of a larger map, which is drawn block by block, about.
const BLOCKS: usize = 64;

/// A map with every cell drawn by `symbol`, row numbers on the left and column numbers below.
///
/// A map too large for that is drawn in square blocks of cells, each as the rarest of its symbols,
/// so that a wall one cell wide stays a wall.
pub fn map(layout: &Layout, symbol: impl Fn(Cell) -> char) -> String {
    if layout.rows().max(layout.columns()) > DRAWN {
        return thinned(layout, symbol);
    }
    let width = (layout.rows().max(layout.columns()) - 1).to_string().len();
    let mut text = String::new();
    for (i, line) in layout.draw(symbol).lines().enumerate() {
        let row = layout.rows() - 1 - i;
        let cells: Vec<String> = line
            .split(' ')
            .map(|cell| format!("{cell:>width$}"))
            .collect();
        text.push_str(&format!("{row:>width$} | {}\n", cells.join(" ")));
    }
    let columns: Vec<String> = (0..layout.columns())
        .map(|c| format!("{c:>width$}"))
        .collect();
    let rule = "-".repeat((width + 1) * layout.columns());
    text.push_str(&format!("{:width$} +{rule}\n", ""));
    text.push_str(&format!("{:width$}   {}\n", "", columns.join(" ")));
    text
}

/// A map in blocks.
fn thinned(layout: &Layout, symbol: impl Fn(Cell) -> char) -> String {
    let (rows, columns) = (layout.rows(), layout.columns());
    let side = rows.max(columns).div_ceil(BLOCKS);
    let mut often: BTreeMap<char, usize> = BTreeMap::new();
    let mut cells = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let drawn = symbol(Cell { row, column });
            *often.entry(drawn).or_default() += 1;
            cells.push(drawn);
        }
    }
    let rarest = |row: usize, column: usize| {
        let down = row..rows.min(row + side);
        let all = down.flat_map(|r| {
            let across = column..columns.min(column + side);
            across.map(move |c| r * columns + c)
        });
        let all = all.map(|at| cells[at]);
        all.min_by_key(|c| (often[c], *c)).unwrap_or(' ')
    };
    let width = (rows - 1).to_string().len();
    let mut text = String::new();
    let down: Vec<usize> = (0..rows).step_by(side).collect();
    for &row in down.iter().rev() {
        let across = (0..columns)
            .step_by(side)
            .map(|c| rarest(row, c).to_string());
        let line: Vec<String> = across.collect();
        text.push_str(&format!("{row:>width$} | {}\n", line.join(" ")));
    }
    let drawn = columns.div_ceil(side);
    text.push_str(&format!("{:width$} +{}\n", "", "-".repeat(2 * drawn)));
    text.push_str(&format!(
        "{:width$}   columns 0 to {}; every letter is the rarest of {side} x {side} cells\n",
        "",
        columns - 1
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_six_digits_and_no_zeros() {
        assert_eq!(number(0.0), "0");
        assert_eq!(number(1.0), "1");
        assert_eq!(number(50.0), "50");
        assert_eq!(number(1000.0), "1000");
        assert_eq!(number(0.7), "0.7");
        assert_eq!(number(0.007599009429), "0.00759901");
        assert_eq!(number(1234567.0), "1.23457e6");
        assert_eq!(number(1e-9), "1.00000e-9");
    }

    #[test]
    fn a_large_map_keeps_its_thin_walls_and_its_only_goal() {
        let mut symbols = vec![vec!['.'; 200]; 200];
        symbols[100][..190].fill('#');
        symbols[199][0] = 'G';
        let layout = Layout::new(200, 200, symbols.concat(), |_| true, 0);
        let text = map(&layout, |cell| layout.symbol(cell));
        let lines: Vec<&str> = text.lines().collect();
        // Blocks of 4 x 4: the wall is in block row 25, 48 blocks long, the goal in the last row.
        assert_eq!(lines.len(), 50 + 2);
        assert!(lines[0].starts_with("196 | G . ."), "{text}");
        let wall = lines[49 - 25];
        assert!(wall.starts_with("100 | # # #"), "{text}");
        assert_eq!(wall.matches('#').count(), 48);
        assert_eq!(text.matches('#').count(), 48);
        assert!(text.ends_with("columns 0 to 199; every letter is the rarest of 4 x 4 cells\n"));
    }

    #[test]
    fn cells_have_lines_and_wide_letters() {
        let rows = [["\u{6771}", "1"], ["abc", "20"]].map(|row| row.map(str::to_owned));
        let text = table(["a", "two\nlines"], 1, rows);
        assert_eq!(
            text,
            " a      two\n      lines\n------------\n \u{6771}       1\n abc     20\n"
        );
    }
}
