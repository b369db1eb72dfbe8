//! A constraint as text: headline, map, summary and tables, for readers.

use super::{Constraint, ConstraintPair as Row, Method};
use crate::env::Layout;
use crate::run::Stop;
use crate::text::{map, number, table};
use crate::verdict::{Scope, Verdict};

/// Pairs listed; the file has them all.
const LISTED: usize = 20;

impl Constraint {
    /// The answer as text. Where no reward was ever `earned` nothing tells actions apart, and the
    /// text says so: [`crate::learn::Learner::has_earned`].
    pub fn text(&self, earned: bool) -> String {
        let mut text = format!("{}: {}\n", self.env, self.headline(earned));
        if earned {
            text.push_str(&format!("{}\n", self.promise));
            if let Some(know) = self.know {
                text.push_str(&format!("{}\n", know.sentence()));
            }
            text.push_str(&self.progress());
        }
        let layout = self.layout.as_ref().and_then(|l| l.layout());
        if let Some(layout) = layout {
            text.push_str(&format!("\n{}", draw(&layout, self)));
        }
        text.push_str(&format!("\n{}", self.summary()));
        for warning in &self.warnings {
            text.push_str(&format!("warning: {warning}\n"));
        }
        text.push_str(&self.summed_up());
        let constrained = |r: &&Row| r.verdict == Verdict::Constrained;
        text.push_str(&self.listed("constrained", constrained, |r| r.low));
        let guessed = |r: &&Row| r.looks_constrained && r.verdict == Verdict::Undecided;
        text.push_str(&self.listed(
            "look constrained (an estimate, nothing is promised)",
            guessed,
            |r| r.estimate.unwrap_or(r.low),
        ));
        let open = |r: &&Row| r.open && !guessed(r);
        text.push_str(&self.listed("open", open, |r| r.high));
        text
    }

    /// What was found when, and how that compares with what anybody needs.
    fn progress(&self) -> String {
        let mut text = String::new();
        let percent = |p: f64| (p * 1e8).round() / 1e6;
        if let (Some(explained), Some(criteria)) = (self.explained, self.criteria) {
            text.push_str(&format!(
                "With probability at least {}, the best policy that keeps to the constrained pairs earns at most {} more and at most {} less than the expert from the start.\n",
                percent(criteria.confidence) / 100.0,
                number(explained.at_most_above),
                number(explained.at_most_below),
            ));
        }
        if let (Some(samples), Some(most)) =
            (self.samples_until_constrained, self.others_gain_at_most)
        {
            text.push_str(&format!(
                "Every constrained pair was found after {samples} samples, when no other could gain more than {}.\n",
                number(most)
            ));
        }
        if let Some(least) = self.least_samples {
            let times = |samples: u64, least: f64| number((samples as f64 / least).round());
            let found = self
                .samples_until_constrained
                .unwrap_or(self.source.samples);
            text.push_str(&format!(
                "No algorithm does with fewer than {} samples for the constrained pairs and {} for all: {} and {} times as many were taken.\n",
                number(least.constrained.round()),
                number(least.settled.round()),
                times(found, least.constrained),
                times(self.source.samples, least.settled),
            ));
        }
        text
    }

    fn summary(&self) -> String {
        let mut text = format!(
            "{} constrained, {} taken by the expert, {} with nothing to gain, {} undecided",
            pairs(self.constrained),
            self.taken,
            self.no_gain,
            self.undecided,
        );
        if let Some(criteria) = self.criteria.filter(|_| self.negligible > 0) {
            text.push_str(&format!(
                " ({} of these have an advantage of surely at most {})",
                self.negligible,
                number(criteria.tolerance + criteria.margin),
            ));
        }
        text.push('\n');
        if self.scope == Scope::Visited {
            let outside = |p: &&Row| !p.in_scope && p.verdict != Verdict::Taken;
            let out = self.pairs.iter().filter(outside).count();
            text.push_str(&format!(
                "verdicts are limited to states that the expert was seen to reach: {} elsewhere get none; --scope all asks for them\n",
                pairs(out)
            ));
        }
        if let (Some(Stop::Samples), Some(criteria), 1..) =
            (self.source.stop, self.criteria, self.open)
        {
            text.push_str(&format!(
                "more samples, a larger --margin (now {}) or a declared value_range would decide more\n",
                number(criteria.margin)
            ));
        }
        if !self.unreached_states.is_empty() {
            let n = self.unreached_states.len();
            text.push_str(&format!("{n} states were never reached\n"));
        }
        if let Some(states) = &self.states {
            let named = |s: &usize| self.state_names.get(*s).map(String::as_str);
            let names: Vec<&str> = states.constrained.iter().filter_map(named).collect();
            if !names.is_empty() {
                text.push_str(&format!("entering is constrained: {}\n", names.join(", ")));
            }
        }
        text
    }

    fn headline(&self, earned: bool) -> String {
        let (samples, open) = (self.source.samples, self.open);
        if !earned {
            let what = match self.source.stop {
                None => format!("{samples} recorded transitions"),
                Some(_) => format!("{samples} samples"),
            };
            return format!(
                "no reward was reached in {what}, so nothing tells actions apart; check that a goal can be reached from the start"
            );
        }
        if self.source.method == Method::Exact {
            return "inferred with known dynamics".to_owned();
        }
        match self.source.stop {
            Some(Stop::Decided) => format!("all that matters is decided after {samples} samples"),
            Some(Stop::Explained) => format!("the expert is explained after {samples} samples"),
            Some(Stop::Samples) => format!("{samples} samples used up, {} open", pairs(open)),
            Some(_) => format!("interrupted after {samples} samples, {} open", pairs(open)),
            None => format!("{samples} recorded transitions, {} open", pairs(open)),
        }
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
fn draw(layout: &Layout, constraint: &Constraint) -> String {
    let Some(cells) = &constraint.cells else {
        return String::new();
    };
    let map = map(layout, |cell| {
        if layout.states_at(cell).is_empty() {
            return layout.symbol(cell);
        }
        let at = [cell.row, cell.column];
        let is = |list: &[[usize; 2]]| list.binary_search(&at).is_ok();
        if is(&cells.constrained) {
            return 'X';
        }
        if is(&cells.undecided) {
            return if is(&cells.guessed) { 'x' } else { '?' };
        }
        // The true constraint is not drawn here.
        match layout.symbol(cell) {
            'x' | '.' if is(&cells.taken) => 'o',
            'x' => '.',
            symbol => symbol,
        }
    });
    let legend = "X entering it is constrained, o the expert goes there, . nothing to gain there, ? undecided, x undecided but looks constrained";
    format!("{map}\n{legend}\n")
}
