//! Choices that are too rare to be meant.

use super::Records;
use crate::index::Pair;
use crate::model::Task;
use crate::{Error, Result};

/// A choice that was taken for a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slip {
    /// What the expert did.
    pub pair: Pair,
    /// How often it did so.
    pub times: u32,
    /// How often it was seen to choose in this state.
    pub visits: u32,
}

impl Records {
    /// The same records without the choices made in less than `share` of the visits to their
    /// state, `N_E(s,a) < share N_E(s)`, and what was dropped, by pair.
    ///
    /// The most frequent choice of a state always stays, whatever the share. Transitions stay
    /// too: where a slip led is evidence of the dynamics.
    pub fn without_slips(mut self, task: &Task, share: f64) -> Result<(Self, Vec<Slip>)> {
        if !(0.0..1.0).contains(&share) {
            return Err(Error::invalid(
                "slip share",
                format!("{share} is out of range"),
                "use a share of at least 0 and below 1",
            ));
        }
        let mut times = vec![0_u32; task.pairs()];
        for pair in &self.choices {
            times[pair.at()] += 1;
        }
        let mut slips = Vec::new();
        for state in task.all_states() {
            let range = task.pairs_of(state);
            let visits: u32 = times[range.clone()].iter().sum();
            let most = times[range.clone()].iter().copied().max().unwrap_or(0);
            let rare = |n: u32| n > 0 && n < most && f64::from(n) < share * f64::from(visits);
            slips.extend(range.filter(|&i| rare(times[i])).map(|i| Slip {
                pair: Pair::new(i),
                times: times[i],
                visits,
            }));
        }
        let mut is_slip = vec![false; task.pairs()];
        for slip in &slips {
            is_slip[slip.pair.at()] = true;
        }
        self.choices.retain(|pair| !is_slip[pair.at()]);
        Ok((self, slips))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    #[test]
    fn rare_choices_go_frequent_ones_and_all_transitions_stay() {
        let mut b = ModelBuilder::new(3, ["a", "b", "c"], 0.5);
        b.start(0, 1.0).terminal(2);
        let task = b.build_task().unwrap();
        // State 0: a 8 times, b once, c once. State 1: a, b, c once each, all as frequent.
        let mut choices = vec![Pair(0); 8];
        choices.extend([Pair(1), Pair(2), Pair(3), Pair(4), Pair(5)]);
        let records = Records {
            transitions: vec![(Pair(1), crate::index::State(2))],
            choices,
            ..Records::default()
        };
        let (same, none) = records.clone().without_slips(&task, 0.1).unwrap();
        assert_eq!((&same, none.len()), (&records, 0));
        let (left, slips) = records.clone().without_slips(&task, 0.5).unwrap();
        let dropped = |pair| Slip {
            pair,
            times: 1,
            visits: 10,
        };
        assert_eq!(slips, [dropped(Pair(1)), dropped(Pair(2))]);
        assert_eq!(left.choices[8..], [Pair(3), Pair(4), Pair(5)]);
        assert_eq!(left.transitions, records.transitions);
        for share in [-0.1, 1.0, f64::NAN] {
            assert!(records.clone().without_slips(&task, share).is_err());
        }
    }
}
