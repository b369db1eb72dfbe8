//! A kernel density without a lattice, for pseudo-counts in any number of dimensions.
//!
//! Samples are summed up at centres: one that lies within half a bandwidth of a centre counts there,
//! any other becomes a centre itself, while there is room. The pseudo-count of a pair is
//!
//! ```text
//! N^(x) = sum_c n_c exp(-d(x, c)^2 / 2 h^2),
//! ```
//!
//! with `n_c` the samples at centre `c` and `d` the root of the mean square of the differences of the
//! inputs. Adding and counting take as long as there are centres, however many samples there were.

/// Samples summed up at centres.
#[derive(Clone, Debug)]
pub struct Centres {
    width: usize,
    bandwidth: f64,
    most: usize,
    centres: Vec<f32>,
    counts: Vec<f64>,
    total: u64,
}

impl Centres {
    /// For points of so many numbers of order 1, with a kernel of this width and so many centres at
    /// most.
    pub fn new(width: usize, bandwidth: f64, most: usize) -> Self {
        Self {
            width,
            bandwidth,
            most: most.max(1),
            centres: Vec::new(),
            counts: Vec::new(),
            total: 0,
        }
    }

    /// Adds a sample.
    pub fn observe(&mut self, point: &[f32]) {
        self.total += 1;
        let mut nearest = (f64::INFINITY, 0);
        for (i, centre) in self.centres.chunks_exact(self.width).enumerate() {
            let d = square(point, centre);
            if d < nearest.0 {
                nearest = (d, i);
            }
        }
        let reach = 0.5 * self.bandwidth;
        let is_near = nearest.0 <= reach * reach;
        if is_near || self.counts.len() >= self.most {
            self.counts[nearest.1] += 1.0;
        } else {
            self.centres.extend_from_slice(point);
            self.counts.push(1.0);
        }
    }

    /// The pseudo-count of a point.
    pub fn count(&self, point: &[f32]) -> f64 {
        let scale = 1.0 / (2.0 * self.bandwidth * self.bandwidth);
        // Beyond four bandwidths the kernel is below 4e-4.
        let far = 16.0 * self.bandwidth * self.bandwidth;
        let centres = self.centres.chunks_exact(self.width).zip(&self.counts);
        centres
            .map(|(centre, n)| match square(point, centre) {
                d if d < far => n * libm::exp(-d * scale),
                _ => 0.0,
            })
            .sum()
    }

    /// Samples in all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many centres there are.
    pub fn centres(&self) -> usize {
        self.counts.len()
    }
}

/// The mean square of the differences, each as a share of the range from -1 to 1.
fn square(a: &[f32], b: &[f32]) -> f64 {
    let squares: f32 = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
    f64::from(squares) / (4.0 * a.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_worked_out_by_hand_and_only_grow() {
        let mut density = Centres::new(1, 0.1, 10);
        let point = [0.0_f32];
        assert_eq!(density.count(&point), 0.0);
        density.observe(&point);
        density.observe(&point);
        assert_eq!((density.count(&point), density.centres()), (2.0, 1));
        // 0.2 of a range of 2 away: one bandwidth.
        let near = density.count(&[0.2]);
        assert!((near - 2.0 * (-0.5_f64).exp()).abs() < 1e-6, "{near}");
        assert_eq!(density.count(&[1.0]), 0.0);
        density.observe(&[0.15]);
        assert_eq!(density.centres(), 2);
        assert!(density.count(&point) > 2.0 && density.total() == 3);
    }

    #[test]
    fn the_number_of_centres_is_bounded_and_no_sample_is_lost() {
        let mut density = Centres::new(2, 0.01, 5);
        for i in 0..100 {
            let x = i as f32 / 50.0 - 1.0;
            density.observe(&[x, -x]);
        }
        assert_eq!(density.centres(), 5);
        assert_eq!(density.counts.iter().sum::<f64>(), 100.0);
    }
}
