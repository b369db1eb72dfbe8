"""Text from files stays text."""

import json

import pytest

from conftest import HERE, data_of, hedgerow

RUN = "window.__pwned = 1"
IMAGE = f"<img src=x onerror='{RUN}'>"
SCRIPT = f"</script><script>{RUN}</script>"


def sealed(content):
    """A file of results: JSON that ends in its own checksum (FNV-1a), as the program writes it."""
    text = json.dumps({k: v for k, v in content.items() if k != "checksum"})[:-1].encode()
    checksum = 0xCBF29CE484222325
    for byte in text:
        checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
    return text + f',"checksum":"{checksum:016x}"}}\n'.encode()


@pytest.fixture(scope="module")
def nasty(tmp_path_factory):
    """Results whose states, actions, files and parameters carry markup."""
    folder = tmp_path_factory.mktemp("nasty")
    text = (HERE / "crossing.json").read_text()
    model = json.loads(text)
    names = {"bridge": IMAGE, "path": SCRIPT, "meadow": "mea\u2028dow <b>&amp;", "walk": f"walk{SCRIPT}", "detour": f"detour{IMAGE}"}
    changed = json.dumps(model)
    for old, new in names.items():
        changed = changed.replace(json.dumps(old), json.dumps(new))
    # The name of a folder that ends a script, too.
    place = folder / "x<" / f"script><script>{RUN}<" / "script>"
    place.mkdir(parents=True)
    (place / "crossing.json").write_text(changed)
    out = folder / "nasty<i>"
    source = (place / "crossing.json").relative_to(folder)
    hedgerow("run", "--quiet", "--env", source, "--strategy", "pcse", "--seeds", "1", "--out", out.name, cwd=folder)
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["settings"]["finite"][IMAGE] = SCRIPT
    manifest["settings"]["finite"]["delta"] = IMAGE
    manifest["version"] = f"0.1.0{SCRIPT}"
    (out / "manifest.json").write_bytes(sealed(manifest))
    (out / f"stray{IMAGE.replace('/', '')}.txt").write_text("")
    hedgerow("report", "--only", "page", out)
    return out / "report.html"


def test_markup_in_results_does_not_run_and_appears_as_text(visit, nasty):
    data = data_of(nasty)
    page = visit(nasty.as_uri())
    page.locator("button.verdict").first.wait_for()
    page.locator("#resolved summary").click()
    for button in page.locator("button.verdict").all():
        button.click()
    page.wait_for_timeout(200)
    assert page.evaluate("window.__pwned") is None
    assert page.locator("img, i, main b:not(#parameters b):not(#summary b):not(.answer b)").count() == 0
    assert page.locator("script").count() == 2
    assert page.locator("h1").inner_text() == "nasty<i>"
    assert IMAGE in page.locator("#verdict-map").inner_text()
    assert SCRIPT in page.locator("#verdict-map").inner_text()
    parameters = page.locator("#parameters").inner_text()
    assert IMAGE in parameters and SCRIPT in parameters
    assert page.locator("#command").text_content() == data["command"]
    assert SCRIPT in data["command"]
    assert SCRIPT in page.locator("#facts").inner_text()
    assert "stray<img" in page.locator("#problems").inner_text()


def test_even_markup_in_the_page_could_not_run(chromium, report):
    """The policy refuses scripts that are not ours, whatever brings them in."""
    page = chromium.new_page()
    page.goto(report.as_uri())
    violated = page.evaluate("""() => new Promise((done) => {
      document.addEventListener("securitypolicyviolation", (e) => done(e.effectiveDirective));
      const script = document.createElement("script");
      script.textContent = "window.__pwned = 1";
      document.body.append(script);
    })""")
    assert violated.startswith("script-src")
    assert page.evaluate("window.__pwned") is None
    page.close()
