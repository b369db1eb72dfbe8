#!/usr/bin/env bash
# Counts the instructions of the hot loops and compares them with benches/instructions.txt: unlike
# times, counts hardly move from run to run. `benches/instructions.sh --write` keeps new counts.
# Needs `perf` or `valgrind`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${CARGO_TARGET_DIR:-target}
kept=benches/instructions.txt
states=30000
# Percent by which a count may grow.
tolerance=5
cargo build --quiet --release --locked --package hedgerow --example bench
bench=$target/release/examples/bench
export RAYON_NUM_THREADS=1

# `perf` may be there and the processor not tell: then it prints no number, and ends well all the same.
if perf stat -x, -e instructions:u true 2>&1 | grep -q '^[0-9]'; then
    told_by=perf
elif command -v valgrind >/dev/null; then
    told_by=valgrind
else
    echo "benches/instructions.sh: neither perf nor valgrind counts instructions here; install valgrind" >&2
    exit 2
fi

counted() {
    if [ "$told_by" = perf ]; then
        perf stat -x, -e instructions:u "$bench" count "$1" "$states" 2>&1 >/dev/null |
            sed -n 's/^\([0-9][0-9]*\),.*instructions:u.*/\1/p'
    else
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" count "$1" "$states" 2>&1 |
            sed -n 's/.*Collected : \([0-9][0-9]*\).*/\1/p'
    fi
}

base=$(counted nothing)
failed=0
found=
for loop in value modified; do
    count=$(($(counted "$loop") - base))
    if ((count <= 0)); then
        echo "benches/instructions.sh: $told_by counted nothing of $loop" >&2
        exit 2
    fi
    found+="$loop $count"$'\n'
    before=$(sed -n "s/^$loop \([0-9]*\)$/\1/p" "$kept" 2>/dev/null || true)
    if [ -z "$before" ]; then
        echo "$loop: $count instructions, none kept to compare with"
    elif ((count * 100 > before * (100 + tolerance))); then
        echo "$loop: $count instructions, $before before: more than $tolerance % more" >&2
        failed=1
    else
        echo "$loop: $count instructions, $before before"
    fi
done
if [ "${1:-}" = --write ]; then
    printf '%s' "$found" >"$kept"
    exit 0
fi
exit "$failed"
