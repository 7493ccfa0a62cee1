"""Anonymizes a table: read, plan every column, run the methods, verify; `publish` writes it.

    release = anonymize_table(request, frame).release

The same steps whichever way a table comes; rows in memory, on disk and on a cluster are engines.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message
from tokumei.files.frame_roundtrip import NativeFrameType
from tokumei.release_gate.gate import require_clean_frame
from tokumei.tables.services.method_steps import settle_methods
from tokumei.tables.services.plan_table import plan_table

if TYPE_CHECKING:
    from tokumei.tables.anonymization.column_plan import ColumnPlan
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.data.table import Release, Table
    from tokumei.tables.profiling.profile import TableProfile
    from tokumei.tables.services.requests import AnonymizeTableRequest


@dataclass(frozen=True, eq=False)
class ReleasedTable:
    """A release, the table it was made from as its columns were planned, and remarks."""

    release: Release
    source: Table = field(repr=False)
    notes: list[Message]


def anonymize_table(
    request: AnonymizeTableRequest,
    source: object | None = None,
    *,
    profile: TableProfile | None = None,
) -> ReleasedTable:
    """Anonymize and verify a frame or Table in memory, or else the file of the request.

    `profile` is that of the table, if it was taken before.
    """
    native, notes, request = NativeFrameType.of(source), list[Message](), settle_methods(request)
    if source is None:
        from tokumei.files.file_formats import sha256_of_file
        from tokumei.tables.services.read_table import open_table_file

        opened = open_table_file(request.table)
        request = replace(request, table=opened.request, sha256=sha256_of_file(request.table.data))
        request = settle_methods(request)
        source, notes = opened.read, opened.notes
    planned = plan_table(request.table, source, prepare_method(request), profile=profile)
    notes = [*notes, *planned.notes]
    release = replace(make_table_release(request, planned), native=native, notes=tuple(notes))
    release = verify_table_release(release)
    require_clean_frame(release.written.frame, release.terms)
    return ReleasedTable(release, planned.table, notes)


def plan_source(
    request: AnonymizeTableRequest, source: object, profile: TableProfile | None = None
) -> ColumnPlan:
    """Plan what becomes of every column of a table that was read, a frame or a Table."""
    request = settle_methods(request)
    return plan_table(request.table, source, prepare_method(request), profile=profile)


def try_method(table: Table, method: TableMethod, *, seed: int | None) -> Release:
    """A verified release of a table whose columns are planned; nobody is to publish it."""
    from tokumei.tables.anonymization.in_memory import make_release

    return verify_table_release(make_release(table, method, seed=seed))


def verify_table_release(release: Release) -> Release:
    """The release, all of whose claims hold; fail otherwise."""
    from tokumei.core.verification import verify_release
    from tokumei.tables.kind import TABLES

    return verify_release(TABLES, release).release


@dataclass(frozen=True)
class EarlyRelease:
    """A release made while the columns were still being planned, or why it could not be."""

    table: Table
    method: TableMethod
    outcome: Release | TokumeiError


def make_table_release(
    request: AnonymizeTableRequest,
    planned: ColumnPlan,
    *,
    early: EarlyRelease | None = None,
    digest: Future[str] | None = None,
) -> Release:
    """Make the release of a planned table, not yet verified.

    An early release counts only if the plan left table and method as they were.
    """
    from tokumei.files.reading import detect_file_separator
    from tokumei.tables.anonymization.in_memory import make_release, with_column_report
    from tokumei.tables.anonymization.release_terms import with_terms

    table, method = planned.table, planned.method
    if early is None or early.table is not table or early.method != method:
        release = make_release(
            table,
            _shape_method(request, table, method),
            seed=request.seed,
            keep_order=request.keep_order,
            sha256=request.sha256 if digest is None else digest.result(),
        )
    elif isinstance(early.outcome, TokumeiError):
        raise early.outcome
    else:
        release = early.outcome
    release = with_column_report(release, table, planned.account)
    separator = request.table.sep or ","
    if request.table.data and not request.table.sep:
        separator = detect_file_separator(request.table.data, encoding=request.table.encoding)
    release = replace(release, separator=separator, scenario=request.table.scenario)
    if request.pseudonym is not None:
        release = _pseudonymize(request, planned, release)
    return with_terms(release, table, request.table.consent)


def run_early(
    request: AnonymizeTableRequest, table: Table, method: TableMethod, digest: Future[str] | None
) -> EarlyRelease | None:
    """Run the method on a large table while its columns are still being planned."""
    from tokumei.tables.anonymization.default_hierarchies import add_default_hierarchies
    from tokumei.tables.anonymization.in_memory import make_release
    from tokumei.tables.profiling.first_rows import PROFILED_ROWS

    if table.rows <= PROFILED_ROWS or request.table.inferred:
        return None
    method = add_default_hierarchies(method, table, request.table.sets)
    try:
        release = make_release(
            table,
            _shape_method(request, table, method),
            seed=request.seed,
            keep_order=request.keep_order,
            sha256=request.sha256 if digest is None else digest.result(),
        )
    except TokumeiError as error:
        return EarlyRelease(table, method, error)
    return EarlyRelease(table, method, release)


def _shape_method(request: AnonymizeTableRequest, table: Table, method: TableMethod) -> TableMethod:
    """The method, kept to the classes of earlier releases and widened as requested."""
    if request.ledger.keeps_classes:
        from tokumei.tables.services.record_release import keep_earlier_classes

        method = keep_earlier_classes(request, table, method)
    if request.slack is not None:
        from tokumei.tables.ledger.cell_widening import CellWidening

        method = CellWidening(method, request.slack)
    return method


def _pseudonymize(request: AnonymizeTableRequest, planned: ColumnPlan, release: Release) -> Release:
    """Replace the person column by random pseudonyms that hold for this release only."""
    from tokumei.core.randomness import Randomness
    from tokumei.tables.anonymization.pseudonymization import (
        pseudonymize_person,
        require_person_column,
    )

    column = str(request.pseudonym)
    require_person_column(planned.method, column, planned.account.person)
    rng = Randomness(request.seed)
    return pseudonymize_person(release, planned.table, column, rng=rng)


def prepare_method(request: AnonymizeTableRequest) -> TableMethod:
    """Build the method of a request, ready to start."""
    from tokumei.tables.anonymization.in_memory import build_method

    method = build_method(request.steps, {})
    method.prepare()
    return method
