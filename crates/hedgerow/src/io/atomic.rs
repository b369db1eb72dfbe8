//! Files that are either the old or the new version, never half of one.
//!
//! ```
//! use hedgerow::io::write_atomic;
//!
//! let folder = std::env::temp_dir().join("hedgerow-atomic-example");
//! let path = folder.join("results").join("table.csv");
//! write_atomic(&path, b"a,b\n1,2\n")?;
//! assert_eq!(std::fs::read(&path).unwrap(), b"a,b\n1,2\n");
//! # std::fs::remove_dir_all(folder).unwrap();
//! # Ok::<(), hedgerow::Error>(())
//! ```

use crate::{Error, Result};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Links that lead to links, at most.
const LINKS: usize = 40;

/// Replaces `path` by `bytes` in one step, creating its folder if need be.
///
/// The bytes go to a temporary file in the same folder, reach the disk, and only then take the
/// name: an interrupted program leaves the old file or none. A symbolic link stays, and the file it
/// leads to is replaced. A device or a pipe is opened and written to, never replaced.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = PendingFile::create(path)?;
    file.write(bytes)?;
    file.finish()
}

/// Refuses a path that cannot be a file: a folder, or something below a file. Nothing is written;
/// long work can ask before it begins.
pub fn check_writable(path: &Path) -> Result<()> {
    let target = Target::of(path).map_err(|e| Error::writing(path, e))?;
    let Target::File(file) = &target else {
        return Ok(());
    };
    let there = file.ancestors().skip(1).find(|above| above.exists());
    match there.is_none_or(|above| above.as_os_str().is_empty() || above.is_dir()) {
        true => Ok(()),
        false => Err(Error::writing(path, ErrorKind::NotADirectory.into())),
    }
}

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// A file, or nothing yet: what is written takes this name in one step.
    File(PathBuf),
    /// A device, a pipe or a descriptor: it is opened and written to.
    Through(PathBuf),
    /// The standard output of this program.
    Output,
    /// Its standard error.
    Errors,
}

impl Target {
    fn of(path: &Path) -> io::Result<Self> {
        let mut at = path.to_owned();
        for _ in 0..LINKS {
            if let Some(stream) = Self::stream(&at) {
                return Ok(stream);
            }
            let kind = match fs::symlink_metadata(&at) {
                Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Self::File(at)),
                Err(e) => return Err(e),
                Ok(there) => there.file_type(),
            };
            if kind.is_dir() {
                return Err(ErrorKind::IsADirectory.into());
            }
            // What stands for an open file is not a place in a folder.
            let is_open = ["/dev", "/proc"].iter().any(|d| at.starts_with(d));
            if is_open || !(kind.is_file() || kind.is_symlink()) {
                return Ok(Self::Through(at));
            }
            if kind.is_file() {
                return Ok(Self::File(at));
            }
            let to = fs::read_link(&at)?;
            at = at.parent().unwrap_or(Path::new("")).join(to);
        }
        Err(io::Error::other("the link leads round in a circle"))
    }

    /// Opened once more, a stream that goes to a file would begin at its start.
    fn stream(path: &Path) -> Option<Self> {
        match path.to_str()? {
            "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => Some(Self::Output),
            "/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2" => Some(Self::Errors),
            _ => None,
        }
    }
}

/// A file that is written bit by bit and takes its name when it is whole; see [`write_atomic`].
#[derive(Debug)]
pub struct PendingFile {
    path: PathBuf,
    to: To,
}

#[derive(Debug)]
enum To {
    File(tempfile::NamedTempFile, PathBuf),
    Through(fs::File),
    Output,
    Errors,
}

impl PendingFile {
    /// Begins to write what `path` will be.
    pub fn create(path: &Path) -> Result<Self> {
        let open = || -> io::Result<To> {
            Ok(match Target::of(path)? {
                Target::File(file) => To::File(temporary(&folder_of(&file)?)?, file),
                Target::Through(device) => {
                    To::Through(fs::File::options().write(true).open(device)?)
                }
                Target::Output => To::Output,
                Target::Errors => To::Errors,
            })
        };
        Ok(Self {
            to: open().map_err(|e| Error::writing(path, e))?,
            path: path.to_owned(),
        })
    }

    /// Adds `bytes`.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = match &mut self.to {
            To::File(file, _) => file.write_all(bytes),
            To::Through(file) => file.write_all(bytes),
            To::Output => written(&mut io::stdout(), bytes),
            To::Errors => written(&mut io::stderr(), bytes),
        };
        written.map_err(|e| Error::writing(&self.path, e))
    }

    /// Gives it its name. Without this a file is as it was before.
    pub fn finish(self) -> Result<()> {
        let Self { path, to } = self;
        let To::File(file, target) = to else {
            return Ok(());
        };
        let persist = || -> io::Result<()> {
            file.as_file().sync_all()?;
            file.persist(target).map_err(|e| e.error)?;
            Ok(())
        };
        persist().map_err(|e| Error::writing(&path, e))
    }
}

