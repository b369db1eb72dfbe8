//! What an environment will take, before any of it is taken.
//!
//! ```
//! use hedgerow::io::memory;
//!
//! assert_eq!(memory::parse("1.5G")?, 1_500_000_000);
//! let refused = memory::parse("much").unwrap_err().to_string();
//! assert!(refused.starts_with("memory: `much` is no amount"), "{refused}");
//! # Ok::<(), hedgerow::Error>(())
//! ```

use crate::env::grid::Grid;
use crate::{Error, Result};
use std::path::Path;

/// The share of the machine's memory that is the limit where none is given, in percent.
const SHARE: u64 = 80;

/// What is never refused: less than any machine has.
const ALWAYS: u64 = 100_000_000;

/// Bytes that a model is taken to need, its expert solved for, for each byte of its file.
const PER_BYTE: [(&str, u64); 3] = [("json", 6), ("umb", 6), ("tra", 8)];

/// The same for every cell of a drawn map, and for every move of it.
const PER_CELL: u64 = 800;
const PER_MOVE: u64 = 90;

/// An amount of memory in words: `800M`, `4G`, `4GB`, or a number of bytes.
pub fn parse(word: &str) -> Result<u64> {
    let text = word.trim().to_ascii_uppercase();
    let text = text.strip_suffix('B').unwrap_or(&text);
    let units = [('K', 1e3), ('M', 1e6), ('G', 1e9), ('T', 1e12)];
    let unit = units.iter().find(|(letter, _)| text.ends_with(*letter));
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let many = digits.trim().parse::<f64>().ok();
    let bytes = many.map(|many| many * unit.map_or(1.0, |u| u.1));
    let whole = text.len() - digits.len() == usize::from(unit.is_some());
    match bytes.filter(|b| whole && b.is_finite() && *b >= 1.0 && *b < 1e18) {
        Some(bytes) => Ok(bytes as u64),
        None => Err(Error::invalid(
            "memory",
            format!("`{word}` is no amount of memory"),
            "write a number of bytes, or one with K, M, G or T, such as 4G",
        )),
    }
}

/// The limit: as asked for, or 80 % of the machine's memory; `None` where the system does not say
/// how much it has.
pub fn limit(asked: Option<u64>) -> Option<u64> {
    asked.or_else(|| machine().map(|all| all / 100 * SHARE))
}

/// The machine's memory in bytes, or that of the container that this runs in if it is less.
fn machine() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let info = read("/proc/meminfo")?;
    let line = info.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
    let all = 1024 * line.trim().trim_end_matches(" kB").parse::<u64>().ok()?;
    let own = read("/sys/fs/cgroup/memory.max").and_then(|t| t.trim().parse().ok());
    Some(own.map_or(all, |own: u64| own.min(all)))
}

/// Refuses what takes more than the limit.
fn check(needed: u64, asked: Option<u64>) -> Result<()> {
    let words = |bytes: u64| match bytes {
        1_000_000_000.. => format!("{:.1} GB", bytes as f64 / 1e9),
        _ => format!("{:.0} MB", bytes as f64 / 1e6),
    };
    match limit(asked) {
        Some(limit) if needed > limit && (asked.is_some() || needed > ALWAYS) => {
            Err(Error::invalid(
                "memory",
                format!(
                    "opening and solving it takes up to {}, more than the limit of {}",
                    words(needed),
                    words(limit)
                ),
                "raise --memory if there is more, or make the model smaller",
            ))
        }
        _ => Ok(()),
    }
}

/// Refuses the file of a model that would take more than the limit. A file that is not there is
/// nobody's concern here.
pub(super) fn check_file(path: &Path, asked: Option<u64>) -> Result<()> {
    let size = std::fs::metadata(path).map_or(0, |m| m.len());
    let ending = super::ending(path);
    let times = PER_BYTE.iter().find(|(known, _)| *known == ending);
    check(size.saturating_mul(times.map_or(2, |t| t.1)), asked)
}

/// Refuses a drawn map that would take more than the limit.
pub(super) fn check_grid(grid: &Grid, asked: Option<u64>) -> Result<()> {
    let cells: u64 = grid.symbols.iter().map(|line| line.len() as u64).sum();
    let each = PER_CELL + PER_MOVE * grid.moves as u64;
    check(cells.saturating_mul(each), asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_by_hand() -> Result<()> {
        for (word, bytes) in [
            ("12", 12),
            ("2k", 2000),
            ("800M", 800_000_000),
            ("4GB", 4_000_000_000),
        ] {
            assert_eq!(parse(word)?, bytes, "{word}");
        }
        for word in ["", "G", "-1G", "0", "nan", "4X", "4GG", "inf", "1e300"] {
            assert!(parse(word).is_err(), "{word}");
        }
        Ok(())
    }

    #[test]
    fn a_map_that_is_too_large_is_refused_before_it_is_built() {
        let grid = Grid::new("wide", vec![vec!['.'; 1000]; 10]);
        assert!(check_grid(&grid, Some(100_000_000)).is_ok());
        let refused = check_grid(&grid, Some(1_000_000)).unwrap_err().to_string();
        assert!(refused.contains("more than the limit of 1 MB"), "{refused}");
        assert!(check_grid(&grid, None).is_ok());
    }
}
