#!/usr/bin/env python3
"""Draws the four shapes of the built-in Gridworlds at any size, in the format of drawn maps.

    benches/maps.py 101 target/maps        # gridworld-1-101.toml to gridworld-4-101.toml
    benches/maps.py 1000 target/maps --shapes 3 --horizon 50

The discount keeps the goal about as visible from the start as at 31 x 31, and episodes are as long in
proportion, unless they are given.
"""

import argparse
import math
import pathlib

# In sixths of a side: goal (row, column), then rectangles (bottom, left, top, right) of constraint cells.
SHAPES = {
    1: ((6, 6), [(2, 0, 2, 4), (4, 2, 4, 6)]),
    2: ((6, 6), [(1, 1, 5, 5)]),
    3: ((6, 0), [(3, 0, 3, 4)]),
    4: ((6, 6), [(2, 2, 4, 4)]),
}

# The largest value at the start of a map, and the length of a way around in sides.
VISIBLE, WAY = 0.02, 1.8


def cells(shape, side):
    """The symbols of a shape, row 0 at the bottom."""
    at = lambda sixths: round(sixths * (side - 1) / 6)
    rows = [["."] * side for _ in range(side)]
    (goal_row, goal_column), rectangles = SHAPES[shape]
    for bottom, left, top, right in rectangles:
        for row in range(at(bottom), at(top) + 1):
            rows[row][at(left) : at(right) + 1] = "x" * (at(right) - at(left) + 1)
    rows[0][0] = "S"
    rows[at(goal_row)][at(goal_column)] = "G"
    return rows


def drawn(shape, side, gamma, horizon):
    """The file of a map."""
    lines = "\n".join(" ".join(row) for row in reversed(cells(shape, side)))
    return f'gamma = {gamma}\nhorizon = {horizon}\nmap = """\n{lines}\n"""\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("side", type=int, help="cells along a side, at least 7")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--shapes", default="1,2,3,4", help="which of the four, as 1,3")
    parser.add_argument("--gamma", type=float, help="discount")
    parser.add_argument("--horizon", type=int, help="steps per episode")
    asked = parser.parse_args()
    if asked.side < 7:
        parser.error("a side needs at least 7 cells")
    gamma = asked.gamma or round(math.exp(math.log(VISIBLE) / (WAY * (asked.side - 1))), 4)
    horizon = asked.horizon or 50 * (asked.side - 1) // 6
    asked.folder.mkdir(parents=True, exist_ok=True)
    for shape in map(int, asked.shapes.split(",")):
        path = asked.folder / f"gridworld-{shape}-{asked.side}.toml"
        path.write_text(drawn(shape, asked.side, gamma, horizon))
        print(path)


if __name__ == "__main__":
    main()
