"""Contest files of histories: check, publish and score from path to path; conformity of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from tokumei.core.conformity import AttackFigure, CaseFiles, ConformityCase, Dossier, traced
from tokumei.core.errors import ClaimError, Fault
from tokumei.core.flow import run_attacks
from tokumei.core.randomness import Randomness
from tokumei.core.rates import wilson
from tokumei.core.text import Text
from tokumei.files.atomic import write_all
from tokumei.files.containers import AnyPath
from tokumei.files.contest_case import KNOWN, contest_case, refuse_table_options
from tokumei.files.contest_text import ContestText, contest_output, read_contest
from tokumei.histories.attackers.protocol import HistoryChallenge
from tokumei.histories.data.general import general_text, public_text
from tokumei.histories.data.guess import HistoryHits, history_hits
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.data.parsing import parse_general
from tokumei.histories.formats.layout import HistoryLayout
from tokumei.histories.formats.pws2018 import Pws2018, contest_history
from tokumei.histories.kind import HISTORIES
from tokumei.histories.verify.identical_histories import IdenticalHistories
from tokumei.histories.verify.pws2018 import check_guess, check_release


def check_contest(original: History, release: ContestText, *, k: int | None = None) -> list[Fault]:
    """All rules of the 2018 format; with k also that k people share every history."""
    faults = check_release(original, release)
    if faults or k is None:
        return faults
    return IdenticalHistories(k).check(release.frame)


def public_rows(original: History, release: ContestText) -> pl.DataFrame:
    """What attackers get to see: cells in one spelling, since another could carry a message.

    Members of sets are sorted, numbers have no needless zeros, days no leading ones.
    """
    return public_text(general_text(parse_general(release.frame, original)))


def true_pairs(original: History, release: ContestText) -> pl.DataFrame:
    """Pseudonym and customer, row by row, each pair once, sorted by pseudonym."""
    pairs = pl.DataFrame(
        {"pseudonym": release.frame["customer"], "customer": original.frame["customer"]}
    )
    return pairs.filter(pl.col("pseudonym") != "*").unique().sort("pseudonym")


def publish_contest(
    original: AnyPath,
    release: AnyPath,
    *,
    public: AnyPath,
    secret: AnyPath,
    k: int | None = None,
    encoding: str = "auto",
) -> dict[str, Any]:
    """Write the public rows and who is who, unless a rule is broken; how much there is."""
    source = Pws2018(encoding=encoding).read(original)
    rows = read_contest(release, COLUMNS, encoding=encoding)
    _require(check_contest(source, rows, k=k), release)
    seen, truth = public_rows(source, rows), true_pairs(source, rows)
    same = truth.filter(pl.col("pseudonym").is_in(source.customers.implode())).height
    if same:  # the public file would hold a customer's own number
        message = Text(
            f"{same} pseudonym(s) are customers of the original",
            f"{same} 個の仮名が元データの顧客番号です",
        )
        fault = Fault(rule="pseudonym-is-customer", column="customer", message=message)
        _require([fault], release)
    write_all([contest_output(seen, public), contest_output(truth, secret, secret=True)])
    return {"rows": seen.height, "people": truth.height}


def contest_hits(
    original: AnyPath, release: AnyPath, guess: AnyPath, *, layout: HistoryLayout
) -> HistoryHits:
    """Score a guess file against the truth that original and release hold together."""
    source, rows = layout.read(original), layout.read_released(release)
    _require(check_release(source, rows), release)
    named = layout.read_pairs(guess)
    _require(check_guess(public_rows(source, rows), source.customers, named), guess)
    truth = true_pairs(source, rows)
    return history_hits(named.frame, truth, customers=len(source.customers))


def _require(faults: list[Fault], where: AnyPath) -> None:
    if faults:
        raise ClaimError(
            f"{where}: breaks the rules", f"{where}: 規則に違反しています", faults=faults
        )


DELETED = "*"


def history_dossier(files: CaseFiles, *, seed: int) -> Dossier:
    """The case of T and A, and the attacks on A."""
    refuse_table_options(files)
    files.refuse(master=files.master, effects=files.effects)
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
