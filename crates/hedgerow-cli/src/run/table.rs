//! The summary as a table for each environment, as wide as there is room.

use crate::terminal::{number, significant, table};
use crate::window::wrap;
use hedgerow::results::SummaryRow;

/// A column: its name, its heading where there is little room, and what it shows, with all digits
/// or few.
struct Column {
    name: &'static str,
    narrow: &'static str,
    show: fn(&SummaryRow, bool) -> String,
}

const COLUMNS: [Column; 7] = [
    Column {
        name: "strategy",
        narrow: "strategy",
        show: |row, _| row.strategy.clone(),
    },
    Column {
        name: "reward",
        narrow: "reward",
        show: |row, all| or_dash(row.final_reward, |x| digits(x, all)),
    },
    Column {
        name: "cost",
        narrow: "cost",
        show: |row, all| or_dash(row.final_cost, |x| digits(x, all)),
    },
    Column {
        name: "IoU",
        narrow: "IoU",
        show: |row, _| or_dash(row.final_iou, |x| format!("{x:.3}")),
    },
    Column {
        name: "WGIoU",
        narrow: "WGIoU",
        show: |row, _| or_dash(row.final_wgiou, |x| format!("{x:.3}")),
    },
    Column {
        name: "converged",
        narrow: "con-\nverged",
        show: |row, _| {
            let converged = row.converged.unwrap_or(0.0) * row.seeds as f64;
            format!("{converged:.0} of {}", row.seeds)
        },
    },
    Column {
        name: "samples to expert",
        narrow: "samples\nto expert",
        show: |row, _| or_dash(row.samples_to_expert, |x| format!("{x:.0}")),
    },
];

/// What goes first where there is no room for all.
const LEAVE_OUT: [&str; 4] = ["reward", "cost", "converged", "WGIoU"];

/// All environments in the order of the rows, in lines of at most `width` columns.
pub fn draw(summary: &[SummaryRow], width: usize) -> String {
    let mut text = String::new();
    for group in summary.chunk_by(|a, b| a.env == b.env) {
        let row = &group[0];
        let expert = format!(
            "{}: expert's reward {}, cost {}",
            row.env,
            number(row.expert_reward),
            number(row.expert_cost),
        );
        // Constraints that nothing tempts to break cannot be found: the best score may be below 1.
        let exact = match (row.exact_iou, row.exact_wgiou) {
            (Some(iou), Some(wgiou)) => {
                format!("; exact inference scores IoU {iou:.3}, WGIoU {wgiou:.3}")
            }
            _ => String::new(),
        };
        text.push_str(&wrap(&format!("{expert}{exact}"), width, 2));
        text.push_str(&fitting(group, width));
        text.push('\n');
    }
    text
}

/// Headings of one line, or of two where that is narrower.
#[derive(Clone, Copy)]
enum Headings {
    Wide,
    Narrow,
}

/// The table with all digits; if it is too wide with narrow headings, then with few digits, then
/// without some columns.
fn fitting(rows: &[SummaryRow], width: usize) -> String {
    let fits = |text: &String| text.lines().all(|line| line.chars().count() <= width);
    let mut last = String::new();
    for headings in [Headings::Wide, Headings::Narrow] {
        last = columns(rows, &[], true, headings);
        if fits(&last) {
            return last;
        }
    }
    let narrow = |n| columns(rows, &LEAVE_OUT[..n], false, Headings::Narrow);
    let fewer = (0..=LEAVE_OUT.len()).map(|n| (n, narrow(n)));
    for (n, text) in fewer {
        let found = fits(&text);
        last = text;
        if n > 0 {
            let left_out = LEAVE_OUT[..n].join(", ");
            let note = format!("(no room for {left_out})");
            last.push_str(&wrap(&note, width, 0));
        }
        if found {
            break;
        }
    }
    last
}

fn columns(rows: &[SummaryRow], without: &[&str], all_digits: bool, headings: Headings) -> String {
    let shown = || COLUMNS.iter().filter(|c| !without.contains(&c.name));
    let heading = |c: &Column| match headings {
        Headings::Wide => c.name,
        Headings::Narrow => c.narrow,
    };
    let cells = |row| shown().map(move |c| (c.show)(row, all_digits));
    table(shown().map(heading), 1, rows.iter().map(cells))
}

fn or_dash(x: Option<f64>, show: impl Fn(f64) -> String) -> String {
    x.map_or("-".to_owned(), show)
}

fn digits(x: f64, all: bool) -> String {
    significant(x, if all { 6 } else { 3 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> [SummaryRow; 2] {
        let row = |strategy: &str, samples| SummaryRow {
            env: "gridworld-1".into(),
            strategy: strategy.into(),
            seeds: 20,
            expert_reward: 0.001_234_567,
            expert_cost: 0.012_345_67,
            final_reward: Some(0.001_234_567),
            final_cost: Some(1.234_567e-9),
            final_wgiou: Some(-0.999_99),
            converged: Some(0.55),
            samples_to_expert: samples,
            final_iou: Some(0.654_321),
            exact_iou: Some(0.75),
            exact_wgiou: Some(0.2),
            converged_map: None,
            samples_to_map: None,
        };
        [
            row("pcse-two-timescale", Some(12_345.5)),
            row("random", None),
        ]
    }

    #[test]
    fn the_table_fits_a_terminal_and_names_what_it_shows() {
        let text = draw(&two(), 100);
        assert!(
            text.starts_with(
                "gridworld-1: expert's reward 0.00123457, cost 0.0123457; exact inference scores IoU \
                 0.750, WGIoU\n  0.200\n"
            ),
            "{text}"
        );
        assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
        assert!(text.contains("samples to expert") && text.contains("1.23457e-9"));
        assert!(text.contains("11 of 20") && text.contains("0.654"));
        assert!(text.lines().any(|l| l.trim_end().ends_with('-')));
    }

    #[test]
    fn a_narrow_window_gets_fewer_digits_then_fewer_columns() {
        for width in 40..100 {
            let text = draw(&two(), width);
            assert!(text.lines().all(|l| l.chars().count() <= width), "{text}");
            assert!(text.contains("IoU") && text.contains("12346"), "{text}");
        }
        let text = draw(&two(), 78);
        assert!(
            text.contains("0.00123 ") && text.contains("1.23e-9"),
            "{text}"
        );
        assert!(!text.contains("no room"), "{text}");
        let text = draw(&two(), 40);
        assert!(
            text.contains("(no room for reward, cost, converged,"),
            "{text}"
        );
    }
}
