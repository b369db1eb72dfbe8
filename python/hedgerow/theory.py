"""The theory as numbers: how many samples are enough, and how often something may fail."""

from __future__ import annotations

from dataclasses import dataclass

from . import _native
from .environment import Environment

__all__ = ["SampleSize", "clopper_pearson", "sample_size", "zeta_max"]


@dataclass(frozen=True)
class SampleSize:
    """How many samples of the pair that needs most are enough."""

    #: By Lambert's W function.
    exact: float
    #: By the closed bound.
    closed: float


def sample_size(
    method: str,
    *,
    pairs: int,
    gamma: float,
    accuracy: float,
    delta: float = 0.1,
    horizon: int = 50,
    reward_max: float = 1.0,
    cost_max: float = 1.0,
    zeta_max: float = 1.0,
) -> SampleSize:
    """How many samples make all values accurate to ``accuracy`` with probability ``1 - delta``, by the
    theorems on ``uniform`` sampling, ``bear`` and ``pcse``.

    >>> from hedgerow import theory
    >>> size = theory.sample_size("uniform", pairs=100, gamma=0.7, accuracy=0.5)
    >>> 1e4 < size.exact <= size.closed
    True
    """
    exact, closed = _native.sample_size(
        method,
        pairs=pairs,
        horizon=horizon,
        gamma=gamma,
        reward_max=reward_max,
        cost_max=cost_max,
        zeta_max=zeta_max,
        delta=delta,
        accuracy=accuracy,
    )
    return SampleSize(exact, closed)


def zeta_max(environment: Environment, *, cost_max: float = 1.0) -> float:
    """The largest scale of a cost that explains the expert of an environment."""
    return _native.zeta_max(environment._native, float(cost_max))


def clopper_pearson(failures: int, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    """An exact interval for a probability, from failures among trials.

    >>> from hedgerow import theory
    >>> low, high = theory.clopper_pearson(0, 200)
    >>> low, round(high, 4)
    (0.0, 0.0183)
    """
    return _native.clopper_pearson(failures, trials, float(level))
