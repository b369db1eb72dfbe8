//! Files: drawn grids (TOML), models (JSON, and those of other programs: UMB and text), experts (CSV or JSON), records of transitions and
//! demonstrations (CSV or JSON Lines), and writing without half-written results.
//!
//! Every error from a file is one line that starts with the file and the place in it.
//!
//! ```
//! use hedgerow::io::{grid_file, model_file, open, to_json};
//!
//! // Built in by name; a path to a `.toml` or `.json` file works the same.
//! let environment = open("gridworld-3")?;
//! let again = model_file::parse(&to_json(&environment), "copy")?;
//! assert_eq!(again.truth().model(), environment.truth().model());
//!
//! let refused = grid_file::parse("gama = 0.7\nmap = 'S.G'", "small").unwrap_err();
//! assert_eq!(refused.to_string(), "gama: unknown key; did you mean `gamma`?");
//! # Ok::<(), hedgerow::Error>(())
//! ```

pub mod atomic;
pub mod classes_file;
pub mod columns_file;
mod expert;
pub mod explicit;
pub mod features_file;
mod find;
pub mod grid_file;
mod json_path;
pub mod keys;
mod layout;
pub mod memory;
pub mod model_file;
mod model_lists;
mod model_text;
mod names;
pub mod policy_file;
pub mod records;
pub(crate) mod sealed;
mod tables;
pub mod umb;

pub use crate::env::check_name;
pub use atomic::{PendingFile, check_writable, write_atomic};
pub use expert::best_within;
pub use find::{find_pair, find_state};
pub use model_text::to_json;
pub use tables::Defaults;

use crate::env::grid::Grid;
use crate::env::{Environment, Layout, Positions, builtin};
use crate::error::nearest;
use crate::model::Task;
use crate::{Error, Result};
use std::path::Path;
use std::sync::Arc;

/// The environment called `name_or_path`: built in, a drawn grid (`.toml`) or a model (`.json`,
/// `.umb` or `.tra`).
pub fn open(name_or_path: &str) -> Result<Environment> {
    open_with(name_or_path, &Defaults::default())
}

/// As [`open`], with something to assume where a file does not say: files of other programs have no
/// discount.
pub fn open_with(name_or_path: &str, defaults: &Defaults) -> Result<Environment> {
    let path = Path::new(name_or_path);
    refuse_folder(path)?;
    if is_builtin(name_or_path) {
        return checked(builtin::environment(name_or_path)?, defaults);
    }
    memory::check_file(path, defaults.memory).map_err(|e| e.within(path.display()))?;
    match ending(path) {
        "umb" => umb::read(path, defaults).map_err(|e| or_builtin(path, e)),
        "tra" => explicit::read(path, defaults).map_err(|e| or_builtin(path, e)),
        "json" => {
            let text = environment_text(path)?;
            let environment = model_file::parse(&text, &stem(path));
            let checked = environment.and_then(|e| checked(e, defaults));
            checked.map_err(|e| e.within(path.display()))
        }
        _ => {
            let grid = open_grid(name_or_path)?;
            let fits = memory::check_grid(&grid, defaults.memory);
            let environment = fits.and_then(|()| grid.environment());
            let checked = environment.and_then(|e| checked(e, defaults));
            checked.map_err(|e| e.within(path.display()))
        }
    }
}

/// An environment that says its discount, unless another one was asked for.
fn checked(environment: Environment, defaults: &Defaults) -> Result<Environment> {
    defaults.check(environment.task().gamma())?;
    Ok(environment)
}

/// Writes an environment as the ending of `path` says: a model (`.json`), or for other programs
/// (`.umb`, or `.tra` in the form of PRISM).
pub fn write(path: &Path, environment: &Environment) -> Result<()> {
    match ending(path) {
        "json" => write_atomic(path, to_json(environment).as_bytes()),
        "umb" => umb::write(path, environment),
        "tra" => explicit::write(path, environment, explicit::Form::Prism),
        _ => Err(Error::invalid(
            path.display().to_string(),
            "the ending says nothing about the format",
            "end the name in .json for a model file, or .umb or .tra for other programs",
        )),
    }
}

/// What a name or a file describes: the task and, unless the dynamics are missing, the environment.
#[derive(Clone, Debug)]
pub struct OpenedTask {
    /// The name results are filed under.
    pub name: String,
    /// States, available actions, rewards, start, terminals, discount.
    pub task: Arc<Task>,
    /// Where the states lie on a grid, if they do.
    pub layout: Option<Layout>,
    /// Where the states are drawn that lie on no grid, if the file says so.
    pub positions: Option<Positions>,
    /// Dynamics, cost and expert; `None` for a model file without `transitions`.
    pub environment: Option<Environment>,
}

