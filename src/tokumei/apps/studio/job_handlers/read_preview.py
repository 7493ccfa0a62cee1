"""The job `reading`: the first rows as they would be read with other options, cells masked.

Also how a project's file is asked for, and what is in doubt about the way it was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ReadingState
from tokumei.apps.studio.store.records import JobArguments, PlainData
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.files.file_formats import FileFormat, detect_format
from tokumei.tables.services.profile import ProfileTableRequest, profile_table

if TYPE_CHECKING:
    from tokumei.apps.studio.jobs.worker import ProgressWriter
    from tokumei.tables.profiling.profile import TableProfile

PREVIEW_ROWS = 2_000
SHOWN_ROWS = 8
ONE_COLUMN_SEPARATOR = ","
READING_PREVIEW = Message("reading the first rows")
ONE_COLUMN = Message("It has one column: nothing splits its lines.")
MADE_UP_NAMES = Message("These columns have no name in the file: {columns}")
OTHER_SHEETS = Message("It has several sheets: {sheets}. Read is {sheet}.")
SKIPPED_LINES = Message("Lines above and below the rows were skipped: {above} and {below}.")
REPLACED_BYTES = Message("Some bytes are no text in the encoding that was found.")


def reading_request(
    project: Project, reading: ReadingState, off: Sequence[str], rows: int | None = None
) -> ProfileTableRequest:
    """The request that profiles a project's file, read as somebody said."""
    said = reading.model_dump()
    encoding = said.pop("encoding") or "auto"
    request = ProfileTableRequest(
        data=str(project.source), no_normalize=tuple(off), encoding=encoding, **said
    )
    return request if rows is None else replace(request, rows=rows)


def is_text(path: Path) -> bool:
    """Whether a file is a text with columns, no workbook and no Parquet file."""
    return detect_format(path) not in (FileFormat.XLSX, FileFormat.PARQUET)


def list_doubts(profile: TableProfile) -> list[Message]:
    """What somebody should look at before they trust the way the file was read."""
    source = profile.source
    doubts = [warning.message for warning in source.warnings]
    if len(profile.columns) == 1:
        doubts.append(ONE_COLUMN)
    if source.renamed:
        doubts.append(MADE_UP_NAMES.fill(columns=", ".join(source.renamed[:8])))
    if len(source.sheets) > 1 and source.sheet:
        doubts.append(OTHER_SHEETS.fill(sheets=", ".join(source.sheets), sheet=source.sheet))
    if source.above or source.below:
        doubts.append(SKIPPED_LINES.fill(above=source.above, below=source.below))
    if source.replaced:
        doubts.append(REPLACED_BYTES)
    return doubts


def preview_reading(project: Project, args: JobArguments, teller: ProgressWriter) -> None:
    """Read the file with other options, and keep its first rows or what is wrong with them."""
    from tokumei.tables.profiling.report.preview import build_preview
    from tokumei.tables.profiling.report.text_report import file_line

    reading = ReadingState.model_validate(args["reading"])
    with progress_bar(READING_PREVIEW, None):
        request = reading_request(project, reading, project.state().off, PREVIEW_ROWS)
        try:
            profile = profile_table(request)
        except TokumeiError as error:
            problems = [error.message, *(fault.message for fault in error.faults)]
            found: PlainData = {"problems": [problem.texts() for problem in problems]}
        else:
            rows = build_preview(profile).rows[:SHOWN_ROWS]
            found = {
                "problems": [],
                "columns": [column.name for column in profile.columns],
                "rows": [[[cell.text, cell.masked] for cell in row] for row in rows],
                "file_line": file_line(profile).texts(),
            }
        project.write_result("reading", {"said": reading.options(), **found})
