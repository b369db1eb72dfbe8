//! Draws the figures of a results folder: `cargo run --example figures -- RESULTS FOLDER`.

use hedgerow::sweep::Results;
use hedgerow_report::figure;
use std::path::Path;

fn main() -> hedgerow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [results, folder] = arguments.as_slice() else {
        let remedy = "name the results and the folder for the figures";
        return Err(hedgerow::Error::invalid("figures", "two folders", remedy));
    };
    let results = Results::read(Path::new(results))?;
    for file in figure::write(&results, Path::new(folder))? {
        println!("{}", file.display());
    }
    Ok(())
}
