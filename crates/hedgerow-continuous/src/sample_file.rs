//! All samples of a run in one file, bit for bit: safetensors, which other programs read too.
//!
//! | tensor | type | shape |
//! |---|---|---|
//! | `observations`, `next_observations` | `F64` | samples by numbers observed |
//! | `actions`, `expert_actions` | `F64` | samples by numbers chosen |
//! | `next_expert_actions` | `F64` | the same; only where learning again needs it |
//! | `rewards` | `F64` | samples |
//! | `episodes` | `I64` | samples: which episode, counted from 0 |
//! | `ended` | `BOOL` | samples: whether the episode ended there, rather than being broken off |
//!
//! ```
//! use hedgerow_continuous::sample_file::SampleFile;
//!
//! let mut file = SampleFile::new(1, 1);
//! file.observations = vec![0.1];
//! file.next_observations = vec![0.1 + 0.2];
//! file.actions = vec![0.2];
//! file.expert_actions = vec![0.2];
//! file.rewards = vec![1.0];
//! file.episodes = vec![0];
//! file.ended = vec![true];
//! assert_eq!(SampleFile::from_bytes(&file.bytes()?)?, file);
//! # Ok::<(), hedgerow_continuous::Error>(())
//! ```

use crate::{Error, Result};
use hedgerow::io::write_atomic;
use safetensors::{Dtype, SafeTensors};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// Samples as flat arrays, one row after another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampleFile {
    /// Numbers observed at a time.
    pub observed: usize,
    /// Numbers chosen at a time.
    pub chosen: usize,
    /// What was observed.
    pub observations: Vec<f64>,
    /// What was done.
    pub actions: Vec<f64>,
    /// What the expert would have done.
    pub expert_actions: Vec<f64>,
    /// What was observed after it.
    pub next_observations: Vec<f64>,
    /// What the expert would have done then; empty where it is not kept.
    pub next_expert_actions: Vec<f64>,
    /// The rewards.
    pub rewards: Vec<f64>,
    /// The episode of each sample, counted from 0.
    pub episodes: Vec<i64>,
    /// Whether the episode ended with the sample; nothing is earned after that.
    pub ended: Vec<bool>,
    /// Notes by name: the world, and what the numbers are.
    pub notes: BTreeMap<String, String>,
}

/// A tensor on its way into a file: name, type, shape, bytes.
type Tensor = (&'static str, &'static str, Vec<usize>, Vec<u8>);

