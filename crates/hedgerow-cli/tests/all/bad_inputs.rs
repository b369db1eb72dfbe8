//! Wrong input to every command: one line that names the place, what was found there and what to do,
//! soon, and nothing is written. `docs/bad-inputs.md` shows them all; after a change to a message,
//! write it anew with `HEDGEROW_WRITE_DOCS=1 cargo test -p hedgerow-cli --test all bad_inputs`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Far more than any of them takes.
const SOON: Duration = Duration::from_secs(60);

/// A command line, and parts of what must be said.
type Case = (&'static str, &'static [&'static str]);

const MODEL: &str = r#"{
  "format": "hedgerow-model/1", "states": 3, "actions": ["left", "right"], "gamma": 0.5,
  "start": [[0, 1.0]], "terminal": [2],
  "transitions": [[0, 0, 1, 1.0], [0, 1, 2, 0.5], [0, 1, 1, 0.5], [1, 0, 2, 1.0]],
  "rewards": [[0, 1, 1.0], [1, 0, 1.0]], "cost": [[0, 1, 1.0]],
  "expert": [[0, 0, 1.0], [1, 0, 1.0]]
}"#;

const GARDEN: &str = "gamma = 0.8\nmap = '''\n. . . G\nx x . .\nS . . .\n'''\n";

/// The files that the cases speak of.
fn prepare(folder: &Path) {
    let file = |name: &str, text: &[u8]| fs::write(folder.join(name), text).unwrap();
    let model = |name: &str, part: &str, by: &str| {
        assert!(MODEL.contains(part), "{part}");
        file(name, MODEL.replace(part, by).as_bytes());
    };
    file("model.json", MODEL.as_bytes());
    file("garden.toml", GARDEN.as_bytes());
    file("latin.toml", b"# caf\xe9\nmap = 'S.G'\n");
    file("typo.toml", b"stratgy = ['pcse']\n");
    file(
        "idle.toml",
        b"strategy = ['pcse', 'random']\n[settings.pcse]\nlookahead = 2\n",
    );
    file("no-goal.toml", b"map = 'S..'\n");
    file("ragged.toml", b"map = '''\nS.\nG..'''\n");
    file("symbol.toml", b"map = 'S.?'\n");
    file("slip.toml", b"slip = 2.0\nmap = 'S.G'\n");
    file("boxed-in.toml", b"map = '''\n..G\nxxx\nxSx'''\n");
    file("cut.json", &MODEL.as_bytes()[..200]);
    model("row.json", "[0, 1, 1, 0.5]", "[0, 1, 1, 0.4]");
    model("gamma.json", "\"gamma\": 0.5", "\"gamma\": 1.0");
    model("nowhere.json", "[0, 1, 1, 0.5]", "[0, 1, 7, 0.5]");
    model("stuck.json", ", [1, 0, 2, 1.0]]", "]");
    model("huge.json", "\"states\": 3", "\"states\": 4000000000");
    model("escape.json", "\"left\"", "\"le\\u001b[31mft\"");
    model("large.json", "[1, 0, 1.0]],", "[1, 0, 1e308]],");
    let looping = MODEL.replace("[1, 0, 2, 1.0]]", "[1, 0, 0, 1.0]]");
    let looping = looping.replace("\"gamma\"", "\"horizon\": 18446744073709551615, \"gamma\"");
    file("endless.json", looping.as_bytes());
    let forced = "{\"format\": \"hedgerow-model/1\", \"states\": 3, \"actions\": [\"go\"], \
        \"gamma\": 0.5, \"start\": [[0, 1.0]], \"terminal\": [2], \
        \"transitions\": [[0, 0, 1, 1.0], [1, 0, 2, 1.0]], \"rewards\": [[1, 0, 1.0]], \
        \"cost\": [[1, 0, 1.0]], \"budget\": 0.0}";
    file("forced.json", forced.as_bytes());
    file("expert.csv", b"state,action,probability\n0,0,0.5\n1,0,1\n");
    file("columns.csv", b"who,what\n0,left\n");
    file(
        "unknown.csv",
        b"episode,state,action,next_state\n0,0,lft,1\n",
    );
    file(
        "demos.csv",
        b"episode,state,action,next_state\n0,0,left,1\n0,1,left,2\n",
    );
    prepare_exchanged(folder);
    file("file", b"mine\n");
    fs::create_dir(folder.join("folder")).unwrap();
    fs::create_dir(folder.join("folder.csv")).unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("circle.json", folder.join("circle.json")).unwrap();
    let sweep = |out: &str, iterations: &str| {
        let run = [
            "run",
            "--env",
            "gridworld-3",
            "--strategy",
            "random",
            "--seeds",
            "1",
        ];
        let rest = ["--quiet", "--iterations", iterations, "--out", out];
        let mut command = Command::new(env!("CARGO_BIN_EXE_hedgerow"));
        let done = command.current_dir(folder).args(run).args(rest).output();
        assert!(done.unwrap().status.success());
    };
    let infer = ["infer", "garden.toml", "--exact", "--out", "rule.json"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_hedgerow"));
    let done = command.current_dir(folder).args(infer).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    let rule = fs::read(folder.join("rule.json")).unwrap();
    file("constraint.json", &rule[..100]);
    let mut outside: serde_json::Value = serde_json::from_slice(&rule).unwrap();
    outside["env"] = "../up".into();
    outside.as_object_mut().unwrap().remove("checksum");
    file("outside.json", outside.to_string().as_bytes());
    sweep("results", "3");
    sweep("other", "4");
}

/// Models of other programs, each with one thing wrong.
fn prepare_exchanged(folder: &Path) {
    let file = |name: &str, text: &[u8]| fs::write(folder.join(name), text).unwrap();
    let hedgerow = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hedgerow"));
        let done = command.current_dir(folder).args(arguments).output();
        assert!(done.unwrap().status.success(), "{arguments:?}");
    };
    hedgerow(&["envs", "export", "model.json", "model.umb"]);
    let whole = fs::read(folder.join("model.umb")).unwrap();
    // Changes of the same length keep the archive whole.
    let changed = |name: &str, part: &[u8], by: &[u8]| {
        let mut bytes = whole.clone();
        let at = bytes.windows(part.len()).position(|w| w == part).unwrap();
        bytes[at..at + by.len()].copy_from_slice(by);
        file(name, &bytes);
    };
    let half = 0.5_f64.to_le_bytes();
    let halves = [half, half].concat();
    file("cut.umb", &whole[..3000]);
    file("text.umb", MODEL.as_bytes());
    changed(
        "newer.umb",
        b"\"format-version\": 1",
        b"\"format-version\": 7",
    );
    changed(
        "timed.umb",
        b"\"time\": \"discrete\"",
        b"\"time\": \"discreet\"",
    );
    changed("many.umb", b"\"#states\": 3", b"\"#states\": 9");
    changed("strange.umb", b"\"discount\": {", b"\"miscount\": {");
    changed("sum.umb", &halves, &[half, 0.25_f64.to_le_bytes()].concat());
    changed("nan.umb", &halves, &[half, f64::NAN.to_le_bytes()].concat());
    let offsets = |v: [u64; 5]| v.map(u64::to_le_bytes).concat();
    let (up, down) = (offsets([0, 1, 3, 4, 5]), offsets([0, 3, 1, 4, 5]));
    changed("offsets.umb", &up, &down);
    let labels = b"#DECLARATION\ninit\n#END\n0 init\n";
    for (name, text) in [
        ("bare", "mdp\n0 0 1 1\n1 0 1 1\n"),
        ("short", "mdp\n0 0 1\n"),
        ("unsorted", "mdp\n1 0 1 1\n0 0 1 1\n"),
        ("sum", "2 2 3\n0 0 0 0.5\n0 0 1 0.4\n1 0 1 1\n"),
        ("vast", "4000000000 1 1\n0 0 0 1\n"),
        ("reward", "mdp\n0 0 1 1\n1 0 1 1\n"),
    ] {
        file(&format!("{name}.tra"), text.as_bytes());
        file(&format!("{name}.lab"), labels);
    }
    file("reward.rew", b"0 0 7 1\n");
    file("unlabelled.tra", b"mdp\n0 0 1 1\n1 0 1 1\n");
}

/// The table, by command.
fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    all.extend(RUN);
    all.extend(FOLDERS);
    all.extend(INFER);
    all.extend(TOOLS);
    all.extend(OTHERS);
    all.extend(FILES);
    all.extend(EXCHANGED);
    #[cfg(feature = "continuous")]
    all.extend(MAZES);
    all
}

