//! Reading and writing constraints.

use super::{Constraint, FORMAT};
use crate::io::{check_name, refuse_device, sealed, write_atomic};
use crate::{Error, Result};
use std::path::Path;

/// How the tags of all versions of the format begin, as a file has them.
const FAMILY: &str = "\"hedgerow-constraint/";

/// More would be no constraint of ours.
const LARGEST: u64 = 1 << 32;

impl Constraint {
    /// Saves it with a checksum.
    pub fn write(&self, path: &Path) -> Result<()> {
        write_atomic(path, &sealed::seal(self)?)
    }

    /// Reads a saved constraint. One of another program may lack the checksum; one that has it must
    /// be unchanged.
    pub fn read(path: &Path) -> Result<Self> {
        let place = path.display().to_string();
        let refuse = |problem: String, remedy: &str| Error::invalid(&place, problem, remedy);
        refuse_device(path)?;
        let size = std::fs::metadata(path).map_err(|e| Error::reading(path, e))?;
        if size.len() > LARGEST {
            let problem = format!("{} bytes are too many for a constraint", size.len());
            return Err(refuse(
                problem,
                "give a file written by `hedgerow infer --out`",
            ));
        }
        let bytes = std::fs::read(path).map_err(|e| Error::reading(path, e))?;
        let mut read: Self = sealed::open_foreign(&bytes, FORMAT).map_err(|problem| {
            let remedy = "write it again with `hedgerow infer ENV --out FILE`";
            refuse(problem, remedy)
        })?;
        read.checksum = None;
        // Reports are filed by it.
        check_name(&read.env).map_err(|e| e.at_place(format!("{place}: env")))?;
        for (i, pair) in read.pairs.iter().enumerate() {
            let numbers = [pair.low, pair.high, pair.cost];
            if pair.low > pair.high || numbers.iter().any(|x| !x.is_finite()) {
                let problem = format!(
                    "pairs[{i}] has the interval [{}, {}] and the cost {}",
                    pair.low, pair.high, pair.cost
                );
                return Err(refuse(
                    problem,
                    "use finite numbers, the smaller bound first",
                ));
            }
        }
        Ok(read)
    }

    /// Whether the file at `path` says that it is a constraint.
    pub fn is_file(path: &Path) -> bool {
        #[derive(serde::Deserialize)]
        struct Head {
            format: String,
        }
        // Asking a pipe would wait for its writer.
        if !path.is_file() {
            return false;
        }
        let Ok(bytes) = std::fs::read(path) else {
            return false;
        };
        // Ours begin with it, even where the rest is lost; those of other programs may not.
        let begins = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).contains(FAMILY);
        let says = |h: Head| h.format.starts_with(FAMILY.trim_start_matches('"'));
        begins || serde_json::from_slice::<Head>(&bytes).is_ok_and(says)
    }
}
