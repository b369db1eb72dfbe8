#!/usr/bin/env bash
# The reference of the Python package, from its docstrings, as pages in target/api that need no network.
# PYTHON is an interpreter with the package and what its extras need; python3 if that is not said.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PYTHON=${PYTHON:-python3}
version=16.0.0
if [[ "$("$PYTHON" -c 'import pdoc; print(pdoc.__version__)' 2>/dev/null)" != "$version" ]]; then
    "$PYTHON" -m pip install --quiet --disable-pip-version-check "pdoc==$version"
fi
"$PYTHON" -m pytest --quiet tests/python/test_docstrings.py -k described
"$PYTHON" -m pdoc --docformat restructuredtext --output-directory target/api hedgerow '!hedgerow._native'
printf 'target/api/hedgerow.html\n'
