"""What the page opens with."""

from conftest import data_of, hedgerow


def test_the_page_opens_with_the_answer(page, data):
    sections = page.locator("main section").evaluate_all("all => all.map((s) => s.id)")
    assert sections[:3] == ["answer", "summary", "curves"]
    answers = page.locator(".answer")
    assert answers.count() == len(data["answers"]) == 2
    for answer in data["answers"]:
        box = page.locator(f'.answer[data-env="{answer["env"]}"]')
        assert answer["strategy"] in box.locator("p").first.inner_text()
        assert answer["why"] in box.locator("p").first.inner_text()
    # On the first screen of a desktop.
    assert page.locator(".answer").first.locator("svg.map").first.bounding_box()["y"] < 700


def test_the_inferred_map_stands_beside_the_truth(page, data):
    answer = next(a for a in data["answers"] if a["env"] == "gridworld-3")
    env = next(e for e in data["environments"] if e["name"] == "gridworld-3")
    box = page.locator('.answer[data-env="gridworld-3"]')
    inferred, truth = box.locator("svg.map").all()
    hot = inferred.locator(".hot").evaluate_all("all => all.map((c) => Number(c.dataset.state))")
    assert sorted(hot) == sorted(s for s, _ in answer["cells"])
    assert truth.locator(".truth-cell").count() == len(env["true_cells"]) == inferred.locator(".true-edge").count()
    right = len({s for s, _ in answer["cells"]} & {s for s, _ in env["true_cells"]})
    assert f"{right} of {len(env['true_cells'])} true cells found" in box.locator("p").first.inner_text()
    a, b = inferred.bounding_box(), truth.bounding_box()
    assert a["x"] + a["width"] <= b["x"] and abs(a["y"] - b["y"]) < 2


def test_the_chart_shows_the_samples_that_each_strategy_needed(page, data):
    chart = page.locator('.answer[data-env="gridworld-3"] svg.needed')
    places = {}
    for row in [r for r in data["summary"] if r["env"] == "gridworld-3"]:
        line = chart.locator(f'g[data-strategy="{row["strategy"]}"]')
        needed = row["samples_to_expert"]
        assert line.locator(".marker").count() == (0 if needed is None else 1)
        if needed is not None:
            places[needed] = line.locator(".marker").bounding_box()["x"]
            shown = line.locator("text").last.text_content().replace("\u202f", "")
            assert abs(int(shown) - needed) <= 0.5
    assert len(places) >= 1
    assert [places[n] for n in sorted(places)] == sorted(places.values())
    # No text leaves the drawing.
    frame = chart.bounding_box()
    for text in chart.locator("text").all():
        box = text.bounding_box()
        assert box["x"] >= frame["x"] - 1 and box["x"] + box["width"] <= frame["x"] + frame["width"] + 1


def test_one_environment_can_be_chosen_and_a_model_is_a_graph(page):
    page.locator("#only").select_option("crossing")
    assert page.locator(".answer").count() == 1
    graph = page.locator(".answer .graph").first
    assert graph.locator("circle.cell").count() == 5
    assert "bridge" in graph.text_content()


def test_goals_of_different_reward_are_told_apart(visit, tmp_path):
    (tmp_path / "two.toml").write_text('gamma = 0.8\nmap = """\nA . . G\n. x x .\nS . . .\n"""\n[goals]\nG = 1\nA = 0.25\n')
    hedgerow("run", "--quiet", "--env", "two.toml", "--strategy", "pcse", "--seeds", "1", "--iterations", "20", cwd=tmp_path)
    hedgerow("report", "--only", "page", "results", cwd=tmp_path)
    report = tmp_path / "results" / "report.html"
    assert data_of(report)["environments"][0]["goals"] == [["A", 0.25], ["G", 1]]
    page = visit(report.as_uri())
    assert page.locator("#maps svg.map").first.locator("text.sign").all_text_contents() == ["A", "G", "S"]
    for part in [".answer", "#maps", "#verdict-map"]:
        assert "A pays 0.25, G pays 1" in page.locator(part).first.inner_text()


def test_a_report_can_be_limited(tmp_path):
    hedgerow("run", "--quiet", "--env", "gridworld-1,gridworld-3", "--strategy", "pcse,random", "--seeds", "1", "--iterations", "5", cwd=tmp_path)
    hedgerow("report", "--env", "gridworld-3", "--strategy", "random", "--format", "pdf", "results", cwd=tmp_path)
    data = data_of(tmp_path / "results" / "report.html")
    assert [r["env"] + r["strategy"] for r in data["runs"]] == ["gridworld-3random"]
    made = {f.suffix for f in (tmp_path / "results" / "figures").iterdir() if not f.name.startswith(".")}
    assert made == {".pdf"}


def test_a_large_map_is_drawn_as_squares_that_stand_for_many_cells(tmp_path, visit):
    rows = [["."] * 130 for _ in range(20)]
    rows[19][0], rows[9][0], rows[14][:4] = "S", "G", ["x"] * 4
    lines = "\n".join(" ".join(row) for row in rows)
    (tmp_path / "wide.toml").write_text(f'gamma = 0.9\nhorizon = 40\nmap = """\n{lines}\n"""\n')
    hedgerow("run", "--quiet", "--env", "wide.toml", "--strategy", "pcse", "--seeds", "1", "--iterations", "4",
             "--out", "out", cwd=tmp_path)
    hedgerow("report", "--only", "page", "out", cwd=tmp_path)
    page = visit((tmp_path / "out" / "report.html").as_uri())
    drawing = page.locator(".answer svg.map").first
    assert drawing.locator("rect.cell").count() == 65 * 10
    numbers = drawing.locator(".numbers text").all_text_contents()
    assert "100" in numbers and "65" not in numbers
    assert "stands for 2 x 2 cells" in page.locator(".answer-maps p").inner_text()
    assert "--cell ROW,COLUMN" in page.locator("#verdicts-note").inner_text()
