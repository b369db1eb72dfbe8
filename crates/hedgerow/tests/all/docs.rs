//! The documentation keeps in step with the code: what it names exists, what exists is named.

use hedgerow::explore::STRATEGIES;
use hedgerow::io::{grid_file, open};
use hedgerow::param::Parameter;
use hedgerow::{finite, run};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text_of(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The markdown files of the project, relative to its root.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for folder in ["", "docs"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let name = PathBuf::from(entry.unwrap().file_name());
            if name.extension().is_some_and(|e| e == "md") {
                pages.push(Path::new(folder).join(name));
            }
        }
    }
    assert!(pages.len() >= 9, "{pages:?}");
    pages
}

/// The text without its code blocks.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

/// Everything between `open` and `close`.
fn between<'a>(text: &'a str, open: &str, close: char) -> Vec<&'a str> {
    let rest = text.split(open).skip(1);
    rest.filter_map(|r| r.split_once(close).map(|(inside, _)| inside))
        .collect()
}

/// Link definitions, `[name]: target` alone on a line, each name once.
fn definitions(text: &str) -> BTreeMap<&str, &str> {
    let lines = text.lines().filter_map(|l| l.strip_prefix('['));
    let mut defined = BTreeMap::new();
    for (name, target) in lines.filter_map(|l| l.split_once("]: ")) {
        assert_eq!(defined.insert(name, target), None, "[{name}] twice");
    }
    defined
}

/// Anchors of the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let text = prose(text);
    let headings = text.lines().filter(|l| l.starts_with('#'));
    let anchor = |h: &str| {
        let kept = |c: &char| c.is_alphanumeric() || "- _".contains(*c);
        let title = h.trim_start_matches('#').trim().to_lowercase();
        title
            .chars()
            .filter(kept)
            .collect::<String>()
            .replace(' ', "-")
    };
    headings.map(anchor).collect()
}

#[test]
fn every_relative_link_leads_somewhere() {
    for page in pages() {
        let text = prose(&text_of(&page));
        let defined = definitions(&text);
        let inline = between(&text, "](", ')');
        for target in inline.into_iter().chain(defined.into_values()) {
            if target.starts_with("http") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => page.clone(),
                _ => page.parent().unwrap().join(file),
            };
            assert!(root().join(&path).exists(), "{}: {target}", page.display());
            if !anchor.is_empty() {
                let known = anchors(&text_of(&path));
                assert!(known.contains(anchor), "{}: {target}", page.display());
            }
        }
    }
}

/// The cells of every row of the tables with this header.
fn table(text: &str, header: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for part in text.split(&format!("{header}\n")).skip(1) {
        let lines = part.lines().skip(1).take_while(|l| l.starts_with('|'));
        rows.extend(lines.map(|line| {
            let line = line.replace("\\|", "\u{1}");
            let cells = line.trim_matches('|').split('|');
            cells.map(|c| c.trim().replace('\u{1}', "|")).collect()
        }));
    }
    rows
}

/// The names and files of the links [`name`][file] of a table cell.
fn named<'a>(cell: &'a str, files: &BTreeMap<&str, &'a str>) -> Vec<(&'a str, &'a str)> {
    let links = between(cell, "[`", ']');
    let keys = between(cell, "`][", ']');
    assert_eq!(links.len(), keys.len(), "{cell}");
    let file = |key: &str| {
        *files
            .get(key)
            .unwrap_or_else(|| panic!("no file for {key}"))
    };
    links
        .iter()
        .zip(keys)
        .map(|(name, key)| (name.trim_end_matches('`'), file(key)))
        .collect()
}

/// The lines of a file with `fn name`, and the attributes right above each.
fn functions(file: &str, name: &str) -> Vec<String> {
    let text = text_of(Path::new("docs").join(file));
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let starts = |line: &str| {
        let after = line.split_once("fn ").map_or("", |(_, after)| after);
        let after = after.strip_prefix(name).unwrap_or("");
        after.starts_with('(') || after.starts_with('<')
    };
    let above = |i: usize| {
        let attributes = lines[..i].iter().rev().take_while(|l| l.starts_with("#["));
        attributes.copied().collect::<String>()
    };
    let found = (0..lines.len()).filter(|&i| starts(lines[i]));
    found.map(above).collect()
}

#[test]
fn every_equation_has_its_function_and_its_test() {
    let text = text_of("docs/equations.md");
    let files = definitions(&text);
    let rows = table(&text, "| equation | function | test |");
    assert!(rows.len() >= 40, "{}", rows.len());
    for row in rows {
        let [equation, computed, tested] = &row[..] else {
            panic!("{row:?}");
        };
        let (computed, tested) = (named(computed, &files), named(tested, &files));
        assert!(!computed.is_empty() && !tested.is_empty(), "{equation}");
        for (name, file) in computed {
            assert!(!functions(file, name).is_empty(), "fn {name} in {file}");
        }
        for (name, file) in tested {
            let found = functions(file, name);
            let is_test = found.iter().any(|above| above.contains("#[test]"));
            assert!(is_test, "test {name} in {file}");
        }
    }
}

