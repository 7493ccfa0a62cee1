"""Joint figures: what a release tells together with earlier ones, by loops over people."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.assessment.small_releases import figures, open_frames

import tokumei as tk
from tokumei.assessment.assumptions import assume_of_joint
from tokumei.assessment.joint import JointFigures, measure_joint
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.verdict import Evidence, judge_release
from tokumei.core.errors import InputError
from tokumei.core.scenario import Scenario
from tokumei.ledger.services import (
    AddReleaseRequest,
    LedgerLocation,
    add_release,
    create_ledger,
)
from tokumei.tables.services.ledger import TableToRecord

PEOPLE = 40
ORIGINAL = pl.DataFrame(
    {
        "id": [f"p{i}" for i in range(PEOPLE)],
        "age": [20 + i for i in range(PEOPLE)],
        "income": [1000 + 7 * i for i in range(PEOPLE)],
    }
)


def in_classes(size: int, shift: int) -> list[str]:
    """Ages in ranges of so many, moved by `shift`."""
    places = [max((i + shift) // size, min(shift, 1)) for i in range(PEOPLE)]
    ages = ORIGINAL["age"].to_list()
    ends = {p: [a for a, q in zip(ages, places, strict=True) if q == p] for p in places}
    return [f"[{ends[p][0]};{ends[p][-1]}]" for p in places]


def release_of(size: int, shift: int) -> pl.DataFrame:
    """Exact incomes: rows of one person can be told in two releases."""
    return ORIGINAL.drop("id").with_columns(age=pl.Series(in_classes(size, shift)))


def open_release_of(size: int, shift: int) -> OpenedRelease:
    return open_frames(
        ORIGINAL, release_of(size, shift), person="id", ids=("id",), qi=("age",), sa=("income",)
    )


def ledger_with(folder: Path, release: pl.DataFrame) -> LedgerLocation:
    ORIGINAL.write_csv(folder / "x.csv")
    release.write_csv(folder / "first.csv")
    rows = range(PEOPLE)
    pl.DataFrame({"released": rows, "original": rows}).write_csv(folder / "link.csv")
    location = LedgerLocation(folder=str(folder / "ledger"), key_file=str(folder / "key"))
    create_ledger(location)
    recorded = TableToRecord(
        data=str(folder / "x.csv"),
        release=str(folder / "first.csv"),
        secret=str(folder / "link.csv"),
        id="id",
        qi=("age",),
        sa=("income",),
    )
    add_release(AddReleaseRequest(ledger=location, release=recorded, recipient="A"))
    return location


def test_joint_classes_are_those_who_share_both_cells(tmp_path: Path) -> None:
    location = ledger_with(tmp_path, release_of(10, 0))
    found = measure_joint(open_release_of(10, 7), location)
    assert found is not None
    both = Counter(zip(in_classes(10, 0), in_classes(10, 7), strict=True))
    assert (found.people, found.smallest_class) == (PEOPLE, min(both.values()))
    assert found.alone == sum(size == 1 for size in both.values())
    assert found.earlier == ("r1",)
    assert found.is_linked


def test_the_same_classes_tell_nothing_more(tmp_path: Path) -> None:
    location = ledger_with(tmp_path, release_of(10, 0))
    found = measure_joint(open_release_of(10, 0), location)
    assert found is not None
    assert (found.smallest_class, found.alone) == (10, 0)


def test_a_recorded_file_is_not_counted_twice(tmp_path: Path) -> None:
    location = ledger_with(tmp_path, release_of(10, 0))
    first = str(tmp_path / "first.csv")
    assert measure_joint(open_release_of(10, 0), location, release=first) is None


def test_an_earlier_release_turns_the_verdict(tmp_path: Path) -> None:
    ledger_with(tmp_path, release_of(10, 0))
    release_of(10, 7).write_csv(tmp_path / "second.csv")
    options = {
        "link": tmp_path / "link.csv",
        "qi": ["age"],
        "sa": ["income"],
        "ids": ["id"],
        "person": "id",
        "limits": {"smallest_class": 4},
    }
    ledger = {"ledger": tmp_path / "ledger", "ledger_key": tmp_path / "key"}
    sides = tmp_path / "x.csv", tmp_path / "second.csv"
    alone = tk.assess(*sides, **options)
    together = tk.assess(*sides, **options, **ledger)
    assert (alone.verdict.word, alone.joint) == ("fits", None)
    assert (together.verdict.word, together.verdict.code) == (
        "does-not-fit",
        "joint-smallest-class",
    )
    assert "r1" in together.verdict.reason.show("en")
    assert together.remedy_note is not None
    assert together.to_dict()["joint"] == {
        "earlier": ["r1"],
        "people": PEOPLE,
        "smallest_class": 3,
        "alone": 0,
        "is_linked": True,
    }


def test_joint_limits_decide_only_if_rows_can_be_linked() -> None:
    joint = JointFigures(earlier=("r1",), people=50, smallest_class=2, alone=0, is_linked=True)
    good = Evidence("rows", 100, [figures()], [], [])
    assert judge_release(good, Scenario()).word == "fits"
    broken = judge_release(replace(good, joint=joint), Scenario())
    assert (broken.word, broken.code, broken.figure) == ("does-not-fit", "joint-smallest-class", 2)
    unlinked = replace(good, joint=replace(joint, is_linked=False))
    assert judge_release(unlinked, Scenario()).word == "fits"
    alone = replace(good, joint=replace(joint, alone=3))
    assert judge_release(alone, Scenario()).code == "joint-identified"


def test_what_does_not_decide_is_told() -> None:
    """Nobody in common, or nobody who could be linked: the officer has to know that."""
    joint = JointFigures(earlier=("r1",), people=50, smallest_class=2, alone=0, is_linked=True)
    assert assume_of_joint(None) == assume_of_joint(joint) == []
    (unlinked,) = assume_of_joint(replace(joint, is_linked=False))
    (nobody,) = assume_of_joint(replace(joint, people=0))
    assert (unlinked.code, nobody.code) == ("joint-not-linked", "joint-nobody")
    assert "r1" in unlinked.message.show("en")


def test_a_dropped_identifier_tells_who_is_in_earlier_releases(tmp_path: Path) -> None:
    location = ledger_with(tmp_path, release_of(10, 0))
    opened = replace(open_release_of(10, 7), person=None, identifiers=frozenset({"id"}))
    found = measure_joint(opened, location)
    assert found is not None
    assert found.people == PEOPLE
    opened = replace(opened, identifiers=frozenset({"id", "age"}))
    with pytest.raises(InputError, match="person column"):
        measure_joint(opened, location)
