"""Checks, scores and publishes files of histories that any tool made.

request = CheckHistoryRequest(original=source, release="A.csv", k=6)
faults = check_release(request)
publish_release(request, public="A1.csv", secret="F.csv")
"""

from __future__ import annotations

import polars as pl

from tokumei.core.claims import VerificationResult
from tokumei.core.errors import ClaimError, Violation
from tokumei.core.messages import Message
from tokumei.core.shared_options import refuse_overwriting_inputs
from tokumei.files.atomic_write import write_all
from tokumei.files.contest_files import ContestRows
from tokumei.files.file_formats import AnyPath
from tokumei.files.rows_digest import require_rows_of_manifest
from tokumei.histories.contest_files import check_contest_release, public_rows, true_pairs
from tokumei.histories.data.guess import HistoryHits, history_hits
from tokumei.histories.data.history import History
from tokumei.histories.services.read import layout_of_source, read_history
from tokumei.histories.services.requests import CheckHistoryRequest
from tokumei.histories.verification.identical_histories import NO_ROWS_VIOLATION, IdenticalHistories
from tokumei.histories.verification.pws2018 import check_guess


def check_release(request: CheckHistoryRequest) -> list[Violation]:
    """All violations of the rules, and with k of identical histories, by a row-aligned file."""
    return check_contest_release(*_read_aligned(request), k=request.k)


def check_public(request: CheckHistoryRequest) -> VerificationResult:
    """The histories in a public file that fewer than k people share."""
    k, path = request.k or 1, request.public
    if request.engine == "spark":
        from tokumei.files.spark.session import spark_session
        from tokumei.histories.spark.release_files import check_history_on_spark

        with spark_session(request.cluster) as session:
            return check_history_on_spark(session, str(path), k)
    require_rows_of_manifest(path)
    rows = layout_of_source(request.original).read_released(path)
    rows.require_regular(path)
    faults = [NO_ROWS_VIOLATION]
    if rows.rows:
        faults = IdenticalHistories(k).check(rows.frame, first_line=rows.line_of(0))
    return VerificationResult(faults, len(faults))


def check_guesses(request: CheckHistoryRequest) -> list[Violation]:
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
    refuse_overwriting_inputs((*request.original.files, request.release), (public, secret))
    source, rows = _read_aligned(request)
    _require_no_faults(check_contest_release(source, rows, k=request.k), request.release)
    seen, truth = public_rows(source, rows), true_pairs(source, rows)
    same = truth.filter(pl.col("pseudonym").is_in(source.customers.implode())).height
    if same:  # the public file would hold a customer's own number
        message = Message(
            "{count} pseudonym is a customer of the original",
            plural="{count:,} pseudonyms are customers of the original",
            count=same,
        )
        fault = Violation(rule="pseudonym-is-customer", column="customer", message=message)
        _require_no_faults([fault], request.release)
    layout = layout_of_source(request.original)
    write_all([layout.rows_output(seen, public), layout.rows_output(truth, secret, secret=True)])
    return {"rows": seen.height, "people": truth.height}


def score_guess(request: CheckHistoryRequest) -> HistoryHits:
    """Score a guess file against the truth that original and release hold together."""
    source, rows = _read_aligned(request)
    _require_no_faults(check_contest_release(source, rows), request.release)
    (path,) = request.guesses
    guess = layout_of_source(request.original).read_pairs(path)
    _require_no_faults(check_guess(public_rows(source, rows), source.customers, guess), path)
    return history_hits(guess.frame, true_pairs(source, rows), customers=len(source.customers))


def _read_aligned(request: CheckHistoryRequest) -> tuple[History, ContestRows]:
    history = read_history(request.original).history
    return history, layout_of_source(request.original).read_released(request.release)


def _require_no_faults(faults: list[Violation], where: AnyPath) -> None:
    if faults:
        raise ClaimError("{path}: breaks the rules", faults=faults, path=where)
