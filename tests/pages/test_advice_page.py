"""Tests of tokumei.pages.advice_page."""

from __future__ import annotations

import polars as pl

import tokumei as tk
from tables.advice_helpers import PARTNER, people
from tokumei.pages.advice_page import describe_front, render_advice


def test_rows_are_called_people_only_where_somebody_said_whose_they_are() -> None:
    found = tk.advise(people(), PARTNER, steps=2, seconds=None)
    page = render_advice(found, source="people.csv")
    released = found.candidates[0].figures.people
    assert f"people.csv: {released} rows" in page
    assert f"people.csv: {released} 行" in page
    assert f"{released} people" not in page
    assert "rows found" in describe_front(found).show("en")
    twice = pl.concat([people(60), people(60)])
    told = tk.advise(twice, PARTNER, steps=2, seconds=None, person="full name")
    released = told.candidates[0].figures.people
    assert f"people.csv: {released} people" in render_advice(told, source="people.csv")
    assert "people found" in describe_front(told).show("en")
    assert "人" in describe_front(told).show("ja")
