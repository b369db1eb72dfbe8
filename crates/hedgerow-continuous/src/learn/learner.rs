//! What has been seen, and what follows from it.

use super::cells::Cells;
use super::fit::Fit;
use super::habits::Habits;
use super::infer::{Advantage, Inference};
use super::sample::Sample;
use super::stopping::Stopping;
use super::table::Table;
use crate::Result;
use crate::density::Density;
use crate::lattice::Lattice;
use crate::maze::{FORCES, Map, State};
use hedgerow::learn::{beta, clip, sigma};

/// What a learner is told of the world: nothing that it could not measure with a ruler and a clock.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Walls and open cells.
    pub map: Map,
    /// Discount of a decision.
    pub gamma: f64,
    /// Seconds a decision takes.
    pub seconds: f64,
}

/// Resolutions of the fitted value, finest first: metres between positions, speeds an axis.
const LEVELS: [(f64, usize); 3] = [(0.1, 11), (0.2, 9), (0.4, 5)];

/// The resolution in which actions are compared.
pub(super) const MIDDLE: usize = 1;

/// The coarsest resolution, in which plans are made.
pub(super) const COARSE: usize = 2;

/// Learns from samples which decisions the expert leaves alone although they would pay.
#[derive(Debug)]
pub struct Learner {
    terms: Terms,
    inference: Inference,
    samples: Vec<Sample>,
    fit: Fit,
    density: Box<dyn Density>,
    stopping: Stopping,
    habits: Habits,
    table: Table,
    advantages: Vec<Option<Advantage>>,
    costs: Vec<f64>,
    /// Where each sample leads, and how many of them were found with the final idea of braking.
    places: Vec<[f64; 2]>,
    settled: usize,
    cells: Cells,
}

impl Learner {
    /// A learner that has seen nothing.
    pub fn new(terms: Terms, inference: Inference, density: &str) -> Result<Self> {
        let lattice = |&(spacing, speeds): &(f64, usize)| Lattice::new(&terms.map, spacing, speeds);
        let lattices: Vec<Lattice> = LEVELS.iter().map(lattice).collect::<Result<_>>()?;
        let mut learner = Self {
            density: crate::density::named(density, lattices[MIDDLE].clone()),
            habits: Habits::new(&lattices),
            table: Table::new(lattices[MIDDLE].nodes()),
            stopping: Stopping::new(terms.seconds),
            fit: Fit::new(terms.gamma, lattices),
            terms,
            inference,
            samples: Vec::new(),
            advantages: Vec::new(),
            costs: Vec::new(),
            places: Vec::new(),
            settled: 0,
            cells: Cells::default(),
        };
        learner.cells = learner.find_cells();
        Ok(learner)
    }

    /// What it is told of the world.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// How it infers.
    pub fn inference(&self) -> &Inference {
        &self.inference
    }

    /// All samples, episode after episode.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The density of what it has seen.
    pub fn density(&self) -> &dyn Density {
        &*self.density
    }

    /// The expert's fitted value.
    pub fn fit(&self) -> &Fit {
        &self.fit
    }

    /// Which actions the expert was seen to choose where.
    pub fn habits(&self) -> &Habits {
        &self.habits
    }

    /// Where the ball can be stopped, as far as it knows.
    pub fn stopping(&self) -> &Stopping {
        &self.stopping
    }

    /// Sees a sample. What follows from it is found by [`Self::refresh`], after whole episodes.
    pub fn see(&mut self, sample: Sample) {
        self.fit.see(&sample);
        self.habits.see(&self.fit, self.samples.len(), &sample);
        self.density.see(&sample.state, sample.action.into());
        self.stopping.see(&sample);
        self.samples.push(sample);
    }

