//! How figures show pairs of a world: by two numbers of each.

use super::space::{Coordinate, Space};
use super::{ContinuousWorld, WorldSpec};

/// Two axes, and lines where the true constraint begins.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The horizontal axis.
    pub x: Coordinate,
    /// The vertical axis.
    pub y: Coordinate,
    /// Lines to draw; none where the truth is not known or no line on these axes.
    pub boundaries: Vec<Boundary>,
}

/// A line at which the true constraint begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// What it is.
    pub label: String,
    /// Its points on the two axes.
    pub points: Vec<[f64; 2]>,
}

impl View {
    /// What a world shows that names nothing: the first two numbers of observation and action.
    pub fn of(spec: &WorldSpec) -> Self {
        let all = [("observation", &spec.observation), ("action", &spec.action)];
        let mut coordinates = all.into_iter().flat_map(|(what, space)| match space {
            Space::Box(coordinates) => coordinates.clone(),
            Space::Discrete(names) => {
                let most = names.len().saturating_sub(1).max(1) as f64;
                vec![Coordinate::new(
                    &format!("number of the {what}"),
                    "",
                    0.0,
                    most,
                )]
            }
        });
        let none = || Coordinate::new("nothing", "", 0.0, 1.0);
        Self {
            x: coordinates.next().unwrap_or_else(none),
            y: coordinates.next().unwrap_or_else(none),
            boundaries: Vec::new(),
        }
    }
}

/// The first two numbers of a pair: its place on the axes of [`View::of`].
pub fn first_two(observation: &[f64], action: &[f64]) -> [f64; 2] {
    let mut all = observation.iter().chain(action).copied();
    [all.next().unwrap_or(0.0), all.next().unwrap_or(0.0)]
}

/// The place of a pair, rounded to what a figure can show.
pub fn rounded_place(world: &dyn ContinuousWorld, observation: &[f64], action: &[f64]) -> [f64; 2] {
    let place = world.place(observation, action);
    place.map(|x| (x * 1e3).round() / 1e3)
}
