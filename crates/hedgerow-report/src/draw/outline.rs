//! Text as shapes: a drawing that looks the same without any font.
//!
//! Every glyph is defined once and used wherever it stands. What a text says stays in the file, as
//! its label. A text with characters that our font does not have, or whose letters depend on their
//! neighbours, stays text.

use crate::draw::svg::{escape, number};
use hedgerow::fingerprint::Fingerprint;
use resvg::usvg::roxmltree::{Document, Node};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};
use std::collections::BTreeMap;
use std::fmt::Write;

/// `svg` with its texts as shapes; as it is if it cannot be read.
pub(crate) fn outlined(svg: &str) -> String {
    let fonts = [notosans::REGULAR_TTF, notosans::BOLD_TTF].map(FontRef::new);
    let ([Ok(regular), Ok(bold)], Ok(document)) = (fonts, Document::parse(svg)) else {
        return svg.to_owned();
    };
    // Names differ from drawing to drawing, so that many can stand in one page.
    let prefix = format!(
        "g{:06x}",
        Fingerprint::of(svg.as_bytes()).value() & 0xff_ffff
    );
    let mut sheet = Sheet {
        fonts: [regular, bold],
        prefix,
        glyphs: BTreeMap::new(),
    };
    let mut drawing = String::with_capacity(2 * svg.len());
    let mut done = 0;
    for node in document.descendants().filter(|n| n.has_tag_name("text")) {
        let range = node.range();
        if let Some(shapes) = sheet.text(node) {
            drawing.push_str(&svg[done..range.start]);
            drawing.push_str(&shapes);
            done = range.end;
        }
    }
    drawing.push_str(&svg[done..]);
    sheet.with_glyphs(&drawing)
}

/// The glyphs of a drawing.
struct Sheet<'f> {
    /// Regular and bold.
    fonts: [FontRef<'f>; 2],
    prefix: String,
    /// By weight and number: the outline.
    glyphs: BTreeMap<(bool, u32), String>,
}

impl Sheet<'_> {
    /// A text element as a group of shapes; `None` if it has to stay text.
    fn text(&mut self, node: Node) -> Option<String> {
        let of = |name| node.attribute(name);
        let place = |name| of(name)?.parse::<f64>().ok();
        let (x, y, size) = (place("x")?, place("y")?, place("font-size")?);
        let content = node.text()?;
        let bold = of("font-weight") == Some("bold");
        let glyphs = self.glyphs_of(content, bold)?;
        let wide: f64 = glyphs.iter().map(|(_, advance)| advance).sum();
        let scale = size / self.units(bold);
        let before = match of("text-anchor") {
            Some("middle") => scale * wide / 2.0,
            Some("end") => scale * wide,
            _ => 0.0,
        };
        let turn = of("transform").map_or(String::new(), |t| format!("{t} "));
        let (left, fill) = (number(x - before), of("fill").unwrap_or("#000000"));
        let label = escape(content);
        let mut shapes = format!(
            "<g fill=\"{fill}\" aria-label=\"{label}\" transform=\"{turn}translate({left} {y}) scale({scale:.6})\">",
            y = number(y)
        );
        // What was cut stands whole in its tool tip.
        let whole = node.children().find(|n| n.has_tag_name("title"));
        if let Some(whole) = whole.and_then(|n| n.text()) {
            let _ = write!(shapes, "<title>{}</title>", escape(whole));
        }
        let mut at = 0.0;
        for (glyph, advance) in glyphs {
            if self.glyphs.contains_key(&(bold, glyph)) {
                let name = self.name(bold, glyph);
                let _ = write!(shapes, "<use xlink:href=\"#{name}\" x=\"{}\"/>", number(at));
            }
            at += advance;
        }
        shapes.push_str("</g>");
        Some(shapes)
    }

    /// The glyphs of a text with their widths in units of the font; notes those with a shape.
    fn glyphs_of(&mut self, text: &str, bold: bool) -> Option<Vec<(u32, f64)>> {
        let font = &self.fonts[usize::from(bold)];
        let (map, outlines) = (font.charmap(), font.outline_glyphs());
        let metrics = font.glyph_metrics(Size::unscaled(), LocationRef::default());
        let mut found = Vec::new();
        for c in text.chars() {
            let glyph: GlyphId = map.map(c).filter(|_| stands_alone(c))?;
            found.push((glyph.to_u32(), f64::from(metrics.advance_width(glyph)?)));
            let mut pen = Pen::default();
            let how = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            outlines.get(glyph)?.draw(how, &mut pen).ok()?;
            if !pen.0.is_empty() {
                self.glyphs.insert((bold, glyph.to_u32()), pen.0);
            }
        }
        Some(found)
    }

    fn units(&self, bold: bool) -> f64 {
        let font = &self.fonts[usize::from(bold)];
        let metrics = font.metrics(Size::unscaled(), LocationRef::default());
        f64::from(metrics.units_per_em)
    }

    fn name(&self, bold: bool, glyph: u32) -> String {
        let weight = if bold { "b" } else { "r" };
        format!("{}-{weight}{glyph}", self.prefix)
    }

    /// The drawing with the definitions of its glyphs after its description.
    fn with_glyphs(&self, drawing: &str) -> String {
        let mut defs = String::from("<defs>\n");
        for ((bold, glyph), data) in &self.glyphs {
            let name = self.name(*bold, *glyph);
            let _ = writeln!(defs, "<path id=\"{name}\" d=\"{data}\"/>");
        }
        defs.push_str("</defs>\n");
        let space = "xmlns:xlink=\"http://www.w3.org/1999/xlink\"";
        let end = "</desc>\n";
        drawing
            .replacen("<svg ", &format!("<svg {space} "), 1)
            .replacen(end, &format!("{end}{defs}"), 1)
    }
}

