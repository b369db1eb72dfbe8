//! Convex programs over the costs that explain one or several experts.

use crate::costset::set::least_cost_max;
use crate::costset::{CostSet, Role, Rule};
use crate::index::{Pair, State};
use crate::model::Dynamics;
use crate::solve::{interior_point, magnitude};
use crate::{Error, Result};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, SupportedConeT, ZeroConeT,
};

/// A row `<terms, x> = right` or `<terms, x> <= right`.
pub(super) struct Row {
    terms: Vec<(usize, f64)>,
    right: f64,
    /// The pair it is about, if it is one of the rows that explain an expert.
    about: Option<Pair>,
}

/// The closure of a set of costs as a polyhedron.
///
/// Variables: the cost `c`, then a margin `m >= 0` that every strict inequality keeps, then for
/// each expert what its rule needs.
///
/// *Conditions*: `V` per state. With `A_c = c + gamma P V - E V` the rows are `A_c = 0`,
/// `A_c >= m` and `A_c <= 0` by the role of the pair; the first make `V` the expert's `V_c`. A
/// hard constraint has no `V`.
///
/// *Optimality*, soft: the expert is optimal if and only if it is within the budget and either
/// earns as much as any policy, or spends all of the budget and some price `lambda >= 0` makes it the
/// best policy in `r - lambda c`. In `t = 1 / lambda` that is linear: some `w` has
///
/// ```text
/// w >= t r - c + gamma P w,    <mu0, w> = t V_E(mu0) - b,    V_c(mu0) = b,    t > 0.
/// ```
pub(super) struct Program {
    pairs: usize,
    variables: usize,
    /// What all variables are multiples of while a program is solved: the power of two at `C_max`, so that the
    /// accuracy of an interior point does not depend on the scale of the costs.
    unit: f64,
    equal: Vec<Row>,
    below: Vec<Row>,
}

/// Where a program ended.
pub(super) struct Found {
    /// The variables.
    pub(super) x: Vec<f64>,
    /// The multipliers of the rows about a pair.
    pub(super) prices: Vec<(Pair, f64)>,
    /// Whether `x` meets the rows; if not, the prices prove that nothing does.
    pub(super) feasible: bool,
}

impl Program {
    pub(super) fn new<D: Dynamics>(sets: &[&CostSet<D>], rule: Rule) -> Result<Self> {
        let pairs = sets[0].task().pairs();
        let cost_max = least_cost_max(sets);
        let mut program = Self {
            pairs,
            variables: pairs + 1,
            unit: magnitude(cost_max),
            equal: Vec::new(),
            below: Vec::new(),
        };
        for i in 0..=pairs {
            program.most(i, cost_max);
            if i < pairs {
                program.least(i, 0.0);
            }
        }
        for set in sets {
            match rule {
                Rule::Conditions => program.conditions(set),
                Rule::Optimality => program.optimality(set)?,
            }
        }
        Ok(program)
    }

    /// The variable of the margin.
    fn margin(&self) -> usize {
        self.pairs
    }

    fn most(&mut self, variable: usize, right: f64) {
        let terms = vec![(variable, 1.0)];
        self.below.push(Row {
            terms,
            right,
            about: None,
        });
    }

    fn least(&mut self, variable: usize, left: f64) {
        let terms = vec![(variable, -1.0)];
        self.below.push(Row {
            terms,
            right: -left,
            about: None,
        });
    }

    /// New variables, one for each state that is not terminal.
    fn per_state<D: Dynamics>(&mut self, set: &CostSet<D>) -> Vec<Option<usize>> {
        let task = set.task();
        let mut place = |s: State| {
            (!task.is_terminal(s)).then(|| {
                self.variables += 1;
                self.variables - 1
            })
        };
        task.all_states().map(&mut place).collect()
    }

    fn conditions<D: Dynamics>(&mut self, set: &CostSet<D>) {
        let values = if set.is_hard() {
            vec![None; set.task().states()]
        } else {
            self.per_state(set)
        };
        for pair in set.task().all_pairs() {
            let mut terms = backup(set, pair, &values);
            terms.push((pair.at(), 1.0));
            let row = |terms| Row {
                terms,
                right: 0.0,
                about: Some(pair),
            };
            match set.role(pair) {
                Role::Chosen => self.equal.push(row(terms)),
                Role::Idle => self.below.push(row(terms)),
                Role::Paying => {
                    terms.iter_mut().for_each(|(_, a)| *a = -*a);
                    terms.push((self.margin(), 1.0));
                    self.below.push(row(terms));
                }
            }
        }
    }

