"""Anonymizes the table of a file and writes the release, if its claims are verified.

written = publish_table(request, ReleaseFiles(out="release.csv", secret="link.csv"))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

from tokumei.core.context_threads import ContextThreadPool
from tokumei.core.messages import Message
from tokumei.files.file_formats import read_ahead
from tokumei.tables.services.anonymize import make_table_release, prepare_method, run_early
from tokumei.tables.services.method_steps import settle_methods
from tokumei.tables.services.plan_table import plan_table
from tokumei.tables.services.read_table import ReadTable, read_table_file

if TYPE_CHECKING:
    from tokumei.tables.anonymization.out_of_core import OutOfCoreRelease
    from tokumei.tables.data.table import Release, Table
    from tokumei.tables.services.requests import AnonymizeTableRequest, ReleaseFiles


@dataclass(frozen=True)
class WrittenRelease:
    """A release that was verified and written, and what is to be said of it."""

    release: Release | OutOfCoreRelease
    rows: int
    source_rows: int
    unchanged: bool
    notes: Sequence[Message]
    uniqueness: Sequence[Message] = ()
    """What rows look like to somebody who knows all their cells."""
    source: Table | None = field(default=None, repr=False)
    """The table as its columns were planned, where it is in memory."""


def publish_table(request: AnonymizeTableRequest, files: ReleaseFiles) -> WrittenRelease:
    """Anonymize the table of a file where its rows are; write it if its claims are verified."""
    request = settle_methods(request)
    if request.table.engine != "local":
        from tokumei.tables.services import anonymize_out_of_core as out_of_core

        if request.table.engine == "spark":
            return out_of_core.publish_on_spark(request, files)
        return out_of_core.publish_from_disk(request, files)
    # The whole table at once; threads do what need not wait for each other.
    executor = ContextThreadPool(3)
    content, digest = read_ahead(request.table.data, executor)
    method = executor.submit(prepare_method, request)
    executor.submit(import_module, "tokumei.tables.profiling.profiler")
    executor.submit(import_module, "numpy.ma")  # Polars needs it for the first array
    read = read_table_file(request.table, content)
    plan = executor.submit(plan_table, request.table, read, method.result())
    early = run_early(request, read.table, method.result(), digest)
    release = make_table_release(request, plan.result(), early=early, digest=digest)
    uniqueness = executor.submit(describe_uniqueness, release.written, request.pseudonym)
    executor.shutdown(wait=False)
    planned = plan.result()
    notes = [*planned.notes, *_write_release(request, files, read, planned.table, release)]
    from tokumei.tables.data.column_report import has_same_rows

    unchanged = has_same_rows(planned.table, release.public)
    rows = release.public.rows, planned.table.rows
    return WrittenRelease(
        release, *rows, unchanged, notes, uniqueness.result(), source=planned.table
    )


def _write_release(
    request: AnonymizeTableRequest,
    files: ReleaseFiles,
    read: ReadTable,
    source: Table,
    release: Release,
) -> list[Message]:
    """Write a release, through the ledger if there is one; return the notes."""
    table, notes = request.table, list[Message]()
    if request.ledger.folder is None:
        from tokumei.files.release_files import save_release
        from tokumei.tables.kind import TABLES

        save_release(TABLES, release, files.out, secret=files.secret, **files.form)
    else:
        from tokumei.tables.services.record_release import save_and_record

        notes = save_and_record(request, files, source, release)
    if files.save_roles and release.account is not None:
        from tokumei.tables.services.save_roles import save_roles

        notes.append(save_roles(table, read, release.account))
    return notes


def describe_uniqueness(public: Table, pseudonym: str | None) -> list[Message]:
    """Describe how unique rows are to somebody who knows all their cells but no pseudonym."""
    from tokumei.tables.data.full_row_uniqueness import FullRowUniqueness

    if pseudonym is None:
        return [FullRowUniqueness.of(public.frame).words()]
    from tokumei.tables.anonymization.pseudonymization import describe_linkage

    return [
        FullRowUniqueness.of(public.frame.drop(pseudonym)).words(),
        describe_linkage(public, pseudonym),
    ]
