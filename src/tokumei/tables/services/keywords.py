"""Builds the request of `tk.anonymize` from keywords, and has it served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.core.options import refuse_beside
from tokumei.files.spark.session import is_spark_frame
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.data.account import Consent
from tokumei.tables.releasing.cell_reading import bad_missing
from tokumei.tables.releasing.local import build_method
from tokumei.tables.services.anonymize import anonymize_table
from tokumei.tables.services.method_steps import build_steps
from tokumei.tables.services.requests import (
    AnonymizeTableRequest,
    TableRequest,
    column_names,
    with_consent,
    with_pseudonym,
)
from tokumei.tables.services.settle_methods import NONE, settle_methods

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from tokumei.tables.releasing.spark import SparkRelease

Names = str | Sequence[str] | None
"""Columns; a single one may be its name."""


def anonymize(
    source: Any,
    method: str | TableMethod | Sequence[Mapping[str, Any]],
    *,
    qi: Names = None,
    sa: Names = None,
    ids: Names = None,
    kinds: Mapping[str, str] | None = None,
    seed: int | None = None,
    keep_order: bool = False,
    sha256: str | None = None,
    passed: Names = None,
    qi_anyway: Names = None,
    sets: Names = None,
    scrub: Names = None,
    person: str | None = None,
    pseudonym: str | None = None,
    consent: Consent | None = None,
    date_order: str | None = None,
    two_digit_years: int | None = None,
    no_normalize: Names = None,
    bad_cells: str | None = None,
    **params: Any,
) -> Any:
    """A release of a frame, a Table or a file, unverified; rows of a Spark DataFrame stay there.

    A column that seems to identify people is not released unless `passed` (or, generalized,
    `qi_anyway`) names it; `person="none"` says that every row is another person. Texts of many
    values are generalized along a hierarchy, or to `*`, unless `sets` names their column. In texts
    that `scrub` names, found personal data is replaced. `consent` says all of this at once.
    `pseudonym` names the person column, which then leaves as random words, for this release only.

    Texts of a frame that stand for numbers, days or gaps are read as such (of a Table only if one
    of these is given): `date_order` (dmy, mdy, ymd) and `two_digit_years` say how days are
    written, `no_normalize` names rules that are off ("all"), `bad_cells="missing"` makes cells
    that fit neither number nor day gaps. What was read stands in the release's `notes`.
    """
    table = TableRequest(
        data=str(source) if isinstance(source, str | Path) else "",
        method=tuple(method.split(",")) if isinstance(method, str) else (),
        qi=column_names(qi),
        sa=column_names(sa),
        id=column_names(ids),
        kind=kinds or {},
        person=person,
        passed=column_names(passed) or (),
        qi_anyway=column_names(qi_anyway) or (),
        sets=column_names(sets) or (),
        scrub=column_names(scrub) or (),
        no_normalize=column_names(no_normalize) or (),
        date_order=date_order,
        two_digit_years=two_digit_years,
        bad_cells="missing" if bad_missing(bad_cells) else "refuse",
    )
    table = table if consent is None else with_consent(table, consent)
    if pseudonym is not None and person != NONE and not isinstance(method, TableMethod):
        table = with_pseudonym(table, pseudonym)
    request = settle_methods(
        AnonymizeTableRequest(
            table=table,
            steps=_build_method(method, table, params),
            seed=seed,
            keep_order=keep_order,
            pseudonym=pseudonym,
            sha256=sha256,
        )
    )
    if is_spark_frame(source):
        return _anonymize_spark_frame(source, request)
    return anonymize_table(request, None if table.data else source)


def _anonymize_spark_frame(source: DataFrame, request: AnonymizeTableRequest) -> SparkRelease:
    """The rows stay on the cluster."""
    from tokumei.tables.releasing.far import Roles
    from tokumei.tables.releasing.spark import anonymize_spark_frame

    refuse_beside("a Spark DataFrame", pseudonym=request.pseudonym)
    table = request.table
    roles = Roles(table.qi or (), table.sa or (), table.dropped, table.kind)
    return anonymize_spark_frame(
        source,
        build_method(request.steps, {}),
        roles,
        seed=request.seed,
        keep_order=request.keep_order,
        consent=table.consent,
    )


def _build_method(
    method: str | TableMethod | Sequence[Mapping[str, Any]],
    table: TableRequest,
    params: Mapping[str, Any],
) -> TableMethod:
    """Build the method or pipeline (`"mondrian,swap"`) with its parameters."""
    if len(table.method) > 1:
        return build_method(build_steps(table.method, params), {})
    return build_method(method, params)
