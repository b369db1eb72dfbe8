//! A maze on paper: metres instead of cells.

use crate::payload::MazeGeometry;
use hedgerow::results::EnvironmentFile;
use hedgerow_report::draw::legend::Entry;
use hedgerow_report::draw::map::{CellKind, Map};
use hedgerow_report::draw::marks::circle;
use hedgerow_report::draw::panel::X_NUMBERS;
use hedgerow_report::draw::scale::Scale;
use hedgerow_report::draw::svg::{Anchor, Svg, number, path};
use hedgerow_report::draw::text::SMALL;
use hedgerow_report::theme::{self, INK};

/// What is drawn in a maze besides walls and points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sign {
    /// Where episodes start.
    Start,
    /// Where they end.
    Goal,
    /// A cell that the true constraint charges.
    Constraint,
    /// A trajectory of the expert.
    Trajectory,
    /// A tile where nothing was seen.
    Unseen,
}

impl Sign {
    /// Its entry in a legend.
    pub fn entry(self) -> Entry<'static> {
        Entry::square(self.name(), move |svg, square| self.sample(svg, square))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Start => "where episodes start",
            Self::Goal => "goal",
            Self::Constraint => "true constraint cell",
            Self::Trajectory => "trajectories of the expert",
            Self::Unseen => "nothing seen",
        }
    }

    fn sample(self, svg: &mut Svg, [x, y, w, h]: [f64; 4]) {
        let middle = (x + w / 2.0, y + h / 2.0);
        match self {
            Self::Start => start(svg, [x + 1.5, y + 1.5, w - 3.0, h - 3.0]),
            Self::Goal => goal(svg, middle, w / 2.0 - 0.8),
            Self::Constraint => constraint(svg, [x + 0.6, y + 0.6, w - 1.2, h - 1.2]),
            Self::Trajectory => trajectory(svg, &[(x, y + h / 2.0), (x + w, y + h / 2.0)]),
            Self::Unseen => {
                let look = "fill=\"#ffffff\" stroke=\"#c8c8c8\" stroke-width=\"0.5\"";
                svg.rect([x + 0.5, y + 0.5, w - 1.0, h - 1.0], look);
            }
        }
    }
}

/// A maze on the sheet. Of walls around it only their inner edge is shown.
#[derive(Clone, Debug)]
pub(super) struct Ground<'a> {
    /// The whole map; where it lies is set by [`Ground::clipped`].
    map: Map<'a>,
    pub geometry: MazeGeometry,
    /// What is shown, in cells from the upper left corner: left, top, width, height.
    window: [f64; 4],
}

/// How far walls reach into their neighbours, in points.
const SEAM: f64 = 0.2;
/// Length of a tick.
const TICK: f64 = 2.5;
/// Room below a maze for the numbers of its axis and its label, and to its left.
pub(super) const BELOW: f64 = 20.0;
pub(super) const BESIDE: f64 = 28.0;
/// What the axes measure.
pub(super) const X_LABEL: &str = "x (m)";
pub(super) const Y_LABEL: &str = "y (m)";

/// How much of a wall around the maze is shown, in cells.
const RIM: f64 = 0.3;

impl<'a> Ground<'a> {
    /// The maze with its longer side `side` points long; `None` if it is none that can be drawn.
    pub fn within(environment: &'a EnvironmentFile, side: f64) -> Option<Self> {
        let mut map = Map::within(environment, 1.0)?;
        let geometry: MazeGeometry = environment.geometry.as_ref()?.read().ok()?;
        if geometry.cell <= 0.0 {
            return None;
        }
        let window = window(&map);
        map.cell = side / window[2].max(window[3]);
        Some(Self {
            map,
            geometry,
            window,
        })
    }

    /// The width on the sheet.
    pub fn width(&self) -> f64 {
        self.window[2] * self.map.cell
    }

    /// The height on the sheet.
    pub fn height(&self) -> f64 {
        self.window[3] * self.map.cell
    }

    /// Makes all of it smaller or larger.
    pub fn resize(&mut self, factor: f64) {
        self.map.cell *= factor;
    }

