#!/usr/bin/env bash
# Stands in for rustc while Cargo builds our crates (RUSTC_WORKSPACE_WRAPPER=tests/lint.sh): compiles one, then lints it with
# clippy, warnings being errors, from the same arguments and what is compiled already. `cargo clippy` would check every dependency
# first. Clippy can compile as well, but leaves out what rustc does before LLVM: a search with that code took a sixth longer.
# Unit tests are quick, and it is their compiling that takes long: clippy compiles and lints them at once, without optimisation.
set -euo pipefail
export CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__

case " $* " in
*/src/lib.rs\ *" --test "*)
    arguments=()
    for argument in "$@"; do
        case $argument in
        opt-level=*) argument=opt-level=0 ;;
        esac
        arguments+=("$argument")
    done
    exec clippy-driver "${arguments[@]}"
    ;;
esac

"$@"

arguments=()
is_crate=no
last=
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for argument in "$@"; do
    case $last,$argument in
    --out-dir,*) argument=$scratch ;;
    *,--emit=*) argument=--emit=metadata is_crate=yes ;;
    # Without `artifacts`: Cargo has been told of the files that it waits for.
    *,--json=*) argument=--json=diagnostic-rendered-ansi ;;
    esac
    arguments+=("$argument")
    last=$argument
done
# Cargo also asks for the version and for what the target has.
if [ "$is_crate" = yes ]; then
    clippy-driver "${arguments[@]}"
fi