const RUN: &[Case] = &[
    (
        "run garden.toml",
        &[
            "garden.toml",
            "draws an environment",
            "run --env garden.toml",
        ],
    ),
    (
        "run gridworld-1",
        &["gridworld-1", "built-in environment", "--env gridworld-1"],
    ),
    (
        "run model.json",
        &["model.json", "model", "--env model.json"],
    ),
    (
        "run latin.toml",
        &["latin.toml: line 1", "not UTF-8", "save the file as UTF-8"],
    ),
    (
        "run missing.toml",
        &["missing.toml", "cannot read", "check the name"],
    ),
    ("run folder", &["folder", "cannot read", "name a file"]),
    (
        "run typo.toml",
        &[
            "typo.toml: stratgy",
            "unknown key",
            "did you mean `strategy`?",
        ],
    ),
    (
        "run idle.toml --strategy random --out new",
        &["idle.toml: settings.pcse.lookahead", "no run", "remove it"],
    ),
    (
        "run --env gardn.toml",
        &["gardn.toml", "no such file", "check the path"],
    ),
    (
        "run --env point-mase",
        &[
            "`point-mase`",
            "neither a file nor built in",
            "`point-maze`",
        ],
    ),
    (
        "run --env folder",
        &["folder", "it is a folder", "name a drawn map"],
    ),
    (
        "run --env rooms,rooms",
        &["`rooms` is given twice", "name it once"],
    ),
    (
        "run --env escape.json",
        &[
            "escape.json: actions[0]",
            "control character",
            "can be seen",
        ],
    ),
    (
        "run --strategy zebra",
        &["strategy", "`zebra` is unknown", "choose one of bear, "],
    ),
    ("run --seeds -1", &["seeds", "`-1`", "0..20"]),
    ("run --seeds 5..5", &["seeds", "`5..5` holds no seed"]),
    (
        "run --iterations 1.5",
        &["iterations", "`1.5`", "use a whole number"],
    ),
    (
        "run --set =3",
        &["=3", "no key before the `=`", "write key=value"],
    ),
    ("run --set delta", &["delta", "no `=`", "key=value"]),
    (
        "run --set delta=7",
        &["delta", "`7` is not allowed", "use 1e-300 to 0.999"],
    ),
    (
        "run --set finite.finite.delta=0.1",
        &["no strategy `finite`", "choose one of"],
    ),
    (
        "run --set finite.iterations=3",
        &[
            "finite.iterations",
            "the same in all domains",
            "set `iterations`",
        ],
    ),
    (
        "run --set pcse=2",
        &["pcse", "a strategy, not a parameter", "pcse.lookahead"],
    ),
    (
        "run --variant early",
        &["early", "no `=`", "pcse-first=pcse"],
    ),
    (
        "run --variant bear=pcse",
        &["variant.bear", "already", "another name"],
    ),
    (
        "run --variant early=psce",
        &["variant.early.strategy", "unknown", "did you mean `pcse`?"],
    ),
    ("run --shard 3/2", &["shard", "no part 3 of 2"]),
    ("run --out file", &["file", "it is a file", "--out"]),
    (
        "run --out file/below",
        &["file/below", "cannot write", "a part of the path is a file"],
    ),
    (
        "run --env rooms",
        &["results", "it holds", "--out", "--fresh"],
    ),
    ("run --listen nowhere --out new", &["nowhere"]),
    ("play --listen nowhere", &["nowhere"]),
];

