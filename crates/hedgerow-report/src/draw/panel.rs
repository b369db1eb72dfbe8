//! A panel: a frame with two axes, and marks within.

use crate::draw::scale::{Scale, Tick};
use crate::draw::svg::{Anchor, Svg};
use crate::draw::text::{self, SMALL, TITLE};
use crate::theme::{FAINT, INK};

/// A frame at `left`, `top` with its axes.
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    /// The left side of the frame.
    pub left: f64,
    /// Its upper side.
    pub top: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The horizontal axis.
    pub x: Scale,
    /// The vertical axis.
    pub y: Scale,
}

/// Length of a tick.
const TICK: f64 = 2.5;
/// From the axis to the base line of its numbers.
pub const X_NUMBERS: f64 = 9.5;
/// Height of a title above the frame.
pub const TITLE_HEIGHT: f64 = 12.0;

impl Panel {
    /// Where `x`, `y` lies within the frame.
    pub fn point(&self, x: f64, y: f64) -> (f64, f64) {
        (self.across(x), (1.0 - self.y.place(y)) * self.height)
    }

    /// How far right of the frame's left side `x` lies.
    pub fn across(&self, x: f64) -> f64 {
        self.x.place(x) * self.width
    }

    fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// The title above the frame, cut to its width.
    pub fn title(&self, svg: &mut Svg, title: &str) {
        let at = (self.left + self.width / 2.0, self.top - 4.0);
        svg.text_within(at, title, TITLE, Anchor::Middle, self.width);
    }

    /// The horizontal axis; its numbers only if `numbers`.
    pub fn x_axis(&self, svg: &mut Svg, numbers: bool) {
        let mut free = f64::NEG_INFINITY;
        for tick in self.x_ticks() {
            let x = self.left + self.across(tick.value);
            let small = tick.label.is_empty();
            let length = if small { TICK / 2.0 } else { TICK };
            let width = if small { 0.35 } else { 0.6 };
            svg.line((x, self.bottom()), (x, self.bottom() + length), INK, width);
            // Neighbouring panels begin where this one ends: a number must not reach over.
            let half = text::width(&tick.label, SMALL) / 2.0;
            if numbers && !small && x - half > free {
                let at = (x, self.bottom() + X_NUMBERS);
                svg.text(at, &tick.label, SMALL, Anchor::Middle);
                free = x + half + 3.0;
            }
        }
        let (left, right) = (self.left, self.left + self.width);
        svg.line((left, self.bottom()), (right, self.bottom()), INK, 0.6);
    }

    /// The vertical axis with its numbers and faint lines across.
    pub fn y_axis(&self, svg: &mut Svg) {
        let right = self.left + self.width;
        for tick in self.y_ticks() {
            let y = self.bottom() - self.y.place(tick.value) * self.height;
            let small = tick.label.is_empty();
            if !small {
                svg.line((self.left, y), (right, y), FAINT, 0.5);
                let at = (self.left - TICK - 1.5, y + 2.3);
                svg.text(at, &tick.label, SMALL, Anchor::End);
            }
            let length = if small { TICK / 2.0 } else { TICK };
            svg.line((self.left - length, y), (self.left, y), INK, 0.5);
        }
        svg.line((self.left, self.top), (self.left, self.bottom()), INK, 0.6);
    }

    /// The ticks of the horizontal axis.
    pub fn x_ticks(&self) -> Vec<Tick> {
        self.x.ticks((self.width / 21.0) as usize)
    }

    fn y_ticks(&self) -> Vec<Tick> {
        self.y.ticks((self.height / 18.0) as usize)
    }

    /// The room that the numbers of the vertical axis need left of the frame.
    pub fn y_room(&self) -> f64 {
        let widths = self.y_ticks().into_iter();
        let widest = widths.map(|t| text::width(&t.label, SMALL));
        widest.fold(0.0, f64::max) + TICK + 1.5
    }

    /// Draws within the frame, in its own coordinates.
    pub fn inside(&self, svg: &mut Svg, draw: impl FnOnce(&mut Svg)) {
        svg.clipped([self.left, self.top, self.width, self.height], draw);
    }
}
