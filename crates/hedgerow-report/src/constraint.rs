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

use crate::draw::Figure;
use crate::draw::legend::{self, Entry};
use crate::draw::svg::{Anchor, Svg, escape};
use crate::draw::text::{Font, SMALL, TITLE};
use crate::number::signed;
use crate::theme::{self, INK};
use hedgerow::constraint::{Constraint, ConstraintPair, Method};
use hedgerow::env::{Cell, Layout};
use hedgerow::verdict::{Scope, Verdict};

/// Room at the sides.
const MARGIN: f64 = 8.0;
/// Room for the numbers of rows and columns.
const NUMBERS: f64 = 14.0;
/// Room for the title.
const HEAD: f64 = 16.0;
/// Pairs in a table; the file has them all.
const LISTED: usize = 200;

/// What is known of entering a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Constrained,
    Looks,
    Undecided,
    Taken,
    NoGain,
    Wall,
}

impl Sign {
    const KNOWN: [Self; 6] = [
        Self::Constrained,
        Self::Looks,
        Self::Undecided,
        Self::Taken,
        Self::NoGain,
        Self::Wall,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Constrained => "entering is constrained",
            Self::Looks => "undecided, looks constrained",
            Self::Undecided => "undecided",
            Self::Taken => "the expert goes there",
            Self::NoGain => "nothing to gain",
            Self::Wall => "wall",
        }
    }

    /// Ground, letter and its colour: a sign besides the colour, for those who see none.
    fn look(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Constrained => (theme::TRUTH, "X", "#ffffff"),
            Self::Looks => ("#f6d5d9", "x", INK),
            Self::Undecided => (theme::FAINT, "?", INK),
            Self::Taken => ("#cfe0f1", "o", INK),
            Self::NoGain => ("#ffffff", "\u{b7}", INK),
            Self::Wall => (theme::WALL, "", INK),
        }
    }

    fn draw(self, svg: &mut Svg, [x, y, w, h]: [f64; 4], letter: Option<char>) {
        let (ground, sign, colour) = self.look();
        let look = format!("fill=\"{ground}\" stroke=\"#9a9a9a\" stroke-width=\"0.4\"");
        svg.rect([x, y, w, h], &look);
        let font = Font {
            size: (0.62 * h).min(11.0),
            bold: true,
            colour,
        };
        let at = (x + w / 2.0, y + h / 2.0 + 0.36 * font.size);
        svg.text(at, sign, font, Anchor::Middle);
        if let Some(letter) = letter {
            let small = Font {
                size: (0.34 * h).min(6.5),
                ..font
            };
            let at = (x + 0.08 * w, y + 0.36 * h);
            svg.text(at, &letter.to_string(), small, Anchor::Start);
        }
    }
}

fn sign(constraint: &Constraint, layout: &Layout, cell: Cell) -> Sign {
    if layout.states_at(cell).is_empty() {
        return Sign::Wall;
    }
    let Some(cells) = &constraint.cells else {
        return Sign::Undecided;
    };
    let is = |list: &[[usize; 2]]| list.contains(&[cell.row, cell.column]);
    match () {
        () if is(&cells.constrained) => Sign::Constrained,
        () if is(&cells.undecided) && is(&cells.guessed) => Sign::Looks,
        () if is(&cells.undecided) => Sign::Undecided,
        () if is(&cells.taken) => Sign::Taken,
        () => Sign::NoGain,
    }
}

/// The map with the verdict on entering every cell; `None` where there is no map.
pub fn figure(constraint: &Constraint) -> Option<Figure> {
    let layout = constraint.layout.as_ref()?.layout()?;
    let side = (220.0 / layout.rows().max(layout.columns()) as f64).clamp(4.0, 26.0);
    let wide = side * layout.columns() as f64;
    let width = (wide + NUMBERS + 2.0 * MARGIN).max(252.0);
    let left = NUMBERS + (width - NUMBERS - wide) / 2.0;
    let top = MARGIN + HEAD;
    let mut svg = Svg::default();
    let title = format!("What the expert of {} keeps to", constraint.env);
    let head = (width / 2.0, MARGIN + 8.0);
    svg.text_within(head, &title, TITLE, Anchor::Middle, width - 2.0 * MARGIN);
    let mut met = Vec::new();
    for row in 0..layout.rows() {
        let y = top + side * (layout.rows() - 1 - row) as f64;
        if side >= 8.0 {
            let at = (left - 4.0, y + side / 2.0 + 2.3);
            svg.text(at, &row.to_string(), SMALL, Anchor::End);
        }
        for column in 0..layout.columns() {
            let cell = Cell { row, column };
            let sign = sign(constraint, &layout, cell);
            met.push(sign);
            // The true constraint is not drawn: this is what was found out.
            let letter = match layout.symbol(cell) {
                '.' | '#' | 'x' => None,
                symbol => Some(symbol),
            };
            let square = [left + side * column as f64, y, side, side];
            sign.draw(&mut svg, square, letter.filter(|_| side >= 12.0));
        }
    }
    let bottom = top + side * layout.rows() as f64;
    for column in (0..layout.columns()).filter(|_| side >= 8.0) {
        let x = left + side * (column as f64 + 0.5);
        svg.text(
            (x, bottom + 9.0),
            &column.to_string(),
            SMALL,
            Anchor::Middle,
        );
    }
    let known = Sign::KNOWN.into_iter().filter(|s| met.contains(s));
    let entries: Vec<Entry> = known
        .map(|s| Entry::square(s.name(), move |svg, square| s.draw(svg, square, None)))
        .collect();
    let y = bottom + NUMBERS;
    let height = y + legend::draw(&mut svg, &entries, [MARGIN, width - MARGIN], y) + MARGIN;
    let caption = format!("{} {}", origin(constraint), constraint.promise);
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