const FOLDERS: &[Case] = &[
    ("merge", &["<DIR>...", "not provided", "--help"]),
    (
        "merge empty --out new",
        &["empty/manifest.json", "no such file", "run --shard"],
    ),
    (
        "merge results other --out new",
        &[
            "other",
            "iterations 3 there, 4 here",
            "merge folders of the same",
        ],
    ),
    (
        "report missing",
        &["missing", "no such folder", "hedgerow run --out"],
    ),
    (
        "report file",
        &[
            "file: it is neither a results folder nor a saved constraint",
            "name a folder",
        ],
    ),
    ("report empty", &["empty", "no results", "name a folder"]),
    (
        "report results --out file",
        &["file", "a report needs a folder", "--out"],
    ),
    (
        "report results --only pages",
        &["'pages'", "--only", "page"],
    ),
    (
        "show missing",
        &["missing", "no such folder", "hedgerow run --out"],
    ),
    (
        "show results --env rooms",
        &["--env", "`rooms`", "use one of gridworld-3"],
    ),
    (
        "show results --strategy pcse",
        &["--strategy", "`pcse`", "use one of random"],
    ),
];

const INFER: &[Case] = &[
    ("infer", &["<ENV>", "not provided", "--help"]),
    (
        "infer zebra",
        &[
            "`zebra`",
            "neither a file nor built in",
            "choose one of gridworld-1",
        ],
    ),
    (
        "infer folder",
        &["folder", "it is a folder", "name a drawn map"],
    ),
    (
        "infer point-maze",
        &[
            "point-maze",
            "domain `continuous`",
            "needs a finite environment",
        ],
    ),
    (
        "infer huge.json",
        &[
            "huge.json: states",
            "4000000000 states",
            "write how many there are",
        ],
    ),
    (
        "infer garden.toml --seed -1",
        &["'-1' for '--seed <N>'", "whole number of at least 0"],
    ),
    (
        "infer garden.toml --samples 0",
        &["samples", "0 samples", "at least 1"],
    ),
    (
        "infer garden.toml --samples many",
        &["'many' for '--samples <N>'", "whole number"],
    ),
    (
        "infer garden.toml --confidence 2",
        &["confidence", "2", "below 1"],
    ),
    (
        "infer garden.toml --strategy zebra",
        &["`zebra`", "choose one of"],
    ),
    (
        "infer garden.toml --slips 0.1",
        &["--slips", "no records", "--demos"],
    ),
    (
        "infer garden.toml --out folder",
        &["folder", "cannot write", "name a file"],
    ),
    (
        "infer garden.toml --out file/below",
        &["file/below", "cannot write", "choose another path"],
    ),
    (
        "infer model.json --demos missing.csv",
        &["missing.csv", "cannot read", "check the name"],
    ),
    (
        "infer model.json --demos columns.csv",
        &["columns.csv: line 1", "who"],
    ),
    (
        "infer model.json --demos unknown.csv",
        &[
            "unknown.csv: line 2",
            "unknown action `lft`",
            "did you mean `left`?",
        ],
    ),
    (
        "infer model.json --demos demos.csv --logs demos.csv",
        &["demos.csv", "given twice", "once"],
    ),
    (
        "infer model.json --demos model.json",
        &["model.json", "`json`", ".csv"],
    ),
    (
        "infer model.json --demos demos.csv --samples 5",
        &["--demos", "cannot be used with", "--samples"],
    ),
];

