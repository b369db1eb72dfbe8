//! Checksums put right after a change: a reader that only ever saw wrong ones would be tried no
//! further.

use crate::input::Input;
use hedgerow::fingerprint::Fingerprint;

const CHECKSUM: &[u8] = b",\"checksum\":\"";
const HISTORY: &[u8] = b"\"history\":\"";

/// Puts the fingerprints of histories and the checksums of all JSON files right, where there are any.
pub fn seal(input: &mut Input) {
    let histories: Vec<(String, String)> = input
        .files
        .iter()
        .filter_map(|(name, bytes)| {
            let run = name.strip_suffix(".csv")?;
            Some((format!("{run}.json"), Fingerprint::of(bytes).to_string()))
        })
        .collect();
    for (run, fingerprint) in histories {
        if let Some(bytes) = input.files.get_mut(&run) {
            overwrite(bytes, HISTORY, &fingerprint);
        }
    }
    for (name, bytes) in &mut input.files {
        if let Some(at) = name
            .ends_with(".json")
            .then(|| last(bytes, CHECKSUM))
            .flatten()
        {
            let checksum = Fingerprint::of(&bytes[..at]).to_string();
            bytes.truncate(at);
            bytes.extend_from_slice(CHECKSUM);
            bytes.extend_from_slice(checksum.as_bytes());
            bytes.extend_from_slice(b"\"}\n");
        }
    }
}

/// Writes `text` over what follows `before`.
fn overwrite(bytes: &mut [u8], before: &[u8], text: &str) {
    if let Some(at) = last(bytes, before) {
        let rest = &mut bytes[at + before.len()..];
        for (old, new) in rest.iter_mut().zip(text.bytes()) {
            *old = new;
        }
    }
}

/// Where `part` begins for the last time.
fn last(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).rposition(|w| w == part)
}
