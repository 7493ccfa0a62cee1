from __future__ import annotations

import random
import re

import polars as pl
import pytest

import tokumei as tk
from independent.plants import FORMS, POSITIONS, plant
from tokumei.core.errors import TokumeiError
from tokumei.tables.data.column_report import ReleaseDecisions

WAYS = ("passes", "qi", "sa", "defaults")
QUICK = 23
"""The quick part takes every so many of the cases, another form and position each time."""
CASES = [
    (form, position, way)
    for form in FORMS
    for position in POSITIONS
    for way in WAYS
    # Days in every row of a declared column are what it was declared to hold.
    if not (form.startswith("day") and position == "every row" and way != "passes")
]


def released(frame: pl.DataFrame, way: str) -> pl.DataFrame | None:
    """The public rows of a table whose last column nobody named; None: it was refused."""
    note = frame.columns[-1]
    try:
        if way == "defaults":
            decisions = ReleaseDecisions(defaults=True, person="none")
            return tk.anonymize(frame, k=3, seed=1, consent=decisions).public.frame
        qi, sa = ["age", "sex"], ["illness"]
        (qi if way == "qi" else sa if way == "sa" else []).append(note)
        sets = note if way == "qi" else None
        release = tk.anonymize(frame, qi=qi, sa=sa, sets=sets, k=3, person="none", seed=1)
        return release.public.frame
    except TokumeiError:
        return None


def require_no_plant(form: str, position: str, way: str) -> None:
    """No planted value stands in what leaves, in its cells or names."""
    frame, planted = plant(random.Random(f"{form} {position}"), form, position)
    public = released(frame, way)
    if public is not None:
        text = public.write_csv().replace('""', '"')
        if form.startswith("day"):  # what k rows have may pass
            cells = frame[frame.columns[-1]].to_list()
            planted = {value for value in planted if cells.count(value) < 3}
        leaks = [v for v in planted if re.search(rf"(?<!\w){re.escape(v)}(?!\w)", text)]
        assert not leaks, (form, position, way)


def test_there_are_enough_forms() -> None:
    assert len(FORMS) >= 80


@pytest.mark.parametrize(("form", "position", "way"), CASES[::QUICK])
def test_no_plant_passes_without_consent(form: str, position: str, way: str) -> None:
    require_no_plant(form, position, way)


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
def test_no_plant_of_any_form_passes_without_consent(form: str) -> None:
    for case, position, way in CASES:
        if case == form:
            require_no_plant(form, position, way)


def test_a_plant_passes_by_consent() -> None:
    frame, planted = plant(random.Random(1), "e-mail", "stray")
    release = tk.anonymize(
        frame, qi=["age", "sex"], sa="illness", passed="note", k=3, person="none", seed=1
    )
    assert planted <= {*release.public.frame["note"].to_list()}
