//! An environment on squares: what figures and page need of it.

use super::squares::Squares;
use hedgerow::finite::FiniteGeometry;
use hedgerow::results::{EnvironmentFile, ExactFile};
use hedgerow::run::Payload;
use std::collections::{BTreeMap, BTreeSet};

/// The environment with squares for states. One pair stands for all that can be done in a square;
/// what the expert does in single states is left out.
pub(super) fn thin(file: &EnvironmentFile, squares: &Squares) -> EnvironmentFile {
    let Acting { pairs, rewards } = acting(file, squares);
    let largest = |entries: &[(u32, f64)]| squares.entries(entries, f64::max);
    let sum = |entries: &[(u32, f64)]| squares.entries(entries, |a, b| a + b);
    EnvironmentFile {
        format: file.format.clone(),
        domain: file.domain.clone(),
        name: file.name.clone(),
        fingerprint: file.fingerprint.clone(),
        states: squares.layout().cells.len(),
        gamma: file.gamma,
        horizon: file.horizon,
        budget: file.budget,
        expert_reward: file.expert_reward,
        expert_cost: file.expert_cost,
        layout: Some(squares.layout().clone()),
        actions: file.actions.clone(),
        pairs,
        state_names: Vec::new(),
        start: sum(&file.start),
        rewards,
        transition_rewards: Vec::new(),
        value_range: file.value_range,
        observed_rewards: file.observed_rewards,
        true_cells: largest(&file.true_cells),
        expert_cells: sum(&file.expert_cells),
        expert: Vec::new(),
        graph: None,
        warm_samples: file.warm_samples,
        geometry: file.geometry.as_ref().and_then(|g| steps(g, squares)),
        exact: file.exact.as_ref().map(|exact| ExactFile {
            iou: exact.iou,
            wgiou: exact.wgiou,
            cells: largest(&exact.cells),
        }),
    }
}

/// Pairs and rewards, as in [`EnvironmentFile`].
struct Acting {
    pairs: Vec<(u32, u32)>,
    rewards: Vec<(u32, f64)>,
}

/// A pair for every square in which somebody acts, and the rewards of those drawn as goals.
fn acting(file: &EnvironmentFile, squares: &Squares) -> Acting {
    let mut acts = vec![false; squares.layout().cells.len()];
    for square in file.pairs.iter().filter_map(|&(s, _)| squares.square(s)) {
        acts[square as usize] = true;
    }
    let goals: BTreeMap<char, Option<f64>> = file.goals().into_iter().collect();
    let (mut pairs, mut rewards) = (Vec::new(), Vec::new());
    for (square, _) in (0..).zip(acts).filter(|(_, acts)| *acts) {
        match squares.symbol(square).and_then(|symbol| goals.get(&symbol)) {
            // Drawn as an end, in which nobody acts.
            Some(None) => continue,
            Some(Some(reward)) => rewards.push((pairs.len() as u32, *reward)),
            None => {}
        }
        pairs.push((square, 0));
    }
    Acting { pairs, rewards }
}

/// The steps of the expert from square to square; none where they cannot be read.
fn steps(geometry: &Payload, squares: &Squares) -> Option<Payload> {
    let known: FiniteGeometry = geometry.read().ok()?;
    let step = |(from, to)| Some((squares.square(from)?, squares.square(to)?));
    let steps = known.expert_steps.into_iter().filter_map(step);
    let steps: BTreeSet<(u32, u32)> = steps.filter(|(from, to)| from != to).collect();
    let expert_steps = steps.into_iter().collect();
    Payload::new(&FiniteGeometry { expert_steps }).ok()
}
