#!/usr/bin/env bash
# Tries every reader with damaged and invented files for SECONDS together (default 3600), or only the
# TARGETs that are named. Inputs that a reader cannot bear are kept in target/fuzz-offenders; put them
# into corpus/TARGET once they are fixed. HEDGEROW_FUZZ_SEED chooses other inputs.
#
#   tests/fuzz/run.sh [SECONDS [TARGET...]]
#   tests/fuzz/run.sh try TARGET INPUT
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
exec cargo run --quiet --package hedgerow-fuzz -- "${@:-3600}"
