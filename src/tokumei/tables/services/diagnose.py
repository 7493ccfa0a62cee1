"""Finds out which methods made a release."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.diagnosis.diagnose import Diagnosis, diagnose
from tokumei.tables.diagnosis.effect_symbols import Thresholds
from tokumei.tables.services.comparison_requests import DiagnoseTableRequest
from tokumei.tables.services.open_comparison import open_comparison


@dataclass(frozen=True)
class DiagnosedTable:
    """The diagnosis, and remarks on how the files were read."""

    diagnosis: Diagnosis
    notes: list[Message]


def diagnose_table(request: DiagnoseTableRequest) -> DiagnosedTable:
    """Compare original and release, and collect the evidence for every method."""
    opened = open_comparison(request.comparison)
    limits = Thresholds(request.harm, request.times, request.paper)
    rng = Randomness(request.seed)
    diagnosis = diagnose(opened.case, rng=rng, limits=limits, claimed=opened.linked)
    return DiagnosedTable(diagnosis, opened.notes)