impl From<Environment> for OpenedTask {
    fn from(environment: Environment) -> Self {
        Self {
            name: environment.name().to_owned(),
            task: environment.task().clone(),
            layout: environment.layout().cloned(),
            positions: environment.positions().cloned(),
            environment: Some(environment),
        }
    }
}

/// As [`open`], but a model file may leave out its dynamics.
pub fn open_task(name_or_path: &str) -> Result<OpenedTask> {
    open_task_with(name_or_path, &Defaults::default())
}

/// As [`open_with`], but a model file may leave out its dynamics.
pub fn open_task_with(name_or_path: &str, defaults: &Defaults) -> Result<OpenedTask> {
    let path = Path::new(name_or_path);
    refuse_folder(path)?;
    if is_builtin(name_or_path) || ending(path) != "json" {
        return open_with(name_or_path, defaults).map(OpenedTask::from);
    }
    memory::check_file(path, defaults.memory).map_err(|e| e.within(path.display()))?;
    let text = environment_text(path)?;
    let known = model_file::parse_known(&text, &stem(path));
    let checked = known.and_then(|known| defaults.check(known.task.gamma()).map(|()| known));
    checked.map_err(|e| e.within(path.display()))
}

/// The drawn grid called `name_or_path`: built in or a `.toml` file.
pub fn open_grid(name_or_path: &str) -> Result<Grid> {
    let path = Path::new(name_or_path);
    refuse_folder(path)?;
    if !is_builtin(name_or_path) {
        if ending(path) == "toml" {
            let text = environment_text(path)?;
            return grid_file::parse(&text, &stem(path)).map_err(|e| e.within(path.display()));
        }
        if path.exists() {
            return Err(Error::invalid(
                name_or_path,
                "this file does not hold a drawn grid",
                "a drawn grid ends in .toml, a model in .json, .umb or .tra",
            ));
        }
    }
    builtin::grid(name_or_path)
}

/// Whether `name_or_path` is a drawn grid rather than a model file.
pub fn is_grid(name_or_path: &str) -> bool {
    is_builtin(name_or_path) || !["json", "umb", "tra"].contains(&ending(Path::new(name_or_path)))
}

fn is_builtin(name: &str) -> bool {
    builtin::names().iter().any(|n| n == name)
}

/// A built-in name stays one in a folder that has a folder of that name.
fn refuse_folder(path: &Path) -> Result<()> {
    if !path.is_dir() || path.to_str().is_some_and(is_builtin) {
        return Ok(());
    }
    Err(Error::invalid(
        path.display().to_string(),
        "it is a folder, not an environment",
        "name a drawn map (.toml), a model (.json, .umb, .tra) or a built-in environment",
    ))
}

/// The text of an environment's file; a missing one may be a built-in name misspelt.
fn environment_text(path: &Path) -> Result<String> {
    read_text(path).map_err(|e| or_builtin(path, e))
}

fn or_builtin(path: &Path, error: Error) -> Error {
    match error {
        Error::Io { ref source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            let known = builtin::names();
            let phrase = nearest(&stem(path), known.iter().map(String::as_str));
            Error::invalid(
                path.display().to_string(),
                "there is no such file",
                format!("check the path, or use a built-in environment: {phrase}"),
            )
        }
        other => other,
    }
}

/// The text of a file, which must be UTF-8. A device, which may have no end, is refused.
pub fn read_text(path: &Path) -> Result<String> {
    refuse_device(path)?;
    let bytes = std::fs::read(path).map_err(|e| Error::reading(path, e))?;
    String::from_utf8(bytes).map_err(|e| {
        let valid = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|&&b| b == b'\n').count();
        Error::invalid(
            format!("{}: line {line}", path.display()),
            "the text is not UTF-8",
            "save the file as UTF-8",
        )
    })
}

/// Refuses a device, which may have no end.
pub(crate) fn refuse_device(path: &Path) -> Result<()> {
    match is_device(path) {
        false => Ok(()),
        true => Err(Error::invalid(
            path.display().to_string(),
            "it is a device, not a file",
            "name a file",
        )),
    }
}

#[cfg(unix)]
fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = std::fs::metadata(path).map(|there| there.file_type());
    kind.is_ok_and(|kind| kind.is_char_device() || kind.is_block_device())
}

#[cfg(not(unix))]
fn is_device(_path: &Path) -> bool {
    false
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|e| e.to_str()).unwrap_or("")
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// A message of another library, squeezed into one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
