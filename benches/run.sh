#!/usr/bin/env bash
# Measures the solvers against other programs, and the command on worlds of growing size. Writes the
# tables of docs/benchmarks.md and docs/figures/benchmarks.svg.
# Usage: benches/run.sh [full | quick | smoke] [PART...]. `full` takes hours and 8 GB, `quick` (the
# default) leaves out what takes minutes each, `smoke` runs every part at a tiny size and writes nothing
# into docs. Parts: solvers, constrained, commands, strategies, sweep; all of them if none is given.
# Installs the other programs from PyPI under target/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
size=${1:-quick}
shift || true
case $size in full | quick | smoke) ;; *)
    echo "benches/run.sh: unknown size \`$size\`; use full, quick or smoke" >&2
    exit 2
    ;;
esac
for part in "$@"; do
    case $part in solvers | constrained | commands | strategies | sweep) ;; *)
        echo "benches/run.sh: unknown part \`$part\`; use solvers, constrained, commands, strategies or sweep" >&2
        exit 2
        ;;
    esac
done
target=${CARGO_TARGET_DIR:-target}
work=$target/bench
venv=$work/venv
wanted=benches/solvers/requirements.txt
mkdir -p "$work"

if ! cmp -s "$wanted" "$work/installed.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted"
    cp "$wanted" "$work/installed.txt"
fi
cargo build --release --locked --package hedgerow --example bench --example iteration_cost
cargo build --release --locked --bin hedgerow
exec "$venv/bin/python" benches/solvers/measure.py "$size" "$work" \
    "$target/release" "$@"
