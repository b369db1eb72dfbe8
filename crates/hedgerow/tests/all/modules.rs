//! The shape of the sources of all crates: modules form no cycle, functions can be read in one go.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Most lines of a function, unless the line above it says why it is longer.
const LINES: usize = 60;

/// How that line begins.
const REASON: &str = "// Long: ";

const CRATES: [&str; 5] = [
    "hedgerow",
    "hedgerow-continuous",
    "hedgerow-report",
    "hedgerow-web",
    "hedgerow-cli",
];

fn sources(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(name)
        .join("src")
}

/// All files of a crate: path below `src`, and text.
fn files(name: &str) -> Vec<(PathBuf, String)> {
    let root = sources(name);
    let mut found = Vec::new();
    let mut open = vec![root.clone()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(&root).unwrap().to_owned(), text));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "{name} has no sources");
    found
}

/// The top-level module of a file; none for the root of the crate.
fn module_of(file: &Path) -> Option<String> {
    let first = file.components().next()?.as_os_str().to_str()?;
    let name = first.trim_end_matches(".rs");
    (!["lib", "main"].contains(&name)).then(|| name.to_owned())
}

/// The code of a file with strings, characters and comments blanked, line by line as it was.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |i| i + 2)
        } else if let Some(length) = literal(rest, code.chars().last()) {
            length
        } else {
            code.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
        code.extend(rest[..length].chars().map(blank));
        rest = &rest[length..];
    }
    code
}

/// The length of the string or character that `text` begins with, if it does.
fn literal(text: &str, before: Option<char>) -> Option<usize> {
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if let Some(raw) = text.strip_prefix('r').filter(|_| !in_word) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let inside = &raw[hashes + 1..];
            return inside.find(&end).map(|i| 2 + hashes + i + end.len());
        }
    }
    match text.chars().next()? {
        '"' => {
            let mut escaped = false;
            for (i, c) in text.char_indices().skip(1) {
                match c {
                    '"' if !escaped => return Some(i + 1),
                    '\\' => escaped = !escaped,
                    _ => escaped = false,
                }
            }
            Some(text.len())
        }
        // A character, not a lifetime: it is closed two letters on, or is escaped.
        '\'' => {
            let mut letters = text.char_indices().skip(1);
            let (_, first) = letters.next()?;
            if first == '\\' {
                return text[3..].find('\'').map(|i| i + 4);
            }
            let (end, second) = letters.next()?;
            (second == '\'').then_some(end + 1)
        }
        _ => None,
    }
}

/// The byte just after the block that opens at or after `start`.
fn end_of_block(code: &str, start: usize) -> usize {
    let mut depth = 0_usize;
    for (i, c) in code[start..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return start + i + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

/// The code without what is compiled for tests only, which is blanked.
fn without_tests(code: &str) -> String {
    let mut kept = code.to_owned();
    while let Some(start) = kept.find("#[cfg(test)]") {
        let end = end_of_block(&kept, start);
        let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
        let blanked: String = kept[start..end].chars().map(blank).collect();
        kept.replace_range(start..end, &blanked);
    }
    kept
}

/// The first segments of all paths `crate::x` and `crate::{x, y::z}`.
fn used(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (i, _) in code.match_indices("crate::") {
        let after = &code[i + "crate::".len()..];
        if after.starts_with('{') {
            let end = end_of_block(after, 0);
            found.extend(first_segments(&after[1..end - 1]));
        } else {
            found.extend(word(after));
        }
    }
    found
}

/// The first segment of every path of a list, nested lists left out.
fn first_segments(list: &str) -> Vec<String> {
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => parts.push(String::new()),
            c if depth == 0 => parts.last_mut().unwrap().push(c),
            _ => {}
        }
    }
    parts.iter().filter_map(|p| word(p.trim())).collect()
}

fn word(text: &str) -> Option<String> {
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_owned())
}

/// Which top-level modules of a crate use which others.
fn graph(name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let files = files(name);
    let modules: BTreeSet<String> = files.iter().filter_map(|(f, _)| module_of(f)).collect();
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in &files {
        let Some(module) = module_of(file) else {
            continue;
        };
        let mut uses = used(&without_tests(&code_of(text)));
        uses.retain(|m| modules.contains(m) && *m != module);
        graph.entry(module).or_default().extend(uses);
    }
    graph
}

