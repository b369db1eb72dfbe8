//! What is not whole in a results folder, as lines for a terminal.

use crate::terminal;
use hedgerow::results::FileProblem;

/// A heading, the first `most` problems, and how many there are beyond them, which `rest` tells
/// how to see; nothing without problems.
pub fn listed(problems: &[FileProblem], most: usize, rest: &str) -> Vec<String> {
    if problems.is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["not whole, or not part of the results:".to_owned()];
    let shown = problems.iter().take(most);
    lines.extend(shown.map(|p| plain(&format!("{}: {}", p.file, p.problem))));
    if let more @ 1.. = problems.len().saturating_sub(most) {
        lines.push(format!("and {more} more: {rest}"));
    }
    lines
}

/// Text of one line: names of files may hold anything, and a terminal obeys control characters.
pub fn plain(text: &str) -> String {
    terminal::plain(&text.replace('\n', "?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_are_listed_and_no_name_commands_the_terminal() {
        let problem = |file: &str| FileProblem {
            file: file.to_owned(),
            problem: "lost".to_owned(),
        };
        let all = ["a", "b\u{1b}[2J", "c"].map(problem);
        assert_eq!(listed(&[], 2, ""), [""; 0]);
        assert_eq!(
            listed(&all, 2, "look"),
            [
                "not whole, or not part of the results:",
                "a: lost",
                "b?[2J: lost",
                "and 1 more: look"
            ]
        );
    }
}
