//! `hedgerow show`: readable at every width, with and without colours, and honest about damage.

use crate::common;

use common::*;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

/// `hedgerow show` with nothing in its surroundings that says how wide or colourful to be.
fn show(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hedgerow"));
    command.arg("show").arg(folder).args(arguments);
    for name in [
        "COLUMNS",
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "COLORTERM",
    ] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color");
    command
}

fn shown(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    assert!(status.success(), "{}", text(&stderr));
    assert!(stderr.is_empty(), "{}", text(&stderr));
    text(&stdout)
}

/// Results of the small sweep, made once.
fn small() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let made = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        done(&folder.path().join("out"), SMALL);
        folder
    });
    // Tests have a short and simple name for it.
    static OUT: OnceLock<std::path::PathBuf> = OnceLock::new();
    OUT.get_or_init(|| made.path().join("out"))
}

/// The text without escape sequences.
fn stripped(text: &str) -> String {
    let mut pieces = text.split('\x1b');
    let mut plain = pieces.next().unwrap().to_owned();
    for piece in pieces {
        plain.push_str(piece.split_once('m').unwrap().1);
    }
    plain
}

fn widest(text: &str) -> usize {
    let plain = stripped(text);
    plain.lines().map(|l| l.chars().count()).max().unwrap()
}

#[test]
fn it_says_what_it_is_and_draws_the_truth_beside_the_inferred() {
    let said = shown(&mut show(small(), &[]));
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        said.contains(&format!("hedgerow {version}, all 8 runs finished")),
        "{said}"
    );
    for words in [
        "environments: gridworld-3, gridworld-4\n",
        "strategies: pcse, random\n",
        "seeds: 1, 7\n",
        "gridworld-4: expert's reward 0.",
        "samples to expert",
    ] {
        assert!(said.contains(words), "`{words}` not in: {said}");
    }
    let lines: Vec<&str> = said.lines().collect();
    let names = lines.iter().position(|l| l.starts_with("truth ")).unwrap();
    assert_eq!(
        lines[names].split_whitespace().collect::<Vec<_>>(),
        ["truth", "pcse", "random"]
    );
    // Three maps of seven cells, goal at the upper left, five constraint cells in the middle row.
    let row = |i: usize| lines[names + 1 + i].split_whitespace().collect::<Vec<_>>();
    assert_eq!((row(0).len(), row(0)[0], row(0)[7]), (21, "G", "G"));
    assert_eq!(row(3)[..7], ["X", "X", "X", "X", "X", ".", "."]);
    assert_eq!(row(6)[14], "S");
    assert!(row(3)[7..12].iter().any(|c| *c != "."), "{said}");
    assert!(
        said.is_ascii() && said.contains("X the largest cost "),
        "{said}"
    );
}

#[test]
fn no_line_is_wider_than_the_window() {
    for color in ["never", "always"] {
        for width in [40, 60, 80, 200] {
            let mut command = show(small(), &["--color", color]);
            // The name of a folder can be long; it is cut rather than let run out.
            let said = shown(command.env("COLUMNS", width.to_string()));
            assert!(widest(&said) <= width, "{width}: {said}");
            assert!(said.contains("WGIoU"), "{width}: {said}");
        }
    }
    let side_by_side = |width: &str| {
        let said = shown(show(small(), &[]).env("COLUMNS", width));
        said.lines()
            .any(|l| l.contains("truth") && l.contains("random"))
    };
    assert!(side_by_side("80") && !side_by_side("40"));
    // Nonsense is not a width.
    for width in ["0", "wide", ""] {
        assert!(widest(&shown(show(small(), &[]).env("COLUMNS", width))) <= 80);
    }
}

