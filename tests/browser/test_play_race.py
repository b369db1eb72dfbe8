"""The playground's race: the same bits as the command, and its controls."""

import csv

import pytest
from conftest import choose_preset, hedgerow, until

STRATEGIES = ["pcse", "random", "undecided"]
PRESETS = ["gridworld-1", "gridworld-2", "gridworld-3", "gridworld-4", "garden", "warehouse", "frozen-lake", "cliff-walking"]


def set_number(page, field, value):
    page.locator(f"#{field}").fill(str(value))
    page.locator(f"#{field}").press("Enter")


def race(page, strategies, seed, iterations):
    for seat, name in enumerate([*strategies, ""][:3], start=1):
        page.locator(f"#racer-{seat}").select_option(name)
    set_number(page, "seed", seed)
    set_number(page, "iterations", iterations)


def to_the_end(page):
    page.locator("#end").click()
    until(page, "playground.over()")
    return page.evaluate("playground.runs()")


def number(text):
    """A number of a history; JSON has none that is not finite."""
    if text == "":
        return None
    value = float(text)
    return value if abs(value) < float("inf") else None


@pytest.mark.parametrize("name", PRESETS)
def test_curves_are_those_of_the_command_to_the_last_bit(playground, presets, tmp_path, name):
    page = playground()
    choose_preset(page, name)
    race(page, STRATEGIES, seed=3, iterations=60)
    runs = to_the_end(page)
    (tmp_path / f"{name}.toml").write_text(presets[name])
    hedgerow("run", "--quiet", "--env", f"{name}.toml", "--strategy", ",".join(STRATEGIES), "--seeds", "3", "--iterations", "60",
             "--out", "out", cwd=tmp_path)
    assert [run["name"] for run in runs] == STRATEGIES
    for run in runs:
        with open(tmp_path / "out" / "runs" / name / run["name"] / "3.csv", newline="") as file:
            history = list(csv.DictReader(file))
        assert len(history) == len(run["frames"]) > 1
        for row, frame in zip(history, run["frames"]):
            # Every column of the history, every bit of every number.
            for column, text in row.items():
                assert frame[column] == number(text), (run["name"], row["iteration"], column)


def test_play_pause_step_speed_and_moment(playground):
    page = playground()
    choose_preset(page, "gridworld-3")
    race(page, ["pcse", "random"], seed=0, iterations=100)
    shown = "() => Number(document.querySelector('#moment').value)"
    page.locator("#speed").select_option("8")
    page.locator("#play").click()
    until(page, "Number(document.querySelector('#moment').value) >= 3")
    assert page.locator("#play").inner_text() == "Pause"
    page.locator("#play").click()
    assert page.locator("#play").inner_text() == "Play"
    at = page.evaluate(shown)
    assert 3 <= at < 100
    page.wait_for_timeout(300)
    assert page.evaluate(shown) == at
    page.locator("#step").click()
    assert page.evaluate(shown) == at + 1
    page.locator("#back").click()
    page.locator("#back").click()
    until(page, f"Number(document.querySelector('#moment').value) === {at - 1}")
    # What is shown belongs to the moment.
    frame = page.evaluate(f"playground.runs()[0].frames[{at - 1}]")
    assert frame["iteration"] == at - 1
    lane = page.locator('.lane[data-strategy="pcse"]')
    assert f"iteration {at - 1}" in lane.locator("figcaption").inner_text()
    hot = lane.locator(".hot").evaluate_all("all => all.map((c) => Number(c.dataset.state)).sort((a, b) => a - b)")
    assert hot == sorted(state for state, _ in frame["cells"])
    assert lane.locator(".seen").count() == sum(1 for times in frame["seen"][:-1] if times > 0)
    walked = lane.locator(".walk").get_attribute("d").count("L")
    assert walked >= 1
    page.locator("#speed").select_option("400")
    page.locator("#play").click()
    until(page, "document.querySelector('#play').textContent === 'Play' && playground.over()")
    assert page.evaluate(shown) == 100
    assert page.locator("#panels svg.plot").count() == 3
    page.locator('#axis input[value="iterations"]').check(force=True)
    page.locator('#metrics input[value="samples"]').check(force=True)
    assert page.locator('figure[data-metric="samples"] svg').count() == 1
    page.locator("#moment").fill("10")
    assert "iteration 10" in lane.locator("figcaption").inner_text()


def test_a_seed_is_another_race_and_the_same_seed_the_same(playground):
    page = playground()
    choose_preset(page, "gridworld-3")

    def last(seed):
        race(page, ["pcse", "ucb"], seed=seed, iterations=20)
        return [run["frames"][-1] for run in to_the_end(page)]

    first = last(1)
    assert last(2) != first
    assert last(1) == first


def test_numbers_that_are_none_become_usual_ones(playground):
    page = playground()
    for field, wrong, right in [("seed", "-4", "0"), ("seed", "", "0"), ("seed", "2.6", "3"), ("iterations", "0", "1"), ("iterations", "", "200"), ("most", "", "5000000")]:
        set_number(page, field, wrong)
        assert page.locator(f"#{field}").input_value() == right


def test_three_race_and_a_map_that_changes_ends_the_race(playground):
    page = playground()
    choose_preset(page, "garden")
    race(page, ["pcse", "bear", "max-entropy"], seed=0, iterations=30)
    to_the_end(page)
    assert page.locator(".lane").count() == 4
    assert page.locator("#lanes").get_by_text("At the expert\u2019s level").or_(page.locator("#lanes").get_by_text("It did not come")).count() == 3
    choose_preset(page, "gridworld-1")
    assert page.locator(".lane").count() == 1
    assert page.evaluate("playground.runs()") == []


def test_the_rule_can_be_hidden_and_guessed(playground):
    page = playground()
    assert not page.locator("#truth").is_checked()
    assert page.locator("#lanes .hot").count() == 0
    assert page.locator("#map .forbidden").count() == 0
    for column in range(1, 4):
        page.locator(f'#guess-map button[data-row="2"][data-column="{column}"]').click()
    assert page.locator("#guess-map .forbidden").count() == 3
    page.locator("#reveal").click()
    page.locator("#guess-score", has_text="your guess").wait_for()
    # Three of the four cells.
    assert page.locator("#guess-score").inner_text() == "IoU with the rule: your guess 0.75, exact inference 0.75."
    assert page.locator("#lanes .hot").count() == 4
    assert page.locator("#map .forbidden").count() == 4


@pytest.mark.parametrize("step", range(5))
def test_every_step_is_a_state_of_the_page(playground, step):
    page = playground()
    page.locator("#steps button").nth(step).click()
    until(page, f"document.querySelectorAll('#steps button')[{step}].hasAttribute('aria-current')")
    assert page.locator("#lesson p").count() >= 2
    done = [
        "!document.querySelector('#truth').checked",
        "playground.map().name === 'gridworld-1' && playground.over()",
        "playground.over() && Number(document.querySelector('#moment').value) === 200",
        "document.querySelector('#explanation h4')?.textContent === 'cell 2,0: nothing to gain'",
        "playground.environment()?.name === 'mine'",
    ][step]
    until(page, done)
    if step == 3:
        assert "The truth charges cell 2,0" in page.locator("#explanation .words").inner_text()
