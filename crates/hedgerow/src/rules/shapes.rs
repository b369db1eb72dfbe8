//! The shapes that rules have: which columns they speak of.

use super::known::{Known, Meaning};

/// Columns of the user's that are combined with each other; more are looked at one by one.
const COMBINED: usize = 4;

/// A shape: one value of each of some columns, and values from one to another of up to two more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Columns that have one value.
    pub(super) single: Vec<usize>,
    /// Ordered columns that have values from one to another.
    pub(super) ranged: Vec<usize>,
}

/// All shapes, each once, the simplest first.
pub(super) fn shapes(known: &Known) -> Vec<Shape> {
    let action = known.places(Meaning::Action);
    let place = |a: Meaning, b: Meaning| [known.places(a), known.places(b)].concat();
    let mut areas = vec![
        place(Meaning::IntoRow, Meaning::IntoColumn),
        place(Meaning::Row, Meaning::Column),
    ];
    let named = known.places(Meaning::Named);
    let is_ordered = |i: &usize| known.column(*i).is_ordered();
    let (ordered, words): (Vec<usize>, Vec<usize>) = named.into_iter().partition(is_ordered);
    for (i, &a) in ordered.iter().take(COMBINED).enumerate() {
        let others = ordered.iter().take(COMBINED).skip(i + 1);
        areas.extend(others.map(|&b| vec![a, b]));
    }
    areas.extend(ordered.iter().skip(COMBINED).map(|&a| vec![a]));
    areas.extend((ordered.len() == 1).then(|| ordered.clone()));
    let mut ranges: Vec<Vec<usize>> = vec![Vec::new()];
    for area in areas {
        ranges.extend(area.iter().map(|&a| vec![a]));
        if let [a, b] = area[..] {
            ranges.extend([vec![a, b], vec![b, a]]);
        }
    }
    let mut singles: Vec<Vec<usize>> = vec![Vec::new(), action.clone()];
    for word in known.places(Meaning::Into).into_iter().chain(words) {
        singles.extend([vec![word], [action.clone(), vec![word]].concat()]);
    }
    let state = known.places(Meaning::State);
    singles.extend((!state.is_empty()).then(|| [action, state].concat()));
    let mut shapes = Vec::new();
    for single in &singles {
        for ranged in &ranges {
            let (single, ranged) = (single.clone(), ranged.clone());
            let shape = Shape { single, ranged };
            if !(shape.single.is_empty() && shape.ranged.is_empty() || shapes.contains(&shape)) {
                shapes.push(shape);
            }
        }
    }
    shapes
}
