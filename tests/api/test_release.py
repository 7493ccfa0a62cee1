"""Tests of tokumei.api.release."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import tokumei as tk
from releases.people import people_file, people_frame


def test_a_frame_gives_a_frame_an_assessment_and_a_folder(tmp_path: Path) -> None:
    release = tk.release(people_frame().to_pandas(), recipient="partner", keep=["income"])
    assert isinstance(release.frame, pd.DataFrame)
    assert release.fits
    assert release.assessment.verdict.word == "fits"
    assert [item["column"] for item in release.dropped] == ["name"]
    assert {"verdict", "questions", "dropped", "candidates"} <= {*release.to_dict()}
    files = release.save(tmp_path / "out")
    assert Path(files["release"]).is_file()
    assert "Fits the scenario" in str(release)


def test_a_file_gives_what_the_command_gives(tmp_path: Path) -> None:
    source = people_file(tmp_path)
    release = tk.release(source, "partner", knows="age", ids=["q1"], key=1 << 200)
    assert {*release.frame.columns} == {*people_frame().columns} - {"name", "q1"}
    assert release.assessment.scenario.to_dict()["knows"] == ["age", "age_squared"]


def test_a_release_that_does_not_fit_is_saved_with_a_reason_only(tmp_path: Path) -> None:
    release = tk.release(people_frame(3))
    assert not release.fits
    with pytest.raises(tk.ClaimError):
        release.save(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    release.save(tmp_path / "out", anyway="they consented")
    assert (tmp_path / "out" / "release.csv").is_file()


def test_nothing_secret_is_shown() -> None:
    release = tk.release(people_frame(), key=12345 << 200)
    assert str(12345 << 200) not in repr(release) + str(release) + repr(release.prepared)
