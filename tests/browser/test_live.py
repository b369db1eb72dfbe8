"""The page of a sweep that is running: with a server that does as it is told, and with the real one."""

import json
import os
import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from conftest import data_of, program


class Sweep:
    """Serves the report as if its runs finished one by one, when told."""

    def __init__(self, report):
        self.whole, self.finished, self.asked = data_of(report), 5, 0
        self.text = report.read_text(encoding="utf-8")

    def data(self):
        data = dict(self.whole)
        done = self.finished == len(self.whole["runs"])
        data["runs"] = [run if done else {**run, "verdicts": None} for run in self.whole["runs"][:self.finished]]
        known = {(run["env"], run["strategy"]) for run in data["runs"]}
        for part in ["summary", "curves"]:
            data[part] = [row for row in data[part] if (row["env"], row["strategy"]) in known]
        data["strategies"] = [s for s in data["strategies"] if any(s["name"] == name for _, name in known)]
        running = [] if done else ["gridworld-3 random seed 2: iteration 7"]
        data["live"] = {"finished": self.finished, "planned": 12, "failed": 0, "running": running, "done": done}
        return json.dumps(data).replace("<", "\\u003c")

    def page(self):
        text = re.sub(r'(id="data">).*?(</script>)', lambda m: m[1] + self.data() + m[2], self.text, flags=re.S)
        return text.replace("img-src data:;", "img-src data:; connect-src 'self';", 1)


@pytest.fixture
def sweep(report):
    state = Sweep(report)

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            live = self.path == "/data.json"
            state.asked += live
            body = (state.data() if live else state.page()).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json" if live else "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    state.address = f"http://127.0.0.1:{server.server_port}/"
    yield state
    server.shutdown()
    server.server_close()


def test_the_page_follows_the_sweep_and_keeps_what_was_chosen(visit, sweep):
    page = visit(sweep.address)
    live = page.locator("#live")
    assert "5 of 12 runs finished" in live.inner_text() and "iteration 7" in live.inner_text()
    assert "when the sweep has ended" in page.locator("#verdicts-note").inner_text()
    page.locator("#legend button").filter(has_text="random").click()
    page.locator("#run-seed").select_option("2")
    page.locator("#table thead button").nth(7).click()
    page.locator("#moment").focus()
    page.keyboard.press("Home")
    place = page.locator("#moment").bounding_box()["y"]

    sweep.finished = 9
    page.get_by_text("9 of 12 runs finished").wait_for()
    assert "9 of 12 runs" in page.locator("#facts").inner_text()
    assert page.locator("#legend button").filter(has_text="random").get_attribute("aria-pressed") == "false"
    assert (page.locator("#run-seed").input_value(), page.locator("#moment").input_value()) == ("2", "0")
    assert page.locator("#table thead th").nth(7).get_attribute("aria-sort") == "descending"
    assert page.evaluate("document.activeElement.id") == "moment"
    # Panels of another environment have come in above; what one looks at stays where it is.
    assert page.locator("#panels h3").count() == 2
    assert abs(page.locator("#moment").bounding_box()["y"] - place) <= 2

    sweep.finished = 12
    page.get_by_text("The sweep has ended: 12 of 12").wait_for()
    page.locator("button.verdict").first.wait_for()
    asked = sweep.asked
    page.wait_for_timeout(2500)
    assert sweep.asked == asked, "a page that knows the end asks no more"


def test_the_page_opens_before_the_first_run_has_finished(visit, sweep):
    sweep.finished = 0
    page = visit(sweep.address)
    assert "0 of 12 runs finished" in page.locator("#live").inner_text()
    assert "No run has finished yet" in page.locator("#maps").inner_text()
    sweep.finished = 1
    page.get_by_text("1 of 12 runs finished").wait_for()
    assert page.locator("#table tbody tr").count() == 1
    assert page.locator("#maps svg.map").count() == 2


def test_a_sweep_that_goes_away_is_said(chromium, sweep):
    page = chromium.new_page()
    page.goto(sweep.address)
    page.route("**/data.json", lambda route: route.abort())
    page.get_by_text("no longer answers").wait_for()
    assert "5 of 12 runs finished so far" in page.locator("#live").inner_text()
    page.close()


def test_a_real_sweep_is_followed_from_its_beginning_to_its_end(visit, tmp_path):
    """The sweep is long enough that the browser is there before it ends, and it waits for who watches."""
    options = ["--env", "gridworld-1,gridworld-3", "--strategy", "pcse,random", "--seeds", "0..3", "--iterations", "1500"]
    command = [program(), "run", "--listen", "127.0.0.1:0", "--out", tmp_path / "results", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as sweep:
        address = re.search(r"http://127\.0\.0\.1:\d+/", sweep.stderr.readline())[0]
        page = visit(address)
        page.get_by_text("The sweep has ended: 12 of 12").wait_for(timeout=120_000)
        assert page.locator("#table tbody tr").count() == 4
        page.locator("button.verdict").first.wait_for()
        _, said = sweep.communicate(timeout=60)
        assert sweep.returncode == 0, said
    assert os.path.exists(tmp_path / "results" / "summary.csv")
