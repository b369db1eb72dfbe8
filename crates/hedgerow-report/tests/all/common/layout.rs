//! Whether the texts of a figure have their place.

use hedgerow_report::figure::Figure;
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Group, Node, Options, Rect, Tree};
use std::sync::Arc;

/// A figure as it is drawn.
pub fn tree(figure: &Figure) -> Tree {
    let mut fonts = Database::new();
    for bytes in [notosans::REGULAR_TTF, notosans::BOLD_TTF] {
        fonts.load_font_source(Source::Binary(Arc::new(bytes)));
    }
    let options = Options {
        fontdb: Arc::new(fonts),
        dpi: 72.0,
        ..Options::default()
    };
    Tree::from_str(&figure.svg, &options).unwrap_or_else(|e| panic!("{}: {e}", figure.name))
}

/// All texts with the boxes they fill, in points.
pub fn texts(group: &Group, found: &mut Vec<(String, Rect)>) {
    for node in group.children() {
        match node {
            Node::Group(group) => texts(group, found),
            Node::Text(text) => {
                let words: String = text.chunks().iter().map(|c| c.text()).collect();
                found.push((words, text.abs_bounding_box()));
            }
            _ => {}
        }
    }
}

/// No text leaves the figure, is smaller than readable, or lies on another.
pub fn check_layout(figure: &Figure) {
    let tree = tree(figure);
    let size = tree.size();
    assert!(
        size.width() <= 504.5 && size.height() <= 720.0,
        "{}: {size:?}",
        figure.name
    );
    let mut found = Vec::new();
    texts(tree.root(), &mut found);
    assert!(found.len() > 4, "{}: nothing is labelled", figure.name);
    // Lines of a font are higher than its letters.
    let core = |r: &Rect| {
        let (w, h) = (r.width(), r.height());
        let (dx, dy) = if h > 2.0 * w {
            (0.25 * w, 0.0)
        } else {
            (0.0, 0.25 * h)
        };
        (r.left() + dx, r.top() + dy, r.right() - dx, r.bottom() - dy)
    };
    for (i, (words, a)) in found.iter().enumerate() {
        let (left, top, right, bottom) = core(a);
        let within = left >= 0.0 && top >= 0.0 && right <= size.width() && bottom <= size.height();
        assert!(within, "{}: {words:?} is cut off: {a:?}", figure.name);
        for (other, b) in &found[..i] {
            let (l, t, r, b) = core(b);
            let apart = left >= r || l >= right || top >= b || t >= bottom;
            assert!(apart, "{}: {words:?} lies on {other:?}", figure.name);
        }
    }
    for size in figure.svg.split("font-size=\"").skip(1) {
        let size: f64 = size.split('"').next().unwrap().parse().unwrap();
        assert!(size >= 6.0, "{}: a text of {size} points", figure.name);
    }
}
