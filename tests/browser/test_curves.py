"""The learning curves."""

import re


def lines(page, strategy):
    return page.locator(f'.panel g[data-strategy="{strategy}"] .line').count()


def test_a_strategy_hides_everywhere_and_comes_back(page):
    panels = page.locator(".panel:not(.empty)").count()
    assert panels == 6 and lines(page, "pcse") == panels
    button = page.locator("#legend button").filter(has_text="pcse")
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    assert (lines(page, "pcse"), lines(page, "random")) == (0, panels)
    assert button.get_attribute("aria-pressed") == "false"
    assert page.locator("#table tbody").get_by_text("pcse").count() == 0
    # The focus stays on the button that was drawn anew.
    page.keyboard.press("Enter")
    assert lines(page, "pcse") == panels
    assert page.locator("#table tbody").get_by_text("pcse").count() == 2


def test_all_strategies_hidden_is_said(page):
    for button in page.locator("#legend button").all():
        button.click()
    assert page.locator(".panel.empty").count() == 6
    assert "All strategies are hidden" in page.locator(".panel").first.inner_text()


def text(x):
    """A number as the page writes it, for numbers between 0.0001 and a million."""
    return f"{float(f'{x:.4g}'):.10f}".rstrip("0").rstrip(".").replace("-", "\u2212")


def test_hover_shows_the_values_of_the_data(page, data):
    panel = page.locator('.panel[data-env="gridworld-3"][data-metric="wgiou"]')
    panel.scroll_into_view_if_needed()
    plot = panel.locator("svg.plot")
    box = plot.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    tip = panel.locator(".tip")
    assert tip.is_visible()
    at = int(re.sub(r"\D", "", tip.locator("caption").inner_text()))
    compared = 0
    for curve in [c for c in data["curves"] if c["env"] == "gridworld-3"]:
        xs = curve["samples"]["x"]
        if xs[-1] < at:
            continue
        i = max(k for k in range(len(xs)) if xs[k] <= at)
        cells = tip.locator(f'tr[data-strategy="{curve["strategy"]}"] td').all_inner_texts()
        values = curve["samples"]["wgiou"]
        assert cells[0] == text(values["mean"][i])
        if values["low"][i] != values["high"][i]:
            assert cells[1] == f"{text(values['low'][i])} to {text(values['high'][i])}"
        compared += 1
    assert compared >= 1
    page.mouse.move(box["x"] - 20, box["y"] - 20)
    assert tip.is_hidden()


def test_arrow_keys_move_the_crosshair(page, data):
    panel = page.locator('.panel[data-env="gridworld-3"][data-metric="reward"]')
    plot = panel.locator("svg.plot")
    plot.focus()
    page.keyboard.press("Home")
    curve = next(c for c in data["curves"] if c["env"] == "gridworld-3" and c["strategy"] == "pcse")
    value = panel.locator('.tip tr[data-strategy="pcse"] td').first
    assert value.inner_text() == text(curve["samples"]["reward"]["mean"][0])
    before = plot.get_attribute("aria-valuenow")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert int(plot.get_attribute("aria-valuenow")) > int(before)
    assert "pcse" in plot.get_attribute("aria-valuetext")
    page.keyboard.press("Escape")
    assert panel.locator(".tip").is_hidden()


def test_samples_or_iterations_on_the_axis(page):
    plot = page.locator(".panel svg.plot").first
    label = plot.locator("text.label")
    line = plot.locator(".line").first
    assert label.inner_html().startswith("samples")
    before = line.get_attribute("d")
    page.locator('#axis input[value="iterations"]').check(force=True)
    assert label.inner_html() == "iterations"
    assert line.get_attribute("d") != before
    page.locator('#axis input[value="samples"]').check(force=True)
    assert line.get_attribute("d") == before


def test_metrics_can_be_chosen(page):
    page.locator('#metrics input[value="accuracy"]').check(force=True)
    page.locator('#metrics input[value="cost"]').uncheck(force=True)
    shown = page.locator('.panel').evaluate_all("all => all.map((p) => p.dataset.metric)")
    assert "accuracy" in shown and "cost" not in shown
