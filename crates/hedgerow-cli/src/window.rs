//! What the window can show: how wide it is, which colours it has.

use clap::ValueEnum;
use std::io::IsTerminal;

/// Columns where nobody says how many there are.
const USUAL: usize = 80;

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal that has them, unless NO_COLOR or CLICOLOR=0 is set; CLICOLOR_FORCE=1 always
    Auto,
    /// Also into a file or another program
    Always,
    /// Never
    Never,
}

/// Which colours there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// None.
    None,
    /// The 256 of xterm.
    Indexed,
    /// All.
    True,
}

/// Columns of the terminal behind standard output, or what COLUMNS says, or 80.
pub fn width() -> usize {
    width_of(std::io::stdout())
}

/// The same for another stream.
#[cfg(unix)]
pub fn width_of(stream: impl std::os::fd::AsFd) -> usize {
    either(terminal_size::terminal_size_of(stream))
}

/// The same for another stream.
#[cfg(windows)]
pub fn width_of(stream: impl std::os::windows::io::AsHandle) -> usize {
    either(terminal_size::terminal_size_of(stream))
}

fn either(size: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    let said = || std::env::var("COLUMNS").ok()?.trim().parse().ok();
    let columns = size.map(|(width, _)| usize::from(width.0)).or_else(said);
    columns.filter(|&c| c > 0).unwrap_or(USUAL)
}

/// The colours to use on standard output.
pub fn colours(when: When) -> Colours {
    let wanted = match when {
        When::Always => true,
        When::Never => false,
        When::Auto if anstyle_query::no_color() => false,
        When::Auto if anstyle_query::clicolor_force() => true,
        When::Auto => {
            std::io::stdout().is_terminal()
                && anstyle_query::clicolor() != Some(false)
                && anstyle_query::term_supports_ansi_color()
        }
    };
    match wanted {
        false => Colours::None,
        true if anstyle_query::truecolor() => Colours::True,
        true => Colours::Indexed,
    }
}

impl Colours {
    /// `text` on `ground`, in black or white, whichever is easier to read, or in grey if `faint`.
    pub fn paint(self, text: &str, ground: [u8; 3], faint: bool) -> String {
        // As the 256 colours are numbered, and as a shade.
        let (number, ink) = match luminance(ground) {
            _ if faint => (247, 158),
            dark if dark < 0.5 => (231, 255),
            _ => (16, 0),
        };
        match self {
            Self::None => text.to_owned(),
            Self::Indexed => {
                format!("\x1b[38;5;{number};48;5;{}m{text}\x1b[0m", index(ground))
            }
            Self::True => {
                let [r, g, b] = ground;
                format!("\x1b[38;2;{ink};{ink};{ink};48;2;{r};{g};{b}m{text}\x1b[0m")
            }
        }
    }
}

/// How bright a colour looks, from 0 to 1.
fn luminance([r, g, b]: [u8; 3]) -> f64 {
    (0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b)) / 255.0
}

/// The nearest of xterm's 240 fixed colours: a cube of six steps a channel, then 24 greys.
fn index(colour: [u8; 3]) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let far = |a: [u8; 3], b: [u8; 3]| -> u32 {
        let channels = a.iter().zip(b);
        channels.map(|(x, y)| u32::from(x.abs_diff(y)).pow(2)).sum()
    };
    let near = |c: u8| (0..6u8).min_by_key(|&i| STEPS[usize::from(i)].abs_diff(c));
    let [r, g, b] = colour.map(|c| near(c).unwrap_or(0));
    let cube = [r, g, b].map(|i| STEPS[usize::from(i)]);
    let grey = |i: u8| [8 + 10 * i; 3];
    let shade = (0..24u8).min_by_key(|&i| far(colour, grey(i))).unwrap_or(0);
    match far(colour, grey(shade)) < far(colour, cube) {
        true => 232 + shade,
        false => 16 + 36 * r + 6 * g + b,
    }
}

/// `text` in lines of at most `width` columns, all but the first moved in by `indent`. Words that
/// are longer than a line are cut.
pub fn wrap(text: &str, width: usize, indent: usize) -> String {
    let room = width.saturating_sub(indent).max(1);
    let mut lines = vec![String::new()];
    let length = |line: &str| line.chars().count();
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        let last = &lines[lines.len() - 1];
        // The first line is not moved in.
        let fits = if lines.len() == 1 { width } else { room };
        if !last.is_empty() && length(last) + 1 + letters.len() > fits {
            lines.push(String::new());
        } else if !last.is_empty() {
            lines.last_mut().into_iter().for_each(|l| l.push(' '));
        }
        for letter in letters {
            let fits = if lines.len() == 1 { width } else { room };
            if length(&lines[lines.len() - 1]) >= fits {
                lines.push(String::new());
            }
            lines.last_mut().into_iter().for_each(|l| l.push(letter));
        }
    }
    lines.join(&format!("\n{:indent$}", "")) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_the_cube_and_greys_find_themselves() {
        assert_eq!(index([0, 0, 0]), 16);
        assert_eq!(index([255, 255, 255]), 231);
        assert_eq!(index([255, 0, 0]), 196);
        assert_eq!(index([95, 135, 215]), 68);
        assert_eq!(index([128, 128, 128]), 244);
        assert_eq!(index([250, 4, 2]), 196);
    }

    #[test]
    fn letters_are_legible_on_their_ground() {
        let white_on_dark = "\x1b[38;2;255;255;255;48;2;10;20;30m9 \x1b[0m";
        assert_eq!(
            Colours::True.paint("9 ", [10, 20, 30], false),
            white_on_dark
        );
        let black_on_light = "\x1b[38;5;16;48;5;231m. \x1b[0m";
        assert_eq!(
            Colours::Indexed.paint(". ", [255; 3], false),
            black_on_light
        );
        let grey_on_light = "\x1b[38;5;247;48;5;231m. \x1b[0m";
        assert_eq!(Colours::Indexed.paint(". ", [255; 3], true), grey_on_light);
        assert_eq!(Colours::None.paint(". ", [255; 3], false), ". ");
    }

    #[test]
    fn lines_are_wrapped_at_words_and_words_cut_only_if_they_must() {
        assert_eq!(wrap("one two three", 13, 2), "one two three\n");
        assert_eq!(wrap("one two three", 12, 2), "one two\n  three\n");
        assert_eq!(
            wrap("one abcdefghij k", 6, 2),
            "one\n  abcd\n  efgh\n  ij k\n"
        );
        assert_eq!(wrap("", 6, 2), "\n");
    }
}
