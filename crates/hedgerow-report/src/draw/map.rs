//! A grid on paper: row 0 at the bottom.

use crate::draw::marks::circle;
use crate::draw::svg::{Anchor, Svg, number, path};
use crate::draw::text::{Font, SMALL};
use crate::draw::thinned::round_step;
use crate::theme::{self, INK};
use hedgerow::results::{EnvironmentFile, LayoutFile};
use std::collections::{BTreeMap, BTreeSet};

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellKind {
    /// Where episodes start.
    Start,
    /// A goal, by its symbol on the map.
    Goal(char),
    /// A wall.
    Wall,
    /// Passed one way only: up, to the right.
    OneWay(i8, i8),
    /// Charged by the true cost.
    Constraint,
    /// Part of the expert's time, of the most that it spends in one cell.
    Expert(f64),
    /// The start, where the ground has another meaning.
    StartDot,
    /// A goal, where the ground has another meaning; with its symbol where there are several.
    GoalDot(Option<char>),
    /// The edge of the true constraint.
    Edge,
    /// An end of a graph, in which nobody acts.
    End,
}

impl CellKind {
    /// The name in a legend.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start | Self::StartDot => "start",
            Self::Goal(_) | Self::GoalDot(_) => "goal",
            Self::Wall => "wall",
            Self::OneWay(..) => "one-way cell",
            Self::Constraint => "constraint cell",
            Self::Expert(_) => "where the expert spends its time",
            Self::Edge => "edge of the true constraint",
            Self::End => "end",
        }
    }

    /// How dark the ground is where the expert spends a share of the most time that it spends in
    /// one place.
    pub fn opacity(share: f64) -> f64 {
        0.7 * share.clamp(0.0, 1.0).sqrt()
    }

    /// Draws a cell of this kind.
    pub fn draw(self, svg: &mut Svg, square: [f64; 4]) {
        let [x, y, w, h] = square;
        let middle = (x + w / 2.0, y + h / 2.0);
        match self {
            Self::Start => letter(svg, square, theme::START, "S"),
            Self::Goal(symbol) => letter(svg, square, theme::GOAL, &symbol.to_string()),
            Self::Wall => fill(svg, square, theme::WALL),
            Self::OneWay(up, right) => {
                // A triangle that points the way, in screen coordinates.
                let (dx, dy) = (f64::from(right), -f64::from(up));
                let r = 0.3 * w.min(h);
                let at = |along: f64, across: f64| {
                    let x = middle.0 + r * (along * dx - across * dy);
                    (x, middle.1 + r * (along * dy + across * dx))
                };
                let triangle = [at(1.0, 0.0), at(-0.7, 0.9), at(-0.7, -0.9)];
                let look = format!("fill=\"{INK}\" fill-opacity=\"0.55\"");
                svg.path(&format!("{}Z", path(&triangle)), &look);
            }
            Self::Constraint => {
                fill(svg, square, theme::TRUTH);
                // Told from a wall in grey print.
                let stroke = "stroke=\"#ffffff\" stroke-width=\"0.6\" stroke-opacity=\"0.75\"";
                svg.path(&path(&[(x, y + h), (x + w, y)]), stroke);
            }
            Self::Expert(share) => {
                let opacity = number(Self::opacity(share));
                let look = format!("fill=\"{}\" fill-opacity=\"{opacity}\"", theme::TIME);
                svg.rect(square, &look);
            }
            Self::StartDot => {
                let look = format!(
                    "fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.4\"",
                    theme::START
                );
                svg.path(&circle(middle, 0.3 * w.min(h)), &look);
            }
            Self::End => Self::GoalDot(None).draw(svg, square),
            Self::GoalDot(symbol) => {
                let look = format!(
                    "fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.4\"",
                    theme::GOAL
                );
                let share = if symbol.is_some() { 0.5 } else { 0.38 };
                let ((x, y), r) = (middle, share * w.min(h));
                let diamond = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
                svg.path(&format!("{}Z", path(&diamond)), &look);
                if let Some(symbol) = symbol {
                    white(svg, square, &symbol.to_string());
                }
            }
            Self::Edge => svg.rect(
                [x + 0.6, y + 0.6, w - 1.2, h - 1.2],
                &format!("fill=\"#ffffff\" stroke=\"{INK}\" stroke-width=\"1\""),
            ),
        }
    }
}

