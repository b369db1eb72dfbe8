//! The inferred cost by the names of the states, where no map tells which they are.

use super::heat::Named;
use crate::problems::plain;
use crate::terminal::{number, table};
use crate::window::wrap;
use hedgerow::index::State;
use hedgerow::model::Task;

/// States that are listed; more are counted.
const LISTED: usize = 20;

/// A table of the states with a cost in any of the maps, the largest true cost first, then the
/// largest inferred one. Where it would be wider than `width` it has one row per map and state.
pub fn listed(task: &Task, maps: &[Named], width: usize) -> String {
    let at = |cost: &[(u32, f64)], state: State| {
        let entry = cost.iter().find(|(s, _)| *s == state.0);
        entry.map_or(0.0, |&(_, c)| c)
    };
    let mut rows: Vec<(State, Vec<f64>)> = task
        .all_states()
        .map(|s| (s, maps.iter().map(|(_, cost)| at(cost, s)).collect()))
        .filter(|(_, costs): &(State, Vec<f64>)| costs.iter().any(|&c| c > 0.0))
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let largest = |costs: &[f64]| costs.iter().copied().fold(0.0, f64::max);
    rows.sort_by(|(_, a), (_, b)| {
        let truth = b[0].total_cmp(&a[0]);
        truth.then(largest(b).total_cmp(&largest(a)))
    });
    let more = rows.len().saturating_sub(LISTED);
    rows.truncate(LISTED);
    let cost = |c: f64| if c > 0.0 { number(c) } else { ".".to_owned() };
    let names = maps.iter().map(|(name, _)| *name);
    let header: Vec<&str> = std::iter::once("state").chain(names).collect();
    let line = |(s, costs): &(State, Vec<f64>)| -> Vec<String> {
        let name = plain(&task.state_name(*s));
        std::iter::once(name)
            .chain(costs.iter().map(|&c| cost(c)))
            .collect()
    };
    let mut text = table(header, 1, rows.iter().map(line));
    if text.lines().any(|l| l.chars().count() > width) {
        let each = rows.iter().flat_map(|(s, costs)| {
            let costs = costs.iter().zip(maps).filter(|(c, _)| **c > 0.0);
            costs
                .map(|(&c, (map, _))| vec![plain(&task.state_name(*s)), (*map).to_owned(), cost(c)])
        });
        text = table(["state", "cost in", "cost"], 2, each);
    }
    if more > 0 {
        text.push_str(&wrap(
            &format!("and {more} states more: --json lists them all"),
            width,
            0,
        ));
    }
    text + "\n"
}
