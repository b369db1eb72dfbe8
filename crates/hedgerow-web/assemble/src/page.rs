//! The page: its own parts, those it shares with the report, and the packed engine.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use hedgerow::env::builtin;
use hedgerow_report::page::{SHARED, STYLE, labels};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::error::Error;
use std::io::Write;

const PAGE: &str = include_str!("../../assets/play.html");
const OWN_STYLE: &str = include_str!("../../assets/play.css");
const WORKER: &str = include_str!("../../assets/worker.js");

/// The parts of the script, each after those it builds on.
const SCRIPT: &[&str] = &[
    include_str!("../../assets/playstate.js"),
    include_str!("../../assets/engine.js"),
    include_str!("../../assets/cells.js"),
    include_str!("../../assets/editor.js"),
    include_str!("../../assets/settings.js"),
    include_str!("../../assets/files.js"),
    include_str!("../../assets/race.js"),
    include_str!("../../assets/guess.js"),
    include_str!("../../assets/ask.js"),
    include_str!("../../assets/learn.js"),
    include_str!("../../assets/start.js"),
];

/// Title and map of every preset that is not built into the library.
const PRESETS: [(&str, &str, &str); 4] = [
    (
        "garden",
        "garden",
        include_str!("../../presets/garden.toml"),
    ),
    (
        "warehouse",
        "warehouse with aisles",
        include_str!("../../presets/warehouse.toml"),
    ),
    (
        "frozen-lake",
        "FrozenLake",
        include_str!("../../presets/frozen-lake.toml"),
    ),
    (
        "cliff-walking",
        "CliffWalking",
        include_str!("../../presets/cliff-walking.toml"),
    ),
];

/// The page with `glue` and `wasm` inside, which says that it was made from `sources`.
pub fn assemble(glue: &str, wasm: &[u8], sources: &str) -> Result<String, Box<dyn Error>> {
    let style = [STYLE, OWN_STYLE].concat();
    let ours = [SHARED, SCRIPT].concat().join("\n");
    let script = format!("\n(() => {{\n\"use strict\";\n{ours}}})();\n");
    let worker = format!("{glue}\n{WORKER}");
    for part in [&style, &script, &worker] {
        // It would end the block it stands in.
        for word in ["</", "<!--"] {
            if let Some(at) = part.find(word) {
                let near = part[at..].lines().next().unwrap_or("");
                return Err(format!("a part of the page has `{word}` in it: {near}").into());
            }
        }
    }
    let data = data()?.to_string().replace('<', "\\u003c");
    Ok(PAGE
        .replacen("{{policy}}", &policy(&style, &script), 1)
        .replacen("{{sources}}", sources, 1)
        .replacen("{{style}}", &style, 1)
        .replacen("{{data}}", &data, 1)
        .replacen("{{engine}}", &packed(wasm)?, 1)
        .replacen("{{worker}}", &worker, 1)
        .replacen("{{script}}", &script, 1))
}

/// Names, looks and presets.
fn data() -> Result<Value, Box<dyn Error>> {
    let mut presets = Vec::new();
    for i in 1..=4 {
        let name = format!("gridworld-{i}");
        let text = builtin::grid(&name)?.to_toml();
        presets.push(json!({ "name": name, "title": format!("Gridworld {i}"), "text": text }));
    }
    for (name, title, text) in PRESETS {
        presets.push(json!({ "name": name, "title": title, "text": text }));
    }
    let labels: Value = serde_json::from_str(&labels()?)?;
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "labels": labels,
        "presets": presets,
    }))
}

/// Base64 of `bytes` after gzip, whose header holds no time.
fn packed(bytes: &[u8]) -> Result<String, Box<dyn Error>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

/// Only our style, our script, the engine and workers made of it; no connection to anywhere.
fn policy(style: &str, script: &str) -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}' 'wasm-unsafe-eval'; worker-src blob:; style-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(style)
    )
}
