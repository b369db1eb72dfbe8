//! The colour bar of a heat map.

use crate::draw::scale::Scale;
use crate::draw::svg::{Anchor, Svg};
use crate::draw::text::{LABEL, SMALL};
use crate::theme::{self, INK};

/// What the colours of a heat map mean.
#[derive(Clone, Copy, Debug)]
pub struct Bar<'a> {
    /// Its axis.
    pub scale: Scale,
    /// The colour of a place on the scale, from 0 to 1.
    pub shade: fn(f64) -> [u8; 3],
    /// What it measures.
    pub label: &'a str,
}

const WIDTH: f64 = 180.0;
const STEPS: usize = 90;

impl Bar<'_> {
    /// Draws it centred on `middle`; returns where it ends.
    pub fn draw(&self, svg: &mut Svg, [middle, top]: [f64; 2]) -> f64 {
        let left = middle - WIDTH / 2.0;
        let step = WIDTH / STEPS as f64;
        for i in 0..STEPS {
            let colour = theme::hex((self.shade)((i as f64 + 0.5) / STEPS as f64));
            // The last one ends with the bar; the others reach under the next.
            let wide = if i + 1 < STEPS { 1.5 * step } else { step };
            let place = [left + i as f64 * step, top, wide, 8.0];
            svg.rect(place, &format!("fill=\"{colour}\""));
        }
        let look = format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"0.5\"");
        svg.rect([left, top, WIDTH, 8.0], &look);
        for tick in self.scale.ticks(5) {
            let x = left + self.scale.place(tick.value) * WIDTH;
            let length = if tick.label.is_empty() { 1.2 } else { 2.5 };
            svg.line((x, top + 8.0), (x, top + 8.0 + length), INK, 0.5);
            if !tick.label.is_empty() {
                svg.text((x, top + 17.5), &tick.label, SMALL, Anchor::Middle);
            }
        }
        svg.text((middle, top + 27.5), self.label, LABEL, Anchor::Middle);
        top + 31.0
    }
}
