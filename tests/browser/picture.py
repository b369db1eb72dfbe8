"""Takes the picture of the playground that README and docs show.

target/browser-venv/bin/python tests/browser/picture.py
"""

import shutil

from conftest import HERE, OPTIONS, PLAYGROUND, choose_preset, ready, until
from playwright.sync_api import sync_playwright

OUT = HERE.parent.parent / "docs" / "figures" / "playground.png"

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=OPTIONS)
    page = browser.new_page(viewport={"width": 1180, "height": 900})
    page.goto(PLAYGROUND.as_uri())
    ready(page)
    page.locator("#truth").check()
    choose_preset(page, "gridworld-1")
    page.locator("#end").click()
    until(page, "playground.over()")
    page.locator("#moment").fill("60")
    page.wait_for_timeout(300)
    page.locator("#watch").screenshot(path=OUT)
    browser.close()
