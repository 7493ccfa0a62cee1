"""Tests of tokumei.apps.contest.services.new_contest."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tokumei.apps.contest.services.new_contest import NewContestPlan, write_contest
from tokumei.apps.contest.spec.folder import read_contest_folder
from tokumei.core.errors import InputError, TokumeiError

NOW = datetime(2031, 3, 1, tzinfo=UTC)
PLAN = NewContestPlan(
    slug="ward", title="Ward", preset="table", rows=60, feedback="banded", about="One\n\nTwo",
    starts=NOW, attack_starts=NOW + timedelta(days=7), ends=NOW + timedelta(days=14),
)  # fmt: skip


def test_a_plan_becomes_a_folder_that_is_a_contest(tmp_path: Path) -> None:
    write_contest(PLAN, tmp_path / "contest")
    spec = read_contest_folder(tmp_path / "contest")
    assert (spec.slug, spec.feedback.value, spec.about.ja) == ("ward", "banded", "One\n\nTwo")
    assert [phase.starts for phase in spec.phases] == [NOW, NOW + timedelta(days=7)]


def test_all_that_is_wrong_with_phases_is_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        replace(PLAN, attack_starts=NOW, ends=NOW).phases()
    assert len(caught.value.faults) == 2


def test_too_many_rows_and_one_file_for_many_are_refused(tmp_path: Path) -> None:
    data = tmp_path / "a.csv"
    data.write_text("a\n1\n")
    for wrong in (replace(PLAN, rows=10**9), replace(PLAN, preset="pws2017", data=data)):
        with pytest.raises(TokumeiError):
            write_contest(wrong, tmp_path / "contest")
        assert not (tmp_path / "contest" / "contest.yaml").exists()
