"""Tests of tokumei.apps.studio.store.json_lines."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tokumei.apps.http.errors import UnprocessableContent
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.json_lines import convert_json_lines


def convert(folder: Path, content: bytes) -> list[list[str]]:
    (folder / "in.jsonl").write_bytes(content)
    convert_json_lines(folder / "in.jsonl", folder / "out.csv")
    with (folder / "out.csv").open(encoding="utf-8", newline="") as stream:
        return [*csv.reader(stream)]


def test_every_key_is_a_column_and_figures_stay_as_written(tmp_path: Path) -> None:
    text = '{"a": 1.50, "b": "x,y"}\n\n{"c": true, "a": null}\n{"d": {"e": [1]}}\n'
    assert convert(tmp_path, b"\xef\xbb\xbf" + text.encode()) == [
        ["a", "b", "c", "d"],
        ["1.50", "x,y", "", ""],
        ["", "", "true", ""],
        ["", "", "", '{"e": ["1"]}'],
    ]


@pytest.mark.parametrize("content", [b"", b"[1]\n", b"{\n", b"\xff\xfe{", b"[" * 100_000])
def test_what_is_no_list_of_objects_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(UnprocessableContent):
        convert(tmp_path, content)


def test_a_project_of_json_lines_is_a_project_of_its_table(tmp_path: Path) -> None:
    home = StudioHome.open(tmp_path / "home")
    content = tmp_path / "content"
    content.write_text('{"age": 3}\n')
    project = home.begin("people.ndjson", content)
    assert project.source.name == "people.csv"
    assert project.source.read_text() == "age\n3\n"
    assert content.exists()
    assert not [*(home.folder / "arriving").iterdir()]
