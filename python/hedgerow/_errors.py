"""Exceptions of the package.

Every message is one line: the place, what was found there, and what to do about it, the same line
that the command prints.
"""

from __future__ import annotations

from typing import Any


class HedgerowError(Exception):
    """Anything that Hedgerow refuses or cannot do."""


class InputError(HedgerowError, ValueError):
    """Input that does not describe what it should.

    >>> import hedgerow
    >>> hedgerow.Environment.open("gridwrld-3")
    Traceback (most recent call last):
    ...
    hedgerow._errors.InputError: environment: `gridwrld-3` is neither a file nor built in; did you mean `gridworld-3`?
    """


class InputTypeError(InputError, TypeError):
    """Input of a type that cannot be used, such as an array of texts where numbers belong."""


class FileError(HedgerowError, OSError):
    """A file that could not be read or written."""


class AccuracyError(HedgerowError, ArithmeticError):
    """A number that could not be computed as exactly as it would have to be."""


class MissingPackageError(HedgerowError, ImportError):
    """An optional package that is not installed."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C came; ``partial`` holds what was done until then.

    It is a :class:`KeyboardInterrupt`, so a script stops as it would without Hedgerow.
    """

    def __init__(self, message: str, partial: Any = None) -> None:
        super().__init__(message)
        self.partial = partial


def invalid(place: str, problem: str, remedy: str) -> InputError:
    """The exception for input at ``place``, in the form of all messages."""
    return InputError(f"{place}: {problem}; {remedy}")


def wrong_type(place: str, found: object, remedy: str) -> InputTypeError:
    """The exception for input of the wrong type."""
    return InputTypeError(f"{place}: it is {_article(type(found).__name__)}; {remedy}")


def _article(name: str) -> str:
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def missing(package: str, extra: str) -> MissingPackageError:
    """The exception for an optional package that is not there."""
    return MissingPackageError(
        f"{package}: it is not installed; run `pip install hedgerow[{extra}]` or `pip install {package}`"
    )
