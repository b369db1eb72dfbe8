//! The readers that are tried.

use hedgerow::constraint::Constraint;
use hedgerow::env::Environment;
use hedgerow::io::records::{Records, Source};
use hedgerow::io::{
    Defaults, columns_file, explicit, features_file, grid_file, model_file, policy_file, read_text,
    to_json, umb,
};
use hedgerow::learn::{Inference, Learner};
use hedgerow::results::Results;
use hedgerow::sweep::Experiment;
use hedgerow_continuous::maze::{self, replay};
use hedgerow_continuous::net::Network;
use hedgerow_continuous::sample_file::SampleFile;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What a reader says: what it has read, or one line about what is wrong.
pub type Answer = Result<String, String>;

/// A reader of files.
pub struct Target {
    /// Its name, which is that of the folder of its corpus.
    pub name: &'static str,
    /// Reads the files of a folder.
    pub read: fn(&Path) -> Answer,
}

/// All readers.
pub const TARGETS: [Target; 14] = [
    Target {
        name: "model",
        read: model,
    },
    Target {
        name: "grid",
        read: grid,
    },
    Target {
        name: "experiment",
        read: experiment,
    },
    Target {
        name: "records",
        read: records,
    },
    Target {
        name: "policy",
        read: policy,
    },
    Target {
        name: "features",
        read: features,
    },
    Target {
        name: "constraint",
        read: constraint,
    },
    Target {
        name: "umb",
        read: umb_file,
    },
    Target {
        name: "explicit",
        read: explicit_text,
    },
    Target {
        name: "results",
        read: results,
    },
    Target {
        name: "maze",
        read: maze_file,
    },
    Target {
        name: "trajectories",
        read: trajectories,
    },
    Target {
        name: "network",
        read: network,
    },
    Target {
        name: "samples",
        read: samples,
    },
];

/// A reader that does all that readers must not, to try the harness itself.
pub const BROKEN: Target = Target {
    name: "broken",
    read: broken,
};

/// The largest world that is written and read again.
const AGAIN: usize = 2_000;

fn said(error: hedgerow::Error) -> String {
    error.to_string()
}

/// The first file of a folder that ends like this.
fn ending(folder: &Path, ending: &str) -> Option<PathBuf> {
    let paths = crate::input::sorted(folder).ok()?;
    paths
        .into_iter()
        .find(|p| p.extension().is_some_and(|e| e == ending))
}

fn file(folder: &Path, kind: &str) -> Result<PathBuf, String> {
    ending(folder, kind).ok_or_else(|| format!("there is no .{kind} file"))
}

fn text(folder: &Path, kind: &str) -> Result<String, String> {
    read_text(&file(folder, kind)?).map_err(said)
}

/// What can be read can be written and read again.
fn again(environment: &Environment) -> Answer {
    let task = environment.task();
    if task.pairs() < AGAIN {
        let written = to_json(environment);
        let read = model_file::parse(&written, environment.name());
        let copy = read.unwrap_or_else(|e| panic!("written and not read again: {e}"));
        assert_eq!(copy.task(), task, "written and read again");
    }
    Ok(format!("{} states", task.states()))
}

fn model(folder: &Path) -> Answer {
    let text = text(folder, "json")?;
    let known = model_file::parse_known(&text, "input");
    match model_file::parse(&text, "input") {
        Ok(environment) => again(&environment),
        Err(error) => known.map(|k| k.name).map_err(|_| said(error)),
    }
}

fn grid(folder: &Path) -> Answer {
    let grid = grid_file::parse(&text(folder, "toml")?, "input").map_err(said)?;
    let copy = grid_file::parse(&grid.to_toml(), "other");
    let copy = copy.unwrap_or_else(|e| panic!("written and not read again: {e}"));
    assert_eq!(copy.to_toml(), grid.to_toml(), "written and read again");
    again(&grid.environment().map_err(said)?)
}

fn experiment(folder: &Path) -> Answer {
    let experiment = Experiment::read(&file(folder, "toml")?).map_err(said)?;
    Ok(format!("{} seeds", experiment.seeds().len()))
}

/// A small world with names, for files that speak of one.
fn world() -> &'static Environment {
    static WORLD: OnceLock<Environment> = OnceLock::new();
    WORLD.get_or_init(|| {
        let text = include_str!("../corpus/model/two-ways.json");
        model_file::parse(text, "two-ways").expect("the corpus holds it")
    })
}

fn records(folder: &Path) -> Answer {
    let path = file(folder, "csv").or_else(|_| file(folder, "jsonl"))?;
    let task = world().task();
    let rows = world().truth().model().rows();
    let strict = Records::read(&path, task, Source::Expert, Some(rows));
    let records = Records::read(&path, task, Source::Log, None).map_err(said)?;
    let mut learner = Learner::new(task.clone(), Inference::default());
    records.feed(&mut learner);
    let kept = records.without_slips(task, 0.2).map_err(said)?;
    Ok(format!("{} slips, strict {}", kept.1.len(), strict.is_ok()))
}

fn policy(folder: &Path) -> Answer {
    let path = file(folder, "csv").or_else(|_| file(folder, "json"))?;
    policy_file::read(&path, world()).map_err(said)?;
    Ok("a policy".to_owned())
}

