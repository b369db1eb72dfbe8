//! The one error type of the library.
//!
//! An error message is one line that names the place, the value found there and the remedy.
//! Things that can happen in a healthy run (a constraint that cannot be met, a budget that ran
//! out) are outcomes, not errors: see [`crate::solve::Outcome`] and [`crate::run::Stop`].
//!
//! ```
//! use hedgerow::Error;
//!
//! let error = Error::invalid("slip", "1.5 is not a probability", "use a number from 0 to 1");
//! let said = error.within("map.toml").to_string();
//! assert_eq!(said, "map.toml: slip: 1.5 is not a probability; use a number from 0 to 1");
//! ```

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What went wrong, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Input that does not describe what it should.
    #[error("{place}: {problem}; {remedy}")]
    Invalid {
        /// Where: a file, a key, a pair, an option.
        place: String,
        /// What was found there.
        problem: String,
        /// What to do about it.
        remedy: String,
    },
    /// A file could not be read or written.
    #[error("{}: cannot {doing}: {source}; {remedy}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was being done to it.
        doing: &'static str,
        /// What to do about it.
        remedy: &'static str,
        /// What the operating system answered.
        source: std::io::Error,
    },
    /// A number that could not be computed as exactly as it would have to be.
    #[error("{place}: {value} is certain only to within {error:.1e}; {remedy}")]
    Uncertain {
        /// What the number is.
        place: String,
        /// What came out.
        value: f64,
        /// How far off that may be.
        error: f64,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A numerical method failed where it should not.
    #[error("{place}: numerical breakdown: {problem}; please report the model that shows this")]
    Numeric {
        /// The method.
        place: String,
        /// What it found.
        problem: String,
    },
    /// A world or a strategy of another program failed in its own way.
    #[error("{place}: {source}")]
    Foreign {
        /// What was asked of it.
        place: String,
        /// What it answered.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Characters of each part of a message: more would hide what it says.
const LONGEST: usize = 2_000;

/// What was found in a file may hold line breaks and what a terminal obeys; a message has a `?` for each. It
/// may also be a whole book, of which begin and end are enough.
fn plain(text: String) -> String {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let odd = |c: char| c.is_control() || turns(c);
    let shown = |c| if odd(c) { '?' } else { c };
    // No character is shorter than a byte.
    let characters = if text.len() > LONGEST {
        text.chars().count()
    } else {
        0
    };
    if characters > LONGEST {
        let part = LONGEST / 10;
        let begin = text.chars().take(part).map(shown);
        let end = text.chars().skip(characters - part).map(shown);
        return begin.chain(" … ".chars()).chain(end).collect();
    }
    if !text.contains(odd) {
        return text;
    }
    text.chars().map(shown).collect()
}

/// The result of everything that can fail.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Input at `place` has `problem`; `remedy` says what to change.
    pub fn invalid(
        place: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::Invalid {
            place: plain(place.into()),
            problem: plain(problem.into()),
            remedy: plain(remedy.into()),
        }
    }

    /// A world or a strategy of another program answered `source` when it was asked for `place`.
    pub fn foreign(
        place: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Foreign {
            place: place.into(),
            source: source.into(),
        }
    }

    /// A file could not be read.
    pub fn reading(path: &Path, source: std::io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            doing: "read",
            remedy: match source.kind() {
                ErrorKind::IsADirectory => "it is a folder: name a file",
                _ => "check the name and the permissions",
            },
            source,
        }
    }

    /// A file or folder could not be written.
    pub fn writing(path: &Path, source: std::io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            doing: "write",
            remedy: match source.kind() {
                ErrorKind::IsADirectory => "it is a folder: name a file",
                ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
                    "a part of the path is a file, not a folder: choose another path"
                }
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                    "choose a folder that can be written"
                }
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                    "free some space, or choose another folder"
                }
                ErrorKind::InvalidFilename => "use a shorter name without special characters",
                ErrorKind::BrokenPipe => "its reader has gone",
                _ => "choose a folder that can be written, or free some space",
            },
            source,
        }
    }

    /// The same error at another place: the key as the user wrote it, say.
    #[must_use]
    pub fn at_place(self, place: impl Into<String>) -> Self {
        match self {
            Self::Invalid {
                problem, remedy, ..
            } => Self::invalid(place, problem, remedy),
            other => other,
        }
    }

    /// The same error with the file it came from put before its place.
    #[must_use]
    pub fn within(self, file: impl std::fmt::Display) -> Self {
        let before = |place: String| plain(format!("{file}: {place}"));
        match self {
            Self::Invalid {
                place,
                problem,
                remedy,
            } => Self::Invalid {
                place: before(place),
                problem,
                remedy,
            },
            Self::Uncertain {
                place,
                value,
                error,
                remedy,
            } => Self::Uncertain {
                place: before(place),
                value,
                error,
                remedy,
            },
            Self::Foreign { place, source } => Self::Foreign {
                place: before(place),
                source,
            },
            other => other,
        }
    }
}