/// A cycle of the graph, its first module repeated at the end.
fn cycle(graph: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn visit(
        graph: &BTreeMap<String, BTreeSet<String>>,
        module: &str,
        path: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> Option<Vec<String>> {
        if let Some(at) = path.iter().position(|m| m == module) {
            let mut found = path[at..].to_vec();
            found.push(module.to_owned());
            return Some(found);
        }
        if done.contains(module) {
            return None;
        }
        path.push(module.to_owned());
        let found = graph[module]
            .iter()
            .find_map(|m| visit(graph, m, path, done));
        path.pop();
        done.insert(module.to_owned());
        found
    }
    let mut done = BTreeSet::new();
    graph
        .keys()
        .find_map(|m| visit(graph, m, &mut Vec::new(), &mut done))
}

#[test]
fn the_modules_of_a_crate_form_no_cycle() {
    let mut cycles = Vec::new();
    for name in CRATES {
        let mut graph = graph(name);
        // One cycle after the other, so that the message names more than the first.
        while let Some(found) = cycle(&graph) {
            cycles.push(format!("{name}: {}", found.join(" -> ")));
            if let Some(uses) = graph.get_mut(&found[0]) {
                uses.remove(&found[1]);
            }
        }
    }
    assert!(cycles.is_empty(), "cycles:\n{}", cycles.join("\n"));
}

/// The functions of some code: where each begins and ends, as lines from 0, and its name.
fn functions(code: &str) -> Vec<(usize, usize, String)> {
    let line_of = |i: usize| code[..i].matches('\n').count();
    let mut found = Vec::new();
    for (i, _) in code.match_indices("fn ") {
        let starts_a_word = code[..i]
            .chars()
            .last()
            .is_none_or(|c| c.is_whitespace() || c == '(');
        let Some(name) = word(&code[i + 3..]).filter(|_| starts_a_word) else {
            continue;
        };
        // A declaration without a body ends at its semicolon.
        let opens = code[i..].find('{').unwrap_or(usize::MAX);
        let ends = code[i..].find(';').unwrap_or(usize::MAX);
        if opens < ends {
            found.push((line_of(i), line_of(end_of_block(code, i)), name));
        }
    }
    found
}

#[test]
fn functions_are_short_or_say_why_not() {
    let mut long = Vec::new();
    for name in CRATES {
        for (file, text) in files(name) {
            let lines: Vec<&str> = text.lines().collect();
            for (first, last, function) in functions(&code_of(&text)) {
                let length = last - first + 1;
                // Attributes and documentation may stand between the reason and the function.
                let mut above = lines[..first].iter().rev();
                let reason = above
                    .find(|l| !(l.trim().starts_with("#[") || l.trim().starts_with("///")))
                    .is_some_and(|l| l.trim().starts_with(REASON));
                if length > LINES && !reason {
                    let place = format!("{name}/src/{}:{}", file.display(), first + 1);
                    long.push(format!("{place}: {function} has {length} lines"));
                }
            }
        }
    }
    assert!(
        long.is_empty(),
        "split these, or say why not in a line `{REASON}...` above:\n{}",
        long.join("\n")
    );
}

#[test]
fn code_is_told_from_text_and_tests() {
    let text = r##"
//! crate::a
use crate::b::{self, crate_c};
use crate::{Error, d::{e, f}, g};
const S: &str = "crate::h { \" //";
const R: &str = r#"crate::i "quoted" {"#;
const C: [char; 3] = ['{', '\'', '"'];
/* crate::j { */
fn one<'a>(x: &'a str) -> char { crate::k::l(x); '}' }
#[cfg(test)]
mod tests {
    use crate::m;
    fn two() { "}"; }
}
"##;
    let code = code_of(text);
    assert_eq!(code.lines().count(), text.lines().count());
    let found = used(&without_tests(&code));
    assert_eq!(
        found.iter().map(String::as_str).collect::<Vec<_>>(),
        ["Error", "b", "d", "g", "k"]
    );
    let named: Vec<String> = functions(&code).into_iter().map(|f| f.2).collect();
    assert_eq!(named, ["one", "two"]);
}

#[test]
fn a_cycle_is_found_with_all_its_modules() {
    let uses = |of: &[(&str, &[&str])]| -> BTreeMap<String, BTreeSet<String>> {
        let set = |to: &[&str]| to.iter().map(|m| (*m).to_owned()).collect();
        of.iter()
            .map(|(m, to)| ((*m).to_owned(), set(to)))
            .collect()
    };
    let tree = uses(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    assert_eq!(cycle(&tree), None);
    let ring = uses(&[("a", &["b"]), ("b", &["c"]), ("c", &["d", "b"]), ("d", &[])]);
    assert_eq!(cycle(&ring).unwrap(), ["b", "c", "b"]);
}
