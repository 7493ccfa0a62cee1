"""What the tests split from test_advice share."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tables.advice_helpers import people
from tokumei.apps.cli.app import main


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    people().write_csv(path)
    return path


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(args))
    return int(ended.value.code or 0)


def command(text: str) -> list[str]:
    return shlex.split(text)[1:]
