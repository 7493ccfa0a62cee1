"""Evidence for conformity reports on generalized histories (format `pws2018`)."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.conformity import AttackFigure, CaseFiles, ConformityCase, Dossier, traced
from tokumei.core.flow import run_attacks
from tokumei.core.randomness import Randomness
from tokumei.core.rates import wilson
from tokumei.files.contest_case import KNOWN, contest_case, refuse_table_options
from tokumei.files.contest_text import ContestText
from tokumei.histories.challenge import HistoryChallenge
from tokumei.histories.contest_files import public_rows, true_pairs
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.formats.pws2018 import contest_history
from tokumei.histories.kind import HISTORIES
from tokumei.histories.measures.hits import history_hits

DELETED = "*"


def history_dossier(files: CaseFiles, *, seed: int) -> Dossier:
    """The case of T and A, and the attacks on A."""
    refuse_table_options(files)
    files.refuse(master=files.master)
    case = contest_case(files, COLUMNS, deleted=DELETED)
    # The row-aligned release is secret: only a public file may be told by its hash.
    return Dossier(case, history_figures(case, seed=seed), handed_out=files.public)


def history_figures(case: ConformityCase, *, seed: int) -> tuple[AttackFigure, ...]:
    """The share of pseudonyms found, by what is known."""
    original, release = _parts(case)
    public, truth = public_rows(original, release), true_pairs(original, release)
    people, figures = len(original.customers), []
    for what, alpha in KNOWN.items():
        rng = Randomness(seed).child(what.en)
        rows = np.sort(rng.permutation(original.rows)[: round(alpha * original.rows)])
        challenge = HistoryChallenge(public, original.take(rows))
        for name, guess in run_attacks(HISTORIES, challenge, ["best"], rng=rng).items():
            hits = history_hits(guess, truth, customers=people).hits
            low, high = wilson(hits, truth.height)
            figures.append(AttackFigure(what, name, hits / truth.height, low, high, 1 / people))
    return tuple(figures)


def _parts(case: ConformityCase) -> tuple[History, ContestText]:
    before, origin = traced(case)
    text = before.select(COLUMNS)
    cells = {name: pl.repeat(DELETED, text.height, eager=True) for name in COLUMNS}
    rows = pl.Series(origin)
    released = {name: column.scatter(rows, case.release[name]) for name, column in cells.items()}
    return contest_history(_contest_text(text)), _contest_text(pl.DataFrame(released))


def _contest_text(frame: pl.DataFrame) -> ContestText:
    return ContestText(frame, np.full(frame.height, frame.width))
