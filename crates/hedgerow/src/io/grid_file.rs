//! Drawn grids as TOML; see `docs/formats.md`.
//!
//! ```
//! use hedgerow::io::grid_file;
//!
//! let text = "slip = 0.1\nmap = '''\n. . G\nS x .\n'''";
//! let grid = grid_file::parse(text, "small")?;
//! assert_eq!((grid.name.as_str(), grid.slip, grid.gamma), ("small", 0.1, 0.7));
//! assert_eq!(grid_file::parse(&grid.to_toml(), "other")?, grid);
//! # Ok::<(), hedgerow::Error>(())
//! ```

use crate::env::grid::Grid;
use crate::error::nearest;
use crate::io::keys::{self, float, number, wrong};
use crate::{Error, Result};
use std::collections::BTreeMap;
use std::fmt::Write;
use toml::{Table, Value};

const KEYS: [&str; 10] = [
    "name",
    "gamma",
    "slip",
    "moves",
    "horizon",
    "budget",
    "deterministic",
    "step",
    "map",
    "goals",
];

/// The grid that `text` draws, named `default_name` unless it names itself.
///
/// Keys that are left out have the values of [`Grid::new`]. Only the map is required.
pub fn parse(text: &str, default_name: &str) -> Result<Grid> {
    let table = keys::table(text)?;
    if let Some(key) = table.keys().find(|k| !KEYS.contains(&k.as_str())) {
        return Err(Error::invalid(key, "unknown key", nearest(key, KEYS)));
    }
    let name = match table.get("name") {
        None => default_name.to_owned(),
        Some(Value::String(name)) => name.clone(),
        Some(other) => return Err(wrong("name", other, "write a name in quotes")),
    };
    super::check_name(&name)?;
    let symbols = match table.get("map") {
        Some(Value::String(map)) => Grid::symbols_of(map),
        Some(other) => return Err(wrong("map", other, "draw it between two lines of \"\"\"")),
        None => {
            let remedy = "draw the map under `map`, between two lines of \"\"\"";
            return Err(Error::invalid("map", "missing", remedy));
        }
    };
    let default = Grid::new(name, symbols);
    Ok(Grid {
        moves: count(&table, "moves", default.moves)?,
        slip: number(&table, "slip", default.slip)?,
        gamma: number(&table, "gamma", default.gamma)?,
        horizon: count(&table, "horizon", default.horizon)?,
        budget: number(&table, "budget", default.budget)?,
        deterministic: switch(&table, "deterministic", default.deterministic)?,
        step: number(&table, "step", default.step)?,
        goals: match table.get("goals") {
            None => default.goals,
            Some(listed) => goals(listed)?,
        },
        ..default
    })
}

impl Grid {
    /// The grid as a file that [`parse`] turns into the same grid.
    pub fn to_toml(&self) -> String {
        let mut map = String::new();
        for line in self.symbols.iter().rev() {
            let line: Vec<String> = line.iter().map(char::to_string).collect();
            map.push_str(&line.join(" "));
            map.push('\n');
        }
        let deterministic = if self.deterministic {
            "deterministic = true\n"
        } else {
            ""
        };
        let step = match self.step {
            0.0 => String::new(),
            step => format!("step = {step:?}\n"),
        };
        let mut text = format!(
            "name = {}\ngamma = {:?}\nslip = {:?}\nmoves = {}\nhorizon = {}\nbudget = {:?}\n{deterministic}{step}map = \"\"\"\n{map}\"\"\"\n\n[goals]\n",
            Value::from(self.name.as_str()),
            self.gamma,
            self.slip,
            self.moves,
            self.horizon,
            self.budget,
        );
        for (goal, reward) in &self.goals {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{} = {reward:?}", Value::from(goal.to_string()));
        }
        text
    }
}

fn goals(listed: &Value) -> Result<BTreeMap<char, f64>> {
    let Value::Table(listed) = listed else {
        return Err(wrong("goals", listed, "write a table [goals]"));
    };
    let mut goals = BTreeMap::new();
    for (key, value) in listed {
        let place = format!("goals.{key}");
        let mut symbols = key.chars();
        let (Some(goal), None) = (symbols.next(), symbols.next()) else {
            let remedy = "use one letter or digit per goal, as drawn on the map";
            return Err(Error::invalid(place, "not one symbol", remedy));
        };
        let Some(reward) = float(value) else {
            return Err(wrong(&place, value, "give the reward of this goal"));
        };
        goals.insert(goal, reward);
    }
    Ok(goals)
}

