"""Continuous environments under an inferred constraint."""

from __future__ import annotations

from typing import Any, Literal

from ._arrays import number
from ._boxes import Spaces
from ._errors import invalid, missing, wrong_type
from .continuous import ContinuousConstraint

try:
    import gymnasium
except ImportError as error:
    raise missing("gymnasium", "gymnasium") from error


class ContinuousConstraintWrapper(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A continuous environment under an inferred constraint, so that agents train to keep to it.

    ``info["cost"]`` is the score of every step, and ``info["forbidden"]`` whether it reaches the
    constraint's threshold. ``mode`` says what else becomes of a forbidden step:

    - ``"cost"``: nothing;
    - ``"penalty"``: it earns ``penalty`` less;
    - ``"end"``: it ends the episode, and earns ``-penalty`` instead.

    >>> import gymnasium, hedgerow
    >>> found = hedgerow.infer_continuous("Pendulum-v1", lambda o: [0.0], iterations=1, horizon=10, gamma=0.9)
    >>> env = found.wrap(gymnasium.make("Pendulum-v1"), mode="end", penalty=10)
    >>> _ = env.reset(seed=1)
    >>> 0 <= env.step([0.0])[4]["cost"] <= 1
    True
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        constraint: ContinuousConstraint,
        *,
        mode: Literal["cost", "penalty", "end"] = "penalty",
        penalty: float = 1.0,
    ) -> None:
        super().__init__(env)
        if not isinstance(constraint, ContinuousConstraint):
            raise wrong_type("constraint", constraint, "give a hedgerow.ContinuousConstraint")
        if mode not in ("cost", "penalty", "end"):
            raise invalid("mode", f"`{mode}` is unknown", "use cost, penalty or end")
        own, wanted = Spaces(env), constraint._spaces
        if (own.widths, own.names) != (wanted.widths, wanted.names):
            raise invalid(
                "env",
                f"it has spaces of {own.widths[0]} and {own.names or own.widths[1]}",
                f"give one with {wanted.widths[0]} and {wanted.names or wanted.widths[1]}, as {constraint.name} has",
            )
        self.constraint = constraint
        self.mode = mode
        self.penalty = number("penalty", penalty)
        self._spaces = own
        self._last: Any = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        self._last = self._spaces.observed("reset: observation", observation)
        return observation, {**info, "cost": 0.0, "forbidden": False}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        if self._last is None:
            raise invalid("step", "no episode has begun", "call `reset` first")
        cost = float(self.constraint.cost(self._last, action)[0])
        forbidden = cost >= self.constraint.threshold
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._last = self._spaces.observed("step: observation", observation)
        if forbidden and self.mode == "penalty":
            reward = float(reward) - self.penalty
        elif forbidden and self.mode == "end":
            reward, terminated = -self.penalty, True
        return observation, reward, terminated, truncated, {**info, "cost": cost, "forbidden": forbidden}
