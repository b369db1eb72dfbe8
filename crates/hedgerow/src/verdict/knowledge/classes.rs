//! Which pairs have the same dynamics, up to the names of their next states.

use super::Knowledge;
use crate::index::Pair;
use crate::model::{ClassRow, Dynamics, Rows, Task};
use crate::{Error, Result};
use std::collections::{BTreeMap, HashMap};

/// Probabilities that differ by less than this are the same but for rounding.
const SAME: f64 = 1e-9;

/// Classes of pairs whose rows are the same numbers; outcomes correspond in the order of their
/// probabilities, and those of the same probability in any order.
pub(super) fn of_rows(mut known: Knowledge, rows: &Rows, task: &Task) -> Knowledge {
    let mut found: HashMap<Vec<u64>, u32> = HashMap::new();
    for pair in task.all_pairs() {
        let (next, prob) = rows.row(pair);
        let possible = next.iter().zip(prob).filter(|&(_, &p)| p > 0.0);
        let mut outcomes: Vec<(u64, u32)> = possible
            .map(|(&s, &p)| (((p / SAME).round() as u64).max(1), s))
            .collect();
        outcomes.sort_unstable_by_key(|&(p, s)| (std::cmp::Reverse(p), s));
        let fresh = known.members.len() as u32;
        let numbers = outcomes.iter().map(|&(p, _)| p).collect();
        let class = *found.entry(numbers).or_insert(fresh);
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
