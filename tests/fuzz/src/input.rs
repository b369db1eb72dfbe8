//! An input: a file, or a small folder of files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files of an input by their names, folders in them separated by `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Name and content.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Input {
    /// The file or folder at `path`.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut input = Self::default();
        if path.is_dir() {
            input.gather(path, "")?;
        } else {
            input.files.insert(name_of(path), fs::read(path)?);
        }
        Ok(input)
    }

    fn gather(&mut self, folder: &Path, before: &str) -> io::Result<()> {
        for path in sorted(folder)? {
            let name = format!("{before}{}", name_of(&path));
            match path.is_dir() {
                true => self.gather(&path, &format!("{name}/"))?,
                false => {
                    self.files.insert(name, fs::read(&path)?);
                }
            }
        }
        Ok(())
    }

    /// Makes `folder` hold this input and nothing else.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        match fs::remove_dir_all(folder) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => fs::create_dir_all(folder)?,
        }
        for (name, bytes) in &self.files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, bytes)?;
        }
        Ok(())
    }
}

/// All inputs of a folder, in the order of their names.
pub fn corpus(folder: &Path) -> io::Result<Vec<Input>> {
    sorted(folder)?
        .iter()
        .map(|path| Input::read(path))
        .collect()
}

/// What a folder holds, in the order of the names.
pub fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
