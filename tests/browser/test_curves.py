"""The learning curves."""

import re

import pytest


def lines(page, strategy):
    return page.locator(f'.panel g[data-strategy="{strategy}"] .line').count()


def test_a_strategy_hides_everywhere_and_comes_back(page):
    panels = page.locator(".panel:not(.empty)").count()
    assert panels == 8 and lines(page, "pcse") == panels
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
    assert page.locator(".panel.empty").count() == 8
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
    assert abs(float(value.inner_text()) - curve["samples"]["reward"]["mean"][0]) < 1e-5
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


def test_exact_inference_is_a_line_beside_what_was_inferred(page, data):
    exact = next(e for e in data["environments"] if e["name"] == "gridworld-3")["exact"]
    for metric in ["iou", "wgiou"]:
        panel = page.locator(f'.panel[data-env="gridworld-3"][data-metric="{metric}"]')
        assert panel.locator("path.exact").count() == 1
        panel.locator("svg.plot").focus()
        page.keyboard.press("End")
        row = panel.locator(".tip tr").filter(has_text="exact inference")
        assert row.locator("td").first.inner_text() == text(exact[metric])
    assert page.locator('.panel[data-env="gridworld-3"][data-metric="reward"] path.exact').count() == 0
    heads = page.locator("#table thead th").all_inner_texts()
    assert [h for h in heads if "IoU" in h] == ["IoU", "IoU of exact inference", "WGIoU", "WGIoU of exact inference"]


def changed(report, data, folder, change):
    """The page after a change of its data."""
    import copy
    import json
    other = copy.deepcopy(data)
    change(other)
    old = report.read_text(encoding="utf-8")
    start, end = old.index('id="data">') + len('id="data">'), old.index("</script>")
    (folder / "page.html").write_text(old[:start] + json.dumps(other) + old[end:], encoding="utf-8")
    return (folder / "page.html").as_uri()


def test_close_values_have_labels_of_their_own_and_meet_the_expert(visit, report, data, tmp_path):
    def change(other):
        for curve in other["curves"]:
            if curve["env"] == "gridworld-3":
                for axis in ["samples", "iterations"]:
                    n = len(curve[axis]["x"])
                    ends = [0.116979] * (n // 2) + [0.116965] * (n - n // 2)
                    curve[axis]["reward"] = {"mean": ends, "low": ends, "high": ends}
        for row in other["summary"]:
            if row["env"] == "gridworld-3":
                row["final_reward"], row["expert_reward"] = 0.116965, 0.116965

    page = visit(changed(report, data, tmp_path, change))
    panel = page.locator('.panel[data-env="gridworld-3"][data-metric="reward"]')
    labels = panel.locator('.axes text[text-anchor="end"]').evaluate_all("all => all.map((t) => t.textContent)")
    assert len(labels) >= 3 and len(set(labels)) == len(labels), labels
    # No label leaves the drawing.
    left = panel.locator("svg.plot").bounding_box()["x"]
    for label in panel.locator('.axes text[text-anchor="end"]').all():
        assert label.bounding_box()["x"] >= left - 1
    # The last point of every curve lies on the expert's line.
    level = float(re.match(r"M[\d.]+ ([\d.]+)H", panel.locator("path.expert").get_attribute("d")).group(1))
    for line in panel.locator(".line").all():
        last = float(line.get_attribute("d").split(" ")[-1])
        assert abs(last - level) < 0.5
    panel.locator("svg.plot").focus()
    page.keyboard.press("Home")
    assert panel.locator('.tip tr[data-strategy="pcse"] td').first.inner_text() == "0.116979"
    assert panel.locator(".tip tr").last.locator("td").first.inner_text() == "0.116965"


@pytest.mark.parametrize("width", [1280, 390])
def test_tips_stay_within_the_window(show, width):
    mobile = {"has_touch": True, "is_mobile": True} if width < 600 else {}
    page = show(width=width, height=844, **mobile)
    checked = 0
    for panel in page.locator(".panel:not(.empty)").all():
        plot = panel.locator("svg.plot")
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        for share in [0.2, 0.55, 0.97]:
            place = (box["x"] + share * box["width"], box["y"] + 0.5 * box["height"])
            if mobile:
                page.touchscreen.tap(*place)
            else:
                page.mouse.move(*place)
            tip = panel.locator(".tip")
            found = tip.bounding_box()
            assert found["x"] >= 0 and found["x"] + found["width"] <= width
            assert found["y"] >= 0 and found["y"] + found["height"] <= 844
            assert tip.evaluate("t => t.scrollWidth <= t.clientWidth && t.scrollHeight <= t.clientHeight")
            checked += 1
    assert checked == 24
