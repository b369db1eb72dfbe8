//! Reading and writing constraints.

use super::{Constraint, FORMAT};
use crate::io::{check_name, refuse_device, sealed, write_atomic};
use crate::{Error, Result};
use std::io::Read;
use std::path::Path;

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
        let mut head = Vec::new();
        // Asking a pipe would wait for its writer.
        if !path.is_file() {
            return false;
        }
        let open = std::fs::File::open(path);
        let read = open.and_then(|f| f.take(200).read_to_end(&mut head));
        let head = String::from_utf8_lossy(&head);
        read.is_ok() && head.contains("\"hedgerow-constraint/")
    }
}
