"""The playground's editor: mouse, finger, keyboard, undo, files and links."""

import json
import re

import pytest
from conftest import PLAYGROUND, choose_preset, hedgerow, ready, refused, until


def cell(page, row, column):
    return page.locator(f'#map button[data-row="{row}"][data-column="{column}"]')


def middle(page, row, column):
    box = cell(page, row, column).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def rows(page):
    """The map from the bottom up."""
    return page.evaluate("playground.map().map")[::-1]


def tool(page, name):
    page.locator("#tools label", has_text=re.compile(f"^{name}$")).click()


@pytest.fixture
def garden(playground):
    page = playground()
    page.locator("#truth").check()
    page.locator("#map").scroll_into_view_if_needed()
    return page


def test_it_begins_with_the_first_step_and_a_hidden_rule(playground):
    page = playground()
    assert rows(page) == ["S..#..", "......", "xxxx..", "......", ".....G"]
    assert page.locator("#steps [aria-current]").inner_text() == "1. What a detour tells"
    assert cell(page, 2, 1).get_attribute("aria-label") == "cell 2,1: open"
    assert page.locator("#lanes .expert-trajectory").count() == 1
    page.locator("#truth").check()
    assert cell(page, 2, 1).get_attribute("aria-label") == "cell 2,1: forbidden"


def test_a_mouse_paints_along_a_stroke_and_erases_what_is_the_same(garden):
    tool(garden, "wall")
    garden.mouse.move(*middle(garden, 3, 0))
    garden.mouse.down()
    for column in (1, 2):
        garden.mouse.move(*middle(garden, 3, column), steps=4)
    garden.mouse.up()
    assert rows(garden)[3] == "###..."
    assert cell(garden, 3, 1).get_attribute("aria-label") == "cell 3,1: wall"
    cell(garden, 3, 1).click()
    assert rows(garden)[3] == "#.#..."
    # A stroke is one step back.
    for expected in ("###...", "......"):
        garden.locator("#undo").click()
        assert rows(garden)[3] == expected
    garden.locator("#redo").click()
    assert rows(garden)[3] == "###..."
    garden.keyboard.press("Control+z")
    assert rows(garden)[3] == "......"
    garden.keyboard.press("Control+Shift+z")
    assert rows(garden)[3] == "###..."


def test_a_finger_paints(playground):
    page = playground(width=390, height=844, has_touch=True, is_mobile=True)
    page.locator("#truth").check()
    tool(page, "forbidden")
    page.locator("#map").scroll_into_view_if_needed()
    cell(page, 4, 0).tap()
    assert rows(page)[4] == "x....G"
    # Along a stroke, as a touch screen reports it.
    points = [middle(page, 4, column) for column in (1, 2, 3)]
    touch = page.context.new_cdp_session(page)
    for kind, point in [("touchStart", points[0]), ("touchMove", points[1]), ("touchMove", points[2])]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": point[0], "y": point[1]}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert rows(page)[4] == "xxxx.G"


def test_a_keyboard_paints(garden):
    cell(garden, 0, 0).focus()
    for key in ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight"]:
        garden.keyboard.press(key)
    assert garden.evaluate("document.activeElement.getAttribute('aria-label')") == "cell 3,1: open"
    tool(garden, "forbidden")
    cell(garden, 3, 1).focus()
    garden.keyboard.press("Enter")
    garden.keyboard.press("ArrowRight")
    for key in ["#", "ArrowRight", "^", "ArrowRight", "v", "ArrowRight", "G", "ArrowLeft", "ArrowLeft", "Delete"]:
        garden.keyboard.press(key)
    assert rows(garden)[3] == ".x#.vG"
    garden.keyboard.press("Home")
    garden.keyboard.press("s")
    assert rows(garden)[3] == "Sx#.vG"


def test_numbers_goals_and_size_are_what_the_command_reads(garden, tmp_path):
    for field, value in [("gamma", "0.9"), ("slip", "0.1"), ("step-reward", "-0.01"), ("horizon", "80"), ("budget", "0.5")]:
        garden.locator(f"#{field}").fill(value)
        garden.locator(f"#{field}").press("Enter")
    garden.locator("#moves").select_option("4")
    garden.locator("#name").fill("mine")
    garden.locator("#name").press("Enter")
    garden.locator("#columns").fill("7")
    garden.locator("#columns").press("Enter")
    garden.locator("#add-goal").click()
    garden.get_by_label("goal g pays", exact=True).fill("0.25")
    garden.get_by_label("goal g pays", exact=True).press("Enter")
    cell(garden, 0, 6).click()
    until(garden, "playground.environment()?.name === 'mine' && playground.environment().grid.columns === 7")
    assert garden.locator("#map-problem").is_hidden()
    with garden.expect_download() as download:
        garden.locator("#save").click()
    assert download.value.suggested_filename == "mine.toml"
    download.value.save_as(tmp_path / "mine.toml")
    shown = json.loads(hedgerow("envs", "show", "mine.toml", "--json", cwd=tmp_path))
    env = garden.evaluate("playground.environment()")
    assert shown["name"] == "mine"
    text = (tmp_path / "mine.toml").read_text()
    for line in ["gamma = 0.9", "slip = 0.1", "moves = 4", "horizon = 80", "step = -0.01", '"g" = 0.25', "S . . # . . g"]:
        assert line in text, line
    # The file that was saved is the map that it came from.
    drawn = garden.evaluate("playground.map()")
    choose_preset(garden, "gridworld-2")
    garden.locator("#file").set_input_files(tmp_path / "mine.toml")
    until(garden, "playground.environment()?.name === 'mine'")
    assert garden.evaluate("playground.map()") == drawn
    assert garden.evaluate("playground.environment()") == env


