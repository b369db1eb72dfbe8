//! Which of the rules that could be made are made.

use super::candidates::Candidate;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Most rules: more would sum up nothing.
const MOST: usize = 100;

/// What covering a pair that is not constrained costs, where a condition costs 1.
const EXCEPTION: f64 = 0.1;

/// The price of a rule for every constrained pair that no other covers yet. Prices are compared, and
/// sums of tenths would make ties depend on rounding, so it is in whole tenths.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Price {
    tenths: f64,
    new: usize,
}

impl Price {
    fn of(candidate: &Candidate, new: usize) -> Self {
        let simple = 1.0 + candidate.conditions.len() as f64;
        let exceptions = (candidate.no_gain + candidate.undecided) as f64;
        Self {
            tenths: (simple / EXCEPTION).round() + exceptions,
            new,
        }
    }

    /// A smaller number is a better rule.
    fn each(self) -> f64 {
        self.tenths / self.new as f64
    }
}

/// An order of numbers that are not NaN, for the heap.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The cheapest first, and again among what is left, until every constrained pair is covered or
/// nothing covers the rest. The price of a rule only rises as others are chosen, so one that is still the
/// cheapest when it is looked at again is the cheapest of all.
pub(super) fn choose(candidates: &[Candidate], pairs: usize) -> Vec<usize> {
    let mut covered = vec![false; pairs];
    let entry = |i: usize, new: usize| {
        let price = Ordered(Price::of(&candidates[i], new).each());
        // Of equally cheap ones that with the larger support, and of those the simplest.
        Reverse((price, Reverse(new), i))
    };
    let mut heap: BinaryHeap<_> = (0..candidates.len())
        .map(|i| entry(i, candidates[i].pairs.len()))
        .collect();
    let mut chosen = Vec::new();
    while let Some(Reverse((_, Reverse(promised), i))) = heap.pop() {
        let pairs = &candidates[i].pairs;
        let new = pairs.iter().filter(|&&p| !covered[p as usize]).count();
        if new == 0 {
            continue;
        }
        if new < promised {
            heap.push(entry(i, new));
            continue;
        }
        for &pair in pairs {
            covered[pair as usize] = true;
        }
        chosen.push(i);
        if chosen.len() == MOST {
            break;
        }
    }
    chosen
}
