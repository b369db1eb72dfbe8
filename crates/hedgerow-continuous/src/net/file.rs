//! Networks in files: safetensors, which other programs read too.

use super::Mlp;
use crate::{Error, Result};
use hedgerow::io::write_atomic;
use safetensors::{Dtype, SafeTensors};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// A network and what is known about it.
///
/// In the file layer `i` is a tensor `layer.i.weight`, one row per input, and a tensor
/// `layer.i.bias`, both `F32`; the notes are its metadata. The same network and notes give the
/// same bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// The weights.
    pub net: Mlp,
    /// Notes by name: where the network comes from and what it is for.
    pub notes: BTreeMap<String, String>,
}

impl Network {
    /// The file as bytes.
    ///
    /// The header is put together here because the library keeps notes in a hash map, whose order
    /// changes from run to run.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        let mut header = serde_json::Map::new();
        header.insert("__metadata__".into(), json!(self.notes));
        let sizes = self.net.sizes();
        for layer in 0..self.net.layers() {
            let (weights, biases) = self.net.places(layer);
            let (inputs, outputs) = (sizes[layer], sizes[layer + 1]);
            let tensor = |shape: &[usize], place: std::ops::Range<usize>| {
                let offsets = [4 * place.start, 4 * place.end];
                json!({"dtype": "F32", "shape": shape, "data_offsets": offsets})
            };
            header.insert(weight_name(layer), tensor(&[inputs, outputs], weights));
            header.insert(bias_name(layer), tensor(&[outputs], biases));
        }
        let mut header = serde_json::Value::Object(header).to_string();
        while !header.len().is_multiple_of(8) {
            header.push(' ');
        }
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(header.as_bytes());
        let values = self.net.values().iter();
        bytes.extend(values.flat_map(|x| x.to_le_bytes()));
        Ok(bytes)
    }

    /// The network in the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let foreign = |e| {
            unreadable(format!(
                "these {} bytes are no whole safetensors file ({e})",
                bytes.len()
            ))
        };
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(foreign)?;
        let tensors = SafeTensors::deserialize(bytes).map_err(foreign)?;
        let (mut sizes, mut values) = (Vec::new(), Vec::new());
        let layers = tensors.len().div_ceil(2);
        for layer in 0..layers {
            let (shape, weights) = numbers(&tensors, &weight_name(layer))?;
            let (bias, biases) = numbers(&tensors, &bias_name(layer))?;
            let fits = sizes.last().is_none_or(|n| shape.first() == Some(n));
            if shape.len() != 2 || bias != shape[1..] || !fits {
                let before = sizes
                    .last()
                    .map_or(String::new(), |n| format!(" after {n} units"));
                return Err(unreadable(format!(
                    "layer {layer} has weights of shape {shape:?} and biases of shape {bias:?}{before}"
                )));
            }
            if layer == 0 {
                sizes.push(shape[0]);
            }
            sizes.push(shape[1]);
            values.extend(weights);
            values.extend(biases);
        }
        let notes = header.metadata().clone().unwrap_or_default();
        Ok(Self {
            net: Mlp::new(&sizes, values)?,
            notes: notes.into_iter().collect(),
        })
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|e| Error::reading(path, e))?;
        Self::from_bytes(&bytes).map_err(|e| e.within(path.display()))
    }

    /// Writes a file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<()> {
        write_atomic(path, &self.bytes()?)
    }

    /// The note called `name`, as a `T`.
    pub fn note<T: std::str::FromStr>(&self, name: &str) -> Result<T> {
        let found = self.notes.get(name);
        let problem = match found.map(|text| text.parse()) {
            Some(Ok(value)) => return Ok(value),
            Some(Err(_)) => format!("`{}` cannot be read", self.notes[name]),
            None => "it is missing".to_owned(),
        };
        Err(Error::invalid(format!("note `{name}`"), problem, REMEDY))
    }
}

const REMEDY: &str = "train the network again and use the file as it is written";

fn unreadable(problem: String) -> Error {
    Error::invalid("network", problem, REMEDY)
}

fn weight_name(layer: usize) -> String {
    format!("layer.{layer}.weight")
}

fn bias_name(layer: usize) -> String {
    format!("layer.{layer}.bias")
}

/// Shape and numbers of a tensor.
fn numbers(tensors: &SafeTensors, name: &str) -> Result<(Vec<usize>, Vec<f32>)> {
    let missing = |_| {
        unreadable(format!(
            "there is no tensor `{name}`, only {:?}",
            tensors.names()
        ))
    };
    let tensor = tensors.tensor(name).map_err(missing)?;
    if tensor.dtype() != Dtype::F32 {
        return Err(unreadable(format!(
            "tensor `{name}` holds {:?}, not F32",
            tensor.dtype()
        )));
    }
    let words = tensor.data().chunks_exact(4);
    let values = words.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    Ok((tensor.shape().to_vec(), values.collect()))
}
