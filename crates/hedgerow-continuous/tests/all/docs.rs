//! The documentation of mazes keeps in step with the code.

use hedgerow::param::Parameter;
use hedgerow_continuous::domain;
use hedgerow_continuous::explore::STRATEGIES;
use hedgerow_continuous::general;
use hedgerow_continuous::maze::{Design, builtin, file};

fn page(name: &str) -> String {
    let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn every_built_in_maze_is_drawn_as_it_is() {
    let text = page("environments.md");
    for name in builtin::NAMES {
        let map = builtin::maze(name).unwrap().design().drawing();
        assert!(text.contains(&format!("`{name}`: ")), "{name}");
        assert!(
            text.contains(&format!("```text\n{map}```")),
            "{name}:\n{map}"
        );
    }
}

#[test]
fn the_maze_of_the_formats_has_every_key_with_its_default() {
    let text = page("formats.md");
    let example = text.split("```toml\n").find(|t| t.starts_with("kind ="));
    let example = example.unwrap().split("```").next().unwrap();
    let written = file::parse(example, "other").unwrap().design().clone();
    assert_eq!(written.name, "detour");
    // All keys but the name and the expert are written with their defaults.
    let defaults = Design {
        expert: written.expert.clone(),
        ..Design::new("detour", written.lines.clone())
    };
    assert_eq!(written, defaults);
    for line in written
        .to_toml()
        .lines()
        .take_while(|l| !l.starts_with("map"))
    {
        let (key, value) = line.split_once(" = ").unwrap();
        let shown = example.lines().find(|l| l.starts_with(key)).unwrap();
        let told = ["kind", "name", "expert"].contains(&key);
        assert!(
            told || shown.ends_with(&format!("default {value}")),
            "{shown}"
        );
    }
}

fn parameter_row(p: &Parameter) -> String {
    let range = p.range_text().replace(" | ", " or ");
    format!("\n| `{}` | {} | {range} |", p.name, p.default())
}

/// Whether the section with this heading has a row for each of the parameters and no other.
fn check_section(text: &str, heading: &str, parameters: &[Parameter]) {
    let (_, section) = text
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("no section {heading}"));
    let section = section.split("\n#").next().unwrap();
    for p in parameters {
        let row = parameter_row(p);
        assert!(section.contains(&row), "{heading} lacks{row}");
    }
    let rows = section.matches("\n| `").count();
    assert_eq!(rows, parameters.len(), "{heading}");
}

#[test]
fn every_strategy_and_parameter_is_documented_with_its_default_and_range() {
    let text = page("mazes.md");
    for strategy in STRATEGIES {
        let heading = format!("### {}", strategy.info.name);
        check_section(&text, &heading, strategy.info.parameters);
    }
    assert_eq!(text.matches("\n### ").count(), STRATEGIES.len());
    check_section(&text, "## Parameters", domain::PARAMETERS);
}

#[test]
fn every_strategy_and_parameter_of_any_world_is_documented_with_its_default_and_range() {
    let text = page("continuous.md");
    for strategy in general::strategy::STRATEGIES {
        let heading = format!("### {}", strategy.info.name);
        check_section(&text, &heading, strategy.info.parameters);
    }
    let count = general::strategy::STRATEGIES.len();
    assert_eq!(text.matches("\n### ").count(), count);
    check_section(&text, "## Parameters", general::PARAMETERS);
}
