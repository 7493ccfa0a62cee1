"""Tests of tokumei.apps.studio.web.pages.reading."""

from __future__ import annotations

from pathlib import Path

from apps.studio.conftest import Studio


def test_what_is_kept_is_how_recipes_read_it(studio: Studio, tmp_path: Path) -> None:
    content = tmp_path / "content"
    content.write_text("a;b\n1;2\n")
    project = studio.home.begin("a.csv", content)
    form = {"sep": "tab", "header_row": "none", "encoding": "cp932", "decimal": "point"}
    assert studio.ask("POST", f"/p/{project.id}/reading", data=form).status_code == 303
    state = project.state()
    assert state.reading.options() == {"header_row": "none", "sep": "\t", "encoding": "cp932"}
    assert state.off == ["decimal-comma"]
    studio.ask("POST", f"/p/{project.id}/reading", data={"date_order": "dmy"})
    assert project.state().reading.options() == {"date_order": "dmy"}
    assert project.state().off == []
    assert studio.ask("GET", f"/p/{project.id}/look").status_code == 200


def test_what_cannot_be_is_refused(studio: Studio, tmp_path: Path) -> None:
    content = tmp_path / "content"
    content.write_text("a;b\n1;2\n")
    project = studio.home.begin("a.csv", content)
    for form in ({"header_row": "0"}, {"sep": ";;"}, {"date_order": "x"}):
        answer = studio.ask("POST", f"/p/{project.id}/reading/try", data=form)
        assert answer.status_code == 422
