//! Changes of words and lines.

use super::Mutator;
use std::ops::Range;

/// Texts that are no words.
const ODD: [&str; 14] = [
    "",
    " ",
    "\u{0}",
    "\u{1b}[31m",
    "\r\n",
    "\u{feff}",
    "\u{202e}",
    "é",
    "\"",
    "'''",
    "*",
    "../../x",
    "{}",
    "[]",
];

/// The places of words: runs of letters, digits and what numbers are written with.
fn places(bytes: &[u8]) -> Vec<Range<usize>> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b"_-+.".contains(&b) || b >= 0x80;
    let mut found = Vec::new();
    let mut start = None;
    for (i, &b) in bytes.iter().enumerate() {
        match (is_word(b), start) {
            (true, None) => start = Some(i),
            (false, Some(from)) => {
                found.push(from..i);
                start = None;
            }
            _ => {}
        }
    }
    found.extend(start.map(|from| from..bytes.len()));
    found
}

/// The words of a text.
pub(super) fn words(bytes: &[u8]) -> Vec<String> {
    let text = |r: Range<usize>| String::from_utf8(bytes[r].to_vec()).ok();
    let short = |w: &String| w.len() <= 40;
    places(bytes)
        .into_iter()
        .filter_map(text)
        .filter(short)
        .collect()
}

impl Mutator {
    /// Changes a word or a line of `file`.
    pub(super) fn change_text(&mut self, file: &mut Vec<u8>, other: &[u8]) {
        match self.below(10) {
            0..5 => self.change_word(file),
            5..9 => self.change_line(file, other),
            _ => self.nest(file),
        }
    }

    fn change_word(&mut self, file: &mut Vec<u8>) {
        let places = places(file);
        if places.is_empty() {
            return;
        }
        let place = places[self.below(places.len())].clone();
        let new = match self.below(6) {
            0 => ODD[self.below(ODD.len())].to_owned(),
            1 => {
                let times = 1 << self.below(12);
                String::from_utf8_lossy(&file[place.clone()]).repeat(times)
            }
            _ => self.word(),
        };
        file.splice(place, new.bytes());
    }

    fn change_line(&mut self, file: &mut Vec<u8>, other: &[u8]) {
        let mut lines: Vec<Vec<u8>> = file.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
        let at = self.below(lines.len());
        match self.below(6) {
            0 => {
                lines.remove(at);
            }
            1 => {
                let line = lines[at].clone();
                let times = 1 << self.below(9);
                lines.splice(at..at, std::iter::repeat_n(line, times));
            }
            2 => {
                let second = self.below(lines.len());
                lines.swap(at, second);
            }
            3 => lines.truncate(at + 1),
            4 => {
                let end = (at + 1 + self.below(8)).min(lines.len());
                lines.drain(at..end);
            }
            _ => {
                let foreign: Vec<&[u8]> = other.split(|&b| b == b'\n').collect();
                let line = foreign[self.below(foreign.len())].to_vec();
                lines.insert(at, line);
            }
        }
        *file = lines.join(&b'\n');
    }

    /// Opens many brackets.
    fn nest(&mut self, file: &mut Vec<u8>) {
        let bracket = ["[", "{", "{\"a\":", "[[", "(", "\"", "a.", "0,"][self.below(8)];
        let times = 1 << self.below(15);
        let at = self.below(file.len());
        file.splice(at..at, bracket.repeat(times).into_bytes());
    }
}