/// Constraint files, and the commands that write files about the command itself.
const TOOLS: &[Case] = &[
    ("solve garden.toml --under missing.json", &["missing.json"]),
    ("solve garden.toml --under model.json", &["model.json"]),
    (
        "solve garden.toml --under constraint.json",
        &["constraint.json"],
    ),
    ("solve model.json --under rule.json", &["rule.json"]),
    ("explain garden.toml --under file --cell 1,1", &["file"]),
    ("transfer constraint.json garden.toml", &["constraint.json"]),
    (
        "run --env garden.toml --warm missing.json --out new",
        &["missing.json"],
    ),
    ("run --env garden.toml --warm file --out new", &["file"]),
    ("report results --env zebra", &["zebra", "gridworld-3"]),
    (
        "report outside.json",
        &["outside.json: env", "../up", "letters"],
    ),
    ("init file", &["file"]),
    (
        "init .",
        &["model.json", "it exists", "choose another folder"],
    ),
    ("completions dash", &["'dash'", "bash"]),
    ("man", &["--out", "not provided", "hedgerow man --help"]),
    ("man --out file", &["file", "a part of the path is a file"]),
    ("schema zebra", &["zebra"]),
];

const OTHERS: &[Case] = &[
    ("explain garden.toml", &["--cell", "not provided", "--help"]),
    (
        "explain garden.toml --exact --cell 9,9",
        &["--cell", "`9,9`", "ROW,COLUMN"],
    ),
    (
        "explain garden.toml --exact --pair 0,0,upp",
        &["unknown action `upp`", "did you mean `up`?"],
    ),
    (
        "explain garden.toml --exact --pair up",
        &["pair", "no comma in `up`", "STATE,ACTION"],
    ),
    (
        "explain model.json --exact --cell 0,0",
        &["--cell", "no map", "--state"],
    ),
    ("transfer garden.toml", &["<TO>", "not provided", "--help"]),
    (
        "transfer garden.toml gridworld-1",
        &["transfer", "states", "the same states and actions"],
    ),
    (
        "transfer garden.toml zebra",
        &["`zebra`", "neither a file nor built in"],
    ),
    (
        "verify garden.toml --runs 0",
        &["verify", "nothing to check", "at least 1 run"],
    ),
    ("verify garden.toml --delta 2", &["delta", "2", "below 1"]),
    (
        "verify garden.toml --strategy zebra",
        &["`zebra`", "choose one of"],
    ),
    (
        "verify endless.json",
        &["horizon", "18446744073709551615 steps", "at most 1000000"],
    ),
    ("theory --states 5", &["--states and --actions"]),
    (
        "theory --states 5 --actions 2 --gamma 1",
        &["gamma", "1", "below 1"],
    ),
    (
        "theory endless.json --policy expert",
        &["horizon", "18446744073709551615 steps", "at most 1000000"],
    ),
    (
        "theory garden.toml --lower-bound --confidence 2",
        &["confidence", "2", "below 1"],
    ),
    (
        "features garden.toml columns.csv",
        &["columns.csv: line 1", "who", "names of the features"],
    ),
    (
        "envs show zebra",
        &["`zebra`", "neither a file nor built in"],
    ),
    (
        "envs export rooms rooms.yaml",
        &["rooms.yaml", "the ending says nothing", ".toml"],
    ),
    (
        "envs export model.json map.toml",
        &["model.json", "without a drawn map", ".json"],
    ),
    (
        "envs export rooms folder",
        &["folder", "cannot write", "name a file"],
    ),
    ("strategies pcse", &["'pcse'", "--help"]),
    (
        "log garden.toml --episodes 1 --samples 1 --out new.csv",
        &["--episodes", "cannot be used with"],
    ),
    (
        "log garden.toml --episodes 1 --out new.txt",
        &["new.txt", "`txt`", ".jsonl"],
    ),
    (
        "log garden.toml --episodes 1 --out folder.csv",
        &["folder.csv", "cannot write", "name a file"],
    ),
    (
        "log garden.toml --episodes -1 --out new.csv",
        &["-1", "--episodes"],
    ),
    (
        "log garden.toml --episodes 1 --policy me --out new.csv",
        &["'me'", "--policy", "expert"],
    ),
    ("slove garden.toml", &["'slove'", "'solve'", "--help"]),
    (
        "solve garden.toml --jsn",
        &["'--jsn'", "'--json'", "--help"],
    ),
];

