//! A drawing: SVG whose unit is a point, 1/72 of an inch.
//!
//! Text stays text here, so that it can be measured and looked for; the files of figures have it as
//! shapes. Nothing has an `id`: many drawings can stand in one page.

use crate::draw::text::{self, FAMILY, Font};
use std::fmt::Write;

/// Where a text stands against its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// A drawing that grows.
#[derive(Clone, Debug, Default)]
pub struct Svg {
    body: String,
}

impl Svg {
    /// The whole file, `width` x `height` points large.
    pub fn finish(self, width: f64, height: f64, title: &str, description: &str) -> String {
        let (w, h) = (number(width), number(height));
        let (w_in, h_in) = (inches(width), inches(height));
        let (title, description) = (escape(title), escape(description));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w_in}in\" height=\"{h_in}in\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" font-family=\"{FAMILY}\">\n\
             <title>{title}</title>\n<desc>{description}</desc>\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.body
        )
    }

    /// An element without content; `attributes` are ours, never text from files.
    pub fn element(&mut self, name: &str, attributes: &str) {
        let _ = writeln!(self.body, "<{name} {attributes}/>");
    }

    /// A rectangle: left, top, width, height.
    pub fn rect(&mut self, [x, y, w, h]: [f64; 4], attributes: &str) {
        let (x, y, w, h) = (number(x), number(y), number(w), number(h));
        self.element(
            "rect",
            &format!("x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" {attributes}"),
        );
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let data = path(&[from, to]);
        let width = number(width);
        self.path(
            &data,
            &format!("stroke=\"{colour}\" stroke-width=\"{width}\""),
        );
    }

    /// A path that is not filled unless the attributes say so.
    pub fn path(&mut self, data: &str, attributes: &str) {
        let fill = match attributes.contains("fill=") {
            true => "",
            false => "fill=\"none\" ",
        };
        self.element("path", &format!("d=\"{data}\" {fill}{attributes}"));
    }

    /// What `draw` draws, moved by `x`, `y` and cut off outside of `w` x `h`.
    pub fn clipped(&mut self, [x, y, w, h]: [f64; 4], draw: impl FnOnce(&mut Self)) {
        let (x, y, w, h) = (number(x), number(y), number(w), number(h));
        let _ = writeln!(
            self.body,
            "<svg x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" overflow=\"hidden\">"
        );
        draw(self);
        self.body.push_str("</svg>\n");
    }

    /// A line of text on the base line `at`.
    pub fn text(&mut self, at: (f64, f64), content: &str, font: Font, anchor: Anchor) {
        self.turned_text(at, content, font, anchor, false);
    }

    /// A text no wider than `width`: what is too long is cut, and stands whole in a tool tip.
    pub fn text_within(
        &mut self,
        at: (f64, f64),
        content: &str,
        font: Font,
        anchor: Anchor,
        width: f64,
    ) {
        let short = text::fit(content, font, width);
        self.text(at, &short, font, anchor);
        if short != content {
            let end = self.body.len() - "</text>\n".len();
            let whole = format!("<title>{}</title>", escape(content));
            self.body.insert_str(end, &whole);
        }
    }

    /// A line of text, upwards if `up`.
    pub fn turned_text(
        &mut self,
        (x, y): (f64, f64),
        content: &str,
        font: Font,
        anchor: Anchor,
        up: bool,
    ) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let bold = if font.bold {
            " font-weight=\"bold\""
        } else {
            ""
        };
        let (x, y) = (number(x), number(y));
        let turn = match up {
            true => format!(" transform=\"rotate(-90 {x} {y})\""),
            false => String::new(),
        };
        let (size, colour) = (number(font.size), font.colour);
        let content = escape(content);
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\"{bold}{anchor}{turn}>{content}</text>"
        );
    }
}

/// A line through points as path data.
pub fn path(points: &[(f64, f64)]) -> String {
    let mut data = String::new();
    for (i, &(x, y)) in points.iter().enumerate() {
        // Within a level stretch only its ends matter.
        let level = |j: Option<usize>| j.and_then(|j| points.get(j)).is_some_and(|p| p.1 == y);
        if level(i.checked_sub(1)) && level(Some(i + 1)) {
            continue;
        }
        let letter = if i == 0 { 'M' } else { 'L' };
        let _ = write!(data, "{letter}{} {}", number(x), number(y));
    }
    data
}

/// A coordinate to a hundredth of a point, without needless digits.
pub fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    match short {
        "-0" => "0".to_owned(),
        short => short.to_owned(),
    }
}

fn inches(points: f64) -> String {
    let text = format!("{:.4}", points / 72.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Text from files as XML: markup is taken literally, what XML cannot hold becomes a mark.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::text::LABEL;

    #[test]
    fn markup_is_taken_literally() {
        assert_eq!(
            escape("<script>&\"'\u{1}"),
            "&lt;script&gt;&amp;&quot;&#39;\u{fffd}"
        );
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(
            [1.0, 0.5, 2.345, -0.001, 100.0].map(number),
            ["1", "0.5", "2.35", "0", "100"]
        );
        assert_eq!(path(&[(0.0, 1.0), (2.5, 3.0)]), "M0 1L2.5 3");
        let level = [(0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (3.0, 4.0)];
        assert_eq!(path(&level), "M0 1L2 1L3 4");
    }

    #[test]
    fn the_size_is_given_in_inches() {
        let svg = Svg::default().finish(504.0, 180.0, "a <b>", "c");
        assert!(svg.contains("width=\"7in\" height=\"2.5in\" viewBox=\"0 0 504 180\""));
        assert!(svg.contains("<title>a &lt;b&gt;</title>"));
    }

    #[test]
    fn a_long_text_is_cut_and_keeps_its_tool_tip() {
        let mut svg = Svg::default();
        let long = "very ".repeat(40);
        svg.text_within((0.0, 0.0), &long, LABEL, Anchor::Start, 50.0);
        assert!(svg.body.contains("…<title>very very"), "{}", svg.body);
        assert!(svg.body.ends_with("</title></text>\n"));
    }
}
