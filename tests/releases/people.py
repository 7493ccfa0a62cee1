"""A made-up table of people for tests of releases."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl

from tokumei.releases.column_decisions import ColumnDecisions, decide_columns
from tokumei.releases.release_table import open_source
from tokumei.releases.request import ReleaseTable
from tokumei.tables.advice.table_source import TableSource
from tokumei.tables.services.requests import TableRequest


def people_frame(rows: int = 300, seed: int = 1) -> pl.DataFrame:
    """People with a name, demography, an exact amount and answers on one scale."""
    draw = random.Random(seed)
    ages = [draw.randint(20, 79) for _ in range(rows)]
    return pl.DataFrame(
        {
            "name": [f"{draw.choice(FIRST)} {draw.choice(LAST)}" for _ in range(rows)],
            "age": ages,
            "sex": [draw.choice("MF") for _ in range(rows)],
            "state": [draw.choice(("CA", "NY", "TX", "OH", "VT")) for _ in range(rows)],
            "income": [draw.randint(200_000, 999_999) / 10 for _ in range(rows)],
            "age_squared": [age * age for age in ages],
            **{f"q{number}": [draw.choice(ANSWERS) for _ in range(rows)] for number in range(1, 7)},
        }
    )


FIRST = ("Mary", "John", "Linda", "James", "Susan", "Robert", "Karen", "David")
LAST = ("Smith", "Johnson", "Brown", "Miller", "Davis", "Wilson", "Moore", "Taylor")
ANSWERS = ("never", "rarely", "sometimes", "often", "always")


def people_file(folder: Path, rows: int = 300) -> Path:
    """The same as a file."""
    path = folder / "people.csv"
    people_frame(rows).write_csv(path)
    return path


def decide(
    frame: pl.DataFrame, request: ReleaseTable | None = None
) -> tuple[TableSource, ColumnDecisions]:
    """The source and the decisions of a frame."""
    request = ReleaseTable() if request is None else request
    opened = open_source(request, frame)
    return opened.source, decide_columns(opened.source, request)


def table_request(path: Path, **options: object) -> ReleaseTable:
    """The request for a file."""
    return ReleaseTable(table=TableRequest(data=str(path), **options))  # type: ignore[arg-type]
