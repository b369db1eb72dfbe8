//! How small and how large every entry of a cost in the set can be.

use crate::Result;
use crate::costset::hard_sets;
use crate::costset::program::Program;
use crate::costset::set::least_cost_max;
use crate::costset::{CostSet, Role, Rule};
use crate::index::Pair;
use crate::model::Dynamics;

/// An end counts as reached if strict inequalities can keep this margin there, relative to
/// `C_max`: far above what a program leaves open, see [`BAND`].
pub(super) const MARGIN: f64 = 1e-6;

/// How near to an end is at the end, relative to `C_max`.
const BAND: f64 = 1e-8;

/// An interval of costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Whether costs only approach the lower end.
    pub low_open: bool,
    /// Whether costs only approach the upper end.
    pub high_open: bool,
}

impl Range {
    /// `[low, high]`.
    pub fn closed(low: f64, high: f64) -> Self {
        Self {
            low,
            high,
            low_open: false,
            high_open: false,
        }
    }

    /// `(low, high]`.
    pub fn above(low: f64, high: f64) -> Self {
        Self {
            low_open: true,
            ..Self::closed(low, high)
        }
    }

    /// Whether `value` lies in the interval or within `slack` of it.
    pub fn holds(&self, value: f64, slack: f64) -> bool {
        value >= self.low - slack && value <= self.high + slack
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let open = if self.low_open { '(' } else { '[' };
        let close = if self.high_open { ')' } else { ']' };
        write!(f, "{open}{}, {}{close}", self.low, self.high)
    }
}

impl<D: Dynamics> CostSet<'_, D> {
    /// The range of every entry over the set; `None` if the set is empty.
    ///
    /// Exact for both rules. Hard, conditions: by role. Hard, optimality: charging more never
    /// hurts the expert as long as what it does stays free, so an entry can be 0 if the expert is
    /// still unbeaten with everything else charged. Soft: two linear programs per entry, to the
    /// accuracy of an interior point (about 1e-8 of `C_max`), and two more to tell whether the
    /// ends are reached.
    pub fn ranges(&self, rule: Rule) -> Result<Option<Vec<Range>>> {
        ranges(&[self], rule, self.task().all_pairs())
    }

    /// The range of one entry, for models where all would take long; `None` if the set is empty.
    pub fn range(&self, pair: Pair, rule: Rule) -> Result<Option<Range>> {
        Ok(ranges(&[self], rule, [pair])?.and_then(|found| found.first().copied()))
    }

    /// The ranges by the conditions when the expert's cost-to-go `V_c` is known.
    ///
    /// With `f = (E - gamma P) V_c`: the expert's pairs cost `f`, paying pairs `(f, C_max]`, idle
    /// pairs `[0, f]`. `None` if that leaves some pair nothing.
    pub fn ranges_given(&self, values: &[f64]) -> Result<Option<Vec<Range>>> {
        let shaping = self.shaping(values)?;
        let slack = self.value_tolerance();
        self.check_cost_to_go(values)?;
        let top = self.cost_max;
        let of_pair = |pair: Pair| {
            let f = shaping[pair.at()];
            match self.role(pair) {
                Role::Chosen if f < -slack || f > top + slack => None,
                Role::Chosen => Some(Range::closed(f.clamp(0.0, top), f.clamp(0.0, top))),
                Role::Paying if f >= top - slack => None,
                Role::Paying if f < -slack => Some(Range::closed(0.0, top)),
                Role::Paying => Some(Range::above(f.max(0.0), top)),
                Role::Idle if f < -slack => None,
                Role::Idle => Some(Range::closed(0.0, f.clamp(0.0, top))),
            }
        };
        Ok(self.task().all_pairs().map(of_pair).collect())
    }
}

/// The ranges over what several sets have in common.
pub(super) fn ranges<D: Dynamics>(
    sets: &[&CostSet<D>],
    rule: Rule,
    pairs: impl IntoIterator<Item = Pair>,
) -> Result<Option<Vec<Range>>> {
    if sets.iter().all(|s| s.is_hard()) {
        return hard_sets::ranges(sets, rule, pairs);
    }
    let program = Program::new(sets, rule)?;
    let top = least_cost_max(sets);
    if program.margin_of(&program.innermost()?) <= MARGIN * top {
        return Ok(None);
    }
    let reached = |pair: Pair, sign: f64, end: f64| -> Result<bool> {
        Ok(program.margin_at(pair, sign, end + sign * BAND * top)? > MARGIN * top)
    };
    let end = |pair: Pair, sign: f64| -> Result<f64> {
        let end = program.end(pair, sign)?.x[pair.at()];
        let snap = |end: f64, to: f64| {
            if (end - to).abs() <= BAND * top {
                to
            } else {
                end
            }
        };
        Ok(snap(snap(end, 0.0), top).clamp(0.0, top))
    };
    let of_pair = |pair: Pair| -> Result<Range> {
        let (low, high) = (end(pair, 1.0)?, end(pair, -1.0)?);
        Ok(Range {
            low_open: !reached(pair, 1.0, low)?,
            high_open: !reached(pair, -1.0, high)?,
            low,
            high,
        })
    };
    let found = pairs.into_iter().map(of_pair);
    Ok(Some(found.collect::<Result<_>>()?))
}
