"""Results to look at, and a browser to look with."""

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
PLAYGROUND = HERE.parent.parent / "crates" / "hedgerow-web" / "dist" / "playground.html"
OPTIONS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]


def program():
    """The program that is tested."""
    return os.path.abspath(os.environ.get("HEDGEROW", "target/debug/hedgerow"))


def hedgerow(*words, cwd=None):
    """Runs the program and fails the test with what it said if it fails; what it printed."""
    done = subprocess.run([program(), *map(str, words)], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*words, cwd=None):
    """What the program says of something that it refuses."""
    done = subprocess.run([program(), *map(str, words)], cwd=cwd, capture_output=True, text=True)
    assert done.returncode != 0 and done.stderr.startswith("error: "), done.stderr
    return done.stderr.removeprefix("error: ").strip()


def data_of(report):
    """The data inside a page."""
    block = re.search(r'id="data">(.*?)</script>', report.read_text(encoding="utf-8"), re.S)
    return json.loads(block.group(1))


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """A small report: a grid and a model without a map, three strategies, two seeds."""
    folder = tmp_path_factory.mktemp("report")
    hedgerow("run", "--quiet", "--env", f"gridworld-3,{HERE / 'crossing.json'}", "--strategy", "pcse,random,eps-greedy",
             "--seeds", "1,2", "--set", "delta=0.05", "--out", folder / "small")
    # Something that is not whole, so that there is something to list.
    (folder / "small" / "stray.txt").write_text("not a result")
    hedgerow("report", "--only", "page", folder / "small")
    return folder / "small" / "report.html"


@pytest.fixture(scope="session")
def data(report):
    return data_of(report)


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium):
    """Opens an address; no test may end with an error on the console or a request to elsewhere."""
    contexts, noise = [], []

    def open_page(address, width=1280, height=900, **options):
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda m: noise.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: noise.append(str(e)))

        def asked(request):
            here = address.split("#")[0]
            # Workers and saved files are made of what is in the page.
            if not request.url.startswith("blob:") and request.url.split("#")[0] not in (here, f"{here}data.json", "data:,"):
                noise.append(f"request for {request.url}")

        page.on("request", asked)
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert noise == []


@pytest.fixture
def page(visit, report):
    return visit(report.as_uri())


@pytest.fixture
def show(visit, report):
    """The report with a choice in its address, and options of the browser."""

    def show(choice="", **options):
        return visit(f"{report.as_uri()}#{choice}", **options)

    return show


@pytest.fixture(scope="session")
def presets():
    """The maps that the playground offers, as files: name and text."""
    return {preset["name"]: preset["text"] for preset in data_of(PLAYGROUND)["presets"]}


def until(page, expression, timeout=60):
    """Waits until an expression holds; the policy of the page lets no text be evaluated inside it."""
    end = time.monotonic() + timeout
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never: {expression}"
        page.wait_for_timeout(20)


def ready(page):
    """The playground once it can be used."""
    page.wait_for_selector("html[data-ready]")
    return page


@pytest.fixture
def playground(visit):
    """The playground with something in its address, and options of the browser."""

    def open_playground(fragment="", **options):
        return ready(visit(f"{PLAYGROUND.as_uri()}{fragment}", **options))

    return open_playground


def choose_preset(page, name):
    page.locator("#preset").select_option(name)
    until(page, f"playground.map()?.name === '{name}' && playground.environment()?.name === '{name}'")
