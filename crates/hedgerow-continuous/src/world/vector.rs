//! Many copies of a world, stepped together.

use super::{Episodes, WorldSpec};
use crate::{Error, Result};
use std::fmt::Debug;

/// Many copies of a world. A copy whose episode is over begins another one by itself.
pub trait VecEpisodes: Debug + Send {
    /// How many copies there are.
    fn copies(&self) -> usize;

    /// The observations of all copies as they are now, one row per copy.
    fn observations(&self) -> &[f64];

    /// Takes one action per copy, row by row.
    fn step(&mut self, actions: &[f64], out: &mut VecSteps) -> Result<()>;
}

/// What one step led to, copy by copy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VecSteps {
    /// What each decision led to.
    pub steps: Vec<super::Step>,
    /// Observations after the step and before a reset, one row per copy.
    pub next: Vec<f64>,
}

/// Copies that are stepped one after another.
#[derive(Debug)]
pub struct Copies {
    all: Vec<Box<dyn Episodes>>,
    width: usize,
    each: usize,
    observations: Vec<f64>,
}

impl Copies {
    /// Begins an episode in each.
    pub fn new(all: Vec<Box<dyn Episodes>>, spec: &WorldSpec) -> Result<Self> {
        let width = spec.observation.len();
        let mut copies = Self {
            observations: vec![0.0; all.len() * width],
            each: spec.action.len(),
            width,
            all,
        };
        let rows = copies.observations.chunks_exact_mut(width);
        for (episodes, row) in copies.all.iter_mut().zip(rows) {
            episodes.reset(row)?;
        }
        Ok(copies)
    }
}

impl VecEpisodes for Copies {
    fn copies(&self) -> usize {
        self.all.len()
    }

    fn observations(&self) -> &[f64] {
        &self.observations
    }

    fn step(&mut self, actions: &[f64], out: &mut VecSteps) -> Result<()> {
        if actions.len() != self.all.len() * self.each {
            return Err(Error::invalid(
                "actions",
                format!("{} numbers for {} copies", actions.len(), self.all.len()),
                format!("give {} for each copy", self.each),
            ));
        }
        out.steps.clear();
        out.next.resize(self.observations.len(), 0.0);
        let rows = self.observations.chunks_exact_mut(self.width);
        let nexts = out.next.chunks_exact_mut(self.width);
        let choices = actions.chunks_exact(self.each);
        for (((episodes, row), next), action) in
            self.all.iter_mut().zip(rows).zip(nexts).zip(choices)
        {
            let step = episodes.step(action, row)?;
            next.copy_from_slice(row);
            if step.done() {
                episodes.reset(row)?;
            }
            out.steps.push(step);
        }
        Ok(())
    }
}
