"""Mazes up close: points, maps of what is known, estimates."""

import base64
import gzip
import json

import pytest

from conftest import data_of, hedgerow

CHOICE = "env=point-maze&strategy=random&seed=1"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A short run of two strategies in the maze."""
    folder = tmp_path_factory.mktemp("maze") / "maze"
    hedgerow("run", "--quiet", "--env", "point-maze", "--strategy", "pcse,random", "--seeds", "1", "--set", "iterations=150", "--out", folder)
    hedgerow("report", "--only", "page", folder)
    return folder / "report.html"


@pytest.fixture(scope="module")
def data(report):
    return data_of(report)


def unpacked(blob):
    return json.loads(gzip.decompress(base64.b64decode(blob)))


def run_of(data, strategy):
    return next(r for r in data["runs"] if r["strategy"] == strategy)


def with_points(data):
    """A strategy whose run inferred something, and what is known of its maze."""
    for run in data["runs"]:
        known = unpacked(run["extra"])
        if known["points"][-1]:
            return run, known
    raise AssertionError("no run inferred a point")


def points(page):
    page.locator("#maps .points").first.wait_for(state="attached")
    return page.locator("#maps figure").first.locator(".points circle")


def test_points_are_drawn_where_the_data_say(show, data):
    run, known = with_points(data)
    page = show(f"env=point-maze&strategy={run['strategy']}&seed=1")
    env = data["environments"][0]
    drawn = points(page)
    page.wait_for_function("n => document.querySelectorAll('#maps .points circle').length === n", arg=len(known["points"][-1]))
    where = drawn.evaluate_all("all => all.map((c) => [c.cx.baseVal.value, c.cy.baseVal.value])")
    left, bottom = env["extra"]["corner"]
    unit = 24 / env["extra"]["cell"]
    height = 24 * env["grid"]["rows"]
    for (x, y), (px, py, _) in zip(where, known["points"][-1]):
        assert x == pytest.approx(16 + (px - left) * unit, abs=0.01)
        assert y == pytest.approx(height - (py - bottom) * unit, abs=0.01)
    page.locator("#moment").focus()
    page.keyboard.press("Home")
    assert drawn.count() == 0 == len(known["points"][0])
    for shot in known["points"][1:]:
        page.keyboard.press("ArrowRight")
        assert drawn.count() == len(shot)


def test_start_goal_truth_and_trajectories_are_there(show, data):
    page = show(CHOICE)
    maze = data["environments"][0]["extra"]
    for i, paths in [(0, 0), (1, len(maze["paths"]))]:
        figure = page.locator("#maps figure").nth(i)
        assert figure.locator(".truth-cell").count() == len(maze["constraints"])
        assert figure.locator(".start-area").count() == len(maze["starts"])
        assert figure.locator(".goal-area").count() == len(maze["goals"])
        assert figure.locator(".expert-path").count() == paths
    # The constraint is framed where the map has its cell.
    [cell] = [s for s, _ in data["environments"][0]["true_cells"]]
    frame = page.locator("#maps .truth-cell").first.bounding_box()
    square = page.locator(f'#maps figure >> nth=0 >> .cell[data-state="{cell}"]').bounding_box()
    assert all(abs(frame[k] - square[k]) <= 4 for k in frame)


@pytest.mark.parametrize("ground", ["value", "density"])
def test_a_map_can_be_chosen_and_shows_every_tile(show, data, ground):
    page = show(CHOICE)
    maps = unpacked(run_of(data, "random")["extra"])["maps"]
    assert page.locator("#maps .tiles").count() == 0
    page.locator(f'#ground input[value="{ground}"]').check(force=True)
    shapes = page.locator("#maps figure").first.locator("path.tiles")
    shapes.first.wait_for(state="attached")
    # Every tile that was seen belongs to one shape.
    wide = shapes.evaluate_all("all => all.flatMap((p) => [...p.getAttribute('d').matchAll(/h(\\d+)v/g)].map((m) => Number(m[1])))")
    assert sum(wide) == len([v for v in maps[ground] if v is not None])
    assert len(set(shapes.evaluate_all("all => all.map((p) => getComputedStyle(p).fill)"))) == shapes.count() > 3
    assert page.locator("#maps .bar-scale").is_visible()
    assert f"ground={ground}" in page.url
    # Kept in the address, and for the next moment.
    page.locator("#moment").focus()
    page.keyboard.press("ArrowLeft")
    assert shapes.count() > 3
    page.locator('#ground input[value="cells"]').check(force=True)
    assert page.locator("#maps .tiles").count() == 0


def test_estimates_are_explained_and_promise_nothing(show, data):
    page = show(CHOICE)
    note = page.locator("#verdicts-note")
    page.locator("button.verdict").first.wait_for()
    assert "nothing is promised" in note.inner_text() and "probability" not in note.inner_text()
    verdicts = unpacked(run_of(data, "random")["verdicts"])
    assert verdicts["confidence"] is None
    cells = [c for c in verdicts["cells"] if c]
    assert page.locator("button.verdict").count() == len(cells)
    truth = {s for s, _ in data["environments"][0]["true_cells"]}
    for cell in cells:
        button = page.locator(f'button.verdict[data-state="{cell["state"]}"]')
        button.click()
        box = page.locator("#explanation")
        words = box.inner_text()
        assert cell["words"] in words and cell["sure"] in words and "nothing is promised" in words
        assert box.locator(".origin").count() == ("extra" in cell)
        assert ("truth" in button.get_attribute("class").split()) == (cell["state"] in truth)
    assert any("extra" in c for c in cells)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_does_not_scroll_sideways(show, scheme, data):
    page = show(f"{CHOICE}&ground=density&cell=1", width=390, height=844, color_scheme=scheme, has_touch=True, is_mobile=True)
    page.locator("#maps .tiles").first.wait_for(state="attached")
    page.locator("#explanation h4").wait_for()
    assert page.evaluate("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)") <= 390


def test_points_that_are_left_out_are_missed(visit, report, data, tmp_path):
    runs = [{k: v for k, v in run.items() if k != "extra"} for run in data["runs"]]
    changed = {**data, "runs": runs, "left_out": {**data["left_out"], "extras": 2}}
    old = report.read_text(encoding="utf-8")
    start, end = old.index('id="data">') + len('id="data">'), old.index("</script>")
    (tmp_path / "page.html").write_text(old[:start] + json.dumps(changed) + old[end:], encoding="utf-8")
    page = visit((tmp_path / "page.html").as_uri() + f"#{CHOICE}&ground=value")
    assert "not in the page" in page.locator("#maps").inner_text()
    assert page.locator("#ground input").count() == 2