#[test]
fn every_erratum_names_tests_that_exist() {
    let text = text_of("docs/errata.md");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut named = 0;
    // "Test: `name`, `name` in [file](path)."
    for part in text.split(" Test: ").skip(1) {
        let (names, rest) = part.split_once("](").expect("a link to the tests");
        let (file, _) = rest.split_once(')').expect("the end of a link");
        for name in names.split('`').skip(1).step_by(2) {
            let found = functions(file, name);
            let is_test = found.iter().any(|above| above.contains("#[test]"));
            assert!(is_test, "test {name} in {file}");
            named += 1;
        }
    }
    assert!(named >= 15, "{named}");
    // Every counterexample is named.
    let file = "../crates/hedgerow/tests/all/errata.rs";
    let tests = text_of(Path::new("docs").join(file));
    for name in between(&tests, "\nfn erratum_", '(') {
        assert!(
            text.contains(&format!("`erratum_{name}`")),
            "erratum_{name}"
        );
    }
}

#[test]
fn every_dependency_is_listed_and_no_other() {
    let text = text_of("docs/dependencies.md");
    let rows = table(&text, "| crate | features | for | why this one |");
    let listed: BTreeSet<String> = rows.iter().map(|r| r[0].replace('`', "")).collect();
    let mut used = BTreeSet::new();
    for package in [
        "hedgerow",
        "hedgerow-continuous",
        "hedgerow-report",
        "hedgerow-web",
        "hedgerow-web/assemble",
        "hedgerow-cli",
        "hedgerow-py",
    ] {
        let manifest = text_of(format!("crates/{package}/Cargo.toml"));
        let manifest: toml::Table = manifest.parse().unwrap();
        let targets = manifest.get("target").and_then(|t| t.as_table());
        let targets = targets.into_iter().flatten();
        let tables = targets.filter_map(|(_, target)| target.as_table());
        for table in std::iter::once(&manifest).chain(tables) {
            for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
                let crates = table.get(section).and_then(|s| s.as_table());
                used.extend(crates.into_iter().flatten().map(|(name, _)| name.clone()));
            }
        }
    }
    used.retain(|name| !name.starts_with("hedgerow"));
    assert_eq!(listed, used);
}

fn parameter_row(p: &Parameter) -> String {
    let range = p.range_text().replace(" | ", " or ");
    format!("\n| `{}` | {} | {range} |", p.name, p.default())
}

#[test]
fn every_strategy_and_parameter_is_documented_with_its_default_and_range() {
    let text = text_of("docs/strategies.md");
    let sections: Vec<&str> = text.split("\n## ").collect();
    let section = |title: &str| {
        let found = sections
            .iter()
            .find(|s| s.starts_with(&format!("{title}\n")));
        found
            .copied()
            .unwrap_or_else(|| panic!("no section {title}"))
    };
    let check = |title: &str, parameters: &[Parameter]| {
        let section = section(title);
        for p in parameters {
            let row = parameter_row(p);
            assert!(section.contains(&row), "{title} lacks{row}");
        }
        assert_eq!(
            section.matches("\n| `").count(),
            parameters.len(),
            "{title}"
        );
    };
    for strategy in STRATEGIES {
        check(strategy.info.name, strategy.info.parameters);
    }
    check("Parameters of all runs", run::PARAMETERS);
    check(
        "Parameters of all runs in finite worlds",
        finite::PARAMETERS,
    );
}

#[test]
fn every_built_in_environment_is_documented_as_it_is() {
    let text = text_of("docs/environments.md");
    for name in hedgerow::env::builtin::names() {
        let environment = open(&name).unwrap();
        let task = environment.task();
        let row = format!("| `{name}` |");
        assert!(text.contains(&row), "{name}");
        let layout = environment.layout().unwrap();
        if layout.rows() < 13 {
            let map = layout.draw(|cell| layout.symbol(cell));
            assert!(text.contains(&map), "{name}:\n{map}");
        }
        let line = text.lines().find(|l| l.starts_with(&row)).unwrap();
        for number in [task.states(), task.pairs(), environment.horizon()] {
            assert!(line.contains(&format!("| {number} |")), "{line}");
        }
        assert!(line.contains(&format!("| {} |", task.gamma())), "{line}");
    }
}

#[test]
fn the_map_of_the_readme_is_a_grid() {
    let text = text_of("README.md");
    let maps = between(&text, "```toml\n", '`');
    assert_eq!(maps.len(), 1);
    grid_file::parse(maps[0], "garden")
        .unwrap()
        .environment()
        .unwrap();
}
