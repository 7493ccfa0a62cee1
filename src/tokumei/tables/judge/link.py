"""The link in an upload: which row of X each released row comes from, and whether that can be true.

    link, faults = read_link_text(text, 900, 1_000)     # rows of the release, of X
    rows_in_order(frame, link, rows=1_000)     # as if X's order had been kept

`link.csv` has lines `released,original`, row numbers from 0, each released row once and no original
row twice: the file that `tokumei anonymize --secret` writes. Without one, row i comes from row i.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_text import contest_text
from tokumei.tables.attackers.candidates import consistent_vector
from tokumei.tables.data.guess import ABSTAIN
from tokumei.tables.data.table import Table
from tokumei.tables.judge.rules import DELETED, HEADER, guess_faults, guess_numbers

LINK = "link.csv"


def read_link_text(
    text: bytes, released: int, original: int
) -> tuple[np.ndarray | None, list[Fault]]:
    """For each released row that of X; or everything that is wrong with the link."""
    found = contest_text(text, HEADER, where="")
    faults = guess_faults(found, released, original)
    if faults:
        return None, [_fault(*one.message, one.line, one.column) for one in faults]
    pairs = guess_numbers(found)
    faults = _doubled(pairs[:, 1]) + _missing(pairs[:, 0], released)
    if faults:
        return None, faults
    link = np.empty(released, dtype=np.int64)
    link[pairs[:, 0]] = pairs[:, 1]
    return link, []


def rows_in_order(frame: pl.DataFrame, link: np.ndarray, rows: int) -> pl.DataFrame:
    """The released cells in X's order, a row that was not released as DEL and empty cells."""
    place = np.full(rows, -1, dtype=np.int64)
    place[link] = np.arange(len(link))
    gone = pl.Series(place < 0)
    first, *others = frame.columns
    ordered = frame[np.maximum(place, 0)]
    return ordered.with_columns(
        pl.when(gone).then(pl.lit(DELETED)).otherwise(pl.col(first)).alias(first),
        *(pl.when(gone).then(pl.lit("")).otherwise(pl.col(name)).alias(name) for name in others),
    )


def no_marks(frame: pl.DataFrame) -> list[Fault]:
    """With a link, rows that are not released are left out; none is marked as deleted."""
    marked = frame.filter(pl.col(frame.columns[0]) == DELETED).height
    if not marked:
        return []
    message = Text(
        f"{marked} row(s) are marked DEL; beside a {LINK}, leave deleted rows out",
        f"{marked} 行に DEL があります。{LINK} があるときは、削除行は書かないでください",
    )
    return [Fault(rule="deleted-row", message=message)]


def _doubled(origins: np.ndarray) -> list[Fault]:
    _, first = np.unique(origins, return_index=True)
    lines = (np.setdiff1d(np.arange(len(origins)), first) + 2).tolist()
    wrong = Text("the row of X was named before", "X の行が重複しています")
    return [_fault(f"line {n}: {wrong.en}", f"{n} 行目: {wrong.ja}", n) for n in lines]


def _missing(named: np.ndarray, released: int) -> list[Fault]:
    lacking = np.setdiff1d(np.arange(released), named)
    if not len(lacking):
        return []
    first = int(lacking[0])
    english = f"{len(lacking)} released row(s) are not named; the first is row {first}"
    return [_fault(english, f"{len(lacking)} 行が書かれていません (最初は {first} 番の行)")]


def _fault(en: str, ja: str, line: int | None = None, column: str | None = None) -> Fault:
    message = Text(f"{LINK}: {en}", f"{LINK}: {ja}")
    return Fault(rule="link", line=line, column=column, message=message)


REFUTED = 0.5
"""The share of the released rows whose values must speak against the link."""


def link_refuted(original: Table, public: Table, link: np.ndarray, shown: np.ndarray) -> bool:
    """Whether values speak against the link in at least half of the rows.

    A row refutes its link if its values show one person for certain (`recognition.py`), the link
    names another, and that other's QI do not fit the row: methods that leave the QI true, or
    generalize, unify or exchange within them, never come there. Where half of the released rows do,
    the link as a whole is a tale: it says nothing of the other rows either, and every row counts as
    found.
    """
    against = np.flatnonzero((shown != ABSTAIN) & (shown != link))
    if len(against) < REFUTED * public.rows:
        return False
    fitting = _fits(original, public, against, link[against])
    return bool(len(against) - np.count_nonzero(fitting) >= REFUTED * public.rows)


def _fits(original: Table, public: Table, rows: np.ndarray, people: np.ndarray) -> np.ndarray:
    """Whether each person's QI fit the released row; a QI with one value in S tells nothing."""
    varying = [name for name in original.schema.qi if public.frame[name].n_unique() > 1]
    if not varying:
        return np.zeros(len(rows), dtype=bool)
    found = consistent_vector(public.frame[rows], original.frame, varying, strict=False)
    sizes = np.diff(found.start)
    pairs = np.repeat(np.arange(len(sizes)), sizes) * original.rows + found.rows
    return np.asarray(np.isin(found.group * original.rows + people, pairs) & found.answered)