/// A reader that has seen enough (`| head`) is not an error.
fn written(stream: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    match stream.write_all(bytes).and_then(|()| stream.flush()) {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// The folder of a file, which is made if need be.
fn folder_of(path: &Path) -> io::Result<PathBuf> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    Ok(folder.to_owned())
}

/// A temporary file with the permissions an ordinary new file would have, not the private ones
/// that temporary files usually get.
fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".writing-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_made_old_content_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c.txt");
        write_atomic(&path, b"old and long").unwrap();
        write_atomic(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_path_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let message = write_atomic(&file.join("below"), b"")
            .unwrap_err()
            .to_string();
        assert!(message.contains("below: cannot write"), "{message}");
    }

    #[test]
    fn what_cannot_be_a_file_is_refused_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "mine").unwrap();
        let said = |path: &Path| check_writable(path).unwrap_err().to_string();
        assert!(said(folder.path()).contains("it is a folder"));
        for below in [file.join("below"), file.join("far/below")] {
            assert!(said(&below).contains("is a file, not a folder"));
            let late = write_atomic(&below, b"").unwrap_err().to_string();
            assert!(late.contains("is a file, not a folder"), "{late}");
        }
        check_writable(&folder.path().join("new/and/new")).unwrap();
        check_writable(Path::new("new")).unwrap();
        check_writable(&file).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_unfinished_file_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        let mut file = PendingFile::create(&path).unwrap();
        file.write(b"half of").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    mod special {
        use super::*;
        use std::os::unix::fs::{FileTypeExt, symlink};

        #[test]
        fn a_link_stays_and_what_it_leads_to_is_replaced() {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            fs::create_dir(at("sub")).unwrap();
            fs::write(at("sub/file"), "old").unwrap();
            symlink("sub/file", at("link")).unwrap();
            symlink(at("link"), at("second")).unwrap();
            symlink("sub/new", at("dangling")).unwrap();
            for (link, file) in [
                ("link", "sub/file"),
                ("second", "sub/file"),
                ("dangling", "sub/new"),
            ] {
                write_atomic(&at(link), link.as_bytes()).unwrap();
                assert!(at(link).is_symlink(), "{link}");
                assert!(!at(file).is_symlink());
                assert_eq!(fs::read(at(file)).unwrap(), link.as_bytes());
            }
            assert_eq!(fs::read_dir(at("sub")).unwrap().count(), 2);
        }

        #[test]
        fn a_link_to_a_folder_or_to_itself_is_refused() {
            let folder = tempfile::tempdir().unwrap();
            let link = folder.path().join("link");
            symlink(folder.path(), &link).unwrap();
            let said = |path: &Path| write_atomic(path, b"").unwrap_err().to_string();
            assert!(said(&link).contains("it is a folder"));
            let circle = folder.path().join("circle");
            symlink("circle", &circle).unwrap();
            assert!(said(&circle).contains("circle"));
            assert!(link.is_symlink() && circle.is_symlink());
        }

        #[test]
        fn a_pipe_is_written_to_and_stays_one() {
            let folder = tempfile::tempdir().unwrap();
            let pipe = folder.path().join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status();
            assert!(made.unwrap().success());
            let to_pipe = folder.path().join("link");
            symlink("pipe", &to_pipe).unwrap();
            for path in [&pipe, &to_pipe] {
                let reader = std::thread::spawn({
                    let pipe = pipe.clone();
                    move || fs::read(pipe).unwrap()
                });
                write_atomic(path, b"through").unwrap();
                assert_eq!(reader.join().unwrap(), b"through");
                let kind = fs::symlink_metadata(&pipe).unwrap().file_type();
                assert!(kind.is_fifo());
            }
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        }

        #[test]
        fn devices_are_never_replaced() {
            for device in ["/dev/null", "/dev/full", "/proc/self/fd/0"] {
                if fs::symlink_metadata(device).is_ok() {
                    let through = Target::Through(device.into());
                    assert_eq!(Target::of(Path::new(device)).unwrap(), through);
                }
            }
            assert_eq!(
                Target::of(Path::new("/dev/stdout")).unwrap(),
                Target::Output
            );
            assert_eq!(Target::of(Path::new("/dev/fd/2")).unwrap(), Target::Errors);
        }
    }
}
