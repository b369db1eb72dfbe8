//! Training of small networks in plain loops: no allocation, no library, the same bits everywhere.
//!
//! [`Trainer`](super::Trainer) multiplies matrices faster; with some dozens of units that gains less than
//! its tensors cost, and most of that is memory asked of the system and given back.

use super::{Adam, Mlp};
use crate::{Error, Result};

/// A small network in training. The loss is the caller's, as for [`Trainer`](super::Trainer).
///
/// ```
/// use hedgerow::seed::Stream;
/// use hedgerow_continuous::net::{Adam, Mlp, PlainTrainer};
///
/// // Learn y = 2 x from squares of errors.
/// let net = Mlp::random(&[1, 16, 1], 1.0, &mut Stream::new(7, "weights"))?;
/// let adam = Adam::new(net.values().len(), 0.01, 10.0);
/// let mut trainer = PlainTrainer::new(net, adam);
/// let x = [-1.0, 0.0, 0.5, 1.0];
/// let mut last = f32::INFINITY;
/// for _ in 0..300 {
///     last = trainer.step(&x, |y, gradient| {
///         let mut loss = 0.0;
///         for i in 0..4 {
///             let error = y[i] - 2.0 * x[i];
///             gradient[i] = 2.0 * error / 4.0;
///             loss += error * error / 4.0;
///         }
///         loss
///     })?;
/// }
/// assert!(last < 1e-3, "{last}");
/// # Ok::<(), hedgerow_continuous::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlainTrainer {
    net: Mlp,
    adam: Adam,
    gradient: Vec<f32>,
    /// Activations of all layers for a batch, inputs first.
    layers: Vec<Vec<f32>>,
    /// Derivatives with respect to the activations of a layer and of the one before it.
    slopes: (Vec<f32>, Vec<f32>),
}

impl PlainTrainer {
    /// Trains `net` with `adam`.
    pub fn new(net: Mlp, adam: Adam) -> Self {
        Self {
            gradient: vec![0.0; net.values().len()],
            layers: vec![Vec::new(); net.sizes().len()],
            slopes: (Vec::new(), Vec::new()),
            net,
            adam,
        }
    }

    /// The network as it is now.
    pub fn net(&self) -> &Mlp {
        &self.net
    }

    /// Ends training.
    pub fn into_net(self) -> Mlp {
        self.net
    }

    /// One step on a batch. `loss` gets the outputs, row by row, and a gradient of zeros of the same
    /// length to fill; what it returns is returned.
    pub fn step(
        &mut self,
        inputs: &[f32],
        loss: impl FnOnce(&[f32], &mut [f32]) -> f32,
    ) -> Result<f32> {
        let rows = forward_all(&self.net, inputs, &mut self.layers)?;
        let outputs = self.layers.last().map_or(&[][..], Vec::as_slice);
        self.slopes.0.clear();
        self.slopes.0.resize(outputs.len(), 0.0);
        let value = loss(outputs, &mut self.slopes.0);
        self.differentiate(rows);
        if let Some(bad) = self.gradient.iter().find(|g| !g.is_finite()) {
            return Err(Error::invalid(
                "training",
                format!("a gradient is {bad}"),
                "use a lower learning rate, or check that inputs and rewards are finite",
            ));
        }
        self.adam.step(&mut self.net, &self.gradient);
        Ok(value)
    }

    /// The chain rule, from the last layer back.
    fn differentiate(&mut self, rows: usize) {
        self.gradient.fill(0.0);
        for layer in (0..self.net.layers()).rev() {
            let (inputs, outputs) = (self.net.sizes()[layer], self.net.sizes()[layer + 1]);
            let (weights, biases) = self.net.places(layer);
            let x = &self.layers[layer];
            let (slopes, before) = (&self.slopes.0, &mut self.slopes.1);
            for slope in slopes.chunks_exact(outputs) {
                for (g, s) in self.gradient[biases.clone()].iter_mut().zip(slope) {
                    *g += s;
                }
            }
            add_products(x, slopes, inputs, &mut self.gradient[weights.clone()]);
            if layer == 0 {
                break;
            }
            before.clear();
            before.resize(rows * inputs, 0.0);
            let weights = &self.net.values()[weights];
            for (row, slope) in slopes.chunks_exact(outputs).enumerate() {
                let range = row * inputs..(row + 1) * inputs;
                let (x, before) = (&x[range.clone()], &mut before[range]);
                let lines = weights.chunks_exact(outputs);
                for ((b, x), w) in before.iter_mut().zip(x).zip(lines) {
                    // Where the rectifier was 0 nothing passes.
                    if *x > 0.0 {
                        *b = dot(w, slope);
                    }
                }
            }
            std::mem::swap(&mut self.slopes.0, &mut self.slopes.1);
        }
    }
}

