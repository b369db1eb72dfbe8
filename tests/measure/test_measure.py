"""docs/measure.py on a document of its own, with a program that pretends to be hedgerow.

    python3 -m unittest discover tests/measure
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs/measure.py"

# Writes a summary in which `pcse` needs FIGURE samples; verifies with FIGURE wrong verdicts; finds
# one cell by acting, which records show from the second seed on.
PROGRAM = """#!{python}
import json, os, sys
from pathlib import Path
words, figure = sys.argv[1:], Path({figure!r}).read_text().strip()
after = lambda name: words[words.index(name) + 1]
with open({calls!r}, "a") as calls:
    calls.write(" ".join(words) + chr(10))
if figure == "fail":
    sys.exit("the reason")
if words[0] == "run":
    folder = Path(after("--out"))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "summary.csv").write_text(
        "env,strategy,seeds,converged,samples_to_expert\\n"
        + f"g-1,pcse,4,1.0,{{figure}}\\ng-1,random,4,0.5,200.5\\n"
        + "g-2,pcse,4,0.75,50.0\\ng-2,random,4,0.25,\\n")
elif words[0] == "verify":
    right = dict(promise="verdicts right", failures=int(figure), runs=200, at_least=0, at_most=0.0183, looseness=45.71)
    print(json.dumps(dict(env=words[1], searches=200, decided=200, median_samples=1234567.5, extra=7, promises=[right])))
elif words[0] == "log":
    Path(after("--out")).write_text(after("--seed"))
elif words[0] == "infer":
    seen = "--demos" not in words or int(Path(after("--demos")).read_text()) >= 1
    cells = dict(constrained=[[0, 1]] if "--demos" not in words else [], guessed=[[0, 1]] if seen else [])
    print(json.dumps(dict(cells=cells)))
"""

DOCUMENT = """# Figures

## Samples

```sh
hedgerow run --seeds 0..4 --out one   # all of them
```

<!-- table samples: summary one -->
| seeds 0 to 3 | g-1 | g-2 | ratio | converged |
|---|---|---|---|---|
| `pcse` | 100 | 50 | no ratio | 7 of 8 |
| `random` | 200.5 | not by half | no ratio | 3 of 8 |

## Verdicts

```sh
hedgerow verify g-1
```

<!-- table verdicts: verify -->
| map | wrong verdict | interval | samples, median | looseness | extra | new column |
|---|---|---|---|---|---|---|
| g-1 | 100 of 200 | 0.0000 to 0.0183 | 1,234,567 | 45.7 | 7 | as it was |

## Records

```sh
hedgerow log gridworld-1 --policy expert --episodes 2 --seed 0 --out demos.csv
hedgerow log gridworld-1 --policy random --samples 20 --seed 0 --out logs.csv
hedgerow infer gridworld-1 --demos demos.csv --logs logs.csv
hedgerow infer gridworld-1
```

<!-- table records: records 3 -->
| demonstrations | gridworld-1 | gridworld-2 |
|---|---|---|
| 1,000 episodes | 1 / 0, 2 exact | 1 / 0, 2 exact |
| 200, and the expert's answer | 1 / 0, 2 exact | 1 / 0, 2 exact |

## Times

```sh
hedgerow run --out one
```

