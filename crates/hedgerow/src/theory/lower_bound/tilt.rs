//! A row moved towards larger weights as cheaply as possible.

use crate::index::State;

/// A row that an alternative may move: what every successor is worth to it.
#[derive(Debug)]
pub(super) struct Lever<'a> {
    /// Successors of the true row.
    pub(super) next: &'a [u32],
    /// Their probabilities, `P`.
    pub(super) prob: &'a [f64],
    /// What a probability of each brings, `u`, per unit of divergence.
    pub(super) weight: Vec<f64>,
    /// A state that is no successor and has more weight than all of them, and its weight.
    pub(super) beyond: Option<(State, f64)>,
}

/// A moved row.
#[derive(Clone, Debug, Default)]
pub(super) struct Moved {
    pub(super) next: Vec<u32>,
    pub(super) prob: Vec<f64>,
    /// `KL(P, G)`.
    pub(super) divergence: f64,
}

impl Lever<'_> {
    /// The largest weight of a successor.
    pub(super) fn top(&self) -> f64 {
        self.weight
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// The variance of the weights under the true row.
    pub(super) fn variance(&self) -> f64 {
        let mean: f64 = self.prob.iter().zip(&self.weight).map(|(p, u)| p * u).sum();
        let square = |(p, u): (&f64, &f64)| p * (u - mean) * (u - mean);
        self.prob.iter().zip(&self.weight).map(square).sum()
    }

    /// The row `G` with the largest `theta <G, u> - KL(P, G)`.
    ///
    /// It is `G(s') = P(s') / (c - theta u(s'))` with the `c` that makes it sum to 1, unless `c` would
    /// fall below `theta` times the weight of a state that is no successor: then `c` is that, and
    /// what is missing goes there.
    pub(super) fn moved(&self, theta: f64) -> Moved {
        let top = self.top();
        // Relative to the top, so that large weights do not cancel.
        let below: Vec<f64> = self.weight.iter().map(|u| theta * (top - u)).collect();
        let sum = |c: f64| -> f64 { self.prob.iter().zip(&below).map(|(p, d)| p / (c + d)).sum() };
        let beyond = self.beyond.map(|(state, u)| (state, theta * (u - top)));
        let mut next = self.next.to_vec();
        let outside = beyond.filter(|&(_, c)| c > 0.0 && sum(c) < 1.0);
        let c = match outside {
            Some((_, c)) => c,
            None => self.root(&below),
        };
        let mut prob: Vec<f64> = self
            .prob
            .iter()
            .zip(&below)
            .map(|(p, d)| p / (c + d))
            .collect();
        if let Some((state, _)) = outside {
            next.push(state.0);
            prob.push(1.0 - prob.iter().sum::<f64>());
        }
        let total: f64 = prob.iter().sum();
        prob.iter_mut().for_each(|g| *g /= total);
        let divergence = self.prob.iter().zip(&prob);
        let divergence: f64 = divergence.map(|(p, g)| p * libm::log(p / g)).sum();
        Moved {
            next,
            prob,
            divergence: divergence.max(0.0),
        }
    }

    /// The `c` with `sum P / (c + d) = 1`, by Newton's method from the left, which never oversteps:
    /// the sum is convex and falls.
    fn root(&self, below: &[f64]) -> f64 {
        let at_top = self.prob.iter().zip(below).filter(|&(_, &d)| d == 0.0);
        let mut c: f64 = at_top.map(|(p, _)| p).sum();
        for _ in 0..200 {
            let (mut off, mut slope) = (-1.0, 0.0);
            for (p, d) in self.prob.iter().zip(below) {
                off += p / (c + d);
                slope += p / ((c + d) * (c + d));
            }
            let step = off / slope;
            if step.is_nan() || step <= 1e-15 * c {
                break;
            }
            c += step;
        }
        c
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moved_coin_by_hand() {
        // P = (1/2, 1/2), u = (1, 0): with c - 1 = x, 1/(2x) + 1/(2x + 2) = 1 gives x = 1/sqrt(2)
        // for theta = 1.
        let lever = Lever {
            next: &[3, 5],
            prob: &[0.5, 0.5],
            weight: vec![1.0, 0.0],
            beyond: None,
        };
        let moved = lever.moved(1.0);
        let x = 0.5_f64.sqrt();
        assert!((moved.prob[0] - 0.5 / x).abs() < 1e-14);
        assert!((moved.prob[1] - 0.5 / (1.0 + x)).abs() < 1e-14);
        let kl = 0.5 * x.ln() + 0.5 * (1.0 + x).ln();
        assert!((moved.divergence - kl).abs() < 1e-14);
        assert_eq!(lever.variance(), 0.25);
    }

    #[test]
    fn a_sure_row_moves_to_a_new_state_once_that_is_worth_its_divergence() {
        // u = 0 and 2 beyond: theta = 1/4 gains at most a half for a divergence of q and stays;
        // theta = 1 gains 2 q for -log(1 - q), most at 1 - q = 1/2, where log 2 is paid.
        let lever = Lever {
            next: &[0],
            prob: &[1.0],
            weight: vec![0.0],
            beyond: Some((State(7), 2.0)),
        };
        assert_eq!(lever.moved(0.25).prob, [1.0]);
        assert_eq!(lever.moved(0.25).divergence, 0.0);
        let moved = lever.moved(1.0);
        assert_eq!((moved.next, moved.prob), (vec![0, 7], vec![0.5, 0.5]));
        assert!((moved.divergence - 2.0_f64.ln()).abs() < 1e-15);
    }
}
