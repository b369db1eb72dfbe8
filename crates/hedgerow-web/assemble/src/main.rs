//! Puts the playground together: `build.sh` calls it with the compiled engine.
//!
//! ```sh
//! cargo run -p hedgerow-assemble -- ENGINE.wasm PAGE.html
//! ```

mod page;
mod paths;
mod sources;

use std::error::Error;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(engine), Some(out), None) = (words.next(), words.next(), words.next()) else {
        return Err("usage: hedgerow-assemble ENGINE.wasm PAGE.html".into());
    };
    let mut output = Bindgen::new()
        .input_path(engine)
        .no_modules(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()?;
    let (glue, mut wasm) = (output.js().to_owned(), output.wasm_mut().emit_wasm());
    paths::forget(&mut wasm);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let html = page::assemble(&glue, &wasm, &sources::fingerprint(&root)?)?;
    std::fs::write(&out, &html)?;
    println!(
        "{}: {} bytes, {} of them the engine before packing",
        out.display(),
        html.len(),
        wasm.len()
    );
    Ok(())
}
