"""The assessment of small random releases equals that of plain loops."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.assessment.reference import Cell, Reference, write

from tokumei.assessment.assess import assess_table
from tokumei.assessment.open_release import AssessTable
from tokumei.core.scenario import Scenario

NUMERIC = {"age", "amount"}
COLUMNS = ("age", "city", "sex", "amount")


def random_value(random: Random, name: str) -> Any:
    if name != "sex" and random.random() < 0.1:
        return None
    if name == "age":
        return random.randint(20, 20 + random.choice([3, 9, 30]))
    if name == "amount":
        return random.randint(0, 500)
    return random.choice(["north", "south", "east", "west"] if name == "city" else ["f", "m"])


def release_cell(random: Random, name: str, value: Any, values: list[Any]) -> Cell:
    """A cell that holds the value."""
    kind = random.random()
    if kind < 0.1:
        return ("*",)
    if value is None or kind < 0.5:
        return ("is", value)
    if name in NUMERIC:
        low, high = value - random.randint(0, 9), value + random.randint(1, 9)
        return ("range", low, high)
    others = sorted({v for v in values if v is not None and v != value})
    members = random.sample(others, random.randint(0, len(others)))
    return ("set", frozenset([value, *members])) if members else ("is", value)


def random_case(seed: int) -> tuple[Reference, pl.DataFrame, pl.DataFrame, list[int]]:
    """An original with people of several rows, a release with deleted rows, both ways."""
    random = Random(seed)
    rows = random.randint(2, 25)
    original = [{name: random_value(random, name) for name in COLUMNS} for _ in range(rows)]
    people = [f"p{random.randint(1, max(2, rows // 2))}" for _ in range(rows)]
    kept = random.sample(range(rows), random.randint(max(1, rows - 3), rows))
    plain = {name for name in COLUMNS if random.random() < 0.4}
    columns = {name: [row[name] for row in original] for name in COLUMNS}
    released: list[dict[str, Cell]] = []
    for origin in kept:
        released.append(
            {
                name: ("is", original[origin][name])
                if name in plain
                else release_cell(random, name, original[origin][name], columns[name])
                for name in COLUMNS
            }
        )
    cities = sorted({city for city in columns["city"] if city is not None})
    if cities and random.random() < 0.3:  # some cells do not hold the value of their row
        for cells in random.sample(released, random.randint(1, max(1, len(released) // 4))):
            cells["city"] = ("is", random.choice(cities))
    types = {name: pl.Int64 if name in NUMERIC else pl.String for name in COLUMNS}
    before = pl.DataFrame(columns, schema=types).with_columns(person=pl.Series(people))
    after = {
        name: pl.Series([cells[name][1] for cells in released], dtype=types[name])
        if name in plain
        else pl.Series([write(cells[name]) for cells in released], dtype=pl.String)
        for name in COLUMNS
    }
    reference = Reference(original, released, kept, people, NUMERIC)
    return reference, before, pl.DataFrame(after), kept


def is_plainly_read(reference: Reference, before: pl.DataFrame, after: pl.DataFrame) -> bool:
    """Whether no column is read as rounded, coded or cut, which the reference does not know.

    More missing cells than the original has are read as suppressed, too.
    """
    from tokumei.tables.data.cell_reader import ColumnReader

    for name in COLUMNS:
        reader = ColumnReader.of(before[name], after[name])
        if reader.rounding or reader.code or reader.cut or reader.nothing or reader.only:
            return False
    return True


@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("counts_people", [False, True])
def test_figures_equal_those_of_plain_loops(part: int, counts_people: bool) -> None:
    compared, seed = 0, part * 1000
    while compared < 15:
        seed += 1
        reference, before, after, link = random_case(seed)
        if not is_plainly_read(reference, before, after):
            continue
        if not counts_people:
            reference = Reference(
                reference.original, reference.released, link, range(before.height), NUMERIC
            )
        if reference.tells_rows_of_one_person():
            continue
        knows = random_knowledge(Random(seed))
        assessment = assess_table(
            AssessTable(
                original=before,
                release=after,
                link=np.array(link),
                qi=[how.partition("~")[0] for how in knows],
                sa=("amount",),
                scenario=Scenario.for_recipient(
                    "partner", knows=knows, person="person" if counts_people else "none"
                ),
                remedies=False,
                conformity=False,
            )
        )
        if assessment.verdict.code == "link-contradicts":
            continue
        compared += 1
        compare(reference, assessment, knows, f"seed {seed}")


def random_knowledge(random: Random) -> tuple[str, ...]:
    """Some columns, each known exactly or roughly."""
    rough = {"age": ["age", "age~10%", "age~1"], "city": ["city", "city~1"], "sex": ["sex"]}
    names = random.sample(COLUMNS[:3], random.randint(1, 3))
    return tuple(random.choice(rough[name]) for name in names)


def compare(reference: Reference, assessment: Any, knows: tuple[str, ...], case: str) -> None:
    expected = reference.figures(knows, "amount")
    (attacker, *_) = [a for a in assessment.attackers if a.code == "exact"]
    assert attacker.identified == expected["identified"], case
    assert math.isclose(attacker.guessed_right, expected["guessed_right"]), case
    assert attacker.smallest_class == expected["smallest_class"], case
    assert attacker.certain_values["amount"] == expected["certain"], case
    assert attacker.confidently_wrong == expected["confidently_wrong"], case
    assert attacker.not_fitting == expected["not_fitting"], case
    bound = reference.figures(COLUMNS)
    assert assessment.bound.identified >= bound["identified"], case
    if not bound["not_fitting"]:
        assert assessment.bound.identified == bound["identified"], case
        assert math.isclose(assessment.bound.guessed_right, bound["guessed_right"]), case
    assert assessment.uniqueness.unique == reference.unique(COLUMNS), case
    columns = {column.name: column for column in assessment.columns}
    for name in COLUMNS:
        kept, empty = reference.losses(name)
        assert math.isclose(columns[name].kept, kept, abs_tol=1e-12), (case, name)
        assert math.isclose(columns[name].empty, empty), (case, name)
    assert math.isclose(
        assessment.kept,
        sum(columns[n].kept for n in columns if n != "person" or assessment.unit == "rows")
        / (4 + (assessment.unit == "rows")),
    )