fn fill(svg: &mut Svg, square: [f64; 4], colour: &str) {
    svg.rect(square, &format!("fill=\"{colour}\""));
}

fn letter(svg: &mut Svg, square: [f64; 4], colour: &str, letter: &str) {
    fill(svg, square, colour);
    white(svg, square, letter);
}

/// A white letter in the middle of a square that has room for it.
fn white(svg: &mut Svg, square: [f64; 4], letter: &str) {
    let [x, y, w, h] = square;
    let font = Font {
        size: (0.72 * w.min(h)).min(10.0),
        bold: true,
        colour: "#ffffff",
    };
    if font.size >= 6.0 {
        let at = (x + w / 2.0, y + h / 2.0 + 0.36 * font.size);
        svg.text(at, letter, font, Anchor::Middle);
    }
}

/// Whether a kind is a start or a goal.
fn is_sign(kind: CellKind) -> bool {
    use CellKind::{Goal, GoalDot, Start, StartDot};
    matches!(kind, Start | Goal(_) | StartDot | GoalDot(_))
}

/// The map of an environment with the size of a cell.
#[derive(Clone, Copy, Debug)]
pub struct Map<'a> {
    /// The environment.
    pub environment: &'a EnvironmentFile,
    /// Its drawing.
    pub layout: &'a LayoutFile,
    /// The left side on the sheet.
    pub left: f64,
    /// The upper side.
    pub top: f64,
    /// The side of a cell.
    pub cell: f64,
}

impl<'a> Map<'a> {
    /// The map within a square of `side`; `None` for an environment without one.
    pub fn within(environment: &'a EnvironmentFile, side: f64) -> Option<Self> {
        let layout = environment.layout.as_ref()?;
        let longest = layout.rows.max(layout.columns);
        (longest > 0).then(|| Self {
            environment,
            layout,
            left: 0.0,
            top: 0.0,
            cell: side / longest as f64,
        })
    }

    /// The width of all columns.
    pub fn width(&self) -> f64 {
        self.layout.columns as f64 * self.cell
    }

    /// The height of all rows.
    pub fn height(&self) -> f64 {
        self.layout.rows as f64 * self.cell
    }

    /// The square of a cell.
    pub fn square(&self, (row, column): (usize, usize)) -> [f64; 4] {
        let above = self.layout.rows.saturating_sub(row + 1) as f64;
        let x = self.left + column as f64 * self.cell;
        [x, self.top + above * self.cell, self.cell, self.cell]
    }

    /// The cell of a state.
    pub fn cell_of(&self, state: u32) -> Option<(usize, usize)> {
        *self.layout.cells.get(state as usize)?
    }

    /// Whether a square stands for many cells.
    fn is_thinned(&self) -> bool {
        self.layout.per_square > 1
    }

    /// Draws a kind of cell into its square. Squares of a thinned map are too small for start and
    /// goals, which are drawn as large as they have to be, and for a line across.
    pub fn draw(&self, svg: &mut Svg, cell: (usize, usize), kind: CellKind) {
        let square = self.square(cell);
        match kind {
            CellKind::Constraint if self.is_thinned() => fill(svg, square, theme::TRUTH),
            kind if self.is_thinned() && is_sign(kind) => {
                let side = match kind {
                    CellKind::Start | CellKind::Goal(_) => 9.0,
                    _ => 6.0,
                };
                kind.draw(svg, self.around(square, side));
            }
            kind => kind.draw(svg, square),
        }
    }

