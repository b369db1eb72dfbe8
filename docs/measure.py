#!/usr/bin/env python3
"""Runs the tables of measurements.md again, and says which figures moved.

    docs/measure.py --list             the tables, and how each is measured
    docs/measure.py                    all that can be repeated to the last digit
    docs/measure.py gridworlds         one table
    docs/measure.py --timings          times and memory too, which move by themselves
    docs/measure.py gridworlds --write the same, and the new figures go into the document

A table is a marker, and the commands of the nearest `sh` block above it in its section:

    <!-- table NAME: READER ARGUMENT... -->

A reader (see READERS) turns what the commands leave behind into cells, found by the head of their
column and the first cell of their row. It returns None for what it does not know: such a cell stays
as it is, and is counted. Commands run at the root of the repository; what they write with `--out`
goes to a working folder, and is made anew unless --resume is given.

A cell moved if its words changed, or a number in it by more than the tolerance: 0 for what is
the same on every run, 0.25 of the old value for tables of times. The exit status is 0 if nothing
moved (or was written), 1 if something did, 2 if something failed.
"""

import argparse
import csv
import functools
import json
import math
import os
import re
import shlex
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MARKER = re.compile(r"<!-- table ([a-z0-9-]+): ([a-z-]+)(.*?) -->")
NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?")
REPEATABLE, TIMED = 0.0, 0.25


class Failure(Exception):
    """What the user is told in one line."""


@dataclass
class Table:
    """A table of the document, and where it stands."""

    name: str
    reader: str
    arguments: list
    commands: list
    line: int  # of its head
    head: list
    rows: list

    @property
    def is_timed(self):
        return self.reader in TIMED_READERS


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables_of(text):
    """All tables with a marker; one without is an error, so that none is forgotten."""
    lines = text.split("\n")
    tables, commands, marker, block = [], [], None, None
    for i, line in enumerate(lines):
        if line.startswith("```"):
            block = [] if block is None and line == "```sh" else None if block is not None else ""
            if block == []:
                commands = block
        elif isinstance(block, list):
            block.append(line)
        elif block == "":
            continue
        elif line.startswith("## "):
            commands, marker = [], None
        elif found := MARKER.fullmatch(line):
            marker = found
        elif line.startswith("|") and not lines[i - 1].startswith("|"):
            if marker is None:
                raise Failure(f"line {i + 1}: a table without a marker; put <!-- table NAME: READER --> above it")
            name, reader, arguments = marker.groups()
            if reader not in READERS:
                raise Failure(f"line {i + 1}: there is no reader `{reader}`; use one of {', '.join(READERS)}")
            end = i
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            rows = [cells_of(line) for line in lines[i + 2 : end]]
            head = cells_of(line)
            for row in rows:
                if len(row) != len(head):
                    raise Failure(f"table {name}: the row {row[0]} has {len(row)} cells, the head {len(head)}")
            asked = [c.split("  #")[0].strip() for c in commands if c.strip()]
            tables.append(Table(name, reader, shlex.split(arguments), asked, i, head, rows))
            marker = None
    names = [t.name for t in tables]
    for name in names:
        if names.count(name) > 1:
            raise Failure(f"there are two tables called {name}; give one of them another name")
    return tables


def written(text, table, rows):
    """The document with other rows in a table."""
    lines = text.split("\n")
    for i, row in enumerate(rows):
        lines[table.line + 2 + i] = "| " + " | ".join(row) + " |"
    return "\n".join(lines)


def numbers(cell):
    return [float(n.replace(",", "")) for n in NUMBER.findall(cell)]


def has_moved(old, new, tolerance):
    if NUMBER.sub("#", old) != NUMBER.sub("#", new):
        return True
    pairs = zip(numbers(old), numbers(new))
    return any(abs(a - b) > tolerance * abs(a) for a, b in pairs)


class Runner:
    """Runs commands of the document, each once."""

    def __init__(self, program, work, resume):
        self.program, self.work, self.resume = Path(program), Path(work), resume
        self.done = {}
        self.work.mkdir(parents=True, exist_ok=True)

    def folder(self, name):
        return self.work / name

    def argv(self, command):
        """The words of a command, with our program and our folder."""
        words = shlex.split(command)
        if words[0] == "hedgerow":
            words[0] = str(self.program)
        for i, word in enumerate(words):
            if word in ("--out", "--demos", "--logs"):
                words[i + 1] = str(self.folder(words[i + 1]))
        if words[1:2] in (["report"], ["show"]):
            words[2] = str(self.folder(words[2]))
        if words[1:2] == ["run"] and not self.resume:
            words.append("--fresh")
        return words

    def run(self, command, *more):
        """What the command prints."""
        return self.measured(command, *more)["said"]

    def measured(self, command, *more):
        """The same with its time, memory and bytes written."""
        words = self.argv(command) + list(more)
        key = tuple(words)
        if key not in self.done:
            print(f"  $ {command}", file=sys.stderr, flush=True)
            self.done[key] = execute(words)
        return self.done[key]

    def again(self, command):
        """The same, although it was run before."""
        self.done.pop(tuple(self.argv(command)), None)
        return self.measured(command)


