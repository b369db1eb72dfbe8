//! Many inputs through a network at once.

use super::Mlp;
use crate::{Error, Result};
use candle_core::{Device, Tensor};
use std::sync::Once;

/// A network with fixed weights, for batches.
#[derive(Clone, Debug)]
pub struct Frozen {
    inputs: usize,
    layers: Vec<(Tensor, Tensor)>,
}

impl Frozen {
    /// The network as it is now.
    pub fn new(net: &Mlp) -> Result<Self> {
        prepare();
        let mut layers = Vec::with_capacity(net.layers());
        for layer in 0..net.layers() {
            layers.push(tensors(net, layer)?);
        }
        Ok(Self {
            inputs: net.inputs(),
            layers,
        })
    }

    /// The outputs, one row for each row of `inputs`.
    pub fn outputs(&self, inputs: &[f32]) -> Result<Vec<f32>> {
        let mut x = rows(inputs, self.inputs)?;
        for (layer, (weights, biases)) in self.layers.iter().enumerate() {
            let last = layer + 1 == self.layers.len();
            x = through(&x, weights, biases, last).map_err(broken)?;
        }
        numbers(&x)
    }
}

/// One layer of the network.
pub(super) fn through(
    x: &Tensor,
    weights: &Tensor,
    biases: &Tensor,
    last: bool,
) -> candle_core::Result<Tensor> {
    let x = x.matmul(weights)?.broadcast_add(biases)?;
    if last { Ok(x) } else { x.relu() }
}

/// Weights and biases of a layer.
pub(super) fn tensors(net: &Mlp, layer: usize) -> Result<(Tensor, Tensor)> {
    let (weights, biases) = net.places(layer);
    let shape = (net.sizes()[layer], net.sizes()[layer + 1]);
    let tensor = |range, shape: &[usize]| {
        let values: &[f32] = &net.values()[range];
        Tensor::from_slice(values, shape, &Device::Cpu).map_err(broken)
    };
    let (inputs, outputs) = shape;
    Ok((
        tensor(weights, &[inputs, outputs])?,
        tensor(biases, &[outputs])?,
    ))
}

/// `values` as rows of `width`.
pub(super) fn rows(values: &[f32], width: usize) -> Result<Tensor> {
    if width == 0 || values.is_empty() || !values.len().is_multiple_of(width) {
        return Err(Error::invalid(
            "batch",
            format!("{} numbers for rows of {width}", values.len()),
            "give whole rows, at least one",
        ));
    }
    let shape = (values.len() / width, width);
    Tensor::from_slice(values, shape, &Device::Cpu).map_err(broken)
}

/// The numbers of a tensor, row by row.
pub(super) fn numbers(tensor: &Tensor) -> Result<Vec<f32>> {
    tensor
        .flatten_all()
        .and_then(|t| t.to_vec1())
        .map_err(broken)
}

/// Bytes that are kept for tensors instead of being given back.
const KEPT: usize = 16 << 20;

/// Prepares the process for tensors of `candle`.
///
/// Matrix products stay on the thread that asks for them: runs already share the cores, a product spread over
/// threads would wait for them longer than it takes, and its sums could depend on their number.
///
/// Memory stays in the process. A training step makes and drops some dozens of tensors of 100 KiB. The C library of
/// Linux gives such memory back at once and asks for it again, page by page, until it has seen a larger
/// block come and go: from then on it keeps up to twice as much. So it is shown one.
pub(super) fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        gemm::set_threading_threshold(usize::MAX);
        drop(std::hint::black_box(vec![0_u8; KEPT]));
    });
}

/// An error of `candle` is a mistake of this crate.
pub(super) fn broken(error: candle_core::Error) -> Error {
    let text = error.to_string();
    Error::Numeric {
        place: "network".into(),
        problem: text.lines().next().unwrap_or_default().to_owned(),
    }
}