def test_all_presets_open(garden, presets):
    assert list(presets) == ["gridworld-1", "gridworld-2", "gridworld-3", "gridworld-4", "garden", "warehouse", "frozen-lake", "cliff-walking"]
    for name in presets:
        choose_preset(garden, name)
        assert garden.locator("#map-problem").is_hidden()
        assert garden.evaluate("playground.environment().true_cells.length") > 0


def test_a_link_carries_map_and_race(garden, visit):
    choose_preset(garden, "warehouse")
    cell(garden, 3, 3).click()
    garden.locator("#racer-2").select_option("ucb")
    garden.locator("#seed").fill("12")
    garden.locator("#seed").press("Enter")
    until(garden, "location.hash.includes('map=') && location.hash.includes('seed=12')")
    garden.locator("#link").click()
    until(garden, "document.querySelector('#said').textContent !== ''")
    address = garden.evaluate("location.href")
    assert len(address) < 1000
    other = ready(visit(address))
    assert other.evaluate("playground.map()") == garden.evaluate("playground.map()")
    assert other.locator("#racer-2").input_value() == "ucb"
    assert other.locator("#seed").input_value() == "12"
    assert other.locator("#truth").is_checked()
    # To somebody who is to guess.
    garden.locator("#truth").uncheck()
    until(garden, "location.hash.includes('rule=hidden')")
    guesser = ready(visit(garden.evaluate("location.href")))
    assert not guesser.locator("#truth").is_checked()
    assert guesser.locator("#map .forbidden").count() == 0 and guesser.locator("#guess-map button").count() > 0
    garden.locator("#truth").check()
    # The same page with another link.
    choose_preset(garden, "gridworld-3")
    until(garden, f"location.href !== '{address}'")
    garden.evaluate("(a) => { location.href = a; }", address)
    until(garden, "playground.environment()?.name === 'warehouse'")


BROKEN = {
    "key.toml": "gama = 0.7\nmap = 'S.G'\n",
    "syntax.toml": "gamma = 0.7\nslip = = 2\n",
    "symbol.toml": "map = 'S.?G'\n",
    "start.toml": "map = '..G'\n",
    "rows.toml": "map = '''\nS.\n...\nG..'''\n",
    "discount.toml": "gamma = 1.0\nmap = 'S.G'\n",
    "trapped.toml": "map = 'SxG'\n",
    "shut.toml": "map = 'S#G'\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_map_gets_the_words_of_the_command(garden, tmp_path, name):
    (tmp_path / name).write_text(BROKEN[name])
    said = refused("envs", "show", name, cwd=tmp_path)
    before = rows(garden)
    garden.locator("#file").set_input_files(tmp_path / name)
    problem = garden.locator("#map-problem")
    problem.wait_for()
    assert problem.inner_text() == said
    assert problem.get_attribute("role") == "alert"
    assert rows(garden) == before


def test_a_broken_link_is_said_to_be_one(visit, playground):
    page = playground("#map=AAAA")
    assert "link: the map in it cannot be unpacked" in page.locator("#map-problem").inner_text()
    assert rows(page)[2] == "xxxx.."
    # A link to a map that is none gets the words of the command.
    link = page.evaluate("""async () => {
      const stream = new Blob(["map = 'S..'"]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    }""")
    other = ready(visit(f"{PLAYGROUND.as_uri()}#map={link}"))
    assert other.locator("#map-problem").inner_text() == "link: map: no goal; draw a G, or a symbol listed under [goals]"


def test_a_map_that_is_wrong_while_it_is_drawn(garden):
    tool(garden, "open")
    cell(garden, 0, 0).click()
    garden.locator("#map-problem").wait_for()
    assert garden.locator("#map-problem").inner_text() == "map: no start; mark at least one cell with S"
    assert garden.locator("#play").is_disabled() and garden.locator("#ask").is_disabled()
    garden.locator("#undo").click()
    until(garden, "playground.environment() !== null")
    assert garden.locator("#map-problem").is_hidden() and garden.locator("#play").is_enabled()


def test_the_steps_follow_each_other_whatever_size_their_maps_have(playground):
    page = playground()
    # From a map of seven rows with runs to one of five: any error on the page fails the test.
    for step in [2, 3]:
        page.locator("#lesson button", has_text="Next step").click()
        until(page, f"document.querySelector('#steps [aria-current]').textContent.startsWith('{step}.') && playground.runs().length === 2")
    until(page, "playground.over()", timeout=60)
    assert len(rows(page)) == 5


def test_what_is_forbidden_is_not_painted_unseen(playground):
    page = playground()
    assert "rule is hidden" in page.locator("#map-facts").inner_text()
    tool(page, "forbidden")
    cell(page, 0, 1).click()
    assert page.locator("#truth").is_checked()
    assert cell(page, 0, 1).get_attribute("aria-label") == "cell 0,1: forbidden"
    until(page, "document.querySelector('#map-facts').textContent.includes('a rule about 5 cells')")
