"""How well an inferred cost fits the true one."""

from __future__ import annotations

from typing import NamedTuple

from numpy.typing import ArrayLike

from . import _native
from ._arrays import floats

__all__ = ["Overlap", "overlap"]


class Overlap(NamedTuple):
    """How much two costs on states overlap."""

    #: Intersection over union.
    iou: float
    #: Generalised: also says how far apart disjoint sets lie.
    giou: float
    #: Weighted by the costs.
    wgiou: float


def overlap(inferred: ArrayLike, truth: ArrayLike) -> Overlap:
    """Compares two costs, each one number for every state.

    >>> from hedgerow import metrics
    >>> metrics.overlap([2, 1, 0], [0, 3, 3]).wgiou
    0.375
    """
    a = floats("inferred", inferred, (None,))
    return Overlap(*_native.overlap(a, floats("truth", truth, (len(a),))))