#[test]
fn a_map_wider_than_the_window_is_drawn_smaller() {
    let folder = tempfile::tempdir().unwrap();
    let (out, map) = (folder.path().join("out"), folder.path().join("long.toml"));
    let row = format!("S{}x{}G", ".".repeat(48), ".".repeat(49));
    std::fs::write(&map, format!("map = \"{row}\"")).unwrap();
    let sweep = [
        "--env",
        map.to_str().unwrap(),
        "--strategy",
        "random",
        "--seeds",
        "1",
        "--iterations",
        "1",
    ];
    done(&out, &sweep);
    for (width, drawn) in [("40", 34), ("60", 50), ("120", 100), ("200", 200)] {
        let said = shown(show(&out, &[]).env("COLUMNS", width));
        assert!(widest(&said) <= width.parse().unwrap(), "{width}: {said}");
        let mut lines = said.lines().skip_while(|l| !l.starts_with("truth"));
        let map = lines.nth(1).unwrap();
        assert!(
            map.starts_with('S') && map.contains('X') && map.trim_end().ends_with('G'),
            "{map}"
        );
        assert!(map.len().abs_diff(drawn) <= 1, "{width}: {map}");
    }
}

#[test]
fn colours_are_used_when_they_are_wanted() {
    let coloured = |arguments: &[&str], environment: &[(&str, &str)]| {
        let said = shown(show(small(), arguments).envs(environment.iter().copied()));
        said.contains('\x1b')
    };
    // Not a terminal.
    assert!(!coloured(&[], &[]));
    assert!(coloured(&["--color", "always"], &[]));
    assert!(coloured(
        &["--color", "always"],
        &[("NO_COLOR", "1"), ("TERM", "dumb")]
    ));
    assert!(!coloured(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(
        &[],
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]
    ));
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")]));
    assert!(!coloured(&["--json", "--color", "always"], &[]));

    let always = |kind: &str| shown(show(small(), &["--color", "always"]).env("COLORTERM", kind));
    let (indexed, full) = (always(""), always("truecolor"));
    assert!(indexed.contains(";48;5;") && !indexed.contains("48;2;"));
    assert!(full.contains(";48;2;") && !full.contains("48;5;"));
    assert_eq!(stripped(&indexed), stripped(&full));
    // Nothing stays coloured after a line.
    for line in full.lines().filter(|l| l.contains('\x1b')) {
        assert_eq!(
            line.matches('\x1b').count(),
            2 * line.matches("\x1b[0m").count(),
            "{line:?}"
        );
    }
}

#[test]
fn filters_choose_and_unknown_names_are_refused() {
    let said = shown(&mut show(
        small(),
        &["--env", "gridworld-4", "--strategy", "random"],
    ));
    assert!(said.contains("gridworld-4: expert's") && !said.contains("gridworld-3: expert's"));
    assert!(said.contains("all 8 runs finished"), "{said}");
    assert_eq!(
        said.lines().filter(|l| l.starts_with(" pcse ")).count(),
        0,
        "{said}"
    );
    for (option, name, words) in [
        (
            "--env",
            "gridworld-5",
            "`gridworld-5`; use one of gridworld-3, gridworld-4",
        ),
        ("--strategy", "bear", "`bear`; use one of pcse, random"),
    ] {
        let output = show(small(), &[option, name]).output().unwrap();
        let line = text(&output.stderr);
        assert_eq!(
            (output.status.code(), line.lines().count()),
            (Some(1), 1),
            "{line}"
        );
        assert!(
            line.starts_with(&format!("error: {option}: ")) && line.contains(words),
            "{line}"
        );
    }
}

