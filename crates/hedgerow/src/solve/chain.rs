//! The Markov chain a policy makes of a problem, factorised.

use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy};
use crate::solve::Mdp;
use crate::{Error, Result};
use faer::linalg::solvers::SolveCore;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut};

/// Marks states where the episode has ended.
const ENDED: u32 = u32::MAX;

/// `M = I - gamma P_pi` over the states where the episode goes on, with its LU factors.
///
/// Rows of `M` are what a policy gives; read as columns they are `M^T`, which is what is
/// factorised. Values solve `M V = r_pi`, visits solve `M^T d = mu0`.
pub(crate) struct Chain {
    states: usize,
    /// The state of every row.
    live: Vec<u32>,
    start: Vec<usize>,
    column: Vec<usize>,
    entry: Vec<f64>,
    factors: Option<Lu<usize, f64>>,
}

impl Chain {
    /// The chain of `policy`.
    pub(crate) fn new<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy) -> Result<Self> {
        let task = mdp.task;
        policy.check_length(task)?;
        let mut position = vec![ENDED; task.states()];
        let mut live = Vec::with_capacity(task.states());
        for state in task.all_states().filter(|&s| mdp.goes_on(s)) {
            position[state.at()] = live.len() as u32;
            live.push(state.0);
        }
        let mut chain = Self {
            states: task.states(),
            start: Vec::with_capacity(live.len() + 1),
            column: Vec::new(),
            entry: Vec::new(),
            factors: None,
            live,
        };
        chain.fill(mdp, policy, &position);
        chain.factorise()?;
        Ok(chain)
    }

    fn fill<D: Dynamics>(&mut self, mdp: &Mdp<D>, policy: &Policy, position: &[u32]) {
        let mut sum = vec![0.0; self.live.len()];
        let mut met = vec![usize::MAX; self.live.len()];
        self.start.push(0);
        for row in 0..self.live.len() {
            let first = self.column.len();
            met[row] = row;
            sum[row] = 1.0;
            self.column.push(row);
            for i in mdp.task.pairs_of(State(self.live[row])) {
                let share = mdp.gamma * policy.probs()[i];
                if share > 0.0 {
                    let (next, prob) = mdp.dynamics.row(Pair::new(i));
                    for (&s, &p) in next.iter().zip(prob) {
                        let to = position[s as usize];
                        if to == ENDED {
                            continue;
                        }
                        let to = to as usize;
                        if met[to] != row {
                            met[to] = row;
                            sum[to] = 0.0;
                            self.column.push(to);
                        }
                        sum[to] -= share * p;
                    }
                }
            }
            self.column[first..].sort_unstable();
            self.entry
                .extend(self.column[first..].iter().map(|&c| sum[c]));
            self.start.push(self.column.len());
        }
    }

    fn factorise(&mut self) -> Result<()> {
        let n = self.live.len();
        if n == 0 {
            return Ok(());
        }
        let breakdown = |problem: String| Error::Numeric {
            place: "sparse LU of I - gamma P".into(),
            problem,
        };
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.start, None, &self.column);
        let matrix = SparseColMatRef::new(pattern, self.entry.as_slice());
        let symbolic = SymbolicLu::try_new(pattern).map_err(|e| breakdown(e.to_string()))?;
        let factors =
            Lu::try_new_with_symbolic(symbolic, matrix).map_err(|e| breakdown(e.to_string()))?;
        self.factors = Some(factors);
        Ok(())
    }

    /// `V = M^{-1} r` with one step of iterative refinement; 0 where the episode has ended.
    pub(crate) fn values(&self, reward: impl Fn(State) -> f64) -> Vec<f64> {
        let right: Vec<f64> = self.live.iter().map(|&s| reward(State(s))).collect();
        let mut x = right.clone();
        self.solve(&mut x, true);
        let mut rest: Vec<f64> = (0..x.len())
            .map(|row| right[row] - self.row(row).map(|(c, m)| m * x[c]).sum::<f64>())
            .collect();
        self.solve(&mut rest, true);
        self.spread(&x, &rest)
    }

    /// Expected discounted visits `d = M^{-T} mu0` of every state, refined likewise.
    pub(crate) fn visits(&self, start: &[(State, f64)]) -> Vec<f64> {
        let mut right = vec![0.0; self.states];
        for &(s, p) in start {
            right[s.at()] = p;
        }
        let mut rest: Vec<f64> = self.live.iter().map(|&s| right[s as usize]).collect();
        let mut x = rest.clone();
        self.solve(&mut x, false);
        for (row, &visits) in x.iter().enumerate() {
            for (c, m) in self.row(row) {
                rest[c] -= m * visits;
            }
        }
        self.solve(&mut rest, false);
        self.spread(&x, &rest)
    }

    fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.start[row]..self.start[row + 1];
        let columns = self.column[range.clone()].iter().copied();
        columns.zip(self.entry[range].iter().copied())
    }

    /// Solves with `M` (`forward`) or `M^T`, in place.
    fn solve(&self, right: &mut [f64], forward: bool) {
        let n = right.len();
        if let Some(factors) = &self.factors {
            let right = MatMut::from_column_major_slice_mut(right, n, 1);
            if forward {
                factors.solve_transpose_in_place_with_conj(Conj::No, right);
            } else {
                factors.solve_in_place_with_conj(Conj::No, right);
            }
        }
    }

    fn spread(&self, x: &[f64], correction: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.states];
        for (row, &s) in self.live.iter().enumerate() {
            out[s as usize] = x[row] + correction[row];
        }
        out
    }
}
