//! Ctrl-C: soon, with what was finished, and without half-written files.

use crate::common::{SMALL, done};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Two states, no end.
const ENDLESS: &str = r#"{"format": "hedgerow-model/1", "name": "endless", "states": 2,
    "actions": ["a", "b"], "gamma": 0.9, "start": [[0, 1.0]], "terminal": [],
    "transitions": [[0, 0, 0, 1.0], [0, 1, 1, 1.0], [1, 0, 0, 1.0], [1, 1, 1, 1.0]],
    "rewards": [[0, 0, 1.0], [1, 1, 2.0]], "cost": [[1, 1, 1.0]],
    "horizon": 18446744073709551615}"#;

/// Runs it, presses Ctrl-C after a while and waits for it to end.
fn interrupted(folder: &Path, line: &str, after: Duration) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hedgerow"));
    command.current_dir(folder).args(line.split(' '));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::thread::sleep(after);
    assert!(
        child.try_wait().unwrap().is_none(),
        "`{line}` was over already"
    );
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    let pressed = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if pressed.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("`{line}` does not stop");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "`{line}`: {output:?}");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn an_endless_episode_ends() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("endless.json"), ENDLESS).unwrap();
    let after = Duration::from_millis(700);
    let run = interrupted(
        folder.path(),
        "run --env endless.json --strategy random,pcse --seeds 1 --out out",
        after,
    );
    assert!(text(&run.stderr).contains("interrupted: 0 of 2 runs saved in out"));
    let log = interrupted(
        folder.path(),
        "log endless.json --episodes 1 --out log.csv",
        after,
    );
    assert!(text(&log.stderr).contains("interrupted"));
    let written = fs::metadata(folder.path().join("log.csv")).unwrap().len();
    assert!(written > 1_000, "{written}");
    // Samples are a bound too.
    let line = "run --env endless.json --strategy random --seeds 1 --set samples=3000 --out bound";
    let mut command = Command::new(env!("CARGO_BIN_EXE_hedgerow"));
    let bound = command
        .current_dir(folder.path())
        .args(line.split(' '))
        .output();
    assert!(text(&bound.unwrap().stdout).contains("1 on samples"));
}

#[test]
fn verify_keeps_the_runs_that_have_ended() {
    let folder = tempfile::tempdir().unwrap();
    let line = "verify gridworld-4 --runs 100000 --iterations 20 --quiet --json";
    let output = interrupted(folder.path(), line, Duration::from_secs(3));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let ended = found["runs"].as_u64().unwrap();
    assert!((1..100_000).contains(&ended), "{ended}");
    assert_eq!(
        (&found["interrupted"], &found["asked"], &found["searches"]),
        (&true.into(), &100_000.into(), &0.into())
    );
    let said = format!("interrupted: {ended} of 100000 runs and 0 of 100000 searches ended");
    assert!(text(&output.stderr).contains(&said));
    let again = interrupted(
        folder.path(),
        &line.replace(" --json", ""),
        Duration::from_secs(2),
    );
    assert!(
        text(&again.stdout).contains("(interrupted)\n"),
        "{}",
        text(&again.stdout)
    );
}

#[test]
fn report_leaves_whole_files_only() {
    let folder = tempfile::tempdir().unwrap();
    done(
        &folder.path().join("results"),
        &[SMALL, &["--quiet"]].concat(),
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_hedgerow"));
    command
        .current_dir(folder.path())
        .args(["report", "results", "--out", "cut"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(150));
    let id = child.id().to_string();
    // It may be over already: then there is nothing to interrupt.
    let _ = Command::new("kill").args(["-INT", &id]).status();
    let output = child.wait_with_output().unwrap();
    let code = output.status.code().unwrap();
    assert!([0, 130].contains(&code), "{output:?}");
    assert_eq!(code == 130, text(&output.stderr).contains("interrupted"));
    for entry in fs::read_dir(folder.path().join("cut"))
        .into_iter()
        .flatten()
    {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.starts_with(".writing-"), "{name}");
    }
    let page = folder.path().join("cut/report.html");
    assert!(
        !page.exists()
            || fs::read_to_string(page)
                .unwrap()
                .trim_end()
                .ends_with("</html>")
    );
    for entry in fs::read_dir(folder.path().join("cut/figures"))
        .into_iter()
        .flatten()
    {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(!name.starts_with(".writing-"), "{name}");
        if name.ends_with(".svg") {
            assert!(
                fs::read_to_string(&path)
                    .unwrap()
                    .trim_end()
                    .ends_with("</svg>")
            );
        }
    }
}
