//! What an environment is drawn on: the cells of a map, or the circles of a graph.

use crate::draw::graph::GraphMap;
use crate::draw::map::{CellKind, Map};
use crate::draw::svg::{Svg, number};
use crate::theme;
use hedgerow::results::EnvironmentFile;
use std::collections::BTreeMap;

/// The drawing of an environment.
#[derive(Clone, Copy, Debug)]
pub enum Ground<'a> {
    /// Cells of a map.
    Cells(Map<'a>),
    /// Circles and arrows.
    Graph(GraphMap<'a>),
}

impl<'a> Ground<'a> {
    /// The drawing within a square of `side`; `None` for an environment that has none.
    pub fn within(environment: &'a EnvironmentFile, side: f64) -> Option<Self> {
        let graph = || GraphMap::within(environment, side).map(Self::Graph);
        Map::within(environment, side)
            .map(Self::Cells)
            .or_else(graph)
    }

    /// The width.
    pub fn width(&self) -> f64 {
        match self {
            Self::Cells(map) => map.width(),
            Self::Graph(graph) => graph.width(),
        }
    }

    /// The height.
    pub fn height(&self) -> f64 {
        match self {
            Self::Cells(map) => map.height(),
            Self::Graph(graph) => graph.height(),
        }
    }

    /// The environment.
    pub fn environment(&self) -> &'a EnvironmentFile {
        match self {
            Self::Cells(map) => map.environment,
            Self::Graph(graph) => graph.environment,
        }
    }

    /// The same, `factor` times as large.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        match self {
            Self::Cells(map) => Self::Cells(Map {
                cell: factor * map.cell,
                ..map
            }),
            Self::Graph(graph) => Self::Graph(graph.scaled(factor)),
        }
    }

    /// The same with its upper left corner there.
    #[must_use]
    pub fn at(self, left: f64, top: f64) -> Self {
        match self {
            Self::Cells(map) => Self::Cells(Map { left, top, ..map }),
            Self::Graph(graph) => Self::Graph(graph.at(left, top)),
        }
    }

    /// Costs of states as colours, `highest` the darkest; returns what else is to be seen.
    pub fn heat(&self, svg: &mut Svg, cost: &BTreeMap<u32, f64>, highest: f64) -> Vec<CellKind> {
        let look = |cost: f64| format!("fill=\"{}\"", theme::hex(theme::heat(cost / highest)));
        self.filled(svg, cost, look);
        self.finish(svg)
    }

    /// Values of states in the look that each of them has, and nothing else.
    fn filled(&self, svg: &mut Svg, values: &BTreeMap<u32, f64>, look: impl Fn(f64) -> String) {
        match self {
            Self::Cells(map) => {
                // Where several states share a cell, the largest is shown.
                for (cell, value) in map.by_cell(values.iter().map(|(s, v)| (*s, *v)), f64::max) {
                    svg.rect(map.square(cell), &look(value));
                }
            }
            Self::Graph(graph) => {
                graph.arrows(svg);
                for (&state, &value) in values {
                    graph.disc(svg, state, &look(value));
                }
            }
        }
    }

    /// Values of states, and `draw` between the ground and the start and goals that stand on it.
    pub fn under(
        &self,
        svg: &mut Svg,
        values: &BTreeMap<u32, f64>,
        look: impl Fn(f64) -> String,
        draw: impl FnOnce(&mut Svg),
    ) {
        self.filled(svg, values, look);
        match self {
            Self::Cells(map) => {
                let is_end = |k: &CellKind| matches!(k, CellKind::StartDot | CellKind::GoalDot(_));
                let (ends, others): (Vec<_>, Vec<_>) =
                    map.dots().into_iter().partition(|(_, kind)| is_end(kind));
                map.lines(svg);
                for (cell, kind) in others {
                    map.draw(svg, cell, kind);
                }
                map.edge(svg, &map.true_cells(), 1.0);
                draw(svg);
                for (cell, kind) in ends {
                    map.draw(svg, cell, kind);
                }
            }
            Self::Graph(graph) => {
                draw(svg);
                graph.edges(svg, &charged(graph.environment));
            }
        }
    }

    /// The middle of a state; `None` if it is not drawn.
    pub fn place(&self, state: u32) -> Option<(f64, f64)> {
        match self {
            Self::Cells(map) => {
                let [x, y, w, h] = map.square(map.cell_of(state)?);
                Some((x + w / 2.0, y + h / 2.0))
            }
            Self::Graph(graph) => graph.place(state),
        }
    }

    /// The room that a state has.
    pub fn room(&self) -> f64 {
        match self {
            Self::Cells(map) => map.cell,
            Self::Graph(graph) => graph.apart(),
        }
    }

    /// The true constraint; returns what else is to be seen.
    pub fn truth(&self, svg: &mut Svg) -> Vec<CellKind> {
        match self {
            Self::Cells(map) => {
                for cell in map.true_cells() {
                    map.draw(svg, cell, CellKind::Constraint);
                }
            }
            Self::Graph(graph) => {
                graph.arrows(svg);
                for &(state, _) in &graph.environment.true_cells {
                    graph.disc(svg, state, &format!("fill=\"{}\"", theme::TRUTH));
                }
            }
        }
        self.finish(svg)
    }

    /// What all pictures of one environment share.
    fn finish(&self, svg: &mut Svg) -> Vec<CellKind> {
        match self {
            Self::Cells(map) => {
                map.lines(svg);
                let dots = map.dots();
                for (cell, kind) in &dots {
                    map.draw(svg, *cell, *kind);
                }
                map.edge(svg, &map.true_cells(), 1.0);
                dots.into_iter().map(|(_, kind)| kind).collect()
            }
            Self::Graph(graph) => graph.edges(svg, &charged(graph.environment)),
        }
    }

    /// All that is known: the constraint, where the expert spends its time, names or numbers;
    /// returns what is to be seen.
    pub fn whole(&self, svg: &mut Svg) -> Vec<CellKind> {
        match self {
            Self::Cells(map) => map.whole(svg),
            Self::Graph(graph) => whole(graph, svg),
        }
    }
}

fn charged(environment: &EnvironmentFile) -> Vec<u32> {
    environment.true_cells.iter().map(|&(s, _)| s).collect()
}

fn whole(graph: &GraphMap, svg: &mut Svg) -> Vec<CellKind> {
    let environment = graph.environment;
    graph.arrows(svg);
    let time = &environment.expert_cells;
    let most = time.iter().map(|t| t.1).fold(0.0, f64::max);
    let mut kinds = Vec::new();
    for &(state, share) in time.iter().filter(|_| most > 0.0) {
        let opacity = number(CellKind::opacity(share / most));
        graph.disc(
            svg,
            state,
            &format!("fill=\"{}\" fill-opacity=\"{opacity}\"", theme::TIME),
        );
        kinds.push(CellKind::Expert(0.5));
    }
    for state in charged(environment) {
        graph.disc(svg, state, &format!("fill=\"{}\"", theme::TRUTH));
        kinds.push(CellKind::Constraint);
    }
    kinds.extend(graph.edges(svg, &charged(environment)));
    graph.names(svg);
    kinds
}
