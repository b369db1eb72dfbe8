//! Advantages and costs by node and action, so that any state can be asked about.

use super::infer::Advantage;
use super::sample::Sample;
use crate::lattice::Between;

/// Evidence that an entry needs, in samples.
const EVIDENCE: f64 = 0.5;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    weight: f64,
    advantage: f64,
    width: f64,
    cost: f64,
}

/// Means over the samples around each node, by action.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<[Entry; 8]>,
}

impl Table {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            entries: vec![[Entry::default(); 8]; nodes],
        }
    }

    pub(super) fn fill(
        &mut self,
        samples: &[Sample],
        here: &[Between],
        advantages: &[Option<Advantage>],
        costs: &[f64],
    ) {
        self.entries.fill([Entry::default(); 8]);
        let known = samples.iter().zip(here).zip(advantages).zip(costs);
        for (((sample, between), advantage), cost) in known {
            let Some(a) = advantage else { continue };
            for (node, w) in between.iter() {
                if let Some(entry) = self.entries[node].get_mut(usize::from(sample.action)) {
                    entry.weight += w;
                    entry.advantage += w * a.value;
                    entry.width += w * a.width;
                    entry.cost += w * cost;
                }
            }
        }
    }

    fn mean(&self, between: &Between) -> [Entry; 8] {
        let mut sums = [Entry::default(); 8];
        for (node, w) in between.iter() {
            for (sum, e) in sums.iter_mut().zip(&self.entries[node]) {
                sum.weight += w * e.weight;
                sum.advantage += w * e.advantage;
                sum.width += w * e.width;
                sum.cost += w * e.cost;
            }
        }
        sums
    }

    pub(super) fn advantages(&self, between: &Between) -> [Option<Advantage>; 8] {
        self.mean(between).map(|e| {
            (e.weight >= EVIDENCE).then(|| Advantage {
                value: e.advantage / e.weight,
                width: e.width / e.weight,
            })
        })
    }

    pub(super) fn costs(&self, between: &Between) -> [f64; 8] {
        self.mean(between).map(|e| match e.weight >= EVIDENCE {
            true => e.cost / e.weight,
            false => 0.0,
        })
    }
}
