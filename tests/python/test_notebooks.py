"""The notebooks run from top to bottom, and are kept without outputs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import hedgerow

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")
FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
PACKAGE = str(Path(hedgerow.__file__).resolve().parent.parent)


@pytest.mark.parametrize("name", ["finite", "records", "maze"])
def test_notebook(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([PACKAGE, os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [o for cell in notebook.cells for o in cell.get("outputs", []) if o.output_type == "display_data"]
    kinds = {kind for o in shown for kind in o.data}
    rich = {kind for cell in notebook.cells for o in cell.get("outputs", []) for kind in o.get("data", {})}
    assert "text/html" in rich or "image/png" in kinds
    wanted = os.environ.get("HEDGEROW_NOTEBOOKS")  # a folder to keep them in, to look at
    if wanted:
        nbformat.write(notebook, Path(wanted) / f"{name}.ipynb")
