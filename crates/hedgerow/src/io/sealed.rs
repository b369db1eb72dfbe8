//! JSON files that end in a checksum of themselves.

use crate::fingerprint::Fingerprint;
use crate::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What stands before the checksum, and after it.
const BEFORE: &[u8] = b",\"checksum\":\"";
const AFTER: &[u8] = b"\"}\n";

/// Hexadecimal digits of a fingerprint.
const DIGITS: usize = 16;

/// `content`, which must be an object, as JSON with a checksum as its last entry.
pub(crate) fn seal<T: Serialize>(content: &T) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec(content).map_err(unwritable)?;
    if text.pop() != Some(b'}') {
        return Err(unwritable("it is not an object"));
    }
    let checksum = Fingerprint::of(&text).to_string();
    text.extend_from_slice(BEFORE);
    text.extend_from_slice(checksum.as_bytes());
    text.extend_from_slice(AFTER);
    Ok(text)
}

/// The content of a sealed file with this `format`, or what is wrong with it.
pub(crate) fn open<T: DeserializeOwned>(
    bytes: &[u8],
    format: &str,
) -> std::result::Result<T, String> {
    #[derive(serde::Deserialize)]
    struct Head {
        format: Option<String>,
    }
    // What says that it is of another format need not end in our checksum.
    let head = serde_json::from_slice::<Head>(bytes).ok();
    match head.and_then(|h| h.format) {
        Some(other) if other != format => Err(format!("it is {other}, not {format}")),
        Some(_) if is_whole(bytes) => {
            serde_json::from_slice(bytes).map_err(|e| format!("it cannot be read ({e})"))
        }
        _ => Err("it is truncated or was changed".to_owned()),
    }
}

/// The same for a file that another program may have written or set in other lines: it may lack the
/// checksum, and one that it has must be right.
pub(crate) fn open_foreign<T: DeserializeOwned>(
    bytes: &[u8],
    format: &str,
) -> std::result::Result<T, String> {
    #[derive(serde::Deserialize)]
    struct Seal {
        format: Option<String>,
        checksum: Option<String>,
    }
    let unreadable = |e: serde_json::Error| format!("it cannot be read ({e})");
    let seal: Seal = serde_json::from_slice(bytes).map_err(unreadable)?;
    match (seal.format, seal.checksum) {
        (Some(own), _) if own != format => Err(format!("it is {own}, not {format}")),
        (None, _) => Err(format!("it does not say that it is {format}")),
        (_, Some(_)) if !is_whole(bytes) => Err("it was changed since it was written".to_owned()),
        _ => serde_json::from_slice(bytes).map_err(unreadable),
    }
}

fn is_whole(bytes: &[u8]) -> bool {
    let seal = BEFORE.len() + DIGITS + AFTER.len();
    let Some(end) = bytes.len().checked_sub(seal) else {
        return false;
    };
    let (content, seal) = bytes.split_at(end);
    let checksum = Fingerprint::of(content).to_string();
    seal.strip_prefix(BEFORE)
        .and_then(|s| s.strip_suffix(AFTER))
        == Some(checksum.as_bytes())
}

fn unwritable(error: impl std::fmt::Display) -> Error {
    Error::invalid(
        "file",
        format!("cannot be written as JSON: {error}"),
        "this is a defect of the program: please report it",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Content {
        format: String,
        x: f64,
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let content = Content {
            format: "f/1".into(),
            x: 0.1,
        };
        let bytes = seal(&content).unwrap();
        assert_eq!(open::<Content>(&bytes, "f/1").unwrap(), content);
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(value["checksum"].as_str().unwrap().len(), DIGITS);
        for i in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 1;
            assert!(open::<Content>(&damaged, "f/1").is_err(), "byte {i}");
            assert!(open::<Content>(&bytes[..i], "f/1").is_err(), "cut at {i}");
        }
        let other = open::<Content>(&bytes, "g/1").unwrap_err();
        assert_eq!(other, "it is f/1, not g/1");
    }
}
