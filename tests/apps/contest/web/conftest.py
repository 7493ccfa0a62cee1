"""A contest to look at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.contest.web.scene import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    made = Scene.make(tmp_path)
    yield made
    made.close()
