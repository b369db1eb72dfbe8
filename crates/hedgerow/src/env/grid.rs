//! Gridworlds: a drawn map, eight or four moves, slips, goals, one-way cells, and cells the
//! expert avoids.
//!
//! ```
//! use hedgerow::env::grid::Grid;
//!
//! let map = "
//!     . . G
//!     x x .
//!     S . .";
//! let grid = Grid { slip: 0.0, gamma: 0.9, ..Grid::new("corner", Grid::symbols_of(map)) };
//! let environment = grid.environment()?;
//! assert_eq!(environment.truth().cost().max(), 1.0);
//! # Ok::<(), hedgerow::Error>(())
//! ```

use crate::env::{Cell, Environment, HORIZON, Layout, Truth};
use crate::index::State;
use crate::model::{Cost, Model, ModelBuilder, Policy, Streamed};
use crate::solve::{Mdp, Outcome, best_within, deterministic, sharing_ties};
use crate::{Error, Result};
use std::collections::BTreeMap;

/// Cells of a map, at most: states and pairs are counted in 32 bits.
const MOST_CELLS: usize = 100_000_000;

/// The symbols of a drawn map.
pub mod symbol {
    /// An open cell.
    pub const FREE: char = '.';
    /// A cell that cannot be entered.
    pub const WALL: char = '#';
    /// Where episodes start.
    pub const START: char = 'S';
    /// A cell the expert may not be in.
    pub const CONSTRAINT: char = 'x';
    /// The goal of the default reward.
    pub const GOAL: char = 'G';
    /// Open cells that are passed one way only: symbol, upwards, to the right.
    pub const ONE_WAY: [(char, isize, isize); 4] =
        [('^', 1, 0), ('v', -1, 0), ('<', 0, -1), ('>', 0, 1)];

    /// Whether a move by (`up`, `right`) goes against the arrow `c`; never where there is none.
    /// Sideways is not against it, and a diagonal is where it goes backwards.
    pub fn against(c: char, (up, right): (isize, isize)) -> bool {
        let arrow = ONE_WAY.iter().find(|(symbol, ..)| *symbol == c);
        arrow.is_some_and(|(_, along_up, along_right)| up * along_up + right * along_right < 0)
    }
}

/// The eight moves, cardinal ones first: name, upwards, to the right.
const MOVES: [(&str, isize, isize); 8] = [
    ("up", 1, 0),
    ("down", -1, 0),
    ("left", 0, -1),
    ("right", 0, 1),
    ("up-left", 1, -1),
    ("up-right", 1, 1),
    ("down-left", -1, -1),
    ("down-right", -1, 1),
];

/// Everything that defines a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The name results are filed under.
    pub name: String,
    /// Symbols by ascending row (row 0 at the bottom), then column.
    pub symbols: Vec<Vec<char>>,
    /// Reward of each goal symbol; acting in such a cell pays it once and ends the episode.
    pub goals: BTreeMap<char, f64>,
    /// Reward of every move elsewhere; below 0 where time is dear.
    pub step: f64,
    /// 4 (cardinal) or 8 (with diagonals).
    pub moves: usize,
    /// Probability that the chosen move is replaced by a uniformly sampled available one.
    pub slip: f64,
    /// Discount.
    pub gamma: f64,
    /// Longest episode in steps.
    pub horizon: usize,
    /// Discounted cost the expert may spend; 0 for a hard constraint.
    pub budget: f64,
    /// Lowers a positive budget to what the cheaper deterministic policy of the best mixture
    /// spends, so that the expert does not randomise.
    pub deterministic: bool,
}

impl Grid {
    /// A grid with the settings of the four Gridworlds: 8 moves, slip 0.05, gamma 0.7, 50 steps, a
    /// hard constraint, `G = 1`.
    pub fn new(name: impl Into<String>, symbols: Vec<Vec<char>>) -> Self {
        Self {
            name: name.into(),
            symbols,
            goals: BTreeMap::from([(symbol::GOAL, 1.0)]),
            step: 0.0,
            moves: 8,
            slip: 0.05,
            gamma: 0.7,
            horizon: HORIZON,
            budget: 0.0,
            deterministic: false,
        }
    }

    /// The symbols of a drawing, top row first; blanks between symbols are ignored.
    pub fn symbols_of(map: &str) -> Vec<Vec<char>> {
        let cells = |line: &str| line.chars().filter(|c| !c.is_whitespace()).collect();
        map.trim().lines().rev().map(cells).collect()
    }

