//! JSON that may stand inside a page.

use hedgerow::{Error, Result};
use serde::Serialize;

/// `content` as JSON.
pub(super) fn text<T: Serialize>(content: &T) -> Result<String> {
    serde_json::to_string(content).map_err(unwritable)
}

/// Something that should always be possible was not.
pub(super) fn unwritable(error: impl std::fmt::Display) -> Error {
    let remedy = "this is a defect of the program: please report it";
    Error::invalid("page", format!("cannot be written: {error}"), remedy)
}

/// `json` with the characters that mean something to HTML written as escapes.
///
/// All of them stand inside strings, where `\u003c` is the same text as `<`; without `<` nothing
/// can end the block of data or begin another element.
pub(super) fn json_in_html(json: &str) -> String {
    let mut text = String::with_capacity(json.len() + json.len() / 100);
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                text.push_str(&format!("\\u{:04x}", c as u32));
            }
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn markup_becomes_escapes_and_reads_back_as_it_was() {
        let nasty = "</script><script>alert(1)</script><!-- & \u{2028}\u{2029} <img onerror=x>";
        let value = json!({ nasty: [nasty, 1.5, null] });
        let text = json_in_html(&value.to_string());
        for c in ['<', '>', '&', '\u{2028}', '\u{2029}'] {
            assert!(!text.contains(c), "{c:?}");
        }
        assert!(text.contains("\\u003c/script\\u003e"));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
