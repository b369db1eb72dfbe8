//! Changes of bytes.

use super::Mutator;

/// Whole numbers at which readers break, as they lie in memory.
const WHOLE: [u64; 12] = [
    0,
    1,
    2,
    255,
    65_535,
    1 << 20,
    1 << 31,
    u32::MAX as u64,
    1 << 32,
    1 << 62,
    i64::MAX as u64,
    u64::MAX,
];

const FLOATS: [f64; 8] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f64::NAN,
    f64::INFINITY,
    f64::MAX,
    f64::MIN_POSITIVE / 8.0,
];

impl Mutator {
    /// Changes some bytes of `file`.
    pub(super) fn change_bytes(&mut self, file: &mut Vec<u8>, other: &[u8]) {
        let at = self.below(file.len());
        let to = (at + 1 + self.below(64)).min(file.len());
        match self.below(9) {
            0 => file.truncate(at),
            1 => {
                file.drain(at.min(to)..to);
            }
            2 => {
                let part = file[at.min(to)..to].to_vec();
                let times = 1 << self.below(8);
                let place = self.below(file.len());
                file.splice(place..place, part.repeat(times));
            }
            3 => {
                let from = self.below(other.len());
                let end = (from + 1 + self.below(256)).min(other.len());
                file.splice(at.min(to)..to, other[from.min(end)..end].iter().copied());
            }
            4 => self.put_number(file, at),
            5 => {
                let place = at - at % 8;
                self.put_number(file, place);
            }
            6 => {
                let byte = self.below(256) as u8;
                file.insert(at, byte);
            }
            _ => {
                let bit = self.below(8);
                if let Some(byte) = file.get_mut(at) {
                    *byte ^= 1 << bit;
                }
            }
        }
    }

    /// Writes a number of 4 or 8 bytes over those at `at`.
    fn put_number(&mut self, file: &mut [u8], at: usize) {
        let whole = WHOLE[self.below(WHOLE.len())].to_le_bytes();
        let float = FLOATS[self.below(FLOATS.len())].to_le_bytes();
        let bytes = match self.below(3) {
            0 => &whole[..4],
            1 => &whole[..],
            _ => &float[..],
        };
        for (old, new) in file[at..].iter_mut().zip(bytes) {
            *old = *new;
        }
    }
}
