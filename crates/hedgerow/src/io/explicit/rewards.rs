//! Files of rewards.

use super::lines::{Line, lines};
use crate::Result;
use crate::io::tables::Tables;

/// Rewards of states: lines `state reward`, after a line of sizes if there is a `header`.
pub(super) fn of_states(text: &str, tables: &mut Tables, header: bool) -> Result<()> {
    let mut rewards = vec![0.0; tables.states()];
    for line in lines(text).skip(usize::from(header)) {
        let mut words = line.words();
        let s: usize = line.number(words.next(), "state")?;
        let reward = finite(&line, words.next())?;
        *rewards.get_mut(s).ok_or_else(|| unknown(&line))? = reward;
    }
    tables.state_reward = Some(rewards);
    Ok(())
}

/// Rewards of transitions: lines `state choice next reward`, of a `chain` without the choice. PRISM
/// has a line of sizes before them, which is one word shorter.
pub(super) fn of_transitions(text: &str, tables: &mut Tables, chain: bool) -> Result<()> {
    let width = if chain { 3 } else { 4 };
    let mut rewards = vec![0.0; tables.target.len()];
    let header = lines(text)
        .next()
        .is_some_and(|l| l.words().count() < width);
    for line in lines(text).skip(usize::from(header)) {
        let mut words = line.words();
        let s: usize = line.number(words.next(), "state")?;
        let choice: usize = match chain {
            true => 0,
            false => line.number(words.next(), "choice")?,
        };
        let next: u32 = line.number(words.next(), "next state")?;
        let reward = finite(&line, words.next())?;
        let mut known = false;
        for branch in branches(tables, s, choice).ok_or_else(|| unknown(&line))? {
            if tables.target[branch] == next {
                rewards[branch] = reward;
                known = true;
            }
        }
        if !known {
            return Err(unknown(&line));
        }
    }
    tables.branch_reward = Some(rewards);
    Ok(())
}

/// The branches of a choice, if there is such a choice.
fn branches(tables: &Tables, s: usize, choice: usize) -> Option<std::ops::Range<usize>> {
    let (first, end) = (tables.choice_start.get(s)?, tables.choice_start.get(s + 1)?);
    let choice = first.checked_add(choice).filter(|c| c < end)?;
    Some(tables.branch_start[choice]..tables.branch_start[choice + 1])
}

fn finite(line: &Line, word: Option<&str>) -> Result<f64> {
    let reward: f64 = line.number(word, "reward")?;
    match reward.is_finite() {
        true => Ok(reward),
        false => Err(line.invalid(
            format!("the reward {reward} is not a finite number"),
            "use a finite number",
        )),
    }
}

fn unknown(line: &Line) -> crate::Error {
    line.invalid(
        format!(
            "`{}` rewards what the transitions do not have",
            line.text.trim()
        ),
        "remove the line, or add the transition",
    )
}
