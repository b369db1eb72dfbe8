//! Seeds as text: `1,2,7`, `0..20`, or both.

use crate::{Error, Result};

/// More seeds than this are a slip of the finger.
const MOST: usize = 1_000_000;

/// The seeds that `text` lists, in its order; `0..20` is 0 to 19.
///
/// ```
/// assert_eq!(hedgerow::sweep::seeds::parse("7,0..3")?, [7, 0, 1, 2]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn parse(text: &str) -> Result<Vec<u64>> {
    let mut seeds = Vec::new();
    for part in text.split(',').map(str::trim) {
        match part.split_once("..") {
            Some((from, to)) => seeds.extend(range(part, from, to)?),
            None => seeds.push(number(part)?),
        }
    }
    check(&seeds)?;
    Ok(seeds)
}

/// Refuses an empty list and one that names a seed twice.
pub fn check(seeds: &[u64]) -> Result<()> {
    if seeds.is_empty() {
        return Err(Error::invalid("seeds", "none given", HOW));
    }
    let mut sorted = seeds.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|w| w[0] == w[1]) {
        Some(twice) => Err(Error::invalid(
            "seeds",
            format!("{} is given twice", twice[0]),
            "a repeated seed only repeats its run: name it once",
        )),
        None => Ok(()),
    }
}

const HOW: &str = "write seeds as 1,2,7 or 0..20";

fn number(text: &str) -> Result<u64> {
    text.parse().map_err(|_| {
        let problem = if text.is_empty() {
            "a seed is missing".to_owned()
        } else {
            format!("`{text}` is not a whole number of at least 0")
        };
        Error::invalid("seeds", problem, HOW)
    })
}

fn range(part: &str, from: &str, to: &str) -> Result<std::ops::Range<u64>> {
    let (from, to) = (number(from.trim())?, number(to.trim())?);
    if from >= to {
        let remedy = "the end of a range is not part of it and must exceed its beginning";
        let problem = format!("`{part}` holds no seed");
        return Err(Error::invalid("seeds", problem, remedy));
    }
    if to - from > MOST as u64 {
        let remedy = format!("use at most {MOST}");
        let problem = format!("`{part}` holds {} seeds", to - from);
        return Err(Error::invalid("seeds", problem, remedy));
    }
    Ok(from..to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_ranges_and_mixtures_are_read_in_order() {
        assert_eq!(parse("1,2,7").unwrap(), [1, 2, 7]);
        assert_eq!(parse("0..4").unwrap(), [0, 1, 2, 3]);
        assert_eq!(parse(" 9, 2..4 ,0").unwrap(), [9, 2, 3, 0]);
        assert_eq!(parse("18446744073709551615").unwrap(), [u64::MAX]);
    }

    #[test]
    fn everything_else_is_refused_with_its_text() {
        for (text, said) in [
            ("", "a seed is missing"),
            ("1,,2", "a seed is missing"),
            ("1,2,1", "1 is given twice"),
            ("0..3,2", "2 is given twice"),
            ("5..5", "`5..5` holds no seed"),
            ("5..2", "`5..2` holds no seed"),
            ("0..", "a seed is missing"),
            ("x", "`x` is not a whole number"),
            ("-1", "`-1` is not a whole number"),
            ("1.5", "`1.5` is not a whole number"),
            ("0..10000000", "holds 10000000 seeds"),
        ] {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.starts_with("seeds: "), "{message}");
            assert!(message.contains(said), "{text}: {message}");
        }
    }
}
