//! One environment: its map, its parameters, its start, goals and constraint.

use crate::domains::domains;
use crate::environment::charged_cells;
use crate::map;
use crate::terminal::{number, print, print_json};
use hedgerow::Result;
use hedgerow::env::grid::Grid;
use hedgerow::env::{Cell, Environment};
use hedgerow::finite;
use hedgerow::index::State;
use hedgerow::io;
use serde::Serialize;

const LEGEND: &str =
    "S start, x constraint, # wall, . free; goals are the other letters. (0, 0) is lower left.";

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
}

/// What only a grid has.
#[derive(Serialize)]
struct Drawn {
    rows: usize,
    columns: usize,
    moves: usize,
    slip: f64,
    /// Top row first.
    map: Vec<String>,
    start_cells: Vec<[usize; 2]>,
    goals: Vec<Goal>,
    constraint_cells: Vec<[usize; 2]>,
    #[serde(skip)]
    drawing: String,
}

#[derive(Serialize)]
struct Goal {
    cell: [usize; 2],
    reward: f64,
}

/// Shows the environment called `env`.
pub fn run(env: &str, json: bool) -> Result<()> {
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
    let environment = io::open(env)?;
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
    Report {
        name: environment.name().to_owned(),
        states: task.states(),
        pairs: task.pairs(),
        actions: task.action_names().to_vec(),
        gamma: task.gamma(),
        horizon: environment.horizon(),
        budget: truth.budget(),
        costly_pairs: truth.cost().support(),
        start: start.map(|&(s, p)| (s.at(), p)).collect(),
        terminal: terminal.map(State::at).collect(),
        drawn: grid.and_then(|grid| drawn(environment, grid)),
    }
}

fn drawn(environment: &Environment, grid: &Grid) -> Option<Drawn> {
    let layout = environment.layout()?;
    let mut start_cells = Vec::new();
    for &(state, _) in environment.task().start() {
        start_cells.extend(layout.cell_of(state).map(|c| [c.row, c.column]));
    }
    let mut goals = Vec::new();
    for (row, line) in grid.symbols.iter().enumerate() {
        for (column, symbol) in line.iter().enumerate() {
            if let Some(&reward) = grid.goals.get(symbol) {
                let cell = [row, column];
                goals.push(Goal { cell, reward });
            }
        }
    }
    let symbol = |cell: Cell| layout.symbol(cell);
    let truth = environment.truth().cost().by_state(environment.task());
    Some(Drawn {
        rows: layout.rows(),
        columns: layout.columns(),
        moves: grid.moves,
        slip: grid.slip,
        map: layout.draw(symbol).lines().map(str::to_owned).collect(),
        start_cells,
        goals,
        constraint_cells: charged_cells(environment, &truth),
        drawing: map::draw(layout, symbol),
    })
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
        match &self.drawn {
            Some(drawn) => {
                text.push_str(&format!("{}\n{LEGEND}\n\n", drawn.drawing));
                lines.extend(drawn.lines());
            }
            None => {
                let start = self.start.iter();
                let start: Vec<String> = start
                    .map(|(s, p)| format!("state {s} with probability {}", number(*p)))
                    .collect();
                lines.push(("start", start.join(", ")));
                lines.push(("terminals", self.terminal.len().to_string()));
                lines.push(("costly pairs", self.costly_pairs.to_string()));
            }
        }
        for (what, value) in lines {
            text.push_str(&format!("{what:<13}{value}\n"));
        }
        text
    }

    fn budget_in_words(&self) -> String {
        match self.budget {
            0.0 => "0 (hard constraint)".to_owned(),
            budget => format!("{} (soft constraint)", number(budget)),
        }
    }
}

impl Drawn {
    fn lines(&self) -> Vec<(&'static str, String)> {
        let cell = |c: &[usize; 2]| format!("({}, {})", c[0], c[1]);
        let starts: Vec<String> = self.start_cells.iter().map(cell).collect();
        let goals: Vec<String> = self
            .goals
            .iter()
            .map(|g| format!("{} paying {}", cell(&g.cell), number(g.reward)))
            .collect();
        vec![
            ("size", format!("{} x {}", self.rows, self.columns)),
            ("slip", number(self.slip)),
            ("start", starts.join(", ")),
            ("goal", goals.join(", ")),
            (
                "constraint",
                format!("{} cells", self.constraint_cells.len()),
            ),
        ]
    }
}
