//! Records: what is read, what is refused and where, and what is written can be read back.

use hedgerow::env::{Simulator, TableSimulator, builtin};
use hedgerow::index::{Pair, State};
use hedgerow::io::records::{Format, Records, Source, Step, Writer};
use hedgerow::io::{self, model_file};
use hedgerow::learn::{Inference, Learner};
use hedgerow::model::{Dynamics, Policy};
use hedgerow::seed::Stream;
use std::path::Path;

/// From `home` over the `bridge` (one step) or along the `path` (which may take longer) to `town`.
const MODEL: &str = r#"{"format": "hedgerow-model/1", "name": "ways",
    "states": ["home", "bridge", "path", "town"], "actions": ["walk", "detour"],
    "gamma": 0.9, "start": [["home", 1.0]], "terminal": ["town"],
    "transitions": [["home", "walk", "bridge", 1.0], ["home", "detour", "path", 1.0],
        ["bridge", "walk", "town", 1.0], ["path", "walk", "town", 0.5], ["path", "walk", "path", 0.5]],
    "rewards": [["bridge", "walk", 1.0], ["path", "walk", 1.0]],
    "expert": [["home", "detour", 1.0], ["bridge", "walk", 1.0], ["path", "walk", 1.0]]}"#;

/// Reads `text` as a file called `name`.
fn read(name: &str, text: impl AsRef<[u8]>, default: Source) -> Result<Records, String> {
    let environment = model_file::parse(MODEL, "ways").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let rows = environment.truth().model().rows();
    Records::read(
        &path,
        environment.task(),
        default,
        Some(rows as &dyn Dynamics),
    )
    .map_err(|e| e.to_string())
}

const TABLE: &str = "\
episode,step,state,action,next_state,source,expert_action
a,0,home,walk,bridge,log,detour
a,1,bridge,walk,town,,
7,,home,detour,path,expert,
7,,2,0,,expert,walk
";

const LINES: &str = r#"{"episode": "a", "step": 0, "state": "home", "action": "walk", "next_state": "bridge", "source": "log", "expert_action": "detour"}
{"episode": "a", "step": 1, "state": "bridge", "action": "walk", "next_state": "town"}

{"episode": 7, "state": "home", "action": "detour", "next_state": "path", "source": "expert"}
{"episode": "7", "state": 2, "action": 0, "next_state": null, "source": "expert", "expert_action": "walk"}
"#;

#[test]
fn a_table_and_lines_say_the_same() {
    // Pairs: (home, walk), (home, detour), (bridge, walk), (path, walk).
    let known = Records {
        transitions: vec![
            (Pair(0), State(1)),
            (Pair(2), State(3)),
            (Pair(1), State(2)),
        ],
        choices: vec![Pair(1), Pair(1), Pair(3)],
        episodes: 2,
        rows: 4,
        open_ends: 1,
    };
    assert_eq!(read("a.csv", TABLE, Source::Log).unwrap(), known);
    assert_eq!(read("a.jsonl", LINES, Source::Log).unwrap(), known);
    // The row without a source is the expert's in a file of demonstrations.
    let shown = read("a.csv", TABLE, Source::Expert).unwrap();
    assert_eq!(shown.choices, [Pair(1), Pair(2), Pair(1), Pair(3)]);
    assert_eq!(shown.transitions, known.transitions);
}

#[test]
fn columns_come_in_any_order_and_fields_may_have_blanks() {
    let text = " next_state , action,state,episode\r\n town , walk ,\"bridge\", 1 \r\n";
    let records = read("a.csv", text, Source::Expert).unwrap();
    assert_eq!(records.transitions, [(Pair(2), State(3))]);
    assert_eq!(records.choices, [Pair(2)]);
}

/// Expects one line that names the file and holds all of `words`.
fn refused(name: &str, text: impl AsRef<[u8]>, words: &[&str]) {
    let message = read(name, text, Source::Log).unwrap_err();
    assert_eq!(message.lines().count(), 1, "{message}");
    for word in [&[name], words].concat() {
        assert!(message.contains(word), "`{word}` not in: {message}");
    }
}