const EXCHANGED: &[Case] = &[
    (
        "solve missing.umb",
        &["missing.umb", "there is no such file", "check the path"],
    ),
    (
        "solve cut.umb",
        &["cut.umb: archive", "cannot be unpacked", "copy it again"],
    ),
    (
        "solve text.umb",
        &["text.umb: archive", "cannot be unpacked", "give a UMB file"],
    ),
    (
        "solve newer.umb",
        &["format-version", "version 7", "version 1"],
    ),
    ("solve timed.umb", &["time", "`discreet` time", "discrete"]),
    (
        "solve many.umb",
        &["state-to-choices.bin", "10 values", "as the index says"],
    ),
    (
        "solve strange.umb",
        &["gamma", "no discount", "--gamma 0.9"],
    ),
    ("solve sum.umb", &["sum.umb: ", "sums to 0.75", "sum to 1"]),
    ("solve nan.umb", &["nan.umb: ", "NaN", "positive"]),
    (
        "solve offsets.umb",
        &["choice-to-branches.bin[2]", "the offset 1", "never go down"],
    ),
    (
        "solve model.umb --gamma 0.9",
        &["gamma", "discount of its own, 0.5", "leave out --gamma"],
    ),
    (
        "envs show strange.umb --gamma 2",
        &["gamma", "2 is outside", "below 1"],
    ),
    (
        "envs export model.json model.umb --storm",
        &["--storm", "model.umb", ".tra"],
    ),
    (
        "solve bare.tra",
        &["bare.tra: gamma", "no discount", "--gamma"],
    ),
    (
        "solve short.tra",
        &["short.tra: line 2", "the probability is missing"],
    ),
    (
        "solve unsorted.tra",
        &["unsorted.tra: line 3", "out of order", "sort"],
    ),
    (
        "solve sum.tra --gamma 0.9",
        &["sum.tra: ", "sums to 0.9", "sum to 1"],
    ),
    (
        "solve vast.tra --gamma 0.9",
        &["vast.tra: line 1", "4000000000 states", "transition"],
    ),
    (
        "solve reward.tra --gamma 0.9",
        &["reward.rew: line 1", "0 0 7 1", "remove the line"],
    ),
    (
        "solve unlabelled.tra --gamma 0.9",
        &["unlabelled.lab", "no such file", "init"],
    ),
];

