//! What has been observed, and what follows from it.

use super::action_stats::ActionStats;
use super::braking::Braking;
use super::cell_costs::CellCosts;
use super::expert_policy::ExpertPolicyEstimate;
use super::fitted_value::FittedValue;
use super::infer::{Advantage, CostInference};
use super::sample::Sample;
use crate::Result;
use crate::density::{self, Density};
use crate::lattice::Lattice;
use crate::maze::{ACTIONS, Map, State};
use hedgerow::learn::{beta, clip, sigma};

/// What a learner is told of the world: nothing that it could not measure with a ruler and a clock.
#[derive(Clone, Debug)]
pub struct KnownWorld {
    /// Walls and open cells.
    pub map: Map,
    /// Discount per decision.
    pub gamma: f64,
    /// Seconds per decision.
    pub seconds: f64,
}

/// Resolutions of the fitted value, finest first: metres between positions, speeds per axis.
const RESOLUTIONS: [(f64, usize); 3] = [(0.1, 11), (0.2, 9), (0.4, 5)];

/// Most nodes of the finest resolution. Larger mazes have all of them coarser, by the first of
/// [`COARSER`] that is enough, or the last.
const MOST_NODES: usize = 500_000;
const COARSER: [f64; 4] = [1.0, 1.5, 2.0, 2.5];

/// The lattices of the resolutions in a maze.
fn lattices(map: &Map) -> Result<Vec<Lattice>> {
    let mut last = COARSER[COARSER.len() - 1];
    for factor in COARSER {
        let (spacing, speeds) = RESOLUTIONS[0];
        if Lattice::new(map, factor * spacing, speeds)?.nodes() <= MOST_NODES {
            last = factor;
            break;
        }
    }
    let lattice = |&(spacing, speeds): &(f64, usize)| {
        let spacing = (last * spacing).min(map.size());
        Lattice::new(map, spacing, speeds)
    };
    RESOLUTIONS.iter().map(lattice).collect()
}

/// The resolution in which actions are compared.
pub(super) const MIDDLE: usize = 1;

/// The coarsest resolution, in which plans are made.
pub(super) const COARSE: usize = 2;

/// Learns from samples which decisions the expert avoids although they would pay.
#[derive(Debug)]
pub struct Learner {
    known_world: KnownWorld,
    inference: CostInference,
    samples: Vec<Sample>,
    fitted_value: FittedValue,
    density: Box<dyn Density>,
    braking: Braking,
    expert_policy: ExpertPolicyEstimate,
    action_stats: ActionStats,
    advantages: Vec<Option<Advantage>>,
    costs: Vec<f64>,
    /// Where each sample leads, and how many of them were found with the final braking estimate.
    stopping_points: Vec<[f64; 2]>,
    final_points: usize,
    cell_costs: CellCosts,
}

impl Learner {
    /// A learner without samples.
    pub fn new(known: KnownWorld, inference: CostInference, density: &str) -> Result<Self> {
        let lattices = lattices(&known.map)?;
        let mut learner = Self {
            density: density::named(density, lattices[MIDDLE].clone()),
            expert_policy: ExpertPolicyEstimate::new(&lattices),
            action_stats: ActionStats::new(lattices[MIDDLE].nodes()),
            braking: Braking::new(known.seconds),
            fitted_value: FittedValue::new(known.gamma, lattices),
            known_world: known,
            inference,
            samples: Vec::new(),
            advantages: Vec::new(),
            costs: Vec::new(),
            stopping_points: Vec::new(),
            final_points: 0,
            cell_costs: CellCosts::default(),
        };
        learner.cell_costs = learner.find_cell_costs();
        Ok(learner)
    }

    /// What it is told of the world.
    pub fn known_world(&self) -> &KnownWorld {
        &self.known_world
    }

    /// How it infers.
    pub fn inference(&self) -> &CostInference {
        &self.inference
    }

    /// All samples, episode after episode.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The density of the samples.
    pub fn density(&self) -> &dyn Density {
        &*self.density
    }

    /// The expert's fitted value.
    pub fn fitted_value(&self) -> &FittedValue {
        &self.fitted_value
    }

    /// The estimate of the expert's policy.
    pub fn expert_policy(&self) -> &ExpertPolicyEstimate {
        &self.expert_policy
    }

    /// How fast the ball can be stopped, as far as it knows.
    pub fn braking(&self) -> &Braking {
        &self.braking
    }

    /// Adds a sample. What follows from it is found by [`Self::refresh`], after whole episodes.
    pub fn observe(&mut self, sample: Sample) {
        self.fitted_value.observe(&sample);
        let i = self.samples.len();
        self.expert_policy.observe(&self.fitted_value, i, &sample);
        self.density.observe(&sample.state, sample.action.into());
        self.braking.observe(&sample);
        self.samples.push(sample);
    }