    /// What `draw` draws with its upper left corner at `left`, `top`, and nothing around it.
    pub fn clipped(
        &self,
        svg: &mut Svg,
        [left, top]: [f64; 2],
        draw: impl FnOnce(&mut Svg, &Self),
    ) {
        let mut moved = self.clone();
        moved.map.left = -self.window[0] * self.map.cell;
        moved.map.top = -self.window[1] * self.map.cell;
        let place = [left, top, self.width(), self.height()];
        svg.clipped(place, |svg| draw(svg, &moved));
        let look = format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"0.6\"");
        svg.rect(place, &look);
    }

    /// Ticks in metres below the maze and, if `left_too`, to its left; what is drawn there begins at `left`,
    /// `top` as in [`Ground::clipped`]. The corner of the map may lie anywhere: these are the coordinates that
    /// observations have.
    pub fn axes(&self, svg: &mut Svg, [left, top]: [f64; 2], left_too: bool) {
        let [x, y] = self.spans();
        let (w, h) = (self.width(), self.height());
        let bottom = top + h;
        for tick in x.ticks((w / 21.0) as usize) {
            if tick.label.is_empty() {
                continue;
            }
            let at = left + x.place(tick.value) * w;
            svg.line((at, bottom), (at, bottom + TICK), INK, 0.6);
            let place = (at, bottom + X_NUMBERS);
            svg.text(place, &tick.label, SMALL, Anchor::Middle);
        }
        for tick in y.ticks((h / 18.0) as usize) {
            if tick.label.is_empty() {
                continue;
            }
            let at = bottom - y.place(tick.value) * h;
            svg.line((left - TICK, at), (left, at), INK, 0.6);
            if left_too {
                let place = (left - TICK - 1.5, at + 2.3);
                svg.text(place, &tick.label, SMALL, Anchor::End);
            }
        }
    }

    /// The coordinates that are shown, in metres.
    fn spans(&self) -> [Scale; 2] {
        let [left, top, width, height] = self.window.map(|cells| cells * self.geometry.cell);
        let [x, y] = self.geometry.corner;
        let high = y + self.geometry.cell * self.map.layout.rows as f64 - top;
        [
            Scale::linear(x + left, x + left + width),
            Scale::linear(high - height, high),
        ]
    }

    /// The lower left corner of the map where [`Ground::clipped`] has put it.
    pub fn corner(&self) -> (f64, f64) {
        (self.map.left, self.map.top + self.map.height())
    }

    /// Whether there are walls.
    pub fn walled(&self) -> bool {
        self.map.symbols().iter().any(|(_, k)| *k == CellKind::Wall)
    }

    /// Points of the sheet per metre.
    pub fn scale(&self) -> f64 {
        self.map.cell / self.geometry.cell
    }

    /// Where a point of the maze lies on the sheet.
    pub fn point(&self, [x, y]: [f64; 2]) -> (f64, f64) {
        let [left, bottom] = self.geometry.corner;
        let map = &self.map;
        let up = (y - bottom) * self.scale();
        (
            map.left + (x - left) * self.scale(),
            map.top + map.height() - up,
        )
    }

    /// The square about a point of the maze, `half` metres to each side.
    fn square(&self, middle: [f64; 2], half: f64) -> [f64; 4] {
        let (x, y) = self.point(middle);
        let half = half * self.scale();
        [x - half, y - half, 2.0 * half, 2.0 * half]
    }

    /// The walls, as one shape without seams.
    pub fn walls(&self, svg: &mut Svg) {
        let cells = self.map.symbols().into_iter();
        let walls = cells.filter(|(_, kind)| *kind == CellKind::Wall);
        let square = |(cell, _)| {
            let [x, y, w, h] = self.map.square(cell);
            // Neighbours overlap a little: rounding would leave lines of light between them.
            let (w, h) = (w + SEAM, h + SEAM);
            let (x, y, w, h) = (number(x), number(y), number(w), number(h));
            format!("M{x} {y}h{w}v{h}h-{w}z")
        };
        let data: String = walls.map(square).collect();
        if !data.is_empty() {
            let look = format!("fill=\"{}\" shape-rendering=\"crispEdges\"", theme::WALL);
            svg.path(&data, &look);
        }
    }

    /// The task: start, goal and the trajectories of the expert.
    pub fn task(&self, svg: &mut Svg) {
        let maze = &self.geometry;
        for &at in &maze.starts {
            start(svg, self.square(at, maze.start_noise.max(0.05)));
        }
        for &at in &maze.goals {
            goal(svg, self.point(at), maze.goal_radius * self.scale());
        }
        for path in &maze.paths {
            let points: Vec<(f64, f64)> = path.iter().map(|p| self.point(*p)).collect();
            trajectory(svg, &points);
        }
    }

    /// The edge of the true constraint.
    pub fn truth(&self, svg: &mut Svg) {
        for &middle in &self.geometry.constraints {
            constraint(svg, self.square(middle, self.geometry.cell / 2.0));
        }
    }

    /// Start, goal and constraint without their ground, with a light edge: they stand on colours.
    pub fn outlines(&self, svg: &mut Svg) {
        let maze = &self.geometry;
        for halo in [true, false] {
            let look = |colour: &str| match halo {
                true => "fill=\"none\" stroke=\"#ffffff\" stroke-width=\"2.4\"".to_owned(),
                false => format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\""),
            };
            for &at in &maze.starts {
                let square = self.square(at, maze.start_noise.max(0.05));
                svg.rect(square, &look(theme::START));
            }
            for &at in &maze.goals {
                let shape = circle(self.point(at), maze.goal_radius * self.scale());
                svg.path(&shape, &look(theme::GOAL));
            }
            for &at in &maze.constraints {
                let square = self.square(at, maze.cell / 2.0);
                match halo {
                    true => svg.rect(square, &look("")),
                    false => constraint(svg, square),
                }
            }
        }
    }

    /// Whether a ball at this point lies in a constraint cell or touches it.
    pub fn touches(&self, [x, y]: [f64; 2]) -> bool {
        let reach = self.geometry.cell / 2.0 + self.geometry.radius;
        let near = |c: &[f64; 2]| (x - c[0]).abs() <= reach && (y - c[1]).abs() <= reach;
        self.geometry.constraints.iter().any(near)
    }

    /// What a legend has to explain.
    pub fn signs(&self) -> Vec<Sign> {
        let maze = &self.geometry;
        let there = [
            (Sign::Start, maze.starts.is_empty()),
            (Sign::Goal, maze.goals.is_empty()),
            (Sign::Constraint, maze.constraints.is_empty()),
            (Sign::Trajectory, maze.paths.is_empty()),
        ];
        let there = there.into_iter().filter(|(_, missing)| !missing);
        there.map(|(sign, _)| sign).collect()
    }
}

