//! `hedgerow init`: files to start from.

use crate::terminal::{print, print_json};
use clap::Args;
use hedgerow::{Error, Result};
use serde::Serialize;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The files and what each contains.
const FILES: [(&str, &str); 4] = [
    ("README.md", include_str!("README.md")),
    ("map.toml", include_str!("map.toml")),
    ("model.json", include_str!("model.json")),
    ("experiment.toml", include_str!("experiment.toml")),
];

/// The options of `hedgerow init`.
#[derive(Debug, Args)]
pub struct Init {
    /// The folder; it is made if it does not exist
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Written {
    files: Vec<PathBuf>,
    /// Commands to go on with, each as its arguments.
    next: Vec<Vec<String>>,
}

impl Init {
    /// Writes the files, unless one of them is there already.
    pub fn run(&self) -> Result<()> {
        let files: Vec<PathBuf> = FILES.iter().map(|(name, _)| self.path(name)).collect();
        if let Some(there) = files.iter().find(|f| f.symlink_metadata().is_ok()) {
            return Err(Error::invalid(
                there.display().to_string(),
                "it exists, and nothing is overwritten",
                "choose another folder: hedgerow init DIR",
            ));
        }
        std::fs::create_dir_all(&self.folder).map_err(|e| Error::writing(&self.folder, e))?;
        for (file, (_, content)) in files.iter().zip(FILES) {
            write_new(file, content).map_err(|e| Error::writing(file, e))?;
        }
        let next = self.next();
        if self.json {
            return print_json(&Written { files, next });
        }
        let mut text = String::new();
        for file in &files {
            text.push_str(&format!("{}\n", file.display()));
        }
        text.push_str("\nnext:\n");
        for command in &next {
            let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
            text.push_str(&format!("  {}\n", words.join(" ")));
        }
        print(&text)
    }

    fn path(&self, name: &str) -> PathBuf {
        match self.folder == Path::new(".") {
            true => PathBuf::from(name),
            false => self.folder.join(name),
        }
    }

    fn next(&self) -> Vec<Vec<String>> {
        let [map, model, experiment, results] =
            ["map.toml", "model.json", "experiment.toml", "results"]
                .map(|name| self.path(name).display().to_string());
        let commands: [&[&str]; 7] = [
            &["envs", "show", &map],
            &["infer", &map],
            &["explain", &map, "--cell", "2,1", "--exact"],
            &["envs", "show", &model],
            &["infer", &model],
            &["run", &experiment, "--out", &results],
            &["report", &results],
        ];
        let words = |command: &&[&str]| {
            let words = std::iter::once("hedgerow").chain(command.iter().copied());
            words.map(str::to_owned).collect()
        };
        commands.iter().map(words).collect()
    }
}

/// Writes a file that must not exist, not even by now.
fn write_new(path: &Path, content: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(content.as_bytes())
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=:".contains(c);
    match word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