    fn optimality<D: Dynamics>(&mut self, set: &CostSet<D>) -> Result<()> {
        let spent = set.visits.iter().copied().enumerate();
        let spent = Row {
            terms: spent.filter(|&(_, x)| x > 0.0).collect(),
            right: set.budget,
            about: None,
        };
        if !set.gives_up_reward()? {
            self.below.push(spent);
            return Ok(());
        }
        self.equal.push(spent);
        let values = self.per_state(set);
        let t = self.variables;
        self.variables += 1;
        // Rewards relative to the largest make `t` a cost.
        let largest = set.mdp.largest_reward();
        for pair in set.task().all_pairs() {
            let mut terms = backup(set, pair, &values);
            terms.push((pair.at(), -1.0));
            terms.push((t, set.mdp.reward[pair.at()] / largest));
            self.below.push(Row {
                terms,
                right: 0.0,
                about: Some(pair),
            });
        }
        let mut start: Vec<(usize, f64)> = set
            .task()
            .start()
            .iter()
            .filter_map(|&(s, p)| values[s.at()].map(|v| (v, p)))
            .collect();
        start.push((t, -set.reward / largest));
        self.equal.push(Row {
            terms: start,
            right: -set.budget,
            about: None,
        });
        let terms = vec![(t, -1.0), (self.margin(), 1.0)];
        self.below.push(Row {
            terms,
            right: 0.0,
            about: None,
        });
        Ok(())
    }

    /// Makes the cost a combination of features, one number per pair each, with weights of at least
    /// 0; the variable of the first weight.
    pub(super) fn combine(&mut self, features: &[Vec<f64>]) -> usize {
        let first = self.variables;
        self.variables += features.len();
        for j in 0..features.len() {
            self.least(first + j, 0.0);
        }
        for pair in 0..self.pairs {
            let weights = features.iter().enumerate();
            let weights = weights.map(|(j, values)| (first + j, -values[pair]));
            let mut terms: Vec<(usize, f64)> = weights.filter(|t| t.1 != 0.0).collect();
            terms.push((pair, 1.0));
            self.equal.push(Row {
                terms,
                right: 0.0,
                about: None,
            });
        }
        first
    }

    /// The point with the least (`sign` 1) or greatest (-1) value of a variable.
    pub(super) fn end_of(&self, variable: usize, sign: f64) -> Result<Found> {
        self.extreme(variable, sign, &[], 0.0)
    }

    /// The point with the largest margin.
    pub(super) fn innermost(&self) -> Result<Found> {
        self.extreme(self.margin(), -1.0, &[], 0.0)
    }

    /// The least (`sign` 1) or greatest (-1) entry of `pair`.
    pub(super) fn end(&self, pair: Pair, sign: f64) -> Result<Found> {
        self.extreme(pair.at(), sign, &[], 0.0)
    }

    /// The largest margin where `sign * c(pair) <= sign * end`.
    pub(super) fn margin_at(&self, pair: Pair, sign: f64, end: f64) -> Result<f64> {
        let row = Row {
            terms: vec![(pair.at(), sign)],
            right: sign * end,
            about: None,
        };
        let found = self.extreme(self.margin(), -1.0, &[row], 0.0)?;
        Ok(if found.feasible {
            found.x[self.margin()]
        } else {
            0.0
        })
    }

    /// The margin of a point.
    pub(super) fn margin_of(&self, found: &Found) -> f64 {
        if found.feasible {
            found.x[self.margin()]
        } else {
            0.0
        }
    }

    fn extreme(&self, variable: usize, sign: f64, more: &[Row], margin: f64) -> Result<Found> {
        let mut linear = vec![0.0; self.variables];
        linear[variable] = sign;
        let square = CscMatrix::zeros((self.variables, self.variables));
        self.solve(&square, &linear, more, margin)
    }

