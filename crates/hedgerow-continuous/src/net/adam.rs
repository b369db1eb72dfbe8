//! The optimiser: steps against the gradient, scaled by its recent size.

use super::Mlp;

/// Adam with clipped gradients, in one pass over plain numbers.
///
/// With `g` the gradient, scaled so that `|g| <= clip`:
///
/// ```text
/// m' = b1 m + (1 - b1) g,   v' = b2 v + (1 - b2) g^2,
/// w' = w - rate (m' / (1 - b1^t)) / (sqrt(v' / (1 - b2^t)) + eps),
/// ```
///
/// with `b1 = 0.9`, `b2 = 0.999`, `eps = 1e-8`. The optimiser that comes with `candle` builds a
/// dozen tensors per weight matrix for this; on small networks that took longer than the gradient.
#[derive(Clone, Debug)]
pub struct Adam {
    /// Learning rate.
    pub rate: f32,
    /// Gradients are clipped to this norm; infinite for no clipping.
    pub clip: f32,
    first: Vec<f32>,
    second: Vec<f32>,
    /// `b1^t` and `b2^t`.
    powers: (f64, f64),
}

const B1: f32 = 0.9;
const B2: f32 = 0.999;
const EPS: f32 = 1e-8;

impl Adam {
    /// For a network with so many weights.
    pub fn new(weights: usize, rate: f32, clip: f32) -> Self {
        Self {
            rate,
            clip,
            first: vec![0.0; weights],
            second: vec![0.0; weights],
            powers: (1.0, 1.0),
        }
    }

    /// Changes `net` by one step against `gradient`, which is in the order of [`Mlp::values`].
    pub(super) fn step(&mut self, net: &mut Mlp, gradient: &[f32]) {
        let squares = gradient.iter().map(|&g| f64::from(g) * f64::from(g));
        let norm = squares.sum::<f64>().sqrt() as f32;
        let scale = if norm > self.clip {
            self.clip / norm
        } else {
            1.0
        };
        self.powers.0 *= f64::from(B1);
        self.powers.1 *= f64::from(B2);
        let rate = self.rate / (1.0 - self.powers.0) as f32;
        let grow = 1.0 / (1.0 - self.powers.1) as f32;
        let moments = self.first.iter_mut().zip(&mut self.second);
        let weights = net.values_mut().iter_mut().zip(gradient);
        for ((w, &g), (m, v)) in weights.zip(moments) {
            let g = g * scale;
            *m = B1 * *m + (1.0 - B1) * g;
            *v = B2 * *v + (1.0 - B2) * g * g;
            *w -= rate * *m / ((*v * grow).sqrt() + EPS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_as_long_as_the_rate_whatever_the_gradient() {
        let mut net = Mlp::new(&[1, 1], vec![1.0, 1.0]).unwrap();
        let mut adam = Adam::new(2, 0.1, 1.0);
        adam.step(&mut net, &[300.0, -400.0]);
        let w = net.values();
        assert!(
            (w[0] - 0.9).abs() < 1e-6 && (w[1] - 1.1).abs() < 1e-6,
            "{w:?}"
        );
        // Clipped to (0.6, -0.8).
        assert!((adam.first[0] - 0.06).abs() < 1e-7 && (adam.first[1] + 0.08).abs() < 1e-7);
    }
}
