//! What the page is made from, as a fingerprint: a page with another one is out of date.

use hedgerow::fingerprint::Fingerprint;
use std::collections::BTreeSet;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Folders and files whose content is in the page, from the root of the repository.
const MADE_FROM: [&str; 7] = [
    "crates/hedgerow/src",
    "crates/hedgerow-report/src",
    "crates/hedgerow-web/Cargo.toml",
    "crates/hedgerow-web/assets",
    "crates/hedgerow-web/assemble",
    "crates/hedgerow-web/presets",
    "crates/hedgerow-web/src",
];

/// The fingerprint of all that the page under `root` is made from: sources, and the versions of the
/// crates that they are built with.
pub fn fingerprint(root: &Path) -> Result<String> {
    let mut print = Fingerprint::new();
    for place in MADE_FROM {
        let mut files = BTreeSet::new();
        list(&root.join(place), &mut files)?;
        for file in files {
            let name = file.strip_prefix(root).unwrap_or(&file);
            print.text(&name.to_string_lossy().replace('\\', "/"));
            print.text(&std::fs::read_to_string(&file)?);
        }
    }
    let lock = std::fs::read_to_string(root.join("Cargo.lock"))?;
    for crate_ in crates(&lock)? {
        print.text(&crate_);
    }
    Ok(print.to_string())
}

fn list(place: &Path, files: &mut BTreeSet<PathBuf>) -> Result<()> {
    if place.is_file() {
        files.insert(place.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(place)? {
        list(&entry?.path(), files)?;
    }
    Ok(())
}

/// Name and version of every crate in `lock` that the playground is built with.
fn crates(lock: &str) -> Result<BTreeSet<String>> {
    let invalid = |why: &str| Error::new(ErrorKind::InvalidData, format!("Cargo.lock: {why}"));
    let lock: Table = lock.parse().map_err(|e| invalid(&format!("{e}")))?;
    let packages = lock.get("package").and_then(Value::as_array);
    let packages = packages.ok_or_else(|| invalid("no packages"))?;
    let text = |p: &Value, key: &str| p.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    let mut open = vec!["hedgerow-web".to_owned(), "hedgerow-assemble".to_owned()];
    let mut found = BTreeSet::new();
    while let Some(wanted) = open.pop() {
        // A dependency is written with its version only where there are several.
        let (name, version) = wanted.split_once(' ').unwrap_or((&wanted, ""));
        let is = |p: &&Value| {
            text(p, "name") == name && (version.is_empty() || text(p, "version") == version)
        };
        for package in packages.iter().filter(is) {
            let said = format!("{name} {}", text(package, "version"));
            if !found.insert(said) {
                continue;
            }
            let needs = package.get("dependencies").and_then(Value::as_array);
            let needs = needs.into_iter().flatten().filter_map(Value::as_str);
            open.extend(needs.map(str::to_owned));
        }
    }
    Ok(found)
}
