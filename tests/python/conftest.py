"""What the tests share."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import hedgerow

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def command() -> Callable[..., str]:
    """Runs the command that Cargo built."""
    program = os.environ.get("HEDGEROW") or str(ROOT / "target/debug/hedgerow")

    def run(*words: object, cwd: Path | None = None) -> str:
        done = subprocess.run(
            [program, *map(str, words)], capture_output=True, text=True, cwd=cwd, check=False, timeout=300
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def garden() -> hedgerow.Environment:
    """The garden of the README."""
    return hedgerow.Environment.draw(
        """
        . . . . . G
        . . . . . .
        x x x x . .
        . . . . . .
        S . . # . .
        """,
        gamma=0.8,
        name="garden",
    )


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a results folder that must not differ between two sweeps."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("timings.csv", ".lock")
    }
