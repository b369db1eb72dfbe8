//! Tries the readers of Hedgerow with damaged and invented files: `run.sh` says how to call it.

use hedgerow_fuzz::campaign::Campaign;
use hedgerow_fuzz::input::Input;
use hedgerow_fuzz::targets::{BROKEN, TARGETS, Target};
use hedgerow_fuzz::worker::{Work, answer, work};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str =
    "usage: hedgerow-fuzz SECONDS [TARGET...]\n       hedgerow-fuzz try TARGET INPUT";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &words[..] {
        ["worker", rest @ ..] => worker(rest),
        ["try", target, input] => attempt(target, Path::new(input)),
        [seconds, targets @ ..] => campaign(seconds, targets),
        [] => Err(USAGE.into()),
    };
    done.unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::FAILURE
    })
}

fn find(name: &str) -> Result<&'static Target, String> {
    let names = || TARGETS.map(|t| t.name).join(", ");
    let found = TARGETS.iter().chain([&BROKEN]).find(|t| t.name == name);
    found.ok_or_else(|| format!("there is no target `{name}`; use one of {}", names()))
}

/// The root of this crate.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Tries all targets for `seconds` together, with a seed that `HEDGEROW_FUZZ_SEED` may give.
fn campaign(seconds: &str, targets: &[&str]) -> Result<ExitCode, Box<dyn Error>> {
    let targets = match targets {
        [] => TARGETS.iter().collect(),
        names => names
            .iter()
            .map(|n| find(n))
            .collect::<Result<Vec<_>, _>>()?,
    };
    let seconds: f64 = seconds.parse().map_err(|_| USAGE)?;
    let seed = std::env::var("HEDGEROW_FUZZ_SEED").unwrap_or_else(|_| "0".to_owned());
    let offenders = root().join("../../target/fuzz-offenders");
    let campaign = Campaign {
        program: std::env::current_exe()?,
        corpus: root().join("corpus"),
        offenders: offenders.clone(),
        seed: seed.parse()?,
        time: Duration::try_from_secs_f64(seconds / targets.len() as f64)?,
        inputs: u64::MAX,
    };
    println!(
        "{:<14}{:>12}{:>12}{:>9}{:>11}",
        "target", "inputs", "read", "answers", "offenders"
    );
    let mut bad = 0;
    for target in targets {
        let tried = campaign.run(target)?;
        println!(
            "{:<14}{:>12}{:>12}{:>9}{:>11}",
            target.name, tried.inputs, tried.accepted, tried.shapes, tried.offenders
        );
        bad += tried.offenders;
    }
    if bad == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "inputs that readers could not bear: {}",
        offenders.display()
    );
    Ok(ExitCode::FAILURE)
}

/// What a campaign starts.
fn worker(arguments: &[&str]) -> Result<ExitCode, Box<dyn Error>> {
    let [target, corpus, folder, offenders, seed, seconds, inputs] = arguments else {
        return Err(USAGE.into());
    };
    let tried = work(&Work {
        target: find(target)?,
        corpus: corpus.into(),
        folder: folder.into(),
        offenders: offenders.into(),
        seed: seed.parse()?,
        time: Duration::try_from_secs_f64(seconds.parse()?)?,
        inputs: inputs.parse()?,
    })?;
    println!(
        "{} {} {} {}",
        tried.inputs, tried.accepted, tried.shapes, tried.offenders
    );
    Ok(ExitCode::SUCCESS)
}

/// The answer to one input.
fn attempt(target: &str, path: &Path) -> Result<ExitCode, Box<dyn Error>> {
    let target = find(target)?;
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("input");
    Input::read(path)?.write(&place)?;
    println!("{:?}", answer(target, &place));
    Ok(ExitCode::SUCCESS)
}
