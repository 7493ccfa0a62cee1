"""Anonymizes a table with every value of a parameter: what each release loses and risks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep, SweepPoint, Trial, run_sweep
from tokumei.tables.data.table import Table
from tokumei.tables.services.comparison_requests import (
    EVERYTHING,
    AttackTableRequest,
    ComparisonRequest,
)
from tokumei.tables.services.requests import AnonymizeTableRequest, TableRequest

if TYPE_CHECKING:
    from tokumei.tables.services.open_comparison import OpenComparison


@dataclass(frozen=True, kw_only=True)
class SweepTableRequest:
    """Methods over the values of a parameter; `params` are those that do not vary, by method.

    The loss is the measure `loss`, the risk what the strongest of the `attacks` finds.
    """

    table: TableRequest
    values: tuple[object, ...]
    parameter: str = "k"
    params: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    loss: str = "gcp_sets"
    measures: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()
    seed: int | None = None


@dataclass(frozen=True)
class SweptTable:
    """A sweep per method, and remarks on how the table was read."""

    sweeps: list[Sweep]
    notes: list[Message]


def sweep_table(request: SweepTableRequest) -> SweptTable:
    """Read and plan the table of a file once, and try every method on it."""
    from tokumei.tables.services.plan_table import plan_table_file

    first, *_ = request.params
    table, planned = plan_table_file(
        replace(request.table, method=(first,)),
        lambda known: known.build_method(request.params[first]),
    )
    # The columns are planned: what was decided of them is not to be decided again.
    settled = replace(
        request, table=replace(table, qi=None, sa=None, id=None, kind={}, identifiers=())
    )
    person = getattr(planned.method, "person", "")
    counted = {"person": person} if person else {}
    sweeps = []
    for method, params in request.params.items():
        given = {**params, **counted}
        trial = make_trial(planned.table, method, replace(settled, params={method: given}))
        sweeps.append(run_sweep(method, request.parameter, list(request.values), trial, given))
    return SweptTable(sweeps, planned.notes)


def make_trial(source: object, method: str, request: SweepTableRequest) -> Trial:
    """The trial that a sweep runs for each value of the parameter.

    `knows_qi` beside it is what somebody finds who knows the quasi-identifiers only.
    """
    from tokumei.tables.evaluation_suite import measure_suite
    from tokumei.tables.services.anonymize import anonymize_table
    from tokumei.tables.services.open_comparison import open_comparison

    table, params = Table.of(source), request.params.get(method, {})

    def run(value: object) -> SweepPoint:
        step = {"method": method, **params, request.parameter: value}
        step_request = AnonymizeTableRequest(table=request.table, steps=[step], seed=request.seed)
        release = anonymize_table(step_request, table).release
        compared = ComparisonRequest(original=table, release=release)
        opened = open_comparison(compared)
        wanted = list(dict.fromkeys([request.loss, "rows_kept", *request.measures]))
        scores = measure_suite(opened.case, wanted)
        rates = _attack(opened, compared, request.attacks, request.seed)
        more = {name: scores[name].value for name in request.measures if name in scores}
        more |= {f"attack_{name}": rate.rate for name, rate in rates.rates.items()}
        more["knows_qi"] = _knowing_qi(opened, compared, table.schema.qi, request.seed)
        kept = scores["rows_kept"].value
        return SweepPoint(value, scores[request.loss].value, rates.strongest.rate, kept, more)

    return run


def _attack(
    opened: OpenComparison,
    compared: ComparisonRequest,
    methods: Sequence[str],
    seed: int | None,
    **params: Mapping[str, object],
) -> Any:
    from tokumei.tables.services.attack import attack_comparison

    return attack_comparison(
        opened,
        AttackTableRequest(
            comparison=compared, methods=tuple(methods), params=params, expected=True, seed=seed
        ),
    )


def _knowing_qi(
    opened: OpenComparison, compared: ComparisonRequest, qi: Sequence[str], seed: int | None
) -> float:
    """What somebody finds who knows the quasi-identifiers of all people, and nothing else."""
    if not qi:
        return 0.0
    known = {EVERYTHING: {"known": tuple(qi)}}
    return float(_attack(opened, compared, [EVERYTHING], seed, **known).strongest.rate)
