#!/usr/bin/env bash
# Everything a change has to pass: format, lints, tests, doc tests, documentation.
# Stops at the first failure. Installs missing components of the Rust toolchain.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

step() {
    printf '\n==> %s\n' "$*"
    "$@"
}

for component in rustfmt clippy; do
    if ! "cargo-${component/rust/}" --version >/dev/null 2>&1; then
        step rustup component add "$component"
    fi
done

step cargo fmt --all --check
step cargo clippy --workspace --all-targets --locked -- -D warnings
if cargo nextest --version >/dev/null 2>&1; then
    step cargo nextest run --workspace --locked
else
    step cargo test --workspace --all-targets --locked
fi
step cargo test --workspace --doc --locked
# The library only: the command has the same name and would overwrite its pages.
export RUSTDOCFLAGS="${RUSTDOCFLAGS:-} -D warnings"
step cargo doc --workspace --lib --no-deps --locked
printf '\nAll checks passed.\n'
