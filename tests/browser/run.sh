#!/usr/bin/env bash
# Tests the report and the playground in a real browser. Installs what is missing: Chromium from Debian's packages, and
# a Python environment under target/. HEDGEROW names a program to test instead of building one.
# Arguments go to pytest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! command -v chromium >/dev/null; then
    if ! command -v apt-get >/dev/null; then
        echo "error: there is no chromium here and no apt-get to install it; install Chromium and run this again" >&2
        exit 1
    fi
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium
fi

source tests/environment.sh
environment browser
venv=target/browser-venv

if [ -z "${HEDGEROW:-}" ]; then
    cargo build --locked --bin hedgerow
    HEDGEROW=$PWD/target/debug/hedgerow
fi
export HEDGEROW
exec "$venv/bin/pytest" -q -p no:cacheprovider tests/browser "$@"
