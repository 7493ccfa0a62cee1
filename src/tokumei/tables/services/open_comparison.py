"""Puts an original and a release side by side, whichever way each of them comes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Release, Table
from tokumei.tables.services.comparison_requests import ComparisonRequest, is_path

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, eq=False)
class OpenComparison:
    """Both sides row by row, remarks on how they were read, and whether a link was given."""

    case: Comparison = field(repr=False)
    notes: list[Message]
    linked: bool


def open_comparison(request: ComparisonRequest) -> OpenComparison:
    """Read what is in files, take the rest as it is, and compare by the link."""
    linked = request.link is not None or isinstance(request.release, Release)
    if is_path(request.original) and is_path(request.release):
        case, notes = _read_files(request)
        return OpenComparison(case, notes, linked)
    from tokumei.tables.comparisons import compare

    request, notes = _read_single_file(_with_roles_of_release(request))
    case = compare(
        request.original,
        request.release,
        link=_read_link(request),
        qi=request.qi,
        sa=request.sa,
        cross=request.cross,
        hierarchies=request.hierarchies,
        person=request.person,
    )
    return OpenComparison(case, notes, linked)


def _read_files(request: ComparisonRequest) -> tuple[Comparison, list[Message]]:
    from tokumei.tables.services.read_comparison import read_comparison

    return read_comparison(
        str(request.original),
        str(request.release),
        truth=str(request.link) if is_path(request.link) else cast("np.ndarray", request.link),
        qi=request.qi,
        sa=request.sa,
        kinds=request.kind,
        cross=request.cross,
        hierarchies=cast("str | None", request.hierarchies),
        person=request.person,
        sep=request.sep,
        encoding=request.encoding,
    )


def _with_roles_of_release(request: ComparisonRequest) -> ComparisonRequest:
    """Columns of a file that nobody named have the roles that a Release gives them."""
    release = request.release
    if request.qi is not None or request.sa is not None or not isinstance(release, Release):
        return request
    if not is_path(request.original):
        return request
    schema = release.public.schema
    return replace(request, qi=tuple(schema.qi), sa=tuple(schema.sa))


def _read_single_file(request: ComparisonRequest) -> tuple[ComparisonRequest, list[Message]]:
    """Read the file of one side, the other being in memory."""
    from tokumei.tables.data.reading import read_table
    from tokumei.tables.services.read_comparison import read_original

    if is_path(request.original):
        table, notes = read_original(
            str(request.original),
            qi=request.qi,
            sa=request.sa,
            kinds=request.kind,
            sep=request.sep,
            encoding=request.encoding,
        )
        return replace(request, original=_as_released(table, request)), notes
    if is_path(request.release):
        table = read_table(
            cast("str | Path", request.release),
            qi=request.qi,
            sa=request.sa,
            release=True,
            sep=request.sep,
            encoding=request.encoding,
        )
        return replace(request, release=table), []
    return request, []


def _as_released(table: Table, request: ComparisonRequest) -> Table:
    """The original with its texts read as the release in memory has them."""
    from tokumei.tables.profiling.retype_original import retype_original

    release = request.release
    public = release.public if isinstance(release, Release) else Table.of(release)
    account = getattr(release, "account", None)
    return retype_original(table, public, {} if account is None else account.answers)[0]


def _read_link(request: ComparisonRequest) -> np.ndarray | None:
    if not is_path(request.link):
        return cast("np.ndarray | None", request.link)
    from tokumei.files.writing import read_link

    sides = (Table.of(side).rows for side in (_public(request.release), request.original))
    return read_link(cast("str | Path", request.link), *sides)


def _public(release: object) -> object:
    return release.public if isinstance(release, Release) else release