impl SampleFile {
    /// Without samples.
    pub fn new(observed: usize, chosen: usize) -> Self {
        Self {
            observed,
            chosen,
            ..Self::default()
        }
    }

    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.rewards.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rewards.is_empty()
    }

    /// Whether sample `i` is the last of its episode.
    pub fn is_last(&self, i: usize) -> bool {
        self.episodes.get(i + 1) != Some(&self.episodes[i])
    }

    /// The file as bytes: the same samples give the same ones.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        let mut header = serde_json::Map::new();
        header.insert("__metadata__".into(), json!(self.notes));
        let mut data = Vec::new();
        for (name, dtype, shape, bytes) in self.tensors()? {
            let offsets = [data.len(), data.len() + bytes.len()];
            let tensor = json!({"dtype": dtype, "shape": shape, "data_offsets": offsets});
            header.insert(name.to_owned(), tensor);
            data.extend(bytes);
        }
        let mut header = serde_json::Value::Object(header).to_string();
        // Numbers begin at a multiple of their size.
        while !header.len().is_multiple_of(8) {
            header.push(' ');
        }
        let mut all = (header.len() as u64).to_le_bytes().to_vec();
        all.extend_from_slice(header.as_bytes());
        all.extend(data);
        Ok(all)
    }

    fn tensors(&self) -> Result<Vec<Tensor>> {
        let n = self.len();
        let (o, a) = (vec![n, self.observed], vec![n, self.chosen]);
        let mut tensors = vec![
            ("observations", "F64", o.clone(), raw(&self.observations)),
            ("next_observations", "F64", o, raw(&self.next_observations)),
            ("actions", "F64", a.clone(), raw(&self.actions)),
            (
                "expert_actions",
                "F64",
                a.clone(),
                raw(&self.expert_actions),
            ),
        ];
        if !self.next_expert_actions.is_empty() {
            let bytes = raw(&self.next_expert_actions);
            tensors.push(("next_expert_actions", "F64", a, bytes));
        }
        let episodes = self.episodes.iter().flat_map(|e| e.to_le_bytes());
        let ended = self.ended.iter().map(|e| u8::from(*e));
        tensors.extend([
            ("rewards", "F64", vec![n], raw(&self.rewards)),
            ("episodes", "I64", vec![n], episodes.collect()),
            ("ended", "BOOL", vec![n], ended.collect()),
        ]);
        for (name, dtype, shape, bytes) in &tensors {
            let each = if *dtype == "BOOL" { 1 } else { 8 };
            if bytes.len() != each * shape.iter().product::<usize>() {
                let problem = format!("`{name}` has not the shape {shape:?}");
                return Err(unreadable(problem));
            }
        }
        Ok(tensors)
    }

    /// The samples in the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let foreign = |e| {
            let count = bytes.len();
            unreadable(format!(
                "these {count} bytes are no whole safetensors file ({e})"
            ))
        };
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(foreign)?;
        let tensors = SafeTensors::deserialize(bytes).map_err(foreign)?;
        let n = shape(&tensors, "rewards", 1)?[0];
        let table = |name: &str| -> Result<(usize, Vec<f64>)> {
            let found = shape(&tensors, name, 2)?;
            let words = words(&tensors, name, Dtype::F64, n)?;
            Ok((found[1], words.map(f64::from_le_bytes).collect()))
        };
        let (observed, observations) = table("observations")?;
        let (next_observed, next_observations) = table("next_observations")?;
        let (chosen, actions) = table("actions")?;
        let (expert_chosen, expert_actions) = table("expert_actions")?;
        let (next_chosen, next_expert_actions) = match tensors.tensor("next_expert_actions") {
            Ok(_) => table("next_expert_actions")?,
            Err(_) => (chosen, Vec::new()),
        };
        if observed != next_observed || chosen != expert_chosen || chosen != next_chosen {
            return Err(unreadable("its tables are not equally wide".into()));
        }
        let rewards = words(&tensors, "rewards", Dtype::F64, n)?;
        let episodes = words(&tensors, "episodes", Dtype::I64, n)?;
        let ended = words(&tensors, "ended", Dtype::BOOL, n)?;
        Ok(Self {
            observed,
            chosen,
            observations,
            actions,
            expert_actions,
            next_observations,
            next_expert_actions,
            rewards: rewards.map(f64::from_le_bytes).collect(),
            episodes: episodes.map(i64::from_le_bytes).collect(),
            ended: ended.map(|[b]: [u8; 1]| b != 0).collect(),
            notes: (header.metadata().clone().unwrap_or_default())
                .into_iter()
                .collect(),
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
}

fn raw(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn unreadable(problem: String) -> Error {
    let remedy = "use a file as `--set keep-samples=on` writes it";
    Error::invalid("samples", problem, remedy)
}

/// The shape of a tensor that must have so many axes.
fn shape(tensors: &SafeTensors, name: &str, axes: usize) -> Result<Vec<usize>> {
    let missing = |_| unreadable(format!("there is no tensor `{name}`"));
    let shape = tensors.tensor(name).map_err(missing)?.shape().to_vec();
    match shape.len() == axes {
        true => Ok(shape),
        false => Err(unreadable(format!(
            "tensor `{name}` has the shape {shape:?}"
        ))),
    }
}

/// The numbers of a tensor with one row per sample, as bytes.
fn words<'a, const N: usize>(
    tensors: &SafeTensors<'a>,
    name: &str,
    dtype: Dtype,
    samples: usize,
) -> Result<impl Iterator<Item = [u8; N]> + use<'a, N>> {
    let missing = |_| unreadable(format!("there is no tensor `{name}`"));
    let tensor = tensors.tensor(name).map_err(missing)?;
    if tensor.dtype() != dtype {
        let problem = format!("tensor `{name}` holds {:?}, not {dtype:?}", tensor.dtype());
        return Err(unreadable(problem));
    }
    if tensor.shape().first() != Some(&samples) {
        let problem = format!("tensor `{name}` has not one row for each of {samples} rewards");
        return Err(unreadable(problem));
    }
    let (chunks, _) = tensor.data().as_chunks::<N>();
    Ok(chunks.iter().copied())
}
