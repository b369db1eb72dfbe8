"""Infer the constraints an expert keeps to.

An expert acts in a finite world with a known reward and does worse than it could. Something holds it
back: which state-action pairs does it avoid on purpose?

>>> import hedgerow
>>> env = hedgerow.Environment.open("gridworld-3")   # a model, a hidden rule, and an expert who keeps to it
>>> found = hedgerow.infer_exact(env)                # or infer(env): by exploring
>>> len(found.constrained)
14

What is here:

===========================  =======================================================================
models and environments      :class:`Model`, :class:`Environment`, :class:`World`, :class:`Maze`
inference                    :func:`infer`, :func:`infer_exact`, :func:`infer_records`, :func:`explain`,
                             :func:`infer_continuous`
answers                      :class:`Constraint`, :class:`CostSet`, :class:`Explanation`,
                             :class:`ContinuousConstraint`
runs and sweeps              :func:`run`, :func:`sweep`, :func:`merge`, :class:`Experiment`, :class:`Results`
strategies in Python         :class:`Strategy`, :class:`Plan`, :class:`Learner`
data                         :class:`Records`
other people's packages      :mod:`hedgerow.gymnasium`, :mod:`hedgerow.figures`
numbers                      :mod:`hedgerow.theory`, :mod:`hedgerow.metrics`
===========================  =======================================================================
"""

from __future__ import annotations

from . import metrics, theory
from ._errors import (
    AccuracyError,
    FileError,
    HedgerowError,
    InputError,
    InputTypeError,
    Interrupted,
    MissingPackageError,
)
from ._native import Table, __version__
from .constraint import Constraint
from .continuous import Calibration, ContinuousConstraint, infer_continuous
from .costset import CostSet
from .data import Records
from .environment import Environment, environments
from .inference import Explanation, explain, infer, infer_exact, infer_records
from .maze import Maze
from .model import Model, Solution, Task
from .online import World
from .results import Results, report
from .running import Experiment, Run, SweepError, merge, run, sweep
from .strategy import Context, Learner, Plan, Strategy, strategies

__all__ = [
    "AccuracyError",
    "Calibration",
    "Constraint",
    "Context",
    "ContinuousConstraint",
    "CostSet",
    "Environment",
    "Experiment",
    "Explanation",
    "FileError",
    "HedgerowError",
    "InputError",
    "InputTypeError",
    "Interrupted",
    "Learner",
    "Maze",
    "MissingPackageError",
    "Model",
    "Plan",
    "Records",
    "Results",
    "Run",
    "Solution",
    "Strategy",
    "SweepError",
    "Table",
    "Task",
    "World",
    "__version__",
    "environments",
    "explain",
    "infer",
    "infer_continuous",
    "infer_exact",
    "infer_records",
    "merge",
    "metrics",
    "report",
    "run",
    "strategies",
    "sweep",
    "theory",
]
