//! Choosing one of several entries by their numbers.

use std::ops::SubAssign;

/// The first entry with the largest number; 0 without entries.
pub(crate) fn argmax<T: PartialOrd>(numbers: &[T]) -> usize {
    let mut best = 0;
    for (i, x) in numbers.iter().enumerate() {
        if *x > numbers[best] {
            best = i;
        }
    }
    best
}

/// The entry at which the cumulative weights exceed `level`; `None` if rounding leaves them below.
///
/// With a `level` drawn uniformly between 0 and the sum of all weights, every entry is chosen with
/// a probability in proportion to its weight.
pub(crate) fn inverse_cdf<T>(weights: &[T], mut level: T) -> Option<usize>
where
    T: Copy + Default + PartialOrd + SubAssign,
{
    weights.iter().position(|&w| {
        level -= w;
        level < T::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_largest_is_chosen() {
        assert_eq!(argmax(&[1.0, 3.0, 3.0]), 1);
        assert_eq!(argmax::<f32>(&[]), 0);
    }

    #[test]
    fn levels_fall_into_the_interval_of_their_entry() {
        let weights = [0.5, 0.0, 0.25];
        let chosen = [0.0, 0.49, 0.5, 0.74, 0.75].map(|level| inverse_cdf(&weights, level));
        assert_eq!(chosen, [Some(0), Some(0), Some(2), Some(2), None]);
    }
}
