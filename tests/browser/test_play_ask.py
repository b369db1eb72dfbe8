"""The playground's verdicts: the same bits as the command, reasons, records."""

import json

import pytest
from conftest import choose_preset, hedgerow, refused, until
from test_play_race import PRESETS, set_number


def find(page):
    page.locator("#ask").click()
    until(page, "playground.found() !== null")
    return page.evaluate("playground.found()")


def verdict(page, row, column):
    state = page.evaluate(f"playground.environment().grid.cells.findIndex((p) => p && p[0] === {row} && p[1] === {column})")
    return page.locator(f'#verdict-map button[data-state="{state}"]')


@pytest.mark.parametrize("name", PRESETS)
def test_verdicts_are_those_of_the_command_to_the_last_bit(playground, presets, tmp_path, name):
    page = playground()
    choose_preset(page, name)
    set_number(page, "most", 6_000)
    set_number(page, "confidence", 0.9)
    set_number(page, "seed", 5)
    found = find(page)
    (tmp_path / f"{name}.toml").write_text(presets[name])
    told = json.loads(hedgerow("infer", f"{name}.toml", "--confidence", "0.9", "--samples", "6000", "--seed", "5", "--json", cwd=tmp_path))
    assert found["constraint"] == told
    assert found["verdicts"]["samples"] == told["source"]["samples"] == 6_000


def test_a_cell_tells_why_with_the_better_way_beside_the_experts(playground):
    page = playground()
    choose_preset(page, "garden")
    page.locator("#truth").check()
    find(page)
    note = page.locator("#verdicts-note").inner_text()
    assert "all that matters is decided" in note and "With probability at least 0.95" in note
    assert verdict(page, 2, 1).get_attribute("aria-label") == "cell 2,1: constrained, charged by the truth"
    verdict(page, 2, 1).click()
    why = page.locator("#explanation")
    assert why.locator("h4").inner_text() == "cell 2,1: constrained"
    assert "would earn more than the expert does" in why.locator(".words").inner_text()
    assert why.locator(".witness .map path.alternative").count() == 2
    assert why.locator(".witness .map path.expert-trajectory").count() == 2
    # While the rule is hidden nobody speaks of it.
    page.locator("#truth").uncheck()
    verdict(page, 2, 0).click()
    assert why.locator("h4").inner_text() == "cell 2,0: nothing to gain"
    assert "truth" not in page.locator("#answers").inner_text().replace("No true cost is known here, or it is hidden.", "").lower()
    page.locator("#truth").check()
    assert "The truth charges cell 2,0" in why.locator(".words").inner_text()


def test_what_would_decide_a_cell(playground):
    page = playground()
    choose_preset(page, "garden")
    set_number(page, "most", 3_000)
    found = find(page)
    assert "the samples ran out" in page.locator("#verdicts-note").inner_text()
    open_cells = [c for c in found["verdicts"]["cells"] if c and c["verdict"] == "undecided"]
    assert open_cells and all(c["missing"] for c in open_cells)
    decided = [c for c in found["verdicts"]["cells"] if c and c["verdict"] != "undecided"]
    assert all("missing" not in c for c in decided)
    page.locator(f'#verdict-map button[data-state="{open_cells[0]["state"]}"]').click()
    page.locator("#explanation summary", has_text="What would decide this cell?").click()
    assert page.locator("#explanation .missing li").all_inner_texts() == open_cells[0]["missing"]
    # More samples decide more.
    set_number(page, "most", 100_000)
    more = find(page)
    assert sum(c["verdict"] == "undecided" for c in more["verdicts"]["cells"] if c) < len(open_cells)


def test_a_search_can_be_stopped_and_keeps_what_it_found(playground):
    page = playground()
    choose_preset(page, "gridworld-1")
    page.locator("#ask").click()
    until(page, "/sample/.test(document.querySelector('#ask-status').textContent)")
    page.locator("#stop").click()
    until(page, "playground.found() !== null")
    found = page.evaluate("playground.found()")
    assert found["constraint"]["source"]["stop"] in ("samples", "decided")
    assert page.locator("#stop").is_hidden()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory, presets):
    """Records of the garden, in a folder with its map."""
    folder = tmp_path_factory.mktemp("records")
    (folder / "garden.toml").write_text(presets["garden"])
    hedgerow("log", "garden.toml", "--policy", "expert", "--episodes", "200", "--out", "demos.csv", cwd=folder)
    hedgerow("log", "garden.toml", "--policy", "random", "--ask", "--samples", "20000", "--out", "logs.csv", cwd=folder)
    return folder


