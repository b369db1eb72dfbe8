//! One root seed per run, and child streams by name.
//!
//! ```
//! use hedgerow::seed::Stream;
//! use rand::RngExt;
//!
//! let sample = |name| Stream::new(7, name).random::<u64>();
//! assert_eq!(sample("dynamics"), sample("dynamics"));
//! assert_ne!(sample("dynamics"), sample("expert"));
//! ```

use crate::fingerprint::Fingerprint;
use rand::SeedableRng;
use rand::rand_core::{Infallible, TryRng};
use rand_chacha::ChaCha8Rng;

/// A stream of random numbers that belongs to one purpose of one run.
///
/// Streams of the same seed with different names are independent, so adding a consumer of
/// randomness does not change what the others see. ChaCha8 gives the same numbers everywhere.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream `name` of `seed`.
    pub fn new(seed: u64, name: &str) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(fingerprint(name.as_bytes()));
        Self(rng)
    }

    /// How far it was read, in words of 32 bits.
    pub fn position(&self) -> u64 {
        // A run reads far fewer than 2^64 words.
        self.0.get_word_pos() as u64
    }

    /// Goes on from a [position](Self::position).
    pub fn go_to(&mut self, position: u64) {
        self.0.set_word_pos(u128::from(position));
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

/// A fixed, portable 64-bit fingerprint; see [`crate::fingerprint`].
pub fn fingerprint(bytes: &[u8]) -> u64 {
    Fingerprint::of(bytes).value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn a_stream_goes_on_from_where_it_was() {
        let mut stream = Stream::new(7, "dynamics");
        for reads in 0..40 {
            let mut again = Stream::new(7, "dynamics");
            again.go_to(stream.position());
            assert_eq!(
                again.clone().random::<u64>(),
                stream.clone().random::<u64>()
            );
            match reads % 3 {
                0 => drop(stream.random::<u32>()),
                _ => drop(stream.random::<f64>()),
            }
        }
    }

    #[test]
    fn streams_differ_by_name_and_repeat_by_seed() {
        let draw = |seed, name| Stream::new(seed, name).random::<u64>();
        assert_eq!(draw(7, "dynamics"), draw(7, "dynamics"));
        assert_ne!(draw(7, "dynamics"), draw(7, "expert"));
        assert_ne!(draw(7, "dynamics"), draw(8, "dynamics"));
    }
}
