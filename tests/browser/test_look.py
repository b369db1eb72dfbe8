"""Dark mode, small screens, paper, keyboard, and how long it takes."""

import pytest

from conftest import hedgerow

CHOSEN = "env=gridworld-3&strategy=pcse&seed=1&cell=23"

# Contrast of every text with what is behind it, after WCAG 2.
CONTRAST = """() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const f = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
  };
  const behind = (node) => {
    for (let n = node; n; n = n.parentElement) {
      const c = parts(getComputedStyle(n).backgroundColor);
      if (c.length === 3 || c[3] > 0.5) return c;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim() !== "");
    if (!own || !node.checkVisibility() || node.matches("script, style, .map text, .skip, :disabled")) continue;
    const style = getComputedStyle(node);
    const ink = node instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [light(parts(ink)), light(behind(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(`${node.tagName} ${node.className} ${node.textContent.slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return poor;
}"""


def ready(page):
    page.locator("#explanation h4").wait_for()
    page.locator("#resolved").evaluate("d => { d.open = true; }")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(show, scheme):
    page = ready(show(CHOSEN, color_scheme=scheme))
    assert page.evaluate(CONTRAST) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (max(ground) < 60) if scheme == "dark" else (min(ground) > 240)


def test_curves_change_their_colours_in_the_dark(show, data):
    pcse = next(s for s in data["strategies"] if s["name"] == "pcse")

    def stroke(scheme):
        line = show(color_scheme=scheme).locator('g[data-strategy="pcse"] .line').first
        return line.evaluate("l => getComputedStyle(l).stroke")

    def rgb(colour):
        return "rgb({}, {}, {})".format(*(int(colour[i:i + 2], 16) for i in (1, 3, 5)))

    assert stroke("light") == rgb(pcse["colour"])
    assert stroke("dark") == rgb(pcse["dark"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("env", ["gridworld-3", "crossing"])
def test_a_phone_does_not_scroll_sideways(show, scheme, env):
    choice = CHOSEN if env == "gridworld-3" else "env=crossing&strategy=pcse&seed=1&cell=1"
    page = ready(show(choice, width=390, height=844, color_scheme=scheme, has_touch=True, is_mobile=True))
    width = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
    assert page.evaluate(width) <= 390
    page.locator("svg.plot").first.tap()
    assert page.locator(".tip").first.is_visible()
    assert page.evaluate(width) <= 390
    page.locator('#metrics input[value="accuracy"]').check(force=True)
    assert page.evaluate(width) <= 390
    # Every number of the summary is on the screen, with the name of its column.
    cells = page.locator("#table tbody td").evaluate_all("all => all.map((c) => [c.getBoundingClientRect().left, c.getBoundingClientRect().right, c.dataset.head])")
    assert len(cells) > 20 and all(left >= 0 and right <= 391 and head for left, right, head in cells)
    # Nothing is cut off instead: what is wider scrolls in its own box.
    cut = """() => [...document.querySelectorAll("main *")].filter((n) => n.checkVisibility() && !n.closest(".scroll, svg, .hidden")
      && n.getBoundingClientRect().right > 391).map((n) => n.outerHTML.slice(0, 80))"""
    assert page.evaluate(cut) == []


def test_long_names_do_not_widen_a_phone(visit, tmp_path):
    name = "a-rather-long-name-for-an-environment-that-somebody-drew-by-hand"
    (tmp_path / "long.toml").write_text(f'name = "{name}"\ngamma = 0.8\nmap = """\n. . G\nx x .\nS . .\n"""\n')
    hedgerow("run", "--quiet", "--env", "long.toml", "--strategy", "random", "--seeds", "1", "--iterations", "5", cwd=tmp_path)
    hedgerow("report", "--only", "page", "results", cwd=tmp_path)
    page = visit((tmp_path / "results" / "report.html").as_uri(), width=390, height=844)
    page.locator("button.verdict").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_paper_has_no_controls_and_everything_open(show, tmp_path):
    page = show(CHOSEN, color_scheme="dark")
    page.locator("#explanation h4").wait_for()
    page.emulate_media(media="print")
    for control in ["#only", "#play", "#moment", "#run-env", "#copy", "#metrics", "#axis", "nav"]:
        assert page.locator(control).is_hidden(), control
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    for part in ["#table", "svg.plot", "#maps svg", "#explanation", "#command"]:
        assert page.locator(part).first.is_visible(), part
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert page.locator("#resolved").evaluate("d => d.open")
    assert (tmp_path / "report.pdf").stat().st_size > 10_000


def test_everything_is_reached_by_tab_and_shows_its_focus(show):
    page = show(CHOSEN)
    page.locator("#explanation h4").wait_for()
    wanted = page.evaluate("""() => {
      const all = [...document.querySelectorAll('a[href], button, select, input, summary, [tabindex="0"]')];
      const there = all.filter((n) => n.checkVisibility() && n.tabIndex >= 0 && !n.disabled && !(n.type === "radio" && !n.checked));
      there.forEach((n, i) => { n.dataset.stop = i; });
      return there.length;
    }""")
    seen, plain = set(), []
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


def test_how_long_it_takes(page, report, capsys):
    times = page.evaluate("(({ domInteractive, loadEventEnd }) => [domInteractive, loadEventEnd])(performance.getEntriesByType('navigation')[0])")
    with capsys.disabled():
        print(f"\n{report.stat().st_size / 1e6:.2f} MB, drawn after {times[0]:.0f} ms, loaded after {times[1]:.0f} ms")
