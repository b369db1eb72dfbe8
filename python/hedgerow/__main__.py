"""The command, as ``hedgerow`` or ``python -m hedgerow``.

It is the same program as the one that is built with Cargo; ``run --backend ray`` is added here.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

from . import _native


def main(words: Sequence[str] | None = None) -> int:
    """Does what the command line asks for and gives the code to exit with."""
    given = list(sys.argv[1:] if words is None else words)
    if given[:1] == ["run"] and any(w == "--backend" or w.startswith("--backend=") for w in given):
        from ._cli import run_on_backend

        return run_on_backend(given[1:])
    # The program listens to Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.command(["hedgerow", *given])


if __name__ == "__main__":
    sys.exit(main())
