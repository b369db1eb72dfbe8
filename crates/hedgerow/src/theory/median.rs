//! The median of some numbers.

/// The median: the middle number, or the mean of the two in the middle. `None` of no numbers.
///
/// ```
/// use hedgerow::theory::median;
/// assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
/// assert_eq!(median(vec![3.0, 1.0, 2.0, 10.0]), Some(2.5));
/// assert_eq!(median(vec![]), None);
/// ```
pub fn median(mut x: Vec<f64>) -> Option<f64> {
    x.sort_by(f64::total_cmp);
    let last = x.len().checked_sub(1)?;
    Some(0.5 * (x[last / 2] + x[last.div_ceil(2)]))
}
