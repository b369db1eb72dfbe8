"""Types: the package under a strict checker, and the stub against the compiled module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_passes_a_strict_checker(tmp_path: Path) -> None:
    run("mypy", "--strict", "--cache-dir", str(tmp_path))


def test_the_stub_says_what_the_module_has() -> None:
    run("mypy.stubtest", "hedgerow._native")
