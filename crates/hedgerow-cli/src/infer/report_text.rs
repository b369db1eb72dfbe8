//! The answer: verdicts as a map and tables, for readers.

use super::report::{Report, Row};
use crate::map;
use crate::terminal::{number, table};
use hedgerow::env::Layout;
use hedgerow::run::Stop;
use hedgerow::verdict::Verdict;

/// Pairs listed on the terminal; `--json` has them all.
const LISTED: usize = 20;

impl Report {
    /// The answer as text.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}\n\n", self.env, self.headline());
        if let Some(drawing) = &self.drawing {
            text.push_str(&format!("{drawing}\n"));
        }
        text.push_str(&format!(
            "{} pairs constrained, {} taken by the expert, {} with nothing to gain, {} undecided ({} of these have an advantage surely within {} of {})\n",
            self.constrained,
            self.taken,
            self.no_gain,
            self.undecided,
            self.negligible,
            number(self.criteria.margin),
            number(self.criteria.tolerance),
        ));
        if !self.unreached_states.is_empty() {
            let n = self.unreached_states.len();
            text.push_str(&format!("{n} states were never reached\n"));
        }
        for warning in &self.warnings {
            text.push_str(&format!("warning: {warning}\n"));
        }
        let constrained = |r: &&Row| r.verdict == Verdict::Constrained;
        let open = |r: &&Row| r.open;
        text.push_str(&self.listed("constrained", constrained, |r| r.low));
        // What looks constrained comes first.
        let promising = |r: &Row| r.high + if r.looks_constrained { 1e9 } else { 0.0 };
        text.push_str(&self.listed("open", open, promising));
        text
    }

    fn headline(&self) -> String {
        let (samples, open) = (self.samples, self.open);
        if !self.earns {
            let what = match self.stop {
                None => format!("{samples} recorded transitions"),
                Some(_) => format!("{samples} samples"),
            };
            return format!(
                "no reward was reached in {what}, so nothing tells actions apart; check that a goal can be reached from the start"
            );
        }
        let state = match self.stop {
            Some(Stop::Decided) => format!("all that matters is decided after {samples} samples"),
            Some(Stop::Samples) => format!("{samples} samples used up, {} open", pairs(open)),
            Some(_) => format!("interrupted after {samples} samples, {} open", pairs(open)),
            None => format!("{samples} recorded transitions, {} open", pairs(open)),
        };
        let sure = number(self.criteria.confidence);
        format!("{state}; all verdicts are right with probability {sure}")
    }

    fn listed(
        &self,
        title: &str,
        which: impl Fn(&&Row) -> bool,
        by: impl Fn(&Row) -> f64,
    ) -> String {
        let mut rows: Vec<&Row> = self.pairs.iter().filter(which).collect();
        if rows.is_empty() {
            return String::new();
        }
        rows.sort_by(|a, b| by(b).total_cmp(&by(a)));
        let more = rows.len().saturating_sub(LISTED);
        let estimate = |r: &Row| match (r.estimate, r.visits) {
            (Some(advantage), _) => decimals(advantage),
            (None, 0) => "never tried".to_owned(),
            (None, _) => "expert not seen".to_owned(),
        };
        let lines = rows.iter().take(LISTED).map(|r| {
            [
                r.state_name.clone(),
                r.action.clone(),
                estimate(r),
                decimals(r.low),
                decimals(r.high),
                r.visits.to_string(),
            ]
        });
        let header = [
            "state",
            "action",
            "advantage over expert",
            "at least",
            "at most",
            "samples",
        ];
        let mut text = format!("\n{title}:\n{}", table(header, 2, lines));
        if more > 0 {
            text.push_str(&format!("and {more} more: --json lists them all\n"));
        }
        text
    }
}

fn pairs(n: usize) -> String {
    format!("{n} pair{}", if n == 1 { "" } else { "s" })
}

/// Intervals need no more than four decimals to be compared.
fn decimals(x: f64) -> String {
    format!("{x:.4}")
}

/// The verdicts on entering the cells of a grid.
pub fn draw(layout: &Layout, on_states: &[Verdict], guess: &[bool]) -> String {
    let map = map::draw(layout, |cell| {
        // States may share a cell: the strongest verdict on any of them is drawn.
        let states = layout.states_at(cell).iter();
        let marks = states.map(|s| match on_states[s.at()] {
            Verdict::Constrained => 'X',
            Verdict::Undecided if guess[s.at()] => 'x',
            Verdict::Undecided => '?',
            Verdict::Taken => 'o',
            Verdict::NoGain => '.',
        });
        let strength = |mark: &char| ".o?xX".find(*mark);
        match (marks.max_by_key(strength), layout.symbol(cell)) {
            // The true constraint is not drawn here.
            (Some(mark @ ('o' | '.')), 'x' | '.') => mark,
            (Some('o' | '.') | None, symbol) => symbol,
            (Some(mark), _) => mark,
        }
    });
    let legend = "X entering it is constrained, o the expert goes there, . nothing to gain there, ? undecided, x undecided but looks constrained";
    format!("{map}\n{legend}\n")
}
