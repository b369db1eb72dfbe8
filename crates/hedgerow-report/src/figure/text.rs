//! The font, and how wide a text is in it.
//!
//! Pictures must not depend on the fonts of a machine: PNG are made with Noto Sans alone, which
//! the program carries. An SVG names it first and others of like width after it.

use super::svg::Font;
use resvg::usvg::fontdb::{Database, Source};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};
use std::sync::{Arc, LazyLock};

/// The fonts of an SVG, best first.
pub(super) const FAMILY: &str = "'Noto Sans', 'Open Sans', Helvetica, Arial, sans-serif";

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for bytes in [notosans::REGULAR_TTF, notosans::BOLD_TTF] {
        fonts.load_font_source(Source::Binary(Arc::new(bytes)));
    }
    fonts.set_sans_serif_family("Noto Sans");
    Arc::new(fonts)
});

/// The fonts that PNG are made with.
pub(super) fn fonts() -> Arc<Database> {
    FONTS.clone()
}

/// The width of a line of text in points.
pub(super) fn width(text: &str, font: Font) -> f64 {
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

/// The text, cut to `width` points with an ellipsis if it is longer.
pub(super) fn fit(text: &str, font: Font, limit: f64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::svg::{LABEL, TITLE};

    #[test]
    fn widths_are_those_of_the_font() {
        // Advance widths in thousandths of the size, from the font's own tables.
        let of = |text| {
            width(
                text,
                Font {
                    size: 1000.0,
                    ..LABEL
                },
            )
        };
        assert_eq!([of("i"), of("0"), of("00")], [258.0, 572.0, 1144.0]);
        let bold = width(
            "0",
            Font {
                size: 1000.0,
                ..TITLE
            },
        );
        assert_eq!(bold, 572.0);
    }

    #[test]
    fn a_long_text_ends_in_an_ellipsis() {
        assert_eq!(fit("short", LABEL, 100.0), "short");
        let cut = fit("a rather long name of a strategy", LABEL, 50.0);
        assert!(cut.ends_with('…') && width(&cut, LABEL) <= 50.0, "{cut}");
        assert!(cut.starts_with("a rather"), "{cut}");
        assert_eq!(fit("name", LABEL, 0.0), "…");
    }
}
