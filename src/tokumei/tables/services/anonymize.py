"""Anonymizes a table: read, plan every column, run the methods, verify; `publish` writes it.

    release = anonymize_table(request, frame)

The same steps whichever way a table comes; rows in memory, on disk and on a cluster are engines.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message
from tokumei.files.frame_roundtrip import NativeFrameType
from tokumei.tables.services.settle_methods import settle_methods

if TYPE_CHECKING:
    from tokumei.files.frame_conversion import ArrowFrame
    from tokumei.tables.anonymization.column_plan import ColumnPlan
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.data.table import Release, Table
    from tokumei.tables.profiling.profile import TableProfile
    from tokumei.tables.services.read_table import ReadTable
    from tokumei.tables.services.requests import AnonymizeTableRequest, TableRequest

    TableData = ReadTable | Table | ArrowFrame


@dataclass(frozen=True, eq=False)
class ReleasedTable:
    """A release, the table it was made from as its columns were planned, and remarks."""

    release: Release
    source: Table = field(repr=False)
    notes: list[Message]


def anonymize_table(request: AnonymizeTableRequest, source: TableData | None = None) -> Release:
    """Anonymize a frame or Table in memory, or else the file of the request; not yet verified."""
    released = _make_release(request, source)
    return replace(released.release, native=NativeFrameType.of(source), notes=tuple(released.notes))


def release_table(
    request: AnonymizeTableRequest,
    source: TableData | None = None,
    *,
    profile: TableProfile | None = None,
) -> ReleasedTable:
    """Anonymize and verify; `profile` is that of the table, if it was taken before."""
    released = _make_release(request, source, profile)
    verify_table_release(released.release)
    return released


def try_method(table: Table, method: TableMethod, *, seed: int | None) -> Release:
    """A verified release of a table whose columns are planned; nobody is to publish it."""
    from tokumei.tables.anonymization.in_memory import make_release

    release = make_release(table, method, seed=seed)
    verify_table_release(release)
    return release


def verify_table_release(release: Release) -> Release:
    """The release, all of whose claims hold; fail otherwise."""
    from tokumei.core.verification import verify_release
    from tokumei.tables.kind import TABLES

    return verify_release(TABLES, release).release


def _make_release(
    request: AnonymizeTableRequest, source: TableData | None, profile: TableProfile | None = None
) -> ReleasedTable:
    from tokumei.tables.services.read_table import open_table_file

    request = settle_methods(request)
    notes: list[Message] = []
    if source is None:
        from tokumei.files.file_formats import sha256_of_file

        opened = open_table_file(request.table)
        request = replace(request, table=opened.request, sha256=sha256_of_file(request.table.data))
        request = settle_methods(request)
        source, notes = opened.read, opened.notes
    planned = plan_source(request, source, profile)
    release = make_table_release(request, planned)
    return ReleasedTable(release, planned.table, [*notes, *planned.notes])


def plan_source(
    request: AnonymizeTableRequest, source: TableData, profile: TableProfile | None = None
) -> ColumnPlan:
    """Plan what becomes of every column of a table that was read, a frame or a Table."""
    from tokumei.tables.services.plan_table import plan_read_table, plan_table
    from tokumei.tables.services.read_table import ReadTable

    request = settle_methods(request)
    method = prepare_method(request)
    if isinstance(source, ReadTable):
        return plan_read_table(request.table, source, method, profile=profile)
    return plan_table(request.table, source, method)


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
    from tokumei.tables.anonymization.in_memory import with_column_report

    is_usable = (
        early is not None and early.table is planned.table and early.method == planned.method
    )
    if early is None or not is_usable:
        release = _run_method(request, planned.table, planned.method, digest)
    elif isinstance(early.outcome, TokumeiError):
        raise early.outcome
    else:
        release = early.outcome
    release = with_column_report(release, planned.table, planned.account)
    release = replace(release, separator=_separator_of(request.table))
    return release if request.pseudonym is None else _pseudonymize(request, planned, release)


def _separator_of(table: TableRequest) -> str:
    """What stands between the cells of the file of a request; a comma if it has none."""
    from tokumei.files.reading import detect_file_separator

    if table.sep or not table.data:
        return table.sep or ","
    return detect_file_separator(table.data, encoding=table.encoding)


def run_early(
    request: AnonymizeTableRequest,
    table: Table,
    method: TableMethod,
    digest: Future[str] | None,
) -> EarlyRelease | None:
    """Run the method on a large table while its columns are still being planned."""
    from tokumei.tables.anonymization.default_hierarchies import add_default_hierarchies
    from tokumei.tables.profiling.first_rows import PROFILED_ROWS

    if table.rows <= PROFILED_ROWS or request.table.inferred:
        return None
    method = add_default_hierarchies(method, table, request.table.sets)
    try:
        return EarlyRelease(table, method, _run_method(request, table, method, digest))
    except TokumeiError as error:
        return EarlyRelease(table, method, error)


def _run_method(
    request: AnonymizeTableRequest,
    table: Table,
    method: TableMethod,
    digest: Future[str] | None,
) -> Release:
    """Run the method, kept to the classes of earlier releases and widened as requested."""
    from tokumei.tables.anonymization.in_memory import make_release

    if request.ledger.keeps_classes:
        from tokumei.tables.services.record_release import keep_earlier_classes

        method = keep_earlier_classes(request, table, method)
    if request.slack is not None:
        from tokumei.tables.ledger.cell_widening import CellWidening

        method = CellWidening(method, request.slack)
    return make_release(
        table,
        method,
        seed=request.seed,
        keep_order=request.keep_order,
        sha256=request.sha256 if digest is None else digest.result(),
    )


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
