"""What the product writes and says is what was recorded; documented commands exit as shown."""

from __future__ import annotations

import pytest

from golden.compare import compare_recording
from golden.groups import GROUPS, RECORDED

CASES = [
    pytest.param(name, marks=() if group.is_quick else pytest.mark.long)
    for name, group in GROUPS.items()
]


@pytest.mark.no_cover
@pytest.mark.parametrize("name", CASES)
def test_what_is_written_and_said_is_as_recorded(name: str) -> None:
    difference = compare_recording(GROUPS[name], GROUPS[name].record())
    assert not difference, difference


def test_every_recording_belongs_to_a_group() -> None:
    kept = {path.relative_to(RECORDED) for path in RECORDED.rglob("*.txt")}
    assert kept == {group.path for group in GROUPS.values()}
