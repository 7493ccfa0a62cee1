"""Measures what a release of a table is still worth, where its rows are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.measure import Score
from tokumei.core.messages import Message, join_messages
from tokumei.core.shared_options import refuse_engine_options
from tokumei.files.spark.session import is_spark_frame
from tokumei.tables.evaluation_suite import measure_suite, resolve_measure_names
from tokumei.tables.registry import measures
from tokumei.tables.services.attack import find_row_order_evidence, require_row_order
from tokumei.tables.services.comparison_requests import ComparisonRequest, MeasureTableRequest
from tokumei.tables.services.open_comparison import OpenComparison, open_comparison

if TYPE_CHECKING:
    from tokumei.tables.anonymization.spark_measures import MeasuredRoles, SparkMeasurement


@dataclass(frozen=True)
class MeasuredTable:
    """The scores by measure, and remarks on how the files were read."""

    scores: dict[str, Score]
    notes: list[Message]


def measure_table(request: MeasureTableRequest) -> MeasuredTable:
    """Compare original and release, and score the release by every measure."""
    if request.engine == "spark" or is_spark_frame(request.comparison.original):
        found = _measure_on_spark(request)
        return MeasuredTable(found.scores, _left_out(found.left_out, found.too_many))
    opened = open_comparison(request.comparison)
    names, notes = _usable_measures(request, opened)
    scores = measure_suite(opened.case, names, params=request.params)
    return MeasuredTable(scores, [*opened.notes, *notes])


def _usable_measures(
    request: MeasureTableRequest, opened: OpenComparison
) -> tuple[list[str], list[Message]]:
    """The chosen measures, without those that compare rows by a link that cannot be true."""
    names = resolve_measure_names(request.methods, request.params)
    by_link = [name for name in names if getattr(measures.get(name), "compares_linked_rows", False)]
    if opened.linked or not by_link:
        return names, []
    reason = find_row_order_evidence(opened.case)
    if reason is None:
        return names, []
    if not {*by_link}.isdisjoint(request.methods):
        require_row_order(opened.case)
    note = Message(
        "Left out, because rows are compared by the link and none was given ({option}): "
        "{measures}; {reason}",
        option=field_name("truth"),
        measures=join_messages(by_link),
        reason=reason,
    )
    return [name for name in names if name not in by_link], [note]


def _measure_on_spark(request: MeasureTableRequest) -> SparkMeasurement:
    """The measures that need no single rows; those stay on the cluster."""
    from tokumei.files.spark.session import spark_session
    from tokumei.files.spark.table_files import SparkTable, read_spark_table, require_plain_cells
    from tokumei.tables.anonymization.spark_measures import measure_on_spark

    compared = request.comparison
    if is_spark_frame(compared.original):
        sides: list[Any] = [compared.original, compared.release]
        before, after = (SparkTable(require_plain_cells(side)) for side in sides)
        roles = _roles(compared)
        return measure_on_spark(before, after, roles, request.methods, params=request.params)
    refuse_engine_options("spark", truth=compared.link)
    if not compared.qi:
        raise UsageError(
            "--engine spark does not infer roles: name the quasi-identifiers with --qi"
        )
    paths = (str(compared.original), str(compared.release))
    with spark_session(request.cluster) as session:
        before, after = (
            read_spark_table(session, path, sep=compared.sep, encoding=compared.encoding)
            for path in paths
        )
        return measure_on_spark(
            before,
            after,
            _roles(compared),
            request.methods,
            params=request.params,
            hierarchies=cast("str | None", compared.hierarchies),
        )


def _roles(compared: ComparisonRequest) -> MeasuredRoles:
    from tokumei.tables.anonymization.spark_measures import MeasuredRoles

    return MeasuredRoles(compared.qi or (), compared.sa or (), compared.cross, compared.kind)


def _left_out(single_rows: list[str], many: list[str]) -> list[Message]:
    """Which measures were not taken on the cluster, and why."""
    notes = (
        Message("Left out, because they need single rows, which stay on the cluster: {measures}"),
        Message(
            "Left out, because the sensitive columns have too many distinct tuples: {measures}"
        ),
    )
    return [
        note.fill(measures=join_messages(names))
        for note, names in zip(notes, (single_rows, many), strict=True)
        if names
    ]