#[test]
fn json_has_the_summary_and_the_mean_over_the_seeds() {
    let said = shown(&mut show(small(), &["--json", "--env", "gridworld-3"]));
    let found: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        (&found["finished"], &found["planned"]),
        (&8.into(), &8.into())
    );
    assert_eq!(found["summary"].as_array().unwrap().len(), 2);
    assert_eq!(found["summary"][1]["strategy"], "random");
    assert_eq!(found["problems"], serde_json::json!([]));
    let map = &found["maps"][0];
    assert_eq!(
        (&map["env"], &map["strategy"], &map["seeds"]),
        (&"gridworld-3".into(), &"pcse".into(), &2.into())
    );
    // The mean worked out from the files.
    let mut cells = std::collections::BTreeMap::new();
    for seed in [1, 7] {
        let file = json(small().join(format!("runs/gridworld-3/pcse/{seed}.json")));
        let last = file["snapshots"]
            .as_array()
            .unwrap()
            .last()
            .unwrap()
            .clone();
        for cell in last["cells"].as_array().unwrap() {
            *cells.entry(cell[0].as_u64().unwrap()).or_insert(0.0) +=
                cell[1].as_f64().unwrap() / 2.0;
        }
    }
    let given = map["cells"].as_array().unwrap();
    assert!(!given.is_empty());
    assert_eq!(given.len(), cells.len());
    for (cell, (state, cost)) in given.iter().zip(cells) {
        assert_eq!(cell[0], state);
        assert!((cell[1].as_f64().unwrap() - cost).abs() < 1e-12);
    }
}

#[test]
fn a_damaged_folder_is_shown_as_far_as_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    done(&out, SMALL);
    std::fs::write(out.join("runs/gridworld-4/random/7.csv"), "iter").unwrap();
    std::fs::remove_file(out.join("environments/gridworld-4.json")).unwrap();
    for i in 0..5 {
        std::fs::write(out.join(format!("note-{i}.txt")), "mine").unwrap();
    }
    #[cfg(unix)]
    std::fs::write(out.join("a\x1b[31mred"), "mine").unwrap();
    let said = shown(&mut show(&out, &[]));
    assert!(said.contains("7 of 8 runs finished"), "{said}");
    assert!(said.contains("environments/gridworld-4.json: "), "{said}");
    assert!(said.contains(" more: --json lists them all"), "{said}");
    assert!(!said.contains('\x1b'), "{said:?}");
    assert_eq!(said.matches("truth ").count(), 1, "{said}");
    let listed = shown(&mut show(&out, &["--json"]));
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let problems = listed["problems"].as_array().unwrap();
    let about = |file: &str| {
        problems
            .iter()
            .any(|p| p["file"].as_str().unwrap().contains(file))
    };
    assert!(
        about("note-4.txt") && about("gridworld-4/random/7.csv"),
        "{problems:?}"
    );
}

#[test]
fn nothing_to_show_is_an_error_of_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let (empty, missing) = (folder.path().join("empty"), folder.path().join("missing"));
    std::fs::create_dir(&empty).unwrap();
    for (path, problem) in [(&empty, "no results"), (&missing, "no such folder")] {
        let output = show(path, &[]).output().unwrap();
        let line = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(output.stdout.is_empty());
        assert_eq!(line.lines().count(), 1, "{line}");
        assert!(
            line.starts_with("error: ") && line.contains(problem),
            "{line}"
        );
        assert!(line.contains("hedgerow run"), "{line}");
    }
}

#[test]
fn what_is_not_finished_is_said_and_what_is_not_known_is_not_claimed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    done(&out, SMALL);
    for ending in ["csv", "json"] {
        std::fs::remove_file(out.join(format!("runs/gridworld-4/random/7.{ending}"))).unwrap();
    }
    let said = shown(&mut show(&out, &[]));
    assert!(said.contains("7 of 8 runs finished"), "{said}");
    assert!(!said.contains("not whole"), "{said}");
    std::fs::write(out.join("manifest.json"), "{").unwrap();
    let said = shown(&mut show(&out, &[]));
    let words = "7 runs finished; how many were asked for is not known";
    assert!(said.replace("\n  ", " ").contains(words), "{said}");
    assert!(said.contains("manifest.json: "), "{said}");
    let json: serde_json::Value =
        serde_json::from_str(&shown(&mut show(&out, &["--json"]))).unwrap();
    assert_eq!(
        (&json["finished"], &json["planned"]),
        (&7.into(), &serde_json::Value::Null)
    );
}
