"""Evidence for conformity reports on pseudonyms over time (format `pws2017`)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from tokumei.core.conformity import (
    AttackFigure,
    CaseFiles,
    ConformityCase,
    Dossier,
    SingularEffect,
    traced,
)
from tokumei.core.flow import run_attacks
from tokumei.core.measure import Score
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.files.contest_case import KNOWN, contest_case, refuse_table_options
from tokumei.pseudonyms.attackers.sides import PeriodChallenge
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.rows import DELETED, PERIOD_COLUMNS, Months, PeriodRows
from tokumei.pseudonyms.formats.pws2017 import read_master
from tokumei.pseudonyms.kind import PSEUDONYMS
from tokumei.pseudonyms.measures.reid import Answers, reid_scores
from tokumei.pseudonyms.singular import effects_of

CUSTOMER_COLUMNS = ("sex", "birth", "country")
ATTACKS = ("best", "S6")


def period_dossier(files: CaseFiles, *, seed: int) -> Dossier:
    """The case of T (and M) and A(T), and the attacks on A(T)."""
    refuse_table_options(files)
    case = period_case(files)
    # The row-aligned release is secret: only a public file may be told by its hash.
    effects = period_effects(case, seed=seed) if files.effects else ()
    figures = period_figures(case, seed=seed)
    return Dossier(case, figures, CUSTOMER_COLUMNS, files.public, effects)


def period_effects(case: ConformityCase, *, seed: int) -> tuple[SingularEffect, ...]:
    """What the strongest attack loses without the rows that stand out."""
    original, released, customers = _parts(case)
    return effects_of(original, released, customers, rng=Randomness(seed).child("effects"))


def period_case(files: CaseFiles) -> ConformityCase:
    """The case of T (and M) and A(T)."""
    people = None
    if files.master is not None:
        people = read_master(files.master, encoding=files.encoding).frame
    return contest_case(files, PERIOD_COLUMNS, deleted=DELETED, invoice="invoice", customers=people)


def period_figures(case: ConformityCase, *, seed: int) -> tuple[AttackFigure, ...]:
    """The share of active pairs found, by what is known: of items the first two characters."""
    original, released, customers = _parts(case)
    months = Months.spanning(original.days)
    truth = PseudonymTable.of_rows(original, released, customers=customers, months=months)
    figures = []
    for what, alpha in KNOWN.items():
        rng = Randomness(seed).child(what.en)
        known = PartialKnowledge(alpha=alpha, prefix={"item": 2}).of(original, rng=rng)
        challenge = PeriodChallenge(released.public(), known, customers, months)
        guesses = run_attacks(PSEUDONYMS, challenge, ATTACKS, rng=rng)
        rates = {
            name: reid_scores(Answers.of_table(guess.table, truth))["reid_active"]
            for name, guess in guesses.items()
        }
        figures.append(_strongest(what, rates))
    return tuple(figures)


def _strongest(what: Text, rates: Mapping[str, Score]) -> AttackFigure:
    name = max(rates, key=lambda one: rates[one].value)
    best = rates[name]
    low, high = best.low or 0.0, best.value if best.high is None else best.high
    return AttackFigure(what, name, best.value, low, high, best.baseline or 0.0)


def _parts(case: ConformityCase) -> tuple[PeriodRows, PeriodRows, pl.Series]:
    before, origin = traced(case)
    original = PeriodRows(before.select(PERIOD_COLUMNS))
    gone = np.ones(original.rows, dtype=bool)
    gone[origin] = False
    cells, rows = original.cells.to_dict(), pl.Series(origin)
    for name in PERIOD_COLUMNS:
        cells[name] = cells[name].scatter(rows, case.release[name])
    released = PeriodRows(pl.DataFrame(cells)).with_deleted(gone)
    customers = original.people if case.customers is None else case.customers["customer"]
    return original, released, customers
