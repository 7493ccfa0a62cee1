"""Tests of tokumei.apps.cli.demo_release."""

from __future__ import annotations

import json
from pathlib import Path

from tokumei.apps.cli.demo_release import find_free_folder, release_made_up_ledger


def test_the_ledger_gets_a_release_that_fits_and_its_verdict_first(tmp_path: Path) -> None:
    answer = release_made_up_ledger(tmp_path / "demo", seed=1)
    assert answer.code == 0
    assert "Fits the scenario" in str(answer.shown[0])
    assessment = json.loads((tmp_path / "demo" / "release" / "assessment.json").read_text("utf-8"))
    assert assessment["verdict"] == "fits"
    assert (tmp_path / "demo" / "customers.csv").exists()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    wanted = tmp_path / "release"
    assert find_free_folder(wanted) == wanted
    wanted.mkdir()
    (tmp_path / "release-2").mkdir()
    assert find_free_folder(wanted) == tmp_path / "release-3"
