"""Makes a release with its claims from a table in memory.

    release = make_release(table, build_method("mondrian", {"k": 5}))

Apart from `flow`, so that a command which only anonymizes loads nothing of attacks and measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tokumei.core.errors import UsageError
from tokumei.core.message_lines import locate_problem
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.files.column_types import is_dictionary_encoded
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod
from tokumei.tables.data.column_report import ColumnReport, changed_columns, claimed_columns
from tokumei.tables.data.table import Release, Table, require_numbers
from tokumei.tables.registry import anonymizers

NO_IDENTIFIERS = "no-identifiers"


def build_method(
    method: str | TableMethod | Sequence[Mapping[str, object]], params: Mapping[str, object]
) -> TableMethod:
    """An anonymizer from its name and parameters, or a pipeline from steps."""
    if isinstance(method, TableMethod):
        return method
    if isinstance(method, str):
        return anonymizers.build(method, params)
    if params:
        raise UsageError("parameters of a pipeline belong to its steps")
    steps = tuple(build_step(step) for step in method)
    if not steps:
        raise UsageError("name at least one method")
    return steps[0] if len(steps) == 1 else Pipeline(steps)


def make_release(
    table: Table,
    method: TableMethod,
    *,
    seed: int | None = None,
    keep_order: bool = False,
    sha256: str | None = None,
    account: ColumnReport | None = None,
) -> Release:
    """A release with all its claims, which nobody has verified yet (`flow.faults` does).

    The public part of a compact table is compact too, if the method understands that.
    """
    require_numbers(table, table.schema.sa, texts=True)
    if not method.takes_compact and any(
        is_dictionary_encoded(dtype) for dtype in table.frame.dtypes
    ):
        table = table.with_text()
    release = method.anonymize(table, rng=Randomness(seed), shuffle=not keep_order, sha256=sha256)
    release = replace(release, claims=add_identifier_claim(release.claims, table.schema.ids))
    return release if account is None else with_column_report(release, table, account)


def with_column_report(release: Release, table: Table, account: ColumnReport) -> Release:
    """A release with what became of the columns of its table."""
    claimed = claimed_columns(release.claims)
    unclaimed = [name for name in (*table.schema.qi, *table.schema.sa) if name not in claimed]
    changed = changed_columns(table.frame, release.public.frame, release.link, unclaimed)
    return replace(release, account=account.settled(release.claims, changed))


def add_identifier_claim(claims: Sequence[Claim], ids: Sequence[str]) -> tuple[Claim, ...]:
    """What a method claims, and that no identifiers are left: these said once."""
    already_claimed = [
        n for claim in claims if claim.rule == NO_IDENTIFIERS for n in claim.params["columns"]
    ]
    identifiers = [*dict.fromkeys([*already_claimed, *ids])]
    others = (claim for claim in claims if claim.rule != NO_IDENTIFIERS)
    return (*others, *([Claim(NO_IDENTIFIERS, {"columns": identifiers})] if identifiers else []))


def build_step(step: Mapping[str, object], where: str = "") -> TableMethod:
    """The anonymizer of a pipeline's step: `method` is its name, the rest its parameters."""
    params = dict(step)
    if "method" not in params:
        raise UsageError(locate_problem(Message("a step needs a 'method'"), where))
    name = str(params.pop("method"))
    return anonymizers.build(name, params, where=f"{where}: {name}" if where else name)
