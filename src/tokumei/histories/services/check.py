"""Checks, scores and publishes files of histories that any tool made.

request = CheckHistoryRequest(original=source, release="A.csv", k=6)
faults = check_release(request)
publish_release(request, public="A1.csv", secret="F.csv")
"""

from __future__ import annotations

import polars as pl

from tokumei.core.claims import Found
from tokumei.core.errors import ClaimError, Fault
from tokumei.core.options import spare_sources
from tokumei.core.text import Text
from tokumei.files.atomic import write_all
from tokumei.files.containers import AnyPath
from tokumei.files.contest_text import ContestText
from tokumei.histories.contest_files import check_contest, public_rows, true_pairs
from tokumei.histories.data.guess import HistoryHits, history_hits
from tokumei.histories.data.history import History
from tokumei.histories.services.read import layout_of_source, read_history
from tokumei.histories.services.requests import CheckHistoryRequest
from tokumei.histories.verify.identical_histories import NOBODY, IdenticalHistories
from tokumei.histories.verify.pws2018 import check_guess


def check_release(request: CheckHistoryRequest) -> list[Fault]:
    """All violations of the rules, and with k of identical histories, by a row-aligned file."""
    return check_contest(*_read_aligned(request), k=request.k)


def check_public(request: CheckHistoryRequest) -> Found:
    """The histories in a public file that fewer than k people share."""
    k, path = request.k or 1, request.public
    if request.engine == "spark":
        from tokumei.files.spark.session import spark_session
        from tokumei.histories.spark.files import check_history_on_spark

        with spark_session(request.cluster) as session:
            return check_history_on_spark(session, str(path), k)
    rows = layout_of_source(request.original).read_released(path)
    rows.require_regular(path)
    faults = [NOBODY]
    if rows.rows:
        faults = IdenticalHistories(k).check(rows.frame, first_line=rows.line_of(0))
    return Found(faults, len(faults))


def check_guesses(request: CheckHistoryRequest) -> list[Fault]:
    """All violations of the rules of guesses about the public file, guess by guess."""
    layout = layout_of_source(request.original)
    customers = read_history(request.original).history.customers
    public = layout.read_public(request.public)
    guesses = (layout.read_pairs(path) for path in request.guesses)
    return [fault for guess in guesses for fault in check_guess(public, customers, guess)]


def publish_release(
    request: CheckHistoryRequest, *, public: AnyPath, secret: AnyPath
) -> dict[str, int]:
    """Write the public rows and who is who, unless a rule is broken; how much there is."""
    spare_sources((*request.original.files, request.release), (public, secret))
    source, rows = _read_aligned(request)
    _require_no_faults(check_contest(source, rows, k=request.k), request.release)
    seen, truth = public_rows(source, rows), true_pairs(source, rows)
    same = truth.filter(pl.col("pseudonym").is_in(source.customers.implode())).height
    if same:  # the public file would hold a customer's own number
        message = Text(
            f"{same} pseudonym(s) are customers of the original",
            f"{same} 個の仮名が元データの顧客番号です",
        )
        fault = Fault(rule="pseudonym-is-customer", column="customer", message=message)
        _require_no_faults([fault], request.release)
    layout = layout_of_source(request.original)
    write_all([layout.rows_output(seen, public), layout.rows_output(truth, secret, secret=True)])
    return {"rows": seen.height, "people": truth.height}


def score_guess(request: CheckHistoryRequest) -> HistoryHits:
    """Score a guess file against the truth that original and release hold together."""
    source, rows = _read_aligned(request)
    _require_no_faults(check_contest(source, rows), request.release)
    (path,) = request.guesses
    guess = layout_of_source(request.original).read_pairs(path)
    _require_no_faults(check_guess(public_rows(source, rows), source.customers, guess), path)
    return history_hits(guess.frame, true_pairs(source, rows), customers=len(source.customers))


def _read_aligned(request: CheckHistoryRequest) -> tuple[History, ContestText]:
    history = read_history(request.original).history
    return history, layout_of_source(request.original).read_released(request.release)


def _require_no_faults(faults: list[Fault], where: AnyPath) -> None:
    if faults:
        raise ClaimError(
            f"{where}: breaks the rules", f"{where}: 規則に違反しています", faults=faults
        )