    /// A square of at least `side` around another one, within the map as far as it has room.
    fn around(&self, [x, y, w, h]: [f64; 4], side: f64) -> [f64; 4] {
        let side = side.max(w);
        let within = |middle: f64, from: f64, room: f64| {
            (middle - side / 2.0).min(from + room - side).max(from)
        };
        let x = within(x + w / 2.0, self.left, self.width());
        let y = within(y + h / 2.0, self.top, self.height());
        [x, y, side, side]
    }

    /// Start, goals, walls and arrows as the map has them.
    pub fn symbols(&self) -> Vec<((usize, usize), CellKind)> {
        let mut found = Vec::new();
        for (i, line) in self.layout.map.iter().enumerate() {
            let row = self.layout.rows.saturating_sub(i + 1);
            for (column, symbol) in line.chars().enumerate() {
                let kind = match symbol {
                    '.' | 'x' => continue,
                    '#' => CellKind::Wall,
                    'S' => CellKind::Start,
                    '^' => CellKind::OneWay(1, 0),
                    'v' => CellKind::OneWay(-1, 0),
                    '<' => CellKind::OneWay(0, -1),
                    '>' => CellKind::OneWay(0, 1),
                    goal => CellKind::Goal(goal),
                };
                found.push(((row, column), kind));
            }
        }
        if self.is_thinned() {
            // They are drawn larger than a square, and must not lie under the next one.
            found.sort_by_key(|(_, kind)| is_sign(*kind));
        }
        found
    }

    /// The same where the ground has another meaning: dots, with the symbols of goals only if
    /// there are several.
    pub fn dots(&self) -> Vec<((usize, usize), CellKind)> {
        let several = self.environment.goals().len() > 1;
        let dot = |kind: CellKind| match kind {
            CellKind::Start => CellKind::StartDot,
            CellKind::Goal(symbol) => CellKind::GoalDot(several.then_some(symbol)),
            other => other,
        };
        let symbols = self.symbols().into_iter();
        symbols.map(|(cell, kind)| (cell, dot(kind))).collect()
    }

    /// Entries of states on their cells; `both` says what becomes of several in one.
    pub fn by_cell(
        &self,
        entries: impl Iterator<Item = (u32, f64)>,
        both: fn(f64, f64) -> f64,
    ) -> BTreeMap<(usize, usize), f64> {
        let mut found: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for (state, value) in entries {
            if let Some(cell) = self.cell_of(state) {
                let there = found.get(&cell).copied();
                found.insert(cell, there.map_or(value, |there| both(there, value)));
            }
        }
        found
    }

    /// The map with all that is known of it; returns what is to be seen.
    pub fn whole(&self, svg: &mut Svg) -> Vec<CellKind> {
        let mut kinds = Vec::new();
        let time = self.environment.expert_cells.iter().copied();
        let time = self.by_cell(time, |a, b| a + b);
        let most = time.values().copied().fold(0.0, f64::max);
        for (&cell, share) in time.iter().filter(|_| most > 0.0) {
            self.draw(svg, cell, CellKind::Expert(share / most));
            kinds.push(CellKind::Expert(0.5));
        }
        let true_cells = self.true_cells();
        for &cell in &true_cells {
            self.draw(svg, cell, CellKind::Constraint);
            kinds.push(CellKind::Constraint);
        }
        self.lines(svg);
        for (cell, kind) in self.symbols() {
            self.draw(svg, cell, kind);
            kinds.push(kind);
        }
        self.edge(svg, &true_cells, 0.8);
        match self.is_thinned() {
            true => self.numbers_of_world(svg),
            false => self.numbers(svg),
        }
        kinds
    }

    /// The cells that the true cost charges.
    pub fn true_cells(&self) -> Vec<(usize, usize)> {
        let states = self.environment.true_cells.iter().copied();
        self.by_cell(states, f64::max).into_keys().collect()
    }

