"""Tests of tokumei.releases.release_table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from releases.people import people_file, people_frame, table_request
from tokumei.core.errors import ClaimError, InputError
from tokumei.releases.release_table import list_questions, open_source, prepare_release
from tokumei.releases.request import ReleaseTable


def smallest_class(frame: pl.DataFrame, columns: list[str]) -> int:
    """Counted row by row, by nobody's code but this."""
    return min(Counter(frame.select(columns).iter_rows()).values())


def test_a_partner_gets_groups_of_five_and_exact_amounts() -> None:
    frame = people_frame()
    prepared = prepare_release(ReleaseTable(), frame)
    assert prepared.fits
    released = prepared.release.frame
    assert smallest_class(released, prepared.decisions.generalized) >= 5
    assert sorted(released["income"].to_list()) == sorted(frame["income"].to_list())
    assert "name" not in released.columns


@pytest.mark.parametrize(("recipient", "least"), [("inside", 3), ("public", 20)])
def test_other_recipients_get_groups_of_their_size(recipient: str, least: int) -> None:
    prepared = prepare_release(ReleaseTable(recipient=recipient), people_frame())  # type: ignore[arg-type]
    assert prepared.fits
    leaving = {*prepared.release.frame.columns}
    known = [name for name in prepared.decisions.generalized if name in leaving]
    assert smallest_class(prepared.release.frame, known) >= least


def test_k_is_never_more_than_the_table_can_bear() -> None:
    prepared = prepare_release(ReleaseTable(recipient="public"), people_frame(12))
    assert not prepared.fits
    assert all((trial.request.k or 0) <= 12 for trial in prepared.trials)


def test_a_table_without_known_columns_leaves_as_it_is() -> None:
    frame = pl.DataFrame({"pressure": [n * 0.37 + 0.11 for n in range(60)]})
    prepared = prepare_release(ReleaseTable(), frame)
    assert prepared.fits
    assert prepared.assessment.kept == 1
    assert prepared.best.request.method == "drop-identifiers"


def test_three_people_fit_no_partner() -> None:
    prepared = prepare_release(ReleaseTable(), people_frame(3))
    assert not prepared.fits
    assert prepared.assessment.remedy_note is not None


def test_the_same_key_makes_the_same_rows() -> None:
    first, second = (prepare_release(ReleaseTable(key=7 << 200), people_frame()) for _ in range(2))
    other = prepare_release(ReleaseTable(key=8 << 200), people_frame())
    assert first.release.frame.equals(second.release.frame)
    assert not first.release.frame.equals(other.release.frame)


def test_a_column_to_keep_loses_no_more_than_without_being_named() -> None:
    frame = people_frame(120)
    plain = prepare_release(ReleaseTable(), frame)
    kept = prepare_release(ReleaseTable(keep=("age",)), frame)
    assert kept.fits
    by_name = [{c.name: c.kept for c in p.assessment.columns} for p in (plain, kept)]
    assert (by_name[1]["age"] or 0) >= (by_name[0]["age"] or 0)


def test_numbers_in_doubt_are_grouped_where_that_keeps_more_than_dropping_them() -> None:
    codes = pl.Series("avgsal", [10_000 + n * 7919 % 90_000 for n in range(300)])
    frame = people_frame().with_columns(codes)
    prepared = prepare_release(ReleaseTable(), frame)
    assert prepared.fits
    assert "avgsal" in prepared.decisions.generalized
    assert smallest_class(prepared.release.frame, prepared.decisions.generalized) >= 5
    question = next(item for item in prepared.questions if item.code == "identifying")
    assert "avgsal" in question.taken


def test_questions_can_be_had_before_the_search(tmp_path: Path) -> None:
    request = table_request(people_file(tmp_path))
    opened = open_source(request)
    codes = [question.code for question in list_questions(opened, request)]
    prepared = prepare_release(request, opened=opened)
    assert codes == [question.code for question in prepared.questions]


def test_a_table_without_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("age,sex\n")
    with pytest.raises(InputError):
        prepare_release(table_request(path))


def test_a_column_that_the_release_gate_refuses_is_dropped_and_asked_about() -> None:
    names = [f"{number}-Bois-de-Liesse" for number in range(101, 160)]
    frame = pl.DataFrame({"district": names, "total": [n * 131.5 for n in range(59)]})
    frame[30, "district"] = "151-ghp_" + "a1B2c3D4e5F6" * 3
    prepared = prepare_release(ReleaseTable(), frame)
    assert prepared.fits
    assert prepared.release.frame.columns == ["total"]
    assert [item.code for item in prepared.decisions.dropped] == ["release-gate"]
    assert [question.columns for question in prepared.questions][1:] == [("district",)]


def test_numbers_that_measure_leave_whatever_their_columns_are_called() -> None:
    values = [n * 0.37 - 5.01 for n in range(90)]
    frame = pl.DataFrame({"X": values, "Y": [value / 7 for value in values]})
    prepared = prepare_release(ReleaseTable(), frame)
    assert prepared.fits
    assert prepared.release.frame.columns == ["X", "Y"]


def test_nothing_is_released_if_every_column_is_dropped() -> None:
    frame = pl.DataFrame({"name": people_frame(60)["name"]})
    with pytest.raises(ClaimError, match="no column would leave"):
        prepare_release(ReleaseTable(), frame)
