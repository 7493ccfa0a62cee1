"""Tests of tokumei.apps.studio.web.pages.release."""

from __future__ import annotations

from pathlib import Path

from apps.studio.conftest import Studio


def test_a_file_of_a_release_must_be_one_of_its_list(studio: Studio, tmp_path: Path) -> None:
    content = tmp_path / "content"
    content.write_text("a\n1\n")
    project = studio.home.begin("a.csv", content)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "page.html").write_text("<p>")
    (tmp_path / "out" / "unlisted.txt").write_text("no")
    files = [{"path": "page.html", "reader": "records", "about": ["", ""], "size": 3}]
    project.write_result(
        "released", {"folder": str(tmp_path / "out"), "candidate": "x", "files": files}
    )
    shown = studio.ask("GET", f"/p/{project.id}/file/page.html")
    assert shown.status_code == 200
    assert shown.headers["content-security-policy"].startswith("sandbox allow-scripts;")
    assert "allow-same-origin" not in shown.headers["content-security-policy"]
    for path in ("unlisted.txt", "../content", "%2e%2e/content", ""):
        assert studio.ask("GET", f"/p/{project.id}/file/{path}").status_code == 404
