//! PNG from SVG, at 300 dpi.

use crate::draw::text::fonts;
use hedgerow::{Error, Result};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels per inch.
pub const DPI: u32 = 300;

/// The PNG of a drawing, with its resolution in it.
pub(crate) fn png(name: &str, svg: &str) -> Result<Vec<u8>> {
    let tree = tree(name, svg, DPI as f32)?;
    let size = tree.size().to_int_size();
    let pixmap = Pixmap::new(size.width(), size.height());
    let mut pixmap = pixmap.ok_or_else(|| failed(name, "it is too large to be drawn"))?;
    pixmap.fill(Color::WHITE);
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    // The ground is white, so nothing is transparent.
    let (pixels, _) = pixmap.data().as_chunks::<4>();
    let rgb: Vec<u8> = pixels.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    encode(size.width(), size.height(), &rgb).map_err(|e| failed(name, e.to_string()))
}

/// A drawing as it is rendered, so many units an inch.
pub(crate) fn tree(name: &str, svg: &str, dpi: f32) -> Result<Tree> {
    let options = Options {
        dpi,
        fontdb: fonts(),
        font_family: "Noto Sans".to_owned(),
        ..Options::default()
    };
    Tree::from_str(svg, &options).map_err(|e| failed(name, e.to_string()))
}

pub(crate) fn failed(name: &str, problem: impl Into<String>) -> Error {
    let remedy = "this is a defect of the program: please report it";
    Error::invalid(format!("figure {name}"), problem, remedy)
}

fn encode(width: u32, height: u32, rgb: &[u8]) -> std::result::Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let per_metre = (f64::from(DPI) / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(rgb)?;
    writer.finish()?;
    Ok(file)
}
