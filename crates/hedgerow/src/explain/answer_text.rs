//! Answers as text: words, tables and drawings.

use super::answer::{Answer, Drawing, Shows};
use super::{Move, Place, Trajectory, TrajectoryEnd, VisitChange, Witness};
use crate::text::{map, number, table};
use std::collections::HashMap;

/// Moves, or changes of visits, listed; the value has them all.
const LISTED: usize = 8;

/// Changes of visits above this share of the largest are drawn on the map.
const VISIBLE: f64 = 0.05;

impl Answer {
    /// The answer as text, drawings beside each other where `width` columns have room for that.
    pub fn text(&self, width: usize) -> String {
        let drawing = self.drawing.as_ref();
        format!("{}\n{}", self.title, text(&self.shows, drawing, width))
    }
}

fn text(answer: &Shows, drawing: Option<&Drawing>, width: usize) -> String {
    match answer {
        Shows::Pair(None) => "This pair was never tried: nothing is known of it.\n".to_owned(),
        Shows::Pair(Some(witness)) => shown(witness, drawing, width),
        Shows::Place(explanation) => {
            let mut text = format!("{}\n", explanation.words);
            if !explanation.moves.is_empty() {
                text.push_str(&format!("\n{}", listed(&explanation.moves)));
            }
            if let Some(witness) = &explanation.witness {
                text.push_str(&format!("\n{}", shown(witness, drawing, width)));
            }
            text
        }
    }
}

fn listed(moves: &[Move]) -> String {
    let rows = moves.iter().take(LISTED).map(|m| {
        [
            m.from.name.clone(),
            m.action.clone(),
            m.verdict().to_owned(),
            number(m.probability),
            number(m.advantage),
        ]
    });
    let header = ["move from", "action", "verdict", "gets there", "advantage"];
    let mut text = table(header, 3, rows);
    let more = moves.len().saturating_sub(LISTED);
    if more > 0 {
        text.push_str(&format!("and {more} more: --json lists them all\n"));
    }
    text
}

/// What shows the advantage of a pair: two trajectories, or expected visits.
fn shown(witness: &Witness, drawing: Option<&Drawing>, width: usize) -> String {
    let mut text = match &witness.visits {
        Some(changes) => visits(witness, changes, drawing),
        None => trajectories(witness, drawing, width),
    };
    let row = |what: &str, a: f64, b: f64, gain: Option<f64>| {
        let gain = gain.map_or_else(String::new, number);
        [what.to_owned(), number(a), number(b), gain]
    };
    let mut rows = Vec::new();
    let (move_, expert) = (&witness.trajectory, &witness.expert);
    if let (None, Some(a), Some(b)) = (&witness.visits, move_.reward, expert.reward) {
        rows.push(row("along the trajectory", a, b, witness.gain_shown()));
        let (a, b) = (move_.probability, expert.probability);
        rows.push(row("probability of the trajectory", a, b, None));
    }
    let advantage = Some(witness.advantage);
    rows.push(row("expected", witness.q, witness.value, advantage));
    let header = ["discounted reward", "with the move", "expert", "gain"];
    text.push_str(&format!(
        "\n{}\n{}\n",
        table(header, 1, rows),
        witness.remark()
    ));
    text
}

/// The two trajectories: drawn beside each other if `width` has room, else one below the other.
fn trajectories(witness: &Witness, drawing: Option<&Drawing>, width: usize) -> String {
    let (action, start) = (&witness.action, &witness.start.name);
    let Some(drawing) = drawing else {
        return format!(
            "{action} in {start}, then as the expert (*), and the expert at once (o):\n\n* {}\no {}\n",
            in_line(&witness.trajectory),
            in_line(&witness.expert)
        );
    };
    let left = drawn(drawing, witness, &witness.trajectory, '*');
    let right = drawn(drawing, witness, &witness.expert, 'o');
    let legend = "\n@ start, * after the move, o the expert\n";
    match beside(&left, &right, width) {
        Some(both) => format!(
            "{action} in {start}, then as the expert (left), and the expert at once (right):\n\n{both}{legend}"
        ),
        None => format!(
            "{action} in {start}, then as the expert:\n\n{left}\nThe expert at once:\n\n{right}{legend}"
        ),
    }
}