    /// The environment this grid describes, its expert solved for.
    pub fn environment(&self) -> Result<Environment> {
        let layout = self.layout()?;
        let moves = self.intended(&layout)?;
        let model = self.model(&layout, &moves)?;
        let cost = self.cost(&layout, &model)?;
        let (expert, budget) = if self.budget > 0.0 {
            self.soft_expert(&model, &cost)?
        } else {
            (self.hard_expert(&layout, &model, &moves)?, self.budget)
        };
        let truth = Truth::new(model, cost, budget, expert)?;
        Environment::new(&self.name, self.horizon, Some(layout), truth)
    }

    fn layout(&self) -> Result<Layout> {
        self.check_goals()?;
        let columns = self.symbols.first().map_or(0, Vec::len);
        if columns == 0 {
            return Err(Error::invalid(
                "map",
                "it is empty",
                "draw at least one cell",
            ));
        }
        let cells: usize = self.symbols.iter().map(Vec::len).sum();
        if cells > MOST_CELLS {
            return Err(Error::invalid(
                "map",
                format!("{cells} cells are more than can be counted"),
                format!("draw at most {MOST_CELLS}"),
            ));
        }
        self.check_symbols(columns)?;
        if self.moves != 4 && self.moves != 8 {
            return Err(Error::invalid(
                "moves",
                format!("{}", self.moves),
                "use 4 or 8",
            ));
        }
        if !(0.0..=1.0).contains(&self.slip) {
            return Err(Error::invalid(
                "slip",
                format!("{} is not a probability", self.slip),
                "use a number from 0 to 1",
            ));
        }
        Ok(Layout::new(
            self.symbols.len(),
            columns,
            self.symbols.concat(),
            |c| c != symbol::WALL,
            1,
        ))
    }

    /// Whether all rows have so many columns, and all symbols a meaning.
    fn check_symbols(&self, columns: usize) -> Result<()> {
        for (row, line) in self.symbols.iter().enumerate() {
            if line.len() != columns {
                return Err(Error::invalid(
                    format!("map row {row} (counted from the bottom)"),
                    format!("{} cells where the bottom row has {columns}", line.len()),
                    "draw all rows equally long",
                ));
            }
            for (column, &c) in line.iter().enumerate() {
                let known = [
                    symbol::FREE,
                    symbol::WALL,
                    symbol::START,
                    symbol::CONSTRAINT,
                ];
                let one_way = symbol::ONE_WAY.iter().any(|(symbol, ..)| *symbol == c);
                if !known.contains(&c) && !one_way && !self.goals.contains_key(&c) {
                    return Err(Error::invalid(
                        format!("map cell ({row}, {column})"),
                        format!("unknown symbol `{c}`"),
                        "use . open, # wall, S start, x constraint, ^ v < > one-way, or a goal listed under [goals]",
                    ));
                }
            }
        }
        Ok(())
    }

    fn check_goals(&self) -> Result<()> {
        for (&goal, &reward) in &self.goals {
            let place = format!("goals.{goal}");
            let arrow = symbol::ONE_WAY.iter().any(|(symbol, ..)| *symbol == goal);
            let taken = arrow || [symbol::START, symbol::CONSTRAINT].contains(&goal);
            if taken || !goal.is_alphanumeric() {
                return Err(Error::invalid(
                    place,
                    "this symbol cannot be a goal",
                    "use a letter or digit other than S, x and v",
                ));
            }
            check_reward(place, reward)?;
        }
        check_reward("step".to_owned(), self.step)
    }

    /// For every cell the available moves and the states they are meant to lead to.
    fn intended(&self, layout: &Layout) -> Result<Moves> {
        let mut all = Moves::with_capacity(layout.states() - 1, self.moves);
        for s in 0..layout.states() - 1 {
            let Some(cell) = layout.cell_of(State::new(s)) else {
                continue;
            };
            let here = layout.symbol(cell);
            let step = |at: usize, by: isize| at.checked_add_signed(by);
            let moves =
                MOVES[..self.moves]
                    .iter()
                    .enumerate()
                    .filter_map(|(action, &(_, up, right))| {
                        let row = step(cell.row, up)?;
                        let column = step(cell.column, right)?;
                        let to = Cell { row, column };
                        let next = layout.state_at(to)?;
                        // Acting in a goal moves nowhere, so no arrow is in the way.
                        let against = |c: Cell| symbol::against(layout.symbol(c), (up, right));
                        let barred =
                            !self.goals.contains_key(&here) && (against(cell) || against(to));
                        (!barred).then_some((action as u8, next))
                    });
            if !all.push(moves) {
                return Err(Error::invalid(
                    format!("map cell ({}, {})", cell.row, cell.column),
                    "no move leads out of it",
                    "open a neighbouring cell, turn an arrow, or make this one a wall",
                ));
            }
        }
        Ok(all)
    }

