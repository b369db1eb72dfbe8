"""Makes our worlds known to Gymnasium. It is called by Gymnasium itself, as a plug-in."""

from __future__ import annotations

FINITE = "hedgerow/Finite-v0"
MAZE = "hedgerow/PointMaze-v0"


def register() -> None:
    """Registers ``hedgerow/Finite-v0`` and ``hedgerow/PointMaze-v0``."""
    from gymnasium.envs.registration import register as add
    from gymnasium.envs.registration import registry

    if FINITE not in registry:
        add(id=FINITE, entry_point="hedgerow.gymnasium:FiniteEnv")
    if MAZE not in registry:
        add(id=MAZE, entry_point="hedgerow.gymnasium:PointMazeEnv")
