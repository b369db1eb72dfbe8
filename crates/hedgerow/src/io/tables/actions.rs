//! Actions of a file in which choices need not have any, or may share one.

use super::Tables;
use std::collections::{BTreeSet, HashMap};

/// What an action without a name is called where others have one.
const UNNAMED: &str = "unnamed";

impl Tables {
    /// The action of every choice, no two alike in a state, and the names of all actions.
    ///
    /// Choices without actions are counted in each state. The second choice of a state with the same
    /// action has an action of its own, called `NAME (2)`, and so on.
    pub(super) fn actions(&mut self) -> (Vec<u32>, Vec<String>) {
        let Some(mut action_of) = self.action_of.take() else {
            return self.counted();
        };
        let mut names = std::mem::take(&mut self.action_names);
        match names.is_empty() {
            true => names = renumbered(&mut action_of),
            false => names
                .iter_mut()
                .filter(|n| n.is_empty())
                .for_each(|n| n.push_str(UNNAMED)),
        }
        let mut more: HashMap<(u32, usize), u32> = HashMap::new();
        let mut taken: Vec<u32> = Vec::new();
        for of in self.choice_start.windows(2) {
            taken.clear();
            for action in &mut action_of[of[0]..of[1]] {
                let named = *action;
                let before = taken.iter().filter(|&&a| a == named).count();
                taken.push(named);
                if before > 0 {
                    *action = *more.entry((named, before)).or_insert_with(|| {
                        names.push(format!("{} ({})", names[named as usize], before + 1));
                        names.len() as u32 - 1
                    });
                }
            }
        }
        (action_of, names)
    }

    /// The first choice of every state has the first action, and so on.
    fn counted(&self) -> (Vec<u32>, Vec<String>) {
        let mut action_of = Vec::with_capacity(self.choices());
        let mut most = 0;
        for of in self.choice_start.windows(2) {
            let own = of[1] - of[0];
            action_of.extend(0..own as u32);
            most = most.max(own);
        }
        (action_of, (0..most).map(|a| format!("a{a}")).collect())
    }
}

/// Numbers the actions that occur from 0 on and names them by the number they had.
fn renumbered(action_of: &mut [u32]) -> Vec<String> {
    let used: BTreeSet<u32> = action_of.iter().copied().collect();
    let place: HashMap<u32, u32> = used.iter().copied().zip(0..).collect();
    action_of.iter_mut().for_each(|a| *a = place[a]);
    used.iter().map(|a| format!("a{a}")).collect()
}
