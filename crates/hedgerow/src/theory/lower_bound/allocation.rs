//! How to divide samples among pairs so that every question is answered.

use super::alternative::{Alternative, Target, Truth};
use crate::index::{Pair, State};
use crate::model::Dynamics;
use crate::solve::interior_point;
use crate::{Error, Result};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSolver, IPSolver, NonnegativeConeT, SupportedConeT};

/// What a row says to first order of one question: the samples of it that would answer the
/// question, if they were the only uncertain ones.
#[derive(Clone, Copy, Debug)]
struct Share {
    pair: Pair,
    /// `2 L D^2 Var / gap^2`, the samples if the row can be tilted.
    tilted: f64,
    /// `L |D| reach / gap`, the samples if it can lead to a state not seen yet.
    unseen: f64,
}

/// The first-order problem of one question.
#[derive(Debug)]
pub(super) struct Shares(Vec<Share>);

impl Shares {
    pub(super) fn of(truth: &Truth, target: &Target, extremes: [State; 2], log: f64) -> Self {
        let of_row = |&(pair, d): &(Pair, f64)| {
            let (next, prob) = truth.rows.row(pair);
            let worth = |s: u32| truth.outcome(pair, State(s), &truth.values);
            let outcomes = || next.iter().zip(prob);
            let mean: f64 = outcomes().map(|(&s, p)| p * worth(s)).sum();
            let square = |(&s, p): (&u32, &f64)| p * (worth(s) - mean) * (worth(s) - mean);
            let variance: f64 = outcomes().map(square).sum();
            let beyond = truth.beyond(pair, target.sign * d.signum(), &truth.values, extremes);
            let reach = beyond.map_or(0.0, |(_, w)| (w - mean).abs());
            Share {
                pair,
                tilted: 2.0 * log * d * d * variance / (target.gap * target.gap),
                unseen: log * d.abs() * reach / target.gap,
            }
        };
        Self(target.influence.iter().map(of_row).collect())
    }

    /// The best allocation for this question alone: to first order `n` is proportional to `|D| sd`.
    pub(super) fn alone(&self, pairs: usize) -> Vec<f64> {
        let total: f64 = self.0.iter().map(|s| s.tilted.sqrt()).sum();
        let mut samples = vec![0.0; pairs];
        for share in &self.0 {
            samples[share.pair.at()] = (total * share.tilted.sqrt()).max(share.unseen);
        }
        no_row_without(&mut samples);
        samples
    }
}

/// A row on which a question hangs has at least this share of the samples that are its due if all rows had
/// the same: one that hardly matters here may matter in an alternative.
const LEAST: f64 = 0.01;

/// Raises rows with too few of their samples.
pub(super) fn no_row_without(samples: &mut [f64]) {
    let used = samples.iter().filter(|&&n| n > 0.0).count();
    let least = LEAST * samples.iter().sum::<f64>() / used.max(1) as f64;
    for n in samples.iter_mut().filter(|n| **n > 0.0) {
        *n = n.max(least);
    }
}

/// Rounds of [`first_order`].
const ROUNDS: usize = 300;

/// The least samples that answer all questions, to first order: `min sum_k n_k` subject to
/// `sum_k w_ik / n_k <= 1` for each question `i`.
///
/// By duality that is `max (sum_k sqrt(sum_i m_i w_ik))^2` over weights `m` that sum to 1, with
/// `n_k` proportional to `sqrt(sum_i m_i w_ik)`; multiplying every weight by `sum_k w_ik / n_k`
/// keeps their sum and climbs.
pub(super) fn first_order(questions: &[&Shares], pairs: usize) -> Vec<f64> {
    let mut weights = vec![1.0 / questions.len().max(1) as f64; questions.len()];
    let mut samples = vec![0.0; pairs];
    let mut most = 0.0_f64;
    for _ in 0..ROUNDS {
        samples.fill(0.0);
        for (question, m) in questions.iter().zip(&weights) {
            for share in &question.0 {
                samples[share.pair.at()] += m * share.tilted;
            }
        }
        samples.iter_mut().for_each(|n| *n = n.sqrt());
        let total: f64 = samples.iter().sum();
        samples.iter_mut().for_each(|n| *n *= total);
        most = 0.0;
        for (question, m) in questions.iter().zip(&mut weights) {
            let known = question.0.iter().filter(|s| s.tilted > 0.0);
            let load: f64 = known.map(|s| s.tilted / samples[s.pair.at()]).sum();
            most = most.max(load);
            *m *= load;
        }
        // Questions that hang on sure rows have no load, and the others share all weight.
        let total: f64 = weights.iter().sum();
        if !(total > 0.0 && total.is_finite()) {
            break;
        }
        weights.iter_mut().for_each(|m| *m /= total);
    }
    samples.iter_mut().for_each(|n| *n *= most.max(1.0));
    for share in questions.iter().flat_map(|q| &q.0) {
        let n = &mut samples[share.pair.at()];
        *n = n.max(share.unseen).max(1e-6 * share.tilted);
    }
    no_row_without(&mut samples);
    samples
}

