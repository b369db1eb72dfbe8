"""Telling one definition of code from another, so that saved runs of the one are not taken for the other."""

from __future__ import annotations

import hashlib
import pickle
import types
from typing import Any


def version_of(thing: Any) -> str:
    """A short text that changes when the code or the contents of a strategy, an expert or an environment
    change, as far as that can be told; its own ``version`` if it has one.

    >>> from hedgerow._version_of import version_of
    >>> version_of(lambda s: 0) == version_of(lambda s: 0), version_of(lambda s: 0) == version_of(lambda s: 1)
    (True, False)
    """
    own = getattr(thing, "version", None)
    if isinstance(own, str):
        return own
    digest = hashlib.sha256()
    _feed(digest, thing, set())
    return digest.hexdigest()[:12]


def _feed(digest: Any, thing: Any, seen: set[int]) -> None:
    # Code may refer to itself.
    if isinstance(thing, (types.FunctionType, type)):
        if id(thing) in seen:
            return
        seen.add(id(thing))
    if isinstance(thing, types.CodeType):
        digest.update(thing.co_code)
        _feed(digest, thing.co_names, seen)
        _feed(digest, thing.co_consts, seen)
    elif isinstance(thing, (types.FunctionType, types.MethodType)):
        _feed(digest, thing.__code__, seen)
        _feed(digest, thing.__defaults__, seen)
        for cell in thing.__closure__ or ():
            _feed(digest, cell.cell_contents, seen)
        if isinstance(thing, types.MethodType):
            _feed(digest, thing.__self__, seen)
    elif isinstance(thing, (tuple, list)):
        for part in thing:
            _feed(digest, part, seen)
    elif isinstance(thing, type):
        digest.update(thing.__qualname__.encode())
        for name, value in sorted(vars(thing).items()):
            if isinstance(value, (types.FunctionType, staticmethod, classmethod)):
                digest.update(name.encode())
                _feed(digest, getattr(value, "__func__", value), seen)
    elif type(thing).__module__ in ("builtins", "numpy"):
        digest.update(_pickled(thing))
    else:
        _feed(digest, type(thing), seen)
        for name, value in sorted(getattr(thing, "__dict__", {}).items()):
            digest.update(name.encode())
            digest.update(_pickled(value))


def _pickled(thing: Any) -> bytes:
    try:
        return pickle.dumps(thing, protocol=4)
    except Exception:  # What cannot be pickled tells nothing.
        return type(thing).__qualname__.encode()
