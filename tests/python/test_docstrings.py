"""The examples in docstrings say the truth, and every public name has a docstring."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from types import ModuleType

import pytest

import hedgerow

NAMES = sorted(m.name for m in pkgutil.iter_modules(hedgerow.__path__, "hedgerow.") if not m.name.endswith("__main__"))
PYTHON = [name for name in NAMES if not name.endswith("_native")]


def opened(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", ["hedgerow", *PYTHON])
def test_examples(name: str) -> None:
    failed, _ = doctest.testmod(opened(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0


@pytest.mark.parametrize("name", ["hedgerow", *(n for n in PYTHON if "._" not in n)])
def test_public_names_are_described(name: str) -> None:
    module = opened(name)
    lacking = [] if module.__doc__ else [name]
    for public in getattr(module, "__all__", []):
        thing = getattr(module, public)
        described = inspect.isclass(thing) or inspect.isroutine(thing) or inspect.ismodule(thing)
        if described and not inspect.getdoc(thing):
            lacking.append(f"{name}.{public}")
        if not inspect.isclass(thing) or not thing.__module__.startswith("hedgerow"):
            continue
        for member, value in vars(thing).items():
            routine = inspect.isroutine(value) or isinstance(value, (property, classmethod, staticmethod))
            if not member.startswith("_") and routine and not inspect.getdoc(getattr(thing, member)):
                lacking.append(f"{name}.{public}.{member}")
    assert lacking == []
