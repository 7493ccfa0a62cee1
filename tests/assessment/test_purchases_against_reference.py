"""The assessment of small random releases of purchases equals that of plain loops."""

from __future__ import annotations

import datetime
import math
from random import Random
from typing import Any

import polars as pl
import pytest
from tests.assessment.purchase_reference import COLUMNS, PurchaseReference
from tests.assessment.reference import Cell

from tokumei.assessment.assess_history import assess_history
from tokumei.assessment.assess_periods import assess_periods
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.open_history import AssessHistory
from tokumei.assessment.open_periods import AssessPeriods
from tokumei.core.scenario import Scenario
from tokumei.histories.data.history import History
from tokumei.histories.formats.pws2018 import Pws2018
from tokumei.histories.services.requests import HistorySource
from tokumei.pseudonyms.data.period_history import CustomerMaster, PeriodHistory
from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS, PeriodRows
from tokumei.pseudonyms.services.requests import PeriodSource

NUMERIC = {"day", "price", "quantity"}
FORMS = ("1", "2", "3", "month", "all", "totals")
FIRST = datetime.date(2011, 1, 1).toordinal()


def random_purchases(random: Random) -> list[dict[str, Any]]:
    people = random.randint(2, 7)
    rows = []
    for customer in range(people):
        for _ in range(random.randint(1, 5)):
            day = FIRST + random.choice([0, 1, 2, 31, 33, 40, 59, 61])
            rows.append(
                {
                    "customer": f"c{customer}",
                    "day": day,
                    "month": month_of(day),
                    "item": random.choice("abcde"),
                    "price": random.choice([1.5, 2.0, 2.25, 8.0]),
                    "quantity": random.randint(1, 4),
                }
            )
    random.shuffle(rows)
    return rows


def month_of(day: int) -> int:
    date = datetime.date.fromordinal(day)
    return date.year * 12 + date.month


def written_day(day: int) -> str:
    date = datetime.date.fromordinal(day)
    return f"{date.year}/{date.month}/{date.day}"


def history_cell(random: Random, name: str, value: Any, items: list[str]) -> Cell:
    """A cell that holds the value."""
    kind = random.random()
    if kind < 0.08:
        return ("*",)
    if kind < 0.45:
        return ("is", value)
    if name == "item":
        others = [item for item in items if item != value]
        members = random.sample(others, random.randint(0, len(others)))
        return ("set", frozenset([value, *members])) if members else ("is", value)
    return ("range", value - random.randint(0, 9), value + random.randint(1, 9))


def write_cell(name: str, cell: Cell) -> str:
    spell = written_day if name == "day" else str
    if cell[0] == "*":
        return "*"
    if cell[0] == "range":
        return f"[{spell(cell[1])};{spell(cell[2])}]"
    if cell[0] == "set":
        return "{" + ";".join(sorted(cell[1])) + "}"
    return spell(cell[1])


def random_history(seed: int) -> tuple[PurchaseReference, History, pl.DataFrame]:
    """An original, a row-aligned release with deleted rows, and the reference."""
    random = Random(seed)
    original = random_purchases(random)
    plain = {name for name in COLUMNS if random.random() < 0.3}
    items = sorted({row["item"] for row in original})
    names = {f"c{n}": str(100 + n) for n in range(10)}
    link, released, lines = [], [], []
    for place, row in enumerate(original):
        if random.random() < 0.15 and place:
            lines.append(["*"] * 5)
            continue
        cells = {
            name: ("is", row[name])
            if name in plain
            else history_cell(random, name, row[name], items)
            for name in COLUMNS
        }
        link.append(place)
        released.append(cells)
        lines.append([names[row["customer"]], *(write_cell(name, cells[name]) for name in COLUMNS)])
    frame = pl.DataFrame(original).with_columns(
        day=pl.Series([datetime.date.fromordinal(row["day"]) for row in original])
    )
    pseudonyms = [names[original[place]["customer"]] for place in link]
    reference = PurchaseReference(original, released, link, pseudonyms, NUMERIC)
    return (
        reference,
        History.of(frame),
        pl.DataFrame(lines, schema=["customer", *COLUMNS], orient="row"),
    )


