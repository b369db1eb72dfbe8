//! A process that tries inputs one after the other.

use crate::input::{Input, corpus};
use crate::limits;
use crate::mutate::Mutator;
use crate::seal::seal;
use crate::targets::{Answer, Target};
use hedgerow::fingerprint::Fingerprint;
use std::collections::BTreeSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Most inputs of new answers that are changed further.
const KEPT: usize = 2_000;

/// How to try a reader.
pub struct Work<'a> {
    /// The reader.
    pub target: &'a Target,
    /// Inputs to begin with.
    pub corpus: PathBuf,
    /// Where the input lies that is tried.
    pub folder: PathBuf,
    /// Where inputs are put that it cannot bear.
    pub offenders: PathBuf,
    /// The seed of all changes.
    pub seed: u64,
    /// How long.
    pub time: Duration,
    /// Most inputs.
    pub inputs: u64,
}

/// What came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Inputs.
    pub inputs: u64,
    /// Those that were read.
    pub accepted: u64,
    /// Shapes of answers.
    pub shapes: u64,
    /// Those that made the reader panic, or answer in more than one plain line, each kind once.
    pub offenders: u64,
}

/// Tries the corpus as it is, then what changes make of it.
pub fn work(work: &Work) -> io::Result<Tried> {
    let begun = Instant::now();
    let mut pool = corpus(&work.corpus)?;
    let originals = pool.len();
    let mut mutator = Mutator::new(work.seed, work.target.name, &pool);
    let mut trier = Trier::new(work);
    for input in &pool.clone() {
        trier.attempt(input)?;
    }
    while trier.tried.inputs < work.inputs && begun.elapsed() < work.time {
        // Half of all changes begin with what is known to be good.
        let among = if mutator.below(2) == 0 {
            originals
        } else {
            pool.len()
        };
        let mut input = pool[mutator.below(among)].clone();
        let other = mutator.below(pool.len());
        mutator.change(&mut input, &pool[other]);
        if mutator.below(10) > 0 {
            seal(&mut input);
        }
        if trier.attempt(&input)? && pool.len() < KEPT {
            pool.push(input);
        }
    }
    Ok(trier.tried)
}

/// The answer to a single input, panics included.
pub fn answer(target: &Target, folder: &Path) -> Answer {
    catch_unwind(AssertUnwindSafe(|| (target.read)(folder)))
        .unwrap_or_else(|_| Err("\n it panicked".to_owned()))
}

struct Trier<'a> {
    work: &'a Work<'a>,
    tried: Tried,
    shapes: BTreeSet<String>,
    moment: Arc<std::sync::atomic::AtomicU64>,
    panic: Arc<Mutex<Option<String>>>,
}

impl<'a> Trier<'a> {
    fn new(work: &'a Work<'a>) -> Self {
        let panic = Arc::new(Mutex::new(None));
        let place = panic.clone();
        std::panic::set_hook(Box::new(move |info| {
            let at = info.location().map(|l| l.to_string()).unwrap_or_default();
            if let Ok(mut place) = place.lock() {
                place.get_or_insert(format!(
                    "panic at {at}: {}",
                    info.payload_as_str().unwrap_or("")
                ));
            }
        }));
        Self {
            work,
            tried: Tried::default(),
            shapes: BTreeSet::new(),
            moment: limits::watch(),
            panic,
        }
    }

    /// Tries one input; whether its answer is of a new shape.
    fn attempt(&mut self, input: &Input) -> io::Result<bool> {
        input.write(&self.work.folder)?;
        self.tried.inputs += 1;
        self.moment.fetch_add(1, Ordering::SeqCst);
        let found = answer(self.work.target, &self.work.folder);
        self.moment.fetch_add(1, Ordering::SeqCst);
        self.tried.accepted += u64::from(found.is_ok());
        let panic = self.panic.lock().ok().and_then(|mut p| p.take());
        let offence = panic.or_else(|| match &found {
            Err(line) if line.is_empty() || line.chars().any(char::is_control) => {
                Some(format!("not one plain line: {}", shape(line)))
            }
            _ => None,
        });
        let shape = match (&offence, &found) {
            (Some(offence), _) => shape(offence),
            (None, Ok(text)) => format!("read: {}", shape(text)),
            (None, Err(text)) => shape(text),
        };
        let is_new = self.shapes.insert(shape.clone());
        self.tried.shapes = self.shapes.len() as u64;
        if let (Some(offence), true) = (offence, is_new) {
            self.tried.offenders += 1;
            let name = format!("{}", Fingerprint::of(shape.as_bytes()));
            input.write(&self.work.offenders.join(name))?;
            eprintln!("{}: {}", self.work.target.name, offence.escape_debug());
        }
        Ok(is_new)
    }
}

/// An answer without what differs between inputs of one kind: numbers and quotations.
fn shape(text: &str) -> String {
    let mut shape = String::new();
    let mut quoted = None;
    for c in text.chars() {
        match quoted {
            Some(end) if c == end => quoted = None,
            Some(_) => continue,
            None if c == '`' || c == '"' => quoted = Some(c),
            None => {}
        }
        let kept = if c.is_ascii_digit() { '0' } else { c };
        if !(kept == '0' && shape.ends_with('0')) {
            shape.push(kept);
        }
    }
    shape.truncate(
        shape
            .char_indices()
            .nth(300)
            .map_or(shape.len(), |(i, _)| i),
    );
    shape
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn a_shape_is_an_answer_without_its_numbers_and_quotations() {
        let first = shape("line 12: `ab` is not a number");
        assert_eq!(first, shape("line 345: `c d` is not a number"));
        assert_ne!(first, shape("line 12: `ab` is not a state"));
    }
}
