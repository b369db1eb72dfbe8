"""Records from arrays, data frames, files and Minari, and what is said of wrong ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hedgerow
from hedgerow import Records

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def home() -> hedgerow.Environment:
    """From home over a bridge to town, or by a path; the expert takes the path."""
    P, R = np.zeros((4, 2, 4)), np.zeros((4, 2))
    P[0, 0, 1] = P[0, 1, 2] = P[1, 0, 3] = P[2, 0, 3] = 1
    R[1, 0], R[2, 0] = 1.0, 0.5
    names = {"state_names": ["home", "bridge", "path", "town"], "action_names": ["walk", "detour"]}
    model = hedgerow.Model.from_arrays(P, R, gamma=0.9, start=0, terminal=[3], **names)
    return hedgerow.Environment(model, expert=[1, 0, 0, 0], name="home")


STEPS: dict[str, list[Any]] = {
    "episode": [0, 0, 1, 1],
    "state": [0, 2, 0, 2],
    "action": [1, 0, 1, 0],
    "next_state": [2, 3, 2, 3],
}
NAMED: dict[str, list[Any]] = {
    "episode": ["monday", "monday", "tuesday", "tuesday"],
    "state": ["home", "path", "home", "path"],
    "action": ["detour", "walk", "detour", "walk"],
    "next_state": ["path", "town", "path", "town"],
}
LOG = Records.from_episodes([([0, 1, 3], [0, 0])] * 20)


def answer(env: hedgerow.Environment, demos: Any) -> list[dict[str, Any]]:
    """Every pair with what the records say of it."""
    found = hedgerow.infer_records(env, demos, LOG)
    rows: list[dict[str, Any]] = pyarrow.table(found.pairs).to_pylist()
    return rows


def frames() -> list[Any]:
    made = []
    for steps in (STEPS, NAMED):
        made += [pandas.DataFrame(steps), polars.DataFrame(steps), pyarrow.table(steps)]
    picked = pandas.DataFrame({**{k: [v[0], *v] for k, v in STEPS.items()}}).iloc[1:]
    categories = pandas.DataFrame({k: pandas.Categorical(v) for k, v in NAMED.items()})
    chunked = pyarrow.concat_tables([pyarrow.table(STEPS).slice(0, 1), pyarrow.table(STEPS).slice(1)])
    small = pandas.DataFrame(STEPS).astype({"state": "uint8", "action": "int16", "next_state": "float64"})
    return [*made, picked, categories, polars.DataFrame(NAMED).cast(polars.Categorical), chunked, small]


@pytest.mark.parametrize("i", range(11))
def test_frames_say_what_episodes_say(home: hedgerow.Environment, i: int) -> None:
    expected = answer(home, Records.from_episodes([([0, 2, 3], [1, 0])] * 2))
    assert answer(home, Records.from_frame(frames()[i])) == expected


def test_arrays(home: hedgerow.Environment) -> None:
    expected = answer(home, Records.from_episodes([([0, 2, 3], [1, 0])] * 2))
    arrays = {k: np.array(v) for k, v in STEPS.items()}
    assert answer(home, Records.from_arrays(**arrays)) == expected
    del arrays["episode"]
    assert answer(home, Records.from_arrays(**arrays, done=[False, True, False, True])) == expected
    assert answer(home, Records.from_arrays(**NAMED)) == expected
    # A log with what the expert would have done says the same of the expert.
    asked = Records.from_arrays(**STEPS, expert_action=[1, np.nan, 1, 0], source=["log"] * 4)
    assert asked.columns == ["episode", "state", "action", "next_state", "expert_action", "source"]
    hedgerow.infer_records(home, asked, LOG)


@pytest.mark.parametrize("end", [np.nan, None])
def test_the_last_step_may_be_open(home: hedgerow.Environment, end: Any) -> None:
    steps = {**STEPS, "next_state": [2, 3, 2, end]}
    expected = answer(home, Records.from_arrays(**{**STEPS, "next_state": [2, 3, 2, np.nan]}))
    assert answer(home, Records.from_frame(pandas.DataFrame(steps))) == expected
    assert answer(home, Records.from_frame(polars.DataFrame(steps, strict=False))) == expected


def test_renaming_and_files(home: hedgerow.Environment, tmp_path: Path) -> None:
    expected = answer(home, Records.from_frame(pandas.DataFrame(NAMED)))
    frame = pandas.DataFrame({**{k.upper(): v for k, v in NAMED.items()}, "mood": [0.5] * 4})
    assert answer(home, Records.from_frame(frame, columns={k.upper(): k for k in NAMED})) == expected
    lines, table = tmp_path / "demos.jsonl", tmp_path / "demos.csv"
    pandas.DataFrame(NAMED).to_json(lines, orient="records", lines=True)
    polars.DataFrame(NAMED).write_csv(table)
    for file in (lines, table):
        assert Records.read(file).columns == list(NAMED)
        assert answer(home, Records.read(file)) == answer(home, str(file)) == expected


WRONG: list[tuple[dict[str, list[Any]], type[Exception], str]] = [
    ({"state": [0, 2, 0, 9]}, hedgerow.InputError, "row 3: state: .*9"),
    ({"state": [0, 2.5, 0, 2]}, hedgerow.InputError, "row 1: state: 2.5 is no index; use whole numbers"),
    ({"state": [0, 2, None, 2]}, hedgerow.InputError, "row 2: state: nothing is given"),
    ({"state": [0, 2, np.nan, 2]}, hedgerow.InputError, "row 2: state: nothing is given"),
    ({"state": [0, -2, 0, 2]}, hedgerow.InputError, "row 1: state: -2 is no index; count from 0"),
    ({"state": [True, False, True, False]}, hedgerow.InputTypeError, "state: a column of bool; give whole numbers"),
    ({"state": ["home", "paht", "home", "path"]}, hedgerow.InputError, "row 1: state: .*paht"),
    ({"action": [1, 0, 5, 0]}, hedgerow.InputError, "row 2: action: .*5"),
    ({"action": [1, 1, 1, 0]}, hedgerow.InputError, "row 1: "),
    ({"next_state": [2, 3, 1, 3]}, hedgerow.InputError, "row [23]: "),
    ({"next_state": [None, 3, 2, 3]}, hedgerow.InputError, "row [01]: "),
    ({"episode": [0, 1, 0, 1]}, hedgerow.InputError, "row [12]: "),
    ({"source": ["expert", "expert", "exprt", "log"]}, hedgerow.InputError, "row 2: source: .*exprt"),
    ({"when": [1, 2, 3, 4]}, hedgerow.InputError, "unknown column `when`"),
]


@pytest.mark.parametrize(("change", "kind", "said"), WRONG)
def test_wrong_frames(
    home: hedgerow.Environment, change: dict[str, list[Any]], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        hedgerow.infer_records(home, Records.from_frame(pandas.DataFrame({**STEPS, **change})))


def test_wrong_shapes_and_names(home: hedgerow.Environment, tmp_path: Path) -> None:
    with pytest.raises(hedgerow.InputError, match="next_state"):
        hedgerow.infer_records(home, Records.from_frame(pandas.DataFrame(STEPS).drop(columns="next_state")))
    with pytest.raises(hedgerow.InputError, match="the frame has no `s`; choose from episode, state, action, next_state"):
        Records.from_frame(pandas.DataFrame(STEPS), columns={"s": "state"})
    with pytest.raises(hedgerow.InputTypeError, match="frame: it is a dict; give a data frame"):
        Records.from_frame(STEPS)
    with pytest.raises(hedgerow.InputTypeError, match="frame: "):
        Records.from_frame(pandas.DataFrame({**STEPS, "state": ["home", 2, 0, 2]}))
    with pytest.raises(hedgerow.InputError, match="give one of them"):
        Records.from_arrays(state=[0], action=[0], next_state=[1])
    with pytest.raises(hedgerow.InputError, match="action: 1 entries; give 2"):
        Records.from_arrays(state=[0, 2], action=[0], next_state=[1, 3], episode=[0, 0])
    with pytest.raises(hedgerow.InputError, match="state: its shape is 1 x 2; give one entry for every step"):
        Records.from_arrays(state=[[0, 2]], action=[0], next_state=[1], episode=[0])
    with pytest.raises(hedgerow.InputError, match="done: 1 entries"):
        Records.from_arrays(state=[0, 2], action=[0, 0], next_state=[1, 3], done=[True])
    with pytest.raises(hedgerow.InputError, match=r"row 1: action: -1 is no index"):
        Records.from_arrays(state=[0, 2], action=[0, -1], next_state=[1, 3], episode=[0, 0])
    with pytest.raises(hedgerow.InputError, match=r"episodes\[1\]: 2 states and 2 actions; give one state more"):
        Records.from_episodes([([0, 1], [0]), ([0, 1], [0, 0])])
    with pytest.raises(hedgerow.InputError, match="there are none"):
        Records.from_episodes([])
    with pytest.raises(hedgerow.FileError, match="none.csv: it cannot be read"):
        Records.read(tmp_path / "none.csv")
    with pytest.raises(hedgerow.InputError, match="give a .csv or .jsonl file"):
        Records.read(tmp_path / "demos.xlsx")
    (tmp_path / "bad.jsonl").write_text("[1, 2]\n")
    with pytest.raises(hedgerow.InputError, match="its first line is not that of records"):
        Records.read(tmp_path / "bad.jsonl")


def test_minari(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    minari = pytest.importorskip("minari")
    gymnasium = pytest.importorskip("gymnasium")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    lake = gymnasium.make("FrozenLake-v1", is_slippery=False)
    model = hedgerow.Model.from_gymnasium(lake, gamma=0.9)
    truth = model.with_rule([(4, 1)])
    collector = minari.DataCollector(lake)
    episodes = []
    for _ in range(5):
        state, _ = collector.reset(seed=1)
        states, actions, over = [int(state)], [], False
        while not over:
            action = int(truth.expert[state].argmax())
            state, _, terminated, truncated, _ = collector.step(action)
            over = terminated or truncated
            states.append(int(state))
            actions.append(action)
        episodes.append((states, actions))
    dataset = collector.create_dataset("lake/expert-v0", algorithm_name="expert")
    # An end that several transitions may have is a state of its own in the model.
    demos = Records.from_minari(dataset)
    by_id = Records.from_minari("lake/expert-v0")
    encoded = Records.from_minari(dataset, encode=int)
    table = pyarrow.table(hedgerow.infer_records(truth, Records.from_episodes(episodes)).pairs)
    for records in (demos, by_id, encoded):
        assert pyarrow.table(hedgerow.infer_records(truth, records).pairs) == table
    with pytest.raises(hedgerow.FileError, match="`lake/none-v0` is not on this machine; run `minari download"):
        Records.from_minari("lake/none-v0")
    with pytest.raises(hedgerow.InputTypeError, match="give a Minari dataset or its id"):
        Records.from_minari(3)

    pushed = minari.DataCollector(gymnasium.make("MountainCar-v0"))
    pushed.reset(seed=1)
    for _ in range(3):
        pushed.step(1)
    cars = pushed.create_dataset("cars/few-v0")
    with pytest.raises(hedgerow.InputError, match="vectors of float32, not indices; give `encode`"):
        Records.from_minari(cars)
    Records.from_minari(cars, encode=lambda seen: int(seen[0] > 0))
    with pytest.raises(hedgerow.InputError, match="not whole"):
        Records.from_minari(cars, encode=lambda seen: seen[0])
