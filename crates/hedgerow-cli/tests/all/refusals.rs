//! Wrong input of every kind: one line that names the place and the remedy, and nothing else.

use assert_cmd::Command;
use std::path::Path;

/// Runs the command, which must fail with one line that holds all of `words`.
fn refused(arguments: &[&str], words: &[&str]) {
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    let done = command.args(arguments).assert().failure();
    let output = done.get_output();
    let line = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(
        line.starts_with("error: ") && line.ends_with('\n'),
        "{line}"
    );
    assert_eq!(line.lines().count(), 1, "{line}");
    for word in words {
        assert!(line.contains(word), "`{word}` not in: {line}");
    }
}

/// Writes `text` to a file and expects `hedgerow solve` to refuse it, naming the file.
fn refused_file(name: &str, text: impl AsRef<[u8]>, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, text).unwrap();
    refused(
        &["solve", file.to_str().unwrap()],
        &[&[name], words].concat(),
    );
}

const MODEL: &str = r#"{
  "format": "hedgerow-model/1",
  "states": 3,
  "actions": ["left", "right"],
  "gamma": 0.5,
  "start": [[0, 1.0]],
  "terminal": [2],
  "transitions": [[0, 0, 1, 1.0], [0, 1, 2, 0.5], [0, 1, 1, 0.5], [1, 0, 2, 1.0]],
  "rewards": [[0, 1, 1.0], [1, 0, 1.0]],
  "cost": [[0, 1, 1.0]],
  "budget": 0.0,
  "expert": [[0, 0, 1.0], [1, 0, 1.0]]
}"#;

/// The model above with one part replaced.
fn refused_model(part: &str, by: &str, words: &[&str]) {
    assert!(MODEL.contains(part), "{part}");
    refused_file("model.json", MODEL.replace(part, by), words);
}

#[test]
fn the_model_itself_is_fine() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.json");
    std::fs::write(&file, MODEL).unwrap();
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    command.arg("solve").arg(file).assert().success();
}

#[test]
fn a_row_that_does_not_sum_to_one() {
    refused_model(
        "[0, 1, 1, 0.5]",
        "[0, 1, 1, 0.4]",
        &[
            "state 0, action 1",
            "sums to 0.9",
            "tolerance 1e-9",
            "sum to 1",
        ],
    );
}

#[test]
fn negative_and_non_finite_numbers() {
    refused_model(
        "[0, 1, 1, 0.5]",
        "[0, 1, 1, -0.5]",
        &["transitions[2]", "-0.5", "positive"],
    );
    refused_model(
        "[0, 1, 1, 0.5]",
        "[0, 1, 1, 1e999]",
        &["transitions[2]", "out of range", "finite"],
    );
    refused_model(
        "[0, 1, 1, 0.5]",
        "[0, 1, 1, NaN]",
        &["line 8", "JSON syntax"],
    );
    refused_model(
        "\"cost\": [[0, 1, 1.0]]",
        "\"cost\": [[0, 1, -1.0]]",
        &["cost[0]", "-1", "at least 0"],
    );
    refused_model(
        "\"cost\": [[0, 1, 1.0]]",
        "\"cost\": [[0, 1, 1e999]]",
        &["cost[0]", "out of range"],
    );
    refused_model(
        "\"budget\": 0.0",
        "\"budget\": -1",
        &["budget", "-1", "at least 0"],
    );
    refused_model(
        "\"expert\": [[0, 0, 1.0]",
        "\"expert\": [[0, 0, -1.0]",
        &["expert[0]", "-1", "at least 0"],
    );
    refused_model(
        "\"start\": [[0, 1.0]]",
        "\"start\": [[0, -1.0]]",
        &["start[0]", "-1", "positive"],
    );
}

#[test]
fn a_state_without_an_action() {
    refused_model(
        ", [1, 0, 2, 1.0]",
        "",
        &["state 1", "no action", "terminal"],
    );
}

#[test]
fn a_discount_outside_its_range() {
    for (gamma, said) in [
        ("1.0", "1 is"),
        ("-0.1", "-0.1 is"),
        ("1e999", "out of range"),
    ] {
        refused_model(
            "\"gamma\": 0.5",
            &format!("\"gamma\": {gamma}"),
            &["gamma", said, "below 1"],
        );
    }
}