const FILES: &[Case] = &[
    (
        "solve large.json",
        &["large.json: rewards", "1e308", "smaller"],
    ),
    (
        "solve latin.toml",
        &["latin.toml: line 1", "not UTF-8", "save the file as UTF-8"],
    ),
    ("solve no-goal.toml", &["no-goal.toml: map", "no goal"]),
    (
        "solve ragged.toml",
        &["ragged.toml: map row 1", "equally long"],
    ),
    (
        "solve symbol.toml",
        &["symbol.toml: map cell (0, 2)", "`?`", "[goals]"],
    ),
    (
        "solve slip.toml",
        &["slip.toml: slip", "2 is not a probability", "from 0 to 1"],
    ),
    (
        "solve boxed-in.toml",
        &["boxed-in.toml", "every move leads into a constraint cell"],
    ),
    ("solve cut.json", &["cut.json", "cut off"]),
    (
        "solve row.json",
        &[
            "row.json: transitions of state 0, action 1",
            "sums to 0.9",
            "sum to 1",
        ],
    ),
    (
        "solve gamma.json",
        &["gamma.json: gamma", "1 is outside", "below 1"],
    ),
    (
        "solve nowhere.json",
        &["nowhere.json: transitions[2]", "state 7", "from 0 to 2"],
    ),
    ("solve stuck.json", &["stuck.json", "no action", "terminal"]),
    (
        "solve huge.json",
        &[
            "huge.json: states",
            "4000000000 states",
            "write how many there are",
        ],
    ),
    (
        "solve escape.json",
        &["escape.json: actions[0]", "control character"],
    ),
    (
        "solve forced.json",
        &["forced.json: budget", "raise the budget"],
    ),
    (
        "solve model.json --expert expert.csv",
        &["expert.csv", "sum to 0.5", "sum to 1"],
    ),
    ("solve model.json --expert folder", &["folder"]),
];

