"""One run up close: the player, the verdicts, the command."""

import base64
import gzip
import json

import pytest


def verdicts(data, env, strategy, seed):
    run = next(r for r in data["runs"] if (r["env"], r["strategy"], r["seed"]) == (env, strategy, seed))
    return json.loads(gzip.decompress(base64.b64decode(run["verdicts"])))


def picture(page):
    cells = page.locator("#maps figure").first.locator(".cell")
    return cells.evaluate_all("all => all.map((c) => getComputedStyle(c).fill)")


def test_the_player_moves_and_the_picture_changes(show, data):
    page = show("env=gridworld-3&strategy=pcse&seed=1")
    run = next(r for r in data["runs"] if (r["env"], r["strategy"], r["seed"]) == ("gridworld-3", "pcse", 1))
    slider = page.locator("#moment")
    last = picture(page)
    assert len(last) == 49
    slider.focus()
    page.keyboard.press("Home")
    first = picture(page)
    assert len(set(first)) == 1, "nothing is inferred before the first sample"
    page.keyboard.press("End")
    assert picture(page) == last and first != last
    changed = {i for i, (a, b) in enumerate(zip(first, last)) if a != b}
    assert len(changed) == len(run["snapshots"][-1]["cells"])
    page.keyboard.press("ArrowLeft")
    assert f"iteration {run['snapshots'][-2]['iteration']}," in slider.get_attribute("aria-valuetext")
    facts = page.locator("#moment-facts").inner_text()
    assert "WGIoU" in facts and "samples" in facts
    truth = page.locator("#maps figure").nth(1).locator(".hot")
    assert truth.count() == len(next(e for e in data["environments"] if e["name"] == "gridworld-3")["true_cells"])


def test_play_and_pause(show):
    page = show("env=gridworld-3&strategy=random&seed=2")
    page.clock.install()
    play, slider = page.locator("#play"), page.locator("#moment")
    play.click()
    assert (play.inner_text(), slider.input_value()) == ("Pause", "0")
    page.clock.run_for(1500)
    assert slider.input_value() == "2"
    play.click()
    page.clock.run_for(3000)
    assert (play.inner_text(), slider.input_value()) == ("Play", "2")
    play.click()
    page.clock.run_for(30_000)
    assert (play.inner_text(), slider.input_value()) == ("Play", slider.get_attribute("max"))


def test_choosing_a_run_is_kept_in_the_address(page, visit):
    page.locator("#run-strategy").select_option("random")
    page.locator("#run-seed").select_option("2")
    assert "random in gridworld-3 with seed 2" in page.locator("#run-facts").inner_text()
    again = visit(page.url)
    assert "random in gridworld-3 with seed 2" in again.locator("#run-facts").inner_text()


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_chosen_cell_explains_itself(show, data, by):
    page = show("env=gridworld-3&strategy=pcse&seed=1")
    cells = verdicts(data, "gridworld-3", "pcse", 1)["cells"]
    cell = next(c for c in cells if c and c["witness"] and c["inferred"])
    assert page.locator("button.verdict").count() == len([c for c in cells if c])
    button = page.locator(f'button.verdict[data-state="{cell["state"]}"]')
    if by == "mouse":
        button.click()
    else:
        # From the first cell, a corner, along the grid.
        page.locator('button.verdict[tabindex="0"]').focus()
        row, column = cell["state"] // 7, cell["state"] % 7
        for key in ["ArrowUp"] * row + ["ArrowRight"] * column:
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.state") == str(cell["state"])
        page.keyboard.press("Enter")
    assert button.get_attribute("aria-selected") == "true"
    box = page.locator("#explanation")
    words = box.inner_text()
    assert cell["words"] in words and cell["sure"] in words and cell["name"] in words
    assert box.locator("tbody tr").count() == len(cell["moves"])
    assert cell["moves"][0]["from"] in box.locator("tbody tr").first.inner_text()
    for kind, key in [("alternative", "alternative"), ("expert-trajectory", "expert")]:
        drawn = box.locator(f".map path.{kind}:not(.end)").get_attribute("d")
        on_map = [s for s in cell["witness"][key] if s < 49]
        assert drawn.count("L") == len(on_map) - 1
    assert box.locator(".keys li").count() == 2
    assert cell["witness"]["remark"] in words