    /// Faint lines between the cells and a frame around them.
    pub fn lines(&self, svg: &mut Svg) {
        let mut data = String::new();
        let (right, bottom) = (self.left + self.width(), self.top + self.height());
        // Between squares of a thinned map they would be all that is seen.
        let inner = |n: usize| if self.is_thinned() { 1..1 } else { 1..n };
        for row in inner(self.layout.rows) {
            let y = self.top + row as f64 * self.cell;
            data += &path(&[(self.left, y), (right, y)]);
        }
        for column in inner(self.layout.columns) {
            let x = self.left + column as f64 * self.cell;
            data += &path(&[(x, self.top), (x, bottom)]);
        }
        if !data.is_empty() || !self.is_thinned() {
            svg.path(&data, "stroke=\"#c8c8c8\" stroke-width=\"0.3\"");
        }
        let frame = [self.left, self.top, self.width(), self.height()];
        let look = format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"0.6\"");
        svg.rect(frame, &look);
    }

    /// A line around some cells, not between them.
    pub fn edge(&self, svg: &mut Svg, cells: &[(usize, usize)], width: f64) {
        let all: BTreeSet<(usize, usize)> = cells.iter().copied().collect();
        let within = |row: Option<usize>, column: Option<usize>| match (row, column) {
            (Some(row), Some(column)) => all.contains(&(row, column)),
            _ => false,
        };
        let mut data = String::new();
        for &(row, column) in cells {
            let [x, y, w, h] = self.square((row, column));
            let (r, c) = (Some(row), Some(column));
            for (inside, from, to) in [
                (within(Some(row + 1), c), (x, y), (x + w, y)),
                (within(row.checked_sub(1), c), (x, y + h), (x + w, y + h)),
                (within(r, column.checked_sub(1)), (x, y), (x, y + h)),
                (within(r, Some(column + 1)), (x + w, y), (x + w, y + h)),
            ] {
                if !inside {
                    data += &path(&[from, to]);
                }
            }
        }
        if !data.is_empty() {
            let width = match self.is_thinned() {
                // What lies within is not to be covered.
                true => number(width.min(0.4 * self.cell).max(0.2)),
                false => number(width),
            };
            let look =
                format!("stroke=\"{INK}\" stroke-width=\"{width}\" stroke-linecap=\"square\"");
            svg.path(&data, &look);
        }
    }

    /// Round numbers of the rows and columns of the world, where a square stands for many.
    fn numbers_of_world(&self, svg: &mut Svg) {
        let per = self.layout.per_square;
        let every = round_step(20.0 * per as f64 / self.cell);
        let along = |n: usize| (0..n * per).step_by(every);
        let middle = |n: usize| (n as f64 + 0.5) / per as f64 * self.cell;
        let bottom = self.top + self.height();
        for row in along(self.layout.rows) {
            let at = (self.left - 3.0, bottom - middle(row) + 2.3);
            svg.text(at, &row.to_string(), SMALL, Anchor::End);
        }
        for column in along(self.layout.columns) {
            let at = (self.left + middle(column), bottom + 8.0);
            svg.text(at, &column.to_string(), SMALL, Anchor::Middle);
        }
    }

    /// Numbers of rows and columns, as many as there is room for.
    pub fn numbers(&self, svg: &mut Svg) {
        let every = (11.0 / self.cell).ceil().max(1.0) as usize;
        for row in (0..self.layout.rows).step_by(every) {
            let [x, y, _, h] = self.square((row, 0));
            let at = (x - 3.0, y + h / 2.0 + 2.3);
            svg.text(at, &row.to_string(), SMALL, Anchor::End);
        }
        let bottom = self.top + self.height();
        for column in (0..self.layout.columns).step_by(every) {
            let [x, _, w, _] = self.square((0, column));
            let at = (x + w / 2.0, bottom + 8.0);
            svg.text(at, &column.to_string(), SMALL, Anchor::Middle);
        }
    }
}
