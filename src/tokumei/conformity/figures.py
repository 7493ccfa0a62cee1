"""Figures that checks of item 5 judge: the strongest attack by what is known, and unicity.

Ordinary knowledge is a quarter of the purchases, full knowledge all of them; in the 2017 format
only the first two characters of items, as in the contest. Draws are seeded, so two runs agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
import polars as pl

from tokumei.conformity.case import ConformityCase
from tokumei.conformity.difference import AttackFigure
from tokumei.core.randomness import Randomness
from tokumei.core.rates import wilson
from tokumei.core.score import Score
from tokumei.core.text import Text
from tokumei.core.unicity.unicity import unicity
from tokumei.files.contest_text import ContestText
from tokumei.histories.contest_files import public_rows, true_pairs
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.formats.pws2018 import contest_history
from tokumei.histories.measures.hits import history_hits
from tokumei.histories.registry import attackers as history_attackers
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.months import Months
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS, PeriodRows
from tokumei.pseudonyms.measures.answers import Answers
from tokumei.pseudonyms.measures.reid import reid_scores
from tokumei.pseudonyms.registry import attackers as period_attackers
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.suite import attack_suite, strongest

T = TypeVar("T")
ORDINARY_SHARE = 0.25
ORDINARY = Text("a quarter of the purchases known", "購買の 4 分の 1 を知る場合")
FULL = Text("all purchases known", "すべての購買を知る場合")
ALL_ROWS = Text("all original rows known", "元の行をすべて知る場合")
POINTS = (1, 2, 3, 4)


def period_figures(case: ConformityCase, *, seed: int = 0) -> list[AttackFigure]:
    """Attacks on a release of the 2017 format: the share of active pairs found."""
    original, released, customers = _period_parts(case)
    months = Months.spanning(original.days)
    truth = PseudonymTable.of_rows(original, released, customers=customers, months=months)
    public = released.public()
    figures = []
    for what, alpha in ((ORDINARY, ORDINARY_SHARE), (FULL, 1.0)):
        rng = Randomness(seed).child(what.en)
        known = PartialKnowledge(alpha=alpha, prefix={"item": 2}).of(original, rng=rng)
        rates = {}
        for name in ("best", "S6"):
            guess = period_attackers.build(name).attack(
                public, known, customers=customers, months=months, rng=rng.child(name)
            )
            rates[name] = reid_scores(Answers.of_table(guess.table, truth))["reid_active"]
        figures.append(_strongest(what, rates))
    return figures


def history_figures(case: ConformityCase, *, seed: int = 0) -> list[AttackFigure]:
    """Attacks on a release of the 2018 format: the share of pseudonyms found."""
    original, release = _history_parts(case)
    public, truth = public_rows(original, release), true_pairs(original, release)
    people, figures = len(original.customers), []
    for what, alpha in ((ORDINARY, ORDINARY_SHARE), (FULL, 1.0)):
        rng = Randomness(seed).child(what.en)
        rows = np.sort(rng.permutation(original.rows)[: round(alpha * original.rows)])
        guess = history_attackers.build("best").attack(public, original.take(rows), rng=rng)
        hits = history_hits(guess, truth, customers=people).hits
        low, high = wilson(hits, truth.height)
        figures.append(AttackFigure(what, "best", hits / truth.height, low, high, 1 / people))
    return figures


def table_figures(comparison: Comparison, *, seed: int = 0) -> list[AttackFigure]:
    """Attacks on a table: the share of rows found."""
    rates = attack_suite(comparison, [], rng=Randomness(seed), params={}, expected=True)
    best = strongest(rates)
    return [AttackFigure(ALL_ROWS, best.attack, best.rate, best.low, best.high, best.baseline)]


def unicity_shares(case: ConformityCase, *, seed: int = 0) -> dict[int, float] | None:
    """The share of pseudonyms singled out by p released points (item and day).

    None where days or items are generalized: points are then no longer exact.
    """
    names = (case.roles.pseudonym, case.roles.day, case.roles.item)
    if any(name is None for name in names):
        return None
    pseudonym, day, item = (case.release[str(name)].cast(pl.String) for name in names)
    if day.str.contains(r"[*\[{]").any() or item.str.contains(r"[*\[{]").any():
        return None
    points = {"customer": pseudonym, "day": day, "item": item}
    frame = pl.DataFrame(points).with_columns(price=pl.lit(1), quantity=pl.lit(1))
    found = unicity(frame, ["item,day"], points=POINTS, seed=seed)
    return {one.points: one.share for one in found}


def _strongest(what: Text, rates: Mapping[str, Score]) -> AttackFigure:
    name = max(rates, key=lambda one: rates[one].value)
    best = rates[name]
    low, high = best.low or 0.0, best.value if best.high is None else best.high
    return AttackFigure(what, name, best.value, low, high, best.baseline or 0.0)


def _period_parts(case: ConformityCase) -> tuple[PeriodRows, PeriodRows, pl.Series]:
    original = PeriodRows(_required(case.original).select(PERIOD_COLUMNS))
    gone = np.ones(original.rows, dtype=bool)
    gone[_required(case.origin)] = False
    cells = original.cells.to_dict()
    rows = pl.Series(_required(case.origin))
    for name in PERIOD_COLUMNS:
        cells[name] = cells[name].scatter(rows, case.release[name])
    released = PeriodRows(pl.DataFrame(cells)).with_deleted(gone)
    customers = original.people if case.customers is None else case.customers["customer"]
    return original, released, customers


def _history_parts(case: ConformityCase) -> tuple[History, ContestText]:
    text = _required(case.original).select(COLUMNS)
    original = contest_history(_contest_text(text))
    cells = {name: pl.repeat("*", text.height, eager=True) for name in COLUMNS}
    rows = pl.Series(_required(case.origin))
    released = {name: column.scatter(rows, case.release[name]) for name, column in cells.items()}
    return original, _contest_text(pl.DataFrame(released))


def _contest_text(frame: pl.DataFrame) -> ContestText:
    return ContestText(frame, np.full(frame.height, frame.width))


def _required(value: T | None) -> T:
    if value is None:
        raise ValueError("a traced release needs its original")
    return value
