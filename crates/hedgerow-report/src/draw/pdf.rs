//! PDF from SVG: the same drawing for papers, text as shapes, so that it needs no font.

use crate::draw::raster::{failed, tree};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use hedgerow::Result;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};
use resvg::tiny_skia::{Path, PathSegment, Point, Transform};
use resvg::usvg::{self, FillRule, Group, LineCap, LineJoin, Node, Paint};
use std::io::Write;

/// Points per inch: the unit of PDF.
const DPI: f32 = 72.0;

/// The PDF of a drawing: one page of its size.
pub(crate) fn pdf(name: &str, svg: &str, [title, caption]: [&str; 2]) -> Result<Vec<u8>> {
    let tree = tree(name, svg, DPI)?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let mut sheet = Sheet {
        content: Content::new(),
        opacities: Vec::new(),
    };
    // Upwards, as PDF counts.
    sheet.content.transform([1.0, 0.0, 0.0, -1.0, 0.0, height]);
    sheet.group(tree.root(), 1.0);
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    let written = packed.write_all(&sheet.content.finish());
    let packed = written.and_then(|()| packed.finish());
    let packed = packed.map_err(|e| failed(name, e.to_string()))?;

    let mut pdf = Pdf::new();
    let mut next = Ref::new(1);
    let [catalog, pages, page, content, info] = [(); 5].map(|()| next.bump());
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let states: Vec<Ref> = sheet.opacities.iter().map(|_| next.bump()).collect();
    let mut writer = pdf.page(page);
    writer.media_box(Rect::new(0.0, 0.0, width, height));
    writer.parent(pages).contents(content);
    let mut resources = writer.resources();
    let mut named = resources.ext_g_states();
    for (i, state) in states.iter().enumerate() {
        named.pair(Name(state_name(i).as_bytes()), state);
    }
    named.finish();
    resources.finish();
    writer.finish();
    for ((fill, stroke), state) in sheet.opacities.iter().zip(states) {
        let share = |thousandths: u32| thousandths as f32 / 1000.0;
        let mut state = pdf.ext_graphics(state);
        state.non_stroking_alpha(share(*fill));
        state.stroking_alpha(share(*stroke));
    }
    pdf.stream(content, &packed).filter(Filter::FlateDecode);
    pdf.document_info(info)
        .title(TextStr(title))
        .subject(TextStr(caption))
        .creator(TextStr("Hedgerow"));
    Ok(pdf.finish())
}

fn state_name(i: usize) -> String {
    format!("a{i}")
}

struct Sheet {
    content: Content,
    /// Opacity of fill and stroke, in thousandths, that have a name.
    opacities: Vec<(u32, u32)>,
}

impl Sheet {
    fn group(&mut self, group: &Group, opacity: f32) {
        let opacity = opacity * group.opacity().get();
        let clip = group.clip_path();
        if let Some(clip) = clip {
            self.content.save_state();
            let at = group.abs_transform().pre_concat(clip.transform());
            self.clip(clip.root(), at);
            self.content.clip_nonzero().end_path();
        }
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group, opacity),
                Node::Path(path) => self.path(path, opacity),
                Node::Text(text) => self.text(text, opacity),
                // No drawing of ours has pictures in it.
                Node::Image(_) => {}
            }
        }
        if clip.is_some() {
            self.content.restore_state();
        }
    }

    /// The outlines of what is left visible.
    fn clip(&mut self, group: &Group, at: Transform) {
        for node in group.children() {
            match node {
                Node::Group(group) => self.clip(group, at.pre_concat(group.transform())),
                Node::Path(path) => self.outline(path.data(), at),
                Node::Text(_) | Node::Image(_) => {}
            }
        }
    }

    /// A text as shapes, marked with what it says.
    fn text(&mut self, text: &usvg::Text, opacity: f32) {
        let words: String = text.chunks().iter().map(|c| c.text()).collect();
        let mut marked = self
            .content
            .begin_marked_content_with_properties(Name(b"Span"));
        marked.properties().actual_text(TextStr(&words));
        marked.finish();
        self.group(text.flattened(), opacity);
        self.content.end_marked_content();
    }

    fn path(&mut self, path: &usvg::Path, opacity: f32) {
        if !path.is_visible() {
            return;
        }
        let at = path.abs_transform();
        let colour = |paint: &Paint| match paint {
            Paint::Color(c) => Some([c.red, c.green, c.blue].map(|v| round(f32::from(v) / 255.0))),
            _ => None,
        };
        let fill = path.fill().and_then(|f| Some((f, colour(f.paint())?)));
        let stroke = path.stroke().and_then(|s| Some((s, colour(s.paint())?)));
        let part = |share: Option<f32>| (1000.0 * opacity * share.unwrap_or(1.0)).round() as u32;
        let opacities = (
            part(fill.map(|(f, _)| f.opacity().get())),
            part(stroke.map(|(s, _)| s.opacity().get())),
        );
        let seen_through = opacities != (1000, 1000);
        if seen_through {
            let state = self.state(opacities);
            self.content.save_state();
            self.content.set_parameters(Name(state.as_bytes()));
        }
        if let Some((_, [r, g, b])) = fill {
            self.content.set_fill_rgb(r, g, b);
        }
        if let Some((stroke, [r, g, b])) = stroke {
            self.content.set_stroke_rgb(r, g, b);
            self.line(stroke, scale_of(at));
        }
        self.outline(path.data(), at);
        let even_odd = fill.is_some_and(|(f, _)| f.rule() == FillRule::EvenOdd);
        match (fill.is_some(), stroke.is_some()) {
            (true, true) if even_odd => self.content.fill_even_odd_and_stroke(),
            (true, true) => self.content.fill_nonzero_and_stroke(),
            (true, false) if even_odd => self.content.fill_even_odd(),
            (true, false) => self.content.fill_nonzero(),
            (false, true) => self.content.stroke(),
            (false, false) => self.content.end_path(),
        };
        if seen_through {
            self.content.restore_state();
        }
    }

    fn line(&mut self, stroke: &usvg::Stroke, scale: f32) {
        self.content
            .set_line_width(round(stroke.width().get() * scale));
        self.content.set_line_cap(match stroke.linecap() {
            LineCap::Butt => LineCapStyle::ButtCap,
            LineCap::Round => LineCapStyle::RoundCap,
            LineCap::Square => LineCapStyle::ProjectingSquareCap,
        });
        self.content.set_line_join(match stroke.linejoin() {
            LineJoin::Round => LineJoinStyle::RoundJoin,
            LineJoin::Bevel => LineJoinStyle::BevelJoin,
            LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
        });
        self.content.set_miter_limit(stroke.miterlimit().get());
        let dashes = stroke.dasharray().unwrap_or_default().iter();
        let dashes = dashes.map(|d| round(d * scale));
        self.content
            .set_dash_pattern(dashes, round(stroke.dashoffset() * scale));
    }

    fn outline(&mut self, path: &Path, at: Transform) {
        let placed = |mut p: Point| {
            at.map_point(&mut p);
            (round(p.x), round(p.y))
        };
        let mut last = Point::zero();
        for segment in path.segments() {
            match segment {
                PathSegment::MoveTo(p) => {
                    let (x, y) = placed(p);
                    self.content.move_to(x, y);
                    last = p;
                }
                PathSegment::LineTo(p) => {
                    let (x, y) = placed(p);
                    self.content.line_to(x, y);
                    last = p;
                }
                PathSegment::QuadTo(c, p) => {
                    // The same curve as a cubic one.
                    let toward = |end: Point| {
                        Point::from_xy(
                            end.x + 2.0 / 3.0 * (c.x - end.x),
                            end.y + 2.0 / 3.0 * (c.y - end.y),
                        )
                    };
                    let ((ax, ay), (bx, by)) = (placed(toward(last)), placed(toward(p)));
                    let (x, y) = placed(p);
                    self.content.cubic_to(ax, ay, bx, by, x, y);
                    last = p;
                }
                PathSegment::CubicTo(a, b, p) => {
                    let ((ax, ay), (bx, by), (x, y)) = (placed(a), placed(b), placed(p));
                    self.content.cubic_to(ax, ay, bx, by, x, y);
                    last = p;
                }
                PathSegment::Close => {
                    self.content.close_path();
                }
            }
        }
    }

    /// The name of a state with these opacities.
    fn state(&mut self, opacities: (u32, u32)) -> String {
        let known = self.opacities.iter().position(|o| *o == opacities);
        let i = known.unwrap_or_else(|| {
            self.opacities.push(opacities);
            self.opacities.len() - 1
        });
        state_name(i)
    }
}

