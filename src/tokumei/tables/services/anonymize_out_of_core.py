"""Anonymizes tables whose rows never come to memory: from disk to disk, or on a Spark cluster."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.messages import Message
from tokumei.tables.services.publish import WrittenRelease

if TYPE_CHECKING:
    from tokumei.tables.anonymization.out_of_core import Roles
    from tokumei.tables.services.requests import AnonymizeTableRequest, ReleaseFiles, TableRequest

READ_VERBATIM = Message(
    "Cells are read as they are: no normalization, and a row of empty cells is a row; in a "
    "generalized column of dates with times, exact ones may be written as 2024-05-01T08:30"
)
"""What engines that never hold the rows do otherwise than the one in memory."""


def publish_from_disk(request: AnonymizeTableRequest, files: ReleaseFiles) -> WrittenRelease:
    """Anonymize from disk to disk, for files larger than memory."""
    from tokumei.tables.anonymization.in_memory import build_method
    from tokumei.tables.anonymization.stream import anonymize_stream, save_stream
    from tokumei.tables.engines.stream_files import open_stream

    table = request.table
    roles = _require_roles(
        table,
        Message(
            "a table that stays on disk needs roles: name the quasi-identifiers with {option}",
            option=field_name("qi"),
        ),
    )
    method = build_method(request.steps, {})
    source = open_stream(table.data, sep=table.sep, encoding=table.encoding)
    release = anonymize_stream(
        table.data,
        method,
        roles,
        seed=request.seed,
        keep_order=request.keep_order,
        sep=source.sep if source.is_text else None,
        encoding=table.encoding,
        consent=table.consent,
    )
    release = replace(release, scenario=table.scenario)
    save_stream(release, files.out, secret=files.secret, sep=table.sep or source.sep)
    notes = [Message("Rows stay on disk (stream)"), READ_VERBATIM]
    return WrittenRelease(release, release.rows, release.source_rows, release.unchanged, notes)


def publish_on_spark(request: AnonymizeTableRequest, files: ReleaseFiles) -> WrittenRelease:
    """Anonymize on a cluster, where the rows stay."""
    from tokumei.files.file_formats import FileFormat, detect_format
    from tokumei.files.spark.session import spark_session
    from tokumei.files.spark.table_files import SPARK_SUFFIXES, read_spark_table
    from tokumei.tables.anonymization.in_memory import build_method
    from tokumei.tables.anonymization.spark import anonymize_on_spark, save_on_spark

    table = request.table
    roles = _require_roles(
        table,
        Message(
            "--engine spark does not infer roles: name the quasi-identifiers with {option}",
            option=field_name("qi"),
        ),
    )
    method, notes = build_method(request.steps, {}), [READ_VERBATIM]
    form = detect_format(files.out, SPARK_SUFFIXES)
    with spark_session(request.cluster) as session:
        source = read_spark_table(session, table.data, sep=table.sep, encoding=table.encoding)
        release = anonymize_on_spark(
            source,
            method,
            roles,
            seed=request.seed,
            keep_order=request.keep_order,
            as_text=form is not FileFormat.PARQUET,
            fragments=request.fragments,
            tell=notes.append,
            consent=table.consent,
        )
        release = replace(release, scenario=table.scenario)
        save_on_spark(release, files.out, secret=files.secret, sep=table.sep or source.sep)
    notes += [_link_note(f"{files.secret}.provenance.json")] if files.secret is not None else []
    return WrittenRelease(release, release.rows, release.source_rows, release.unchanged, notes)


def _require_roles(table: TableRequest, needed: Message) -> Roles:
    from tokumei.tables.anonymization.out_of_core import Roles

    if not table.qi:
        raise UsageError(needed)
    qi, sa, ids = (
        list(names or ()) for names in (table.roles["qi"], table.roles["sa"], table.roles["ids"])
    )
    return Roles(qi, sa, ids, table.kind)


def _link_note(place: str) -> Message:
    return Message(
        "The Spark engine keeps no link of rows; only the seed is written to {place}", place=place
    )
