//! How inputs are changed.

mod bytes;
mod json;
mod text;

use crate::input::Input;
use hedgerow::seed::Stream;
use rand::RngExt;

/// Most bytes of a file: what takes long or much memory must not be large.
const LARGEST: usize = 1 << 16;

/// Numbers at which readers break.
const NUMBERS: [&str; 30] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e-9",
    "0.999999999999",
    "1.0000000001",
    "1e308",
    "-1e308",
    "1e309",
    "1e-320",
    "5e-324",
    "NaN",
    "inf",
    "-inf",
    "255",
    "256",
    "65536",
    "1000000",
    "1000000000",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e400000",
];

/// Changes inputs with the help of others.
pub struct Mutator {
    stream: Stream,
    words: Vec<String>,
}

impl Mutator {
    /// One that takes words from these inputs.
    pub fn new(seed: u64, target: &str, corpus: &[Input]) -> Self {
        let files = corpus.iter().flat_map(|input| input.files.values());
        let mut words: Vec<String> = files.flat_map(|bytes| text::words(bytes)).collect();
        words.sort();
        words.dedup();
        Self {
            stream: Stream::new(seed, target),
            words,
        }
    }

    /// A number below `n`, 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        match n {
            0 => 0,
            n => self.stream.random_range(0..n),
        }
    }

    /// Changes one to eight places of `input`, which may take parts from `other`.
    pub fn change(&mut self, input: &mut Input, other: &Input) {
        let times = 1 << self.below(4);
        for _ in 0..times {
            self.once(input, other);
        }
    }

    fn once(&mut self, input: &mut Input, other: &Input) {
        let names: Vec<String> = input.files.keys().cloned().collect();
        if names.is_empty() {
            return;
        }
        let name = names[self.below(names.len())].clone();
        let foreign = other.files.get(&name).or(other.files.values().next());
        let foreign = foreign.cloned().unwrap_or_default();
        if names.len() > 1 && self.below(60) == 0 {
            input.files.remove(&name);
            return;
        }
        let Some(file) = input.files.get_mut(&name) else {
            return;
        };
        let kind = name.rsplit('.').next().unwrap_or_default();
        match (kind, self.below(10)) {
            ("json", 0..6) => self.change_json(file),
            ("jsonl", 0..4) => self.change_json_line(file),
            ("bin" | "umb" | "safetensors", _) => self.change_bytes(file, &foreign),
            (_, 9) => self.change_bytes(file, &foreign),
            _ => self.change_text(file, &foreign),
        }
        file.truncate(LARGEST);
    }

    fn word(&mut self) -> String {
        match (self.below(3), self.words.is_empty()) {
            (0, _) | (_, true) => NUMBERS[self.below(NUMBERS.len())].to_owned(),
            _ => {
                let at = self.below(self.words.len());
                self.words[at].clone()
            }
        }
    }
}
