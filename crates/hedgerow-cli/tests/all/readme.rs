//! The README's commands, in order and in one folder, print what it shows.

use assert_cmd::Command;
use std::path::Path;

const README: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md"));

/// What takes minutes, and is measured in docs/measurements.md instead; and what ends with Ctrl-C only.
const LONG: [&str; 4] = ["verify ", "--env point-maze", "report maze", "play"];

/// The blocks of the README: the language, and the lines.
fn blocks() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut blocks = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block = lines.by_ref().take_while(|l| *l != "```").collect();
            blocks.push((language, block));
        }
    }
    blocks
}

/// The arguments of a line that calls the command.
fn arguments(line: &str) -> Option<&str> {
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let line = line.split("  #").next().unwrap_or(line).trim();
    let built = line.strip_prefix("cargo run --release --bin hedgerow -- ");
    built.or_else(|| line.strip_prefix("hedgerow "))
}

fn run(folder: &Path, arguments: &str) -> String {
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    let output = command
        .current_dir(folder)
        .args(arguments.split(' '))
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Whether the lines shown are those printed, where `...` stands for any.
fn shows(shown: &[&str], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        ["...", rest @ ..] => (0..=printed.len()).any(|i| shows(rest, &printed[i..])),
        [line, rest @ ..] => printed
            .split_first()
            .is_some_and(|(p, others)| p.trim_end() == line.trim_end() && shows(rest, others)),
    }
}

fn check(command: &str, shown: &[&str], printed: &str) {
    let lines: Vec<&str> = printed.lines().collect();
    assert!(
        shows(shown, &lines),
        "`hedgerow {command}` prints\n{printed}\nand the README shows\n{}",
        shown.join("\n")
    );
}

#[test]
fn the_commands_of_the_readme_work_in_order_and_print_what_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let mut ran = 0;
    let mut last = String::new();
    for (language, lines) in blocks() {
        match language {
            "toml" => {
                let name = "garden.toml";
                assert!(README.contains(&format!("Save this as `{name}`")));
                std::fs::write(folder.path().join(name), lines.join("\n")).unwrap();
            }
            // What the command before it printed, in part.
            "text" => check("run", &lines, &last),
            "sh" | "console" => {
                let mut rest = &lines[..];
                while let Some((first, others)) = rest.split_first() {
                    let end = others.iter().position(|l| arguments(l).is_some());
                    let (shown, after) = others.split_at(end.unwrap_or(others.len()));
                    rest = after;
                    let Some(arguments) = arguments(first) else {
                        continue;
                    };
                    if LONG.iter().any(|l| arguments.contains(l)) {
                        continue;
                    }
                    last = run(folder.path(), arguments);
                    ran += 1;
                    if language == "console" && !shown.is_empty() {
                        check(arguments, shown, &last);
                    }
                }
            }
            _ => {}
        }
    }
    assert!(ran >= 12, "{ran} commands");
}
