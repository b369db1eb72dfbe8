//! Moments of learning that are shown side by side.

use hedgerow::results::SavedRun;
use hedgerow::run::Snapshot;
use std::collections::BTreeSet;

/// A moment of learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// After so many iterations.
    At(usize),
    /// The end, wherever that is.
    End,
}

impl Moment {
    /// The iteration; none for the end.
    pub fn iteration(self) -> Option<usize> {
        match self {
            Self::At(i) => Some(i),
            Self::End => None,
        }
    }

    /// The iteration in words: for the end its number if all runs ended there.
    pub fn head(self, runs: &[&SavedRun]) -> String {
        let last = runs.iter().filter_map(|r| r.result.snapshots.last());
        let ends: BTreeSet<usize> = last.map(|s| s.iteration).collect();
        match (self, ends.len()) {
            (Self::At(i), _) => i.to_string(),
            (Self::End, 1) => ends.iter().map(ToString::to_string).collect(),
            (Self::End, _) => "end".to_owned(),
        }
    }

    /// What a run had inferred by then. One that has ended stays where it ended.
    pub fn of(self, run: &SavedRun) -> Option<&Snapshot> {
        let mut past = run.result.snapshots.iter().rev();
        past.find(|s| self.iteration().is_none_or(|i| s.iteration <= i))
    }
}

/// At most `most` (two or more) moments: iterations that all runs that came so far kept, and the end.
pub fn moments(runs: &[&SavedRun], most: usize) -> Vec<Moment> {
    let kept = |r: &SavedRun| -> BTreeSet<usize> {
        r.result.snapshots.iter().map(|s| s.iteration).collect()
    };
    let all: Vec<BTreeSet<usize>> = runs.iter().map(|r| kept(r)).collect();
    let longest = all.iter().filter_map(|k| k.last()).max().copied();
    let has = |k: &BTreeSet<usize>, i: usize| k.contains(&i) || k.last().is_none_or(|l| *l < i);
    let iterations: BTreeSet<usize> = all.iter().flatten().copied().collect();
    // Before the first iteration there is nothing to see.
    let fit: Vec<usize> = iterations
        .into_iter()
        .filter(|&i| i > 0 && Some(i) != longest && all.iter().all(|k| has(k, i)))
        .collect();
    let mut moments: Vec<Moment> = spread(&fit, most - 1).into_iter().map(Moment::At).collect();
    moments.push(Moment::End);
    moments
}

/// About equally spaced entries, the first and the last among them.
fn spread(from: &[usize], count: usize) -> Vec<usize> {
    if from.len() <= count {
        return from.to_vec();
    }
    let last = (from.len() - 1) as f64;
    let place = |i: usize| (last * i as f64 / (count - 1) as f64).round() as usize;
    (0..count).map(|i| from[place(i)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_spread_from_the_first_to_the_last() {
        assert_eq!(spread(&[1, 2, 5, 10, 20, 50, 100], 5), [1, 5, 10, 50, 100]);
        assert_eq!(spread(&[1, 2], 5), [1, 2]);
        assert_eq!(spread(&[], 5), [] as [usize; 0]);
    }
}
