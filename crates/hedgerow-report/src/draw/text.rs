//! The font, and how wide a text is in it.
//!
//! Pictures must not depend on the fonts of a machine: all are made with Noto Sans alone, which the
//! program carries. Texts that it cannot set stay text in an SVG, which names fonts of like width.

use crate::theme::INK;
use resvg::usvg::fontdb::{Database, Source};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};
use std::sync::{Arc, LazyLock};

/// The fonts of an SVG, best first.
pub(crate) const FAMILY: &str = "'Noto Sans', 'Open Sans', Helvetica, Arial, sans-serif";

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Font {
    /// The size in points.
    pub size: f64,
    /// Whether it is bold.
    pub bold: bool,
    /// The colour, `#rrggbb`.
    pub colour: &'static str,
}

/// The smallest text there is, in points.
pub const SMALL: Font = font(6.5);
/// Labels of axes, entries of legends.
pub const LABEL: Font = font(7.5);
/// Titles of panels.
pub const TITLE: Font = Font {
    size: 8.0,
    bold: true,
    colour: INK,
};

const fn font(size: f64) -> Font {
    Font {
        size,
        bold: false,
        colour: INK,
    }
}

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for bytes in [notosans::REGULAR_TTF, notosans::BOLD_TTF] {
        fonts.load_font_source(Source::Binary(Arc::new(bytes)));
    }
    fonts.set_sans_serif_family("Noto Sans");
    Arc::new(fonts)
});

/// The fonts that PNG are made with.
pub(crate) fn fonts() -> Arc<Database> {
    FONTS.clone()
}

/// The width of a line of text in points.
pub fn width(text: &str, font: Font) -> f64 {
    let bytes = match font.bold {
        true => notosans::BOLD_TTF,
        false => notosans::REGULAR_TTF,
    };
    let Ok(face) = FontRef::new(bytes) else {
        return 0.6 * font.size * text.chars().count() as f64;
    };
    let glyphs = face.charmap();
    let metrics = face.glyph_metrics(Size::unscaled(), LocationRef::default());
    let em = f64::from(
        face.metrics(Size::unscaled(), LocationRef::default())
            .units_per_em,
    );
    let advance = |c: char| {
        let known = glyphs.map(c).and_then(|g| metrics.advance_width(g));
        known.map_or(1.0, |w| f64::from(w) / em)
    };
    font.size * text.chars().map(advance).sum::<f64>()
}

/// The text, cut to `limit` points with an ellipsis if it is longer.
pub fn fit(text: &str, font: Font, limit: f64) -> String {
    if width(text, font) <= limit {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        short.push(c);
        if width(&short, font) + width("…", font) > limit {
            short.pop();
            break;
        }
    }
    format!("{}…", short.trim_end())
}

/// Words in lines of [`SMALL`] text no wider than `limit`.
pub fn wrapped(words: &str, limit: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ').filter(|w| !w.is_empty()) {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), SMALL) <= limit => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A whole number with thin spaces between its thousands.
pub fn grouped(x: f64) -> String {
    let digits = format!("{x:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        // Advance widths from the font's own tables, whose unit is 1/2048 of the size.
        let of = |text| {
            width(
                text,
                Font {
                    size: 2048.0,
                    ..LABEL
                },
            )
        };
        assert_eq!([of("i"), of("0"), of("00")], [528.0, 1171.0, 2342.0]);
        let bold = width(
            "0",
            Font {
                size: 2048.0,
                ..TITLE
            },
        );
        assert_eq!(bold, 1171.0);
    }

    #[test]
    fn a_long_text_ends_in_an_ellipsis() {
        assert_eq!(fit("short", LABEL, 100.0), "short");
        let cut = fit("a rather long name of a strategy", LABEL, 50.0);
        assert!(cut.ends_with('…') && width(&cut, LABEL) <= 50.0, "{cut}");
        assert!(cut.starts_with("a rather"), "{cut}");
        assert_eq!(fit("name", LABEL, 0.0), "…");
    }

    #[test]
    fn long_remarks_are_wrapped() {
        let lines = wrapped(&"word ".repeat(50), 200.0);
        assert!(lines.len() > 3 && lines.iter().all(|l| width(l, SMALL) <= 200.0));
    }

    #[test]
    fn thousands_are_told_apart() {
        let texts = [0.0, 999.0, 1000.0, 1234567.4].map(grouped);
        assert_eq!(
            texts,
            ["0", "999", "1\u{2009}000", "1\u{2009}234\u{2009}567"]
        );
    }
}
