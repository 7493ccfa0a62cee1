"""The judge reads days as X writes them: the same release is scored alike in every spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import yaml

import tokumei as tk
from tokumei.apps.contest.judge.contest_judge import ContestJudge, load_judge_from_folder
from tokumei.apps.contest.judge.results import Upload
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.tables.judge.written_days import DayColumn

ROWS = 150
FIRST_DAY = date(2024, 1, 1)
SPELLINGS = {"month first": "%m/%d/%Y", "day first": "%d.%m.%Y", "two digits": "%d/%m/%y"}
ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
QI, SA = ["visit", "region"], ["food", "housing"]


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    """X with a day of the visit for everybody, in ISO form."""
    chance = np.random.default_rng(3)
    days = [FIRST_DAY + timedelta(days=int(n)) for n in chance.integers(0, 360, ROWS)]
    frame = tk.sample_table(ROWS, seed=2).frame.select(QI[1:] + SA)
    return pl.DataFrame({"visit": days}).hstack(frame)


def judge_of(folder: Path, frame: pl.DataFrame) -> ContestJudge:
    """The judge of a contest about this X."""
    write_sample_contest(folder, preset="table", rows=ROWS, seed=1)
    plain = yaml.safe_load((folder / "contest.yaml").read_text(encoding="utf-8"))
    plain["schema"] = {"qi": QI, "sa": SA}
    (folder / "contest.yaml").write_text(yaml.safe_dump(plain), encoding="utf-8")
    frame.write_csv(folder / "X.csv")
    return load_judge_from_folder(folder)


def figures(judge: ContestJudge, frame: pl.DataFrame) -> dict[str, float]:
    """All figures of a release, by their place: `figures/safety/recognition/1`."""
    verdict = judge.judge(Upload("A.csv", frame.write_csv().encode()))
    assert verdict.accepted, verdict.faults
    return dict(numbers_in(verdict.card.as_json()))


def numbers_in(found: Any, place: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(found, dict):
        for name, part in found.items():
            yield from numbers_in(part, f"{place}/{name}" if place else name)
    else:
        yield place, found


def alike(expected: dict[str, float]) -> Any:
    """The same but for how sums are rounded: rows of S stand in the order of their text."""
    return pytest.approx(expected, rel=1e-12, abs=1e-12)


def spelled(frame: pl.DataFrame, spelling: str) -> pl.DataFrame:
    """The same cells with days in another form, also those that are ends of spans."""

    def respell(cell: str) -> str:
        return ISO_DAY.sub(lambda day: date.fromisoformat(day[0]).strftime(spelling), cell)

    cells = [respell(cell) for cell in frame["visit"].cast(pl.String)]
    return frame.with_columns(pl.Series("visit", cells))


RELEASES = {
    "raw": (),
    "in another order": (),
    "noise": (("noise", {"scale": 0.3}),),
    "spans": (("mondrian", {"k": 4}),),
    "spans and noise": (("mondrian", {"k": 8}), ("noise", {"scale": 1.0})),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_release_is_scored_as_that_of_iso_days(
    people: pl.DataFrame, tmp_path: Path, spelling: str
) -> None:
    """Whether its own days are in ISO form, as `tokumei anonymize` writes them, or as in X."""
    form = SPELLINGS[spelling]
    plain = judge_of(tmp_path / "iso", people)
    other = judge_of(tmp_path / "other", spelled(people, form))
    shown = set()
    for name, steps in RELEASES.items():
        table = tk.Table.of(people, qi=QI, sa=SA)
        for method, params in steps:
            table = tk.anonymize(table, method, seed=3, keep_order=True, **params).public
        released = table.with_text().frame.with_columns(pl.col("visit").cast(pl.String))
        if name == "in another order":
            released = released[np.random.default_rng(1).permutation(ROWS)]
        expected = figures(plain, released)
        assert figures(other, released) == alike(expected), name
        assert figures(other, spelled(released, form)) == alike(expected), name
        shown.add(expected["safety"])
    assert len(shown) > 2, "the releases differ in safety"


def test_spans_of_days_show_whom_they_fit(people: pl.DataFrame, tmp_path: Path) -> None:
    """Read as text they fit nobody, and the release would look safer than it is."""
    judge = judge_of(tmp_path / "other", spelled(people, SPELLINGS["month first"]))
    days = people["visit"].cast(pl.String)
    spans = people.with_columns(
        ("[" + days + ";" + (people["visit"] + timedelta(days=1)).cast(pl.String) + "]").alias(
            "visit"
        ),
        pl.lit("x").alias("region"),
        *(pl.lit(1.0).alias(name) for name in SA),
    )
    rate = "figures/safety/recognition/1"
    expected = figures(judge_of(tmp_path / "iso", people), spans)[rate]
    assert figures(judge, spans)[rate] == pytest.approx(expected)
    assert expected > 0.3


def column(*cells: str | None) -> DayColumn | None:
    return DayColumn.of(pl.Series("day", cells, pl.String))


def test_the_cells_of_a_column_decide_which_number_is_the_day() -> None:
    month_first, day_first = column("05/31/2024", "04/03/2024", None), column("31/5/2024")
    assert month_first is not None
    assert day_first is not None
    assert month_first.day("04/03/2024") == date(2024, 4, 3)
    assert day_first.day("4/3/2024") == date(2024, 3, 4)


@pytest.mark.parametrize(
    "cells",
    [
        (),
        ("05/04/2024", "04/03/2024"),
        ("05/31/2024", "unknown"),
        ("05/31/2024 10:00", "05/31/2024 11:00"),
        ("north", "south"),
    ],
)
def test_what_leaves_the_order_open_or_is_no_day_stays_text(cells: tuple[str, ...]) -> None:
    assert column(*cells) is None


@pytest.mark.parametrize(
    ("cell", "plain"),
    [
        ("05/31/2024", "2024-05-31"),
        ("[05/01/2024;05/31/2024]", "[2024-05-01;2024-05-31]"),
        ("{05/01/2024;05/31/2024}", "{2024-05-01;2024-05-31}"),
        ("{∅;[05/01/2024;05/31/2024]}", "{∅;[2024-05-01;2024-05-31]}"),
        ("[2024-05-01;2024-05-31]", "[2024-05-01;2024-05-31]"),
        ("2024-05", "2024-05"),
        ("*", "*"),
        ("13/31/2024", "13/31/2024"),
    ],
)
def test_released_cells(cell: str, plain: str) -> None:
    found = column("05/31/2024")
    assert found is not None
    assert found.plain(cell) == plain
