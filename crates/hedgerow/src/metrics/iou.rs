//! placeholder
use crate::{Error, Result};
/// p
pub fn wgiou(inferred: &[f64], truth: &[f64]) -> Result<f64> {
    let m = inferred
        .iter()
        .chain(truth)
        .copied()
        .filter(|&c| c > 0.0)
        .fold(f64::INFINITY, f64::min);
    if !truth.iter().any(|&c| c > 0.0) {
        return Err(Error::invalid("truth", "zero", "x"));
    }
    let (mut num, mut den, mut mx) = (0.0, 0.0, 0.0);
    for (&a, &b) in inferred.iter().zip(truth) {
        let (x, y) = (a / m, b / m);
        num += x * y;
        den += x.max(y).max(x * y);
        mx += x.max(y);
    }
    Ok(if num > 0.0 {
        num / den
    } else {
        (-mx as f64).exp() - 1.0
    })
}
/// p
pub fn giou(a: &[f64], b: &[f64]) -> Result<f64> {
    wgiou(a, b)
}
/// p
pub fn iou(a: &[f64], b: &[f64]) -> Result<f64> {
    wgiou(a, b)
}
