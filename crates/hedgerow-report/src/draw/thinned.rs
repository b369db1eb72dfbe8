//! What pictures of thinned maps say: a square stands for many cells.

use crate::draw::svg::{Anchor, Svg};
use crate::draw::text::{SMALL, wrapped};
use hedgerow::results::EnvironmentFile;

/// What a square of a thinned map stands for, in a sentence; `None` where cells are drawn.
pub fn standing_for(environment: &EnvironmentFile) -> Option<String> {
    let per = environment.layout.as_ref()?.per_square;
    (per > 1).then(|| {
        format!(
            "A square of the map stands for {per} x {per} cells: it shows the highest cost among \
             them, and all the time that the expert spends there."
        )
    })
}

/// Sentences in small lines between two sides, from `y` on; returns where the last one stands.
pub fn sentences(svg: &mut Svg, words: &[String], [left, right]: [f64; 2], y: f64) -> f64 {
    let lines = words.iter().flat_map(|words| wrapped(words, right - left));
    lines.fold(y, |y, line| {
        let at = (f64::midpoint(left, right), y + 9.0);
        svg.text(at, &line, SMALL, Anchor::Middle);
        at.1
    })
}

/// The least of 1, 2, 5, 10, 20, 50 and so on that is at least `least`.
pub(crate) fn round_step(least: f64) -> usize {
    let tens = (0..9).map(|n| 10_usize.pow(n));
    let mut steps = tens.flat_map(|ten| [ten, 2 * ten, 5 * ten]);
    steps
        .find(|&step| step as f64 >= least)
        .unwrap_or(1_000_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let steps = [0.3, 1.0, 1.1, 4.0, 6.0, 117.0, 500.0].map(round_step);
        assert_eq!(steps, [1, 1, 2, 5, 10, 200, 500]);
    }
}
