"""The playground: dark mode, phone, paper, names for screen readers, size and times."""

import re
import subprocess

import pytest
from conftest import PLAYGROUND, choose_preset, hedgerow, program, ready, until
from test_look import CONTRAST
from test_play_ask import find, verdict
from test_play_race import race, set_number, to_the_end


def filled(page):
    """With something in every part: a race, verdicts, an explanation, a guess."""
    choose_preset(page, "garden")
    page.locator('#guess-map button[data-row="2"][data-column="1"]').click()
    race(page, ["pcse", "random"], seed=0, iterations=30)
    to_the_end(page)
    set_number(page, "most", 30_000)
    find(page)
    verdict(page, 2, 1).click()
    page.locator("#explanation h4").wait_for()
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("shown", [True, False])
def test_text_stands_out(playground, scheme, shown):
    page = filled(playground(color_scheme=scheme))
    page.locator("#truth").set_checked(shown)
    assert page.evaluate(CONTRAST) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (max(ground) < 60) if scheme == "dark" else (min(ground) > 240)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_does_not_scroll_sideways(playground, scheme):
    page = filled(playground(width=390, height=844, color_scheme=scheme, has_touch=True, is_mobile=True))
    width = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
    assert page.evaluate(width) <= 390
    cut = """() => [...document.querySelectorAll("main *")].filter((n) => n.checkVisibility() && !n.closest(".scroll, svg, .hidden")
      && n.getBoundingClientRect().right > 391).map((n) => n.outerHTML.slice(0, 80))"""
    assert page.evaluate(cut) == []
    choose_preset(page, "cliff-walking")
    assert page.evaluate(width) <= 390
    # A finger can hit a cell.
    box = page.locator('#map button[data-row="0"][data-column="0"]').bounding_box()
    assert box["width"] >= 20


def test_paper_has_no_controls(playground, tmp_path):
    page = filled(playground(color_scheme="dark"))
    page.emulate_media(media="print")
    for control in ["#preset", "#undo", "#play", "#moment", "#ask", "#steps", "#tools", "#metrics", "nav"]:
        assert page.locator(control).is_hidden(), control
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    for part in ["#map", "#lanes svg", "svg.plot", "#verdict-map", "#explanation"]:
        assert page.locator(part).first.is_visible(), part
    page.pdf(path=tmp_path / "playground.pdf", format="A4")
    assert (tmp_path / "playground.pdf").stat().st_size > 10_000


def test_everything_has_a_name_and_a_role(playground):
    page = filled(playground())
    nameless = page.evaluate("""() => [...document.querySelectorAll("button, input, select, a[href], summary, [role=grid], [role=img], [role=slider]")]
      .filter((n) => n.checkVisibility() && !(n.getAttribute("aria-label") || n.getAttribute("aria-labelledby") || n.labels?.[0]?.textContent.trim() || n.textContent.trim()))
      .map((n) => n.outerHTML.slice(0, 100))""")
    assert nameless == []
    # As a screen reader is told: the cells of the map by place and content.
    snapshot = page.locator("#map").aria_snapshot()
    assert 'grid "Map to draw on"' in snapshot
    assert 'gridcell "cell 0,0: start"' in snapshot and 'gridcell "cell 4,5: goal G, reward 1"' in snapshot
    assert page.locator('#map button[tabindex="0"]').count() == 1
    for name in ["Learn it in five steps", "Draw", "Watch", "Ask"]:
        assert page.get_by_role("region", name=name, exact=True).count() == 1
    assert page.get_by_role("slider", name="Iteration shown").count() == 1
    heads = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.tagName[1]))")
    assert heads[0] == 1 and all(b - a <= 1 for a, b in zip(heads, heads[1:]))


