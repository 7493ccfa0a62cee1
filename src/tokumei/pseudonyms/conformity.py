"""Conformity case of pseudonyms over time (format `pws2017`).

    for effect in singular_effects(history, release, seed=1):
        print(effect.what.show(), effect.rows, effect.before, effect.after, effect.matters)

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

from tokumei.core.conformity_case import (
    AttackFigure,
    CaseFiles,
    ConformityCase,
    Dossier,
    SingularEffect,
    require_traced,
)
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.core.workflow import run_attacks
from tokumei.files.contest_conformity import (
    KNOWLEDGE_SHARES,
    build_contest_case,
    refuse_table_options,
)
from tokumei.pseudonyms.attackers.challenge import PeriodChallenge
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease, PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import DELETED, PERIOD_COLUMNS, Months, PeriodRows
from tokumei.pseudonyms.formats.pws2017 import read_master
from tokumei.pseudonyms.kind import PSEUDONYMS
from tokumei.pseudonyms.measures.reidentification import GuessClaims, reid_scores

CUSTOMER_COLUMNS = ("sex", "birth", "country")
TRIED_ATTACKS = ("best", "S6")


def period_dossier(files: CaseFiles, *, seed: int) -> Dossier:
    """The case of T (and M) and A(T), and the attacks on A(T)."""
    refuse_table_options(files)
    case = period_case(files)
    effects: tuple[SingularEffect, ...] = ()
    if files.effects:
        effects = measure_singular_effects(
            *_split_case(case), rng=Randomness(seed).child("effects")
        )
    figures = period_attack_figures(case, seed=seed)
    # The row-aligned release is secret: only a public file may be told by its hash.
    return Dossier(case, figures, CUSTOMER_COLUMNS, files.public, effects)


def period_case(files: CaseFiles) -> ConformityCase:
    """The case of T (and M) and A(T)."""
    people = None
    if files.master is not None:
        people = read_master(files.master, encoding=files.encoding).frame
    return build_contest_case(
        files, PERIOD_COLUMNS, deleted=DELETED, invoice="invoice", customers=people
    )


def period_attack_figures(case: ConformityCase, *, seed: int) -> tuple[AttackFigure, ...]:
    """The share of active pairs found, by what is known: of items the first two characters."""
    original, released, customers = _split_case(case)
    months = Months.spanning(original.days)
    truth = PseudonymTable.of_rows(original, released, customers=customers, months=months)
    figures = []
    for knowledge, alpha in KNOWLEDGE_SHARES.items():
        rng = Randomness(seed).child(knowledge.id)
        known = PartialKnowledge(alpha=alpha, prefix={"item": 2}).of(original, rng=rng)
        challenge = PeriodChallenge(released.public(), known, customers, months)
        guesses = run_attacks(PSEUDONYMS, challenge, TRIED_ATTACKS, rng=rng)
        rates = {
            name: reid_scores(GuessClaims.of_table(guess.table, truth))["reid_active"]
            for name, guess in guesses.items()
        }
        name = max(rates, key=lambda attack_name: rates[attack_name].value)
        best = rates[name]
        low, high = best.low or 0.0, best.value if best.high is None else best.high
        figures.append(AttackFigure(knowledge, name, best.value, low, high, best.baseline or 0.0))
    return tuple(figures)


def _split_case(case: ConformityCase) -> tuple[PeriodRows, PeriodRows, pl.Series]:
    before, origin = require_traced(case)
    original = PeriodRows(before.select(PERIOD_COLUMNS))
    is_deleted = np.ones(original.rows, dtype=bool)
    is_deleted[origin] = False
    cells, rows = original.cells.to_dict(), pl.Series(origin)
    for name in PERIOD_COLUMNS:
        cells[name] = cells[name].scatter(rows, case.release[name])
    released = PeriodRows(pl.DataFrame(cells)).with_deleted(is_deleted)
    customers = original.people if case.customers is None else case.customers["customer"]
    return original, released, customers


MAX_DEVIATIONS = 4.0
NORMAL_QUANTILE = 1.96
GROUP_TITLES = {
    "bought-once": Message("items bought once"),
    "price": Message("prices beyond mean ± {limit:g} sd", limit=MAX_DEVIATIONS),
    "quantity": Message("quantities beyond mean ± {limit:g} sd", limit=MAX_DEVIATIONS),
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
    return measure_singular_effects(
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
    is_kept = original.kept
    return {
        "bought-once": is_kept & (~item.is_duplicated()).to_numpy(),
        "price": is_kept & _is_outlier(original.prices, is_kept),
        "quantity": is_kept & _is_outlier(original.quantities, is_kept),
    }


def _is_outlier(values: np.ndarray, is_kept: np.ndarray) -> np.ndarray:
    kept_values = values[is_kept & np.isfinite(values)]
    if not len(kept_values):
        return np.zeros(len(values), dtype=bool)
    return np.asarray(np.abs(values - kept_values.mean()) > MAX_DEVIATIONS * kept_values.std())


def measure_singular_effects(
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

    def pairs_found(rows: PeriodRows) -> np.ndarray:
        """How many pairs of each customer the attack finds."""
        truth = PseudonymTable.of_rows(original, rows, customers=customers, months=months)
        challenge = PeriodChallenge(rows.public(), known, customers, months)
        guess = run_attacks(PSEUDONYMS, challenge, [attack], rng=rng.child("attack"))[attack]
        claims = GuessClaims.of_table(guess.table, truth)
        return np.bincount(claims.customer[claims.right], minlength=len(customers))

    truth = PseudonymTable.of_rows(original, released, customers=customers, months=months)
    pairs, before = int((truth.codes >= 0).sum()), pairs_found(released)
    effects = []
    for name, rows in (groups or singular_groups(original)).items():
        removed = rows & released.kept
        after = pairs_found(released.with_deleted(removed)) if removed.any() else before
        group_title = GROUP_TITLES.get(name, Message.verbatim(name))
        effects.append(
            _build_effect(name, group_title, int(removed.sum()), attack, before, after, pairs)
        )
    return tuple(effects)


def _build_effect(
    name: str,
    title: Message,
    rows: int,
    attack: str,
    before: np.ndarray,
    after: np.ndarray,
    pairs: int,
) -> SingularEffect:
    """The change with its interval: people, not their months, are independent."""
    change = (after - before).astype(np.float64)
    scale = len(change) / max(pairs, 1)
    middle = float(change.mean()) * scale
    width = NORMAL_QUANTILE * float(change.std(ddof=1)) / math.sqrt(len(change)) * scale
    low, high = middle - width, middle + width
    rate_before, rate_after = (float(hits.sum() / max(pairs, 1)) for hits in (before, after))
    return SingularEffect(name, title, rows, attack, rate_before, rate_after, low, high)