    fn model(&self, layout: &Layout, moves: &Moves) -> Result<Model> {
        let names = MOVES[..self.moves].iter().map(|m| m.0);
        let mut builder = ModelBuilder::new(layout.states(), names, self.gamma);
        builder.state_names(
            (0..layout.states())
                .map(|s| match layout.cell_of(State::new(s)) {
                    Some(cell) => format!("cell {},{}", cell.row, cell.column),
                    None => "end".to_owned(),
                })
                .collect(),
        );
        let starts = self.starts(layout)?;
        for &s in &starts {
            builder.start(s, 1.0 / starts.len() as f64);
        }
        builder.build_streamed(self.pairs(layout, moves))
    }

    /// The pairs of all states with their outcomes.
    fn pairs(&self, layout: &Layout, moves: &Moves) -> Streamed {
        let terminal = layout.states() - 1;
        let mut pairs = Streamed::with_capacity(layout.states(), moves.len());
        let (mut next, mut prob) = (Vec::new(), Vec::new());
        for s in 0..terminal {
            let available = moves.of(s);
            let goal = self.symbol_of(layout, s).and_then(|c| self.goals.get(&c));
            next.clear();
            next.extend(available.iter().map(|&(_, to)| to.0));
            next.sort_unstable();
            let share = self.slip / available.len() as f64;
            for &(action, intended) in available {
                let action = usize::from(action);
                if let Some(&reward) = goal {
                    pairs.pair(action, reward + 0.0, &[terminal as u32], &[1.0]);
                } else if share > 0.0 {
                    let chance = |&to: &u32| match to == intended.0 {
                        true => 1.0 - self.slip + share,
                        false => share,
                    };
                    prob.clear();
                    prob.extend(next.iter().map(chance));
                    pairs.pair(action, self.step + 0.0, &next, &prob);
                } else {
                    pairs.pair(action, self.step + 0.0, &[intended.0], &[1.0]);
                }
            }
            pairs.end_state();
        }
        pairs.end_state();
        pairs
    }

    /// The states where episodes start; an error without any, or without a goal.
    fn starts(&self, layout: &Layout) -> Result<Vec<usize>> {
        let starts: Vec<usize> = (0..layout.states())
            .filter(|&s| self.symbol_of(layout, s) == Some(symbol::START))
            .collect();
        if starts.is_empty() {
            return Err(Error::invalid(
                "map",
                "no start",
                "mark at least one cell with S",
            ));
        }
        let mut symbols = self.symbols.iter().flatten();
        if !symbols.any(|c| self.goals.contains_key(c)) {
            return Err(Error::invalid(
                "map",
                "no goal",
                "draw a G, or a symbol listed under [goals]",
            ));
        }
        Ok(starts)
    }

    fn symbol_of(&self, layout: &Layout, s: usize) -> Option<char> {
        layout
            .cell_of(State::new(s))
            .map(|cell| layout.symbol(cell))
    }

    /// 1 for acting in a constraint cell.
    fn cost(&self, layout: &Layout, model: &Model) -> Result<Cost> {
        let task = model.task();
        let values = task.all_pairs().map(|pair| {
            let inside =
                self.symbol_of(layout, task.state_of(pair).at()) == Some(symbol::CONSTRAINT);
            f64::from(u8::from(inside))
        });
        Cost::new(task, values.collect())
    }

    /// The best policy within the budget, and the budget it is best for.
    fn soft_expert(&self, model: &Model, cost: &Cost) -> Result<(Policy, f64)> {
        let mdp = Mdp::of(model);
        let outcome = if self.deterministic {
            let outcome = deterministic(&mdp, cost.values(), self.budget)?;
            outcome.map(|best| (best.cost, best))
        } else {
            let outcome = best_within(&mdp, cost.values(), self.budget)?;
            outcome.map(|best| (self.budget, best))
        };
        match outcome {
            Outcome::Optimal((budget, best)) => Ok((best.policy, budget)),
            Outcome::LimitReached((_, best)) => Err(best.uncertain()),
            Outcome::Infeasible { least_cost } => Err(Error::invalid(
                "budget",
                format!(
                    "{} is below the least reachable cost {least_cost}",
                    self.budget
                ),
                "raise the budget or remove constraint cells",
            )),
        }
    }

    fn hard_expert(&self, layout: &Layout, model: &Model, moves: &Moves) -> Result<Policy> {
        let task = model.task();
        let inside = |s: State| self.symbol_of(layout, s.at()) == Some(symbol::CONSTRAINT);
        let mut allowed = vec![true; task.pairs()];
        for s in 0..layout.states() - 1 {
            let available = moves.of(s);
            let range = task.pairs_of(State::new(s));
            let within = inside(State::new(s));
            for (i, &(_, intended)) in range.clone().zip(available) {
                allowed[i] = within || !inside(intended);
            }
            if !range.clone().any(|i| allowed[i]) {
                return Err(Error::invalid(
                    task.state_name(State::new(s)),
                    "every move leads into a constraint cell",
                    "leave the expert a move that avoids them",
                ));
            }
        }
        sharing_ties(&Mdp::of(model).with_allowed(&allowed))
    }
}

