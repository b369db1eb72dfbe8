//! `hedgerow maze train` and `hedgerow maze play`, as a user runs them.

use crate::common::program;

use assert_cmd::Command;
use program::{json, near, refused, text};

#[test]
fn the_shipped_expert_plays_and_json_has_all_numbers() {
    let play = [
        "maze",
        "play",
        "point-maze",
        "--episodes",
        "200",
        "--seed",
        "3",
    ];
    let kept = json(&play);
    assert_eq!(
        (&kept["maze"], &kept["episodes"]),
        (&"point-maze".into(), &200.into())
    );
    near(&kept["reached_and_clear"], 1.0, 0.01);
    near(&kept["entered"], 0.0, 0.01);
    near(&kept["cost"], 0.0, 0.01);
    assert_eq!(json(&play), kept);
    let free = json(&[&play[..], &["--unconstrained"]].concat());
    near(&free["entered"], 1.0, 0.1);
    assert!(free["decisions"].as_f64() < kept["decisions"].as_f64());
    let table = text(&play);
    assert!(table.starts_with("point-maze: 200 episodes\n"), "{table}");
    assert!(table.contains("reached it and entered none"), "{table}");
}

#[test]
fn training_writes_a_file_that_plays_and_repeats() {
    let folder = tempfile::tempdir().unwrap();
    let train = |name: &str, seed: &str| {
        let file = folder.path().join(name).display().to_string();
        let train = [
            "maze",
            "train",
            "point-maze",
            "--updates",
            "12",
            "--seed",
            seed,
        ];
        let written = json(&[&train[..], &["--quiet", "--out", &file]].concat());
        let bytes = std::fs::read(&file).unwrap();
        assert_eq!(written["bytes"], bytes.len());
        assert!(bytes.len() < 200_000, "{}", bytes.len());
        (file, bytes)
    };
    let (file, bytes) = train("a.safetensors", "4");
    assert_eq!(train("b.safetensors", "4").1, bytes);
    assert_ne!(train("c.safetensors", "5").1, bytes);
    let play = [
        "maze",
        "play",
        "point-maze",
        "--episodes",
        "2",
        "--expert",
        &file,
    ];
    assert_eq!(json(&play)["episodes"], 2);
    let other = ["maze", "play", "point-maze-two", "--expert", &file];
    refused(
        1,
        &other,
        &["a.safetensors", "trained in the maze `point-maze`"],
    );
    std::fs::write(&file, &bytes[..500]).unwrap();
    refused(1, &play, &["a.safetensors", "no whole safetensors file"]);
}

#[test]
fn what_cannot_be_done_is_refused_before_training() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.safetensors").display().to_string();
    let train =
        |more: &[&str], words: &[&str]| refused(1, &[&["maze", "train"], more].concat(), words);
    train(
        &["point-mace", "--out", &file],
        &["point-mace", "did you mean `point-maze`?"],
    );
    train(
        &["point-maze", "--out", "a.bin"],
        &["a.bin", ".safetensors"],
    );
    train(
        &["point-maze", "--out", &file, "--penalty", "-1"],
        &["penalty", "-1", "at least 0"],
    );
    let play = [
        "maze",
        "play",
        "point-maze",
        "--expert",
        "missing.safetensors",
    ];
    refused(1, &play, &["missing.safetensors", "cannot read"]);
    let own = folder.path().join("own.toml");
    std::fs::write(
        &own,
        "kind = \"maze\"\nmap = \"\"\"\n####\n#SG#\n####\n\"\"\"\n",
    )
    .unwrap();
    let own = own.to_str().unwrap();
    refused(
        1,
        &["maze", "play", own],
        &["own", "no expert comes with this maze"],
    );
}

/// Ctrl-C ends training with the code that shells expect and leaves no file.
#[cfg(unix)]
#[test]
fn an_interrupted_training_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.safetensors");
    let program = Command::cargo_bin("hedgerow").unwrap();
    let mut child = std::process::Command::new(program.get_program())
        .args(["maze", "train", "point-maze", "--quiet", "--out"])
        .arg(&file)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(2));
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
