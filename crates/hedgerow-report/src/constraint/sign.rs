//! What is known of entering a cell, as it is drawn.

use crate::draw::svg::{Anchor, Svg};
use crate::draw::text::Font;
use crate::theme::{self, INK};

/// What is known of entering a cell, what tells most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sign {
    Constrained,
    Looks,
    Undecided,
    Taken,
    NoGain,
    Wall,
}

impl Sign {
    pub(super) const KNOWN: [Self; 6] = [
        Self::Constrained,
        Self::Looks,
        Self::Undecided,
        Self::Taken,
        Self::NoGain,
        Self::Wall,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Constrained => "entering is constrained",
            Self::Looks => "undecided, looks constrained",
            Self::Undecided => "undecided",
            Self::Taken => "the expert goes there",
            Self::NoGain => "nothing to gain",
            Self::Wall => "wall",
        }
    }

    /// Ground, letter and its colour: a sign besides the colour, for those who see none.
    pub(super) fn look(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Constrained => (theme::TRUTH, "X", "#ffffff"),
            Self::Looks => ("#f6d5d9", "x", INK),
            Self::Undecided => (theme::FAINT, "?", INK),
            Self::Taken => ("#cfe0f1", "o", INK),
            Self::NoGain => ("#ffffff", "\u{b7}", INK),
            Self::Wall => (theme::WALL, "", INK),
        }
    }

    pub(super) fn draw(self, svg: &mut Svg, [x, y, w, h]: [f64; 4], letter: Option<char>) {
        let (ground, sign, colour) = self.look();
        let look = format!("fill=\"{ground}\" stroke=\"#9a9a9a\" stroke-width=\"0.4\"");
        svg.rect([x, y, w, h], &look);
        let font = Font {
            size: (0.62 * h).min(11.0),
            bold: true,
            colour,
        };
        let at = (x + w / 2.0, y + h / 2.0 + 0.36 * font.size);
        svg.text(at, sign, font, Anchor::Middle);
        if let Some(letter) = letter {
            let small = Font {
                size: (0.34 * h).min(6.5),
                ..font
            };
            let at = (x + 0.08 * w, y + 0.36 * h);
            svg.text(at, &letter.to_string(), small, Anchor::Start);
        }
    }
}
