//! Names that results can be filed under.

use crate::{Error, Result};

/// Longest name of an environment, well below what file systems allow for a folder.
const NAME_LENGTH: usize = 100;

/// Results are filed in a folder of this name, so it must be safe as one everywhere.
pub fn check_name(name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if !name.is_empty()
        && name.len() <= NAME_LENGTH
        && !name.starts_with('.')
        && name.chars().all(plain)
    {
        return Ok(());
    }
    Err(Error::invalid(
        "name",
        format!("{name:?} cannot be the name of a results folder"),
        format!(
            "set `name` to at most {NAME_LENGTH} letters, digits, `-`, `_` and `.`, not starting with `.`"
        ),
    ))
}
