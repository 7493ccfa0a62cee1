"""Tests of tokumei.tables.services.read_comparison."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tables.services.front_ends_samples import (
    MONDRIAN,
    Case,
    people,
    require_one_outcome,
    write_messy,
)


def write_tabs(path: Path) -> None:
    people().write_csv(path, separator="\t")


def people_as_text() -> pl.DataFrame:
    """Numbers and days as texts, as they are where nobody said what they are."""
    born = [f"{1960 + row % 40}-0{1 + row % 9}-{10 + row % 18}" for row in range(60)]
    return people().with_columns(pl.Series("age", born)).cast(pl.String)


def write_texts(path: Path) -> None:
    people_as_text().write_csv(path)


def write_workbook(path: Path) -> None:
    people().write_excel(path, worksheet="members")


def write_parquet(path: Path) -> None:
    people().write_parquet(path)


FILES = {
    "messy": Case(["--k", "4"], [MONDRIAN], write=write_messy),
    "workbook": Case(["--k", "4"], [MONDRIAN], write=write_workbook, file="x.xlsx"),
    "parquet": Case(["--k", "4"], [MONDRIAN], write=write_parquet, file="x.parquet"),
    "tabs": Case(["--k", "4"], [MONDRIAN], write=write_tabs, file="x.tsv"),
}


FRAMES = {
    "polars": Case(["--k", "4"], [MONDRIAN], frame=people),
    "pandas": Case(["--k", "4"], [MONDRIAN], frame=lambda: people().to_pandas()),
    "arrow": Case(["--k", "4"], [MONDRIAN], frame=lambda: people().to_arrow()),
    "texts": Case(["--k", "4"], [MONDRIAN], write=write_texts, frame=people_as_text),
}


@pytest.mark.parametrize("name", FILES)
def test_files_are_read_alike_everywhere(name, tokumei, monkeypatch):
    require_one_outcome(FILES[name], tokumei, monkeypatch)


@pytest.mark.parametrize("name", FRAMES)
def test_frames_are_read_as_their_files(name, tokumei, monkeypatch):
    require_one_outcome(FRAMES[name], tokumei, monkeypatch)


def test_a_saved_profile_that_nobody_answered_counts_nobody(tokumei) -> None:
    assert tokumei("sample", "table", "--messy", "en", "--rows", 60, "--out", "c.csv").code == 0
    risk = ("risk", "--data", "c.csv", "--qi", "Sex,Postcode", "--json")
    before = tokumei(*risk)
    assert tokumei("look", "c.csv", "--save").code == 0
    after = tokumei(*risk)
    assert (before.code, before.out) == (0, after.out)