fn features(folder: &Path) -> Answer {
    let path = file(folder, "csv")?;
    let task = world().task();
    let numbers = features_file::read(&path, task).map(|f| f.names().len());
    let columns = columns_file::read(&path, task);
    // A table of numbers is one of columns too.
    if let (Ok(_), Err(e)) = (&numbers, &columns) {
        panic!("features, and no columns: {e}");
    }
    Ok(format!(
        "{} features, {:?}",
        columns.map_err(said)?.len(),
        numbers.is_ok()
    ))
}

fn constraint(folder: &Path) -> Answer {
    let path = file(folder, "json")?;
    let read = Constraint::read(&path).map_err(said)?;
    // Damaged files must do no harm to what works with them either.
    let _ = read.text(true);
    let known = read.verdicts_in(world().task()).map_err(said)?;
    Ok(format!("{} verdicts", known.iter().flatten().count()))
}

/// Unless the file is there as it is, the archive is made of the other files.
fn umb_file(folder: &Path) -> Answer {
    let bytes = match ending(folder, "umb") {
        Some(path) => fs::read(path).map_err(|e| e.to_string())?,
        None => {
            let mut archive = tar::Builder::new(Vec::new());
            archive
                .append_dir_all("", folder)
                .map_err(|e| e.to_string())?;
            archive.into_inner().map_err(|e| e.to_string())?
        }
    };
    let defaults = Defaults {
        gamma: Some(0.9),
        ..Defaults::default()
    };
    let own = umb::parse(&bytes, "input", &Defaults::default());
    let read = own.or_else(|_| umb::parse(&bytes, "input", &defaults));
    again(&read.map_err(said)?)
}

fn explicit_text(folder: &Path) -> Answer {
    let path = file(folder, "tra")?;
    let own = explicit::read(&path, &Defaults::default());
    let defaults = Defaults {
        gamma: Some(0.9),
        ..Defaults::default()
    };
    let read = own.or_else(|_| explicit::read(&path, &defaults));
    again(&read.map_err(said)?)
}

fn results(folder: &Path) -> Answer {
    let results = Results::read(folder).map_err(said)?;
    for environment in &results.environments {
        let _ = (environment.task(), environment.grid());
        let _ = (environment.graph(), environment.goals());
    }
    let problems: Vec<&str> = results
        .problems
        .iter()
        .map(|p| p.problem.as_str())
        .collect();
    Ok(format!(
        "{} rows, {}",
        results.summary().len(),
        problems.join(", ")
    ))
}

fn maze_file(folder: &Path) -> Answer {
    let text = text(folder, "toml")?;
    let maze = maze::file::parse(&text, "input").map_err(said)?;
    let copy = maze::file::parse(&maze.design().to_toml(), "other");
    let copy = copy.unwrap_or_else(|e| panic!("written and not read again: {e}"));
    assert_eq!(copy.design().to_toml(), maze.design().to_toml());
    Ok(format!("{} goals", maze.goals().len()))
}

fn trajectories(folder: &Path) -> Answer {
    let read = replay::parse(&text(folder, "json")?).map_err(said)?;
    for trajectory in &read {
        trajectory.replay().map_err(said)?;
    }
    Ok(format!("{} trajectories", read.len()))
}

/// Unless the file is there as it is, it is made of a header and numbers.
/// A safetensors file, or its header and its numbers apart.
fn tensors(folder: &Path) -> Result<Vec<u8>, String> {
    let read = |path: PathBuf| fs::read(path).map_err(|e| e.to_string());
    if let Some(path) = ending(folder, "safetensors") {
        return read(path);
    }
    let header = read(file(folder, "json")?)?;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    bytes.extend(read(file(folder, "bin")?)?);
    Ok(bytes)
}

fn samples(folder: &Path) -> Answer {
    let samples = SampleFile::from_bytes(&tensors(folder)?).map_err(said)?;
    let bytes = samples.bytes().map_err(said)?;
    let copy = SampleFile::from_bytes(&bytes);
    let copy = copy.unwrap_or_else(|e| panic!("written and not read again: {e}"));
    assert_eq!(copy.bytes().map_err(said)?, bytes);
    let last = (0..samples.len()).filter(|&i| samples.is_last(i)).count();
    Ok(format!("{last} episodes"))
}

fn network(folder: &Path) -> Answer {
    let bytes = tensors(folder)?;
    let network = Network::from_bytes(&bytes).map_err(said)?;
    let copy = Network::from_bytes(&network.bytes().map_err(said)?);
    let copy = copy.unwrap_or_else(|e| panic!("written and not read again: {e}"));
    assert_eq!(copy.net.sizes(), network.net.sizes());
    let inputs = vec![0.5; network.net.inputs()];
    let mut scratch = hedgerow_continuous::net::Scratch::new(&network.net);
    let outputs = network.net.forward(&inputs, &mut scratch).len();
    Ok(format!("{outputs} outputs"))
}

fn broken(folder: &Path) -> Answer {
    match text(folder, "txt")?.trim() {
        "panic" => panic!("as it was asked to"),
        "crash" => std::process::abort(),
        "hang" => loop {
            std::hint::spin_loop();
        },
        "memory" => {
            let mut much = Vec::new();
            loop {
                much.push(vec![1_u8; 1 << 20]);
                std::hint::black_box(&much);
            }
        }
        "lines" => Err("two\nlines".to_owned()),
        _ => Ok("nothing".to_owned()),
    }
}
