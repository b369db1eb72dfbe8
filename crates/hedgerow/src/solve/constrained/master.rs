//! The restricted master of a decomposition: a linear program with very few rows.

/// `max sum_j w_j value_j` subject to `sum_j w_j excess_ij <= 0` for each `i`,
/// `sum_j w_j = 1` and `w >= 0`, where each `j` is a policy found so far.
///
/// Solved by the primal simplex method with an explicit inverse, which takes a few multiplications
/// for two or three rows; the basis is kept between calls, so a new column costs one or two pivots. Variables are numbered: columns, then for row `i` a slack `s_i` and a violation
/// `t_i`, both non-negative, in `sum_j w_j excess_ij + s_i - t_i = 0`.
#[derive(Debug)]
pub(super) struct Master {
    rows: usize,
    values: Vec<f64>,
    /// `excess[j * rows + i]`.
    excess: Vec<f64>,
    basis: Vec<Variable>,
    /// Inverse of the basis matrix, row by row.
    inverse: Vec<f64>,
    level: Vec<f64>,
    price: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Variable {
    Column(usize),
    Slack(usize),
    Violation(usize),
}

/// What the master optimises.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Phase {
    /// Minimise `sum_i t_i`.
    Violation,
    /// Maximise the value, with the violations kept at zero.
    Value,
}

/// Pivots smaller than this are rounding.
const PIVOT: f64 = 1e-11;

impl Master {
    /// A master of `rows` constraints and no column yet.
    pub(super) fn new(rows: usize) -> Self {
        Self {
            rows,
            values: Vec::new(),
            excess: Vec::new(),
            basis: Vec::new(),
            inverse: vec![0.0; (rows + 1) * (rows + 1)],
            level: vec![0.0; rows + 1],
            price: vec![0.0; rows + 1],
        }
    }

    /// Adds a policy, unless one with the same numbers is there; the first makes the basis.
    pub(super) fn add(&mut self, value: f64, excess: &[f64]) -> bool {
        let known =
            (0..self.values.len()).any(|j| self.values[j] == value && self.column(j) == excess);
        if known {
            return false;
        }
        if self.values.is_empty() {
            self.basis = (0..self.rows)
                .map(|i| {
                    if excess[i] > 0.0 {
                        Variable::Violation(i)
                    } else {
                        Variable::Slack(i)
                    }
                })
                .collect();
            self.basis.push(Variable::Column(0));
        }
        self.values.push(value);
        self.excess.extend_from_slice(excess);
        true
    }

    /// Optimises over the columns there are; the objective reached.
    pub(super) fn solve(&mut self, phase: Phase) -> f64 {
        let scale = self.values.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        // Far more pivots than so small a program can need; Bland's rule ends any cycle.
        let patience = 20 + 4 * self.values.len();
        for step in 0..10 * patience {
            self.invert();
            self.set_levels_and_prices(phase);
            let Some(enters) = self.entering(phase, 1e-13 * scale, step > patience) else {
                break;
            };
            let Some(leaves) = self.leaving(enters, phase) else {
                break;
            };
            self.basis[leaves] = enters;
        }
        (0..=self.rows)
            .map(|k| self.level[k] * self.objective(self.basis[k], phase))
            .sum()
    }

    /// The multiplier of row `i` at the last optimum.
    pub(super) fn multiplier(&self, i: usize) -> f64 {
        self.price[i].max(0.0)
    }

    /// The columns with a positive weight at the last optimum.
    pub(super) fn weights(&self) -> Vec<(usize, f64)> {
        let mut weights: Vec<(usize, f64)> = (0..=self.rows)
            .filter_map(|k| match self.basis[k] {
                Variable::Column(j) if self.level[k] > 1e-14 => Some((j, self.level[k])),
                _ => None,
            })
            .collect();
        let total: f64 = weights.iter().map(|(_, w)| w).sum();
        for (_, w) in &mut weights {
            *w /= total;
        }
        weights
    }

    fn column(&self, j: usize) -> &[f64] {
        &self.excess[j * self.rows..(j + 1) * self.rows]
    }

    fn objective(&self, v: Variable, phase: Phase) -> f64 {
        match (v, phase) {
            (Variable::Column(j), Phase::Value) => self.values[j],
            (Variable::Violation(_), Phase::Violation) => -1.0,
            _ => 0.0,
        }
    }

    /// Entry of variable `v` in row `i`; row `rows` is the sum of the weights.
    fn entry(&self, v: Variable, i: usize) -> f64 {
        match v {
            Variable::Column(_) if i == self.rows => 1.0,
            Variable::Column(j) => self.excess[j * self.rows + i],
            Variable::Slack(k) => f64::from(u8::from(k == i)),
            Variable::Violation(k) => -f64::from(u8::from(k == i)),
        }
    }