#[test]
fn what_is_wrong_with_a_table_is_named_with_its_line() {
    let header = "episode,state,action,next_state\n";
    let first = "1,home,walk,bridge\n";
    for (rows, words) in [
        (
            "1,hom,walk,bridge\n",
            &["line 2: state", "`hom`", "`home`"][..],
        ),
        ("1,9,walk,bridge\n", &["line 2: state", "state 9", "0 to 3"]),
        (
            "1,home,wlk,bridge\n",
            &["line 2: action", "`wlk`", "`walk`"],
        ),
        (
            "1,home,5,bridge\n",
            &["line 2: action", "action 5", "0 to 1"],
        ),
        (
            "1,home,walk,brige\n",
            &["line 2: next_state", "`brige`", "`bridge`"],
        ),
        ("1,,walk,bridge\n", &["line 2: state", "nothing", "value"]),
        (
            ",home,walk,bridge\n",
            &["line 2: episode", "nothing", "value"],
        ),
        (
            "1,bridge,detour,town\n",
            &["line 2: action", "not available", "bridge", "walk"],
        ),
        (
            "1,town,walk,home\n",
            &["line 2: action", "town", "terminal", "remove the row"],
        ),
        (
            "1,home,walk,path\n",
            &["line 2: next_state", "(home, walk)", "path", "correct"],
        ),
        (
            "1,home,walk,bridge\n1,path,walk,town\n",
            &["line 3: state", "jumps from bridge to path", "new episode"],
        ),
        (
            "1,bridge,walk,town\n1,home,walk,bridge\n",
            &["line 3: episode", "terminal state town", "new episode"],
        ),
        (
            "1,home,walk,\n1,bridge,walk,town\n",
            &["line 3: episode", "no next_state", "fill it in"],
        ),
        (
            "1,bridge,walk,town\n2,bridge,walk,town\n1,home,walk,bridge\n",
            &["line 4: episode", "`1`", "comes back", "together"],
        ),
        (
            "1,home,walk\n",
            &["line 2", "3 fields", "header has 4", "double quotes"],
        ),
        ("1,\"home,walk,bridge\n", &["line 2", "2 fields"]),
    ] {
        refused("a.csv", format!("{header}{rows}"), words);
        // Blank lines count, and so do the rows before.
        let later: Vec<String> = words
            .iter()
            .map(|w| {
                (2..5).rev().fold((*w).to_owned(), |w, n| {
                    w.replace(&format!("line {n}"), &format!("line {}", n + 2))
                })
            })
            .collect();
        let later: Vec<&str> = later.iter().map(String::as_str).collect();
        let text = format!("{header}\n{}{rows}", first.replace("1,", "first,"));
        refused("a.csv", text, &later);
    }
}

#[test]
fn what_is_wrong_with_a_header_is_named() {
    for (text, words) in [
        ("", &["line 1", "empty", "header"][..]),
        (
            "episode,state,action,next_state\n",
            &["rows", "none", "one row per step"],
        ),
        (
            "episode,state,action\n1,home,walk\n",
            &["line 1", "`next_state` is missing", "add it"],
        ),
        (
            "epsode,state,action,next_state\n",
            &["line 1", "unknown column `epsode`", "`episode`"],
        ),
        (
            "episode,state,state,action,next_state\n",
            &["line 1", "`state` is given twice", "keep one"],
        ),
    ] {
        refused("a.csv", text, words);
    }
}

