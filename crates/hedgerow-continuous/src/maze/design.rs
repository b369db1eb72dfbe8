//! All that defines a maze, checked.

use super::map::Map;
use super::physics::Physics;
use crate::{Error, Result};
use hedgerow::env::grid::symbol;

/// All that defines a maze; [`Maze::new`] checks it.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// The name results are filed under.
    pub name: String,
    /// The lines of the drawing, the top one first (row 0 of the map is the last line): the symbols
    /// of drawn grids, goals `G` only.
    pub lines: Vec<Vec<char>>,
    /// Discount per decision.
    pub gamma: f64,
    /// Physics steps for which a decision holds its force.
    pub hold: u32,
    /// Longest episode in physics steps.
    pub horizon: u32,
    /// The goal is reached within this distance of its centre, in metres.
    pub goal_radius: f64,
    /// Start positions are uniform within this distance of the centre of a start cell, on each axis.
    pub start_noise: f64,
    /// Observed positions are off by up to this, uniformly, on each axis.
    pub position_noise: f64,
    /// The file of a trained expert, relative to the file of the maze.
    pub expert: Option<String>,
}

impl Design {
    /// A design with the values of the Point Maze for all but its map.
    pub fn new(name: &str, lines: Vec<Vec<char>>) -> Self {
        Self {
            name: name.to_owned(),
            lines,
            gamma: 0.95,
            hold: 5,
            horizon: 500,
            goal_radius: 0.5,
            start_noise: 0.25,
            position_noise: 0.05,
            expert: None,
        }
    }

    /// The lines of a drawing, the top one first; blanks between symbols are ignored.
    pub fn lines_of(map: &str) -> Vec<Vec<char>> {
        let cells = |line: &str| line.chars().filter(|c| !c.is_whitespace()).collect();
        map.trim().lines().map(cells).collect()
    }

    fn check_numbers(&self) -> Result<()> {
        let check = |key: &str, value: f64, fits: bool, range: &str| match fits {
            true => Ok(()),
            false => Err(Error::invalid(
                key,
                format!("{value} is out of range"),
                format!("use a number {range}"),
            )),
        };
        let (gamma, radius, start) = (self.gamma, self.goal_radius, self.start_noise);
        let noise = self.position_noise;
        check(
            "gamma",
            gamma,
            (0.0..1.0).contains(&gamma),
            "of at least 0 and below 1",
        )?;
        check("hold", self.hold.into(), self.hold > 0, "of at least 1")?;
        check(
            "horizon",
            self.horizon.into(),
            self.horizon > 0,
            "of at least 1",
        )?;
        let positive = radius > 0.0 && radius.is_finite();
        check("goal_radius", radius, positive, "above 0")?;
        // A ball of radius 0.1 in a cell 1 m wide.
        check(
            "start_noise",
            start,
            (0.0..=0.4).contains(&start),
            "from 0 to 0.4",
        )?;
        let finite = noise >= 0.0 && noise.is_finite();
        check("position_noise", noise, finite, "of at least 0")
    }

    /// The map; its border is walls and its symbols are known.
    fn map(&self) -> Result<Map> {
        let is_wall = |&c: &char| c == symbol::WALL;
        let walls = |line: &Vec<char>| line.iter().map(is_wall).collect();
        let walls: Vec<Vec<bool>> = self.lines.iter().map(walls).collect();
        let map = Map::drawn(&walls, 1.0)?;
        for (row, line) in self.rows() {
            for (column, c) in line.iter().enumerate() {
                let place = || cell_name(row, column);
                if !symbol_is_known(*c) {
                    let remedy = "use . open, # wall, S start, G goal, x constraint";
                    return Err(Error::invalid(
                        place(),
                        format!("unknown symbol `{c}`"),
                        remedy,
                    ));
                }
                let edge =
                    row == 0 || column == 0 || row + 1 == map.rows() || column + 1 == map.columns();
                if edge && *c != symbol::WALL {
                    let problem = format!("`{c}` on the border");
                    let remedy = "draw walls (#) all round, or the ball leaves the map";
                    return Err(Error::invalid(place(), problem, remedy));
                }
            }
        }
        Ok(map)
    }

    /// The rows of the map with their numbers, in the order of the drawing.
    fn rows(&self) -> impl Iterator<Item = (usize, &Vec<char>)> {
        (0..self.lines.len()).rev().zip(&self.lines)
    }

