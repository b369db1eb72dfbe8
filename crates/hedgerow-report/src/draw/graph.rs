//! A model on paper that lies on no grid: circles at their positions, and arrows.

use crate::draw::map::CellKind;
use crate::draw::marks::circle;
use crate::draw::svg::{Anchor, Svg, number, path};
use crate::draw::text::{self, SMALL};
use crate::theme::INK;
use hedgerow::results::{EnvironmentFile, GraphFile};
use std::collections::BTreeSet;

/// The largest circle, and the smallest, in points.
const LARGEST: f64 = 9.0;
const SMALLEST: f64 = 1.2;
/// Room between neighbours from which names are written.
const NAMED: f64 = 22.0;

/// The graph of an environment with its size.
#[derive(Clone, Copy, Debug)]
pub struct GraphMap<'a> {
    /// The environment.
    pub environment: &'a EnvironmentFile,
    graph: &'a GraphFile,
    /// The left side on the sheet.
    pub left: f64,
    /// The upper side.
    pub top: f64,
    /// Points per unit of the positions.
    scale: f64,
    /// The least and the largest x and y.
    x: (f64, f64),
    y: (f64, f64),
    /// The distance of the nearest two states.
    nearest: f64,
}

impl<'a> GraphMap<'a> {
    /// The graph within a square of `side`; `None` for an environment without one.
    pub fn within(environment: &'a EnvironmentFile, side: f64) -> Option<Self> {
        let graph = environment.graph.as_ref()?;
        let placed: Vec<(f64, f64)> = graph.positions.iter().copied().flatten().collect();
        let range = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
                (low.min(v), high.max(v))
            })
        };
        let x = range(&mut placed.iter().map(|p| p.0));
        let y = range(&mut placed.iter().map(|p| p.1));
        if placed.is_empty() {
            return None;
        }
        let mut nearest = f64::INFINITY;
        for (i, a) in placed.iter().enumerate() {
            for b in &placed[..i] {
                let far = libm::hypot(a.0 - b.0, a.1 - b.1);
                if far > 0.0 {
                    nearest = nearest.min(far);
                }
            }
        }
        let nearest = if nearest.is_finite() { nearest } else { 1.0 };
        let longest = (x.1 - x.0).max(y.1 - y.0) + nearest;
        Some(Self {
            environment,
            graph,
            left: 0.0,
            top: 0.0,
            scale: side / longest,
            x,
            y,
            nearest,
        })
    }

    /// The same, `factor` times as large.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            scale: factor * self.scale,
            ..self
        }
    }

    /// The same with its upper left corner there.
    #[must_use]
    pub fn at(self, left: f64, top: f64) -> Self {
        Self { left, top, ..self }
    }

    /// The width: half the distance of neighbours is left at both sides.
    pub fn width(&self) -> f64 {
        (self.x.1 - self.x.0 + self.nearest) * self.scale
    }

    /// The height.
    pub fn height(&self) -> f64 {
        (self.y.1 - self.y.0 + self.nearest) * self.scale
    }

    /// The room that neighbours have.
    pub fn apart(&self) -> f64 {
        self.nearest * self.scale
    }

    fn radius(&self) -> f64 {
        (0.28 * self.apart()).clamp(SMALLEST, LARGEST)
    }

    /// The middle of a state's circle.
    pub fn place(&self, state: u32) -> Option<(f64, f64)> {
        let (x, y) = (*self.graph.positions.get(state as usize)?)?;
        let half = self.nearest / 2.0;
        Some((
            self.left + (x - self.x.0 + half) * self.scale,
            self.top + (self.y.1 - y + half) * self.scale,
        ))
    }

    fn states(&self) -> impl Iterator<Item = u32> {
        0..u32::try_from(self.graph.positions.len()).unwrap_or(0)
    }

    /// Arrows from every state to those that it may lead to.
    pub fn arrows(&self, svg: &mut Svg) {
        let from = |pair: u32| self.environment.pairs.get(pair as usize).map(|p| p.0);
        let edges = self.graph.edges.iter();
        let links: BTreeSet<(u32, u32)> = edges
            .filter_map(|&(pair, next, _)| Some((from(pair)?, next)))
            .filter(|(a, b)| a != b)
            .collect();
        let (mut lines, mut heads) = (String::new(), String::new());
        let radius = self.radius();
        for (a, b) in links {
            let (Some(a), Some(b)) = (self.place(a), self.place(b)) else {
                continue;
            };
            let long = libm::hypot(b.0 - a.0, b.1 - a.1);
            if long <= 2.0 * radius {
                continue;
            }
            // A little to its side, so that both ways are seen.
            let (u, v) = ((b.0 - a.0) / long, (b.1 - a.1) / long);
            let side = 0.2 * radius;
            let along = |p: (f64, f64), by: f64, across: f64| {
                (
                    p.0 + by * u - (side + across) * v,
                    p.1 + by * v + (side + across) * u,
                )
            };
            let head = (0.4 * radius).clamp(0.8, 2.6);
            let tip = along(b, -radius - 0.4, 0.0);
            lines += &path(&[along(a, radius, 0.0), tip]);
            let back = |across| along(b, -radius - 0.4 - 1.4 * head, across);
            heads += &path(&[back(0.6 * head), tip, back(-0.6 * head)]);
        }
        let look = |width: f64| format!("stroke=\"#8a8a8a\" stroke-width=\"{}\"", number(width));
        if !lines.is_empty() {
            svg.path(&lines, &look(0.45));
            svg.path(&heads, &look(0.6));
        }
    }

    /// A state's circle, filled as `look` says.
    pub fn disc(&self, svg: &mut Svg, state: u32, look: &str) {
        if let Some(at) = self.place(state) {
            svg.path(&circle(at, self.radius()), look);
        }
    }

    /// The edges of all circles, heavy ones around `heavy`; starts and ends within.
    pub fn edges(&self, svg: &mut Svg, heavy: &[u32]) -> Vec<CellKind> {
        let mut kinds = Vec::new();
        let acting: BTreeSet<u32> = self.environment.pairs.iter().map(|p| p.0).collect();
        let starts: BTreeSet<u32> = self.environment.start.iter().map(|p| p.0).collect();
        for state in self.states() {
            let Some((x, y)) = self.place(state) else {
                continue;
            };
            let width = if heavy.contains(&state) { 1.2 } else { 0.5 };
            let width = number(width);
            self.disc(
                svg,
                state,
                &format!("stroke=\"{INK}\" stroke-width=\"{width}\""),
            );
            let r = 0.9 * self.radius();
            let square = [x - r, y - r, 2.0 * r, 2.0 * r];
            let kind = match (starts.contains(&state), acting.contains(&state)) {
                (true, _) => CellKind::StartDot,
                (_, false) => CellKind::End,
                _ => continue,
            };
            kind.draw(svg, square);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// Names below the circles, cut to the room there is; none where there is too little.
    pub fn names(&self, svg: &mut Svg) {
        let room = self.apart();
        if room < NAMED {
            return;
        }
        for state in self.states() {
            if let Some((x, y)) = self.place(state) {
                let known = self.environment.state_names.get(state as usize);
                let name = known.cloned().unwrap_or_else(|| state.to_string());
                let at = (x, y + self.radius() + 7.0);
                // Arrows pass below names.
                let wide = text::width(&name, SMALL).min(0.92 * room) + 1.0;
                let ground = [x - wide / 2.0, at.1 - 5.2, wide, 6.6];
                svg.rect(ground, "fill=\"#ffffff\" fill-opacity=\"0.8\"");
                svg.text_within(at, &name, SMALL, Anchor::Middle, 0.92 * room);
            }
        }
    }
}
