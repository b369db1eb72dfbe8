//! Writing an environment as a model file.

use crate::env::Environment;
use crate::index::Pair;
use crate::io::layout;
use crate::io::model_file::FORMAT;
use crate::model::{Dynamics, Task};

/// The model file of an environment; reading it back gives the same numbers bit for bit, and the
/// same drawing.
pub fn to_json(environment: &Environment) -> String {
    let task = environment.task();
    let truth = environment.truth();
    let states = match task.state_names() {
        [] => task.states().to_string(),
        names => list(names.iter().map(|n| quoted(n))),
    };
    let terminal = task.all_states().filter(|&s| task.is_terminal(s));
    let transitions = task.all_pairs().flat_map(|pair| {
        let (next, prob) = truth.model().rows().row(pair);
        let (s, a) = (task.state_of(pair).0, task.action_of(pair).0);
        let own = task.transition_rewards(pair).1;
        let entry = move |(i, (next, p)): (usize, (&u32, &f64))| match own.get(i) {
            None => format!("[{s}, {a}, {next}, {p:?}]"),
            Some(r) => format!("[{s}, {a}, {next}, {p:?}, {r:?}]"),
        };
        next.iter().zip(prob).enumerate().map(entry)
    });
    let start = task.start().iter();
    let mut keys = vec![
        ("format", quoted(FORMAT)),
        ("name", quoted(environment.name())),
        ("states", states),
        (
            "actions",
            list(task.action_names().iter().map(|n| quoted(n))),
        ),
        ("gamma", format!("{:?}", task.gamma())),
        ("horizon", environment.horizon().to_string()),
        (
            "start",
            lines(start.map(|(s, p)| format!("[{}, {p:?}]", s.0))),
        ),
        ("terminal", list(terminal.map(|s| s.0.to_string()))),
        ("transitions", lines(transitions)),
        ("rewards", lines(on_pairs(task, task.reward()))),
    ];
    if let Some((low, high)) = task.declared_range() {
        keys.push(("value_range", format!("[{low:?}, {high:?}]")));
    }
    // No cost entry at all says that the truth is not known.
    if truth.cost().support() > 0 {
        keys.push(("cost", lines(on_pairs(task, truth.cost().values()))));
    }
    keys.push(("budget", format!("{:?}", truth.budget())));
    keys.push(("expert", lines(on_pairs(task, truth.expert().probs()))));
    keys.extend(layout::to_text(environment).map(|text| ("layout", text)));
    let keys: Vec<String> = keys
        .into_iter()
        .map(|(key, value)| format!("  \"{key}\": {value}"))
        .collect();
    format!("{{\n{}\n}}\n", keys.join(",\n"))
}

/// Entries `[s, a, value]` of the values that are not zero.
fn on_pairs<'a>(task: &'a Task, values: &'a [f64]) -> impl Iterator<Item = String> + 'a {
    values.iter().enumerate().filter_map(|(i, v)| {
        let pair = Pair::new(i);
        let (s, a) = (task.state_of(pair).0, task.action_of(pair).0);
        (*v != 0.0).then(|| format!("[{s}, {a}, {v:?}]"))
    })
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn lines(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.map(|item| format!("    {item}")).collect();
    if items.is_empty() {
        "[]".to_owned()
    } else {
        format!("[\n{}\n  ]", items.join(",\n"))
    }
}
