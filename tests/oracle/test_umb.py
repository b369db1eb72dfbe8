"""UMB files of the command in Storm, and Storm's in the command: the same optimal values."""

import io
import json
import tarfile

import numpy as np
import pytest

from command import Refused, hedgerow
from randoms import random_model, seeded
from storm import optimal_values, read_text, read_umb, write_umb
from test_tables import TABLES, shipped

WITHIN = 1e-9

BUILT_IN = ["gridworld-1", "gridworld-4", "rooms"]
RANDOM = [0, 1, 2]


def source(name, folder):
    """A name or a file that the command takes."""
    if name in BUILT_IN:
        return name
    if name in TABLES:
        model = shipped(name)
        # A rule that costs nothing to keep, so that the file has all that a file can have.
        model.cost[model.pairs()[0]] = 1.0
        model.budget = 1e6
    else:
        number = int(name.removeprefix("random-"))
        model = random_model(seeded(4, number), states=(200, 400), gammas=[0.5, 0.9, 0.99])
        model.budget = 1e6
    return model.write(folder / f"{name}.json")


def near(found, known):
    error = abs(found - known) / max(1.0, abs(known))
    assert error <= WITHIN, f"{found} for {known}"
    return error


def compare(ours, folder, gamma, start):
    """Our file by Storm against our own answer, then Storm's file by us; the larger error."""
    solved = hedgerow("solve", ours)
    model = read_umb(ours)
    value = optimal_values(model, gamma)
    there = sum(p * value(s) for s, p in start)
    worst = near(solved["unconstrained_reward"], there)
    back = write_umb(model, folder / "back.umb")
    again = hedgerow("solve", back, "--gamma", gamma)
    assert (again["states"], again["pairs"]) == (solved["states"], solved["pairs"])
    # Storm keeps which states are initial, not how likely they are.
    alike = np.mean([value(s) for s, _ in start])
    return max(worst, near(again["unconstrained_reward"], alike)), solved


@pytest.mark.parametrize("name", [*TABLES, *BUILT_IN, *(f"random-{n}" for n in RANDOM)])
def test_values_agree_both_ways(name, tmp_path, report):
    given = source(name, tmp_path)
    shown = hedgerow("envs", "show", given)
    ours = tmp_path / "ours.umb"
    hedgerow("envs", "export", given, ours)
    worst, solved = compare(ours, tmp_path, shown["gamma"], shown["start"])
    near(solved["unconstrained_reward"], hedgerow("solve", given)["unconstrained_reward"])
    with pytest.raises(Refused, match="no discount; give one with --gamma"):
        hedgerow("solve", tmp_path / "back.umb")
    report(f"{name}: {solved['states']} states through Storm and back, worst error {worst:.1e}")


# Storm refuses text with rewards below 0.
@pytest.mark.parametrize("name", ["gridworld-1", "rooms", "FrozenLake-8x8"])
def test_text_for_storm(name, tmp_path):
    given = source(name, tmp_path)
    shown = hedgerow("envs", "show", given)
    ours = tmp_path / "ours.tra"
    hedgerow("envs", "export", given, ours, "--storm")
    value = optimal_values(read_text(ours), shown["gamma"])
    there = sum(p * value(s) for s, p in shown["start"])
    near(hedgerow("solve", ours)["unconstrained_reward"], there)


def write_arrays(path, index, arrays):
    entries = {"index.json": json.dumps(index).encode()}
    entries |= {f"{name}.bin": array.tobytes() for name, array in arrays.items()}
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in entries.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def vast(path, states=1_000_000, choices=2, width=4):
    """A random model as a program that knows nothing of us would write it."""
    rng = np.random.default_rng(5)
    pairs = states * choices
    share = rng.uniform(0.05, 1.0, size=(pairs, width))
    share /= share.sum(axis=1, keepdims=True)
    initial = np.zeros(-(-states // 64), dtype="<u8")
    initial[0] = 1
    arrays = {
        "state-to-choices": np.arange(0, pairs + 1, choices, dtype="<u8"),
        "state-is-initial": initial,
        "choice-to-branches": np.arange(0, pairs * width + 1, width, dtype="<u8"),
        "branch-to-target": rng.integers(0, states, size=pairs * width).astype("<u8"),
        "branch-to-probability": share.ravel().astype("<f8"),
        "annotations/rewards/gain/choices/values": rng.uniform(size=pairs).astype("<f8"),
    }
    double = {"type": "double", "size": 64}
    system = {"time": "discrete", "#players": 1, "#states": states, "#initial-states": 1}
    system |= {"#choices": pairs, "#choice-actions": 0, "#branches": pairs * width}
    system |= {"#branch-actions": 0, "#observations": 0, "branch-probability-type": double}
    gain = {"alias": "gain", "applies-to": ["choices"], "type": double}
    index = {"format-version": 1, "format-revision": 0, "transition-system": system}
    write_arrays(path, index | {"annotations": {"rewards": {"gain": gain}}}, arrays)


def test_a_million_states(tmp_path, report):
    gamma = 0.8
    foreign, ours = tmp_path / "foreign.umb", tmp_path / "ours.umb"
    vast(foreign)
    hedgerow("envs", "export", foreign, ours, "--gamma", gamma)
    worst, solved = compare(ours, tmp_path, gamma, [(0, 1.0)])
    assert solved["states"] == 1_000_000
    report(f"a million states through Storm and back, worst error {worst:.1e}")
