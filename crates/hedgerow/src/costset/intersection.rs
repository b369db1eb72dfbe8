//! What two tasks together say about the cost they share.

use crate::costset::nearest::nearest;
use crate::costset::program::Program;
use crate::costset::range::{MARGIN, ranges};
use crate::costset::set::least_cost_max;
use crate::costset::{CostSet, Membership, Nearest, Range, Role, Rule, hard_sets};
use crate::index::Pair;
use crate::model::Dynamics;
use crate::{Error, Result};

/// The costs that explain two experts at once, each in its own task over the same states and
/// actions. Rewards, starts, dynamics, discounts and budgets may differ.
#[derive(Debug)]
pub struct Intersection<'s, 'a, D: Dynamics> {
    sets: [&'s CostSet<'a, D>; 2],
    rule: Rule,
    conflicts: Vec<Conflict>,
    empty: bool,
}

/// A pair on which two tasks cannot agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The pair.
    pub pair: Pair,
    /// What each expert says about it.
    pub roles: [Role; 2],
}

impl<'a, D: Dynamics> CostSet<'a, D> {
    /// The costs that are in this set and in `other`, both by `rule`.
    ///
    /// Hard sets by [`Rule::Conditions`] conflict on every pair that one expert must have charged
    /// and the other takes or has no use for; by [`Rule::Optimality`], which allows needless
    /// charges, only where one expert's policy beats the other's. For soft sets a linear program
    /// decides, and if nothing is left, the pairs of its certificate are the conflicts.
    pub fn intersect<'s>(
        &'s self,
        other: &'s CostSet<'a, D>,
        rule: Rule,
    ) -> Result<Intersection<'s, 'a, D>> {
        let sets = [self, other];
        self.same_pairs(other)?;
        let hard = sets.map(CostSet::is_hard);
        if rule == Rule::Optimality && hard[0] != hard[1] {
            return Err(Error::invalid(
                "intersection",
                "one constraint is hard and one is soft, which have no common convex form",
                "use the conditions, or two sets of one kind",
            ));
        }
        let (pairs, empty) = if hard[0] && hard[1] {
            let pairs = hard_sets::conflicts(&sets, rule)?;
            let empty = !pairs.is_empty();
            (pairs, empty)
        } else {
            soft_conflicts(&sets, rule)?
        };
        let conflict = |pair| Conflict {
            pair,
            roles: sets.map(|s| s.role(pair)),
        };
        Ok(Intersection {
            conflicts: pairs.into_iter().map(conflict).collect(),
            sets,
            rule,
            empty,
        })
    }

    fn same_pairs(&self, other: &Self) -> Result<()> {
        let (a, b) = (self.task(), other.task());
        if a.has_pairs_of(b) {
            return Ok(());
        }
        Err(Error::invalid(
            "intersection",
            format!(
                "{} states and {} pairs against {} states and {} pairs, or other pairs",
                a.states(),
                a.pairs(),
                b.states(),
                b.pairs()
            ),
            "give two tasks over the same states and available actions",
        ))
    }
}

/// The pairs whose rows prove that nothing is left, and whether nothing is.
fn soft_conflicts<D: Dynamics>(sets: &[&CostSet<D>], rule: Rule) -> Result<(Vec<Pair>, bool)> {
    let program = Program::new(sets, rule)?;
    let found = program.innermost()?;
    let top = least_cost_max(sets);
    if program.margin_of(&found) > MARGIN * top {
        return Ok((Vec::new(), false));
    }
    let dearest = found.prices.iter().map(|p| p.1).fold(0.0, f64::max);
    let priced = found.prices.iter().filter(|p| p.1 > 1e-4 * dearest);
    let mut pairs: Vec<Pair> = priced.map(|p| p.0).collect();
    pairs.sort_unstable();
    pairs.dedup();
    Ok((pairs, true))
}

impl<D: Dynamics> Intersection<'_, '_, D> {
    /// Whether no cost explains both experts.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// Where the two tasks cannot agree, by ascending pair; empty if something is left.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// The range of every entry; `None` if nothing is left.
    pub fn ranges(&self) -> Result<Option<Vec<Range>>> {
        ranges(&self.sets, self.rule, self.sets[0].task().all_pairs())
    }

    /// The nearest cost in the closure, as [`CostSet::nearest`]; `None` if nothing is left.
    pub fn nearest(&self, target: &[f64], margin: f64) -> Result<Option<Nearest>> {
        self.sets[0].check(target)?;
        nearest(&self.sets, self.rule, target, margin)
    }

    /// Whether `cost` explains each expert.
    pub fn contains(&self, cost: &[f64]) -> Result<[Membership; 2]> {
        let [one, other] = self.sets;
        Ok([
            one.contains(cost, self.rule)?,
            other.contains(cost, self.rule)?,
        ])
    }
}
