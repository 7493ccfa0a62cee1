"""Tests of tokumei.apps.studio.store.hierarchies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokumei.apps.studio.store.hierarchies import list_hierarchies, save_hierarchy
from tokumei.apps.studio.store.home import StudioHome
from tokumei.core.errors import InputError


def test_a_hierarchy_is_kept_only_if_every_value_has_a_place(tmp_path: Path) -> None:
    content = tmp_path / "content"
    content.write_text("city\nRome\nOslo\n")
    project = StudioHome.open(tmp_path / "home").begin("a.csv", content)
    project.change(roles={"city": "quasi"}, trees={"city": 1})
    project.write_result("trees/00", {"rows": [], "counts": {"Rome": 1, "Oslo": 1}})
    with pytest.raises(InputError) as caught:
        save_hierarchy(project, "city", [["Rome", "*"]])
    assert len(caught.value.faults) == 1
    assert list_hierarchies(project, project.state()) == {}
    save_hierarchy(project, "city", [["Rome", "*"], ["Oslo", "*"]])
    assert list(list_hierarchies(project, project.state())) == ["city"]
