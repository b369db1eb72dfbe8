//! A model drawn as a graph: names at their places, and arrows.

use crate::problems::plain;
use hedgerow::env::Graph;
use hedgerow::index::State;
use hedgerow::model::Task;
use std::collections::BTreeSet;

/// The longest name that is drawn; longer ones are cut.
const LONGEST: usize = 14;

/// Columns between two names for an arrow.
const BETWEEN: usize = 5;

/// More arrows than these would cover each other.
const ARROWS: usize = 80;

/// The tallest drawing, in lines.
const TALLEST: usize = 60;

/// The drawing in at most `width` columns, every state with its mark and its name, its index where
/// names have no room, or the marks alone; `None` if even they have none.
pub fn draw(
    graph: &Graph,
    task: &Task,
    width: usize,
    mark: impl Fn(State) -> char,
) -> Option<String> {
    let states: Vec<(State, f64, f64)> = task
        .all_states()
        .filter_map(|s| graph.positions().of(s).map(|(x, y)| (s, x, y)))
        .collect();
    let names = |name: &dyn Fn(State) -> String| -> Vec<String> {
        let label = |(s, ..): &(State, f64, f64)| format!("{} {}", mark(*s), name(*s));
        states.iter().map(label).collect()
    };
    let full = names(&|s| cut(&plain(&task.state_name(s))));
    let short = names(&|s| s.at().to_string());
    let framed = [full, short].into_iter().find_map(|labels| {
        let frame = Frame::new(graph, &states, &labels, width)?;
        Some((labels, frame))
    });
    let Some((labels, frame)) = framed else {
        return marks(graph, task, width, mark);
    };
    let mut canvas = Canvas::default();
    let mut places = vec![None; task.states()];
    for ((s, x, y), label) in states.iter().zip(&labels) {
        places[s.at()] = Some(canvas.put(frame.column(*x), frame.line(*y), label));
    }
    let links: BTreeSet<(usize, usize)> = graph
        .edges()
        .iter()
        .map(|(pair, next, _)| (task.state_of(*pair).at(), next.at()))
        .filter(|(from, to)| from != to)
        .collect();
    if links.len() <= ARROWS {
        for (from, to) in links {
            if let (Some(from), Some(to)) = (places[from], places[to]) {
                canvas.arrow(from, to);
            }
        }
    }
    Some(canvas.text())
}

/// The marks alone, where names have no room.
fn marks(graph: &Graph, task: &Task, width: usize, mark: impl Fn(State) -> char) -> Option<String> {
    let cells = graph.on_cells(task);
    let fits = 2 * cells.columns() <= width + 1;
    let text = cells.draw(|cell| cells.state_at(cell).map_or(' ', &mark));
    let lines = text.lines().map(|line| format!("{}\n", line.trim_end()));
    fits.then(|| lines.collect())
}

fn cut(name: &str) -> String {
    match name.chars().count() > LONGEST {
        true => name.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

/// How positions become columns and lines.
struct Frame {
    left: f64,
    top: f64,
    across: f64,
    down: f64,
}

impl Frame {
    /// The frame in which all labels have room; `None` if `width` has not enough.
    fn new(
        graph: &Graph,
        states: &[(State, f64, f64)],
        labels: &[String],
        width: usize,
    ) -> Option<Self> {
        let label = labels.iter().map(|l| l.chars().count()).max()?;
        let bounds = |of: fn(&(State, f64, f64)) -> f64| {
            let least = states.iter().map(of).fold(f64::INFINITY, f64::min);
            let most = states.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
            (least, most - least)
        };
        let ((left, wide), (bottom, tall)) = (bounds(|s| s.1), bounds(|s| s.2));
        let room = width.checked_sub(label)? as f64;
        let (across, down) = if graph.automatic() {
            // Columns are 1 apart, and states of a column too.
            let across = (label + BETWEEN) as f64;
            if across * wide > room {
                return None;
            }
            (across, 2.0)
        } else {
            let across = if wide > 0.0 {
                room.min(72.0) / wide
            } else {
                1.0
            };
            // A character is about twice as tall as it is wide.
            let down = if wide > 0.0 { across / 2.0 } else { 2.0 };
            // Two lines a state are enough for any drawing to be read.
            let lines = (2 * states.len()).min(TALLEST) as f64;
            let most = if tall > 0.0 { lines / tall } else { down };
            (across, down.min(most))
        };
        Some(Self {
            left,
            top: bottom + tall,
            across,
            down,
        })
    }

    fn column(&self, x: f64) -> usize {
        ((x - self.left) * self.across).round() as usize
    }

    fn line(&self, y: f64) -> usize {
        ((self.top - y) * self.down).round() as usize
    }
}

/// Where a label stands: line, first column, column after the last.
type Place = (usize, usize, usize);

#[derive(Default)]
struct Canvas {
    lines: Vec<Vec<char>>,
}

impl Canvas {
    fn at(&mut self, line: usize, column: usize) -> &mut char {
        if self.lines.len() <= line {
            self.lines.resize(line + 1, Vec::new());
        }
        let line = &mut self.lines[line];
        if line.len() <= column {
            line.resize(column + 1, ' ');
        }
        &mut line[column]
    }

    fn blank(&self, line: usize, column: usize) -> bool {
        let there = self.lines.get(line).and_then(|l| l.get(column));
        there.is_none_or(|&c| c == ' ')
    }

    /// Writes a label, on the first line from `line` on where it has room.
    fn put(&mut self, column: usize, line: usize, label: &str) -> Place {
        let end = column + label.chars().count();
        let around = column.saturating_sub(1)..end + 1;
        let fits = |line: &usize| around.clone().all(|c| self.blank(*line, c));
        let line = (line..).find(fits).unwrap_or(line);
        for (i, c) in label.chars().enumerate() {
            *self.at(line, column + i) = c;
        }
        (line, column, end)
    }

    /// A dotted line from one label to another with a head at its end.
    fn arrow(&mut self, from: Place, to: Place) {
        let middle = |p: Place| (p.1 + p.2) / 2;
        let (start, end, head) = if to.1 > from.2 {
            (from.2, to.1 - 1, '>')
        } else if to.2 < from.1 {
            (from.1.saturating_sub(1), to.2, '<')
        } else {
            (
                middle(from),
                middle(to),
                if to.0 > from.0 { 'v' } else { '^' },
            )
        };
        let (dx, dy) = (end as f64 - start as f64, to.0 as f64 - from.0 as f64);
        let steps = dx.abs().max(dy.abs()).max(1.0) as usize;
        let mut last = None;
        for i in 0..=steps {
            let share = i as f64 / steps as f64;
            let column = (start as f64 + share * dx).round() as usize;
            let line = (from.0 as f64 + share * dy).round() as usize;
            if self.blank(line, column) || "·<>^v".contains(*self.at(line, column)) {
                last = Some((line, column));
                if self.blank(line, column) {
                    *self.at(line, column) = '·';
                }
            }
        }
        if let Some((line, column)) = last {
            *self.at(line, column) = head;
        }
    }

    fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| {
            let line: String = line.iter().collect();
            format!("{}\n", line.trim_end())
        });
        lines.collect()
    }
}