#[test]
fn a_start_that_does_not_sum_to_one() {
    refused_model(
        "\"start\": [[0, 1.0]]",
        "\"start\": [[0, 0.5]]",
        &["start", "sum to 0.5", "1e-9", "sum to 1"],
    );
    refused_model(
        "\"start\": [[0, 1.0]]",
        "\"start\": []",
        &["start", "sum to 0", "sum to 1"],
    );
}

#[test]
fn an_index_out_of_range() {
    refused_model(
        "[0, 1, 1, 0.5]",
        "[0, 1, 7, 0.5]",
        &["transitions[2]", "state 7", "from 0 to 2"],
    );
    refused_model(
        "[0, 1, 1, 0.5]",
        "[0, 5, 1, 0.5]",
        &["transitions[2]", "action 5", "2 actions"],
    );
    refused_model(
        "[0, 1, 1, 0.5]",
        "[-1, 1, 1, 0.5]",
        &["transitions[2]", "index -1", "entries [state"],
    );
    refused_model(
        "\"terminal\": [2]",
        "\"terminal\": [3]",
        &["terminal[0]", "state 3", "from 0 to 2"],
    );
    refused_model(
        "\"cost\": [[0, 1, 1.0]]",
        "\"cost\": [[9, 1, 1.0]]",
        &["cost[0]", "state 9", "from 0 to 2"],
    );
    refused_model(
        "\"expert\": [[0, 0, 1.0]",
        "\"expert\": [[0, 4, 1.0]",
        &["expert[0]", "action 4", "from 0 to 1"],
    );
    refused_model(
        "[0, 1, 1, 0.5]",
        "[0, \"rigth\", 1, 0.5]",
        &["transitions[2]", "`rigth`", "did you mean `right`"],
    );
    refused_model(
        "\"terminal\": [2]",
        "\"terminal\": [\"end\"]",
        &["terminal[0]", "`end`", "use an index"],
    );
}

#[test]
fn an_entry_given_twice() {
    refused_model(
        "\"rewards\": [[0, 1, 1.0]",
        "\"rewards\": [[1, 0, 1.0]",
        &["rewards[1]", "twice", "keep one"],
    );
    refused_model(
        "\"cost\": [[0, 1, 1.0]]",
        "\"cost\": [[0, 1, 1.0], [0, 1, 2]]",
        &["cost[1]", "twice", "keep one"],
    );
    refused_model(
        "\"expert\": [",
        "\"expert\": [[0, 0, 0.5], ",
        &["expert[1]", "twice", "keep one"],
    );
    refused_model(
        "\"start\": [[0, 1.0]]",
        "\"start\": [[0, 0.5], [0, 0.5]]",
        &["start[1]", "twice"],
    );
    refused_model(
        "\"terminal\": [2]",
        "\"terminal\": [2, 2]",
        &["terminal[1]", "twice"],
    );
    refused_model(
        "\"gamma\": 0.5",
        "\"gamma\": 0.5, \"gamma\": 0.6",
        &["gamma", "twice", "keep one"],
    );
    refused_model(
        "[\"left\", \"right\"]",
        "[\"left\", \"left\"]",
        &["actions[1]", "`left`", "of its own"],
    );
}

#[test]
fn an_expert_that_cannot_be() {
    refused_model(
        "[1, 0, 1.0]]\n",
        "[1, 1, 1.0]]\n",
        &["expert[1]", "not available in state 1", "left"],
    );
    refused_model(
        "[1, 0, 1.0]]\n",
        "[1, 0, 0.9]]\n",
        &["expert", "sum to 0.9", "sum to 1"],
    );
    refused_model(
        ", [1, 0, 1.0]]\n",
        "]\n",
        &["expert", "state 1", "reached from the start", "add"],
    );
    let both = "\"demonstrations\": [[0, 0], [1, 0]],\n  \"expert\"";
    refused_model("\"expert\"", both, &["demonstrations", "not both"]);
    let none = MODEL.replace(",\n  \"expert\": [[0, 0, 1.0], [1, 0, 1.0]]", "");
    let none = none.replace("\"cost\": [[0, 1, 1.0]],\n", "");
    refused_file(
        "model.json",
        &none,
        &["expert", "neither", "`demonstrations`"],
    );
    let forced = MODEL.replace(",\n  \"expert\": [[0, 0, 1.0], [1, 0, 1.0]]", "");
    let forced = forced.replace(
        "\"cost\": [[0, 1, 1.0]]",
        "\"cost\": [[0, 1, 1.0], [1, 0, 1.0]]",
    );
    refused_file(
        "model.json",
        &forced,
        &["budget", "least", "0.5", "raise the budget"],
    );
}

