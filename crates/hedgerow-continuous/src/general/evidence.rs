//! What samples say of advantages: what was fitted, and what each sample shows itself, by how sure both are.

use super::encoder::Encoder;
use super::samples::Samples;
use super::value::{Estimate, ExpertValue};
use crate::Result;

/// Advantages of samples.
#[derive(Debug, Default)]
pub struct Evidence {
    /// Whether what samples show counts beside what was fitted.
    sampled: bool,
    rows: Vec<f32>,
    own: Vec<f32>,
    shown: Vec<Estimate>,
}

impl Evidence {
    /// With or without what samples show themselves.
    pub fn new(sampled: bool) -> Self {
        Self {
            sampled,
            ..Self::default()
        }
    }

    /// The advantages of these samples.
    pub fn of(
        &mut self,
        samples: &Samples,
        encoder: &Encoder,
        value: &mut ExpertValue,
        chosen: &[u32],
        out: &mut Vec<Estimate>,
    ) -> Result<()> {
        out.clear();
        if chosen.is_empty() {
            return Ok(());
        }
        self.rows.clear();
        self.own.clear();
        for &i in chosen {
            let i = i as usize;
            encoder.push(samples.observation(i), samples.action(i), &mut self.rows);
            encoder.push(samples.observation(i), samples.expert(i), &mut self.own);
        }
        value.advantages(&self.rows, &self.own, out)?;
        if self.sampled {
            value.of_samples(samples, encoder, chosen, &mut self.shown)?;
            for (fitted, shown) in out.iter_mut().zip(&self.shown) {
                *fitted = fitted.with(*shown);
            }
        }
        Ok(())
    }
}
