//! Workers one after the other, each in a process of its own, and what they could not bear.

use crate::input::Input;
use crate::limits::{TOO_LARGE, TOO_LONG};
use crate::targets::Target;
use crate::worker::Tried;
use hedgerow::fingerprint::Fingerprint;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Kilobytes of address space for a worker: what asks for more at once is ended by it.
const ADDRESSES: u64 = 8 << 20;

/// Most inputs of one reader that end a worker; after that many it is given up.
const MOST: u64 = 20;

/// What to try for how long.
pub struct Campaign {
    /// The program that is the worker, called with the arguments of [`crate::worker::Work`].
    pub program: PathBuf,
    /// Folder of the corpora.
    pub corpus: PathBuf,
    /// Folder for inputs that a reader could not bear.
    pub offenders: PathBuf,
    /// The seed.
    pub seed: u64,
    /// How long, for one reader.
    pub time: Duration,
    /// Most inputs of a worker.
    pub inputs: u64,
}

impl Campaign {
    /// Tries one reader.
    pub fn run(&self, target: &Target) -> io::Result<Tried> {
        let begun = Instant::now();
        let scratch = tempfile::tempdir()?;
        let folder = scratch.path().join("input");
        let offenders = self.offenders.join(target.name);
        let mut sum = Tried::default();
        let mut ended = 0;
        for round in 0.. {
            let left = self.time.saturating_sub(begun.elapsed());
            if (round > 0 && left.is_zero()) || ended >= MOST {
                break;
            }
            let output = self.command(target, &folder, &offenders, self.seed + round, left)?;
            let Some(reason) = reason(output.status) else {
                add(&mut sum, &String::from_utf8_lossy(&output.stdout));
                break;
            };
            ended += 1;
            let input = Input::read(&folder)?;
            let bytes: Vec<u8> = input.files.values().flatten().copied().collect();
            let name = format!("{reason}-{}", Fingerprint::of(&bytes));
            eprintln!("{}: {reason}, kept as {name}", target.name);
            input.write(&offenders.join(name))?;
        }
        sum.offenders += ended;
        Ok(sum)
    }

    fn command(
        &self,
        target: &Target,
        folder: &Path,
        offenders: &Path,
        seed: u64,
        left: Duration,
    ) -> io::Result<std::process::Output> {
        let mut command = limited(&self.program);
        command
            .arg("worker")
            .arg(target.name)
            .arg(self.corpus.join(target.name))
            .arg(folder)
            .arg(offenders)
            .arg(seed.to_string())
            .arg(left.as_secs_f64().to_string())
            .arg(self.inputs.to_string())
            .stderr(Stdio::inherit());
        command.output()
    }
}

/// The program with a limit of its memory, where a shell can set one.
fn limited(program: &Path) -> Command {
    if cfg!(not(unix)) {
        return Command::new(program);
    }
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {ADDRESSES}; exec \"$@\"");
    command.args(["-c", &script, "sh"]).arg(program);
    command
}

/// Why a worker ended, if not because it was done.
fn reason(status: ExitStatus) -> Option<&'static str> {
    match status.code() {
        Some(0) => None,
        Some(TOO_LONG) => Some("hang"),
        Some(TOO_LARGE) => Some("memory"),
        _ => Some("crash"),
    }
}

/// Adds what a worker has printed.
fn add(sum: &mut Tried, printed: &str) {
    let mut numbers = printed.split_whitespace().filter_map(|w| w.parse().ok());
    let mut next = || numbers.next().unwrap_or(0);
    sum.inputs += next();
    sum.accepted += next();
    sum.shapes = sum.shapes.max(next());
    sum.offenders += next();
}
