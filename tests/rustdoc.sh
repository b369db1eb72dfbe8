#!/usr/bin/env bash
# Stands in for rustdoc while `cargo test --doc` runs (RUSTDOC=tests/rustdoc.sh): tests the examples of a crate,
# then writes its pages from the same arguments, warnings being errors. `cargo doc` would check every
# dependency first, which the tests have compiled already, and takes minutes for that.
set -euo pipefail
rustdoc=$(rustup which rustdoc 2>/dev/null || echo rustdoc)
pages=()
tests=no
skip=no
for argument in "$@"; do
    if [ "$skip" = yes ]; then
        skip=no
        continue
    fi
    case $argument in
    --test) tests=yes ;;
    --test-run-directory | --test-args) skip=yes ;;
    --test-run-directory=* | --test-args=*) ;;
    *) pages+=("$argument") ;;
    esac
done
"$rustdoc" "$@"
if [ "$tests" = yes ]; then
    "$rustdoc" "${pages[@]}" -D warnings --out-dir "${CARGO_TARGET_DIR:-target}/doc"
fi
