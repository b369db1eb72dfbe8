"""Runs the command."""

import json
import os
import subprocess
from pathlib import Path


class Refused(Exception):
    """The command refused its input, with one line that says why."""


def hedgerow(*arguments, timeout=120):
    """What the command prints as JSON."""
    program = os.environ.get("HEDGEROW") or str(
        Path(__file__).parents[2] / "target/debug/hedgerow"
    )
    done = subprocess.run(
        [program, *map(str, arguments), "--json"],
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    if done.returncode == 1 and done.stderr.startswith("error: ") and done.stderr.count("\n") == 1:
        raise Refused(done.stderr.strip())
    assert done.returncode == 0, f"{arguments}: exit {done.returncode}: {done.stderr}"
    return json.loads(done.stdout)


def expert_of(path, folder):
    """The expert's policy by (state, action), as the command writes it."""
    written = folder / "written.json"
    hedgerow("envs", "export", path, written)
    content = json.loads(written.read_text())
    names = {name: i for i, name in enumerate(content["actions"])}

    def action(a):
        return names[a] if isinstance(a, str) else a

    states = content["states"]
    numbers = {name: i for i, name in enumerate(states)} if isinstance(states, list) else {}
    return {(numbers.get(s, s), action(a)): p for s, a, p in content["expert"]}
