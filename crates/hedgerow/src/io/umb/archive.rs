//! The entries of an archive.

use super::{BRANCH_TO_PROBABILITY, BRANCH_TO_TARGET, CHOICE_ACTIONS, CHOICE_TO_BRANCHES, INDEX};
use super::{STATE_IS_INITIAL, STATE_NAMES, STATE_TO_CHOICES};
use crate::{Error, Result};
use flate2::read::MultiGzDecoder;
use std::collections::HashMap;
use std::io::{self, Cursor, Read};
use tar::Archive;

const GZIP: &[u8] = &[0x1f, 0x8b];
const XZ: &[u8] = &[0xfd, b'7', b'z', b'X', b'Z', 0];

/// How many times its size a packed file may unpack to, so that a small one cannot take all memory.
/// Arrays of a large model are seldom packed to less than a tenth.
const MOST_TIMES: u64 = 100;

/// Bytes that any packed file may unpack to.
const ALWAYS: u64 = 1 << 28;

/// The entries that a model is read from, by name.
pub(super) type Entries = HashMap<String, Vec<u8>>;

/// Unpacks what a model is read from; other entries are passed over.
pub(super) fn unpack(bytes: &[u8]) -> Result<Entries> {
    if bytes.starts_with(XZ) {
        return Err(Error::invalid(
            "archive",
            "it is packed with xz",
            "unpack it with `xz -d`, or pack it with gzip instead",
        ));
    }
    match bytes.starts_with(GZIP) {
        true => entries(Bounded {
            from: MultiGzDecoder::new(bytes),
            left: ALWAYS.max(MOST_TIMES.saturating_mul(bytes.len() as u64)),
        }),
        false => entries(Cursor::new(bytes)),
    }
}

/// What is read, up to so many bytes.
struct Bounded<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(into)?;
        let left = self.left.checked_sub(read as u64);
        self.left = left.ok_or_else(|| io::Error::other("it unpacks to far more than it holds"))?;
        Ok(read)
    }
}

fn entries(from: impl Read) -> Result<Entries> {
    let mut archive = Archive::new(from);
    let mut found = Entries::new();
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = entry.path_bytes().into_owned();
        let name = String::from_utf8_lossy(&name);
        let name = name.trim_start_matches("./").trim_start_matches('/');
        if !is_needed(name) {
            continue;
        }
        let size = entry.size();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(damaged)?;
        if bytes.len() as u64 != size {
            return Err(Error::invalid(
                name,
                format!("the archive ends after {} of {size} bytes", bytes.len()),
                "copy or write the file again",
            ));
        }
        if found.insert(name.to_owned(), bytes).is_some() {
            return Err(Error::invalid(
                name,
                "the archive holds it twice",
                "write the file again",
            ));
        }
    }
    match found.contains_key(INDEX) {
        true => Ok(found),
        false => Err(Error::invalid(
            INDEX,
            "the archive holds no index",
            "give a UMB file, as Storm, PRISM, Modest or `hedgerow envs export` write them",
        )),
    }
}

fn is_needed(name: &str) -> bool {
    let arrays = [
        INDEX,
        STATE_TO_CHOICES,
        STATE_IS_INITIAL,
        CHOICE_TO_BRANCHES,
        BRANCH_TO_TARGET,
        BRANCH_TO_PROBABILITY,
    ];
    let folders = [CHOICE_ACTIONS, STATE_NAMES, "annotations"];
    let within = |folder: &str| {
        name.strip_prefix(folder)
            .is_some_and(|n| n.starts_with('/'))
    };
    arrays.contains(&name) || folders.into_iter().any(within)
}

fn damaged(error: io::Error) -> Error {
    let said = super::super::one_line(&error.to_string());
    Error::invalid(
        "archive",
        format!("it cannot be unpacked ({said})"),
        "give a UMB file, a tar archive perhaps packed with gzip, and copy it again if it was cut short",
    )
}
