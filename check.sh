#!/usr/bin/env bash
# Everything a change has to pass: format, lints, tests, a comparison with an independent solver, the
# Python package, the page in a browser, documentation. Stops at the first failure. Installs what is missing: components
# of the Rust toolchain, Python environments under target/, and Chromium (Debian). Tells the processor time of every step
# and of all: in a fresh clone it is to stay under 15 minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# A fresh clone has nothing that an incremental build could use; see the profile in Cargo.toml. Set it
# to 1 to check again and again in one folder.
export CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"

TIMEFORMAT='processor time: %U s and %S s in the system'
step() {
    printf '\n==> %s\n' "$*"
    time "$@"
}

for component in rustfmt clippy; do
    if ! "cargo-${component/rust/}" --version >/dev/null 2>&1; then
        step rustup component add "$component"
    fi
done

step cargo fmt --all --check
# Every crate of ours is linted after it is compiled.
export RUSTC_WORKSPACE_WRAPPER="$PWD/tests/lint.sh"
if cargo nextest --version >/dev/null 2>&1; then
    step cargo nextest run --workspace --tests --locked
else
    step cargo test --workspace --tests --locked
fi
step cargo build --workspace --bins --examples --locked
# The tests have built the program.
HEDGEROW="$(realpath "${CARGO_TARGET_DIR:-target}")/debug/hedgerow"
step env PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover tests/measure
step env HEDGEROW="$HEDGEROW" tests/oracle/run.sh
step env HEDGEROW="$HEDGEROW" tests/python/run.sh
step env HEDGEROW="$HEDGEROW" tests/browser/run.sh
# Examples of the docs, and the pages themselves.
step env RUSTDOC="$PWD/tests/rustdoc.sh" cargo test --workspace --doc --locked
printf '\nAll checks passed. Processor time of the commands, and in the system:\n'
# Not a pipe: the shell at its other end would tell its own time.
times > >(tail -n 1)
wait "$!"