def test_everything_is_reached_by_tab_and_shows_its_focus(playground):
    page = filled(playground())
    wanted = page.evaluate("""() => {
      const all = [...document.querySelectorAll('a[href], button, select, input, summary, [tabindex="0"]')];
      const there = all.filter((n) => n.checkVisibility() && n.tabIndex >= 0 && !n.disabled && !(n.type === "radio" && !n.checked));
      there.forEach((n, i) => { n.dataset.stop = i; });
      return there.length;
    }""")
    page.locator(".skip").focus()
    seen, plain = {0}, []
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        stop, outline = page.evaluate("""() => {
          const n = document.activeElement;
          const shown = n.matches(".toggle input") ? n.nextElementSibling : n;
          return [n.dataset.stop ?? null, getComputedStyle(shown).outlineStyle];
        }""")
        if stop is not None:
            seen.add(int(stop))
            if outline == "none":
                plain.append(stop)
    assert seen == set(range(wanted))
    assert plain == []


def test_the_page_is_one_small_file_that_may_load_nothing():
    text = PLAYGROUND.read_text(encoding="utf-8")
    assert len(text.encode()) < 5_000_000
    assert "connect-src" not in text and "default-src 'none'" in text
    assert re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"(?!data:)", text) == []


def test_the_command_serves_the_same_page(visit, tmp_path):
    hedgerow("play", "--out", "there.html", cwd=tmp_path)
    assert (tmp_path / "there.html").read_bytes() == PLAYGROUND.read_bytes()
    served = subprocess.Popen([program(), "play", "--no-browser", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    try:
        address = re.match(r"play at (http://\S+)", served.stdout.readline()).group(1)
        page = ready(visit(address))
        race(page, ["pcse", "random"], seed=0, iterations=10)
        assert len(to_the_end(page)) == 2
    finally:
        served.terminate()
        served.wait()


# Times between two frames of the page, from now on.
FRAMES = """() => {
  globalThis.frames = [];
  let last = performance.now();
  const beat = (now) => {
    globalThis.frames.push(now - last);
    last = now;
    requestAnimationFrame(beat);
  };
  requestAnimationFrame(beat);
}"""


def frames(page):
    """How many frames since the last question, the longest, and how many took over 50 ms."""
    times = page.evaluate("globalThis.frames.splice(0)")
    return f"{len(times)} frames, the longest {max(times):.0f} ms, {sum(t > 50 for t in times)} over 50 ms"


# Work of the page itself: the browser reports every task of 50 ms or more.
TASKS = "() => { globalThis.long = []; new PerformanceObserver((list) => { long.push(...list.getEntries().map((e) => Math.round(e.duration))); }).observe({ entryTypes: ['longtask'] }); }"


def test_how_long_it_takes(playground, capsys):
    page = playground()
    opened = page.evaluate("performance.getEntriesByType('mark').find((m) => m.name === 'ready').startTime")
    choose_preset(page, "gridworld-1")
    race(page, ["pcse", "random"], seed=0, iterations=200)
    page.evaluate(TASKS)
    # The engine's own time for 200 iterations, from asking to the answer.
    taken = page.evaluate("""async () => {
      const began = performance.now();
      document.querySelector("#end").click();
      while (!playground.over()) await new Promise((done) => { setTimeout(done, 5); });
      return performance.now() - began;
    }""")
    page.locator("#seed").fill("1")
    page.locator("#seed").press("Enter")
    page.locator("#speed").select_option("60")
    page.locator("#play").click()
    page.evaluate(FRAMES)
    until(page, "playground.over() && document.querySelector('#play').textContent === 'Play'")
    playing = frames(page)
    page.locator("#ask").click()
    until(page, "playground.found() !== null", timeout=120)
    asking = frames(page)
    tasks = page.evaluate("long")
    with capsys.disabled():
        print(f"\n{PLAYGROUND.stat().st_size / 1e6:.2f} MB, usable after {opened:.0f} ms, two races of 200 iterations after {taken:.0f} ms; "
              f"while it plays {playing}; while it explores {asking}, tasks of the page over 50 ms {tasks}")