<!-- table times: timed -->
| what | time (of the processor) |
|---|---|
| `hedgerow run` | 9999.0 s (9999.0 s) |
"""


class Measure(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.document = self.root / "figures.md"
        self.document.write_text(DOCUMENT)
        self.figure = self.root / "figure"
        self.figure.write_text("100")
        self.calls = self.root / "calls"
        self.program = self.root / "hedgerow"
        text = PROGRAM.format(python=sys.executable, figure=str(self.figure), calls=str(self.calls))
        self.program.write_text(text)
        self.program.chmod(0o755)

    def measure(self, *words, status=0):
        where = ["--document", self.document, "--hedgerow", self.program, "--work", self.root / "work"]
        done = subprocess.run([sys.executable, SCRIPT, *where, *words], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status != 2 else done.stderr

    def test_nothing_moved(self):
        said = self.measure()
        self.assertIn("samples: 0 of 8 figures moved", said)
        self.assertIn("verdicts: 0 of 6 figures moved by more than 0 of their value, 1 left as they are", said)
        self.assertIn("records: 0 of 4 figures moved", said)
        self.assertIn("Not measured without --timings: times", said)
        calls = self.calls.read_text()
        # Anew, into the working folder; every seed, map and number of episodes of the records.
        self.assertIn(f"run --seeds 0..4 --out {self.root}/work/one --fresh\n", calls)
        self.assertEqual(calls.count("verify g-1 --json"), 1)
        self.assertEqual(len(re.findall("--episodes 1000 --seed [012] ", calls)), 6)
        self.assertEqual(len(re.findall("log gridworld-2 --policy random .* --ask", calls)), 3)
        self.assertNotIn("--fresh", self.calls_of("--resume", "samples"))

    def calls_of(self, *words):
        self.calls.write_text("")
        self.measure(*words)
        return self.calls.read_text()

    def test_what_moved_is_named_and_written(self):
        self.figure.write_text("110")
        said = self.measure(status=1)
        self.assertIn("samples: 1 of 8 figures moved", said)
        self.assertIn("    `pcse` | g-1: 100 -> 110\n", said)
        self.assertIn("    g-1 | wrong verdict: 100 of 200 -> 110 of 200\n", said)
        self.assertEqual(self.document.read_text(), DOCUMENT)
        # Only one table, and only what is beyond the tolerance.
        self.assertNotIn("verdicts", self.measure("samples", status=1))
        self.assertIn("samples: 0 of 8 figures moved by more than 0.2", self.measure("samples", "--tolerance", "0.2"))
        self.measure("samples", "--write")
        expected = DOCUMENT.replace("| `pcse` | 100 |", "| `pcse` | 110 |")
        self.assertEqual(self.document.read_text(), expected)
        self.measure("samples")

    def test_ratios_are_geometric_means(self):
        # With one map, of which `random` has a median: 100 / 200.5.
        one = DOCUMENT.replace("| g-1 | g-2 | ratio", "| g-1 | other | ratio").replace("no ratio | 7 of 8", "0.499 | 4 of 4")
        self.document.write_text(one.replace("no ratio | 3 of 8", "1 | 2 of 4"))
        self.assertIn("samples: 0 of 8 figures moved by more than 0 of their value, 2 left", self.measure("samples"))

    def test_times_are_measured_when_asked_for(self):
        said = self.measure("--timings", "times", status=1)
        self.assertRegex(said, r"`hedgerow run` \| time .*: 9999.0 s \(9999.0 s\) -> \d+\.\d")

    def test_errors_name_the_place_and_the_remedy(self):
        self.assertIn("there is no table nothing; use one of samples, verdicts", self.measure("nothing", status=2))
        self.figure.write_text("fail")
        self.assertRegex(self.measure("samples", status=2), r"run --seeds .* failed: the reason")
        self.program.unlink()
        self.assertIn("build it with `cargo build --release`", self.measure("samples", status=2))
        self.document.write_text(DOCUMENT.replace("<!-- table samples: summary one -->", ""))
        self.assertIn("line 10: a table without a marker", self.measure("--list", status=2))
        self.document.write_text(DOCUMENT.replace("samples: summary", "samples: sumary"))
        self.assertIn("there is no reader `sumary`; use one of summary", self.measure("--list", status=2))

    def test_the_document_of_the_project_has_a_command_for_every_table(self):
        self.document = ROOT / "docs/measurements.md"
        said = self.measure("--list")
        for name in ["gridworlds", "gridworlds-13", "gridworlds-31", "verdicts", "records", "many", "point-maze"]:
            self.assertRegex(said, rf"(?m)^{name}: .*\n    \S")


if __name__ == "__main__":
    unittest.main()
