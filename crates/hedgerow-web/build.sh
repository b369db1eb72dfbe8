#!/usr/bin/env bash
# Builds the playground: the engine for browsers, and the page with it inside. Installs the target
# of the Rust toolchain if it is missing. Some minutes the first time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

target=wasm32-unknown-unknown
if ! rustup target list --installed | grep -qx "$target"; then
    rustup target add "$target"
fi
folder=$(realpath "${CARGO_TARGET_DIR:-target}")
cargo build --locked --profile web --package hedgerow-web --lib --target "$target"
cargo run --locked --package hedgerow-assemble -- \
    "$folder/$target/web/hedgerow_web.wasm" crates/hedgerow-web/dist/playground.html
