#!/usr/bin/env bash
# Compares the command with an independent solver in Python: tables of Gymnasium, random models, soft
# budgets, scales; and with Storm: models exchanged as UMB files, one of a million states. Makes a Python environment under target/. HEDGEROW names a program to test instead
# of building one. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

source tests/environment.sh
environment oracle
venv=target/oracle-venv

if [ -z "${HEDGEROW:-}" ]; then
    cargo build --locked --bin hedgerow
    HEDGEROW=$PWD/target/debug/hedgerow
fi
HEDGEROW=$(realpath "$HEDGEROW")
export HEDGEROW
# Many small systems: threads of the linear algebra would only get into each other's way.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
exec "$venv/bin/pytest" -q -p no:cacheprovider tests/oracle "$@"