/// The available moves of every cell, one after the other.
struct Moves {
    start: Vec<u32>,
    /// The action, and the state it is meant to lead to.
    moves: Vec<(u8, State)>,
}

impl Moves {
    fn with_capacity(cells: usize, moves: usize) -> Self {
        let mut start = Vec::with_capacity(cells + 1);
        start.push(0);
        Self {
            start,
            moves: Vec::with_capacity(cells * moves),
        }
    }

    /// Adds those of the next cell; whether there are any.
    fn push(&mut self, moves: impl Iterator<Item = (u8, State)>) -> bool {
        let before = self.moves.len();
        self.moves.extend(moves);
        self.start.push(self.moves.len() as u32);
        self.moves.len() > before
    }

    /// Those of all cells.
    fn len(&self) -> usize {
        self.moves.len()
    }

    fn of(&self, cell: usize) -> &[(u8, State)] {
        &self.moves[self.start[cell] as usize..self.start[cell + 1] as usize]
    }
}

fn check_reward(place: String, reward: f64) -> Result<()> {
    if reward.is_finite() {
        return Ok(());
    }
    let problem = format!("{reward} is not a reward");
    Err(Error::invalid(place, problem, "use a finite number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dynamics;

    fn built(map: &str, moves: usize) -> Environment {
        let grid = Grid {
            moves,
            slip: 0.2,
            ..Grid::new("streets", Grid::symbols_of(map))
        };
        grid.environment().unwrap()
    }

    fn moves_of(env: &Environment, row: usize, column: usize) -> Vec<String> {
        let task = env.task();
        let cell = Cell { row, column };
        let state = env.layout().and_then(|l| l.state_at(cell)).unwrap();
        let pairs = task.pairs_of(state).map(crate::index::Pair::new);
        pairs
            .map(|p| task.action_name(task.action_of(p)).to_owned())
            .collect()
    }

    #[test]
    fn an_arrow_bars_what_goes_against_it_and_leaves_the_sides_open() {
        let env = built(". . .\nS > G\n. . .", 8);
        let out = moves_of(&env, 1, 1);
        assert_eq!(
            out,
            ["up", "down", "right", "up-right", "down-right"],
            "leaving it"
        );
        // Entering: up-left and left from its head are barred, joining it is not.
        assert!(!moves_of(&env, 0, 2).contains(&"up-left".to_owned()));
        assert!(moves_of(&env, 0, 1).contains(&"up".to_owned()));
        assert!(moves_of(&env, 0, 0).contains(&"up-right".to_owned()));
        // In the goal nothing is barred: no move is made there.
        assert!(moves_of(&env, 1, 2).contains(&"left".to_owned()));
    }

    #[test]
    fn all_four_arrows_point_as_they_are_drawn() {
        for (map, cell, only) in [
            ("G\n^\nS", (1, 0), "up"),
            ("S\nv\nG", (1, 0), "down"),
            ("G<S", (0, 1), "left"),
            ("S>G", (0, 1), "right"),
        ] {
            assert_eq!(moves_of(&built(map, 4), cell.0, cell.1), [only], "{map}");
        }
    }

    #[test]
    fn a_door_is_passed_one_way_even_by_slips() {
        let env = built("S . # . .\n. . > . .\n. . # . G", 8);
        let (task, layout) = (env.task(), env.layout().unwrap());
        let rows = env.truth().model().rows();
        let column = |s: State| layout.cell_of(s).map(|c| c.column);
        for pair in task.all_pairs() {
            for &next in rows.row(pair).0 {
                let (from, to) = (column(task.state_of(pair)), column(State(next)));
                let back = from >= Some(2) && to.is_some_and(|c| Some(c) < from.min(Some(3)));
                assert!(!back, "{}", task.pair_name(pair));
            }
        }
    }

    #[test]
    fn an_arrow_without_a_way_on_and_an_arrow_as_goal_are_refused() {
        let refused = |grid: Grid| grid.environment().unwrap_err().to_string();
        let trap = refused(Grid::new("trap", Grid::symbols_of("G . S >")));
        assert!(trap.contains("map cell (0, 3)"), "{trap}");
        assert!(trap.contains("turn an arrow"), "{trap}");
        let mut grid = Grid::new("goal", Grid::symbols_of("S . v"));
        grid.goals.insert('v', 1.0);
        assert!(refused(grid).contains("other than S, x and v"));
    }
}
