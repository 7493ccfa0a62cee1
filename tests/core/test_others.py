"""Entry points of other packages are those that the standard library finds."""

from __future__ import annotations

import sys
import zipfile
from importlib.machinery import PathFinder
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tokumei.core.others import others

LINE = "[tokumei.test]\nmine = package.module:Mine\n"


@pytest.mark.parametrize("kind", ["dist-info", "egg-info"])
def test_a_package_beside_the_others_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    about = tmp_path / f"other-1.0.{kind}"
    about.mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert others("tokumei.test") == []
    (about / ("METADATA" if kind == "dist-info" else "PKG-INFO")).write_text("Name: other\n")
    (about / "entry_points.txt").write_text(LINE)
    (found,) = others("tokumei.test")
    assert (found.name, found.value) == ("mine", "package.module:Mine")


def test_a_package_in_a_zip_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("other-1.0.dist-info/METADATA", "Name: other\n")
        file.writestr("other-1.0.dist-info/entry_points.txt", LINE)
    monkeypatch.syspath_prepend(str(tmp_path / "other.zip"))
    assert [one.name for one in others("tokumei.test")] == ["mine"]


def test_a_finder_of_its_own_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    class Finder(PathFinder):
        """Has packages that no folder shows."""

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    assert others("tokumei.test") == []


@pytest.mark.parametrize("group", ["console_scripts", "pytest11", "tokumei.kinds"])
def test_it_is_what_the_library_finds(group: str) -> None:
    assert sorted(others(group)) == sorted(entry_points(group=group))
