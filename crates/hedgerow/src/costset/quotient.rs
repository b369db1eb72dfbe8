//! How far two costs are apart if costs that differ by a shaping count as equal.

use crate::costset::CostSet;
use crate::model::Dynamics;
use crate::solve::dot;
use crate::{Error, Result};
use faer::linalg::solvers::SolveLstsqCore;
use faer::sparse::linalg::solvers::{Qr, SymbolicQr};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut};

/// The distance of two costs modulo `im(E - gamma P)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Quotient {
    /// `min_V || c1 - c2 - (E - gamma P) V ||_2`.
    pub distance: f64,
    /// The `V` that reaches it; 0 at terminals.
    pub values: Vec<f64>,
}

impl<D: Dynamics> CostSet<'_, D> {
    /// `min_V || one - other - (E - gamma P) V ||_2`, by sparse QR factors of `E - gamma P`.
    ///
    /// `(E - gamma P) V` as a cost makes every policy pay `V(s)` from `s`, whatever it does: it
    /// tells no policy from another. `V` is 0 at terminals and may have any sign elsewhere.
    pub fn quotient(&self, one: &[f64], other: &[f64]) -> Result<Quotient> {
        self.check(one)?;
        self.check(other)?;
        let task = self.task();
        let live: Vec<usize> = (0..task.states())
            .filter(|&s| !task.is_terminal(crate::index::State::new(s)))
            .collect();
        let mut column = vec![usize::MAX; task.states()];
        for (j, &s) in live.iter().enumerate() {
            column[s] = j;
        }
        let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); live.len()];
        let mut add = |s: usize, i: usize, a: f64| {
            if column[s] != usize::MAX {
                match columns[column[s]].last_mut() {
                    Some((last, sum)) if *last == i => *sum += a,
                    _ => columns[column[s]].push((i, a)),
                }
            }
        };
        for pair in task.all_pairs() {
            add(task.state_of(pair).at(), pair.at(), 1.0);
            let (next, prob) = self.mdp.dynamics.row(pair);
            for (&s, &p) in next.iter().zip(prob) {
                add(s as usize, pair.at(), -self.mdp.gamma * p);
            }
        }
        let difference: Vec<f64> = one.iter().zip(other).map(|(a, b)| a - b).collect();
        let mut values = vec![0.0; task.states()];
        for (&s, v) in live.iter().zip(least_squares(&columns, &difference)?) {
            values[s] = v;
        }
        let shaping = self.shaping(&values)?;
        let rest: Vec<f64> = difference
            .iter()
            .zip(&shaping)
            .map(|(d, f)| d - f)
            .collect();
        Ok(Quotient {
            distance: dot(&rest, &rest).sqrt(),
            values,
        })
    }
}

/// `argmin_x || A x - b ||` for a tall matrix of full rank, by columns.
fn least_squares(columns: &[Vec<(usize, f64)>], right: &[f64]) -> Result<Vec<f64>> {
    let (rows, n) = (right.len(), columns.len());
    if n == 0 {
        return Ok(Vec::new());
    }
    let (mut start, mut at, mut entry) = (vec![0], Vec::new(), Vec::new());
    for column in columns {
        at.extend(column.iter().map(|c| c.0));
        entry.extend(column.iter().map(|c| c.1));
        start.push(at.len());
    }
    let breakdown = |problem: String| Error::Numeric {
        place: "sparse QR of E - gamma P".into(),
        problem,
    };
    let pattern = SymbolicSparseColMatRef::new_checked(rows, n, &start, None, &at);
    let matrix = SparseColMatRef::new(pattern, entry.as_slice());
    let symbolic = SymbolicQr::try_new(pattern).map_err(|e| breakdown(e.to_string()))?;
    let factors =
        Qr::try_new_with_symbolic(symbolic, matrix).map_err(|e| breakdown(e.to_string()))?;
    let mut x = right.to_vec();
    let whole = MatMut::from_column_major_slice_mut(&mut x, rows, 1);
    factors.solve_lstsq_in_place_with_conj(Conj::No, whole);
    x.truncate(n);
    Ok(x)
}
