"""What the documents show runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hedgerow

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = str(Path(hedgerow.__file__).resolve().parent.parent)
for needed in ("gymnasium", "pandas", "polars", "pyarrow", "matplotlib"):
    pytest.importorskip(needed)


def blocks(path: Path, language: str) -> list[tuple[int, str]]:
    """The blocks of a language in a document, with the lines they begin in."""
    text = path.read_text(encoding="utf-8")
    found = re.finditer(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return [(text[: m.start()].count("\n") + 2, m.group(1)) for m in found]


def test_every_snippet_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", PACKAGE)
    document = ROOT / "docs" / "python.md"
    space: dict[str, object] = {"__name__": "docs"}
    snippets = blocks(document, "python")
    assert len(snippets) >= 10
    for line, code in snippets:
        exec(compile("\n" * (line - 1) + code, str(document), "exec"), space)


def test_the_readme_says_what_comes_out(capsys: pytest.CaptureFixture[str]) -> None:
    ((_, code),) = blocks(ROOT / "README.md", "python")
    exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
    assert capsys.readouterr().out.strip() == code.rstrip().rsplit("# ", 1)[1]


def test_the_quickstart_is_short_and_convincing() -> None:
    file = ROOT / "python" / "examples" / "quickstart.py"
    code = file.read_text(encoding="utf-8")
    assert len(code.splitlines()) <= 20
    assert code.strip() in (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(file)], env={**os.environ, "PYTHONPATH": PACKAGE}, capture_output=True, text=True, check=True
    )
    assert "looks constrained: [(8, 3), (14, 1)]" in done.stdout


def test_the_slurm_array_gives_the_bytes_of_one_sweep(tmp_path: Path) -> None:
    script = next(code for _, code in blocks(ROOT / "docs" / "clusters.md", "sh") if "#SBATCH" in code)
    (tmp_path / "sweep.sh").write_text(script, encoding="utf-8")
    run = f'exec "{sys.executable}" -m hedgerow "$@"\n'
    (tmp_path / "hedgerow").write_text("#!/bin/sh\n" + run, encoding="utf-8")
    (tmp_path / "hedgerow").chmod(0o755)
    text = 'env = ["gridworld-1"]\nstrategy = ["pcse", "random"]\nseeds = "0..6"\n[settings]\niterations = 5\n'
    (tmp_path / "sweep.toml").write_text(text, encoding="utf-8")
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PYTHONPATH": PACKAGE, "PATH": path, "SLURM_CPUS_PER_TASK": "1"}

    def do(*words: str, **more: str) -> None:
        subprocess.run(words, cwd=tmp_path, env={**environment, **more}, check=True, capture_output=True)

    for task in range(8):
        do("bash", "sweep.sh", SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_COUNT="8")
    do("bash", "-c", "hedgerow merge parts/* --out results")
    do("hedgerow", "run", "sweep.toml", "--out", "whole")
    for file in (p for p in (tmp_path / "whole").rglob("*") if p.is_file() and p.name not in ("timings.csv", ".lock")):
        assert (tmp_path / "results" / file.relative_to(tmp_path / "whole")).read_bytes() == file.read_bytes(), file