#[test]
fn a_model_file_that_is_not_one() {
    refused_model("\"gamma\"", "\"gama\"", &["gama", "unknown key", "`gamma`"]);
    refused_model(
        "hedgerow-model/1",
        "hedgerow-model/9",
        &["format", "hedgerow-model/9", "hedgerow-model/1"],
    );
    refused_model("\"gamma\": 0.5,", "", &["gamma", "missing", "add the key"]);
    refused_model(
        "[0, 1, 1, 0.5]",
        "[0, 1, 1]",
        &["transitions[2]", "line 8", "entries [state, action"],
    );
    refused_model(
        "[0, 1, 1, 0.5]",
        "[0, 1, 1, \"half\"]",
        &["transitions[2]", "half", "entries"],
    );
    refused_model("\"rewards\"", "rewards", &["line 9", "JSON syntax"]);
    refused_model("\n}", "", &["cut off"]);
    refused_model(
        "\"format\"",
        "\"name\": \"a/b\", \"format\"",
        &["name", "a/b", "letters"],
    );
    refused_model(
        "\"states\": 3",
        "\"states\": \"three\"",
        &["states", "number of states"],
    );
    refused_file("empty.json", "", &["line", "cut off"]);
    refused_file("list.json", "[1, 2]", &["line 1", "object"]);
    refused_file("latin.json", b"{\n\xe9", &["line 2", "UTF-8"]);
}

#[test]
fn a_grid_file_that_is_not_one() {
    let map = "map = '''\n..G\nS..'''\n";
    let with = |line: &str| format!("{line}\n{map}");
    refused_file(
        "grid.toml",
        with("gama = 0.7"),
        &["gama", "unknown key", "`gamma`"],
    );
    refused_file(
        "grid.toml",
        with("gamma = 1.0"),
        &["gamma", "1 is", "below 1"],
    );
    refused_file("grid.toml", with("gamma = "), &["line 1", "TOML syntax"]);
    refused_file(
        "grid.toml",
        with("slip = 2.0"),
        &["slip", "2", "from 0 to 1"],
    );
    refused_file("grid.toml", with("moves = 6"), &["moves", "6", "4 or 8"]);
    refused_file(
        "grid.toml",
        with("horizon = 0"),
        &["horizon", "0", "at least 1"],
    );
    refused_file(
        "grid.toml",
        with("budget = -0.5"),
        &["budget", "-0.5", "at least 0"],
    );
    refused_file(
        "grid.toml",
        with("name = '../up'"),
        &["name", "../up", "letters"],
    );
    refused_file(
        "grid.toml",
        "map = 'S.?'",
        &["map cell (0, 2)", "`?`", "[goals]"],
    );
    refused_file("grid.toml", "map = '..G'", &["map", "no start", "with S"]);
    refused_file("grid.toml", "map = 'S..'", &["map", "no goal", "G"]);
    refused_file(
        "grid.toml",
        "map = '''\nS.\nG.. '''",
        &["map row 1", "equally long"],
    );
    refused_file("grid.toml", "gamma = 0.5", &["map", "missing", "draw"]);
    refused_file("my grid.toml", map, &["name", "my grid", "set `name`"]);
}

#[test]
fn an_environment_that_is_not_there() {
    refused(
        &["solve", "gridworld-l"],
        &["`gridworld-l`", "did you mean `gridworld-1`?"],
    );
    refused(
        &["solve", "no/such/rooms.toml"],
        &["no/such/rooms.toml", "no such file", "`rooms`"],
    );
    refused(
        &["envs", "show", "missing.json"],
        &["missing.json", "no such file"],
    );
    refused_file("model.txt", MODEL, &[".toml", ".json"]);
}

