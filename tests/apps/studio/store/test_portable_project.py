"""Tests of tokumei.apps.studio.store.portable_project."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from tokumei.apps.http.errors import UnprocessableContent
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.portable_project import pack_project, unpack_project
from tokumei.apps.studio.store.project import Project


def begin(home: StudioHome, folder: Path) -> Project:
    content = folder / "content"
    content.write_text("age,sex\n3,M\n")
    project = home.begin("people.csv", content)
    project.change(roles={"age": "quasi", "sex": "drop"}, name="My people", selected=["x"])
    (project.folder / "hierarchies").mkdir()
    (project.folder / "hierarchies" / "00.csv").write_text("3;*\n")
    return project


def test_decisions_source_and_hierarchies_travel(tmp_path: Path) -> None:
    project = begin(StudioHome.open(tmp_path / "here"), tmp_path)
    carried = tmp_path / "p.zip"
    carried.write_bytes(pack_project(project, project.state()))
    there = unpack_project(StudioHome.open(tmp_path / "there"), carried)
    before, after = project.state(), there.state()
    assert (after.name, after.roles, after.source) == (before.name, before.roles, "people.csv")
    assert after.selected == []
    assert there.source.read_bytes() == project.source.read_bytes()
    assert (there.folder / "hierarchies" / "00.csv").read_text() == "3;*\n"


def zipped(**files: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


STATE = "name: a\nsource: {source}\nmade: x\n"


@pytest.mark.parametrize(
    "content",
    [
        b"no zip",
        zipped(),
        zipped(**{"project.yaml": "[]"}),
        zipped(**{"project.yaml": STATE.format(source="a.csv")}),
        zipped(**{"project.yaml": STATE.format(source="a.exe"), "source/a.exe": "x"}),
        zipped(**{"project.yaml": "a: &a [*a]", "source/a.csv": "x"}),
        zipped(**{"project.yaml": "x" * (5 << 20)}),
    ],
)
def test_what_is_no_project_file_leaves_nothing(tmp_path: Path, content: bytes) -> None:
    home = StudioHome.open(tmp_path / "home")
    (tmp_path / "p.zip").write_bytes(content)
    with pytest.raises(UnprocessableContent):
        unpack_project(home, tmp_path / "p.zip")
    assert not home.list_recent_projects()
    assert not [*(home.folder / "arriving").iterdir()]


def test_no_name_in_a_zip_leads_out_of_the_project(tmp_path: Path) -> None:
    home = StudioHome.open(tmp_path / "home")
    state = STATE.format(source="../../../up.csv")
    content = zipped(
        **{"project.yaml": state, "source/../../../up.csv": "a\n", "hierarchies/../../x.csv": "y"}
    )
    (tmp_path / "p.zip").write_bytes(content)
    project = unpack_project(home, tmp_path / "p.zip")
    assert project.source.parent == project.folder / "source"
    assert project.source.name == "up.csv"
    assert not [path for path in tmp_path.rglob("x.csv")]