def test_symbols_say_what_the_data_say(show, data):
    page = show("env=gridworld-3&strategy=pcse&seed=1")
    for cell in verdicts(data, "gridworld-3", "pcse", 1)["cells"]:
        if cell is None:
            continue
        sign = {"constrained": "X", "taken": "o", "no-gain": "\u00b7"}.get(cell["verdict"], "x" if cell["inferred"] else "?")
        button = page.locator(f'button.verdict[data-state="{cell["state"]}"]')
        assert button.inner_text() == sign
        assert ("truth" in button.get_attribute("class").split()) == cell["truth"]


def test_a_model_without_a_map_is_a_list(show, data):
    page = show("env=crossing&strategy=pcse&seed=1")
    assert "bridge" in page.locator("#maps").inner_text()
    options = page.locator(".verdict-list button")
    cells = [c for c in verdicts(data, "crossing", "pcse", 1)["cells"] if c]
    assert options.count() == len(cells)
    options.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    # What is constrained comes first.
    ranks = ["constrained", "looks", "undecided", "taken", "no-gain"]
    kind = lambda c: "looks" if c["verdict"] == "undecided" and c["inferred"] else c["verdict"]
    order = sorted(cells, key=lambda c: (ranks.index(kind(c)), c["state"]))
    assert order[1]["words"] in page.locator("#explanation").inner_text()
    # Its states and what leads where are drawn.
    assert page.locator("#maps .graph").count() == 2
    assert page.locator("#maps .graph").first.locator("circle.cell").count() == 5


def with_data(report, changed, folder):
    """The page with other data in it."""
    old = report.read_text(encoding="utf-8")
    start, end = old.index('id="data">') + len('id="data">'), old.index("</script>")
    (folder / "page.html").write_text(old[:start] + json.dumps(changed) + old[end:], encoding="utf-8")
    return (folder / "page.html").as_uri()


def test_a_domain_that_nobody_knows_is_shown_as_far_as_all_are(visit, report, data, tmp_path):
    environments = [{**e, "domain": "constructor", "known": False, "extra": {}} for e in data["environments"]]
    runs = [{**run, "verdicts": None} for run in data["runs"]]
    changed = {**data, "environments": environments, "runs": runs}
    page = visit(with_data(report, changed, tmp_path) + "#env=gridworld-3&strategy=pcse&seed=1")
    assert "nothing of the domain constructor" in page.locator("#verdicts-note").inner_text()
    assert page.locator("#maps figure").count() == 2
    assert page.locator("#ground").is_hidden()


def test_what_was_left_out_is_said_with_a_command_to_get_it(visit, report, data, tmp_path):
    runs = [{**run, "verdicts": None, "snapshots": []} for run in data["runs"]]
    changed = {**data, "runs": runs, "left_out": {"verdicts": 12, "snapshots": 12}}
    page = visit(with_data(report, changed, tmp_path))
    note = page.locator("#verdicts-note").inner_text()
    assert "no verdicts for 12 runs" in note and "--env gridworld-3, --strategy pcse, --seeds 1" in note
    assert "not in the page" in page.locator("#maps").inner_text()
    assert page.locator("#play").is_disabled()


def test_the_command_can_be_copied(report, chromium, data):
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator("#command").inner_text() == data["command"]
    assert "--set delta=0.05" in data["command"]
    page.locator("#copy").click()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == data["command"]
    # Where a page may not write to the clipboard, the command is selected.
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    page.locator("#copy").click()
    page.get_by_text("Selected").wait_for()
    assert page.evaluate("getSelection().toString()") == data["command"]
    context.close()


def test_the_configuration_is_there(page, data):
    page.locator("#resolved summary").click()
    text = page.locator("#parameters").inner_text()
    for name, settings in data["configuration"]["strategy_settings"]["finite"].items():
        assert name in text and all(key in text for key in settings)
    for key in data["configuration"]["settings"]["finite"]:
        assert key in text
    for environment in data["configuration"]["environments"]:
        assert environment["fingerprint"] in text
