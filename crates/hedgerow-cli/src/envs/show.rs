//! One environment: its map, its parameters, its start, goals and constraint.

use crate::domains::domains;
use crate::environment::charged_cells;
use crate::graph;
use crate::problems::plain;
use crate::terminal::{number, print, print_json};
use crate::window;
use hedgerow::Result;
use hedgerow::env::grid::Grid;
use hedgerow::env::{Cell, Environment, Graph};
use hedgerow::finite;
use hedgerow::index::State;
use hedgerow::io::{self, Defaults};
use serde::Serialize;

/// Start states that are named; more are counted.
const STARTS: usize = 10;

const LEGEND: &str = "S start, x constraint, # wall, . open, ^ v < > one-way; goals are the other letters. (0, 0) is lower left.";

/// The legend of a model that is drawn on a grid.
const MODEL_LEGEND: &str = "S start, x constraint, E end, . other states, # no state, unless the file draws its own map. (0, 0) is lower left.";

/// The legend of a model that is drawn as a graph.
const GRAPH_LEGEND: &str = "S start, x constraint, E end, o other states";

#[derive(Serialize)]
struct Report {
    name: String,
    states: usize,
    pairs: usize,
    actions: Vec<String>,
    gamma: f64,
    horizon: usize,
    budget: f64,
    /// Pairs with a positive true cost.
    costly_pairs: usize,
    /// Indices of the start states and their probabilities.
    start: Vec<(usize, f64)>,
    terminal: Vec<usize>,
    #[serde(flatten)]
    drawn: Option<Drawn>,
    #[serde(flatten)]
    grid: Option<OfGrid>,
    /// Where the states are drawn that lie on no grid: index, x, y.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<Vec<(usize, f64, f64)>>,
    /// The graph as text, where there is one and it has room.
    #[serde(skip)]
    graph: Option<String>,
    /// Names of the start states.
    #[serde(skip)]
    start_names: Vec<String>,
}

/// What only states in cells have.
#[derive(Serialize)]
struct Drawn {
    rows: usize,
    columns: usize,
    /// Top row first.
    map: Vec<String>,
    start_cells: Vec<[usize; 2]>,
    constraint_cells: Vec<[usize; 2]>,
    #[serde(skip)]
    drawing: String,
}

/// What only a drawn grid has.
#[derive(Serialize)]
struct OfGrid {
    moves: usize,
    slip: f64,
    goals: Vec<Goal>,
}

#[derive(Serialize)]
struct Goal {
    cell: [usize; 2],
    reward: f64,
}

/// Shows the environment called `env`.
pub fn run(env: &str, defaults: &Defaults, json: bool) -> Result<()> {
    let domains = domains();
    let domain = domains.of(env)?;
    if domain.name() != finite::NAME {
        let definition = domain.definition(env)?;
        let domain = domain.name();
        return match json {
            true => print_json(&serde_json::json!({ "domain": domain, "definition": definition })),
            false => print(&definition),
        };
    }
    let environment = io::open_with(env, defaults)?;
    let grid = match io::is_grid(env) {
        true => Some(io::open_grid(env)?),
        false => None,
    };
    let report = report(&environment, grid.as_ref());
    if json {
        print_json(&report)
    } else {
        print(&report.text())
    }
}

fn report(environment: &Environment, grid: Option<&Grid>) -> Report {
    let (task, truth) = (environment.task(), environment.truth());
    let start = task.start().iter();
    let terminal = task.all_states().filter(|&s| task.is_terminal(s));
    let graph = Graph::of(environment);
    let place = |graph: &Graph, s: State| graph.positions().of(s).map(|(x, y)| (s.at(), x, y));
    let places = |g: &Graph| task.all_states().filter_map(|s| place(g, s)).collect();
    Report {
        name: environment.name().to_owned(),
        states: task.states(),
        pairs: task.pairs(),
        actions: task.action_names().to_vec(),
        gamma: task.gamma(),
        horizon: environment.horizon(),
        budget: truth.budget(),
        costly_pairs: truth.cost().support(),
        start: start.clone().map(|&(s, p)| (s.at(), p)).collect(),
        terminal: terminal.map(State::at).collect(),
        drawn: drawn(environment),
        grid: grid.map(OfGrid::new),
        positions: graph.as_ref().map(places),
        graph: graph.and_then(|graph| draw_graph(environment, &graph)),
        start_names: start.map(|&(s, _)| task.state_name(s)).collect(),
    }
}