#[test]
fn steps_and_sources_are_checked() {
    let header = "episode,step,state,action,next_state,source,expert_action\n";
    for (rows, words) in [
        (
            "1,0,home,walk,bridge,log,\n1,2,bridge,walk,town,log,\n",
            &["line 3: step", "2 comes after 0", "by 1"][..],
        ),
        (
            "1,0,home,walk,bridge,log,\n1,,bridge,walk,town,log,\n",
            &["line 3: step", "nothing comes after 0"],
        ),
        (
            "1,x,home,walk,bridge,log,\n",
            &["line 2: step", "`x`", "whole numbers"],
        ),
        ("1,-1,home,walk,bridge,log,\n", &["line 2: step", "`-1`"]),
        (
            "1,18446744073709551615,home,walk,bridge,log,\n1,0,bridge,walk,town,log,\n",
            &["line 3: step"],
        ),
        (
            "1,0,home,walk,bridge,exprt,\n",
            &["line 2: source", "`exprt`", "`expert`"],
        ),
        (
            "1,0,home,walk,bridge,log,jump\n",
            &["line 2: expert_action", "`jump`"],
        ),
        (
            "1,0,bridge,walk,town,log,detour\n",
            &["line 2: expert_action", "not available", "walk"],
        ),
        (
            "1,0,home,walk,bridge,expert,detour\n",
            &["line 2: expert_action", "detour", "walk", "`log`"],
        ),
    ] {
        refused("a.csv", format!("{header}{rows}"), words);
    }
}

#[test]
fn what_is_wrong_with_a_line_is_named() {
    let good = r#"{"episode": 1, "state": "home", "action": "walk", "next_state": "bridge"}"#;
    for (line, words) in [
        (
            "{\"episode\": 2",
            &["line 2, column 13", "EOF", "one JSON object"][..],
        ),
        (
            "[1, 2]",
            &["line 2, column", "expected an object", "one JSON object"],
        ),
        (
            &format!("{good} {good}"),
            &["line 2, column", "trailing", "one JSON object"],
        ),
        (
            r#"{"episod": 2}"#,
            &["line 2", "unknown column `episod`", "`episode`"],
        ),
        (
            r#"{"episode": 2, "episode": 3}"#,
            &["line 2", "`episode` is given twice", "keep one"],
        ),
        (
            r#"{"episode": 2, "state": 1.5}"#,
            &["line 2: state", "1.5", "whole number"],
        ),
        (
            r#"{"episode": 2, "state": -1}"#,
            &["line 2: state", "-1", "whole number"],
        ),
        (
            r#"{"episode": true}"#,
            &["line 2: episode", "true", "name in quotes"],
        ),
        (
            r#"{"episode": 2, "state": ["home"]}"#,
            &["line 2: state", "sequence"],
        ),
        (
            r#"{"state": "home", "action": "walk"}"#,
            &["line 2: episode", "nothing is given"],
        ),
        (
            r#"{"episode": 2, "action": "walk"}"#,
            &["line 2: state", "nothing is given"],
        ),
        (
            r#"{"episode": 2, "state": "home"}"#,
            &["line 2: action", "nothing is given"],
        ),
        (
            r#"{"episode": 2, "state": "0", "action": "walk"}"#,
            &["line 2: state", "unknown state `0`"],
        ),
        (
            r#"{"episode": 1, "state": "home", "action": "walk"}"#,
            &["line 2: state", "jumps"],
        ),
        (
            r#"{"episode": 2, "state": "h\u00f6me", "action": "walk"}"#,
            &["line 2: state", "`höme`", "`home`"],
        ),
    ] {
        refused("a.jsonl", format!("{good}\n{line}\n"), words);
    }
    refused("a.jsonl", "", &["rows", "none"]);
    refused("a.jsonl", "\n \n", &["rows", "none"]);
}

#[test]
fn bytes_that_are_no_text_and_endings_that_say_nothing() {
    let table = b"episode,state,action,next_state\n1,h\xffme,walk,bridge\n";
    refused("a.csv", table, &["line 2", "UTF-8", "save"]);
    refused("a.csv", b"epis\xffode,state\n", &["line 1", "UTF-8"]);
    refused(
        "a.jsonl",
        b"\n{\"episode\": \"\xff\"}\n",
        &["line 2", "UTF-8", "save"],
    );
    refused("a.txt", TABLE, &["`txt`", ".csv", ".jsonl"]);
    let task = model_file::parse(MODEL, "ways").unwrap().task().clone();
    let missing = Records::read(Path::new("no/such.csv"), &task, Source::Log, None);
    let message = missing.unwrap_err().to_string();
    assert!(message.contains("no/such.csv: cannot read"), "{message}");
}

