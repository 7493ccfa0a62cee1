"""Checks, scores and publishes files of pseudonyms over time that any tool made.

request = CheckPeriodsRequest(master="M.csv", original="T.csv", release="AT.csv")
faults = check_release(request)
publish_release(request, public="S.csv", secret="F.csv")
"""

from __future__ import annotations

from tokumei.core.errors import Violation
from tokumei.core.measure import Score
from tokumei.core.shared_options import refuse_overwriting_inputs
from tokumei.files.atomic_write import write_all
from tokumei.files.contest_files import ContestRows, read_contest_file
from tokumei.files.file_formats import AnyPath
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS, Months, PeriodRows
from tokumei.pseudonyms.formats.pws2017 import (
    count_periods,
    read_guess_map,
    read_master,
    read_period_history,
    read_rows,
    read_table,
    read_table_text,
    rows_output,
    table_output,
)
from tokumei.pseudonyms.measures.reidentification import GuessClaims, reid_scores
from tokumei.pseudonyms.services.requests import CheckPeriodsRequest
from tokumei.pseudonyms.verification.pws2017 import check_guess_table, require_release
from tokumei.pseudonyms.verification.pws2017 import check_release as find_violations


def check_release(request: CheckPeriodsRequest) -> list[Violation]:
    """All violations of the rules by a row-aligned file."""
    return find_violations(*_read_aligned(request))


def check_guesses(request: CheckPeriodsRequest) -> list[Violation]:
    """All violations by guesses about the public file, guess by guess.

    The months are the original's if it is given, else those of the public rows.
    """
    encoding, public = request.encoding, str(request.public)
    customers = read_master(request.master, encoding=encoding).customers
    seen = read_rows(public, encoding=encoding)
    dated = seen if request.original is None else read_rows(request.original, encoding=encoding)
    periods = Months.spanning(dated.days).count
    return [
        fault
        for path in request.guesses
        for fault in check_guess_table(
            seen, customers, read_table_text(path, periods, encoding=encoding), name=path
        )
    ]


def publish_release(
    request: CheckPeriodsRequest, *, public: AnyPath, secret: AnyPath
) -> dict[str, int]:
    """Write S and F of a contest's A(T), unless a rule is broken; how much there is."""
    refuse_overwriting_inputs((request.original, request.master, request.release), (public, secret))
    source, text = _read_aligned(request)
    require_release(source, text, where=str(request.release))
    rows = PeriodRows(text.frame)
    customers, months = source.master.customers, source.months
    table = PseudonymTable.of_rows(source.rows, rows, customers=customers, months=months)
    seen = rows.public()
    write_all([rows_output(seen, public), table_output(table, secret)])
    return {
        "rows": seen.rows,
        "pseudonyms": len(seen.people),
        "people": int((table.codes >= 0).any(axis=1).sum()),
        "pairs": int((table.codes >= 0).sum()),
    }


def score_guess(request: CheckPeriodsRequest) -> dict[str, Score]:
    """How much of the secret table a guess found; with the public file also of its rows."""
    encoding = request.encoding
    periods = count_periods(request.secret, encoding=encoding)
    truth = read_table(request.secret, periods=periods, encoding=encoding)
    if request.guess_map is not None:
        answers = GuessClaims.of_map(read_guess_map(request.guess_map, encoding=encoding), truth)
    else:
        (guess,) = request.guesses
        answers = GuessClaims.of_table(read_table(guess, periods=periods, encoding=encoding), truth)
    seen = None if request.public is None else read_rows(request.public, encoding=encoding)
    months = None
    if request.original is not None:
        months = Months.spanning(read_rows(request.original, encoding=encoding).days)
    return reid_scores(answers, public=seen, months=months)


def _read_aligned(request: CheckPeriodsRequest) -> tuple[PeriodHistory, ContestRows]:
    encoding, original = request.encoding, str(request.original)
    source = read_period_history(original, request.master, encoding=encoding)
    return source, read_contest_file(request.release, PERIOD_COLUMNS, encoding=encoding)
