"""One spelling for every value, the original's where it has one; nothing else changes."""

from __future__ import annotations

from apps.contest.judge.spelling_helpers import rows_of
from tokumei.pseudonyms.judge.period_judge import CanonicalSpelling


def test_deleted_rows_stay_as_they_are():
    deleted = ("DEL", "", "", "", "", "", "")
    rows = rows_of([deleted])
    assert CanonicalSpelling(rows_of([("p", "0", "2011/1/5", "9:05", "1", "2.5", "3")])).of(
        rows
    ).cells.rows() == [deleted]
