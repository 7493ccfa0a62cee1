"""Measures what a release under changing pseudonyms is still good for."""

from __future__ import annotations

from tokumei.core.measure import Score
from tokumei.core.result_table import MeasureResults
from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows
from tokumei.pseudonyms.measures.contest_measures import score_measures
from tokumei.pseudonyms.measures.protocol import PeriodCase
from tokumei.pseudonyms.services.requests import MeasurePeriodsRequest


def measure_periods(request: MeasurePeriodsRequest) -> MeasureResults[Score]:
    """Take the judge's measures, or those named."""
    encoding, master = request.encoding, request.master
    case = PeriodCase(
        read_rows(request.original, encoding=encoding),
        read_rows(request.release, encoding=encoding),
        None if master is None else read_master(master, encoding=encoding),
    )
    return MeasureResults(score_measures(case, request.methods, params=request.params))