/// An error unless `ok`: the number `value` at `key` is out of range, and `remedy` says what to use.
pub(crate) fn in_range(ok: bool, key: &str, value: f64, remedy: &str) -> Result<()> {
    if ok {
        return Ok(());
    }
    let problem = format!("{value} is out of range");
    Err(Error::invalid(key, problem, remedy))
}

/// The known word nearest to `word`, as a phrase to end a message with.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.into_iter().collect();
    let mut seen = HashSet::new();
    known.retain(|k| seen.insert(*k));
    // A word that was cut short counts before one that only looks alike.
    let rank = |k: &&'a str| {
        let begins = word.len() > 2 && k.starts_with(word);
        (!begins, strsim::damerau_levenshtein(word, k), *k)
    };
    match known.iter().map(rank).min() {
        Some((false, _, k)) => format!("did you mean `{k}`?"),
        Some((_, distance, k)) if is_near(distance, k.chars().count()) => {
            format!("did you mean `{k}`?")
        }
        _ => format!("choose one of {}", known.join(", ")),
    }
}

/// Whether so many slips in a word of this length still leave it recognisable.
fn is_near(distance: usize, length: usize) -> bool {
    distance < length && distance <= (length / 3).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_plain_line_whatever_was_found() {
        let error = Error::invalid("line\n2", "`\u{1b}[31m` is no state", "use \u{202e}one");
        let said = error.to_string();
        assert_eq!(said, "line?2: `?[31m` is no state; use ?one");
    }

    #[test]
    fn of_what_is_very_long_begin_and_end_are_quoted() {
        let whole = format!("unknown column `{}`", "ä".repeat(1_900));
        let said = Error::invalid("line 1", &whole, "choose one").to_string();
        assert_eq!(said, format!("line 1: {whole}; choose one"));
        let column = format!("a{}z", "\n".repeat(20_000));
        let problem = format!("unknown column `{column}`");
        let said = Error::invalid("line 1", problem, "choose one").to_string();
        assert!(said.starts_with("line 1: unknown column `a??"), "{said}");
        assert!(said.ends_with("??z`; choose one"), "{said}");
        assert_eq!(
            said.chars().count(),
            200 + 3 + 200 + "line 1: ; choose one".len()
        );
    }

    #[test]
    fn a_near_miss_names_the_word_and_a_far_one_lists_all() {
        assert_eq!(nearest("gama", ["gamma", "slip"]), "did you mean `gamma`?");
        assert_eq!(
            nearest("look", ["closed", "lookahead"]),
            "did you mean `lookahead`?"
        );
        assert_eq!(
            nearest("velocity", ["gamma", "slip"]),
            "choose one of gamma, slip"
        );
    }

    #[test]
    fn words_that_share_a_few_letters_are_not_meant() {
        for (word, known) in [
            ("zebra", "bear"),
            ("zebra", "zeta"),
            ("", "z"),
            ("rooms", "random"),
        ] {
            assert_eq!(nearest(word, [known]), format!("choose one of {known}"));
        }
        for (word, known) in [
            ("gridwrld-l", "gridworld-1"),
            ("psce", "pcse"),
            ("evn", "env"),
            ("delat", "delta"),
            ("rigth", "right"),
        ] {
            assert_eq!(nearest(word, [known]), format!("did you mean `{known}`?"));
        }
    }

    #[test]
    fn the_remedy_fits_what_the_system_says() {
        for (kind, said) in [
            (ErrorKind::IsADirectory, "name a file"),
            (ErrorKind::AlreadyExists, "a part of the path is a file"),
            (ErrorKind::NotADirectory, "a part of the path is a file"),
            (ErrorKind::PermissionDenied, "that can be written"),
            (ErrorKind::StorageFull, "free some space"),
        ] {
            let e = Error::writing(Path::new("a/b"), kind.into()).to_string();
            assert!(
                e.starts_with("a/b: cannot write: ") && e.contains(said),
                "{e}"
            );
        }
    }

    #[test]
    fn what_another_program_says_gets_through_whole() {
        let io = std::io::Error::other("the robot fell over");
        let e = Error::foreign("step", io).within("kitchen");
        assert_eq!(e.to_string(), "kitchen: step: the robot fell over");
        let Error::Foreign { source, .. } = e else {
            panic!("{e}");
        };
        assert!(source.downcast::<std::io::Error>().is_ok());
    }

    #[test]
    fn the_message_is_one_line_with_place_problem_remedy() {
        let e = Error::invalid("gamma", "1.5 is outside [0, 1)", "use a value below 1")
            .within("a.toml");
        assert_eq!(
            e.to_string(),
            "a.toml: gamma: 1.5 is outside [0, 1); use a value below 1"
        );
    }
}
