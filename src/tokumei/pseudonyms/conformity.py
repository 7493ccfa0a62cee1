"""Evidence for conformity reports on pseudonyms over time (format `pws2017`).

    for effect in singular_effects(history, release, seed=1):
        print(effect.what.en, effect.rows, effect.before, effect.after, effect.matters)

What is singular is told by its measured effect: does the best attack need the rows that stand out?
A group of rows (items bought once, prices or quantities beyond mean ± 4 sd) is deleted from the
release and the attack is run again with the same knowledge. If what it finds stays the same within
the interval, the group is not what makes people singular.
"""

from __future__ import annotations

import math
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
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.files.contest_case import KNOWN, contest_case, refuse_table_options
from tokumei.pseudonyms.attackers.sides import PeriodChallenge
from tokumei.pseudonyms.data.history import PeriodHistory
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease, PseudonymTable
from tokumei.pseudonyms.data.rows import DELETED, PERIOD_COLUMNS, Months, PeriodRows
from tokumei.pseudonyms.formats.pws2017 import read_master
from tokumei.pseudonyms.kind import PSEUDONYMS
from tokumei.pseudonyms.measures.reid import Answers, reid_scores

CUSTOMER_COLUMNS = ("sex", "birth", "country")
ATTACKS = ("best", "S6")


def period_dossier(files: CaseFiles, *, seed: int) -> Dossier:
    """The case of T (and M) and A(T), and the attacks on A(T)."""
    refuse_table_options(files)
    case = period_case(files)
    effects: tuple[SingularEffect, ...] = ()
    if files.effects:
        effects = effects_of(*_parts(case), rng=Randomness(seed).child("effects"))
    figures = period_figures(case, seed=seed)
    # The row-aligned release is secret: only a public file may be told by its hash.
    return Dossier(case, figures, CUSTOMER_COLUMNS, files.public, effects)


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
        name = max(rates, key=lambda one: rates[one].value)
        best = rates[name]
        low, high = best.low or 0.0, best.value if best.high is None else best.high
        figures.append(AttackFigure(what, name, best.value, low, high, best.baseline or 0.0))
    return tuple(figures)


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


FAR = 4.0
INTERVAL = 1.96
GROUPS = {
    "bought-once": Text("items bought once", "1 回だけ買われた商品の行"),
    "price": Text(f"prices beyond mean ± {FAR:g} sd", f"単価が平均 ± {FAR:g} 標準偏差の外の行"),
    "quantity": Text(
        f"quantities beyond mean ± {FAR:g} sd", f"数量が平均 ± {FAR:g} 標準偏差の外の行"
    ),
}


def singular_effects(
    source: PeriodHistory,
    release: PeriodRelease,
    *,
    alpha: float = 0.25,
    attack: str = "best",
    seed: int | None = None,
) -> tuple[SingularEffect, ...]:
    """The effect of every group on an attack that knows a share of the rows."""
    return effects_of(
        source.rows,
        release.rows,
        source.master.customers,
        alpha=alpha,
        attack=attack,
        rng=Randomness(seed),
    )


def singular_groups(original: PeriodRows) -> dict[str, np.ndarray]:
    """The rows of each group, by the original's values."""
    item = pl.Series("item", original.cells["item"])
    there = original.kept
    return {
        "bought-once": there & (~item.is_duplicated()).to_numpy(),
        "price": there & _far(original.prices, there),
        "quantity": there & _far(original.quantities, there),
    }


def _far(values: np.ndarray, there: np.ndarray) -> np.ndarray:
    usual = values[there & np.isfinite(values)]
    if not len(usual):
        return np.zeros(len(values), dtype=bool)
    return np.asarray(np.abs(values - usual.mean()) > FAR * usual.std())


def effects_of(
    original: PeriodRows,
    released: PeriodRows,
    customers: pl.Series,
    *,
    alpha: float = 0.25,
    attack: str = "best",
    rng: Randomness,
    groups: Mapping[str, np.ndarray] | None = None,
) -> tuple[SingularEffect, ...]:
    """The same of rows in the original's order; `groups` other than the usual by name."""
    months = Months.spanning(original.days)
    known = PartialKnowledge(alpha=alpha, prefix={"item": 2}).of(original, rng=rng.child("known"))

    def found(rows: PeriodRows) -> np.ndarray:
        """How many pairs of each customer the attack finds."""
        truth = PseudonymTable.of_rows(original, rows, customers=customers, months=months)
        seen = PeriodChallenge(rows.public(), known, customers, months)
        guess = run_attacks(PSEUDONYMS, seen, [attack], rng=rng.child("attack"))[attack]
        claims = Answers.of_table(guess.table, truth)
        return np.bincount(claims.customer[claims.right], minlength=len(customers))

    truth = PseudonymTable.of_rows(original, released, customers=customers, months=months)
    pairs, before = int((truth.codes >= 0).sum()), found(released)
    effects = []
    for name, rows in (groups or singular_groups(original)).items():
        gone = rows & released.kept
        after = found(released.with_deleted(gone)) if gone.any() else before
        what = GROUPS.get(name, Text(name, name))
        effects.append(_effect(name, what, int(gone.sum()), attack, before, after, pairs))
    return tuple(effects)


def _effect(
    name: str, what: Text, rows: int, attack: str, before: np.ndarray, after: np.ndarray, pairs: int
) -> SingularEffect:
    """The change with its interval: people, not their months, are independent."""
    change = (after - before).astype(np.float64)
    scale = len(change) / max(pairs, 1)
    middle = float(change.mean()) * scale
    width = INTERVAL * float(change.std(ddof=1)) / math.sqrt(len(change)) * scale
    low, high = middle - width, middle + width
    found, left = (float(some.sum() / max(pairs, 1)) for some in (before, after))
    return SingularEffect(name, what, rows, attack, found, left, low, high)
