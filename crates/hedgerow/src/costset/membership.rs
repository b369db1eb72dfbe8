//! Is a cost in the set, by which rule, and if not, why?

use crate::Result;
use crate::costset::{CostSet, Role};
use crate::index::{Pair, State};
use crate::model::{Dynamics, Task};

/// What it takes to explain the expert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Three local conditions, in every state, on the expert's own cost advantages `A_c`:
    ///
    /// 1. `pi_E(a|s) > 0`: `A_c = 0`;
    /// 2. `pi_E(a|s) = 0` and `A_E > 0`: `A_c > 0`;
    /// 3. `pi_E(a|s) = 0` and `A_E <= 0`: `A_c <= 0`.
    ///
    /// A hard constraint also needs `V_c = 0`. The budget plays no other part: a soft set by this
    /// rule contains every multiple of its members that stays within `C_max`.
    Conditions,
    /// The expert is an optimal policy of the forward problem from `mu0` with this cost and this
    /// budget: within the budget, and no policy within it, randomised ones included, earns more.
    Optimality,
}

/// The answer to whether a cost is in the set.
#[derive(Clone, Debug, PartialEq)]
pub struct Membership {
    /// The rule that was applied.
    pub rule: Rule,
    /// The first violation found; `None` for a member.
    pub violation: Option<Violation>,
}

/// Why a cost is not in the set. Comparisons allow for [`TOLERANCE`](super::TOLERANCE).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Violation {
    /// An entry outside `[0, C_max]`.
    OutOfRange {
        /// Where.
        pair: Pair,
        /// The entry.
        cost: f64,
        /// `C_max`.
        cost_max: f64,
    },
    /// Hard, conditions: `V_c > 0`.
    NotFree {
        /// A state from which the expert pays.
        state: State,
        /// `V_c` there.
        value: f64,
    },
    /// Condition 1: a pair the expert takes has `A_c` other than 0.
    Chosen {
        /// The pair.
        pair: Pair,
        /// `A_c`.
        cost_advantage: f64,
    },
    /// Condition 2: a pair that would pay has `A_c <= 0`.
    Paying {
        /// The pair.
        pair: Pair,
        /// `A_E > 0`.
        advantage: f64,
        /// `A_c`.
        cost_advantage: f64,
    },
    /// Condition 3: a pair that would not pay has `A_c > 0`.
    Idle {
        /// The pair.
        pair: Pair,
        /// `A_E <= 0`.
        advantage: f64,
        /// `A_c`.
        cost_advantage: f64,
    },
    /// Optimality: the expert spends more than its budget.
    OverBudget {
        /// The used pair it pays most for.
        pair: Pair,
        /// `V_c(mu0)`.
        spent: f64,
        /// The budget.
        budget: f64,
    },
    /// Optimality: a policy within the budget earns more.
    Beaten {
        /// Where it departs from the expert, most often.
        pair: Pair,
        /// Its `V^r(mu0)`.
        best: f64,
        /// The expert's.
        expert: f64,
        /// The price of one unit of budget to it; 0 for a hard constraint.
        multiplier: f64,
    },
}

impl Membership {
    /// Whether the cost is in the set by the rule applied.
    pub fn is_member(&self) -> bool {
        self.violation.is_none()
    }
}

impl Violation {
    /// The number of the condition that is violated, if it is one of the three.
    pub fn condition(&self) -> Option<u8> {
        match self {
            Self::Chosen { .. } => Some(1),
            Self::Paying { .. } => Some(2),
            Self::Idle { .. } => Some(3),
            _ => None,
        }
    }

    /// One line in words.
    pub fn describe(&self, task: &Task) -> String {
        let name = |pair: Pair| task.pair_name(pair);
        match *self {
            Self::OutOfRange {
                pair,
                cost,
                cost_max,
            } => {
                format!("{}: cost {cost} is outside [0, {cost_max}]", name(pair))
            }
            Self::NotFree { state, value } => format!(
                "{}: the expert pays {value} from here, a hard constraint allows nothing",
                task.state_name(state)
            ),
            Self::Chosen {
                pair,
                cost_advantage,
            } => format!(
                "condition 1 at {}: the expert takes it, but it costs {cost_advantage} more than what the expert does on average",
                name(pair)
            ),
            Self::Paying {
                pair,
                advantage,
                cost_advantage,
            } => format!(
                "condition 2 at {}: it would earn {advantage} more, but costs only {cost_advantage} more",
                name(pair)
            ),
            Self::Idle {
                pair,
                advantage,
                cost_advantage,
            } => format!(
                "condition 3 at {}: it would earn {advantage}, so nothing needs its {cost_advantage} of extra cost",
                name(pair)
            ),
            Self::OverBudget {
                pair,
                spent,
                budget,
            } => format!(
                "the expert spends {spent} of a budget of {budget}, most of it on {}",
                name(pair)
            ),
            Self::Beaten {
                pair,
                best,
                expert,
                multiplier,
            } => format!(
                "a policy within the budget earns {best}, the expert {expert}: it takes {} (price of the budget {multiplier})",
                name(pair)
            ),
        }
    }
}

impl<D: Dynamics> CostSet<'_, D> {
    /// Whether `cost` is in the set by `rule`, and if not, what it violates.
    pub fn contains(&self, cost: &[f64], rule: Rule) -> Result<Membership> {
        self.check(cost)?;
        let violation = match self.out_of_range(cost) {
            Some(violation) => Some(violation),
            None => match rule {
                Rule::Conditions => self.broken_condition(cost)?,
                Rule::Optimality => self.not_optimal(cost)?,
            },
        };
        Ok(Membership { rule, violation })
    }

    fn out_of_range(&self, cost: &[f64]) -> Option<Violation> {
        let slack = self.cost_tolerance();
        let within = -slack..=self.cost_max + slack;
        let pair = self
            .task()
            .all_pairs()
            .find(|p| !within.contains(&cost[p.at()]))?;
        Some(Violation::OutOfRange {
            pair,
            cost: cost[pair.at()],
            cost_max: self.cost_max,
        })
    }

    fn broken_condition(&self, cost: &[f64]) -> Result<Option<Violation>> {
        let task = self.task();
        let slack = self.value_tolerance();
        let values = self.cost_values(cost)?;
        if self.is_hard()
            && let Some(state) = task.all_states().find(|s| values[s.at()] > slack)
        {
            let value = values[state.at()];
            return Ok(Some(Violation::NotFree { state, value }));
        }
        let found = self.cost_advantage(cost, &values);
        Ok(task.all_pairs().find_map(|pair| {
            let (advantage, cost_advantage) = (self.advantage[pair.at()], found[pair.at()]);
            match self.role(pair) {
                Role::Chosen if cost_advantage.abs() > slack => Some(Violation::Chosen {
                    pair,
                    cost_advantage,
                }),
                Role::Paying if cost_advantage <= slack => Some(Violation::Paying {
                    pair,
                    advantage,
                    cost_advantage,
                }),
                Role::Idle if cost_advantage > slack => Some(Violation::Idle {
                    pair,
                    advantage,
                    cost_advantage,
                }),
                _ => None,
            }
        }))
    }
}
