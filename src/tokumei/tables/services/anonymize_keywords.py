"""Builds the request of `tk.anonymize` from keywords, and has it served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.core.registry import field_names
from tokumei.core.shared_options import refuse_unused_options
from tokumei.files.spark.session import is_spark_frame
from tokumei.tables.anonymization.column_plan import are_bad_cells_missing
from tokumei.tables.anonymization.in_memory import build_method
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.data.column_report import ReleaseDecisions
from tokumei.tables.registry import anonymizers
from tokumei.tables.services.anonymize import anonymize_table
from tokumei.tables.services.method_steps import (
    NONE,
    build_steps,
    list_privacy_models,
    settle_methods,
)
from tokumei.tables.services.requests import (
    AnonymizeTableRequest,
    TableRequest,
    apply_decisions,
    column_names,
    count_by_pseudonym,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from tokumei.tables.anonymization.spark import SparkRelease

_KEYWORD = Parameter.KEYWORD_ONLY
ColumnNames = str | Sequence[str] | None
"""Columns; a single one may be its name."""
Methods = str | TableMethod | Sequence[Mapping[str, object]]
"""A method's name, a pipeline ("mondrian,swap"), an anonymizer, or steps with parameters."""


def anonymize(
    source: object,
    method: Methods,
    *,
    qi: ColumnNames = None,
    sa: ColumnNames = None,
    ids: ColumnNames = None,
    drop: ColumnNames = None,
    kinds: Mapping[str, str] | None = None,
    seed: int | None = None,
    keep_order: bool = False,
    sha256: str | None = None,
    passed: ColumnNames = None,
    pass_rest: bool = False,
    qi_anyway: ColumnNames = None,
    sets: ColumnNames = None,
    scrub: ColumnNames = None,
    person: str | None = None,
    pseudonym: str | None = None,
    consent: ReleaseDecisions | None = None,
    date_order: str | None = None,
    two_digit_years: int | None = None,
    no_normalize: ColumnNames = None,
    bad_cells: str | None = None,
    l: int | None = None,  # noqa: E741
    t: float | None = None,
    models: ColumnNames = None,
    **params: object,
) -> Any:
    """A release of a frame, a Table or a file, unverified; rows of a Spark DataFrame stay there.

    The keywords are those of `tokumei.anonymize`, which explains them. Texts of a frame that stand
    for numbers, days or gaps are read as such, of a Table only if it is said how.
    """
    table = TableRequest(
        data=str(source) if isinstance(source, str | Path) else "",
        method=tuple(method.split(",")) if isinstance(method, str) else (),
        qi=column_names(qi),
        sa=column_names(sa),
        id=column_names(ids),
        drop=column_names(drop) or (),
        kind=kinds or {},
        person=person,
        passed=column_names(passed) or (),
        pass_rest=pass_rest,
        qi_anyway=column_names(qi_anyway) or (),
        sets=column_names(sets) or (),
        scrub=column_names(scrub) or (),
        no_normalize=column_names(no_normalize) or (),
        date_order=date_order,
        two_digit_years=two_digit_years,
        bad_cells="missing" if are_bad_cells_missing(bad_cells) else "refuse",
    )
    table = table if consent is None else apply_decisions(table, consent)
    if pseudonym is not None and person != NONE and not isinstance(method, TableMethod):
        table = count_by_pseudonym(table, pseudonym)
    conditions = list_privacy_models(column_names(models) or (), l=l, t=t)
    request = AnonymizeTableRequest(
        table=table,
        steps=_build_method(method, table, _with_models(params, conditions, table.sa)),
        seed=seed,
        keep_order=keep_order,
        pseudonym=pseudonym,
        sha256=sha256,
    )
    if is_spark_frame(source):
        return _anonymize_spark_frame(cast("DataFrame", source), settle_methods(request))
    return anonymize_table(request, None if table.data else source).release


def _anonymize_spark_frame(source: DataFrame, request: AnonymizeTableRequest) -> SparkRelease:
    """The rows stay on the cluster."""
    from tokumei.tables.anonymization.out_of_core import Roles
    from tokumei.tables.anonymization.spark import anonymize_spark_frame

    refuse_unused_options(Message("a Spark DataFrame"), pseudonym=request.pseudonym)
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


def _with_models(
    params: Mapping[str, object], models: Sequence[str], sa: tuple[str, ...] | None
) -> dict[str, object]:
    """Add models to the parameters of the methods; they are about the sensitive columns."""
    if not models:
        return dict(params)
    given = cast("ColumnNames", params.get("conditions"))
    conditions = [*models, *(column_names(given) or ())]
    sensitive = {} if sa is None else {"sensitive": sa}
    return {**sensitive, **params, "conditions": conditions}


def _build_method(
    method: Methods, table: TableRequest, params: Mapping[str, object]
) -> TableMethod:
    """Build the method or pipeline (`"mondrian,swap"`) with its parameters and person column."""
    if isinstance(method, TableMethod) and params:
        raise UsageError(
            "give the parameters of a method that is an object to the object itself: {params}",
            params=join_messages(params),
        )
    if not isinstance(method, str):
        return build_method(method, params)
    _require_known(params, table.method)
    person = {} if table.person in (None, NONE) else {"person": table.person}
    return build_method(build_steps(table.method, {**params, **person}), {})


def _require_known(params: Mapping[str, object], methods: Sequence[str]) -> None:
    """Fail on a keyword that neither this function nor a method has, and name the nearest one."""
    own = [name for name, one in signature(anonymize).parameters.items() if one.kind is _KEYWORD]
    fields = [field for name in methods for field in field_names(anonymizers.get(name))]
    for name in params:
        if name.rpartition(".")[2] not in fields:
            what, where = Message("parameter"), ",".join(methods)
            raise UnknownNameError(what, name, [*own, *fields], where=where)