    /// Fits the value to all samples and infers the cost anew.
    pub fn refresh(&mut self) {
        self.fit.update(&self.samples);
        self.find_places();
        self.advantages.clear();
        self.costs.clear();
        let gamma = self.terms.gamma;
        for (i, s) in self.samples.iter().enumerate() {
            let values = (self.fit.here(i), self.fit.onwards(&self.samples, i));
            let advantage = match values {
                (Some(here), Some(next)) => {
                    Some(self.inference.advantage(s.reward, gamma, here, next))
                }
                _ => None,
            };
            self.advantages.push(advantage);
            let cost = match advantage {
                Some(advantage) if s.action != s.expert => self.inference.cost(advantage),
                _ => 0.0,
            };
            let own = cost > 0.0 && self.is_experts(i);
            self.costs.push(if own { 0.0 } else { cost });
        }
        let here = &self.fit.levels()[MIDDLE].here;
        self.table
            .fill(&self.samples, here, &self.advantages, &self.costs);
        self.cells = self.find_cells();
    }

    /// The inferred cost on cells, as of the last refresh.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Whether the action of a sample is one that the expert itself chooses there or nearby.
    pub fn is_experts(&self, i: usize) -> bool {
        let s = &self.samples[i];
        s.action == s.expert
            || self.habits.share(&self.fit, i, s.action.into()) > self.inference.share
    }

    /// The advantage of each sample's action, where both values are known.
    pub fn advantages(&self) -> &[Option<Advantage>] {
        &self.advantages
    }

    /// The inferred cost of each sample.
    pub fn costs(&self) -> &[f64] {
        &self.costs
    }

    /// The advantages of all actions at any state: means over what was tried nearby.
    pub fn advantages_at(&self, state: &State) -> [Option<Advantage>; 8] {
        let lattice = self.fit.levels()[MIDDLE].lattice();
        self.table.advantages(&lattice.around(state))
    }

    /// The inferred cost of all actions at any state; 0 where nothing was tried nearby.
    pub fn costs_at(&self, state: &State) -> [f64; 8] {
        let lattice = self.fit.levels()[MIDDLE].lattice();
        self.table.costs(&lattice.around(state))
    }

    /// Where each sample leads: the place at which the ball can first be stopped.
    pub fn places(&self) -> &[[f64; 2]] {
        &self.places
    }

    fn find_places(&mut self) {
        self.places.truncate(self.settled);
        for sample in &self.samples[self.settled..] {
            let place = self.stopping.place(&self.terms.map, &sample.next);
            self.places.push(place);
        }
        if self.stopping.is_settled() {
            self.settled = self.places.len();
        }
    }

    /// The points that the inferred cost is charged at: x, y, cost.
    pub fn points(&self) -> Vec<[f64; 3]> {
        let charged = self.places.iter().zip(&self.costs);
        charged
            .filter(|(_, cost)| **cost > 0.0)
            .map(|(&[x, y], &cost)| [x, y, cost])
            .collect()
    }
}

impl Learner {
    /// The error bound with pseudo-counts: `max C_k / (1 - gamma)` over the pairs of the last
    /// episode, which is at its cap until pairs have been tried hundreds of thousands of times.
    pub fn accuracy(&self, inference: &hedgerow::learn::Inference) -> f64 {
        let most = inference.cost_max / (1.0 - self.terms.gamma);
        let before = self.samples.iter().rev().skip(1).take_while(|s| !s.last);
        let episode = self.samples.last().into_iter().chain(before);
        let least = episode.map(|s| {
            let count = self.density.count(&s.state, s.action.into());
            count.max(1.0)
        });
        let least = least.fold(f64::INFINITY, f64::min);
        if least.is_infinite() {
            return most;
        }
        let pairs = self.fit.levels()[MIDDLE].lattice().nodes() * FORCES.len();
        let largest = self.advantages.iter().flatten().map(|a| a.value.abs());
        let zeta_max = inference.cost_max / largest.fold(f64::MIN_POSITIVE, f64::max);
        let gamma = self.terms.gamma;
        let beta = beta(least as u32, pairs, inference.delta);
        let x = 2.0 * sigma(gamma, 1.0, zeta_max, inference.cost_max) * beta;
        let bound = clip(x, inference.cost_max);
        bound / (1.0 - gamma)
    }
}
