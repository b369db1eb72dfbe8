#!/usr/bin/env bash
# Installs the package into a Python environment under target/ and tests it: the API, Gymnasium, data,
# Ray, notebooks, types, docstrings. Built like the other tests, not as a release, which takes several
# times as long. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

source tests/environment.sh
environment python
venv=$PWD/target/python-venv

# The build happens in target/, where most of it is already there.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
MATURIN_PEP517_ARGS="--profile dev --features as-tested" \
    installer pip install --quiet --python "$venv/bin/python" --no-deps --reinstall .

if [ -z "${HEDGEROW:-}" ]; then
    cargo build --locked --bin hedgerow
    HEDGEROW=$CARGO_TARGET_DIR/debug/hedgerow
fi
HEDGEROW=$(realpath "$HEDGEROW")
export HEDGEROW
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# The slowest are named: the whole check has to stay short.
exec "$venv/bin/pytest" -q -p no:cacheprovider --durations=12 tests/python "$@"