def require_equal(assessment: Assessment, reference: PurchaseReference, knows: list[str]) -> None:
    found = {attacker.code: attacker for attacker in assessment.attackers}
    for form in FORMS:
        expected = reference.figures(form, knows)
        figures = found[f"{form}-purchases" if form.isdecimal() else form]
        assert figures.identified == expected.identified, form
        assert math.isclose(figures.guessed_right, expected.guessed_right), form
        assert figures.smallest_class == expected.smallest_class, form
    assert assessment.uniqueness is not None
    released = [column.name for column in assessment.columns if column.treatment != "identifier"]
    assert assessment.uniqueness.unique == reference.table.unique(released)
    for column in assessment.columns:
        if column.treatment != "identifier":
            assert column.kept is not None
            assert column.empty is not None
            kept, empty = reference.table.losses(column.name)
            assert math.isclose(column.kept, kept, abs_tol=1e-9), column
            assert math.isclose(column.empty, empty, abs_tol=1e-9), column


@pytest.mark.long
@pytest.mark.parametrize("part", range(5))
def test_small_histories_equal_plain_loops(part: int) -> None:
    for seed in range(45 * part, 45 * part + 45):
        reference, history, release = random_history(seed)
        knows = sorted(Random(seed).sample(COLUMNS, Random(seed).randint(1, 4)))
        scenario = Scenario.for_recipient("partner", knows=knows, purchases=FORMS)
        request = AssessHistory(
            original=HistorySource(data=history, layout=Pws2018()),
            release=release,
            scenario=scenario,
            remedies=False,
        )
        assessment = assess_history(request)
        assert assessment.verdict.word != "unknown", (seed, assessment)
        require_equal(assessment, reference, knows)


def random_periods(seed: int) -> tuple[PurchaseReference, PeriodHistory, PeriodRows]:
    """Purchases under pseudonyms of some months each; whole columns are moved or not."""
    random = Random(seed)
    original = random_purchases(random)
    life = random.choice([1, 2, 3])
    moved = {name for name in COLUMNS if random.random() < 0.35}
    months = {month: place for place, month in enumerate(sorted({r["month"] for r in original}))}
    cells, text = [], {"original": [], "released": []}
    link, released, pseudonyms = [], [], []
    for place, row in enumerate(original):
        new = {
            name: moved_value(random, name, row) if name in moved else row[name] for name in COLUMNS
        }
        name = f"p{row['customer']}{months[row['month']] // life}"
        text["original"].append(period_line(row["customer"], row))
        if random.random() < 0.1 and place:
            text["released"].append(["DEL", *[""] * 6])
            continue
        text["released"].append(period_line(name, new))
        link.append(place)
        pseudonyms.append(name)
        released.append({key: ("is", new[key]) for key in COLUMNS})
        cells.append(new)
    before, after = (
        PeriodRows(pl.DataFrame(text[side], schema=list(PERIOD_COLUMNS), orient="row"))
        for side in ("original", "released")
    )
    people = before.people.alias("customer").to_frame()
    master = CustomerMaster(
        people.with_columns(pl.lit("").alias(name) for name in ("sex", "birth", "country"))
    )
    reference = PurchaseReference(original, released, link, pseudonyms, NUMERIC)
    return reference, PeriodHistory.of(before, master), after


def moved_value(random: Random, name: str, row: dict[str, Any]) -> Any:
    if name == "item":
        return random.choice("abcde")
    if name == "day":
        date = datetime.date.fromordinal(row["day"])
        return date.replace(day=random.randint(1, 28)).toordinal()
    if name == "price":
        return row["price"] + random.choice([0.0, 0.5, 1.0])
    return row["quantity"] + random.randint(0, 2)


def period_line(name: str, row: dict[str, Any]) -> list[str]:
    return [
        name,
        "0",
        written_day(row["day"]),
        "0:00",
        row["item"],
        str(row["price"]),
        str(row["quantity"]),
    ]


@pytest.mark.long
@pytest.mark.parametrize("part", range(5))
def test_small_releases_under_pseudonyms_equal_plain_loops(part: int) -> None:
    for seed in range(45 * part, 45 * part + 45):
        reference, history, release = random_periods(seed)
        constant = {name for name in COLUMNS if len({row[name] for row in reference.original}) == 1}
        knows = [
            name
            for name in sorted(Random(seed).sample(COLUMNS, Random(seed).randint(1, 4)))
            if name not in constant
        ]
        if not knows:
            continue
        scenario = Scenario.for_recipient("partner", knows=knows, purchases=FORMS)
        request = AssessPeriods(
            original=PeriodSource(data=history),
            release=release,
            scenario=scenario,
            remedies=False,
        )
        assessment = assess_periods(request)
        if assessment.verdict.code == "link-contradicts":
            continue
        require_equal(assessment, reference, knows)
