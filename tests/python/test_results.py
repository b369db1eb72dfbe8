"""Results as tables, files and figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hedgerow

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> hedgerow.Results:
    folder = tmp_path_factory.mktemp("results")
    spec = {
        "env": ["gridworld-1", "gridworld-3"],
        "strategy": ["pcse", "random"],
        "seeds": range(3),
        "settings": {"iterations": 20},
    }
    return hedgerow.sweep(spec, out=folder)


@pytest.mark.parametrize("name", ["summary", "history", "runs"])
def test_tables_are_the_same_everywhere(results: hedgerow.Results, name: str, tmp_path: Path) -> None:
    import pyarrow.parquet

    table = getattr(results, name)
    arrow = pyarrow.table(table)
    assert arrow.column_names == table.columns and arrow.num_rows == len(table)
    by_pandas, by_polars = pandas.DataFrame.from_arrow(table), polars.DataFrame(table)
    assert list(by_pandas.columns) == by_polars.columns == table.columns
    for column in table.columns:
        values = np.asarray(table[column])
        if values.dtype.kind == "U":
            assert by_polars[column].to_list() == by_pandas[column].tolist() == list(values)
        else:
            np.testing.assert_array_equal(by_polars[column].cast(polars.Float64).fill_null(np.nan).to_numpy(), values)
    # Parquet by their writers, and back.
    pyarrow.parquet.write_table(arrow, tmp_path / "a.parquet")
    by_polars.write_parquet(tmp_path / "b.parquet")
    by_pandas.to_parquet(tmp_path / "c.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "a.parquet").equals(arrow)
    assert polars.read_parquet(tmp_path / "b.parquet").equals(by_polars)
    assert polars.read_parquet(tmp_path / "c.parquet").shape == by_polars.shape


def test_the_summary_is_that_of_the_file(results: hedgerow.Results) -> None:
    file = polars.read_csv(results.folder / "summary.csv")
    assert file["final_reward"].to_list() == polars.DataFrame(results.summary)["final_reward"].to_list()
    assert len(results.history) == 2 * 2 * 3 * 21


def test_figures_in_two_lines(results: hedgerow.Results, tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    for metric in hedgerow.figures.LABELS if hasattr(hedgerow, "figures") else ("reward", "cost", "wgiou"):
        figure = results.plot(metric)
        assert [a.get_title() for a in figure.axes[:2]] == results.env_names
        lines = figure.axes[0].get_lines()
        assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == len(lines)
        matplotlib.pyplot.close(figure)
    results.plot("reward", against="iteration").savefig(tmp_path / "reward.png")
    results.plot_map("gridworld-3", "pcse").savefig(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 5000
    for wrong, said in [
        (lambda: results.plot("speed"), "metric: `speed` is unknown; use one of reward"),
        (lambda: results.plot(env=["gridworld-2"]), "`gridworld-2` is not in these results"),
        (lambda: results.plot_map("gridworld-3", "bear"), "no finished run of bear in gridworld-3"),
    ]:
        with pytest.raises(hedgerow.InputError, match=said):
            wrong()


def test_display_in_notebooks(results: hedgerow.Results) -> None:
    from xml.etree import ElementTree

    env = hedgerow.Environment.open("gridworld-3")
    run = hedgerow.run(env, "pcse", iterations=5)
    for thing in (env, hedgerow.infer_exact(env), run, results):
        html = thing._repr_html_()
        assert "<script" not in html
        for part in html.split("<svg")[1:]:
            ElementTree.fromstring("<svg" + part.split("</svg>")[0] + "</svg>")
