//! Fingerprints: 64 bits that tell two contents apart, the same on every machine.
//!
//! ```
//! use hedgerow::fingerprint::Fingerprint;
//! assert_eq!(Fingerprint::of(b"a").to_string(), "af63dc4c8601ec8c");
//! ```

use std::fmt;

/// FNV-1a, fed piece by piece. Not a security measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of nothing.
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// The fingerprint of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut fingerprint = Self::new();
        fingerprint.bytes(bytes);
        fingerprint
    }

    /// The fingerprint as a number.
    pub fn value(self) -> u64 {
        self.0
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        for &b in bytes {
            self.0 = (self.0 ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self
    }

    /// Adds a text and its length, so that neighbouring texts cannot trade letters.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.whole(text.len()).bytes(text.as_bytes())
    }

    /// Adds a whole number.
    pub fn whole(&mut self, n: usize) -> &mut Self {
        self.bytes(&(n as u64).to_le_bytes())
    }

    /// Adds numbers and how many they are, bit by bit.
    pub fn numbers(&mut self, numbers: &[f64]) -> &mut Self {
        self.whole(numbers.len());
        for x in numbers {
            self.bytes(&x.to_bits().to_le_bytes());
        }
        self
    }
}

impl Default for Fingerprint {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_values_hold_and_pieces_do_not_run_together() {
        assert_eq!(Fingerprint::of(b"").value(), 0xcbf2_9ce4_8422_2325);
        assert_eq!(Fingerprint::of(b"foobar").value(), 0x8594_4171_f739_67e8);
        let of = |a: &str, b: &str| *Fingerprint::new().text(a).text(b);
        assert_ne!(of("ab", "c"), of("a", "bc"));
    }
}
