"""The link in an upload: the original row of each released row, and its plausibility.

    link, faults = read_link_text(text, 900, 1_000)     # rows of the release, of X
    restore_original_order(frame, link, rows=1_000)     # as if X's order had been kept

`link.csv` has lines `released,original`, row numbers from 0, each released row once and no original
row twice: the file that `tokumei anonymize --secret` writes. Without one, row i comes from row i.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.errors import Violation
from tokumei.core.message_lines import locate_problem
from tokumei.core.messages import Message
from tokumei.files.contest_files import parse_contest_bytes
from tokumei.tables.attackers.qi_candidates import match_consistent_qi
from tokumei.tables.data.guess import ABSTAIN
from tokumei.tables.data.table import Table
from tokumei.tables.judge.upload_checks import DELETED, HEADER, check_guess, parse_guess

LINK_FILE = "link.csv"


def read_link_text(
    text: bytes, released: int, original: int
) -> tuple[np.ndarray | None, list[Violation]]:
    """For each released row that of X; or everything that is wrong with the link."""
    link_lines = parse_contest_bytes(text, HEADER, where="")
    faults = check_guess(link_lines, released, original)
    if faults:
        return None, [
            _link_violation(violation.message, violation.line, violation.column)
            for violation in faults
        ]
    pairs = parse_guess(link_lines)
    faults = _repeated_origin_violations(pairs[:, 1]) + _missing_row_violations(
        pairs[:, 0], released
    )
    if faults:
        return None, faults
    link = np.empty(released, dtype=np.int64)
    link[pairs[:, 0]] = pairs[:, 1]
    return link, []


def restore_original_order(frame: pl.DataFrame, link: np.ndarray, rows: int) -> pl.DataFrame:
    """The released cells in X's order, a row that was not released as DEL and empty cells."""
    released_row = np.full(rows, -1, dtype=np.int64)
    released_row[link] = np.arange(len(link))
    is_deleted = pl.Series(released_row < 0)
    first, *others = frame.columns
    ordered = frame[np.maximum(released_row, 0)]
    return ordered.with_columns(
        pl.when(is_deleted).then(pl.lit(DELETED)).otherwise(pl.col(first)).alias(first),
        *(
            pl.when(is_deleted).then(pl.lit("")).otherwise(pl.col(name)).alias(name)
            for name in others
        ),
    )


def deleted_mark_violations(frame: pl.DataFrame) -> list[Violation]:
    """With a link, rows that are not released are left out; none is marked as deleted."""
    marked = frame.filter(pl.col(frame.columns[0]) == DELETED).height
    if not marked:
        return []
    message = Message(
        "{count} row is marked DEL; with a {link_file}, leave deleted rows out",
        plural="{count} rows are marked DEL; with a {link_file}, leave deleted rows out",
        count=marked,
        link_file=LINK_FILE,
    )
    return [Violation(rule="deleted-row", message=message)]


def _repeated_origin_violations(origins: np.ndarray) -> list[Violation]:
    _, first = np.unique(origins, return_index=True)
    lines = (np.setdiff1d(np.arange(len(origins)), first) + 2).tolist()
    problem = Message("line {line}: the row of X was named before")
    return [_link_violation(problem.fill(line=line), line) for line in lines]


def _missing_row_violations(named: np.ndarray, released: int) -> list[Violation]:
    lacking = np.setdiff1d(np.arange(released), named)
    if not len(lacking):
        return []
    problem = Message(
        "{count} released row is not named; the first is row {row}",
        plural="{count} released rows are not named; the first is row {row}",
        count=len(lacking),
        row=int(lacking[0]),
    )
    return [_link_violation(problem)]


def _link_violation(
    problem: Message, line: int | None = None, column: str | None = None
) -> Violation:
    message = locate_problem(problem, LINK_FILE)
    return Violation(rule="link", line=line, column=column, message=message)


REFUTED_SHARE = 0.5
"""The share of the released rows whose values must speak against the link."""


def is_link_refuted(
    original: Table, public: Table, link: np.ndarray, recognised: np.ndarray
) -> bool:
    """Whether values speak against the link in at least half of the rows.

    A row refutes its link if its values show one person for certain (`value_recognition.py`), the
    link names another, and that other's QI do not fit the row: methods that leave the QI true, or
    generalize, unify or exchange within them, never come there. Where half of the released rows do,
    the link as a whole is a tale: it says nothing of the other rows either, and every row counts as
    found.
    """
    contradicting = np.flatnonzero((recognised != ABSTAIN) & (recognised != link))
    if len(contradicting) < REFUTED_SHARE * public.rows:
        return False
    fitting = _quasi_identifiers_fit(original, public, contradicting, link[contradicting])
    return bool(len(contradicting) - np.count_nonzero(fitting) >= REFUTED_SHARE * public.rows)


def _quasi_identifiers_fit(
    original: Table, public: Table, rows: np.ndarray, people: np.ndarray
) -> np.ndarray:
    """Whether each person's QI fit the released row; a QI with one value in S tells nothing."""
    varying = [name for name in original.schema.qi if public.frame[name].n_unique() > 1]
    if not varying:
        return np.zeros(len(rows), dtype=bool)
    candidates = match_consistent_qi(public.frame[rows], original.frame, varying, strict=False)
    sizes = np.diff(candidates.start)
    pairs = np.repeat(np.arange(len(sizes)), sizes) * original.rows + candidates.rows
    return np.asarray(
        np.isin(candidates.group * original.rows + people, pairs) & candidates.answered
    )
