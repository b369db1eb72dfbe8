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

/// A map with every cell drawn by `symbol`, row numbers on the left and column numbers below.
pub fn map(layout: &Layout, symbol: impl Fn(Cell) -> char) -> String {
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
    fn cells_have_lines_and_wide_letters() {
        let rows = [["\u{6771}", "1"], ["abc", "20"]].map(|row| row.map(str::to_owned));
        let text = table(["a", "two\nlines"], 1, rows);
        assert_eq!(
            text,
            " a      two\n      lines\n------------\n \u{6771}       1\n abc     20\n"
        );
    }
}
