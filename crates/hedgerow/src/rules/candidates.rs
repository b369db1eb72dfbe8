//! Rules of one shape: areas of pairs that are constrained and that the expert never takes.
//!
//! Pairs with the same values of all columns of a shape share a field. A field is good if some
//! pair in it is constrained and none is taken. Good fields that follow each other along the last
//! column are a run, runs that fill the same part of neighbouring lines are an area, and every area
//! is a candidate. That takes sorting the fields of lines with a constrained pair, and nothing else.

use super::known::Known;
use super::shapes::Shape;
use crate::verdict::Verdict;
use std::collections::HashSet;

/// A rule that could be made.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Column, least and largest value.
    pub(super) conditions: Vec<(usize, u32, u32)>,
    /// The constrained pairs that it covers, ascending.
    pub(super) pairs: Vec<u32>,
    /// How many it covers that bring nothing.
    pub(super) no_gain: usize,
    /// How many it covers that are undecided.
    pub(super) undecided: usize,
}

/// Values of up to two single columns and two ranged ones, the rest 0.
type Key = [u32; 4];

/// Good fields of one line that follow each other.
struct Run {
    /// The single values, and the value of the first ranged column of its first and last line.
    single: [u32; 2],
    lines: [u32; 2],
    /// Values of the last column: those of its fields, and how far no other field is met.
    inner: [u32; 2],
    outer: [u32; 2],
    found: Candidate,
}

/// Adds all candidates of `shape`.
pub(super) fn find(
    known: &Known,
    shape: &Shape,
    verdicts: &[Verdict],
    candidates: &mut Vec<Candidate>,
) {
    let fields = fields(known, shape, verdicts);
    let mut open: Vec<Run> = Vec::new();
    let mut done: Vec<Run> = Vec::new();
    let line_of = |key: Key| [key[0], key[1], key[2]];
    for line in fields.chunk_by(|a, b| line_of(a.0) == line_of(b.0)) {
        let [a, b, c] = line_of(line[0].0);
        let near = |r: &Run| r.single == [a, b] && r.lines[1] + 1 == c;
        let (mut before, old): (Vec<Run>, Vec<Run>) = open.drain(..).partition(near);
        done.extend(old);
        for run in runs(line, verdicts) {
            let fits = |r: &Run| {
                let outer = [r.outer[0].max(run.outer[0]), r.outer[1].min(run.outer[1])];
                let inner = [r.inner[0].min(run.inner[0]), r.inner[1].max(run.inner[1])];
                outer[0] <= inner[0] && inner[1] <= outer[1]
            };
            open.push(match before.iter().position(fits) {
                Some(i) => joined(before.swap_remove(i), run),
                None => run,
            });
        }
        done.extend(before);
    }
    done.extend(open);
    candidates.extend(done.into_iter().map(|run| finished(run, shape)));
}

/// The pairs of lines that have a constrained one, sorted by field.
fn fields(known: &Known, shape: &Shape, verdicts: &[Verdict]) -> Vec<(Key, u32)> {
    let last = shape.ranged.len().saturating_sub(1);
    let key = |pair: usize| -> Option<Key> {
        let mut key = [0; 4];
        for (i, &column) in shape.single.iter().enumerate() {
            key[i] = known.column(column).code(pair)?;
        }
        for (i, &column) in shape.ranged.iter().enumerate() {
            let place = if i == last { 3 } else { 2 };
            key[place] = known.column(column).code(pair)?;
        }
        Some(key)
    };
    let constrained = (0..verdicts.len()).filter(|&i| verdicts[i] == Verdict::Constrained);
    let line = |key: Key| [key[0], key[1], key[2]];
    let lines: HashSet<[u32; 3]> = constrained.filter_map(key).map(line).collect();
    let kept = |pair: usize| {
        let key = key(pair).filter(|&k| lines.contains(&line(k)))?;
        Some((key, pair as u32))
    };
    let mut fields: Vec<(Key, u32)> = (0..verdicts.len()).filter_map(kept).collect();
    fields.sort_unstable();
    fields
}

/// The runs of one line.
fn runs(line: &[(Key, u32)], verdicts: &[Verdict]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    // Whether the field before was good, and the first value after the last one that was not.
    let (mut running, mut from) = (false, 0);
    for field in line.chunk_by(|a, b| a.0 == b.0) {
        let [a, b, c, value] = field[0].0;
        let of = |verdict: Verdict| {
            field
                .iter()
                .filter(move |f| verdicts[f.1 as usize] == verdict)
        };
        let good = of(Verdict::Constrained).next().is_some() && of(Verdict::Taken).next().is_none();
        if !good {
            if let Some(run) = runs.last_mut().filter(|_| running) {
                run.outer[1] = value - 1;
            }
            (running, from) = (false, value + 1);
            continue;
        }
        if !running {
            runs.push(Run {
                single: [a, b],
                lines: [c, c],
                inner: [value, value],
                outer: [from, u32::MAX],
                found: Candidate {
                    conditions: Vec::new(),
                    pairs: Vec::new(),
                    no_gain: 0,
                    undecided: 0,
                },
            });
        }
        running = true;
        if let Some(run) = runs.last_mut() {
            run.inner[1] = value;
            run.found
                .pairs
                .extend(of(Verdict::Constrained).map(|f| f.1));
            run.found.no_gain += of(Verdict::NoGain).count();
            run.found.undecided += of(Verdict::Undecided).count();
        }
    }
    runs
}

/// A run with one of the next line.
fn joined(mut area: Run, run: Run) -> Run {
    area.lines[1] = run.lines[1];
    area.inner = [
        area.inner[0].min(run.inner[0]),
        area.inner[1].max(run.inner[1]),
    ];
    area.outer = [
        area.outer[0].max(run.outer[0]),
        area.outer[1].min(run.outer[1]),
    ];
    area.found.pairs.extend(run.found.pairs);
    area.found.no_gain += run.found.no_gain;
    area.found.undecided += run.found.undecided;
    area
}

fn finished(run: Run, shape: &Shape) -> Candidate {
    let mut found = run.found;
    found.pairs.sort_unstable();
    let singles = shape.single.iter().zip(run.single);
    found.conditions = singles
        .map(|(&column, value)| (column, value, value))
        .collect();
    match shape.ranged[..] {
        [] => {}
        [only] => found.conditions.push((only, run.inner[0], run.inner[1])),
        [first, second, ..] => {
            found.conditions.push((first, run.lines[0], run.lines[1]));
            found.conditions.push((second, run.inner[0], run.inner[1]));
        }
    }
    found
}
