//! An expert that was only recorded, as a policy: a network that does what the expert did nearby.

use crate::Result;
use crate::net::{Adam, Mlp, PlainTrainer};
use crate::world::{NetworkPolicy, Space, Trajectories, WorldSpec};
use hedgerow::seed::Stream;
use rand::RngExt;

/// Gradient steps, pairs per step and units of the hidden layers.
const STEPS: usize = 3000;
const BATCH: usize = 64;
const UNITS: usize = 64;

/// Learns from trajectories by behavioural cloning: the least squares of scaled actions, or the largest
/// likelihood of names.
pub fn cloned(data: &Trajectories, spec: &WorldSpec, seed: u64) -> Result<NetworkPolicy> {
    let (inputs, outputs) = (spec.observation.inputs(), spec.action.inputs());
    let (width, each) = (spec.observation.len(), spec.action.len());
    let (mut observations, mut actions) = (Vec::new(), Vec::new());
    for t in data.all() {
        let pairs = t
            .observations
            .chunks_exact(width)
            .zip(t.actions.chunks_exact(each));
        for (o, a) in pairs {
            let (start, end) = (observations.len(), actions.len());
            observations.resize(start + inputs, 0.0_f32);
            spec.observation.encode(o, &mut observations[start..]);
            actions.resize(end + outputs, 0.0_f32);
            spec.action.encode(a, &mut actions[end..]);
        }
    }
    let mut stream = Stream::new(seed, "general.cloned");
    let net = Mlp::random(&[inputs, UNITS, UNITS, outputs], 0.1, &mut stream)?;
    let adam = Adam::new(net.values().len(), 1e-3, 10.0);
    let mut trainer = PlainTrainer::new(net, adam);
    let count = data.decisions();
    let (mut rows, mut wanted) = (Vec::new(), Vec::new());
    let discrete = matches!(spec.action, Space::Discrete(_));
    for _ in 0..STEPS {
        rows.clear();
        wanted.clear();
        for _ in 0..BATCH {
            let i = stream.random_range(0..count);
            rows.extend_from_slice(&observations[i * inputs..(i + 1) * inputs]);
            wanted.extend_from_slice(&actions[i * outputs..(i + 1) * outputs]);
        }
        trainer.step(&rows, |found, gradient| {
            descend(found, &wanted, gradient, outputs, discrete)
        })?;
    }
    NetworkPolicy::new(trainer.into_net(), spec)
}

/// The loss of a batch and its gradient.
fn descend(
    found: &[f32],
    wanted: &[f32],
    gradient: &mut [f32],
    outputs: usize,
    discrete: bool,
) -> f32 {
    let share = 1.0 / BATCH as f32;
    let mut loss = 0.0;
    let rows = found
        .chunks_exact(outputs)
        .zip(wanted.chunks_exact(outputs));
    for ((found, wanted), gradient) in rows.zip(gradient.chunks_exact_mut(outputs)) {
        let top = found.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total: f32 = found.iter().map(|x| libm::expf(x - top)).sum();
        for ((x, y), g) in found.iter().zip(wanted).zip(gradient) {
            let guess = match discrete {
                true => libm::expf(x - top) / total,
                false => *x,
            };
            *g = share * (guess - y);
            loss += 0.5 * share * (guess - y) * (guess - y);
        }
    }
    loss
}
