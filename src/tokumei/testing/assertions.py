"""Asserts in tests and pipelines that a table is k-anonymous and more, by the release verifier.

    assert_k_anonymous(frame, qi=["age", "sex"], k=5)
    assert_k_anonymous(relation, qi="age", k=5, l=2, t=0.3, sa="illness", person="customer")

What fails is told with columns, counts and row numbers. Logs of pipelines are read by many, so the
cells of small classes, which may be those of one person, are shown only with `show_values`.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tokumei.core.claims import CheckedClaim, describe_claim
from tokumei.core.errors import InputError, UnknownNameError
from tokumei.core.messages import Message, join_messages
from tokumei.files.frame_conversion import ArrowFrame
from tokumei.tables.data.schema import COLUMN_NOUN
from tokumei.tables.data.table import Release, Table
from tokumei.tables.registry import claim_checks
from tokumei.tables.services.check import CheckTableRequest, build_claims
from tokumei.tables.services.requests import column_names
from tokumei.tables.verification.claims import check_claims

MAX_SHOWN = 5
"""Violations of a model that a message lists."""


class NotAnonymousError(AssertionError):
    """A table that breaks a privacy model; `checks` hold every claim with its violations."""

    def __init__(self, message: str, checks: Sequence[CheckedClaim]) -> None:
        super().__init__(message)
        self.checks = tuple(checks)


def assert_k_anonymous(
    data: Release | Table | ArrowFrame,
    *,
    qi: str | Sequence[str],
    k: int,
    l: int | None = None,  # noqa: E741  the literature's name
    t: float | None = None,
    sa: str | Sequence[str] = (),
    models: Sequence[str] = (),
    person: str | None = None,
    show_values: bool = False,
) -> None:
    """Fail unless every combination of `qi` occurs in at least k rows, or people of `person`.

    `data`: a frame of pandas, Polars or Arrow, a relation of DuckDB, a release. `l`, `t` and the
    further `models` ("entropy-l=2") are about the sensitive columns `sa`.
    """
    named = [f"{name}={value}" for name, value in (("l", l), ("t", t)) if value is not None]
    request = CheckTableRequest(
        release="",
        qi=column_names(qi) or (),
        sa=column_names(sa) or (),
        k=k,
        models=(*named, *models),
        person=person,
    )
    public = _open_table(data, [*request.names, *([person] if person else [])])
    checks = check_claims(public, build_claims(request))
    if message := describe_failures(public, checks, show_values=show_values):
        raise NotAnonymousError(message, checks)


def describe_failures(
    public: Table, checks: Sequence[CheckedClaim], *, show_values: bool = False
) -> str:
    """The claims that do not hold and what would help, a line each; empty if all hold."""
    failed = [checked for checked in checks if checked.faults]
    lines = [
        line for checked in failed for line in _describe_claim(checked, show_values=show_values)
    ]
    sizes = next((one for one in failed if one.claim.rule == "k-anonymity"), None)
    if sizes is not None:
        lines += _describe_small_classes(public.frame, sizes)
    return "\n".join(line.show() for line in lines)


def _open_table(data: Release | Table | ArrowFrame, names: Sequence[str]) -> Table:
    """The columns that are checked, of whatever holds them."""
    if isinstance(data, Release):
        data = data.public
    if not isinstance(data, Table):
        data = Table.of(_project_relation(data, names))
    data.schema.require(names)
    if not data.rows:
        raise InputError("the frame has no rows")
    return data


def _project_relation(data: ArrowFrame, names: Sequence[str]) -> ArrowFrame:
    """Of a relation of DuckDB only the columns that are needed leave the database."""
    if type(data).__name__ != "DuckDBPyRelation":
        return data
    project, columns = getattr(data, "project"), getattr(data, "columns")  # noqa: B009
    if unknown := [name for name in names if name not in columns]:
        raise UnknownNameError(COLUMN_NOUN, unknown[0], columns)
    quoted = ('"' + name.replace('"', '""') + '"' for name in dict.fromkeys(names))
    projected: ArrowFrame = project(", ".join(quoted))
    return projected


def _describe_claim(checked: CheckedClaim, *, show_values: bool) -> list[Message]:
    """What does not hold, how often, and where or, with `show_values`, for which cells."""
    claim, faults = describe_claim(claim_checks, checked.claim), checked.faults
    count = len(faults)
    if show_values:
        title = Message(
            "This does not hold for {count} class: {claim}",
            plural="This does not hold for {count:,} classes: {claim}",
            count=count,
            claim=claim,
        )
        return [title, *(fault.message for fault in faults[:MAX_SHOWN])]
    rows = [fault.line - 2 for fault in faults if fault.line]
    shown = join_messages(str(row) for row in rows[:MAX_SHOWN])
    return [
        Message(
            "This does not hold for {count} class, that of row {rows} (counted from 0): {claim}",
            plural="This does not hold for {count:,} classes, for example those of the rows {rows} "
            "(counted from 0): {claim}",
            count=count,
            rows=shown,
            claim=claim,
        )
    ]


def _describe_small_classes(frame: pl.DataFrame, checked: CheckedClaim) -> list[Message]:
    """How many rows stand in small classes, and the column whose removal leaves the fewest."""
    k, columns = int(checked.claim.params["k"]), list(checked.claim.params["columns"])
    here = count_rows_below(frame, columns, k)
    lines = [
        Message(
            "{count} of {total:,} rows is in a class of fewer than {k} rows.",
            plural="{count:,} of {total:,} rows are in classes of fewer than {k} rows.",
            count=here,
            total=frame.height,
            k=k,
        )
    ]
    others = {
        name: count_rows_below(frame, [other for other in columns if other != name], k)
        for name in columns
    }
    best = min(others, key=lambda name: others[name])
    if len(columns) > 1 and others[best] < here:
        lines.append(
            Message(
                "Without the column '{column}' it would be {count} row.",
                plural="Without the column '{column}' it would be {count:,} rows.",
                column=best,
                count=others[best],
            )
        )
    return lines


def count_rows_below(frame: pl.DataFrame, columns: Sequence[str], k: int) -> int:
    """How many rows share their values of the columns with fewer than k rows in all."""
    if not columns:
        return frame.height if frame.height < k else 0
    sizes = frame.group_by(list(columns)).len("size")["size"]
    return int(sizes.filter(sizes < k).sum())