#[test]
fn an_expert_file_that_does_not_fit() {
    let folder = tempfile::tempdir().unwrap();
    let (env, expert) = (
        folder.path().join("model.json"),
        folder.path().join("e.csv"),
    );
    std::fs::write(&env, MODEL).unwrap();
    let check = |text: &str, words: &[&str]| {
        std::fs::write(&expert, text).unwrap();
        let (env, expert) = (env.to_str().unwrap(), expert.to_str().unwrap());
        refused(
            &["solve", env, "--expert", expert],
            &[&["e.csv"], words].concat(),
        );
    };
    let header = "state,action,probability\n";
    check(
        "state,act\n0,0\n",
        &["line 1", "state,act", "state,action,probability"],
    );
    check(
        &format!("{header}0,0,1\n1,1,1\n"),
        &["line 3", "not available", "left"],
    );
    check(
        &format!("{header}0,0,one\n"),
        &["line 2", "`one`", "probability"],
    );
    check(
        &format!("{header}0,0,nan\n"),
        &["line 2", "NaN", "at least 0"],
    );
    check(
        &format!("{header}0,0\n"),
        &["line 2", "2 fields", "header has 3"],
    );
    check(
        &format!("{header}0,0,0.5\n0,left,0.5\n"),
        &["line 3", "twice", "keep one"],
    );
    check(
        &format!("{header}8,0,1\n"),
        &["line 2", "state 8", "from 0 to 2"],
    );
    check(
        &format!("{header}0,0,1\n"),
        &["state 1", "reached from the start", "add"],
    );
    check(
        &format!("{header}0,0,0.5\n1,0,1\n"),
        &["sum to 0.5", "sum to 1"],
    );
    let env = env.to_str().unwrap();
    refused(
        &["solve", env, "--expert", "gone.csv"],
        &["gone.csv", "cannot read", "check"],
    );
    refused(
        &["solve", env, "--expert", env],
        &["model.json", "states", "choose one of"],
    );
}

#[test]
fn a_file_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("file");
    std::fs::write(&blocked, "").unwrap();
    let below = |name: &str| blocked.join(name).to_str().unwrap().to_owned();
    refused(
        &["envs", "export", "rooms", &below("a.toml")],
        &["a.toml", "cannot write", "choose another path"],
    );
    refused(
        &["envs", "export", "rooms", "rooms.yaml"],
        &["rooms.yaml", ".toml", ".json"],
    );
    let model = folder.path().join("model.json");
    std::fs::write(&model, MODEL).unwrap();
    let model = model.to_str().unwrap();
    refused(
        &["envs", "export", model, "map.toml"],
        &["model.json", "without a drawn map", ".json"],
    );
    assert!(!Path::new("map.toml").exists());
}

#[test]
fn a_wrong_command_line() {
    refused(&["infer"], &["<ENV>", "--help"]);
    refused(&["solve"], &["<ENV>", "--help"]);
    refused(&["solve", "rooms", "--jsn"], &["--jsn", "--json"]);
    refused(&["slove", "rooms"], &["slove", "solve"]);
}

