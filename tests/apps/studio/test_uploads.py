"""Files of strangers: names that lead elsewhere, bodies that lie, contents that are none."""

from __future__ import annotations

from pathlib import Path

from apps.studio.conftest import Studio


def test_an_upload_becomes_a_project_and_leaves_nothing_behind(studio: Studio) -> None:
    answer = studio.ask("POST", "/upload?name=a.csv", content=b"age\n1\n2\n")
    assert answer.status_code == 303
    ((project, state),) = studio.home.list_recent_projects()
    assert project.source.read_bytes() == b"age\n1\n2\n"
    assert state.name == "a.csv"
    assert not list((studio.home.folder / "arriving").iterdir())


def test_an_empty_upload_is_refused(studio: Studio) -> None:
    assert studio.ask("POST", "/upload?name=a.csv", content=b"").status_code == 422


def test_only_plain_files_of_the_home_can_be_picked(studio: Studio, tmp_path: Path) -> None:
    outside = tmp_path / "outside.csv"
    outside.write_text("secret\n1\n")
    folder = studio.home.folder / "files"
    (folder / "link.csv").symlink_to(outside)
    (folder / "own.csv").write_text("a\n1\n")
    assert [path.name for path in studio.home.list_data_files()] == ["own.csv"]
    for name in ("link.csv", "../outside.csv", str(outside), ""):
        assert studio.ask("POST", "/pick", data={"file": name}).status_code == 404
    assert "outside" not in studio.ask("GET", "/").text
