//! A saved constraint as a figure and as a page of its own.
//!
//! ```
//! use hedgerow::constraint::Constraint;
//! use hedgerow::env::builtin;
//! use hedgerow::verdict::Scope;
//! use hedgerow_report::constraint::{figure, html};
//!
//! let environment = builtin::environment("gridworld-3")?;
//! let found = Constraint::exact(&environment, Scope::All)?;
//! assert!(figure(&found).is_some_and(|f| f.name == "constraint-gridworld-3"));
//! assert!(html(&found).contains(&found.promise));
//! # Ok::<(), hedgerow::Error>(())
//! ```

mod sign;
mod signs;

use crate::draw::Figure;
use crate::draw::legend::{self, Entry};
use crate::draw::svg::{Anchor, Svg, escape};
use crate::draw::text::TITLE;
use crate::draw::thinned::sentences;
use crate::number::signed;
use hedgerow::constraint::{Constraint, ConstraintPair, Method};
use hedgerow::verdict::{Scope, Verdict};
use sign::Sign;
use signs::Signs;

/// Room at the sides.
const MARGIN: f64 = 8.0;
/// Room for the numbers of rows and columns.
const NUMBERS: f64 = 14.0;
/// Room for the title.
const HEAD: f64 = 16.0;
/// Pairs in a table; the file has them all.
const LISTED: usize = 200;

/// The map with the verdict on entering every cell; `None` where there is no map. On a map with
/// more than 128 rows or columns a square stands for many cells.
pub fn figure(constraint: &Constraint) -> Option<Figure> {
    let signs = Signs::of(constraint)?;
    let side = signs.side();
    let wide = side * signs.columns as f64;
    let width = (wide + NUMBERS + 2.0 * MARGIN).max(252.0);
    let left = NUMBERS + (width - NUMBERS - wide) / 2.0;
    let mut svg = Svg::default();
    let title = format!("What the expert of {} keeps to", constraint.env);
    let head = (width / 2.0, MARGIN + 8.0);
    svg.text_within(head, &title, TITLE, Anchor::Middle, width - 2.0 * MARGIN);
    let bottom = signs.draw(&mut svg, (left, MARGIN + HEAD));
    let known = Sign::KNOWN.into_iter().filter(|s| signs.has(*s));
    let entries: Vec<Entry> = known
        .map(|s| Entry::square(s.name(), move |svg, square| s.draw(svg, square, None)))
        .collect();
    let sides = [MARGIN, width - MARGIN];
    let y = bottom + NUMBERS;
    let y = y + legend::draw(&mut svg, &entries, sides, y);
    let words: Vec<String> = signs.standing_for().into_iter().collect();
    let height = sentences(&mut svg, &words, sides, y) + MARGIN;
    let mut caption = format!("{} {}", origin(constraint), constraint.promise);
    for words in &words {
        caption += &format!(" {words}");
    }
    Some(Figure {
        name: format!("constraint-{}", constraint.env),
        svg: svg.finish(width, height, &title, &caption),
        title,
        caption,
    })
}

/// Where it comes from, in a sentence.
fn origin(constraint: &Constraint) -> String {
    let source = &constraint.source;
    match source.method {
        Method::Exact => "Inferred with known dynamics.".to_owned(),
        Method::Exploring => format!("Inferred by exploring, from {} samples.", source.samples),
        Method::Records => format!("Inferred from {} recorded transitions.", source.samples),
    }
}

/// A page without scripts or network: the map, what is promised, and the pairs.
pub fn html(constraint: &Constraint) -> String {
    let name = escape(&constraint.env);
    let map = figure(constraint).map_or_else(String::new, |f| {
        format!("<figure>{}</figure>\n", f.outlined())
    });
    let scope = match constraint.scope {
        Scope::All => "",
        Scope::Visited => {
            "<p>Verdicts are limited to states that the expert visits: with a soft budget nothing follows from the others.</p>\n"
        }
    };
    let warnings: String = constraint
        .warnings
        .iter()
        .map(|w| format!("<p class=\"warning\">Warning: {}</p>\n", escape(w)))
        .collect();
    let counts = format!(
        "<p>{} pairs constrained, {} taken by the expert, {} with nothing to gain, {} undecided ({} of these surely gain no more than the margin).</p>\n",
        constraint.constrained,
        constraint.taken,
        constraint.no_gain,
        constraint.undecided,
        constraint.negligible
    );
    let guessed = |p: &&ConstraintPair| p.looks_constrained && p.verdict == Verdict::Undecided;
    let tables = [
        table(constraint, "Constrained", |p| {
            p.verdict == Verdict::Constrained
        }),
        table(constraint, "Looks constrained (nothing is promised)", |p| {
            guessed(p)
        }),
        table(constraint, "Open", |p| p.open && !guessed(p)),
    ]
    .concat();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{name}: constraint</title>\n<style>{STYLE}</style>\n<main>\n\
         <h1>What the expert of {name} keeps to</h1>\n<p>{} <strong>{}</strong></p>\n\
         {scope}{map}{counts}{warnings}{tables}\
         <footer>Written by {}.</footer>\n</main>\n</html>\n",
        escape(&origin(constraint)),
        escape(&constraint.promise),
        escape(&constraint.source.program),
    )
}

fn table(constraint: &Constraint, title: &str, which: impl Fn(&&ConstraintPair) -> bool) -> String {
    let mut pairs: Vec<&ConstraintPair> = constraint.pairs.iter().filter(which).collect();
    if pairs.is_empty() {
        return String::new();
    }
    let by = |p: &ConstraintPair| p.estimate.unwrap_or(p.low);
    pairs.sort_by(|a, b| by(b).total_cmp(&by(a)));
    let more = pairs.len().saturating_sub(LISTED);
    let row = |p: &&ConstraintPair| {
        let estimate = p.estimate.map_or_else(|| "\u{2013}".to_owned(), signed);
        format!(
            "<tr><td>{}</td><td>{}</td><td>{estimate}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            escape(&p.state_name),
            escape(&p.action),
            signed(p.low),
            signed(p.high),
            p.visits
        )
    };
    let rows: String = pairs.iter().take(LISTED).map(row).collect();
    let rest = match more {
        0 => String::new(),
        n => format!("<p>And {n} more: the file has them all.</p>\n"),
    };
    format!(
        "<h2>{title}</h2>\n<div class=\"wide\"><table>\n<tr><th>state</th><th>action</th>\
         <th>advantage over expert</th><th>at least</th><th>at most</th><th>samples</th></tr>\n\
         {rows}</table></div>\n{rest}"
    )
}

const STYLE: &str = "
:root { color-scheme: light; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; }
main { max-width: 56rem; margin: 0 auto; padding: 1rem; }
figure { margin: 1.5rem 0; }
figure svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.75rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }
.warning { border-left: 4px solid #b2182b; padding-left: 0.75rem; }
footer { margin-top: 2rem; color: #555; font-size: 0.85rem; }
";