/// Whether the shape of a letter does not depend on its neighbours: Latin, Greek, Cyrillic,
/// punctuation and signs, but no marks that are put onto others.
fn stands_alone(c: char) -> bool {
    let marks = '\u{0300}'..='\u{036f}';
    let joining = '\u{200b}'..='\u{200f}';
    let letters = c < '\u{0530}' || ('\u{1e00}'..='\u{2bff}').contains(&c);
    letters && !marks.contains(&c) && !joining.contains(&c)
}

/// Path data in units of the font, downwards as SVG counts.
#[derive(Default)]
struct Pen(String);

impl Pen {
    fn add(&mut self, letter: char, points: &[(f32, f32)]) {
        self.0.push(letter);
        for (i, (x, y)) in points.iter().enumerate() {
            let space = if i > 0 { " " } else { "" };
            let (x, y) = (number(f64::from(*x)), number(-f64::from(*y)));
            let _ = write!(self.0, "{space}{x} {y}");
        }
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.add('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add('L', &[(x, y)]);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.add('Q', &[(cx, cy), (x, y)]);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.add('C', &[(ax, ay), (bx, by), (x, y)]);
    }

    fn close(&mut self) {
        self.0.push('Z');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::raster;
    use crate::draw::svg::{Anchor, Svg};
    use crate::draw::text::{LABEL, TITLE};

    fn drawing() -> String {
        let mut svg = Svg::default();
        svg.text((20.0, 20.0), "reward & cost", LABEL, Anchor::Start);
        svg.text((100.0, 40.0), "0.5", TITLE, Anchor::Middle);
        svg.turned_text((10.0, 70.0), "samples", LABEL, Anchor::End, true);
        svg.text_within(
            (20.0, 80.0),
            &"long ".repeat(30),
            LABEL,
            Anchor::Start,
            60.0,
        );
        svg.finish(200.0, 100.0, "title", "description")
    }

    #[test]
    fn shapes_take_the_place_of_text_and_keep_what_it_says() {
        let shapes = outlined(&drawing());
        assert!(!shapes.contains("<text"), "{shapes}");
        for label in ["reward &amp; cost", "0.5", "samples"] {
            assert!(
                shapes.contains(&format!("aria-label=\"{label}\"")),
                "{label}"
            );
        }
        assert!(shapes.contains("<title>long long long"));
        assert!(shapes.contains("<title>title</title>\n<desc>description</desc>\n<defs>"));
        // Every name is defined once.
        let document = Document::parse(&shapes).unwrap();
        let names: Vec<&str> = document
            .descendants()
            .filter_map(|n| n.attribute("id"))
            .collect();
        let mut once = names.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), names.len());
        let link = ("http://www.w3.org/1999/xlink", "href");
        let used = document.descendants().filter_map(|n| n.attribute(link));
        for name in used {
            assert!(names.contains(&name.trim_start_matches('#')), "{name}");
        }
    }

    #[test]
    fn shapes_lie_where_the_text_lies() {
        // The ink of both drawings differs by little more than kerning and rounding.
        let ink = |svg: &str| {
            let image = raster::png("test", svg).unwrap();
            let mut reader = png::Decoder::new(std::io::Cursor::new(image))
                .read_info()
                .unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            pixels
        };
        let (text, shapes) = (ink(&drawing()), ink(&outlined(&drawing())));
        let dark = |p: &[u8]| p.iter().map(|v| u64::from(255 - v)).sum::<u64>();
        let apart: u64 = text
            .iter()
            .zip(&shapes)
            .map(|(a, b)| u64::from(a.abs_diff(*b)))
            .sum();
        assert!(dark(&text) > 100_000);
        assert!(10 * apart < 4 * dark(&text), "{apart} of {}", dark(&text));
    }

    #[test]
    fn what_our_font_cannot_set_stays_text() {
        let mut svg = Svg::default();
        svg.text((0.0, 10.0), "\u{72b6}\u{614b}", LABEL, Anchor::Start);
        svg.text((0.0, 20.0), "pcse", LABEL, Anchor::Start);
        let shapes = outlined(&svg.finish(50.0, 30.0, "t", "d"));
        assert_eq!(shapes.matches("<text").count(), 1);
        assert!(shapes.contains(">\u{72b6}\u{614b}</text>"));
        assert!(shapes.contains("aria-label=\"pcse\""));
        assert_eq!(outlined("no drawing"), "no drawing");
    }
}