fn drawn(drawing: &Drawing, witness: &Witness, shown: &Trajectory, mark: char) -> String {
    let cell = |place: &Place| place.cell;
    let mut marked: Vec<[usize; 2]> = shown.steps.iter().filter_map(|s| cell(&s.place)).collect();
    marked.extend(shown.last.as_ref().and_then(cell));
    map(&drawing.layout, |c| {
        let here = [c.row, c.column];
        if witness.start.cell == Some(here) {
            '@'
        } else if marked.contains(&here) {
            mark
        } else {
            drawing.symbol(c)
        }
    })
}

/// Two drawings beside each other; `None` if they are wider than `width` together.
fn beside(left: &str, right: &str, width: usize) -> Option<String> {
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max();
    let (first, second) = (widest(left)?, widest(right)?);
    let lines = left.lines().zip(right.lines());
    let both = || lines.map(|(l, r)| format!("{l:<first$}     {r}\n"));
    (first + 5 + second <= width).then(|| both().collect())
}

/// A trajectory as a line of states and actions.
fn in_line(shown: &Trajectory) -> String {
    let mut text = String::new();
    for step in &shown.steps {
        text.push_str(&format!("{} --{}--> ", step.place.name, step.action));
    }
    text.push_str(shown.last.as_ref().map_or("?", |place| &place.name));
    match shown.end {
        TrajectoryEnd::Terminal => {}
        TrajectoryEnd::Repeats(_) => text.push_str(", and round again"),
        TrajectoryEnd::Horizon => text.push_str(", and on"),
        TrajectoryEnd::Unknown => text.push_str(", and nobody knows how it goes on"),
    }
    text
}

/// How often every pair is expected to be taken, with the move and without.
fn visits(witness: &Witness, changes: &[VisitChange], drawing: Option<&Drawing>) -> String {
    let mut text = format!(
        "{} in {}, then as the expert, compared with the expert at once: what is done more often and less often.\n\n",
        witness.action, witness.start.name
    );
    if let Some(drawing) = drawing {
        text.push_str(&pictured(drawing, witness, changes));
        text.push_str("\n@ start, + visited more often after the move, - less often\n\n");
    }
    // The largest contributions come first, then the largest changes that contribute nothing.
    let chosen: Vec<&VisitChange> = changes.iter().take(LISTED).collect();
    let row = |c: &&VisitChange| {
        [
            c.place.name.clone(),
            c.action.clone(),
            number(c.with_move),
            number(c.expert),
            number(c.contribution),
        ]
    };
    let mut rows: Vec<[String; 5]> = chosen.iter().map(row).collect();
    let mut last = |what: String, those: &[VisitChange]| {
        let [a, b, c] = [(); 3].map(|()| String::new());
        rows.push([what, a, b, c, number(total(those, changes))]);
    };
    let rest = &changes[chosen.len()..];
    if !rest.is_empty() {
        last(format!("{} more (--json)", rest.len()), rest);
    }
    last("sum".to_owned(), changes);
    let header = [
        "state",
        "action",
        "discounted visits\nwith the move",
        "expert",
        "contributes\nto the gain",
    ];
    text.push_str(&table(header, 2, rows));
    text
}

/// What `those` of all changes contribute together, or 0 where that is rounding.
fn total(those: &[VisitChange], all: &[VisitChange]) -> f64 {
    let size: f64 = all.iter().map(|c| c.contribution.abs()).sum();
    let sum: f64 = those.iter().map(|c| c.contribution).sum();
    if sum.abs() > 1e-12 * size { sum } else { 0.0 }
}

/// The map with `+` and `-` where a state is visited more or less often by a share of the largest
/// change that can be seen.
fn pictured(drawing: &Drawing, witness: &Witness, changes: &[VisitChange]) -> String {
    let mut by_cell: HashMap<[usize; 2], f64> = HashMap::new();
    for change in changes {
        if let Some(cell) = change.place.cell {
            *by_cell.entry(cell).or_default() += change.change();
        }
    }
    if let Some(start) = witness.start.cell {
        by_cell.remove(&start);
    }
    let largest = by_cell.values().fold(0.0_f64, |m, c| m.max(c.abs()));
    map(&drawing.layout, |c| {
        let here = [c.row, c.column];
        let change = by_cell.get(&here).copied().unwrap_or(0.0);
        if witness.start.cell == Some(here) {
            '@'
        } else if change.abs() > VISIBLE * largest {
            if change > 0.0 { '+' } else { '-' }
        } else {
            drawing.symbol(c)
        }
    })
}
