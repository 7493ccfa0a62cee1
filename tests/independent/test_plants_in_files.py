"""The plants in every container and engine, as files through the command."""

from __future__ import annotations

import gzip
import random
import re
from pathlib import Path

import polars as pl
import pytest

from independent.cells import read_cells
from independent.plants import FORMS, POSITIONS, plant
from tokumei.core.errors import TokumeiError
from tokumei.files.writing import write_frame
from tokumei.tables.commands.anonymize import AnonymizeTable

PLACES = [("csv", "local"), ("csv.gz", "local"), ("parquet", "local"), ("xlsx", "local")]
PLACES += [("csv", "stream"), ("parquet", "stream")]
CASES = [
    (form, position, way, container, engine)
    for form in FORMS
    for position in POSITIONS
    for way in ("passes", "qi", "sa")
    for container, engine in PLACES
    if not (form.startswith("day") and position == "every row" and way != "passes")
]
QUICK = 181
"""The quick part takes every so many of the cases, another form and container each time."""
K = 3


def write_source(frame: pl.DataFrame, path: Path) -> None:
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    else:
        write_frame(frame, path)


def leaks(
    folder: Path, form: str, position: str, way: str, container: str, engine: str
) -> list[str]:
    """Planted values in the files that a command leaves; those that k rows have may stay."""
    frame, planted = plant(random.Random(f"{form} {position}"), form, position)
    source, out = folder / f"source.{container}", folder / f"public.{container}"
    write_source(frame, source)
    note = frame.columns[-1]
    qi, sa = ["age", "sex"], ["illness"]
    (qi if way == "qi" else sa if way == "sa" else []).append(note)
    sets = (note,) if way == "qi" else ()
    roles = {"qi": tuple(qi), "sa": tuple(sa), "sets": sets, "person": "none"}
    try:
        AnonymizeTable(data=str(source), out=str(out), k=K, seed=1, engine=engine, **roles).answer()
    except TokumeiError:
        assert not out.exists()
        return []
    cells = read_cells(out)
    text = "\n".join([*cells.names, *(str(cell) for row in cells.rows for cell in row)])
    text += Path(f"{out}.manifest.json").read_text(encoding="utf-8")
    before = frame[note].to_list()
    return [
        value
        for value in planted
        if re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text)
        and not (form.startswith("day") and before.count(value) >= K)
    ]


@pytest.mark.parametrize("case", CASES[::QUICK], ids=", ".join)
def test_no_plant_leaves_in_any_file(tmp_path: Path, case: tuple[str, ...]) -> None:
    assert leaks(tmp_path, *case) == []


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
def test_no_plant_of_any_form_leaves_in_any_file(tmp_path: Path, form: str) -> None:
    for number, case in enumerate(case for case in CASES if case[0] == form):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert leaks(folder, *case) == [], case
