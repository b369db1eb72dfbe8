//! The network itself: layer sizes, weights, one state at a time.

use crate::{Error, Result};
use hedgerow::seed::Stream;
use rand::RngExt;
use std::ops::Range;

/// Largest number of weights, far above anything that trains in minutes.
const MOST: usize = 50_000_000;

/// A multilayer perceptron with rectified hidden layers and a linear output.
///
/// ```
/// use hedgerow::seed::Stream;
/// use hedgerow_continuous::net::{Mlp, Scratch};
///
/// let net = Mlp::random(&[4, 64, 8], 1.0, &mut Stream::new(7, "weights"))?;
/// let mut scratch = Scratch::new(&net);
/// assert_eq!(net.forward(&[0.1, 0.2, 0.0, 0.0], &mut scratch).len(), 8);
/// # Ok::<(), hedgerow_continuous::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mlp {
    sizes: Vec<usize>,
    /// Layer by layer: weights, one row per input, then biases. So an input adds its row to the
    /// outputs, which compilers vectorise without changing the order of any sum.
    values: Vec<f32>,
}

/// Room for the layers of a forward pass, so that acting allocates nothing.
#[derive(Clone, Debug)]
pub struct Scratch {
    now: Vec<f32>,
    next: Vec<f32>,
}

impl Scratch {
    /// Room for `net` and every smaller one.
    pub fn new(net: &Mlp) -> Self {
        let widest = net.sizes.iter().copied().max().unwrap_or(0);
        Self {
            now: vec![0.0; widest],
            next: vec![0.0; widest],
        }
    }
}

impl Mlp {
    /// A network of given weights: for each layer its weights, one row per input, then its biases.
    pub fn new(sizes: &[usize], values: Vec<f32>) -> Result<Self> {
        let wanted = count(sizes)?;
        if values.len() != wanted {
            return Err(Error::invalid(
                "network",
                format!("{} weights for layers of {sizes:?}", values.len()),
                format!("give {wanted}"),
            ));
        }
        if let Some(i) = values.iter().position(|x| !x.is_finite()) {
            return Err(Error::invalid(
                "network",
                format!("weight {i} is {}", values[i]),
                "train it again with a lower learning rate",
            ));
        }
        Ok(Self {
            sizes: sizes.to_vec(),
            values,
        })
    }

    /// Random weights, uniform within `sqrt(6 / inputs)`, which keeps the size of signals through
    /// rectified layers; those of the last layer within `last / sqrt(inputs)`. Biases are 0.
    pub fn random(sizes: &[usize], last: f32, stream: &mut Stream) -> Result<Self> {
        let mut net = Self::new(sizes, vec![0.0; count(sizes)?])?;
        for layer in 0..net.layers() {
            let inputs = net.sizes[layer] as f32;
            let wide = match layer + 1 == net.layers() {
                true => last / inputs.sqrt(),
                false => (6.0 / inputs).sqrt(),
            };
            let (weights, _) = net.places(layer);
            for x in &mut net.values[weights] {
                *x = wide * (2.0 * stream.random::<f32>() - 1.0);
            }
        }
        Ok(net)
    }

    /// Numbers of inputs, hidden units and outputs.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// How many numbers go in.
    pub fn inputs(&self) -> usize {
        self.sizes[0]
    }

    /// How many come out.
    pub fn outputs(&self) -> usize {
        self.sizes[self.sizes.len() - 1]
    }

    /// How many layers of weights there are.
    pub fn layers(&self) -> usize {
        self.sizes.len() - 1
    }

    /// All weights, layer by layer.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    pub(super) fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// Where the weights and the biases of a layer stand among [`Mlp::values`].
    pub(super) fn places(&self, layer: usize) -> (Range<usize>, Range<usize>) {
        let size = |l: usize| (self.sizes[l] + 1) * self.sizes[l + 1];
        let start: usize = (0..layer).map(size).sum();
        let middle = start + self.sizes[layer] * self.sizes[layer + 1];
        (start..middle, middle..start + size(layer))
    }

