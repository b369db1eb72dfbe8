//! The cost in the set that is nearest to a given one.

use crate::costset::program::Program;
use crate::costset::range::MARGIN;
use crate::costset::set::least_cost_max;
use crate::costset::{CostSet, Role, Rule, hard_sets};
use crate::index::Pair;
use crate::model::Dynamics;
use crate::solve::dot;
use crate::{Error, Result};

/// A cost and how far it is from the one it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    /// The cost.
    pub cost: Vec<f64>,
    /// The Euclidean distance.
    pub distance: f64,
}

impl<D: Dynamics> CostSet<'_, D> {
    /// The cost nearest to `target` in the closure of the set; `None` if the set is empty.
    ///
    /// Where the set has strict inequalities its closure has none, so the answer may be a limit of
    /// members only. A positive `margin` asks for a member: `A_c >= margin` by condition 2 (hard:
    /// `c >= margin`), and by optimality a price of the budget of at most `R_max / margin`. Hard
    /// sets are clamped entry by entry; soft ones take a quadratic program, accurate to about 1e-8.
    pub fn nearest(&self, target: &[f64], rule: Rule, margin: f64) -> Result<Option<Nearest>> {
        self.check(target)?;
        nearest(&[self], rule, target, margin)
    }

    /// The member by `rule` with the largest margin; `None` if the set is empty.
    pub fn innermost(&self, rule: Rule) -> Result<Option<Vec<f64>>> {
        if self.is_hard() {
            let zero = vec![self.cost_max; self.task().pairs()];
            return hard_sets::nearest(&[self], rule, &zero, self.cost_max);
        }
        let program = Program::new(&[self], rule)?;
        let found = program.innermost()?;
        if program.margin_of(&found) <= MARGIN * self.cost_max {
            return Ok(None);
        }
        Ok(Some(polished(&[self], rule, &found.x, 0.0)))
    }
}

/// The nearest cost that several sets have in common.
pub(super) fn nearest<D: Dynamics>(
    sets: &[&CostSet<D>],
    rule: Rule,
    target: &[f64],
    margin: f64,
) -> Result<Option<Nearest>> {
    let top = least_cost_max(sets);
    if !(0.0..=top).contains(&margin) {
        return Err(Error::invalid(
            "margin",
            format!("{margin} is outside [0, {top}]"),
            "use 0 for the closure, a small positive number for a member",
        ));
    }
    let cost = if sets.iter().all(|s| s.is_hard()) {
        hard_sets::nearest(sets, rule, target, margin)?
    } else {
        let program = Program::new(sets, rule)?;
        if program.margin_of(&program.innermost()?) <= margin.max(MARGIN * top) {
            None
        } else {
            let found = program.nearest(target, margin)?;
            found
                .feasible
                .then(|| polished(sets, rule, &found.x, margin))
        }
    };
    let off = |cost: &[f64]| {
        cost.iter()
            .zip(target)
            .map(|(a, b)| (a - b) * (a - b))
            .sum::<f64>()
    };
    Ok(cost.map(|cost| Nearest {
        distance: off(&cost).sqrt(),
        cost,
    }))
}

/// The cost of a point, freed of the last digits that an interior point leaves open. For one set:
/// rebuilt from `V` so that the conditions hold to rounding, or scaled so that the budget does.
fn polished<D: Dynamics>(sets: &[&CostSet<D>], rule: Rule, x: &[f64], margin: f64) -> Vec<f64> {
    let task = sets[0].task();
    let mut cost = x[..task.pairs()].to_vec();
    match (sets, rule) {
        ([set], Rule::Conditions) => {
            let mut values = vec![0.0; task.states()];
            let mut rest = x[task.pairs() + 1..].iter();
            for state in task.all_states().filter(|&s| !task.is_terminal(s)) {
                values[state.at()] = rest.next().copied().unwrap_or(0.0).max(0.0);
            }
            let advantage = set.cost_advantage(&cost, &values);
            for (i, c) in cost.iter_mut().enumerate() {
                *c += match set.role(Pair::new(i)) {
                    Role::Chosen => -advantage[i],
                    Role::Paying => (margin - advantage[i]).max(0.0),
                    Role::Idle => -advantage[i].max(0.0),
                };
            }
        }
        ([set], Rule::Optimality) => {
            let spent = dot(&set.visits, &cost);
            if (spent - set.budget).abs() <= MARGIN * set.budget {
                cost.iter_mut().for_each(|c| *c *= set.budget / spent);
            }
        }
        _ => {}
    }
    cost.iter_mut()
        .for_each(|c| *c = c.clamp(0.0, sets[0].cost_max));
    cost
}