    /// The point whose cost is nearest to `target`, with at least this margin.
    pub(super) fn nearest(&self, target: &[f64], margin: f64) -> Result<Found> {
        let n = self.variables;
        let mut linear: Vec<f64> = target.iter().map(|c| -c / self.unit).collect();
        linear.resize(n, 0.0);
        let start = (0..=n).map(|j| j.min(self.pairs)).collect();
        let square = CscMatrix::new(
            n,
            n,
            start,
            (0..self.pairs).collect(),
            vec![1.0; self.pairs],
        );
        self.solve(&square, &linear, &[], margin)
    }

    fn solve(
        &self,
        square: &CscMatrix<f64>,
        linear: &[f64],
        more: &[Row],
        margin: f64,
    ) -> Result<Found> {
        let least = Row {
            terms: vec![(self.margin(), -1.0)],
            right: -margin,
            about: None,
        };
        let rows: Vec<&Row> = self
            .equal
            .iter()
            .chain(&self.below)
            .chain(more)
            .chain([&least])
            .collect();
        let matrix = self.matrix(&rows);
        let right: Vec<f64> = rows.iter().map(|r| r.right / self.unit).collect();
        let cones: [SupportedConeT<f64>; 2] = [
            ZeroConeT(self.equal.len()),
            NonnegativeConeT(rows.len() - self.equal.len()),
        ];
        let breakdown = |problem: String| Error::Numeric {
            place: "program over costs".into(),
            problem,
        };
        let settings = interior_point();
        let mut solver = DefaultSolver::new(square, linear, &matrix, &right, &cones, settings)
            .map_err(|e| breakdown(e.to_string()))?;
        solver.solve();
        let solution = &solver.solution;
        let infeasible = matches!(
            solution.status,
            SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible
        );
        // An interior point that stalls close by is good enough; how close is checked here.
        if !infeasible {
            let off = self.violation(&rows, &right, &solution.x);
            if off.is_nan() || off > 1e-7 {
                return Err(breakdown(format!(
                    "{:?}, rows off by {off:e}",
                    solution.status
                )));
            }
        }
        let prices = rows.iter().zip(&solution.z);
        Ok(Found {
            prices: prices
                .filter_map(|(r, &z)| r.about.map(|p| (p, z.abs())))
                .collect(),
            x: solution.x.iter().map(|x| x * self.unit).collect(),
            feasible: !infeasible,
        })
    }

    /// The rows as a matrix by columns.
    fn matrix(&self, rows: &[&Row]) -> CscMatrix<f64> {
        let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.variables];
        for (i, row) in rows.iter().enumerate() {
            for &(variable, a) in &row.terms {
                match columns[variable].last_mut() {
                    Some((last, sum)) if *last == i => *sum += a,
                    _ => columns[variable].push((i, a)),
                }
            }
        }
        let (mut start, mut at, mut entry) = (vec![0], Vec::new(), Vec::new());
        for column in &columns {
            at.extend(column.iter().map(|c| c.0));
            entry.extend(column.iter().map(|c| c.1));
            start.push(at.len());
        }
        CscMatrix::new(rows.len(), self.variables, start, at, entry)
    }

    fn violation(&self, rows: &[&Row], right: &[f64], x: &[f64]) -> f64 {
        let mut most = 0.0_f64;
        for (i, row) in rows.iter().enumerate() {
            let off = row.terms.iter().map(|&(v, a)| a * x[v]).sum::<f64>() - right[i];
            if off.is_nan() {
                return off;
            }
            most = most.max(if i < self.equal.len() { off.abs() } else { off });
        }
        most
    }
}

/// `gamma P v - v(s)` of a pair; states without a variable have the value 0.
fn backup<D: Dynamics>(
    set: &CostSet<D>,
    pair: Pair,
    values: &[Option<usize>],
) -> Vec<(usize, f64)> {
    let own = values[set.task().state_of(pair).at()];
    let (next, prob) = set.mdp.dynamics.row(pair);
    let later = next.iter().zip(prob);
    let later = later.filter_map(|(&s, &p)| values[s as usize].map(|v| (v, set.mdp.gamma * p)));
    let mut terms: Vec<(usize, f64)> = own.map(|v| (v, -1.0)).into_iter().collect();
    for (variable, a) in later {
        match terms.iter_mut().find(|t| t.0 == variable) {
            Some(term) => term.1 += a,
            None => terms.push((variable, a)),
        }
    }
    terms
}