/// The least samples with which every alternative is told from the truth.
#[derive(Debug)]
pub(super) struct Cover {
    /// No allocation with fewer in all tells every alternative.
    pub(super) at_least: f64,
    /// One that does.
    pub(super) samples: Vec<f64>,
}

/// `min sum n` subject to `sum_k n_k KL_k >= L` for every alternative, by its dual
/// `max L sum y` subject to `sum_i y_i KL_ik <= 1` for every row.
///
/// Whatever the interior point returns is scaled until it meets the constraints exactly, so
/// both sides are certain and only their distance depends on its accuracy.
pub(super) fn cover(alternatives: &[&Alternative], pairs: usize, log: f64) -> Result<Cover> {
    let mut place = vec![usize::MAX; pairs];
    let mut used: Vec<usize> = Vec::new();
    for row in alternatives.iter().flat_map(|a| &a.rows) {
        if place[row.pair.at()] == usize::MAX {
            place[row.pair.at()] = used.len();
            used.push(row.pair.at());
        }
    }
    let mut samples = vec![0.0; pairs];
    if used.is_empty() || log <= 0.0 {
        return Ok(Cover {
            at_least: 0.0,
            samples,
        });
    }
    let (n, prices) = program(alternatives, &place, used.len())?;
    for (&pair, n) in used.iter().zip(n) {
        samples[pair] = n.max(0.0);
    }
    let told = alternatives.iter().map(|a| a.information(&samples));
    let least = told.fold(f64::INFINITY, f64::min);
    let scale = if least > 0.0 {
        log / least
    } else {
        f64::INFINITY
    };
    samples.iter_mut().for_each(|n| *n *= scale);
    let mut load = vec![0.0; used.len()];
    for (alternative, y) in alternatives.iter().zip(&prices) {
        for row in &alternative.rows {
            load[place[row.pair.at()]] += y.max(0.0) * row.divergence;
        }
    }
    let most = load.iter().copied().fold(0.0, f64::max);
    let total: f64 = prices.iter().map(|y| y.max(0.0)).sum();
    Ok(Cover {
        at_least: if most > 0.0 { log * total / most } else { 0.0 },
        samples,
    })
}

/// The variables and multipliers of the program of [`cover`], with `L = 1`.
fn program(
    alternatives: &[&Alternative],
    place: &[usize],
    rows: usize,
) -> Result<(Vec<f64>, Vec<f64>)> {
    let constraints = alternatives.len();
    let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); rows];
    let mut right = vec![0.0; constraints + rows];
    let mut size = vec![0.0; constraints];
    for (i, alternative) in alternatives.iter().enumerate() {
        // Relative to its largest entry, so that hard and easy questions look alike.
        let most = alternative.rows.iter().map(|r| r.divergence);
        size[i] = most.fold(0.0, f64::max);
        for row in &alternative.rows {
            columns[place[row.pair.at()]].push((i, -row.divergence / size[i]));
        }
        right[i] = -1.0 / size[i];
    }
    let unit = right.iter().fold(0.0_f64, |m, r| m.max(-r));
    right.iter_mut().for_each(|r| *r /= unit);
    let (mut start, mut at, mut entry) = (vec![0], Vec::new(), Vec::new());
    for (k, column) in columns.iter().enumerate() {
        at.extend(column.iter().map(|c| c.0));
        entry.extend(column.iter().map(|c| c.1));
        at.push(constraints + k);
        entry.push(-1.0);
        start.push(at.len());
    }
    let matrix = CscMatrix::new(constraints + rows, rows, start, at, entry);
    let cones: [SupportedConeT<f64>; 1] = [NonnegativeConeT(constraints + rows)];
    let breakdown = |problem: String| Error::Numeric {
        place: "program over samples".into(),
        problem,
    };
    let square = CscMatrix::zeros((rows, rows));
    let linear = vec![1.0; rows];
    let mut solver =
        DefaultSolver::new(&square, &linear, &matrix, &right, &cones, interior_point())
            .map_err(|e| breakdown(e.to_string()))?;
    solver.solve();
    let found = &solver.solution;
    if found.x.iter().chain(&found.z).any(|v| !v.is_finite()) {
        return Err(breakdown(format!("{:?}", found.status)));
    }
    let prices = found.z.iter().zip(&size).map(|(z, s)| z / s);
    Ok((found.x.clone(), prices.collect()))
}
