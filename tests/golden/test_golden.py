"""What the product writes and says is what was recorded; documented commands exit as shown.

Of each test `make test` runs the cases that are not long; `make test-long` runs the others.
"""

from __future__ import annotations

import pytest

from golden.compare import compare_recording
from golden.groups import GROUPS, RECORDED

pytestmark = pytest.mark.no_cover


def list_cases(*beginnings: str) -> list[object]:
    """The groups whose names begin so."""
    return [
        pytest.param(name, marks=() if group.is_quick else pytest.mark.long)
        for name, group in GROUPS.items()
        if name.startswith(beginnings)
    ]


def require_recorded(name: str) -> None:
    difference = compare_recording(GROUPS[name], GROUPS[name].record())
    assert not difference, difference


@pytest.mark.parametrize("name", list_cases("docs/", "README"))
def test_pages_are_as_recorded(name: str) -> None:
    require_recorded(name)


@pytest.mark.parametrize("name", list_cases("examples/"))
def test_examples_of_commands_are_as_recorded(name: str) -> None:
    require_recorded(name)


@pytest.mark.parametrize("name", list_cases("recipes/", "contest/", "studio"))
def test_recipes_contests_and_the_studio_are_as_recorded(name: str) -> None:
    require_recorded(name)


def test_every_recording_belongs_to_a_group() -> None:
    recorded = {path.relative_to(RECORDED) for path in RECORDED.rglob("*.txt")}
    assert recorded == {group.path for group in GROUPS.values()}


def test_recordings_stay_small() -> None:
    assert sum(path.stat().st_size for path in RECORDED.rglob("*.txt")) < 2 << 20
