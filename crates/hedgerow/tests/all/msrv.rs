//! The oldest Rust that `Cargo.toml` promises must do for every dependency.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Dependencies that do not say what they need, their versions, and what building them has shown:
/// candle-core calls `__cpuid_count` without `unsafe`, which Rust allows since 1.94.
const MEASURED: &[(&str, &str, [u64; 3])] = &[("candle-core", "0.11.", [1, 94, 0])];

fn version(text: &str) -> [u64; 3] {
    let mut parts = [0; 3];
    for (part, text) in parts.iter_mut().zip(text.split('.')) {
        *part = text.parse().unwrap();
    }
    parts
}

/// All packages that the lock file names for this machine.
fn packages() -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = |command: &mut Command| {
        let output = command.current_dir(&root).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let about = output(Command::new("rustc").arg("-vV"));
    let host = about.lines().find_map(|l| l.strip_prefix("host: "));
    let options = ["metadata", "--offline", "--locked", "--format-version", "1"];
    let mut command = Command::new(cargo);
    command
        .args(options)
        .args(["--filter-platform", host.unwrap()]);
    let found: Value = serde_json::from_str(&output(&mut command)).unwrap();
    found["packages"].as_array().unwrap().clone()
}

#[test]
fn the_promised_version_is_enough_for_every_dependency() {
    let packages = packages();
    let text = |package: &Value, key: &str| package[key].as_str().map(str::to_owned);
    let ours = packages.iter().find(|p| p["name"] == "hedgerow").unwrap();
    let promised = version(&text(ours, "rust_version").unwrap());
    assert!(packages.len() > 50, "{}", packages.len());
    for package in &packages {
        let name = text(package, "name").unwrap();
        if let Some(needs) = text(package, "rust_version") {
            assert!(version(&needs) <= promised, "{name} needs Rust {needs}");
        }
    }
    for (name, versions, needs) in MEASURED {
        let package = packages.iter().find(|p| p["name"] == *name).unwrap();
        let found = text(package, "version").unwrap();
        assert!(
            found.starts_with(versions),
            "{name} is {found} now: build it with older compilers, and note what it needs"
        );
        assert!(*needs <= promised, "{name} needs Rust {needs:?}");
    }
    let readme = include_str!("../../../../README.md");
    let said = format!("Rust ({}.{} or newer)", promised[0], promised[1]);
    assert!(readme.contains(&said), "README.md does not say `{said}`");
}
