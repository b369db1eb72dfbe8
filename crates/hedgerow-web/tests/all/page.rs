//! The built page: made from what is here now, and whole.

#[path = "../../assemble/src/sources.rs"]
mod sources;

use hedgerow_web::PAGE;
use std::path::Path;

#[test]
fn the_page_is_made_from_what_is_here() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let now = sources::fingerprint(&root).unwrap();
    let said = format!("<meta name=\"sources\" content=\"{now}\">");
    assert!(
        PAGE.contains(&said),
        "the playground is out of date: run crates/hedgerow-web/build.sh"
    );
}

#[test]
fn the_page_is_one_small_file_without_paths_of_the_machine_that_made_it() {
    assert!(PAGE.len() < 5_000_000);
    for word in ["{{", "/registry/src/", "/.cargo/", "http://www.w3.org/1999"] {
        assert!(!PAGE.contains(word), "{word}");
    }
    for (from, parts) in [("<script", 4), ("</script>", 4), ("<style>", 1)] {
        assert_eq!(PAGE.matches(from).count(), parts, "{from}");
    }
    for word in [
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
    ] {
        assert!(!PAGE.contains(word), "{word}");
    }
}
