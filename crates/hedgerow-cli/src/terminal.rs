//! What goes to the terminal: text, tables, numbers, and errors of one line.

pub use hedgerow::text::{number, significant, table};
use hedgerow::{Error, Result};
use serde::Serialize;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a shell expects of a program ended by Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Writes `text` to standard output, control characters in it as `?`. A reader that has seen enough
/// (`| head`) is not an error.
pub fn print(text: &str) -> Result<()> {
    print_painted(&plain(text))
}

/// The same with the colours in it, and whatever else commands a terminal.
pub fn print_painted(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Error::writing(Path::new("standard output"), e))
        }
        _ => Ok(()),
    }
}

/// Writes `value` as JSON.
pub fn print_json(value: &impl Serialize) -> Result<()> {
    print(&to_json(value)?)
}

/// `value` as JSON, for people and programs.
pub fn to_json(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Error::Numeric {
        place: "JSON output".into(),
        problem: e.to_string(),
    })?;
    Ok(escaped(&text) + "\n")
}

/// JSON in which no control character is left: those above U+007E are not escaped by others.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\n' => text.push(c),
            c if c.is_control() => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    text
}

/// Names may hold anything, and a terminal obeys control characters: they become `?`.
pub fn plain(text: &str) -> String {
    text.replace(|c: char| c.is_control() && c != '\n', "?")
}

/// Writes a line to standard error, control characters in it as `?`.
pub fn say(line: &str) {
    eprintln!("{}", plain(&one_line(line)));
}

/// A count, in thousands or millions if it is large.
pub fn count(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{}k", n / 1000),
        _ => significant(n as f64 / 1e6, 3) + "M",
    }
}

/// A rate with two or three digits.
pub fn rate(per_second: f64) -> String {
    let digits = |x: f64| match x {
        x if x >= 10.0 => count(x as u64),
        x => number((x * 10.0).round() / 10.0),
    };
    match per_second {
        x if x >= 0.5 => digits(x) + "/s",
        x if x >= 0.5 / 60.0 => digits(x * 60.0) + "/min",
        x => digits(x * 3600.0) + "/h",
    }
}

/// A duration, roughly, in its largest unit.
pub fn about(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 99.5 => format!("{s:.0} s"),
        s if s < 99.5 * 60.0 => format!("{:.0} min", s / 60.0),
        s if s < 99.5 * 3600.0 => format!("{:.0} h", s / 3600.0),
        s if s < 1e9 => format!("{:.0} days", s / 86_400.0),
        _ => "ages".to_owned(),
    }
}

/// How a search ends: with what a shell expects if Ctrl-C cut it short.
pub fn ended(interrupted: bool) -> ExitCode {
    match interrupted {
        true => ExitCode::from(INTERRUPTED),
        false => ExitCode::SUCCESS,
    }
}

/// A flag that Ctrl-C raises. A second Ctrl-C does not wait for the work in flight.
pub fn stop_on_ctrl_c() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = flag.clone();
    // Without a handler Ctrl-C ends the program at once, which loses nothing saved either.
    let _ = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    });
    flag
}

/// Says in one line what went wrong.
pub fn refuse(error: &Error) -> ExitCode {
    say(&format!("error: {error}"));
    ExitCode::FAILURE
}

/// Help and version as they are; a wrong command line in one line, and where `help` is.
pub fn refuse_usage(usage: &clap::Error, help: &str) -> ExitCode {
    if usage.exit_code() == 0 || usage.kind() == HELP_ON_MISSING {
        // A closed pipe is the only way this fails.
        let _ = usage.print();
        return ExitCode::from(usage.exit_code() as u8);
    }
    let text = usage.render().to_string();
    let problem = text.split("\n\nUsage:").next().unwrap_or_default();
    let problem = problem.split("\n\nFor more").next().unwrap_or_default();
    // What is needed and the hints are paragraphs of their own.
    let parts: Vec<String> = problem.split("\n\n").map(one_line).collect();
    let mut line = parts.join("; ");
    for (found, remedy) in PARSED {
        line = line.replace(found, remedy);
    }
    say(&format!("{line}; see `{help}`"));
    ExitCode::from(2)
}

/// What the language says of texts that are no numbers, and what to do about it.
const PARSED: [(&str, &str); 5] = [
    (
        "invalid digit found in string",
        "use a whole number of at least 0",
    ),
    (
        "cannot parse integer from empty string",
        "use a whole number of at least 0",
    ),
    (
        "number too large to fit in target type",
        "use a smaller number",
    ),
    ("invalid float literal", "use a number"),
    ("cannot parse float from empty string", "use a number"),
];

const HELP_ON_MISSING: clap::error::ErrorKind =
    clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

/// Names of files may hold line breaks; a message may not.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_commands_the_terminal() {
        assert_eq!(plain("a\u{1b}[2J\u{9b}b\r\n"), "a?[2J?b?\n");
        let name = "a\u{1b}[2J\u{9b}\u{7f}b";
        let json = to_json(&name).unwrap();
        assert!(!json.trim_end().contains(char::is_control), "{json:?}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), name);
    }

    #[test]
    fn rates_and_durations_are_short() {
        let rates = [312_345.6, 12.34, 1.26, 0.5, 0.2, 0.01, 0.001];
        let said = [
            "312k/s", "12/s", "1.3/s", "0.5/s", "12/min", "0.6/min", "3.6/h",
        ];
        assert_eq!(rates.map(rate), said);
        let times = [0.2, 99.0, 100.0, 5_000.0, 10_000.0, 1e6, 1e12];
        let said = ["0 s", "99 s", "2 min", "83 min", "3 h", "12 days", "ages"];
        assert_eq!(times.map(|s| about(Duration::from_secs_f64(s))), said);
    }
}