    /// The outputs for one input. Wrong lengths of `input` are cut or read as 0.
    pub fn forward<'a>(&self, input: &[f32], scratch: &'a mut Scratch) -> &'a [f32] {
        let widest = self.sizes.iter().copied().max().unwrap_or(0);
        if scratch.now.len() < widest {
            *scratch = Scratch::new(self);
        }
        let (now, next) = (&mut scratch.now, &mut scratch.next);
        let given = input.len().min(self.inputs());
        now[..given].copy_from_slice(&input[..given]);
        now[given..self.inputs()].fill(0.0);
        let mut start = 0;
        for layer in 0..self.layers() {
            let (inputs, outputs) = (self.sizes[layer], self.sizes[layer + 1]);
            let (weights, rest) = self.values[start..].split_at(inputs * outputs);
            let out = &mut next[..outputs];
            out.copy_from_slice(&rest[..outputs]);
            add_rows(&now[..inputs], weights, out);
            if layer + 1 < self.layers() {
                out.iter_mut().for_each(|x| *x = x.max(0.0));
            }
            std::mem::swap(now, next);
            start += (inputs + 1) * outputs;
        }
        &scratch.now[..self.outputs()]
    }

    /// Moves every weight by the share `tau` towards that of `other`: `w' = w + tau (v - w)`.
    pub fn soft_update(&mut self, other: &Mlp, tau: f32) {
        for (x, y) in self.values.iter_mut().zip(&other.values) {
            *x += tau * (y - *x);
        }
    }
}

/// `out += x W`. Rectified inputs are often 0; their rows are skipped.
fn add_rows(x: &[f32], weights: &[f32], out: &mut [f32]) {
    for (&x, row) in x.iter().zip(weights.chunks_exact(out.len())) {
        if x != 0.0 {
            for (o, w) in out.iter_mut().zip(row) {
                *o += x * w;
            }
        }
    }
}

/// How many weights layers of these sizes have.
fn count(sizes: &[usize]) -> Result<usize> {
    let wrong = |problem: String| {
        let remedy = "name inputs, hidden layers and outputs, each at least 1 wide";
        Error::invalid("network", problem, remedy)
    };
    if sizes.len() < 2 || sizes.contains(&0) {
        return Err(wrong(format!("layers of {sizes:?}")));
    }
    let layer = |w: &[usize]| w[0].checked_add(1)?.checked_mul(w[1]);
    let mut layers = sizes.windows(2).map(layer);
    let total = layers.try_fold(0_usize, |sum, n| sum.checked_add(n?));
    let total = total.filter(|&n| n <= MOST);
    total.ok_or_else(|| wrong(format!("layers of {sizes:?} have too many weights")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_network_is_worked_out_by_hand() {
        // Hidden: h0 = relu(1 x0 + 3 x1 + 0.5), h1 = relu(2 x0 - 4 x1). Out: 2 h0 - h1 + 1.
        let values = vec![1.0, 2.0, 3.0, -4.0, 0.5, 0.0, 2.0, -1.0, 1.0];
        let net = Mlp::new(&[2, 2, 1], values).unwrap();
        let mut scratch = Scratch::new(&net);
        assert_eq!(net.forward(&[1.0, 2.0], &mut scratch), [16.0]);
        assert_eq!(net.forward(&[2.0, -1.0], &mut scratch), [-7.0]);
        assert_eq!(net.forward(&[-1.0, 0.0], &mut scratch), [1.0]);
    }

    #[test]
    fn impossible_networks_are_refused_in_one_line() {
        let message = |sizes: &[usize], n| {
            let net = Mlp::new(sizes, vec![0.0; n]);
            net.unwrap_err().to_string()
        };
        assert!(message(&[4], 0).contains("layers of [4]"));
        assert!(message(&[4, 0, 2], 0).contains("at least 1 wide"));
        assert!(message(&[4, 2], 9).contains("9 weights for layers of [4, 2]; give 10"));
        assert!(message(&[usize::MAX, 2], 0).contains("too many weights"));
        let nan = Mlp::new(&[1, 1], vec![f32::NAN, 0.0]).unwrap_err();
        assert!(nan.to_string().contains("weight 0 is NaN"), "{nan}");
    }

    #[test]
    fn soft_updates_move_weights_by_their_share() {
        let mut a = Mlp::new(&[1, 1], vec![0.0, 2.0]).unwrap();
        let b = Mlp::new(&[1, 1], vec![4.0, 0.0]).unwrap();
        a.soft_update(&b, 0.25);
        assert_eq!(a.values(), [1.0, 1.5]);
    }
}