#[cfg(feature = "continuous")]
const MAZES: &[Case] = &[
    (
        "maze play point-mase",
        &[
            "`point-mase`",
            "neither a .toml file nor built in",
            "`point-maze`",
        ],
    ),
    (
        "maze play latin.toml",
        &["latin.toml: line 1", "not UTF-8", "save the file as UTF-8"],
    ),
    (
        "maze play garden.toml",
        &["garden.toml: kind", "missing", "write kind = \"maze\""],
    ),
    (
        "maze play point-maze --seed -1",
        &["'-1' for '--seed <N>'", "whole number of at least 0"],
    ),
    (
        "maze play point-maze --expert missing.safetensors",
        &["missing.safetensors", "cannot read"],
    ),
    ("maze replay missing.json", &["missing.json", "cannot read"]),
    ("maze retrain empty", &["empty", "no results"]),
    ("maze retrain results", &["results"]),
    (
        "maze train point-maze --out new.txt",
        &["new.txt", ".safetensors", "--out"],
    ),
    (
        "maze train point-maze --out file/new.safetensors",
        &["file/new.safetensors", "a part of the path is a file"],
    ),
    (
        "maze train point-maze --penalty -1 --out new.safetensors",
        &["penalty", "-1", "at least 0"],
    ),
];

/// Every file and folder below `folder` with its kind and content.
fn contents(folder: &Path) -> BTreeMap<PathBuf, (fs::FileType, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                open.push(entry.path());
            }
            let bytes = match kind.is_file() {
                true => fs::read(entry.path()).unwrap(),
                false => Vec::new(),
            };
            found.insert(entry.path(), (kind, bytes));
        }
    }
    found
}

/// What it says, or how it fails to: it must end soon, fail, print nothing and say one line.
fn said(folder: &Path, line: &str) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hedgerow"));
    command.current_dir(folder).args(line.split(' '));
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > SOON {
            child.kill().unwrap();
            return Err("it hangs".to_owned());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    let checks = [
        (
            matches!(output.status.code(), Some(1 | 2)),
            "the exit status",
        ),
        (output.stdout.is_empty(), "something is printed"),
        (message.starts_with("error: "), "no error"),
        (
            message.ends_with('\n') && message.lines().count() == 1,
            "not one line",
        ),
        (!message.contains("panicked"), "a panic"),
        (
            !message.trim_end().contains(char::is_control),
            "a control character",
        ),
    ];
    match checks.iter().find(|(kept, _)| !kept) {
        None => Ok(message.trim_end().to_owned()),
        Some((_, broken)) => Err(format!("{broken}: {message}")),
    }
}

#[test]
fn every_wrong_input_is_refused_in_one_line_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let before = contents(folder.path());
    let mut wrong = String::new();
    let mut table = String::new();
    let all = cases();
    assert!(all.len() >= 60, "{}", all.len());
    for (line, words) in &all {
        let message = said(folder.path(), line).unwrap_or_else(|broken| {
            writeln!(wrong, "{line}: {broken}").unwrap();
            String::new()
        });
        for word in words.iter().filter(|word| !message.contains(**word)) {
            writeln!(wrong, "{line}: `{word}` is not in: {message}").unwrap();
        }
        let cell = message.replace('|', "\\|");
        writeln!(table, "| `hedgerow {line}` | {cell} |").unwrap();
        assert!(
            contents(folder.path()) == before,
            "`{line}` wrote something"
        );
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    #[cfg(all(target_os = "linux", feature = "continuous"))]
    check_page(&table);
}

/// The page must show what is said now.
#[cfg(all(target_os = "linux", feature = "continuous"))]
fn check_page(table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/bad-inputs.md");
    let page = format!("{HEAD}{table}");
    if std::env::var_os("HEDGEROW_WRITE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    let stale: Vec<&str> = page
        .lines()
        .filter(|l| !there.lines().any(|t| t == *l))
        .collect();
    assert!(
        there == page,
        "docs/bad-inputs.md is stale: write it anew with HEDGEROW_WRITE_DOCS=1; it lacks\n{}",
        stale.join("\n")
    );
}

#[cfg(all(target_os = "linux", feature = "continuous"))]
const HEAD: &str = "# Wrong input, and what is said of it

A message is one line on standard error: the place, what was found there, and what to do. Nothing is printed or written,
and the exit status is 1, or 2 where the command line itself is wrong. A test runs every line of this table, in a folder
with a model (`model.json`), a drawn map (`garden.toml`), spoiled copies of both, two results folders (`results`,
`other`), an empty one (`empty`), a folder (`folder`) and a file (`file`); it wrote this page.

| input | message |
|---|---|
";
