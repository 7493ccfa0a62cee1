"""Tests of tokumei.apps.studio.web.pages.home."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.studio.conftest import Studio
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.web.pages import home


@pytest.mark.parametrize(
    "given",
    [
        "../../../etc/passwd.csv",
        "..\\..\\x.csv",
        "/tmp/a.csv",
        "a/b/../c.csv",
        ".csv.csv",
        "\0a\n.csv",
    ],
)
def test_a_name_never_leads_out_of_the_project(tmp_path: Path, given: str) -> None:
    home = StudioHome.open(tmp_path / "home")
    content = tmp_path / "content"
    content.write_text("a\n1\n")
    project = home.begin(given, content)
    source = project.source.resolve()
    assert source.is_relative_to((home.folder / "projects").resolve())
    assert source.parent.name == "source"
    assert source.stat().st_mode & 0o077 == 0


def test_an_upload_that_is_too_large_is_stopped_while_it_comes(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home, "MAX_UPLOAD_BYTES", 1000)

    async def endless():  # type: ignore[no-untyped-def]
        for _ in range(100):
            yield b"x" * 100

    answer = studio.ask("POST", "/upload?name=a.csv", content=endless())
    assert answer.status_code == 413
    assert not studio.home.list_recent_projects()
    assert not list((studio.home.folder / "arriving").iterdir())
