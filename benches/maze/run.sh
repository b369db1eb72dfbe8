#!/usr/bin/env bash
# Physics steps per second of processor time of the real PointMaze through its Python interface and of ours, one
# core each, in turn over several rounds; the ratio is that of the medians.
# Usage: benches/maze/run.sh [ROUNDS] [SECONDS]. MAZE_STEPS names a program to measure instead of
# building one.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
rounds=${1:-5}
seconds=${2:-3}
target=${CARGO_TARGET_DIR:-target}
venv=$target/bench-maze

if ! "$venv/bin/python" -c 'import gymnasium_robotics, mujoco' 2>/dev/null; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet -r "$here/requirements.txt"
fi
if [ -z "${MAZE_STEPS:-}" ]; then
    cargo build --quiet --release --locked --package hedgerow-continuous --example maze_steps
    MAZE_STEPS=$target/release/examples/maze_steps
fi

# Both on the same core, where the system can do that.
pin=()
if taskset -c 0 true 2>/dev/null; then
    pin=(taskset -c 0)
fi
export OMP_NUM_THREADS=1

for ((round = 1; round <= rounds; round++)); do
    # It warns about environments that are not used here.
    if ! real=$("${pin[@]}" "$venv/bin/python" "$here/real.py" "$seconds" 2>"$venv/real.txt"); then
        cat "$venv/real.txt" >&2
        exit 1
    fi
    ours=$("${pin[@]}" "$MAZE_STEPS" "$seconds" 2>"$venv/ours.txt")
    echo "round $round: real $real steps/s, ours $ours steps/s"
    echo "$real $ours" >&3
done 3>"$venv/rounds.txt"
cat "$venv/ours.txt"
"$venv/bin/python" "$here/ratio.py" "$venv/rounds.txt"
