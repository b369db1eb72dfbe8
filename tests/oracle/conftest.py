"""Measurements that tests report, printed at the end."""

import pytest

LINES = []


@pytest.fixture
def report():
    """A function that takes a line to print when all tests are done."""
    return LINES.append


def pytest_terminal_summary(terminalreporter):
    for line in LINES:
        terminalreporter.write_line(line)
