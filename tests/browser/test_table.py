"""The header and the summary table."""


def column(page, title):
    heads = page.locator("#table thead th").all_inner_texts()
    place = [h.strip() for h in heads].index(title)
    return [row.locator("th, td").nth(place).inner_text() for row in page.locator("#table tbody tr").all()]


def test_the_header_tells_what_it_is_and_what_is_not_whole(page, data):
    assert page.locator("h1").inner_text() == "small"
    facts = page.locator("#facts").inner_text()
    assert "12 runs" in facts and f"Hedgerow {data['version']}" in facts
    problems = page.locator("#problems")
    assert problems.is_visible() and "stray.txt" in problems.inner_text()


def test_the_table_sorts_both_ways_by_mouse_and_keyboard(page, data):
    def wanted(key, down):
        rows = [r for r in data["summary"] if r[key] is not None]
        rows.sort(key=lambda r: r[key], reverse=down)
        return [r[key] for r in rows]

    head = page.locator("#table thead th").filter(has_text="WGIoU").first
    assert head.get_attribute("aria-sort") == "none"
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    shown = [float(x.replace("\u2212", "-")) for x in column(page, "WGIoU") if x != "\u2013"]
    assert shown == [round(x, 3) for x in wanted("final_wgiou", True)]
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    shown = [float(x.replace("\u2212", "-")) for x in column(page, "WGIoU") if x != "\u2013"]
    assert shown == [round(x, 3) for x in wanted("final_wgiou", False)]

    name = page.locator("#table thead th").first
    name.locator("button").focus()
    page.keyboard.press("Enter")
    assert (name.get_attribute("aria-sort"), head.get_attribute("aria-sort")) == ("ascending", "none")
    assert column(page, "strategy") == sorted(column(page, "strategy"))
    page.keyboard.press("Space")
    assert column(page, "strategy") == sorted(column(page, "strategy"), reverse=True)


def test_every_column_sorts(page, data):
    rows = len(data["summary"])
    for head in page.locator("#table thead th").all():
        for direction in {"ascending", "descending"}:
            head.locator("button").click()
            assert head.get_attribute("aria-sort") in {"ascending", "descending"}
            assert page.locator("#table tbody tr").count() == rows


def test_the_table_shows_one_environment_and_the_expert(page, data):
    page.locator("#only").select_option("crossing")
    assert set(column(page, "environment")) == {"crossing"}
    row = next(r for r in data["summary"] if r["env"] == "crossing")
    assert float(column(page, "expert\u2019s reward")[0]) == round(row["expert_reward"], 3)
    assert page.locator("#panels h3").all_inner_texts() == ["crossing"]
