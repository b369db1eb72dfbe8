//! The parts of the page that are always the same, put together.

use super::json::unwritable;
use crate::domain::PageParts;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hedgerow::Result;
use sha2::{Digest, Sha256};

const PAGE: &str = include_str!("assets/page.html");

/// The style sheet, which the playground adds to.
pub const STYLE: &str = include_str!("assets/page.css");

/// What the playground draws with too: it knows nothing of where data and choices come from, only
/// their names, `data` and `view`.
pub const SHARED: &[&str] = &[
    include_str!("assets/dom.js"),
    include_str!("assets/format.js"),
    include_str!("assets/plot.js"),
    include_str!("assets/curves.js"),
    include_str!("assets/crosshair.js"),
    include_str!("assets/map.js"),
    include_str!("assets/graph.js"),
    include_str!("assets/pictures.js"),
    include_str!("assets/blob.js"),
    include_str!("assets/domains.js"),
    include_str!("assets/verdicts.js"),
    include_str!("assets/explain.js"),
];

/// The parts of the page's own script, after those.
const SCRIPT: &[&str] = &[
    include_str!("assets/state.js"),
    include_str!("assets/header.js"),
    include_str!("assets/table.js"),
    include_str!("assets/player.js"),
    include_str!("assets/answer.js"),
    include_str!("assets/proofs.js"),
    include_str!("assets/configuration.js"),
    include_str!("assets/live.js"),
];

/// The part that starts it all, after those of the domains.
const MAIN: &str = include_str!("assets/main.js");

/// The page with the parts of some domains and `data`; a live one may ask its server for more.
pub(super) fn assemble(parts: &[PageParts], data: &str, live: bool) -> Result<String> {
    for part in parts {
        // It would end the block it stands in.
        let ends = ["</", "<!--"]
            .into_iter()
            .find(|word| part.script.contains(word) || part.style.contains(word));
        if let Some(word) = ends {
            return Err(unwritable(format!("a part of a domain has `{word}` in it")));
        }
    }
    let (style, script) = (style(parts), script(parts));
    // The data comes last, so that nothing in it is taken for a place to fill.
    Ok(PAGE
        .replacen("{{policy}}", &policy(&style, &script, live), 1)
        .replacen("{{style}}", &style, 1)
        .replacen("{{script}}", &script, 1)
        .replacen("{{data}}", data, 1))
}

fn style(parts: &[PageParts]) -> String {
    let parts = parts.iter().map(|part| part.style);
    std::iter::once(STYLE).chain(parts).collect()
}

/// One function, in which every domain has a block for its own names.
fn script(parts: &[PageParts]) -> String {
    let parts = parts.iter().filter(|part| !part.script.is_empty());
    let blocks: String = parts
        .map(|part| format!("{{\n{}}}\n", part.script))
        .collect();
    let ours = [SHARED, SCRIPT].concat().join("\n");
    format!("\n(() => {{\n\"use strict\";\n{ours}{blocks}{MAIN}}})();\n")
}

/// Only our style and our script; connections only to the server that a live page came from.
fn policy(style: &str, script: &str, live: bool) -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    let connect = if live { "connect-src 'self'; " } else { "" };
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; {connect}base-uri 'none'; form-action 'none'",
        hash(script),
        hash(style)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: PageParts = PageParts {
        script: "domains[\"pendulum\"] = {};\n",
        style: ".pendulum { fill: none; }\n",
    };

    #[test]
    fn every_place_of_the_page_is_filled_and_data_stays_data() {
        let page = assemble(&[], "{\"title\":\"{{script}} {{data}}\"}", false).unwrap();
        assert_eq!(page.matches("{{").count(), 2);
        assert!(page.contains("{\"title\":\"{{script}} {{data}}\"}</script>"));
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("connect-src"));
        let live = assemble(&[], "{}", true).unwrap();
        assert!(live.contains("connect-src 'self'; "));
    }

    #[test]
    fn the_policy_names_the_hash_of_what_stands_in_the_page() {
        for parts in [&[][..], &[PART]] {
            let page = assemble(parts, "{}", false).unwrap();
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
                assert_eq!(text.contains("pendulum"), !parts.is_empty());
            }
        }
        // Known answer: SHA-256 of nothing.
        assert_eq!(
            STANDARD.encode(Sha256::digest(b"")),
            "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        );
    }

    #[test]
    fn a_domain_cannot_end_the_script() {
        for script in ["// </script>", "// <!--"] {
            let part = PageParts { script, ..PART };
            let message = assemble(&[part], "{}", false).unwrap_err().to_string();
            assert!(message.contains("a part of a domain has"), "{message}");
        }
    }

    #[test]
    fn the_page_loads_nothing_and_the_script_cannot_make_markup() {
        let script = script(&[]);
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