fn switch(table: &Table, key: &str, default: bool) -> Result<bool> {
    match table.get(key) {
        None => Ok(default),
        Some(&Value::Boolean(on)) => Ok(on),
        Some(other) => Err(wrong(key, other, "write true or false")),
    }
}

fn count(table: &Table, key: &str, default: usize) -> Result<usize> {
    let remedy = "write a whole number of at least 1";
    match table.get(key) {
        None => Ok(default),
        Some(&Value::Integer(i)) => usize::try_from(i)
            .map_err(|_| Error::invalid(key, format!("{i} is not a count"), remedy)),
        Some(other) => Err(wrong(key, other, remedy)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::builtin;

    fn refused(text: &str) -> String {
        parse(text, "test")
            .and_then(|g| g.environment())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn a_map_alone_is_a_gridworld() {
        let grid = parse("map = '''\n..G\nS x.\n'''", "small").unwrap();
        assert_eq!(grid.name, "small");
        assert_eq!(grid.symbols, [['S', 'x', '.'], ['.', '.', 'G']]);
        assert_eq!((grid.gamma, grid.slip, grid.moves), (0.7, 0.05, 8));
        assert_eq!(grid.goals, BTreeMap::from([('G', 1.0)]));
    }

    #[test]
    fn writing_and_reading_gives_the_same_grid() {
        for name in builtin::names() {
            let mut grid = builtin::grid(&name).unwrap();
            grid.slip = 0.1 + 0.2;
            grid.goals.insert('é', -1e-17);
            grid.step = -0.04;
            assert_eq!(parse(&grid.to_toml(), "other").unwrap(), grid);
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let map = "map = 'S.G'\n";
        for (text, place, remedy) in [
            ("gama = 0.7\nmap = 'S.G'", "gama: unknown key", "`gamma`"),
            ("gamma = 1.0\nmap = 'S.G'", "gamma: 1 ", "below 1"),
            (
                "gamma = 'x'\nmap = 'S.G'",
                "gamma: found the string",
                "number",
            ),
            ("gamma = 0.7\nslip = = 2\n", "line 2: ", "TOML syntax"),
            ("slip = nan\nmap = 'S.G'", "slip: NaN", "from 0 to 1"),
            ("moves = 5\nmap = 'S.G'", "moves: 5", "4 or 8"),
            ("horizon = 0\nmap = 'S.G'", "horizon: 0", "at least 1"),
            ("horizon = -1\nmap = 'S.G'", "horizon: -1", "at least 1"),
            ("step = inf\nmap = 'S.G'", "step: inf", "finite"),
            ("budget = -1\nmap = 'S.G'", "budget: -1", "at least 0"),
            (
                "deterministic = 1\nmap = 'S.G'",
                "deterministic: found",
                "true or false",
            ),
            ("name = '../x'\nmap = 'S.G'", "name: ", "letters, digits"),
            ("name = '.x'\nmap = 'S.G'", "name: ", "not starting with"),
            ("gamma = 0.7", "map: missing", "draw"),
            ("map = ''", "map: it is empty", "at least one cell"),
            ("map = '...G'", "map: no start", "with S"),
            ("map = 'S...'", "map: no goal", "[goals]"),
            ("map = 'S.?G'", "map cell (0, 2)", "goal listed"),
            ("map = '''\nS.\n...\nG..'''", "map row 2", "equally long"),
            (&format!("{map}[goals]\nG = nan"), "goals.G: NaN", "finite"),
            (&format!("{map}[goals]\nG = inf"), "goals.G: inf", "finite"),
            (&format!("{map}[goals]\nGG = 1"), "goals.GG: ", "one letter"),
            (
                &format!("{map}[goals]\nS = 1"),
                "goals.S: ",
                "letter or digit",
            ),
            (&format!("{map}{map}"), "line 2: ", "TOML syntax"),
        ] {
            let message = refused(text);
            assert!(message.contains(place), "{place} not in: {message}");
            assert!(message.contains(remedy), "{remedy} not in: {message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        }
    }
}
