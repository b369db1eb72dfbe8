//! The summary as a table for each environment.

use crate::terminal::{number, table};
use hedgerow::sweep::SummaryRow;

const HEADER: [&str; 6] = [
    "strategy",
    "reward",
    "cost",
    "WGIoU",
    "converged",
    "samples to expert",
];

/// All environments in the order of the rows.
pub fn draw(summary: &[SummaryRow]) -> String {
    let mut text = String::new();
    for group in summary.chunk_by(|a, b| a.env == b.env) {
        let row = &group[0];
        text.push_str(&format!(
            "{}: expert's reward {}, cost {}\n{}\n",
            row.env,
            number(row.expert_reward),
            number(row.expert_cost),
            table(HEADER, 1, group.iter().map(cells).collect())
        ));
    }
    text
}

fn cells(row: &SummaryRow) -> [String; 6] {
    let or_dash = |x: Option<f64>, show: fn(f64) -> String| x.map_or("-".to_owned(), show);
    let converged = row.converged.unwrap_or(0.0) * row.seeds as f64;
    [
        row.strategy.clone(),
        or_dash(row.final_reward, number),
        or_dash(row.final_cost, number),
        or_dash(row.final_wgiou, |x| format!("{x:.3}")),
        format!("{converged:.0} of {}", row.seeds),
        or_dash(row.samples_to_expert, |x| format!("{x:.0}")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_fits_a_terminal_and_names_what_it_shows() {
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
        };
        let text = draw(&[
            row("pcse-two-timescale", Some(12_345.5)),
            row("random", None),
        ]);
        assert!(text.starts_with("gridworld-1: expert's reward 0.00123457, cost 0.0123457\n"));
        assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
        assert!(text.contains("11 of 20"));
        assert!(text.lines().any(|l| l.trim_end().ends_with('-')));
    }
}
