# Sourced by the scripts that test with Python, in the project's folder.

# `environment NAME` makes target/NAME-venv with what tests/NAME/requirements.txt lists, if it is not
# there yet.
environment() {
    local venv=target/$1-venv wanted=tests/$1/requirements.txt
    if ! cmp -s "$wanted" "$venv/installed.txt"; then
        rm -rf "$venv"
        python3 -m venv "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted"
        cp "$wanted" "$venv/installed.txt"
    fi
}