    /// Fits the value to all samples and infers the cost anew.
    pub fn refresh(&mut self) {
        self.fitted_value.update(&self.samples);
        self.find_stopping_points();
        self.advantages.clear();
        self.costs.clear();
        for i in 0..self.samples.len() {
            let advantage = self.advantage(i);
            self.advantages.push(advantage);
            let cost = advantage.map_or(0.0, |a| self.inference.cost(a));
            let own = cost > 0.0 && self.is_expert_action(i);
            self.costs.push(if own { 0.0 } else { cost });
        }
        let states = &self.fitted_value.resolutions()[MIDDLE].states;
        self.action_stats
            .fill(&self.samples, states, &self.advantages, &self.costs);
        self.cell_costs = self.find_cell_costs();
    }

    fn advantage(&self, i: usize) -> Option<Advantage> {
        let state = self.fitted_value.at_state_of(i)?;
        let next = self.fitted_value.after(&self.samples, i)?;
        let (reward, gamma) = (self.samples[i].reward, self.known_world.gamma);
        Some(self.inference.advantage(reward, gamma, state, next))
    }

    /// The inferred cost on cells, as of the last refresh.
    pub fn cell_costs(&self) -> &CellCosts {
        &self.cell_costs
    }

    /// Whether the action of a sample is one that the expert itself chooses there or nearby.
    pub fn is_expert_action(&self, i: usize) -> bool {
        let s = &self.samples[i];
        let action = s.action.into();
        let nearby = || (self.expert_policy).probability(&self.fitted_value, i, action);
        s.action == s.expert || nearby() > self.inference.share
    }

    /// The advantage of each sample's action, where both values are known.
    pub fn advantages(&self) -> &[Option<Advantage>] {
        &self.advantages
    }

    /// The inferred cost of each sample.
    pub fn costs(&self) -> &[f64] {
        &self.costs
    }

    /// The advantages of all actions at any state: means over samples nearby.
    pub fn advantages_at(&self, state: &State) -> [Option<Advantage>; ACTIONS] {
        let lattice = self.fitted_value.resolutions()[MIDDLE].lattice();
        self.action_stats.advantages(&lattice.interpolation(state))
    }

    /// The inferred cost of all actions at any state; 0 where nothing was tried nearby.
    pub fn costs_at(&self, state: &State) -> [f64; ACTIONS] {
        let lattice = self.fitted_value.resolutions()[MIDDLE].lattice();
        self.action_stats.costs(&lattice.interpolation(state))
    }

    /// Where each sample leads: the point at which the ball can first be stopped.
    pub fn stopping_points(&self) -> &[[f64; 2]] {
        &self.stopping_points
    }

    fn find_stopping_points(&mut self) {
        self.stopping_points.truncate(self.final_points);
        for sample in &self.samples[self.final_points..] {
            let map = &self.known_world.map;
            let point = self.braking.stopping_point(map, &sample.next);
            self.stopping_points.push(point);
        }
        if self.braking.is_final() {
            self.final_points = self.stopping_points.len();
        }
    }

    /// The points that the inferred cost is charged at: x, y, cost.
    pub fn cost_points(&self) -> Vec<[f64; 3]> {
        let charged = self.stopping_points.iter().zip(&self.costs);
        charged
            .filter(|(_, cost)| **cost > 0.0)
            .map(|(&[x, y], &cost)| [x, y, cost])
            .collect()
    }

    /// The error bound with pseudo-counts: `max C_k / (1 - gamma)` over the pairs of the last
    /// episode, which is at its cap until pairs have been tried hundreds of thousands of times.
    pub fn accuracy(&self, inference: &hedgerow::learn::Inference) -> f64 {
        let gamma = self.known_world.gamma;
        let before = self.samples.iter().rev().skip(1).take_while(|s| !s.last);
        let episode = self.samples.last().into_iter().chain(before);
        let counts = episode.map(|s| {
            let count = self.density.count(&s.state, s.action.into());
            count.max(1.0)
        });
        let least = counts.fold(f64::INFINITY, f64::min);
        if least.is_infinite() {
            return inference.cost_max / (1.0 - gamma);
        }
        let pairs = self.fitted_value.resolutions()[MIDDLE].lattice().nodes() * ACTIONS;
        let largest = self.advantages.iter().flatten().map(|a| a.value.abs());
        let zeta_max = inference.cost_max / largest.fold(f64::MIN_POSITIVE, f64::max);
        let beta = beta(least as u32, pairs, inference.delta);
        let x = 2.0 * sigma(gamma, 1.0, zeta_max, inference.cost_max) * beta;
        clip(x, inference.cost_max) / (1.0 - gamma)
    }
}