#[test]
fn a_log_needs_an_amount_and_a_known_ending() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let log = |rest: &[&str], words: &[&str]| {
        refused(&[&["log", "gridworld-1"], rest].concat(), words);
    };
    log(&["--out", &file("a.csv")], &["--episodes", "--samples"]);
    log(
        &["--episodes", "1", "--samples", "1", "--out", &file("a.csv")],
        &["cannot be used with"],
    );
    log(
        &["--episodes", "0", "--out", &file("a.csv")],
        &["0", "--episodes"],
    );
    log(
        &["--episodes", "1", "--out", &file("a.txt")],
        &["a.txt", "`txt`", ".jsonl"],
    );
    log(
        &["--episodes", "1", "--policy", "me", "--out", &file("a.csv")],
        &["me", "expert"],
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_model_without_dynamics_points_to_logs() {
    let (before, rest) = MODEL.split_once("\"transitions\"").unwrap();
    let (_, after) = rest.split_once("]],").unwrap();
    let task = format!("{before}{after}");
    refused_file("model.json", &task, &["cost", "without `transitions`"]);
    let task = task
        .split("\"cost\"")
        .next()
        .unwrap()
        .trim_end()
        .trim_end_matches(',');
    let words = ["transitions", "no dynamics", "infer FILE --demos LOGS"];
    refused_file("model.json", format!("{task}}}"), &words);
}

#[test]
fn theory_out_of_range() {
    let sized = ["theory", "--states", "5", "--actions", "2"];
    for (option, value, words) in [
        ("--gamma", "1", ["gamma: 1 ", "below 1"]),
        ("--gamma", "-0.5", ["gamma: -0.5 ", "at least 0"]),
        ("--delta", "0", ["delta: 0 ", "above 0"]),
        ("--eps", "-1", ["eps: -1 ", "positive"]),
        ("--eps", "NaN", ["eps: NaN ", "positive"]),
        ("--cost-max", "0", ["cost-max: 0 ", "positive"]),
        ("--reward-max", "-2", ["reward-max: -2 ", "at least 0"]),
        ("--zeta-max", "inf", ["zeta-max: inf ", "finite"]),
        ("--advantage", "0", ["advantage: 0 ", "positive"]),
        ("--gap", "0", ["gap: 0 ", "positive"]),
        ("--delta", "much", ["--delta", "much"]),
    ] {
        refused(&[&sized[..], &[option, value]].concat(), &words);
    }
    let gap = ["--gap", "1", "--eps", "0.5", "--eps-before", "0.1"];
    refused(
        &[&sized[..], &gap].concat(),
        &["eps-before: 0.1 ", "at least eps"],
    );
    refused(
        &["theory", "--states", "0", "--actions", "2"],
        &["pairs: 0 ", "at least 1"],
    );
    refused(&["theory", "--states", "5"], &["--states and --actions"]);
    refused(
        &["theory", "gridworld-1", "--states", "5"],
        &["--states", "cannot be used"],
    );
    refused(&["theory", "gridwrld-1"], &["gridwrld-1", "gridworld-1"]);
    refused(
        &["theory", "--policy", "expert"],
        &["--policy", "no environment"],
    );
    refused(
        &[
            "theory",
            "gridworld-1",
            "--policy",
            "expert",
            "--episodes",
            "0",
        ],
        &["--episodes", "at least 1"],
    );
    refused(&["theory", "gridworld-1", "--episodes", "5"], &["--policy"]);
}

#[test]
fn an_explanation_needs_a_place_that_exists() {
    let explain = |rest: &[&str], words: &[&str]| {
        refused(&[&["explain", "gridworld-1"], rest].concat(), words);
    };
    explain(&["--exact"], &["--cell", "--state", "--pair"]);
    explain(
        &["--exact", "--cell", "9,9"],
        &["--cell", "`9,9`", "ROW,COLUMN"],
    );
    explain(
        &["--exact", "--cell", "5"],
        &["--cell", "`5`", "ROW,COLUMN"],
    );
    explain(
        &["--exact", "--state", "cel 1,1"],
        &["unknown state `cel 1,1`", "`cell 1,1`"],
    );
    explain(
        &["--exact", "--pair", "1,1,upp"],
        &["unknown action `upp`", "`up`"],
    );
    explain(
        &["--exact", "--pair", "0,0,down"],
        &["down", "not available", "up-right"],
    );
    explain(
        &["--exact", "--cell", "1,1", "--state", "2"],
        &["cannot be used with"],
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.json");
    std::fs::write(&file, MODEL).unwrap();
    let file = file.to_str().unwrap();
    refused(
        &["explain", file, "--exact", "--cell", "0,0"],
        &["--cell", "no map", "--state"],
    );
}

#[test]
fn no_name_commands_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let odd = "a\x1b[31m\u{9b}b.toml";
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    let output = command
        .current_dir(folder.path())
        .args(["solve", odd])
        .output();
    let line = String::from_utf8(output.unwrap().stderr).unwrap();
    assert!(line.starts_with("error: a?[31m?b.toml: "), "{line:?}");
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    let output = command
        .current_dir(folder.path())
        .args(["solve", "rooms", "--\x1b[31m"])
        .output();
    let line = String::from_utf8(output.unwrap().stderr).unwrap();
    assert!(!line.contains('\x1b'), "{line:?}");
    // What is printed, not only what is refused.
    let file = "x\x1b]0;title\x07.toml";
    let mut command = Command::cargo_bin("hedgerow").unwrap();
    let output = command
        .current_dir(folder.path())
        .args(["envs", "export", "rooms", file])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "rooms written to x?]0;title?.toml\n");
    assert!(folder.path().join(file).exists());
}
