"""Entry points of other packages are those that the standard library finds."""

from __future__ import annotations

import importlib.metadata
import os
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tokumei.core.plugins import load_plugins

LINE = "[tokumei.test]\nmine = package.module:Mine\n"


def make_package(folder: Path, kind: str = "dist-info") -> None:
    about = folder / f"other-1.0.{kind}"
    about.mkdir(parents=True)
    (about / ("METADATA" if kind == "dist-info" else "PKG-INFO")).write_text("Name: other\n")
    (about / "entry_points.txt").write_text(LINE)


@pytest.mark.parametrize("kind", ["dist-info", "egg-info"])
def test_a_package_beside_the_others_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    assert load_plugins("tokumei.test") == []
    make_package(tmp_path, kind)
    monkeypatch.syspath_prepend(str(tmp_path))
    (found,) = load_plugins("tokumei.test")
    assert (found.name, found.value) == ("mine", "package.module:Mine")


def test_a_package_in_a_zip_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("other-1.0.dist-info/METADATA", "Name: other\n")
        file.writestr("other-1.0.dist-info/entry_points.txt", LINE)
    monkeypatch.syspath_prepend(str(tmp_path / "other.zip"))
    assert [one.name for one in load_plugins("tokumei.test")] == ["mine"]


def test_folders_that_cannot_be_read_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    make_package(tmp_path / "open")
    for folder in (tmp_path / "open", closed, tmp_path / "gone"):
        monkeypatch.syspath_prepend(str(folder))
    listed, scanned = os.listdir, os.scandir

    def refuse(path: object) -> None:
        if str(path) == str(closed):
            raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "listdir", lambda path=".": (refuse(path), listed(path))[1])
    monkeypatch.setattr(os, "scandir", lambda path=".": (refuse(path), scanned(path))[1])
    assert [one.name for one in load_plugins("tokumei.test")] == ["mine"]


def test_packages_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_package(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    found = load_plugins("tokumei.test")
    monkeypatch.delattr(importlib.metadata, "entry_points")
    assert load_plugins("tokumei.test") == found
    assert load_plugins("tokumei.nothing") == []


@pytest.mark.parametrize("group", ["console_scripts", "pytest11", "tokumei.kinds"])
def test_it_is_what_the_library_finds(group: str) -> None:
    assert sorted(load_plugins(group)) == sorted(entry_points(group=group))


def test_a_folder_that_cannot_be_listed_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: object) -> list[str]:
        if str(folder) == str(tmp_path):
            raise PermissionError(folder)
        return names(folder)

    names = os.listdir
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(os, "listdir", refuse)
    monkeypatch.setattr(os, "scandir", refuse)
    assert load_plugins("tokumei.test") == []