def execute(words):
    started = time.monotonic()
    try:
        process = subprocess.Popen(
            words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    except OSError as error:
        raise Failure(f"{words[0]}: {error.strerror}; build it with `cargo build --release`, or name it with --hedgerow")
    said, complained = drained(process)
    # The process has ended and is still there to be asked.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    seconds = time.monotonic() - started
    bytes_written = written_by(process.pid)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        last = (complained.strip() or "nothing was said").split("\n")[-1]
        raise Failure(f"{shlex.join(words)} failed: {last}")
    return {
        "said": said,
        "seconds": seconds,
        "processor": usage.ru_utime + usage.ru_stime,
        "memory": usage.ru_maxrss * 1024,
        "bytes": bytes_written,
    }


def drained(process):
    """Both outputs, without waiting for the process itself."""
    told = {}

    def read(name, stream):
        told[name] = stream.read()

    streams = {"out": process.stdout, "err": process.stderr}
    threads = [threading.Thread(target=read, args=item) for item in streams.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told["out"], told["err"]


def written_by(pid):
    try:
        for line in Path(f"/proc/{pid}/io").read_text().splitlines():
            if line.startswith("wchar:"):
                return int(line.split()[1])
    except OSError:
        pass
    return None


# Readers: a function of the table and the runner that returns a function from the first cell of a
# row and the head of a column to the new cell, or None.


def plain(x):
    """A median of whole numbers: at most one digit after the point."""
    return f"{x:.1f}".removesuffix(".0")


def strategies_in(cell):
    """`pcse`, 1500 iterations -> pcse. A row may stand for several strategies that are alike."""
    return re.findall(r"`([a-z-]+)`", cell)


def summaries(table, runner):
    """The rows of the summaries of all folders that the marker names, by environment and strategy."""
    for command in table.commands:
        runner.run(command)
    found = {}
    for name in table.arguments:
        with open(runner.folder(name) / "summary.csv", newline="") as file:
            for row in csv.DictReader(file):
                found[row["env"], row["strategy"]] = row
    return found


def median_of(row):
    return float(row["samples_to_expert"]) if row["samples_to_expert"] else None


def reached(rows):
    """How many runs of some summaries came to the expert's level, and of how many."""
    seeds = sum(int(r["seeds"]) for r in rows)
    return f"{sum(round(float(r['converged']) * int(r['seeds'])) for r in rows)} of {seeds}"


def summary(table, runner):
    """`summary FOLDER...`: medians of samples_to_expert, strategies as rows, maps as columns."""
    found = summaries(table, runner)
    envs = [h for h in table.head if any(h == env for env, _ in found)]

    def ratio(strategy):
        logs = []
        for env in envs:
            mine, base = (median_of(found[env, s]) for s in (strategy, "random"))
            if mine is None or base is None:
                return "no ratio"
            logs.append(math.log(mine / base))
        mean = f"{math.exp(sum(logs) / len(logs)):.3f}"
        return "1" if mean == "1.000" else mean

    def cell(row, column):
        strategy = strategies_in(row)[0]
        if column == "ratio":
            return ratio(strategy)
        if column == "converged":
            return reached([found[env, strategy] for env in envs])
        if column in envs:
            median = median_of(found[column, strategy])
            return "not by half" if median is None else plain(median)
        return None

    return cell


def maze(table, runner):
    """`maze FOLDER`: one environment, what was reached and where the inferred points lie."""
    found = summaries(table, runner)
    folder = runner.folder(table.arguments[0])
    env = next(iter(found))[0]

    def cell_of(strategy, column):
        row = found[env, strategy]
        if column == "WGIoU":
            return f"{float(row['final_wgiou']):.3f}"
        if column == "at the expert's level":
            return reached([row])
        if column == "samples to expert":
            median = median_of(row)
            return "" if median is None else plain(median)
        if column == "points at the constraint":
            return ", ".join(share_at_constraint(folder, env, strategy))
        return None

    def cell(row, column):
        cells = {cell_of(strategy, column) for strategy in strategies_in(row)}
        return cells.pop() if len(cells) == 1 else " or ".join(sorted(map(str, cells)))

    return cell


def share_at_constraint(folder, env, strategy):
    """By seed, in the order of the manifest: the weight of the points in or at a constraint cell."""
    seeds = json.loads((folder / "manifest.json").read_text())["seeds"]
    geometry = json.loads((folder / "environments" / f"{env}.json").read_text())["geometry"]
    reach = geometry["cell"] / 2 + geometry["radius"]
    for seed in seeds:
        run = json.loads((folder / "runs" / env / strategy / f"{seed}.json").read_text())
        points = run["snapshots"][-1]["payload"]["points"]
        near = lambda p: any(max(abs(p[0] - x), abs(p[1] - y)) <= reach for x, y in geometry["constraints"])
        whole = sum(p[2] for p in points)
        share = sum(p[2] for p in points if near(p)) / whole if whole else 0.0
        yield "1" if f"{share:.2f}" == "1.00" else f"{share:.2f}"


# Heads of columns, and what `hedgerow verify --json` has for them.
VERIFIED = {
    "wrong verdict": lambda v: failed(promise(v, "verdicts right")),
    "interval": lambda v: "{at_least:.4f} to {at_most:.4f}".format(**promise(v, "verdicts right")),
    "truth outside an interval": lambda v: failed(promise(v, "advantages in their intervals")),
    "expert not explained": lambda v: failed(promise(v, "expert explained")),
    "explained": lambda v: f"{v['decided']} of {v['searches']}",
    "all decided": lambda v: f"{v['decided']} of {v['searches']}",
    "missed": lambda v: str(v["missed"]),
    "samples, median": lambda v: f"{math.floor(v['median_samples']):,}",
    "most": lambda v: f"{v['most_samples']:,}",
    "looseness": lambda v: f"{promise(v, 'verdicts right')['looseness']:.1f}",
}


def promise(verified, name):
    return next(p for p in verified["promises"] if p["promise"] == name)


def failed(p):
    return f"{p['failures']} of {p['runs']}"


def verify(table, runner):
    """`verify`: one command per map. A column is an entry of VERIFIED, the name of a promise, or a
    key of the output."""
    found = {}
    for command in table.commands:
        verified = json.loads(runner.run(command, "--json"))
        found[verified["env"]] = verified

    def cell(row, column):
        verified, known = found[row], re.sub(r" \(.*\)$", "", column)
        if known in VERIFIED:
            return VERIFIED[known](verified)
        if any(p["promise"] == known for p in verified["promises"]):
            p = promise(verified, known)
            loose = p["looseness"]
            digits = 0 if loose is not None and loose >= 100 else 1
            return failed(p) if loose is None else f"{failed(p)}, {loose:.{digits}f}"
        return str(verified[known]) if known in verified else None

    return cell


def records(table, runner):
    """`records SEEDS`: the commands for one map, one seed and one number of episodes, repeated for
    all. Cells missing / too many in the worst seed, and how many seeds were exact."""
    seeds = range(int(table.arguments[0]))
    demos, logs, infer, acted = table.commands

    def on(command, env, **options):
        words = shlex.split(command)
        words[2] = env
        for name, value in options.items():
            words[words.index(f"--{name}") + 1] = str(value)
        return shlex.join(words)

    @functools.cache
    def decided(env):
        cells = json.loads(runner.run(on(acted, env), "--json"))["cells"]
        return {tuple(c) for c in cells["constrained"]}

    def looks(env, episodes, ask, seed):
        # Both are written over and over, so neither may be remembered.
        runner.again(on(demos, env, episodes=episodes, seed=seed))
        runner.again(on(logs, env, seed=seed) + (" --ask" if ask else ""))
        found = json.loads(execute(runner.argv(on(infer, env)) + ["--json"])["said"])["cells"]
        return {tuple(c) for c in found["constrained"] + found["guessed"]}

    def cell(row, column):
        episodes = NUMBER.findall(row)
        if not episodes or not column.startswith("gridworld-"):
            return None
        episodes, ask = episodes[0].replace(",", ""), "answer" in row
        found = [looks(column, episodes, ask, seed) for seed in seeds]
        truth = decided(column)
        missing, many = (max(map(len, sets)) for sets in ([truth - f for f in found], [f - truth for f in found]))
        return f"{missing} / {many}, {sum(f == truth for f in found)} exact"

    return cell


def many(table, runner):
    """`many`: the command with as many seeds as the row says; bytes written, and time."""
    template = shlex.split(table.commands[0])

    def cell(row, column):
        runs = int(row.replace(",", ""))
        words = list(template)
        words[words.index("--seeds") + 1] = f"0..{runs}"
        found = runner.measured(shlex.join(words))
        if found["bytes"] is None:
            return None
        if column == "bytes written":
            return f"{found['bytes']:,}"
        if column == "bytes per run":
            return f"{round(found['bytes'] / runs):,}"
        if column == "time per run":
            start_up = " (start-up included)" if runs < 1000 else ""
            each = 1000 * found["seconds"] / runs
            return f"{each:.{1 if each >= 1 else 2}f} ms{start_up}"
        return None

    return cell


def timed(table, runner):
    """`timed`: a row is the shortest command of the block that has its words; three times each."""
    found = {}
    for command in table.commands:
        found[command] = [runner.again(command) for _ in range(3)]

    def cell(row, column):
        asked = shlex.split(row.strip("`"))
        fits = [c for c in found if set(asked) <= set(shlex.split(c))]
        if not fits:
            return None
        measured = found[min(fits, key=len)]
        seconds = sorted(f"{m['seconds']:.1f}" for m in measured)
        if column == "time (of the processor)":
            span = seconds[0] if seconds[0] == seconds[-1] else f"{seconds[0]} to {seconds[-1]}"
            return f"{span} s ({max(m['processor'] for m in measured):.1f} s)"
        if column == "memory":
            return f"{max(m['memory'] for m in measured) / 1e6:.0f} MB"
        return None

    return cell


def by_hand(table, runner):
    """`by-hand`: needs what this script cannot bring along; the text above the table says what."""
    return lambda row, column: None


READERS = {
    "summary": summary,
    "maze": maze,
    "verify": verify,
    "records": records,
    "many": many,
    "timed": timed,
    "by-hand": by_hand,
}
TIMED_READERS = {"many", "timed", "by-hand"}


def measure(table, runner, tolerance):
    """The new rows, what moved as (row, column, old, new), and how many cells are not known."""
    cell = READERS[table.reader](table, runner)
    rows, moved, unknown = [], [], 0
    for old in table.rows:
        new = [old[0]]
        for column, was in zip(table.head[1:], old[1:]):
            try:
                now = cell(old[0], column)
            except (KeyError, IndexError, StopIteration) as error:
                raise Failure(f"table {table.name}, {old[0]}, {column}: the output has no {error}")
            if now is None:
                unknown += 1
                now = was
            if has_moved(was, now, tolerance):
                moved.append((old[0], column, was, now))
            else:
                # A figure within its tolerance stays, so that documents do not flicker.
                now = was
            new.append(now)
        rows.append(new)
    return rows, moved, unknown


def options():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n", 1)[0],
        epilog="What a table is and how to add one: see the head of this file.",
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="tables to measure; all by default")
    parser.add_argument("--list", action="store_true", help="list the tables and stop")
    parser.add_argument("--write", action="store_true", help="put new figures into the document")
    parser.add_argument("--timings", action="store_true", help="measure times and memory too")
    parser.add_argument("--resume", action="store_true", help="keep finished runs of an earlier call; only for the same program")
    parser.add_argument("--tolerance", type=float, metavar="SHARE", help="how far a figure may move, as a share of itself")
    parser.add_argument("--document", type=Path, default=ROOT / "docs/measurements.md", metavar="FILE")
    parser.add_argument("--hedgerow", type=Path, metavar="FILE", help="the program [default: $HEDGEROW, or the release build]",
        default=os.environ.get("HEDGEROW", ROOT / "target/release/hedgerow"))
    parser.add_argument("--work", type=Path, default=ROOT / "target/measure", metavar="FOLDER", help="where runs are kept")
    return parser.parse_args()


def chosen(tables, asked):
    names = [t.name for t in tables]
    for name in asked.tables:
        if name not in names:
            raise Failure(f"there is no table {name}; use one of {', '.join(names)}")
    if asked.tables:
        return [t for t in tables if t.name in asked.tables]
    return [t for t in tables if asked.timings or not t.is_timed]


def main():
    asked = options()
    text = asked.document.read_text()
    tables = tables_of(text)
    if asked.list:
        for table in tables:
            print(f"{table.name}: {READERS[table.reader].__doc__.split(':')[0].strip('`')}, {len(table.rows)} rows")
            for command in table.commands:
                print(f"    {command}")
        return 0
    runner = Runner(asked.hedgerow.absolute(), asked.work.absolute(), asked.resume)
    changed = 0
    for table in chosen(tables, asked):
        tolerance = asked.tolerance
        if tolerance is None:
            tolerance = TIMED if table.is_timed else REPEATABLE
        rows, moved, unknown = measure(table, runner, tolerance)
        cells = sum(len(row) - 1 for row in table.rows)
        left = f", {unknown} left as they are" if unknown else ""
        print(f"{table.name}: {len(moved)} of {cells} figures moved by more than {tolerance:g} of their value{left}", flush=True)
        for row, column, was, now in moved:
            print(f"    {row} | {column}: {was} -> {now}")
        changed += len(moved)
        if asked.write and moved:
            text = written(text, table, rows)
            asked.document.write_text(text)
    skipped = [t.name for t in tables if t.is_timed and not asked.timings and not asked.tables]
    if skipped:
        print(f"Not measured without --timings: {', '.join(skipped)}")
    return 1 if changed and not asked.write else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Failure, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
