"""Continuous worlds: any Gymnasium environment with box observations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hedgerow

gymnasium = pytest.importorskip("gymnasium")
spaces = gymnasium.spaces

#: Where the expert of the line stops.
WALL = 0.3


class Line(gymnasium.Env):  # type: ignore[misc]
    """A point on a line that earns its position and may not go beyond the wall."""

    def __init__(self, names: bool = False) -> None:
        self.observation_space = spaces.Box(-1.0, 1.0, (1,), np.float64)
        self.action_space = spaces.Discrete(3, start=-1) if names else spaces.Box(-0.2, 0.2, (1,), np.float32)
        self.names = names

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.x = self.np_random.uniform(-0.8, 0.2, 1)
        return self.x.copy(), {}

    def step(self, action: Any) -> Any:
        moved = 0.2 * action if self.names else np.asarray(action, dtype=np.float64)
        self.x = np.clip(self.x + moved, -1, 1)
        return self.x.copy(), float(self.x[0]), False, False, {}


class Disc(gymnasium.Env):  # type: ignore[misc]
    """A point that goes round a cylinder at a constant speed, in a direction to choose, and may not enter a disc."""

    def __init__(self) -> None:
        self.observation_space = spaces.Box(-1.0, 1.0, (2,), np.float64)
        self.action_space = spaces.Box(-1.0, 1.0, (1,), np.float64)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.at = self.np_random.uniform([-1.0, -0.6], [-0.4, 0.6])
        return self.at.copy(), {}

    def step(self, action: Any) -> Any:
        turn = 0.5 * np.pi * float(action[0])
        x, y = self.at + 0.2 * np.array([np.cos(turn), np.sin(turn)])
        self.at = np.array([(x + 1) % 2 - 1, np.clip(y, -1, 1)])
        return self.at.copy(), float(np.cos(turn)), False, False, {}


def stops(observation: Any) -> Any:
    return np.clip(WALL - observation, -0.2, 0.2)


def beyond(observation: Any, action: Any) -> float:
    return float(observation[0] + action[0] > WALL + 1e-6)


def goes_around(observation: Any) -> Any:
    """The smallest turn that stays out of the disc."""
    turns = np.array(sorted(np.linspace(-1, 1, 41), key=abs))
    x = observation[0] + 0.2 * np.cos(0.5 * np.pi * turns)
    y = observation[1] + 0.2 * np.sin(0.5 * np.pi * turns)
    return turns[[int(np.argmax(np.hypot(x, y) >= 0.5))]]


def enters(observation: Any, action: Any) -> float:
    turn = 0.5 * np.pi * float(action[0])
    return float(np.hypot(observation[0] + 0.2 * np.cos(turn), observation[1] + 0.2 * np.sin(turn)) < 0.5)


def on_the_line(**more: Any) -> hedgerow.ContinuousConstraint:
    given: dict[str, Any] = {"gamma": 0.8, "horizon": 12, "iterations": 25, "episodes": 4, "steps": 150, **more}
    return hedgerow.infer_continuous(given.pop("env", Line), given.pop("expert", stops), **given)


@pytest.fixture(scope="module")
def found() -> hedgerow.ContinuousConstraint:
    return on_the_line(cost=beyond)


def split(found: hedgerow.ContinuousConstraint) -> tuple[float, float]:
    """Shares of truly forbidden and of truly allowed pairs that are found forbidden, away from the edge."""
    x, a = (g.reshape(-1, 1) for g in np.meshgrid(np.linspace(-0.5, WALL, 33), np.linspace(-0.2, 0.2, 21)))
    past = (x + a - WALL)[:, 0]
    marks = found.forbidden(x, a)
    return float(marks[past > 0.05].mean()), float(marks[past < -0.05].mean())


def test_a_wall_is_found_where_it_is(found: hedgerow.ContinuousConstraint) -> None:
    hit, wrong = split(found)
    assert hit > 0.9 and wrong < 0.1
    assert found.comparison is not None and found.comparison["iou"] > 0.7


def test_the_answer_says_how_it_came_about(found: hedgerow.ContinuousConstraint) -> None:
    history = found.history
    assert len(history) == 26 and found.stop == "iterations"
    # Five demonstrations, then 25 times 4 episodes, of 12 steps each.
    assert found.samples == 105 * 12 == history["samples"][-1]
    assert found.data["observations"].shape == (1260, 1) and len(found.data["starts"]) == 105
    assert np.array_equal(found.data["starts"][:3], [0, 12, 24])
    assert np.abs(found.data["actions"]).max() <= 0.2
    assert np.allclose(found.data["expert_actions"], stops(found.data["observations"]))
    assert found.expert[1] == 0.0 and found.expert[0] > 0
    curve = found.calibration
    assert len(curve.count) == 10 and curve.count.sum() > 50
    assert 0 <= curve.error < 0.2 and np.all((curve.observed >= 0) & (curve.observed <= 1))
    assert 0 <= found.open <= 1
    value, width = found.value([[0.3]], [[0.0]])
    # 0.3 for ever: 0.3 / (1 - 0.8).
    assert abs(value[0] - 1.5) < 0.3 and width[0] >= 0


def test_without_a_cost_nothing_is_judged_and_the_same_is_learned() -> None:
    blind, found = on_the_line(iterations=5), on_the_line(iterations=5, cost=beyond)
    assert blind.comparison is None and blind.expert[1] is None
    assert all(np.isnan(blind.history["cost"])) and all(np.isnan(blind.history["iou"]))
    at = np.linspace(-1, 1, 11).reshape(-1, 1)
    zero = np.zeros((11, 1))
    assert np.array_equal(blind.cost(at, zero), found.cost(at, zero))
    assert not np.array_equal(on_the_line(seed=1, iterations=5).cost(at, zero), blind.cost(at, zero))


def test_names_of_actions_keep_their_numbers() -> None:
    answer = on_the_line(env=lambda: Line(names=True), expert=lambda x: int(x[0] + 0.2 <= WALL), iterations=15)
    assert set(np.unique(answer.data["actions"])) <= {-1, 0, 1} and set(np.unique(answer.data["expert_actions"])) == {0, 1}
    at = [[0.2], [0.2], [-0.5]]
    assert list(answer.forbidden(at, [1, 0, 1])) == [True, False, False]
    with pytest.raises(hedgerow.InputError, match=r"^action: 2 is no action; use -1 to 1$"):
        answer.cost([0.2], [2])


def test_a_disc_is_found() -> None:
    answer = hedgerow.infer_continuous(
        Disc, goes_around, gamma=0.6, horizon=6, iterations=40, episodes=12, cost=enters
    )
    # The true cost counts turns into the disc that nobody would gain from, too: they are missed.
    assert answer.comparison is not None and answer.comparison["false_positives"] < 0.02
    # Straight ahead, from before the disc and from beside it.
    before, beside = answer.cost([[-0.6, 0.0], [-0.6, 0.8]], [[0.0], [0.0]])
    assert before > 0.5 > beside
    assert not answer.forbidden([[-0.6, 0.0]], [goes_around([-0.6, 0.0])])


def recorded(episodes: int) -> list[dict[str, Any]]:
    env, all_ = Line(), []
    for seed in range(episodes):
        x, _ = env.reset(seed=seed)
        seen, done, earned = [x], [], []
        for _ in range(12):
            done.append(stops(x))
            x, r, *_ = env.step(done[-1])
            seen.append(x)
            earned.append(r)
        all_.append({"observations": np.array(seen), "actions": np.array(done), "rewards": earned})
    return all_


def test_an_expert_can_be_recorded() -> None:
    answer = on_the_line(expert=recorded(10), iterations=25)
    hit, wrong = split(answer)
    assert hit > 0.7 and wrong < 0.2
    # All that was recorded comes first.
    assert answer.samples == (10 + 25 * 4) * 12

    class Dataset:
        """Looks like one of Minari."""

        def iterate_episodes(self) -> Any:
            for episode in recorded(10):
                yield type("EpisodeData", (), {**episode, "terminations": np.zeros(12, bool)})

    # The same episodes are the same expert: the first iteration tells.
    again, first = (on_the_line(expert=e, iterations=1) for e in (Dataset(), recorded(10)))
    assert np.array_equal(again.cost([0.0], [0.1]), first.cost([0.0], [0.1]))


def test_an_agent_is_kept_from_the_wall(found: hedgerow.ContinuousConstraint) -> None:
    def play(mode: Any) -> Any:
        env = found.wrap(Line(), mode=mode, penalty=5.0)
        env.reset(seed=3)
        env.unwrapped.x = np.array([0.29])
        env._last = env.unwrapped.x
        return env.step(np.array([0.2]))

    assert play("cost")[4]["forbidden"] and play("cost")[1] == pytest.approx(0.49)
    assert play("penalty")[1] == pytest.approx(0.49 - 5) and not play("penalty")[2]
    assert play("end")[1:3] == (-5.0, True)
    env = found.wrap(Line())
    with pytest.raises(hedgerow.InputError, match=r"^step: no episode has begun; call `reset` first$"):
        env.step(np.array([0.0]))
    env.reset(seed=1)
    assert not env.step(np.array([-0.1]))[4]["forbidden"]
    with pytest.raises(hedgerow.InputError, match=r"^mode: `never` is unknown; use cost, penalty or end$"):
        found.wrap(Line(), mode="never")  # type: ignore[arg-type]
    with pytest.raises(hedgerow.InputError, match=r"^env: it has spaces of 2 and 1; give one with 1 and 1, as Line has$"):
        found.wrap(Disc())


def test_endless_bounds_and_ids() -> None:
    # The speeds of this one are bounded by the largest number of 32 bits.
    answer = hedgerow.infer_continuous("CartPole-v1", lambda o: int(o[2] > 0), iterations=2, horizon=20, gamma=0.9)
    assert answer.name == "CartPole-v1" and np.isfinite(answer.cost(np.zeros((2, 4)), [0, 1])).all()


def broken(**how: Any) -> Callable[[], Line]:
    class Broken(Line):
        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
            return how.get("reset", super().reset(seed=seed))

        def step(self, action: Any) -> Any:
            if "raises" in how:
                raise how["raises"]
            return how.get("step", super().step(action))

    return Broken


def spaced(**what: Any) -> Callable[[], Line]:
    def make() -> Line:
        env = Line()
        vars(env).update(what)
        return env

    return make


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"expert": None}, r"expert: there is none; give a function of the observation, or recorded episodes"),
        ({"expert": 3}, r"expert: it is an int; give a function of the observation, anything with `predict`, or "),
        ({"expert": []}, r"expert: trajectories: there is no decision in them; record at least one episode of"),
        ({"expert": [{"actions": [[0]]}]}, r"expert\[0\]: it has no `observations`; give observations, actions and"),
        (
            {"expert": [{"observations": [[0.0]], "actions": [[0.1]], "rewards": [1.0]}]},
            r"expert: trajectory 0: 1 numbers of observations and 1 of actions for 1 rewards; give 2 and 1: one obs",
        ),
        (
            {"expert": [{"observations": [[0.0], [np.nan]], "actions": [[0.1]], "rewards": [1.0]}]},
            r"expert\[0\]: observations\[1\]: number 0 is nan; give finite numbers",
        ),
        ({"expert": lambda x: [0.5]}, r"expert: action: 0.5 lies outside of the box; use -0.2 to 0.2"),
        ({"expert": lambda x: [0.1, 0.1]}, r"expert: action: 2 numbers; give 1"),
        ({"expert": lambda x: "left"}, r"expert: action: it is a str; give 1 numbers"),
        ({"env": spaced(observation_space=spaces.Discrete(4))}, r"observation_space: Discrete\(4\) is no box of numbers"),
        ({"env": spaced(action_space=spaces.MultiBinary(4))}, r"action_space: MultiBinary\(4\) is neither discrete nor"),
        (
            {"env": spaced(action_space=spaces.Box(-np.inf, np.inf, (1,), np.float64))},
            r"action_space: Box\(-inf, inf, \(1,\), float64\) has no finite bounds; wrap the environment",
        ),
        ({"env": 3}, r"env: it is an int; give an environment with `reset` and `step`, an id, or a function"),
        ({"env": broken(reset=np.zeros(1))}, r"reset: it returns ndarray; return \(observation, info\)"),
        ({"env": broken(reset=([np.nan], {}))}, r"reset: observation: number 0 is nan; give finite numbers"),
        ({"env": broken(step=([0.0], 1.0))}, r"step: it returns tuple; return \(observation, reward, terminated"),
        ({"env": broken(step=([0.0], np.inf, False, False, {}))}, r"step: reward: inf; return finite rewards"),
        ({"env": broken(step=([0.0] * 2, 0, False, False, {}))}, r"step: observation: 2 numbers; give 1"),
        ({"cost": lambda o, a: np.nan}, r"cost: nan; return a finite number"),
        ({"cost": 1}, r"cost: it is an int; give a function of observation and action"),
        ({"strategy": "psce"}, r"strategy: `psce` is unknown in continuous worlds of any kind; did you mean `pcse`\?"),
        ({"margn": 1}, r"settings: `margn` is unknown; did you mean `margin`\?"),
        ({"margin": -1}, r".*margin.*-1"),
        ({"gamma": 1.0}, r"world `Line`: its discount is 1; choose one from 0 to below 1"),
        ({"threshold": 0}, r"threshold: 0; use a number above 0 and at most 1"),
        ({"horizon": 0}, r"horizon: 0; use a whole number from 1"),
    ],
)
def test_wrong_input_is_refused_in_one_line(given: dict[str, Any], line: str) -> None:
    with pytest.raises(hedgerow.InputError, match=f"^{line}") as refused:
        on_the_line(**{"iterations": 1, **given})
    assert "\n" not in str(refused.value)


def test_what_the_environment_raises_comes_through() -> None:
    with pytest.raises(ZeroDivisionError, match="^of its own$"):
        on_the_line(env=broken(raises=ZeroDivisionError("of its own")))

    def fails(observation: Any, action: Any) -> float:
        raise LookupError("no such cost")

    with pytest.raises(LookupError, match="^no such cost$"):
        on_the_line(cost=fails)


def test_pairs_that_do_not_fit_are_refused(found: hedgerow.ContinuousConstraint) -> None:
    with pytest.raises(hedgerow.InputError, match=r"^actions: 1 for 2 observations; give one for each$"):
        found.cost([[0.0], [0.1]], [[0.0]])
    with pytest.raises(hedgerow.InputError, match=r"^actions\[1\]: 0.3 lies outside of the box; use -0.2 to 0.2$"):
        found.cost([[0.0], [0.1]], [[0.0], [0.3]])
    with pytest.raises(hedgerow.InputError, match=r"^observations\[0, 0\]: nan is not a number"):
        found.cost([np.nan], [0.0])
    with pytest.raises(hedgerow.InputError, match=r"^observations: its shape is 1 x 2; give rows of 1 numbers$"):
        found.cost([[0.0, 1.0]], [[0.0]])


def test_ctrl_c_leaves_what_was_found() -> None:
    pressed: list[int] = []

    def stop(done: int, total: int, note: str) -> None:
        if done >= 2 and not pressed:
            pressed.append(done)
            raise KeyboardInterrupt

    with pytest.raises(hedgerow.Interrupted) as stopped:
        on_the_line(iterations=100_000, progress=stop)
    assert isinstance(stopped.value.partial, hedgerow.ContinuousConstraint)
    assert stopped.value.partial.stop == "interrupted" and stopped.value.partial.samples > 0
