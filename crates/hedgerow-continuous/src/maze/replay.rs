//! Recorded trajectories of the real environment, replayed; see `docs/formats.md`.

use super::design::cell_name;
use super::map::Map;
use super::physics::{Ball, Physics};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A recorded trajectory.
#[derive(Clone, Debug, Deserialize)]
pub struct Trajectory {
    /// What it shows.
    pub name: String,
    /// Lines of the map from the top, as it is drawn: 1 is a wall, 0 is open.
    pub map: Vec<Vec<u8>>,
    /// Width of a cell in metres.
    pub scaling: f64,
    /// Position at the start.
    pub init_qpos: [f64; 2],
    /// Velocity at the start.
    pub init_qvel: [f64; 2],
    /// The action of every step.
    pub actions: Vec<[f64; 2]>,
    /// Position after every step.
    pub qpos: Vec<[f64; 2]>,
    /// Velocity after every step.
    pub qvel: Vec<[f64; 2]>,
}

/// How far a replayed trajectory is from the recorded one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplayErrors {
    /// The name of the trajectory.
    pub name: String,
    /// Its steps.
    pub steps: usize,
    /// Largest error of a coordinate over all steps, in metres.
    pub max_position_error: f64,
    /// Largest error of a velocity along an axis over all steps, in metres per second.
    pub max_velocity_error: f64,
}

/// The trajectories of the file at `path`.
pub fn open(path: &Path) -> Result<Vec<Trajectory>> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::reading(path, e))?;
    parse(&text).map_err(|e| e.within(path.display()))
}

/// The trajectories that `text` lists.
pub fn parse(text: &str) -> Result<Vec<Trajectory>> {
    if text.trim().is_empty() {
        let remedy = "give a JSON list of trajectories";
        return Err(Error::invalid("line 1", "the file is empty", remedy));
    }
    let all: Vec<serde_json::Value> = serde_json::from_str(text).map_err(|e| {
        let place = format!("line {}, column {}", e.line(), e.column());
        let remedy = "give a JSON list of trajectories, numbers finite";
        Error::invalid(place, plain(&e), remedy)
    })?;
    if all.is_empty() {
        let remedy = "list at least one trajectory";
        return Err(Error::invalid("line 1", "the list is empty", remedy));
    }
    let one = |(i, value): (usize, serde_json::Value)| {
        let named = value.get("name").and_then(|n| n.as_str());
        let place = match named {
            Some(name) => format!("trajectory {i} ({name})"),
            None => format!("trajectory {i}"),
        };
        trajectory(value).map_err(|e| e.within(&place))
    };
    all.into_iter().enumerate().map(one).collect()
}

fn trajectory(value: serde_json::Value) -> Result<Trajectory> {
    const FIELDS: [&str; 8] = [
        "name",
        "map",
        "scaling",
        "init_qpos",
        "init_qvel",
        "actions",
        "qpos",
        "qvel",
    ];
    let Some(object) = value.as_object() else {
        let remedy = "give an object with its fields";
        return Err(Error::invalid("the entry", "not an object", remedy));
    };
    if let Some(field) = FIELDS.iter().find(|f| !object.contains_key(**f)) {
        let remedy = format!("give all of {}", FIELDS.join(", "));
        return Err(Error::invalid(*field, "missing", remedy));
    }
    // One field at a time, so that the message can name it.
    let trajectory = Trajectory {
        name: field(object, "name", "a name in quotes")?,
        map: field(object, "map", "lines of 1 (wall) and 0 (open)")?,
        scaling: field(object, "scaling", "the width of a cell in metres")?,
        init_qpos: field(object, "init_qpos", "two numbers")?,
        init_qvel: field(object, "init_qvel", "two numbers")?,
        actions: field(object, "actions", "two numbers per step")?,
        qpos: field(object, "qpos", "two numbers per step")?,
        qvel: field(object, "qvel", "two numbers per step")?,
    };
    trajectory.check()?;
    Ok(trajectory)
}

fn field<T: serde::de::DeserializeOwned>(
    object: &serde_json::Map<String, serde_json::Value>,
    key: &str,
    remedy: &str,
) -> Result<T> {
    let value = object.get(key).cloned().unwrap_or_default();
    serde_json::from_value(value)
        .map_err(|e| Error::invalid(key, plain(&e), format!("give {remedy}")))
}

/// A message of the JSON reader without its place, in one line.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Trajectory {
    /// The map it was recorded in.
    pub fn map(&self) -> Result<Map> {
        let walls = |line: &Vec<u8>| line.iter().map(|&c| c == 1).collect();
        let walls: Vec<Vec<bool>> = self.map.iter().map(walls).collect();
        Map::drawn(&walls, self.scaling)
    }

    fn check(&self) -> Result<()> {
        for (row, line) in (0..self.map.len()).rev().zip(&self.map) {
            if let Some((column, c)) = line.iter().enumerate().find(|&(_, &c)| c > 1) {
                return Err(Error::invalid(
                    cell_name(row, column),
                    format!("{c} is neither wall nor open"),
                    "use 1 for a wall and 0 for an open cell",
                ));
            }
        }
        if self.actions.is_empty() {
            return Err(Error::invalid(
                "actions",
                "no step",
                "record at least one step",
            ));
        }
        for (key, length) in [("qpos", self.qpos.len()), ("qvel", self.qvel.len())] {
            if length != self.actions.len() {
                return Err(Error::invalid(
                    key,
                    format!("{length} steps where `actions` has {}", self.actions.len()),
                    "give one position, one velocity and one action per step",
                ));
            }
        }
        let map = self.map()?;
        let [x, y] = self.init_qpos;
        let problem = match map.cell_at(self.init_qpos) {
            None => "outside the map".to_owned(),
            Some((row, column)) if map.is_wall(row, column) => {
                format!("in the wall of {}", cell_name(row, column))
            }
            Some(_) => return Ok(()),
        };
        Err(Error::invalid(
            "init_qpos",
            format!("({x}, {y}) is {problem}"),
            "start in an open cell",
        ))
    }

    /// Replays the trajectory from its start and compares every step.
    pub fn replay(&self) -> Result<ReplayErrors> {
        let physics = Physics::new(&self.map()?);
        let mut ball = Ball {
            position: self.init_qpos,
            velocity: self.init_qvel,
        };
        let further = |worst: f64, a: [f64; 2], b: [f64; 2]| {
            worst.max((a[0] - b[0]).abs()).max((a[1] - b[1]).abs())
        };
        let (mut position, mut velocity) = (0.0, 0.0);
        for ((&action, &x), &v) in self.actions.iter().zip(&self.qpos).zip(&self.qvel) {
            physics.step(&mut ball, action);
            position = further(position, ball.position, x);
            velocity = further(velocity, ball.velocity, v);
        }
        Ok(ReplayErrors {
            name: self.name.clone(),
            steps: self.actions.len(),
            max_position_error: position,
            max_velocity_error: velocity,
        })
    }
}