    /// Gauss-Jordan with row pivoting on the few rows there are.
    fn invert(&mut self) {
        let n = self.rows + 1;
        let mut work = vec![0.0; n * n];
        for i in 0..n {
            for k in 0..n {
                work[i * n + k] = self.entry(self.basis[k], i);
                self.inverse[i * n + k] = f64::from(u8::from(i == k));
            }
        }
        for c in 0..n {
            let mut pivot = c;
            for i in c + 1..n {
                if work[i * n + c].abs() > work[pivot * n + c].abs() {
                    pivot = i;
                }
            }
            for k in 0..n {
                work.swap(c * n + k, pivot * n + k);
                self.inverse.swap(c * n + k, pivot * n + k);
            }
            let d = work[c * n + c];
            for k in 0..n {
                work[c * n + k] /= d;
                self.inverse[c * n + k] /= d;
            }
            for i in (0..n).filter(|&i| i != c) {
                let f = work[i * n + c];
                if f != 0.0 {
                    for k in 0..n {
                        work[i * n + k] -= f * work[c * n + k];
                        self.inverse[i * n + k] -= f * self.inverse[c * n + k];
                    }
                }
            }
        }
    }

    fn set_levels_and_prices(&mut self, phase: Phase) {
        let n = self.rows + 1;
        for k in 0..n {
            // The right-hand side is 0 but for the last row, where it is 1.
            self.level[k] = self.inverse[k * n + n - 1].max(0.0);
        }
        for i in 0..n {
            self.price[i] = (0..n)
                .map(|k| self.objective(self.basis[k], phase) * self.inverse[k * n + i])
                .sum();
        }
    }

    fn entering(&self, phase: Phase, least: f64, bland: bool) -> Option<Variable> {
        let columns = (0..self.values.len()).map(Variable::Column);
        let slacks = (0..self.rows).map(Variable::Slack);
        let violations = (0..self.rows).map(Variable::Violation);
        let violations = violations.filter(|_| phase == Phase::Violation);
        let mut best: Option<(Variable, f64)> = None;
        let all = columns.chain(slacks).chain(violations);
        for v in all.filter(|v| !self.basis.contains(v)) {
            let gain = self.objective(v, phase)
                - (0..=self.rows)
                    .map(|i| self.price[i] * self.entry(v, i))
                    .sum::<f64>();
            if gain > best.map_or(least, |(_, g)| g) {
                best = Some((v, gain));
                if bland {
                    break;
                }
            }
        }
        best.map(|(v, _)| v)
    }

    fn leaving(&self, enters: Variable, phase: Phase) -> Option<usize> {
        let n = self.rows + 1;
        let mut best: Option<(usize, f64)> = None;
        for k in 0..n {
            let d: f64 = (0..n)
                .map(|i| self.inverse[k * n + i] * self.entry(enters, i))
                .sum();
            // A violation that was driven to zero must not rise again.
            let held = phase == Phase::Value && matches!(self.basis[k], Variable::Violation(_));
            let ratio = if held && d.abs() > PIVOT {
                0.0
            } else if d > PIVOT {
                self.level[k] / d
            } else {
                continue;
            };
            if best.is_none_or(|(_, r)| ratio < r) {
                best = Some((k, ratio));
            }
        }
        best.map(|(k, _)| k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_columns_meet_on_the_bound() {
        // Value 1 with 1 to spare, value 3 with 1 too much: half of each, and a price of
        // (3 - 1) / (1 + 1) = 1.
        let mut master = Master::new(1);
        assert!(master.add(3.0, &[1.0]));
        assert!(master.add(1.0, &[-1.0]));
        assert!(!master.add(1.0, &[-1.0]));
        assert_eq!(master.solve(Phase::Violation), 0.0);
        assert_eq!(master.solve(Phase::Value), 2.0);
        assert_eq!(master.multiplier(0), 1.0);
        let mut weights = master.weights();
        weights.sort_by_key(|&(j, _)| j);
        assert_eq!(weights, [(0, 0.5), (1, 0.5)]);
        // A column on the bound with the value 2.5 beats the mixture.
        assert!(master.add(2.5, &[0.0]));
        assert_eq!(master.solve(Phase::Value), 2.5);
    }

    #[test]
    fn the_least_violation_may_need_both_rows() {
        // Excess (2, -1) and (-1, 2): a share w of the first exceeds by 3w - 1 and 2 - 3w, which sum
        // to 1 wherever both are positive and to more elsewhere.
        let mut master = Master::new(2);
        assert!(master.add(0.0, &[2.0, -1.0]));
        assert!((master.solve(Phase::Violation) + 2.0).abs() < 1e-15);
        assert!(master.add(0.0, &[-1.0, 2.0]));
        assert!((master.solve(Phase::Violation) + 1.0).abs() < 1e-15);
        assert!((master.multiplier(0) - 1.0).abs() < 1e-15);
        assert!((master.multiplier(1) - 1.0).abs() < 1e-15);
        // Excess (-1, -1) makes all of it vanish.
        assert!(master.add(-5.0, &[-1.0, -1.0]));
        assert_eq!(master.solve(Phase::Violation), 0.0);
    }
}