/// The open cells and a little of the walls around them, in cells.
fn window(map: &Map) -> [f64; 4] {
    let (rows, columns) = (map.layout.rows as f64, map.layout.columns as f64);
    let open: Vec<(usize, usize)> = map.layout.cells.iter().copied().flatten().collect();
    let span = |of: fn(&(usize, usize)) -> usize, most: f64| {
        let low = open.iter().map(of).min().map_or(0.0, |l| l as f64 - RIM);
        let high = open.iter().map(of).max();
        let high = high.map_or(most, |h| h as f64 + 1.0 + RIM);
        (low.max(0.0), high.min(most))
    };
    let ((bottom, top), (left, right)) = (span(|c| c.0, rows), span(|c| c.1, columns));
    [left, rows - top, right - left, top - bottom]
}

fn start(svg: &mut Svg, square: [f64; 4]) {
    let colour = theme::START;
    let look =
        format!("fill=\"{colour}\" fill-opacity=\"0.3\" stroke=\"{colour}\" stroke-width=\"0.9\"");
    svg.rect(square, &look);
}

fn goal(svg: &mut Svg, middle: (f64, f64), radius: f64) {
    let colour = theme::GOAL;
    let look =
        format!("fill=\"{colour}\" fill-opacity=\"0.15\" stroke=\"{colour}\" stroke-width=\"0.9\"");
    svg.path(&circle(middle, radius), &look);
}

fn constraint(svg: &mut Svg, square: [f64; 4]) {
    let look = format!(
        "fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\" stroke-dasharray=\"3 1.5\"",
        theme::TRUTH
    );
    svg.rect(square, &look);
}

fn trajectory(svg: &mut Svg, points: &[(f64, f64)]) {
    let look = format!(
        "stroke=\"{}\" stroke-width=\"0.6\" stroke-opacity=\"0.8\" stroke-linejoin=\"round\"",
        theme::EXPERT
    );
    svg.path(&path(points), &look);
}
