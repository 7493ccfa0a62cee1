"""`tokumei release`: the contract of its JSON document, its folder and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from releases.people import people_file, people_frame
from support.command_line import exit_code, run

ASSESSMENT_KEYS = {"verdict", "reason", "scenario", "attackers", "kept", "columns", "claims"}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return people_file(tmp_path)


def test_a_release_that_fits_is_written_and_ends_with_0(
    source: Path, tmp_path: Path, capsys: Any
) -> None:
    out = tmp_path / "out"
    arguments = ("--for", "partner", "--out", out, "--answers", "defaults", "--json")
    code, printed, _ = run(capsys, "release", source, *arguments)
    document = json.loads(printed)
    assert code == 0
    assert document["verdict"] == "fits"
    assert {*document} >= ASSESSMENT_KEYS
    assert {*document["files"]} == {"release", "assessment", "report", "recipe", "link"}
    assert all(Path(path).is_file() for path in document["files"].values())
    assert [item["column"] for item in document["dropped"]] == ["name"]
    assert all({"column", "text", "option", "taken"} <= {*q} for q in document["questions"])
    written = json.loads((out / "assessment.json").read_text(encoding="utf-8"))
    assert written["kept"] == document["kept"]


def test_without_a_folder_it_is_written_beside_the_file(source: Path, capsys: Any) -> None:
    code, printed, _ = run(capsys, "release", source)
    assert code == 0
    assert (source.parent / "people-release" / "release.csv").is_file()
    assert "Fits the scenario for the partner" in printed


def test_where_nothing_fits_nothing_is_written_and_it_ends_with_1(
    tmp_path: Path, capsys: Any
) -> None:
    source = tmp_path / "three.csv"
    people_frame(3).write_csv(source)
    code, printed, _ = run(capsys, "release", source, "--json")
    document = json.loads(printed)
    assert code == 1
    assert document["files"] == {}
    assert document["candidates"]
    assert [path.name for path in tmp_path.iterdir()] == ["three.csv"]


def test_a_reason_writes_it_anyway_and_stands_in_the_record(tmp_path: Path, capsys: Any) -> None:
    source, out = tmp_path / "three.csv", tmp_path / "out"
    people_frame(3).write_csv(source)
    code, _, _ = run(capsys, "release", source, "--out", out, "--anyway", "they consented")
    assert code == 1
    document = json.loads((out / "assessment.json").read_text(encoding="utf-8"))
    assert document["anyway"] == "they consented"
    assert document["verdict"] == "does-not-fit"
    assert (out / "release.csv").is_file()


@pytest.mark.parametrize("content", [None, b"", b"\x00\x01\x02\x00"])
def test_what_cannot_be_read_ends_with_2(
    tmp_path: Path, capsys: Any, content: bytes | None
) -> None:
    source = tmp_path / "x.csv"
    if content is not None:
        source.write_bytes(content)
    code, _, errors = run(capsys, "release", source)
    assert code == 2
    assert errors
    assert not (tmp_path / "x-release").exists()


def test_a_folder_that_holds_something_is_refused_before_any_work(
    source: Path, capsys: Any
) -> None:
    code, _, errors = run(capsys, "release", source, "--out", source.parent)
    assert code == 2
    assert "choose another folder" in errors


def test_the_folder_is_judged_again_by_assess(source: Path, tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "out"
    assert exit_code("release", source, "--out", out) == 0
    code, printed, _ = run(capsys, "assess", "--original", source, "--release-dir", out, "--json")
    assert code == 0
    assert json.loads(printed)["verdict"] == "fits"


def test_what_the_owner_says_holds(source: Path, tmp_path: Path, capsys: Any) -> None:
    arguments = ("--knows", "age~10%,sex", "--id", "q1,q2", "--keep", "income", "--json")
    code, printed, _ = run(capsys, "release", source, "--out", tmp_path / "out", *arguments)
    document = json.loads(printed)
    assert code == 0
    assert document["scenario"]["knows"] == ["age~10%", "sex", "age_squared"]
    assert {item["column"] for item in document["dropped"]} == {"name", "q1", "q2"}
    assert {*document["scenario"]["keep"]} == {"income"}