/// How much longer lines become.
fn scale_of(at: Transform) -> f32 {
    (at.sx * at.sy - at.kx * at.ky).abs().sqrt()
}

/// To a thousandth of a point.
fn round(x: f32) -> f32 {
    (1000.0 * x).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::svg::{Anchor, Svg};
    use crate::draw::text::LABEL;
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    fn drawn() -> Vec<u8> {
        let mut svg = Svg::default();
        svg.rect(
            [10.0, 20.0, 30.0, 40.0],
            "fill=\"#ff0000\" fill-opacity=\"0.5\"",
        );
        svg.line((0.0, 0.0), (100.0, 50.0), "#0000ff", 2.0);
        svg.clipped([10.0, 10.0, 20.0, 20.0], |svg| {
            svg.path("M0 0L40 40", "stroke=\"#00ff00\" stroke-dasharray=\"3 1\"");
        });
        svg.text((50.0, 50.0), "pcse", LABEL, Anchor::Start);
        let svg = svg.finish(144.0, 72.0, "Title", "What is seen");
        pdf("test", &svg, ["Title", "What is seen"]).unwrap()
    }

    fn content(pdf: &[u8]) -> String {
        let find = |word: &[u8]| pdf.windows(word.len()).position(|w| w == word).unwrap();
        let (start, end) = (find(b"stream\n") + 7, find(b"\nendstream"));
        let mut text = Vec::new();
        let mut decoder = ZlibDecoder::new(&pdf[start..end]);
        decoder.read_to_end(&mut text).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    }

    #[test]
    fn a_page_has_the_size_of_its_drawing_and_needs_no_font() {
        let file = drawn();
        let text = String::from_utf8_lossy(&file);
        assert!(text.starts_with("%PDF-1.7"));
        assert!(text.contains("/MediaBox [0 0 144 72]"), "{text}");
        assert!(text.contains("/Title (Title)") && text.contains("/ca 0.5"));
        assert!(!text.contains("/Font"));
        assert_eq!(file, drawn(), "the same drawing gives the same bytes");
    }

    #[test]
    fn shapes_are_those_of_the_drawing() {
        let content = content(&drawn());
        for words in [
            "1 0 0 -1 0 72 cm",
            "/a0 gs",
            "1 0 0 rg\n10 20 m\n40 20 l\n40 60 l\n10 60 l\nh\nf",
            "0 0 1 RG\n2 w",
            "0 0 m\n100 50 l\nS",
            "W\nn",
            "[3 1] 0 d",
            "10 10 m\n50 50 l\nS",
            "/ActualText (pcse)",
            "EMC",
        ] {
            assert!(content.contains(words), "{words}: {content}");
        }
        assert_eq!(
            content.matches("q\n").count(),
            content.matches("Q\n").count() + usize::from(content.ends_with('Q'))
        );
    }
}
