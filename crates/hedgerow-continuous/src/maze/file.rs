//! Mazes as TOML; see `docs/formats.md`.

use super::builtin;
use super::design::{Design, Maze};
use crate::{Error, Result};
use hedgerow::error::nearest;
use hedgerow::io::keys::{self, number, wrong};
use hedgerow::io::read_text;
use std::fmt::Write;
use std::path::Path;
use toml::{Table, Value};

const KEYS: [&str; 10] = [
    "kind",
    "name",
    "gamma",
    "hold",
    "horizon",
    "goal_radius",
    "start_noise",
    "position_noise",
    "expert",
    "map",
];

/// The maze called `name_or_path`: built in or a `.toml` file.
pub fn open(name_or_path: &str) -> Result<Maze> {
    if builtin::NAMES.contains(&name_or_path) || !name_or_path.ends_with(".toml") {
        return builtin::maze(name_or_path);
    }
    let path = Path::new(name_or_path);
    let text = read_text(path)?;
    parse_file(&text, path)
}

/// The maze that `text`, the content of the file at `path`, draws.
pub fn parse_file(text: &str, path: &Path) -> Result<Maze> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    parse(text, &stem).map_err(|e| e.within(path.display()))
}

/// Whether `text` says that it draws a maze, right or wrong in all else.
pub fn is_maze(text: &str) -> bool {
    let table: Option<Table> = text.parse().ok();
    table.is_some_and(|t| t.get("kind").is_some_and(|k| k.as_str() == Some("maze")))
}

/// The maze that `text` draws, named `default_name` unless it names itself.
///
/// `kind = "maze"` and the map are required; keys that are left out have the values of
/// [`Design::new`].
pub fn parse(text: &str, default_name: &str) -> Result<Maze> {
    let table = keys::table(text)?;
    match table.get("kind") {
        Some(Value::String(kind)) if kind == "maze" => {}
        Some(Value::String(kind)) => {
            let problem = format!("\"{kind}\" is not known here");
            return Err(Error::invalid("kind", problem, "write kind = \"maze\""));
        }
        Some(other) => return Err(wrong("kind", other, "write kind = \"maze\"")),
        None => return Err(Error::invalid("kind", "missing", "write kind = \"maze\"")),
    }
    if let Some(key) = table.keys().find(|k| !KEYS.contains(&k.as_str())) {
        return Err(Error::invalid(key, "unknown key", nearest(key, KEYS)));
    }
    let name = word(&table, "name")?.unwrap_or(default_name);
    let lines = match table.get("map") {
        Some(Value::String(map)) => Design::lines_of(map),
        Some(other) => return Err(wrong("map", other, "draw it between two lines of \"\"\"")),
        None => {
            let remedy = "draw the map under `map`, between two lines of \"\"\"";
            return Err(Error::invalid("map", "missing", remedy));
        }
    };
    let defaults = Design::new(name, lines);
    Maze::new(Design {
        gamma: number(&table, "gamma", defaults.gamma)?,
        hold: count(&table, "hold", defaults.hold)?,
        horizon: count(&table, "horizon", defaults.horizon)?,
        goal_radius: number(&table, "goal_radius", defaults.goal_radius)?,
        start_noise: number(&table, "start_noise", defaults.start_noise)?,
        position_noise: number(&table, "position_noise", defaults.position_noise)?,
        expert: word(&table, "expert")?.map(str::to_owned),
        ..defaults
    })
}

impl Design {
    /// The design as a file that [`parse`] turns into the same maze.
    pub fn to_toml(&self) -> String {
        let mut text = format!(
            "kind = \"maze\"\nname = {}\ngamma = {:?}\nhold = {}\nhorizon = {}\ngoal_radius = {:?}\nstart_noise = {:?}\nposition_noise = {:?}\n",
            Value::from(self.name.as_str()),
            self.gamma,
            self.hold,
            self.horizon,
            self.goal_radius,
            self.start_noise,
            self.position_noise,
        );
        // Writing to a string cannot fail.
        if let Some(expert) = &self.expert {
            let _ = writeln!(text, "expert = {}", Value::from(expert.as_str()));
        }
        let _ = writeln!(text, "map = \"\"\"\n{}\"\"\"", self.drawing());
        text
    }

    /// The map as text, top line first, blanks between the symbols.
    pub fn drawing(&self) -> String {
        let mut map = String::new();
        for line in &self.lines {
            let line: Vec<String> = line.iter().map(char::to_string).collect();
            map.push_str(&line.join(" "));
            map.push('\n');
        }
        map
    }
}

fn word<'a>(table: &'a Table, key: &str) -> Result<Option<&'a str>> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::String(word)) => Ok(Some(word)),
        Some(other) => Err(wrong(key, other, "write it in quotes")),
    }
}

fn count(table: &Table, key: &str, default: u32) -> Result<u32> {
    let remedy = "write a whole number of at least 1";
    match table.get(key) {
        None => Ok(default),
        Some(&Value::Integer(i)) => u32::try_from(i)
            .map_err(|_| Error::invalid(key, format!("{i} is not such a count"), remedy)),
        Some(other) => Err(wrong(key, other, remedy)),
    }
}
