//! Time and memory that an input may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Seconds of processor time for one input, all threads together.
const SECONDS: f64 = 2.0;

/// Seconds that may pass: a machine that does other things too is slow, and one that waits for ever
/// needs no processor.
const PATIENCE: f64 = 60.0;

/// Bytes that the process may have had in memory at once.
const BYTES: u64 = 1 << 30;

/// How often that is looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// Ends the process with this status if an input takes too long.
pub const TOO_LONG: i32 = 43;

/// Ends the process with this status if an input takes too much memory.
pub const TOO_LARGE: i32 = 44;

/// Starts to watch. Raise the number before every input and after it: while it is odd, an input is
/// tried.
pub fn watch() -> Arc<AtomicU64> {
    let moment = Arc::new(AtomicU64::new(0));
    let seen = moment.clone();
    std::thread::spawn(move || {
        let (mut last, mut since, mut used) = (0, Instant::now(), processor());
        loop {
            std::thread::sleep(PERIOD);
            if memory() > BYTES {
                std::process::exit(TOO_LARGE);
            }
            let now = seen.load(Ordering::SeqCst);
            if now != last || now.is_multiple_of(2) {
                (last, since, used) = (now, Instant::now(), processor());
                continue;
            }
            let passed = since.elapsed().as_secs_f64();
            let took = processor()
                .zip(used)
                .map_or(passed, |(now, then)| now - then);
            if took > SECONDS || passed > PATIENCE {
                std::process::exit(TOO_LONG);
            }
        }
    });
    moment
}

/// Seconds of processor time of this process, where the system tells.
fn processor() -> Option<f64> {
    // The name of the process, in parentheses, may hold blanks.
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let after = stat.rsplit(')').next()?;
    let mut fields = after.split_whitespace().skip(11);
    let ticks = |text: Option<&str>| text?.parse::<f64>().ok();
    let (user, system) = (ticks(fields.next())?, ticks(fields.next())?);
    Some((user + system) / 100.0)
}

/// The most bytes that this process has had in memory, where the system tells.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let number = line.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok());
    1024 * number.unwrap_or(0)
}
