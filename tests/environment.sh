# Sourced by the scripts that test with Python, in the project's folder.

# Python keeps what it compiles under target/, and the sources stay clean.
export PYTHONPYCACHEPREFIX=$PWD/target/pycache

# `environment NAME` makes target/NAME-venv with what tests/NAME/requirements.txt lists, if it is not
# there yet.
environment() {
    local venv=target/$1-venv wanted=tests/$1/requirements.txt
    if ! cmp -s "$wanted" "$venv/installed.txt"; then
        rm -rf "$venv"
        python3 -m venv "$venv"
        # Most modules of the large packages are never imported: what is gets compiled then, once.
        "$venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --requirement "$wanted"
        cp "$wanted" "$venv/installed.txt"
    fi
}
