"""Contest files of histories: checks, publication, links, and their conformity case."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.attack_rates import wilson
from tokumei.core.conformity_case import (
    AttackFigure,
    CaseFiles,
    ConformityCase,
    Dossier,
    require_traced,
)
from tokumei.core.errors import Violation
from tokumei.core.randomness import Randomness
from tokumei.core.workflow import run_attacks
from tokumei.files.contest_conformity import (
    KNOWLEDGE_SHARES,
    build_contest_case,
    refuse_table_options,
)
from tokumei.files.contest_files import ContestRows
from tokumei.histories.attackers.protocol import HistoryChallenge
from tokumei.histories.data.cell_parsing import parse_general_history
from tokumei.histories.data.generalized_history import format_general_history, select_public_rows
from tokumei.histories.data.guess import history_hits
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.formats.pws2018 import parse_contest_history
from tokumei.histories.kind import HISTORIES
from tokumei.histories.verification.identical_histories import IdenticalHistories
from tokumei.histories.verification.pws2018 import check_release


def check_contest_release(
    original: History, release: ContestRows, *, k: int | None = None
) -> list[Violation]:
    """All rules of the 2018 format; with k also that k people share every history."""
    faults = check_release(original, release)
    if faults or k is None:
        return faults
    return IdenticalHistories(k).check(release.frame)


def public_rows(original: History, release: ContestRows) -> pl.DataFrame:
    """What attackers get to see: cells in one spelling, since another could carry a message.

    Members of sets are sorted, numbers have no needless zeros, days no leading ones.
    """
    return select_public_rows(
        format_general_history(parse_general_history(release.frame, original))
    )


def true_pairs(original: History, release: ContestRows) -> pl.DataFrame:
    """Pseudonym and customer, row by row, each pair once, sorted by pseudonym."""
    pairs = pl.DataFrame(
        {"pseudonym": release.frame["customer"], "customer": original.frame["customer"]}
    )
    return pairs.filter(pl.col("pseudonym") != "*").unique().sort("pseudonym")


DELETED = "*"


def history_dossier(files: CaseFiles, *, seed: int) -> Dossier:
    """The case of T and A, and the attacks on A."""
    refuse_table_options(files)
    files.refuse_unused(master=files.master, effects=files.effects)
    case = build_contest_case(files, COLUMNS, deleted=DELETED)
    # The row-aligned release is secret: only a public file may be told by its hash.
    return Dossier(case, history_attack_figures(case, seed=seed), handed_out=files.public)


def history_attack_figures(case: ConformityCase, *, seed: int) -> tuple[AttackFigure, ...]:
    """The share of pseudonyms found, by what is known."""
    original, release = _split_case(case)
    public, truth = public_rows(original, release), true_pairs(original, release)
    people, figures = len(original.customers), []
    for knowledge, alpha in KNOWLEDGE_SHARES.items():
        rng = Randomness(seed).child(knowledge.id)
        rows = np.sort(rng.permutation(original.rows)[: round(alpha * original.rows)])
        challenge = HistoryChallenge(public, original.take(rows))
        for name, guess in run_attacks(HISTORIES, challenge, ["best"], rng=rng).items():
            hits = history_hits(guess, truth, customers=people).hits
            low, high = wilson(hits, truth.height)
            figures.append(
                AttackFigure(knowledge, name, hits / truth.height, low, high, 1 / people)
            )
    return tuple(figures)


def _split_case(case: ConformityCase) -> tuple[History, ContestRows]:
    before, origin = require_traced(case)
    text = before.select(COLUMNS)
    cells = {name: pl.repeat(DELETED, text.height, eager=True) for name in COLUMNS}
    rows = pl.Series(origin)
    released = {name: column.scatter(rows, case.release[name]) for name, column in cells.items()}
    return parse_contest_history(_to_contest_text(text)), _to_contest_text(pl.DataFrame(released))


def _to_contest_text(frame: pl.DataFrame) -> ContestRows:
    return ContestRows(frame, np.full(frame.height, frame.width))
