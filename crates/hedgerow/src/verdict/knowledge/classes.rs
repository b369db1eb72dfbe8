//! Which pairs have the same dynamics, up to the names of their next states.

use super::{Knowledge, possible};
use crate::env::Layout;
use crate::index::{Action, Pair, State};
use crate::model::{ClassRow, Rows, Task};
use crate::{Error, Result};
use std::collections::{BTreeMap, HashMap};

/// Where a next state lies, seen from the state before: by rows and columns, or outside the map.
type Place = Option<(isize, isize)>;

pub(super) fn on_map(mut known: Knowledge, rows: &Rows, task: &Task, layout: &Layout) -> Knowledge {
    let mut found: HashMap<(Action, Vec<Place>), u32> = HashMap::new();
    for pair in task.all_pairs() {
        let from = layout.cell_of(task.state_of(pair));
        let place = |next: u32| {
            let (a, b) = (from?, layout.cell_of(State(next))?);
            let by = |to: usize, from: usize| to as isize - from as isize;
            Some((by(b.row, a.row), by(b.column, a.column)))
        };
        let mut outcomes: Vec<(Place, u32)> = possible(rows, pair).map(|s| (place(s), s)).collect();
        outcomes.sort_unstable();
        let places: Vec<Place> = outcomes.iter().map(|&(place, _)| place).collect();
        // States may share a cell, and then places do not tell outcomes apart.
        let distinct = places.windows(2).all(|w| w[0] != w[1]) && from.is_some();
        let fresh = known.members.len() as u32;
        let class = match distinct {
            true => *found.entry((task.action_of(pair), places)).or_insert(fresh),
            false => fresh,
        };
        join(&mut known, pair, class);
        known.push(outcomes.into_iter().map(|(_, s)| s));
    }
    known
}

fn join(known: &mut Knowledge, pair: Pair, class: u32) {
    if class as usize == known.members.len() {
        known.members.push(Vec::new());
    }
    known.members[class as usize].push(pair.0);
    known.class.push(class);
}

pub(super) fn from_table(
    mut known: Knowledge,
    task: &Task,
    table: &[ClassRow],
) -> Result<Knowledge> {
    let mut of_pair: BTreeMap<Pair, (&str, BTreeMap<&str, u32>)> = BTreeMap::new();
    for row in table {
        let (class, outcomes) = of_pair
            .entry(row.pair)
            .or_insert_with(|| (&row.class, BTreeMap::new()));
        let refuse = |problem: String, remedy| {
            Err(Error::invalid(task.pair_name(row.pair), problem, remedy))
        };
        if *class != row.class {
            let problem = format!("it is in the classes `{class}` and `{}`", row.class);
            return refuse(problem, "give every pair one class");
        }
        if outcomes.values().any(|&s| s == row.next.0) {
            let problem = format!("two outcomes lead to {}", task.state_name(row.next));
            return refuse(
                problem,
                "leave the pair out, or make them one outcome in its whole class",
            );
        }
        if outcomes.insert(&row.outcome, row.next.0).is_some() {
            let problem = format!("the outcome `{}` is given twice", row.outcome);
            return refuse(problem, "give every outcome one next state");
        }
    }
    let mut first: HashMap<&str, (u32, Pair)> = HashMap::new();
    for pair in task.all_pairs() {
        let fresh = known.members.len() as u32;
        let Some((name, outcomes)) = of_pair.get(&pair) else {
            join(&mut known, pair, fresh);
            known.push([]);
            continue;
        };
        let &mut (class, other) = first.entry(name).or_insert((fresh, pair));
        let names = |pair: &Pair| of_pair[pair].1.keys().copied().collect::<Vec<_>>();
        if names(&other) != names(&pair) {
            return Err(Error::invalid(
                task.pair_name(pair),
                format!(
                    "its outcomes are {}, those of {} in the same class `{name}` are {}",
                    names(&pair).join(", "),
                    task.pair_name(other),
                    names(&other).join(", ")
                ),
                "give all pairs of a class the same outcomes",
            ));
        }
        join(&mut known, pair, class);
        known.push(outcomes.values().copied());
    }
    Ok(known)
}