/// Room for the layers of batches, so that evaluating allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct BatchScratch {
    layers: Vec<Vec<f32>>,
}

impl Mlp {
    /// The outputs for many inputs, one row for each.
    pub fn forward_rows<'a>(
        &self,
        inputs: &[f32],
        scratch: &'a mut BatchScratch,
    ) -> Result<&'a [f32]> {
        scratch.layers.resize(self.sizes().len(), Vec::new());
        forward_all(self, inputs, &mut scratch.layers)?;
        Ok(scratch.layers.last().map_or(&[][..], Vec::as_slice))
    }
}

/// Fills `layers` with the activations of a batch; gives its number of rows.
fn forward_all(net: &Mlp, inputs: &[f32], layers: &mut [Vec<f32>]) -> Result<usize> {
    let width = net.inputs();
    if inputs.is_empty() || !inputs.len().is_multiple_of(width) {
        return Err(Error::invalid(
            "batch",
            format!("{} numbers for rows of {width}", inputs.len()),
            "give whole rows, at least one",
        ));
    }
    let rows = inputs.len() / width;
    layers[0].clear();
    layers[0].extend_from_slice(inputs);
    for layer in 0..net.layers() {
        let outputs = net.sizes()[layer + 1];
        let (weights, biases) = net.places(layer);
        let (weights, biases) = (&net.values()[weights], &net.values()[biases]);
        let (before, after) = layers.split_at_mut(layer + 1);
        let (x, y) = (&before[layer], &mut after[0]);
        y.clear();
        for _ in 0..rows {
            y.extend_from_slice(biases);
        }
        let width = net.sizes()[layer];
        for (x, y) in x.chunks_exact(width).zip(y.chunks_exact_mut(outputs)) {
            add_rows(x, weights, y);
        }
        if layer + 1 < net.layers() {
            y.iter_mut().for_each(|y| *y = y.max(0.0));
        }
    }
    Ok(rows)
}

/// `y += x W`, four rows of `W` at a time, so that `y` is loaded and stored a quarter as often.
fn add_rows(x: &[f32], weights: &[f32], y: &mut [f32]) {
    let n = y.len();
    let (fours, rest) = (x.chunks_exact(4), x.len() / 4 * 4);
    for (x, w) in fours.zip(weights.chunks_exact(4 * n)) {
        let (a, w) = w.split_at(n);
        let (b, w) = w.split_at(n);
        let (c, d) = w.split_at(n);
        let d = &d[..n];
        for i in 0..n {
            y[i] += (x[0] * a[i] + x[1] * b[i]) + (x[2] * c[i] + x[3] * d[i]);
        }
    }
    for (x, w) in x[rest..].iter().zip(weights[rest * n..].chunks_exact(n)) {
        for (y, w) in y.iter_mut().zip(w) {
            *y += x * w;
        }
    }
}

/// `G += X^T S` over the rows of a batch, four at a time.
fn add_products(x: &[f32], slopes: &[f32], inputs: usize, gradient: &mut [f32]) {
    let rows = x.len() / inputs;
    let n = slopes.len() / rows.max(1);
    let fours = x.chunks_exact(4 * inputs).zip(slopes.chunks_exact(4 * n));
    for (x, s) in fours {
        let (a, s) = s.split_at(n);
        let (b, s) = s.split_at(n);
        let (c, d) = s.split_at(n);
        let d = &d[..n];
        for (i, g) in gradient.chunks_exact_mut(n).enumerate() {
            let (p, q) = (x[i], x[inputs + i]);
            let (r, t) = (x[2 * inputs + i], x[3 * inputs + i]);
            for j in 0..n {
                g[j] += (p * a[j] + q * b[j]) + (r * c[j] + t * d[j]);
            }
        }
    }
    let done = rows / 4 * 4;
    let rest = x[done * inputs..].chunks_exact(inputs);
    for (x, s) in rest.zip(slopes[done * n..].chunks_exact(n)) {
        for (x, g) in x.iter().zip(gradient.chunks_exact_mut(n)) {
            for (g, s) in g.iter_mut().zip(s) {
                *g += x * s;
            }
        }
    }
}

/// The product of two rows, summed in eight lanes that compilers keep in registers.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    let (x, y) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest = x.remainder().iter().zip(y.remainder());
    let rest: f32 = rest.map(|(a, b)| a * b).sum();
    for (x, y) in x.zip(y) {
        for i in 0..8 {
            lanes[i] += x[i] * y[i];
        }
    }
    let halves = (lanes[0] + lanes[4], lanes[1] + lanes[5]);
    let others = (lanes[2] + lanes[6], lanes[3] + lanes[7]);
    (halves.0 + halves.1) + (others.0 + others.1) + rest
}
