//! Little-endian arrays, their sizes checked before anything is made of them.

use super::archive::Entries;
use crate::{Error, Result};

const WORD: usize = 8;

/// `count` values of `width` bytes at `name`; `None` if there is no such array.
fn sized<'a>(
    entries: &'a Entries,
    name: &str,
    count: usize,
    width: usize,
) -> Result<Option<&'a [u8]>> {
    let Some(bytes) = entries.get(name) else {
        return Ok(None);
    };
    match count.checked_mul(width) == Some(bytes.len()) {
        true => Ok(Some(bytes)),
        false => Err(Error::invalid(
            name,
            format!(
                "{} bytes where {count} values of {width} are due",
                bytes.len()
            ),
            "make the array as long as the index says",
        )),
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    let (words, _) = bytes.as_chunks::<WORD>();
    words.iter().map(|w| u64::from_le_bytes(*w))
}

/// `count` doubles.
pub(super) fn doubles(entries: &Entries, name: &str, count: usize) -> Result<Option<Vec<f64>>> {
    let bytes = sized(entries, name, count, WORD)?;
    Ok(bytes.map(|b| words(b).map(f64::from_bits).collect()))
}

/// `count` numbers of 32 bits, each below `below`.
pub(super) fn small(
    entries: &Entries,
    name: &str,
    count: usize,
    below: usize,
) -> Result<Option<Vec<u32>>> {
    let Some(bytes) = sized(entries, name, count, 4)? else {
        return Ok(None);
    };
    let (values, _) = bytes.as_chunks::<4>();
    let values: Vec<u32> = values.iter().map(|v| u32::from_le_bytes(*v)).collect();
    match values.iter().position(|&v| v as usize >= below) {
        None => Ok(Some(values)),
        Some(i) => Err(too_large(name, i, values[i].into(), below)),
    }
}

/// `count` numbers of 64 bits, each below `below`, which 32 bits can hold.
pub(super) fn indices(
    entries: &Entries,
    name: &str,
    count: usize,
    below: usize,
) -> Result<Option<Vec<u32>>> {
    let Some(bytes) = sized(entries, name, count, WORD)? else {
        return Ok(None);
    };
    let values = words(bytes)
        .enumerate()
        .map(|(i, v)| match u32::try_from(v) {
            Ok(small) if (small as usize) < below => Ok(small),
            _ => Err(too_large(name, i, v, below)),
        });
    values.collect::<Result<_>>().map(Some)
}

fn too_large(name: &str, i: usize, value: u64, below: usize) -> Error {
    Error::invalid(
        format!("{name}[{i}]"),
        format!("{value} is out of range"),
        format!("use a number below {below}"),
    )
}

/// Offsets of `count` intervals that together cover `0..total`; without the array every interval is
/// of length one.
pub(super) fn offsets(
    entries: &Entries,
    name: &str,
    count: usize,
    total: usize,
) -> Result<Vec<usize>> {
    let Some(bytes) = sized(entries, name, count + 1, WORD)? else {
        return match count == total {
            true => Ok((0..=count).collect()),
            false => Err(Error::invalid(
                name,
                format!("missing, although {count} and {total} differ"),
                "add the array",
            )),
        };
    };
    let mut offsets = Vec::with_capacity(count + 1);
    let mut last = 0;
    for (i, offset) in words(bytes).enumerate() {
        let first = i > 0 || offset == 0;
        match usize::try_from(offset) {
            Ok(here) if first && here >= last && here <= total => last = here,
            _ => {
                return Err(Error::invalid(
                    format!("{name}[{i}]"),
                    format!("the offset {offset} is not from {last} to {total}"),
                    "let offsets begin at 0 and never go down",
                ));
            }
        }
        offsets.push(last);
    }
    match last == total {
        true => Ok(offsets),
        false => Err(Error::invalid(
            format!("{name}[{count}]"),
            format!("the last offset is {last}, not {total}"),
            "end with the number that the index says",
        )),
    }
}

/// `count` bits.
pub(super) fn bits(entries: &Entries, name: &str, count: usize) -> Result<Option<Vec<bool>>> {
    let bytes = sized(entries, name, count.div_ceil(64), WORD)?;
    let bit = |bytes: &[u8], i: usize| bytes[i / 8] >> (i % 8) & 1 == 1;
    Ok(bytes.map(|b| (0..count).map(|i| bit(b, i)).collect()))
}

/// The `count` texts in a folder; none if there are no such arrays.
pub(super) fn texts(entries: &Entries, folder: &str, count: usize) -> Result<Vec<String>> {
    let (mapping, strings) = (
        format!("{folder}/string-mapping.bin"),
        format!("{folder}/strings.bin"),
    );
    if !entries.contains_key(&mapping) {
        return Ok(Vec::new());
    }
    let none = Vec::new();
    let bytes = entries.get(&strings).unwrap_or(&none);
    let offsets = offsets(entries, &mapping, count, bytes.len())?;
    let text = |(i, of): (usize, &[usize])| {
        let text = std::str::from_utf8(&bytes[of[0]..of[1]]);
        text.map(str::to_owned).map_err(|_| {
            Error::invalid(
                &strings,
                format!("text {i} is not UTF-8"),
                "write it as UTF-8",
            )
        })
    };
    offsets.windows(2).enumerate().map(text).collect()
}
