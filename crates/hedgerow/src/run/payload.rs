//! What a domain keeps in files that only it understands.

use crate::{Error, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// JSON that is kept as it is until its domain reads it.
///
/// ```
/// use hedgerow::run::Payload;
///
/// let payload = Payload::new(&vec![1, 2, 3])?;
/// assert_eq!(payload.read::<Vec<u8>>()?, [1, 2, 3]);
/// assert!(payload.read::<String>().is_err());
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Payload(Box<RawValue>);

impl Payload {
    /// The payload that holds `content`.
    pub fn new<T: Serialize>(content: &T) -> Result<Self> {
        let raw = serde_json::value::to_raw_value(content);
        raw.map(Self).map_err(|e| invalid(&e))
    }

    /// Nothing.
    pub fn empty() -> Self {
        Self(RawValue::NULL.to_owned())
    }

    /// The content, as its domain wrote it.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_str(self.0.get()).map_err(|e| invalid(&e))
    }

    /// The content as JSON text.
    pub fn text(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for Payload {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

fn invalid(error: &serde_json::Error) -> Error {
    Error::invalid(
        "payload",
        format!("not what this domain writes ({error})"),
        "use the version of the program that wrote it, or run it again",
    )
}
