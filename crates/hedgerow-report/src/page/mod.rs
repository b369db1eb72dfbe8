//! One self-contained page to explore the results in.
//!
//! The page is plain HTML with one style sheet and one script inside, and loads nothing. All that
//! comes from results stands in one block of JSON ([`data()`]), in which no character can end the
//! block, and enters the page as text. Should markup slip through all the same, the page's policy
//! lets only the one script run whose hash it names.

mod blob;
mod command;
mod curve;
mod data;
mod escape;
mod number;
mod plane;
mod run;
#[cfg(test)]
mod sample;

pub use command::command;
pub(crate) use number::four_digits;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hedgerow::sweep::Results;
use hedgerow::{Error, Result};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// How far a sweep is that is still running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Live {
    /// Runs finished, those from before included.
    pub finished: usize,
    /// Runs asked for.
    pub planned: usize,
    /// Runs that failed.
    pub failed: usize,
    /// What runs at the moment, in words.
    pub running: Vec<String>,
    /// Whether the sweep has ended: then the page no longer asks for news.
    pub done: bool,
}

const PAGE: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");

/// The parts of the script, each after those it builds on.
const SCRIPT: [&str; 16] = [
    include_str!("assets/dom.js"),
    include_str!("assets/format.js"),
    include_str!("assets/state.js"),
    include_str!("assets/header.js"),
    include_str!("assets/table.js"),
    include_str!("assets/plot.js"),
    include_str!("assets/curves.js"),
    include_str!("assets/crosshair.js"),
    include_str!("assets/map.js"),
    include_str!("assets/maze.js"),
    include_str!("assets/player.js"),
    include_str!("assets/verdicts.js"),
    include_str!("assets/explain.js"),
    include_str!("assets/configuration.js"),
    include_str!("assets/live.js"),
    include_str!("assets/main.js"),
];

/// The data of the page as JSON that may stand inside a page: `data.json` of a live page.
///
/// While a sweep is running (`live` is given and not done), verdicts are left out: they take
/// longer than the time between two looks.
pub fn data(results: &Results, live: Option<&Live>) -> Result<String> {
    let page = data::Page::new(results, live)?;
    let text = serde_json::to_string(&page).map_err(unwritable)?;
    Ok(escape::json_in_html(&text))
}

fn unwritable(error: impl std::fmt::Display) -> Error {
    let remedy = "this is a defect of the program: please report it";
    Error::invalid("page", format!("cannot be written: {error}"), remedy)
}

/// The whole page. The same results give the same bytes.
pub fn html(results: &Results, live: Option<&Live>) -> Result<String> {
    Ok(assemble(&data(results, live)?, live.is_some()))
}

fn assemble(data: &str, live: bool) -> String {
    let script = script();
    // The data comes last, so that nothing in it is taken for a place to fill.
    PAGE.replacen("{{policy}}", &policy(&script, live), 1)
        .replacen("{{style}}", STYLE, 1)
        .replacen("{{script}}", &script, 1)
        .replacen("{{data}}", data, 1)
}

fn script() -> String {
    format!(
        "\n(() => {{\n\"use strict\";\n{}}})();\n",
        SCRIPT.join("\n")
    )
}

/// Only our style and our script; connections only to the server that a live page came from.
fn policy(script: &str, live: bool) -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    let connect = if live { "connect-src 'self'; " } else { "" };
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; {connect}base-uri 'none'; form-action 'none'",
        hash(script),
        hash(STYLE)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_the_page_is_filled_and_data_stays_data() {
        let page = assemble("{\"title\":\"{{script}} {{data}}\"}", false);
        assert_eq!(page.matches("{{").count(), 2);
        assert!(page.contains("{\"title\":\"{{script}} {{data}}\"}</script>"));
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("connect-src"));
        assert!(assemble("{}", true).contains("connect-src 'self'; "));
    }

    #[test]
    fn the_policy_names_the_hash_of_what_stands_in_the_page() {
        let page = assemble("{}", false);
        let between = |from: &str, to: &str| {
            let start = page.find(from).unwrap() + from.len();
            let end = start + page[start..].find(to).unwrap();
            &page[start..end]
        };
        for (directive, text) in [
            ("script-src", between("<script>", "</script>")),
            ("style-src", between("<style>", "</style>")),
        ] {
            let hash = STANDARD.encode(Sha256::digest(text.as_bytes()));
            assert!(page.contains(&format!("{directive} 'sha256-{hash}'")));
        }
        // Known answer: SHA-256 of nothing.
        assert_eq!(
            STANDARD.encode(Sha256::digest(b"")),
            "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        );
    }

    #[test]
    fn the_page_loads_nothing_and_the_script_cannot_make_markup() {
        let script = script();
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "</",
            "<!--",
        ] {
            assert!(!script.contains(word), "{word}");
        }
        let places = [PAGE, STYLE, &script].concat();
        let places = places.replace("http://www.w3.org/2000/svg", "");
        for word in ["http:", "https:", "url(h", "@import", "src="] {
            assert!(!places.contains(word), "{word}");
        }
    }
}
