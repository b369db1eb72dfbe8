"""Progress of long work: tqdm where it is installed and somebody is looking, else nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Progress = Callable[[int, int, str], None]


def _watched() -> bool:
    return "ipykernel" in sys.modules or sys.stderr.isatty()


@contextmanager
def shown(unit: str, progress: bool | Progress | None) -> Iterator[Progress | None]:
    """What the engine is to tell its progress: a bar, the user's own function, or nobody.

    ``None`` shows a bar on terminals and in notebooks, ``True`` everywhere, ``False`` nowhere.
    """
    if callable(progress):
        yield progress
        return
    if progress is False or (progress is None and not _watched()):
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    bar: Any = None

    def show(done: int, total: int, note: str) -> None:
        nonlocal bar
        if bar is None:
            bar = tqdm(total=total or None, unit=f" {unit}", leave=False, file=sys.stderr)
        bar.n = done
        bar.set_postfix_str(note, refresh=False)
        bar.refresh()

    try:
        yield show
    finally:
        if bar is not None:
            bar.close()
