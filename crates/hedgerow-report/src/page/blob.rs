//! Packing: verdicts are long, alike and looked at one run at a time.

use super::json::unwritable;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use hedgerow::Result;
use std::io::Write;

/// Base64 of `text` after gzip. The header holds no time, so the same text gives the same blob.
pub(super) fn pack(text: &str) -> Result<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(text.as_bytes());
    let bytes = written.and_then(|()| encoder.finish());
    Ok(STANDARD.encode(bytes.map_err(unwritable)?))
}

/// Room for so many bytes; once something did not fit, nothing more does.
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    pub(super) fn new(bytes: usize) -> Self {
        Self { left: bytes }
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.left == 0
    }

    pub(super) fn takes(&mut self, bytes: usize) -> bool {
        let fits = bytes <= self.left;
        self.left = if fits { self.left - bytes } else { 0 };
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read;

    #[test]
    fn a_blob_unpacks_to_its_text_and_is_the_same_every_time() {
        let text = "free, free, free, constrained ".repeat(100);
        let blob = pack(&text).unwrap();
        assert_eq!(blob, pack(&text).unwrap());
        assert!(blob.len() < text.len() / 10);
        let bytes = STANDARD.decode(blob).unwrap();
        let mut back = String::new();
        GzDecoder::new(&bytes[..])
            .read_to_string(&mut back)
            .unwrap();
        assert_eq!(back, text);
    }

    #[test]
    fn a_budget_ends_with_the_first_that_does_not_fit() {
        let mut budget = Budget::new(10);
        assert!(budget.takes(4) && budget.takes(5));
        assert!(!budget.is_used_up() && !budget.takes(2));
        assert!(budget.is_used_up() && !budget.takes(1));
    }
}
