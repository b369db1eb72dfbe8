# Sourced by the scripts that test with Python, in the project's folder.

# Python keeps what it compiles under target/, and the sources stay clean.
export PYTHONPYCACHEPREFIX=$PWD/target/pycache

# `uv ...` as it is installed here, or from PyPI in target/uv-venv. It unpacks what several environments
# share once: with pip they took several times as much processor time.
installer() {
    if command -v uv >/dev/null; then
        uv "$@"
        return
    fi
    local own=target/uv-venv
    if [ ! -x "$own/bin/uv" ]; then
        python3 -m venv "$own"
        "$own/bin/pip" install --quiet --disable-pip-version-check --no-compile 'uv>=0.9'
    fi
    "$own/bin/uv" "$@"
}

# `environment NAME` makes target/NAME-venv with what tests/NAME/requirements.txt lists, if it is not
# there yet; with pip where uv fails, since it does not read pip's configuration (a mirror, say).
environment() {
    local venv=target/$1-venv wanted=tests/$1/requirements.txt
    if ! cmp -s "$wanted" "$venv/installed.txt"; then
        rm -rf "$venv"
        # Without compiling: most modules of the large packages are never imported, and what is gets
        # compiled then, once.
        if ! { installer venv --quiet --python python3 "$venv" &&
            installer pip install --quiet --python "$venv/bin/python" --requirement "$wanted"; }; then
            python3 -m venv --clear "$venv"
            "$venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --requirement "$wanted"
        fi
        cp "$wanted" "$venv/installed.txt"
    fi
}
