//! Training: gradients through `candle`, steps in plain numbers.

use super::batch::{broken, numbers, prepare, rows, tensors, through};
use super::{Adam, Mlp};
use crate::{Error, Result};
use candle_core::{Tensor, Var};

/// A network in training.
///
/// The loss is the caller's, as plain numbers: it sees the outputs of a batch and writes down
/// `dL/d output`; derivatives with respect to the weights follow by the chain rule.
///
/// ```
/// use hedgerow::seed::Stream;
/// use hedgerow_continuous::net::{Adam, Mlp, Trainer};
///
/// // Learn y = 2 x from squares of errors.
/// let net = Mlp::random(&[1, 16, 1], 1.0, &mut Stream::new(7, "weights"))?;
/// let adam = Adam::new(net.values().len(), 0.01, 10.0);
/// let mut trainer = Trainer::new(net, adam)?;
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
#[derive(Debug)]
pub struct Trainer {
    net: Mlp,
    adam: Adam,
    vars: Vec<(Var, Var)>,
    gradient: Vec<f32>,
}

impl Trainer {
    /// Trains `net` with `adam`.
    pub fn new(net: Mlp, adam: Adam) -> Result<Self> {
        prepare();
        let mut vars = Vec::with_capacity(net.layers());
        for layer in 0..net.layers() {
            let (weights, biases) = tensors(&net, layer)?;
            let var = |t: &Tensor| Var::from_tensor(t).map_err(broken);
            vars.push((var(&weights)?, var(&biases)?));
        }
        Ok(Self {
            gradient: vec![0.0; net.values().len()],
            net,
            adam,
            vars,
        })
    }

    /// The network as it is now.
    pub fn net(&self) -> &Mlp {
        &self.net
    }

    /// Ends training.
    pub fn into_net(self) -> Mlp {
        self.net
    }

    /// Sets the learning rate.
    pub fn set_rate(&mut self, rate: f32) {
        self.adam.rate = rate;
    }

    /// The outputs, one row for each row of `inputs`.
    pub fn outputs(&self, inputs: &[f32]) -> Result<Vec<f32>> {
        numbers(&self.run(inputs)?)
    }

    /// One step on a batch. `loss` gets the outputs, row by row, and a gradient of zeros of the
    /// same length to fill; what it returns is returned.
    pub fn step(
        &mut self,
        inputs: &[f32],
        loss: impl FnOnce(&[f32], &mut [f32]) -> f32,
    ) -> Result<f32> {
        let outputs = self.run(inputs)?;
        let plain = numbers(&outputs)?;
        let mut gradient = vec![0.0; plain.len()];
        let value = loss(&plain, &mut gradient);
        self.differentiate(&outputs, &gradient)?;
        if let Some(bad) = self.gradient.iter().find(|g| !g.is_finite()) {
            return Err(Error::invalid(
                "training",
                format!("a gradient is {bad}"),
                "use a lower learning rate, or check that inputs and rewards are finite",
            ));
        }
        self.adam.step(&mut self.net, &self.gradient);
        for (layer, (weights, biases)) in self.vars.iter().enumerate() {
            let (new_weights, new_biases) = tensors(&self.net, layer)?;
            weights.set(&new_weights).map_err(broken)?;
            biases.set(&new_biases).map_err(broken)?;
        }
        Ok(value)
    }

    fn run(&self, inputs: &[f32]) -> Result<Tensor> {
        let mut x = rows(inputs, self.net.inputs())?;
        for (layer, (weights, biases)) in self.vars.iter().enumerate() {
            let last = layer + 1 == self.vars.len();
            x = through(&x, weights, biases, last).map_err(broken)?;
        }
        Ok(x)
    }

    /// The gradient of `sum_i g_i output_i` with `g` the `gradient` at the outputs, which is that of
    /// the loss.
    fn differentiate(&mut self, outputs: &Tensor, gradient: &[f32]) -> Result<()> {
        let gradient = rows(gradient, self.net.outputs())?;
        let product = outputs.mul(&gradient).and_then(|x| x.sum_all());
        let found = product.and_then(|x| x.backward()).map_err(broken)?;
        for (layer, (weights, biases)) in self.vars.iter().enumerate() {
            let (at_weights, at_biases) = self.net.places(layer);
            for (var, place) in [(weights, at_weights), (biases, at_biases)] {
                match found.get(var) {
                    Some(g) => self.gradient[place].copy_from_slice(&numbers(g)?),
                    None => self.gradient[place].fill(0.0),
                }
            }
        }
        Ok(())
    }
}
