//! What helps to get started: `init`, completions and manual pages.

use crate::common::program::{json, refused, text};
use assert_cmd::Command;
use serde_json::Value;
use std::collections::BTreeMap;

/// The subcommands as `--help` lists them, each with its own below it.
fn subcommands(of: &[&str]) -> Vec<Vec<String>> {
    let help = text(&[of, &["--help"]].concat());
    let Some((_, list)) = help.split_once("\nCommands:\n") else {
        return Vec::new();
    };
    let lines = list.lines().take_while(|l| !l.is_empty());
    // Names stand two columns in; what follows on the next line stands further.
    let names = lines.filter(|l| !l.starts_with("   "));
    let mut found = Vec::new();
    for name in names.filter_map(|l| l.split_whitespace().next()) {
        if name == "help" {
            continue;
        }
        let path = [of, &[name]].concat();
        found.push(path.iter().map(|w| (*w).to_owned()).collect());
        found.extend(subcommands(&path));
    }
    found
}

#[test]
fn all_subcommands_are_completed_in_every_shell() {
    let commands = subcommands(&[]);
    assert!(commands.len() > 15, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = text(&["completions", shell]);
        for command in &commands {
            let last = command.last().unwrap();
            assert!(script.contains(last), "{shell} has no {command:?}");
        }
        assert!(script.contains("iterations"), "{shell} has no options");
        // The name of the program, not that of its package.
        assert!(!script.contains("hedgerow-cli"), "{shell}");
    }
    let mut program = Command::cargo_bin("hedgerow").unwrap();
    let wrong = program.args(["completions", "cmd"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/man1");
    let said = json(&["man", "--out", out.to_str().unwrap()]);
    let mut known: Vec<String> = subcommands(&[])
        .iter()
        .map(|c| format!("hedgerow-{}.1", c.join("-")))
        .collect();
    known.push("hedgerow.1".to_owned());
    known.sort();
    let files = std::fs::read_dir(&out).unwrap();
    let mut there: Vec<String> = files
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    assert_eq!(there, known);
    assert_eq!(said["files"].as_array().unwrap().len(), known.len());
    for file in there {
        let page = std::fs::read_to_string(out.join(&file)).unwrap();
        assert!(
            page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"),
            "{file}"
        );
    }
    let run = std::fs::read_to_string(out.join("hedgerow-run.1")).unwrap();
    assert!(run.contains("shard") && run.contains("seeds"), "{run}");
}

#[test]
fn the_commands_that_init_prints_work_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let start = folder.path().join("my start");
    let said = json(&["init", start.to_str().unwrap()]);
    let mut answers = BTreeMap::new();
    for command in said["next"].as_array().unwrap() {
        let words = command
            .as_array()
            .unwrap()
            .iter()
            .map(|w| w.as_str().unwrap());
        let words: Vec<&str> = words.collect();
        assert_eq!(words[0], "hedgerow");
        let answer = text(&words[1..]);
        let name = words[2].rsplit('/').next().unwrap().to_owned();
        answers.insert(format!("{} {name}", words[1]), answer);
    }
    // What the files promise: the row of constraints, the bridge, and both in the results.
    assert!(answers["infer map.toml"].contains("2 | X X X X o\n"));
    assert!(answers["infer model.json"].contains(" depot  short way "));
    assert!(answers["run experiment.toml"].contains("18 runs saved"));
    assert!(start.join("results/report.html").exists());
    for key in said["files"].as_array().unwrap() {
        assert!(std::path::Path::new(key.as_str().unwrap()).exists());
    }
}

#[test]
fn init_prints_its_commands_for_a_shell_and_overwrites_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Command::cargo_bin("hedgerow").unwrap();
    let output = program
        .arg("init")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("\n  hedgerow infer map.toml\n"), "{said}");
    let spaced = folder.path().join("a b");
    let said = text(&["init", spaced.to_str().unwrap()]);
    assert!(said.contains("a b/map.toml'"), "{said}");
    // One file of its own is enough to write none.
    let third = folder.path().join("third");
    std::fs::create_dir(&third).unwrap();
    std::fs::write(third.join("model.json"), "mine").unwrap();
    let words = ["model.json", "nothing is overwritten", "another folder"];
    refused(1, &["init", third.to_str().unwrap()], &words);
    assert_eq!(std::fs::read_dir(&third).unwrap().count(), 1);
    assert_eq!(
        std::fs::read_to_string(third.join("model.json")).unwrap(),
        "mine"
    );
    let file = third.join("model.json");
    refused(1, &["init", file.to_str().unwrap()], &["model.json"]);
}

#[test]
fn every_key_of_the_starter_model_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    text(&["init", folder.path().to_str().unwrap()]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let model: Value = serde_json::from_str(&read("model.json")).unwrap();
    let page = read("README.md");
    for key in model.as_object().unwrap().keys() {
        assert!(page.contains(&format!("| `{key}` |")), "{key}");
    }
}