    fn cells(&self, symbol: char) -> Vec<(usize, usize)> {
        let cells = self.rows().flat_map(|(row, line)| {
            let drawn = line.iter().enumerate().filter(move |&(_, &c)| c == symbol);
            drawn.map(move |(column, _)| (row, column))
        });
        cells.collect()
    }
}

/// A cell in messages.
pub(crate) fn cell_name(row: usize, column: usize) -> String {
    format!("map cell ({row}, {column}) (counted from the lower left)")
}

fn symbol_is_known(c: char) -> bool {
    [
        symbol::FREE,
        symbol::WALL,
        symbol::START,
        symbol::CONSTRAINT,
        symbol::GOAL,
    ]
    .contains(&c)
}

/// A maze that has been checked: its border is closed, and every start leads to a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Maze {
    design: Design,
    physics: Physics,
    starts: Vec<[f64; 2]>,
    goals: Vec<[f64; 2]>,
    /// By [`Map::index`].
    constraint: Vec<bool>,
}

impl Maze {
    /// Checks `design`.
    pub fn new(design: Design) -> Result<Self> {
        hedgerow::io::check_name(&design.name)?;
        design.check_numbers()?;
        let map = design.map()?;
        let starts = design.cells(symbol::START);
        let goals = design.cells(symbol::GOAL);
        for (cells, what, letter) in [(&starts, "start", 'S'), (&goals, "goal", 'G')] {
            if cells.is_empty() {
                let remedy = format!("mark one or more open cells with {letter}");
                return Err(Error::invalid("map", format!("no {what}"), remedy));
            }
        }
        let reached = reached_from(&map, &goals);
        if let Some((row, column)) = starts.iter().find(|c| !reached.contains(c)) {
            return Err(Error::invalid(
                cell_name(*row, *column),
                "no path leads from this start to a goal",
                "open a path over cells that share a side",
            ));
        }
        let centres = |cells: &[(usize, usize)]| {
            let centre = |&(row, column): &(usize, usize)| map.cell_centre(row, column);
            cells.iter().map(centre).collect()
        };
        let mut constraint = vec![false; map.rows() * map.columns()];
        for (row, column) in design.cells(symbol::CONSTRAINT) {
            constraint[map.index(row, column)] = true;
        }
        Ok(Self {
            starts: centres(&starts),
            goals: centres(&goals),
            constraint,
            physics: Physics::new(&map),
            design,
        })
    }

    /// Its design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The name results are filed under.
    pub fn name(&self) -> &str {
        &self.design.name
    }

    /// Its map.
    pub fn map(&self) -> &Map {
        self.physics.map()
    }

    /// Its physics.
    pub fn physics(&self) -> &Physics {
        &self.physics
    }

    /// The centres of the start cells.
    pub fn starts(&self) -> &[[f64; 2]] {
        &self.starts
    }

    /// The centres of the goal cells.
    pub fn goals(&self) -> &[[f64; 2]] {
        &self.goals
    }

    /// Row and column of the constraint cells, in the order of the drawing.
    pub fn constraint_cells(&self) -> Vec<(usize, usize)> {
        self.design.cells(symbol::CONSTRAINT)
    }

    /// Whether a ball with its centre at `position` is in a constraint cell.
    #[inline]
    pub fn in_constraint(&self, position: [f64; 2]) -> bool {
        let cell = self.map().index_at(position);
        cell.is_some_and(|cell| self.constraint[cell])
    }

    /// Whether a ball with its centre at `position` has reached a goal.
    #[inline]
    pub fn at_goal(&self, position: [f64; 2]) -> bool {
        let radius = self.design.goal_radius;
        self.goals.iter().any(|goal| {
            let (x, y) = (position[0] - goal[0], position[1] - goal[1]);
            x * x + y * y <= radius * radius
        })
    }
}

/// The open cells that can be reached from `cells` over common sides.
fn reached_from(map: &Map, cells: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut reached = cells.to_vec();
    let mut next = 0;
    while let Some(&(row, column)) = reached.get(next) {
        next += 1;
        // The border is walls, so every open cell has four neighbours.
        let sides = [
            (row - 1, column),
            (row + 1, column),
            (row, column - 1),
            (row, column + 1),
        ];
        for (r, c) in sides {
            if !map.is_wall(r, c) && !reached.contains(&(r, c)) {
                reached.push((r, c));
            }
        }
    }
    reached
}