#[test]
fn a_transition_is_impossible_only_where_the_dynamics_are_known() {
    let environment = model_file::parse(MODEL, "ways").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, "episode,state,action,next_state\n1,home,walk,path\n").unwrap();
    let read = Records::read(&path, environment.task(), Source::Log, None).unwrap();
    assert_eq!(read.transitions, [(Pair(0), State(2))]);
}

#[test]
fn what_is_written_is_read_back_and_fed() {
    let folder = tempfile::tempdir().unwrap();
    for (name, answers) in [("gridworld-3", true), ("rooms", false)] {
        let environment = builtin::environment(name).unwrap();
        let task = environment.task();
        let mut world = TableSimulator::new(&environment, 5);
        let mut acting = Stream::new(5, "acting");
        let random = Policy::uniform(task);
        let mut steps = Vec::new();
        for episode in 0..20 {
            let mut state = world.reset().unwrap();
            for count in 0..30 {
                if task.is_terminal(state) {
                    break;
                }
                let pair = random.sample(task, state, &mut acting);
                let next = world.step(pair).unwrap().next;
                steps.push(Step {
                    at: (episode, count),
                    pair,
                    next,
                    source: if episode % 2 == 0 {
                        Source::Log
                    } else {
                        Source::Expert
                    },
                    answer: (answers && episode % 2 == 0).then(|| world.ask_expert(state).unwrap()),
                });
                state = next;
            }
        }
        let mut seen = Learner::new(task.clone(), Inference::default());
        for step in &steps {
            seen.see_transition(step.pair, step.next);
            let expert = step.source == Source::Expert;
            if let Some(choice) = expert.then_some(step.pair).or(step.answer) {
                seen.see_expert(choice);
            }
        }
        seen.refresh();
        for file in ["a.csv", "a.jsonl"] {
            let path = folder.path().join(file);
            let mut writer = Writer::new(task, Format::of(&path).unwrap());
            steps.iter().for_each(|step| writer.write(step));
            io::write_atomic(&path, writer.text().as_bytes()).unwrap();
            let rows = environment.truth().model().rows();
            let records = Records::read(&path, task, Source::Log, Some(rows)).unwrap();
            assert_eq!((records.rows, records.episodes), (steps.len(), 20));
            let taken: Vec<_> = steps.iter().map(|s| (s.pair, s.next)).collect();
            assert_eq!(records.transitions, taken);
            let mut fed = Learner::new(task.clone(), Inference::default());
            records.feed(&mut fed);
            assert_eq!(fed.samples(), steps.len() as u64);
            assert_eq!(fed.values(), seen.values());
            assert_eq!(fed.cost(), seen.cost());
            let mut twice = records.clone();
            twice.append(records);
            assert_eq!((twice.rows, twice.episodes), (2 * steps.len(), 40));
            assert_eq!(twice.transitions.len(), 2 * steps.len());
        }
    }
}

#[test]
fn the_documented_records_are_records() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let text = std::fs::read_to_string(path).unwrap();
    let example = |language: &str| {
        let last = text.rsplit(&format!("```{language}\n")).next().unwrap();
        last.split("```").next().unwrap().to_owned()
    };
    let table = read("a.csv", example("csv"), Source::Log).unwrap();
    assert_eq!((table.rows, table.episodes, table.open_ends), (4, 2, 1));
    assert_eq!(table.choices, [Pair(1), Pair(1), Pair(3)]);
    let lines = read("a.jsonl", example("jsonl"), Source::Log).unwrap();
    assert_eq!(lines, table);
}
