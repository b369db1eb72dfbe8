//! A continuous world, opened for runs.

use super::cloned::cloned;
use super::evaluator::GeneralEvaluator;
use super::exploration::GeneralExploration;
use super::learner::GeneralLearner;
use super::payload::{Axis, KEPT, ShownPairs, WorldGeometry};
use crate::Result;
use crate::world::view::rounded_place;
use crate::world::{ContinuousWorld, Coordinate, Expert, Policy, Space};
use hedgerow::domain::{RowObserver, World};
use hedgerow::fingerprint::Fingerprint;
use hedgerow::results::{EnvironmentFile, ExactFile};
use hedgerow::run::{Payload, RunResult, RunSettings, RunSpec, run_loop};
use std::sync::Arc;

/// The name of the domain, as in files.
pub const DOMAIN: &str = "general";

/// Episodes of the expert that files keep, for figures.
const PATHS: usize = 8;

/// A world with its expert and its evaluator.
#[derive(Debug)]
pub struct OpenWorld {
    world: Arc<dyn ContinuousWorld>,
    expert: Expert,
    policy: Arc<dyn Policy>,
    evaluator: GeneralEvaluator,
    file: EnvironmentFile,
}

impl OpenWorld {
    /// Opens a world: finds its expert, plays it, and samples the pairs to compare on.
    pub fn new(world: Arc<dyn ContinuousWorld>) -> Result<Self> {
        world.spec().check()?;
        let expert = world.expert()?;
        let policy = match &expert {
            Expert::Policy(policy) => policy.clone(),
            Expert::Data(data) => Arc::new(cloned(data, world.spec(), 0)?),
        };
        let evaluator = GeneralEvaluator::new(&world, &policy)?;
        let file = describe(&*world, &*policy, &evaluator)?;
        Ok(Self {
            world,
            expert,
            policy,
            evaluator,
            file,
        })
    }

    /// The world.
    pub fn world(&self) -> &Arc<dyn ContinuousWorld> {
        &self.world
    }

    /// Its expert.
    pub fn expert(&self) -> &Expert {
        &self.expert
    }

    /// Its expert as a policy: itself, or what was learned from its trajectories.
    pub fn policy(&self) -> &Arc<dyn Policy> {
        &self.policy
    }

    /// Its evaluator.
    pub fn evaluator(&self) -> &GeneralEvaluator {
        &self.evaluator
    }

    /// Does the run that `spec` determines and keeps its learner, to ask what it inferred anywhere.
    pub fn learn(
        &self,
        spec: &RunSpec,
        observe: &mut RowObserver,
    ) -> Result<(RunResult, GeneralLearner)> {
        let settings = RunSettings::new(&spec.settings);
        let mut exploration = GeneralExploration::new(self, spec, settings)?;
        let stop = run_loop(&mut exploration, &settings, &mut |row, _| Ok(observe(row)))?;
        exploration.finish(stop)
    }
}

impl World for OpenWorld {
    fn file(&self) -> &EnvironmentFile {
        &self.file
    }

    fn run(&self, spec: &RunSpec, observe: &mut RowObserver) -> Result<RunResult> {
        Ok(self.learn(spec, observe)?.0)
    }
}

fn axes(space: &Space) -> Vec<Axis> {
    match space {
        Space::Discrete(names) => names
            .iter()
            .map(|name| Axis {
                label: name.clone(),
                low: None,
                high: None,
            })
            .collect(),
        Space::Box(coordinates) => coordinates.iter().map(axis).collect(),
    }
}

fn axis(c: &Coordinate) -> Axis {
    Axis {
        label: c.label(),
        low: c.low.is_finite().then_some(c.low),
        high: c.high.is_finite().then_some(c.high),
    }
}

/// The pairs that snapshots keep, on the axes that the world names.
fn shown(world: &dyn ContinuousWorld, evaluator: &GeneralEvaluator) -> Option<ShownPairs> {
    let pairs = evaluator.pairs().iter().take(KEPT);
    let places = pairs.map(|p| rounded_place(world, &p.observation, &p.action));
    let places: Vec<[f64; 2]> = places.collect();
    let view = world.view();
    let boundaries = view.boundaries.into_iter().map(|b| (b.label, b.points));
    (!places.is_empty()).then(|| ShownPairs {
        x: axis(&view.x),
        y: axis(&view.y),
        places,
        boundaries: boundaries.collect(),
    })
}

/// The environment file of a world. It has one state: what else there is to see is its geometry.
fn describe(
    world: &dyn ContinuousWorld,
    policy: &dyn Policy,
    evaluator: &GeneralEvaluator,
) -> Result<EnvironmentFile> {
    let spec = world.spec();
    let mut fingerprint = Fingerprint::new();
    fingerprint.text(&spec.name).text(&world.version());
    fingerprint.whole(spec.horizon).numbers(&[spec.gamma]);
    let actions = match &spec.action {
        Space::Discrete(names) => names.clone(),
        Space::Box(_) => vec!["any".to_owned()],
    };
    let geometry = WorldGeometry {
        observation: axes(&spec.observation),
        action: axes(&spec.action),
        expert: paths(world, policy)?,
        shown: shown(world, evaluator),
    };
    Ok(EnvironmentFile {
        format: EnvironmentFile::FORMAT.to_owned(),
        domain: DOMAIN.to_owned(),
        name: spec.name.clone(),
        fingerprint: fingerprint.to_string(),
        states: 1,
        gamma: spec.gamma,
        horizon: spec.horizon,
        budget: 0.0,
        expert_reward: evaluator.expert().reward,
        expert_cost: evaluator.expert().cost,
        layout: None,
        pairs: (0..actions.len()).map(|a| (0, a as u32)).collect(),
        actions,
        state_names: Vec::new(),
        start: vec![(0, 1.0)],
        rewards: Vec::new(),
        transition_rewards: Vec::new(),
        value_range: None,
        observed_rewards: None,
        warm_samples: 0,
        true_cells: Vec::new(),
        expert_cells: Vec::new(),
        expert: Vec::new(),
        graph: None,
        geometry: Some(Payload::new(&geometry)?),
        exact: evaluator.attainable().map(|iou| ExactFile {
            iou,
            wgiou: iou,
            cells: Vec::new(),
        }),
    })
}

/// Observations of some of the expert's episodes.
fn paths(world: &dyn ContinuousWorld, policy: &dyn Policy) -> Result<Vec<Vec<Vec<f64>>>> {
    let spec = world.spec();
    let mut env = world.episodes(0, "general.paths")?;
    let mut o = vec![0.0; spec.observation.len()];
    let mut a = vec![0.0; spec.action.len()];
    let short = |x: &f64| (x * 1e3).round() / 1e3;
    let mut all = Vec::new();
    for _ in 0..PATHS {
        env.reset(&mut o)?;
        let mut path = Vec::new();
        for _ in 0..spec.horizon {
            path.push(o.iter().map(short).collect());
            policy.act(&o, &mut a)?;
            if env.step(&a, &mut o)?.done() {
                break;
            }
        }
        path.push(o.iter().map(short).collect());
        all.push(path);
    }
    Ok(all)
}
