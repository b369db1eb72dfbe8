//! Which of the rules that could be made are made.

use super::candidates::Candidate;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Most rules: more would sum up nothing.
const MOST: usize = 100;

/// How much dearer a rule is that covers as many pairs without gain or undecided as constrained ones. The
/// share of these counts and not their number, so that a large map is summed up as a small one is.
const EXCEPTIONS: f64 = 0.5;

/// The price of a rule for each of the `new` constrained pairs that no other covers yet.
fn price(candidate: &Candidate, new: usize) -> f64 {
    let simple = 1.0 + candidate.conditions.len() as f64;
    let exceptions = (candidate.no_gain + candidate.undecided) as f64;
    let support = candidate.pairs.len() as f64;
    simple * (1.0 + EXCEPTIONS * exceptions / support) / new as f64
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
        let price = Ordered(price(&candidates[i], new));
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
