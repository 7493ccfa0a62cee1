"""In which class of an earlier release people are, for the next one to heed."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.errors import ClaimError, InputError, UsageError
from tokumei.ledger.book import Draft, Ledger
from tokumei.ledger.codes import HIGH, LOW
from tokumei.ledger.contribution import UNKNOWN
from tokumei.ledger.entry import Entry
from tokumei.ledger.invariance import invariance, signatures
from tokumei.ledger.together import Together


def earlier_classes(book: Ledger, entry: Entry, ids: pl.Series) -> np.ndarray:
    """The class of everyone in a release; UNKNOWN for who is not in it."""
    if not entry.linked:
        raise InputError(
            f"it is not known who is in which class of '{entry.name}': it was added without link",
            f"'{entry.name}' は対応表なしで記録されたため、誰がどのクラスにいるか分かりません",
        )
    high, low = book.codes.people(ids)
    known = book.recorded(entry).people.select(HIGH, LOW, "class")
    asked = pl.DataFrame({HIGH: high, LOW: low})
    found = asked.join(known, on=[HIGH, LOW], how="left", maintain_order="left")["class"]
    return found.fill_null(UNKNOWN).to_numpy().astype(np.int64)


def earlier_signatures(
    book: Ledger, entry: Entry, classes: np.ndarray, sensitive: list[str]
) -> np.ndarray:
    """For everyone, by class, a number for each sensitive column that tells what it showed."""
    if not sensitive or tuple(sensitive) != entry.sensitive:
        told = ", ".join(entry.sensitive) or "–"
        raise UsageError(
            f"the sensitive columns of '{entry.name}' are {told}: they must be the same now",
            f"'{entry.name}' の機密属性は {told} です。今回も同じでなければなりません",
        )
    recorded = book.recorded(entry)
    found = [signatures(recorded, column)[0] for column in range(len(sensitive))]
    return np.stack([one[np.maximum(classes, 0)] for one in found], axis=1)


def require_invariant(book: Ledger, entry: Entry, draft: Draft, m: int) -> None:
    """Fail unless everyone in both is in a class that shows the same values, at least m."""
    both = Together.of([book.recorded(entry), draft.recorded])
    found = invariance(both, [0, 1], len(entry.sensitive))
    if found is not None and (found.kept < 1 or found.m < m):
        raise ClaimError(
            f"m-invariance with '{entry.name}' does not hold: {found.kept:.1%} of the people keep "
            f"their values, the smallest set has {found.m}",
            f"'{entry.name}' との m-不変性が成り立ちません。値の集合が同じ人は {found.kept:.1%}、"
            f"最小の集合は {found.m} 種類です",
        )
