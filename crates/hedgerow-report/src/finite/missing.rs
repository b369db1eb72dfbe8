//! What is still missing until a cell gets its verdict.

use crate::number::signed;
use hedgerow::explain::{Explanation, Move, Reason};
use hedgerow::learn::Learner;
use hedgerow::verdict::{PairVerdict, Verdicts};

/// Moves that are named; the others are counted.
const NAMED: usize = 3;

/// An estimate of how many times the samples are needed is not worth more than this.
const MOST: f64 = 1e6;

/// What would decide `explanation`'s place, one sentence each.
pub(super) fn missing(
    learner: &Learner,
    verdicts: &Verdicts,
    explanation: &Explanation,
) -> Vec<String> {
    if let Reason::NoMove { untried } = explanation.reason {
        return vec![match untried {
            0 => "No move leads there, so nothing can decide it.".to_owned(),
            1 => "Nobody has come there: a try of the 1 move that was never tried, if it leads there.".to_owned(),
            n => format!("Nobody has come there: tries of those of the {n} moves that were never tried which lead there."),
        }];
    }
    let moves = || explanation.moves.iter();
    let is_open = |m: &&Move| verdicts.at(m.pair).is_open();
    let open: Vec<&Move> = moves().filter(is_open).collect();
    if open.is_empty() {
        return vec![match moves().any(|m| m.in_scope) {
            true => "No move leads there more often than not, so no verdict on a move is one on it.".to_owned(),
            false => "Nothing: the expert never comes to where moves into it begin, and what it would do there does not show in its reward and cost.".to_owned(),
        }];
    }
    let mut said: Vec<String> = open
        .iter()
        .take(NAMED)
        .map(|m| of_move(learner, verdicts, m))
        .collect();
    if open.len() > NAMED {
        said.push(format!(
            "The same for {} more moves into it.",
            open.len() - NAMED
        ));
    }
    said
}

fn of_move(learner: &Learner, verdicts: &Verdicts, m: &Move) -> String {
    let found = verdicts.at(m.pair);
    let asked = learner.expert_asked(m.from.state);
    let what = format!("{} from {}", m.action, m.from.name);
    let criteria = verdicts.criteria();
    if found.visits == 0 {
        return format!("Tries of {what}: there are none.");
    }
    if asked == 0 {
        return format!(
            "The expert's answer in {}: it was never asked there.",
            m.from.name
        );
    }
    if found.low > criteria.tolerance {
        let percent = (criteria.rare * 1e8).round() / 1e6;
        return format!(
            "More answers of the expert in {}: {what} surely pays, and {asked} answers do not prove yet that it is taken less than {percent} % of the time.",
            m.from.name
        );
    }
    let tries = match found.visits {
        1 => "1 try".to_owned(),
        n => format!("{n} tries"),
    };
    let range = format!("between {} and {}", signed(found.low), signed(found.high));
    let (aim, times) = narrowing(found, criteria.tolerance, criteria.margin);
    format!(
        "More samples of {what} and of what follows: after {tries} it earns {range} more than the expert, and {aim}{}.",
        more(times)
    )
}

/// What has to become of the interval, and by which factor it has to narrow on that side.
fn narrowing(found: &PairVerdict, tolerance: f64, margin: f64) -> (String, Option<f64>) {
    let estimate = found.estimate.unwrap_or(0.5 * (found.low + found.high));
    let number = |x: f64| {
        if x == 0.0 {
            "0".to_owned()
        } else {
            format!("{x}")
        }
    };
    if estimate > tolerance + 0.5 * margin {
        let aim = format!("the lower end has to pass {}", number(tolerance));
        return (aim, factor(estimate - found.low, estimate - tolerance));
    }
    let limit = tolerance + margin;
    let aim = format!("the upper end has to fall to {} at least", number(limit));
    (aim, factor(found.high - estimate, limit - estimate))
}

fn factor(has: f64, may: f64) -> Option<f64> {
    let factor = has / may;
    (factor.is_finite() && factor > 1.0).then_some(factor)
}

/// Intervals narrow about as the square root of the samples grows.
fn more(times: Option<f64>) -> String {
    match times.map(|t| t * t) {
        Some(times) if times <= MOST => {
            let times = match times {
                t if t < 10.0 => format!("{t:.1}"),
                t => format!("{t:.0}"),
            };
            format!(", which takes about {times} times as many")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hedgerow::verdict::Verdict;

    fn found(low: f64, estimate: f64, high: f64) -> PairVerdict {
        PairVerdict {
            verdict: Verdict::Undecided,
            estimate: Some(estimate),
            low,
            high,
            visits: 10,
            chosen: 0,
            negligible: false,
            in_scope: true,
        }
    }

    #[test]
    fn an_interval_that_looks_constrained_has_to_rise_and_another_to_fall() {
        // 0.1 +- 0.3 has to become 0.1 +- 0.1: three times as narrow, nine times the samples.
        let (aim, times) = narrowing(&found(-0.2, 0.1, 0.4), 0.0, 0.01);
        assert_eq!(aim, "the lower end has to pass 0");
        assert!((times.unwrap() - 3.0).abs() < 1e-12);
        assert_eq!(more(times), ", which takes about 9.0 times as many");
        // -0.1 + 0.44 has to become -0.1 + 0.11: four times as narrow.
        let (aim, times) = narrowing(&found(-0.5, -0.1, 0.34), 0.0, 0.01);
        assert_eq!(aim, "the upper end has to fall to 0.01 at least");
        assert_eq!(more(times), ", which takes about 16 times as many");
    }

    #[test]
    fn nothing_is_said_of_how_many_where_nothing_can_be_said() {
        let (_, times) = narrowing(&found(-1e9, 1e-9, 1e9), 0.0, 1e-12);
        assert_eq!(more(times), "");
        assert_eq!(more(None), "");
    }
}
