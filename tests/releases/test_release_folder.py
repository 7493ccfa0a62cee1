"""Tests of tokumei.releases.release_folder and recipe_text."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

import tokumei as tk
from releases.people import people_file, people_frame, table_request
from tokumei.core.errors import OutputError
from tokumei.releases.release_folder import require_free_folder, save_prepared
from tokumei.releases.release_table import PreparedRelease, prepare_release
from tokumei.releases.release_view import build_document
from tokumei.releases.request import ReleaseTable

FILES = {
    "release.csv",
    "release.csv.manifest.json",
    "assessment.json",
    "report.html",
    "recipe.yaml",
    "secret",
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> PreparedRelease:
    return prepare_release(table_request(people_file(tmp_path_factory.mktemp("source"))))


@pytest.fixture
def folder(prepared: PreparedRelease, tmp_path: Path) -> Path:
    save_prepared(prepared, tmp_path / "out", build_document(prepared))
    return tmp_path / "out"


def test_the_folder_has_the_files_of_the_contract_and_no_other(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == FILES
    assert [path.name for path in folder.parent.iterdir()] == ["out"]


def test_what_is_secret_is_the_owners_alone_and_nowhere_else(
    folder: Path, prepared: PreparedRelease
) -> None:
    secret = folder / "secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o700
    for path in secret.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    key = (secret / "release.key").read_text().strip()
    assert int(key, 16) == prepared.key
    for path in folder.iterdir():
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert key not in text
            assert str(prepared.key) not in text


def test_the_recipe_makes_the_same_bytes_again(folder: Path, tmp_path: Path) -> None:
    experiment = tk.run_recipe(tk.load_recipe(folder / "recipe.yaml"))
    tk.save_experiment(experiment, tmp_path / "again")
    again = tmp_path / "again" / "releases" / "01-release.csv"
    assert again.read_bytes() == (folder / "release.csv").read_bytes()


def test_the_files_give_the_verdict_that_lies_beside_them(
    folder: Path, prepared: PreparedRelease
) -> None:
    document = json.loads((folder / "assessment.json").read_text(encoding="utf-8"))
    again = tk.assess(
        prepared.request.table.data,
        folder / "release.csv",
        link=folder / "secret" / "release.link.csv",
    ).to_dict()
    assert document["verdict"] == again["verdict"] == "fits"
    assert document["kept"] == pytest.approx(again["kept"])
    assert {**document["scenario"], "person": None} == {**again["scenario"], "person": None}


def test_a_folder_that_holds_something_is_left_alone(
    prepared: PreparedRelease, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OutputError):
        save_prepared(prepared, tmp_path, build_document(prepared))
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(OutputError):
        require_free_folder(tmp_path / "missing" / "out")


def test_a_failure_on_the_way_leaves_nothing(
    prepared: PreparedRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Path, target: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OSError, match="disk"):
        save_prepared(prepared, tmp_path / "out", build_document(prepared))
    assert [*tmp_path.iterdir()] == []


def test_a_frame_has_no_recipe(tmp_path: Path) -> None:
    made = prepare_release(ReleaseTable(), people_frame())
    files = save_prepared(made, tmp_path / "out", build_document(made)).files
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES - {"recipe.yaml"}
    assert {*files} == {"release", "assessment", "report", "link"}
    assert all(Path(path).is_file() for path in files.values())
