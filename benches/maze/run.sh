#!/usr/bin/env bash
# Physics steps a second of the real PointMaze through its Python interface and of ours, one core
# each, in turn over several rounds; the ratio is that of the medians.
# Usage: benches/maze/run.sh [ROUNDS] [SECONDS]
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
cargo build --quiet --release --locked --package hedgerow-deep --example maze_steps

# Both on the same core, where the system can do that.
pin=()
if taskset -c 0 true 2>/dev/null; then
    pin=(taskset -c 0)
fi
export OMP_NUM_THREADS=1

for ((round = 1; round <= rounds; round++)); do
    real=$("${pin[@]}" "$venv/bin/python" "$here/real.py" "$seconds")
    ours=$("${pin[@]}" "$target/release/examples/maze_steps" "$seconds")
    echo "round $round: real $real steps/s, ours $ours steps/s"
    echo "$real $ours" >&3
done 3>"$venv/rounds.txt"
"$venv/bin/python" "$here/ratio.py" "$venv/rounds.txt"
