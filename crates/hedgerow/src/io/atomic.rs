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
use std::io::Write;
use std::path::Path;

/// Replaces `path` by `bytes` in one step, creating its folder if need be.
///
/// The bytes go to a temporary file in the same folder, reach the disk, and only then take the
/// name: an interrupted program leaves the old file or none.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, bytes).map_err(|e| Error::writing(path, e))
}

fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut file = temporary(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// A temporary file with the permissions an ordinary new file would have, not the private ones
/// that temporary files usually get.
fn temporary(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
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
}