def test_records_give_the_verdicts_of_the_command(playground, recorded):
    page = playground()
    choose_preset(page, "garden")
    page.locator("#record-file").set_input_files([recorded / "demos.csv", recorded / "logs.csv"])
    until(page, "playground.found() !== null")
    assert page.locator("#records code").all_inner_texts() == ["demos.csv", "logs.csv"]
    assert page.get_by_label("Whose steps logs.csv records").input_value() == "log"
    told = json.loads(hedgerow("infer", "garden.toml", "--demos", "demos.csv", "--logs", "logs.csv", "--json", cwd=recorded))
    assert page.evaluate("playground.found().constraint") == told
    assert "from records" in page.locator("#verdicts-note").inner_text()
    # After a change of the map they are there to infer from once more.
    page.locator('#map button[data-row="4"][data-column="0"]').click()
    until(page, "playground.found() === null")
    page.locator("#undo").click()
    page.locator("#infer-records").click()
    until(page, "playground.found() !== null")
    assert page.evaluate("playground.found().constraint") == told


def test_records_can_be_dropped_on_the_page(playground, recorded):
    page = playground()
    choose_preset(page, "garden")
    text = (recorded / "demos.csv").read_text()
    page.evaluate("""(text) => {
      const files = new DataTransfer();
      files.items.add(new File([text], "demos.csv"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
    }""", text)
    until(page, "playground.found() !== null")
    told = json.loads(hedgerow("infer", "garden.toml", "--demos", "demos.csv", "--json", cwd=recorded))
    assert page.evaluate("playground.found().constraint") == told


BROKEN = {
    "empty.csv": "",
    "column.csv": "episode,state,action\n1,0,up\n",
    "name.csv": "episode,state,action,next_state\n1,\"cell 0,0\",jump,\"cell 1,0\"\n",
    "impossible.csv": "episode,state,action,next_state\n1,\"cell 0,0\",up,\"cell 4,4\"\n",
    "short.csv": "episode,state,action,next_state\n1,0\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_records_get_the_words_of_the_command(playground, recorded, tmp_path, name):
    (tmp_path / name).write_text(BROKEN[name])
    (tmp_path / "garden.toml").write_text((recorded / "garden.toml").read_text())
    said = refused("infer", "garden.toml", "--demos", name, cwd=tmp_path)
    page = playground()
    choose_preset(page, "garden")
    page.locator("#record-file").set_input_files(tmp_path / name)
    problem = page.locator("#ask-problem")
    problem.wait_for()
    assert problem.inner_text() == said
    assert page.locator("#found").is_hidden()


def test_logs_alone_do_not_show_an_expert(playground, recorded, tmp_path):
    (tmp_path / "garden.toml").write_text((recorded / "garden.toml").read_text())
    hedgerow("log", "garden.toml", "--policy", "random", "--samples", "100", "--out", "log.csv", cwd=tmp_path)
    page = playground()
    choose_preset(page, "garden")
    page.locator("#record-file").set_input_files(tmp_path / "log.csv")
    page.locator("#ask-problem").wait_for()
    assert page.locator("#ask-problem").inner_text() == refused("infer", "garden.toml", "--logs", "log.csv", cwd=tmp_path)


def test_a_confidence_that_is_none_gets_the_words_of_the_command(playground, tmp_path, presets):
    (tmp_path / "garden.toml").write_text(presets["garden"])
    page = playground()
    choose_preset(page, "garden")
    set_number(page, "confidence", 1.5)
    page.locator("#ask").click()
    page.locator("#ask-problem").wait_for()
    assert page.locator("#ask-problem").inner_text() == refused("infer", "garden.toml", "--confidence", "1.5", cwd=tmp_path)
