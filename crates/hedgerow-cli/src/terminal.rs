//! What goes to the terminal: text, tables, numbers, and errors of one line.

use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, presets};
use hedgerow::{Error, Result};
use serde::Serialize;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell expects of a program ended by Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Writes `text` to standard output. A reader that has seen enough (`| head`) is not an error.
pub fn print(text: &str) -> Result<()> {
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
    Ok(text + "\n")
}

/// A table with its first `left` columns to the left and the others, numbers, to the right.
pub fn table<const N: usize>(header: [&str; N], left: usize, rows: Vec<[String; N]>) -> String {
    let align = |(i, text): (usize, String)| {
        Cell::new(text).set_alignment(if i < left {
            CellAlignment::Left
        } else {
            CellAlignment::Right
        })
    };
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING.header_separator(LineStyle::none().fill('-')))
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header.map(str::to_owned).into_iter().enumerate().map(align));
    for row in rows {
        table.add_row(row.into_iter().enumerate().map(align));
    }
    let lines = table.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

/// A number with six significant digits, without trailing zeros.
pub fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let digits = 5 - x.abs().log10().floor() as i32;
    if !(0..=12).contains(&digits) {
        return format!("{x:.5e}");
    }
    let text = format!("{x:.*}", digits as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
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
    eprintln!("error: {}", one_line(&error.to_string()));
    ExitCode::FAILURE
}

/// Help and version as they are; a wrong command line in one line.
pub fn refuse_usage(usage: &clap::Error) -> ExitCode {
    if usage.exit_code() == 0 || usage.kind() == HELP_ON_MISSING {
        // A closed pipe is the only way this fails.
        let _ = usage.print();
        return ExitCode::from(usage.exit_code() as u8);
    }
    let text = usage.render().to_string();
    let problem = text.split("\n\nUsage:").next().unwrap_or_default();
    let problem = problem.split("\n\nFor more").next().unwrap_or_default();
    eprintln!("{}; see `hedgerow --help`", one_line(problem));
    ExitCode::from(2)
}

const HELP_ON_MISSING: clap::error::ErrorKind =
    clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

/// Names of files may hold line breaks; a message may not.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_keep_six_digits_and_no_zeros() {
        assert_eq!(number(0.0), "0");
        assert_eq!(number(1.0), "1");
        assert_eq!(number(50.0), "50");
        assert_eq!(number(0.7), "0.7");
        assert_eq!(number(0.007599009429), "0.00759901");
        assert_eq!(number(1234567.0), "1.23457e6");
        assert_eq!(number(1e-9), "1.00000e-9");
    }
}