fn drawn(environment: &Environment) -> Option<Drawn> {
    let layout = environment.layout()?;
    let mut start_cells = Vec::new();
    for &(state, _) in environment.task().start() {
        start_cells.extend(layout.cell_of(state).map(|c| [c.row, c.column]));
    }
    start_cells.dedup();
    let symbol = |cell: Cell| layout.symbol(cell);
    let truth = environment.truth().cost().by_state(environment.task());
    Some(Drawn {
        rows: layout.rows(),
        columns: layout.columns(),
        map: layout.draw(symbol).lines().map(str::to_owned).collect(),
        start_cells,
        constraint_cells: charged_cells(environment, &truth),
        drawing: hedgerow::text::map(layout, symbol),
    })
}

fn draw_graph(environment: &Environment, graph: &Graph) -> Option<String> {
    let task = environment.task();
    let truth = environment.truth().cost().by_state(task);
    graph::draw(graph, task, window::width(), |s| {
        if task.start().iter().any(|&(start, p)| start == s && p > 0.0) {
            'S'
        } else if truth[s.at()] > 0.0 {
            'x'
        } else if task.is_terminal(s) {
            'E'
        } else {
            'o'
        }
    })
}

impl OfGrid {
    fn new(grid: &Grid) -> Self {
        let mut goals = Vec::new();
        for (row, line) in grid.symbols.iter().enumerate() {
            for (column, symbol) in line.iter().enumerate() {
                if let Some(&reward) = grid.goals.get(symbol) {
                    let cell = [row, column];
                    goals.push(Goal { cell, reward });
                }
            }
        }
        Self {
            moves: grid.moves,
            slip: grid.slip,
            goals,
        }
    }
}

impl Report {
    fn text(&self) -> String {
        let mut lines = vec![
            ("states", self.states.to_string()),
            ("pairs", self.pairs.to_string()),
            ("actions", self.actions.join(", ")),
            ("gamma", number(self.gamma)),
            ("horizon", format!("{} steps", self.horizon)),
            ("budget", self.budget_in_words()),
        ];
        let mut text = format!("{}\n\n", self.name);
        if let Some(drawn) = &self.drawn {
            let legend = if self.grid.is_some() {
                LEGEND
            } else {
                MODEL_LEGEND
            };
            text.push_str(&format!("{}\n{legend}\n\n", drawn.drawing));
        }
        if let Some(graph) = &self.graph {
            text.push_str(&format!("{graph}\n{GRAPH_LEGEND}\n\n"));
        }
        match (&self.drawn, &self.grid) {
            (Some(drawn), Some(grid)) => lines.extend(grid.lines(drawn)),
            _ => lines.extend(self.model_lines()),
        }
        for (what, value) in lines {
            text.push_str(&format!("{what:<13}{value}\n"));
        }
        text
    }

    fn model_lines(&self) -> Vec<(&'static str, String)> {
        let start = self.start.iter().zip(&self.start_names);
        let start: Vec<String> = start
            .take(STARTS)
            .map(|((_, p), name)| format!("{} with probability {}", plain(name), number(*p)))
            .collect();
        let mut start = start.join(", ");
        if let more @ 1.. = self.start.len().saturating_sub(STARTS) {
            start.push_str(&format!(" and {more} more"));
        }
        let mut lines = vec![
            ("start", start),
            ("terminals", self.terminal.len().to_string()),
            ("costly pairs", self.costly_pairs.to_string()),
        ];
        if let Some(drawn) = &self.drawn {
            let size = format!("{} x {}", drawn.rows, drawn.columns);
            lines.push(("size", size));
        }
        lines
    }

    fn budget_in_words(&self) -> String {
        match self.budget {
            0.0 => "0 (hard constraint)".to_owned(),
            budget => format!("{} (soft constraint)", number(budget)),
        }
    }
}

impl OfGrid {
    fn lines(&self, drawn: &Drawn) -> Vec<(&'static str, String)> {
        let cell = |c: &[usize; 2]| format!("({}, {})", c[0], c[1]);
        let starts: Vec<String> = drawn.start_cells.iter().map(cell).collect();
        let goals: Vec<String> = self
            .goals
            .iter()
            .map(|g| format!("{} paying {}", cell(&g.cell), number(g.reward)))
            .collect();
        vec![
            ("size", format!("{} x {}", drawn.rows, drawn.columns)),
            ("slip", number(self.slip)),
            ("start", starts.join(", ")),
            ("goal", goals.join(", ")),
            (
                "constraint",
                format!("{} cells", drawn.constraint_cells.len()),
            ),
        ]
    }
}
