//! Costs on pairs.

use crate::index::Pair;
use crate::model::Task;
use crate::{Error, Result};

/// `c(s, a) >= 0` for every pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    values: Vec<f64>,
}

impl Cost {
    /// A validated cost from one number per pair.
    pub fn new(task: &Task, values: Vec<f64>) -> Result<Self> {
        let cost = Self { values };
        cost.check(task)?;
        Ok(cost)
    }

    /// Refuses a cost that is not one of `task`: it has other pairs.
    pub fn check(&self, task: &Task) -> Result<()> {
        let remedy = "use a finite number of at least 0";
        check(task, &self.values, |c| c.is_finite() && c >= 0.0, remedy)
    }

    /// No cost anywhere.
    pub fn zero(task: &Task) -> Self {
        Self {
            values: vec![0.0; task.pairs()],
        }
    }

    /// The cost of a pair.
    #[inline]
    pub fn at(&self, pair: Pair) -> f64 {
        self.values[pair.at()]
    }

    /// The cost of every pair.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Number of pairs with a positive cost.
    pub fn support(&self) -> usize {
        self.values.iter().filter(|&&c| c > 0.0).count()
    }

    /// `C_max`: the largest entry.
    pub fn max(&self) -> f64 {
        self.values.iter().copied().fold(0.0, f64::max)
    }

    /// The cost seen from a state: the largest of its pairs.
    pub fn by_state(&self, task: &Task) -> Vec<f64> {
        task.all_states()
            .map(|s| {
                self.values[task.pairs_of(s)]
                    .iter()
                    .copied()
                    .fold(0.0, f64::max)
            })
            .collect()
    }
}

/// Refuses weights that are not one finite number, of any sign, for every pair of `task`.
pub(crate) fn check_weights(task: &Task, weights: &[f64]) -> Result<()> {
    check(task, weights, f64::is_finite, "use finite numbers")
}

fn check(task: &Task, values: &[f64], fine: impl Fn(f64) -> bool, remedy: &str) -> Result<()> {
    if values.len() != task.pairs() {
        return Err(Error::invalid(
            "cost",
            format!("{} numbers for {} pairs", values.len(), task.pairs()),
            "give one number for every available pair",
        ));
    }
    match task.all_pairs().find(|p| !fine(values[p.at()])) {
        None => Ok(()),
        Some(pair) => Err(Error::invalid(
            format!("cost at {}", task.pair_name(pair)),
            format!("{} is not a cost", values[pair.at()]),
            remedy,
        )),
    }
}
