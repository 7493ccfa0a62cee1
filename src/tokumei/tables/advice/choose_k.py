"""Chooses k: tries several k, finds the columns that raise the risk, and a remedy.

choice = choose(table, "mondrian", [2, 5, 10], seed=1)
print(choice.advice.show("en"))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.core.shared_options import require_share
from tokumei.tables.advice.k_choice import Choice, Remedy
from tokumei.tables.advice.k_trials import KPoint, KTrials
from tokumei.tables.anonymization.in_memory import build_method
from tokumei.tables.data.numeric_columns import is_number_column
from tokumei.tables.data.schema import Role
from tokumei.tables.data.table import AnyTable, Table

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.protocol import TableMethod

DEFAULT_KS = (2, 3, 5, 10, 20, 50)
MAX_RATE = 0.09
"""The rate that health data is often held to; a convention, no law."""
HEAVY_SHARE, SMALL_LOSS = 0.5, 0.05


def choose(
    source: AnyTable,
    method: str | TableMethod = "mondrian",
    values: Sequence[int] = DEFAULT_KS,
    *,
    max_rate: float = MAX_RATE,
    attacks: Sequence[str] = (),
    seed: int | None = None,
    qi: str | Sequence[str] | None = None,
    sa: str | Sequence[str] | None = None,
    ids: str | Sequence[str] | None = None,
    kinds: Mapping[str, str] | None = None,
) -> Choice:
    """What each k costs and whom it leaves to be found, with one paragraph of advice.

    `source`: a frame with roles (`qi`, `sa`, `ids`, or none: as they look) or a Table.
    """
    from tokumei.tables.services.plan_table import plan_table
    from tokumei.tables.services.requests import TableRequest, column_names

    built_method = build_method(method, {})
    if isinstance(source, Table):
        return choose_planned(
            source, built_method, values, max_rate=max_rate, attacks=attacks, seed=seed
        )
    request = TableRequest(
        qi=column_names(qi), sa=column_names(sa), id=column_names(ids), kind=kinds or {}
    )
    planned = plan_table(request, source, built_method)
    return choose_planned(
        planned.table, planned.method, values, max_rate=max_rate, attacks=attacks, seed=seed
    )


def choose_planned(
    table: Table,
    method: TableMethod,
    values: Sequence[int],
    *,
    max_rate: float,
    attacks: Sequence[str],
    seed: int | None,
) -> Choice:
    """The same for a table whose columns are planned."""
    require_share(max_rate, "max_rate")
    if not hasattr(method, "k") or not table.schema.qi:
        raise UsageError("a method with a parameter k and at least one quasi-identifier are needed")
    columns = tuple(c.name for c in table.schema.columns if c.role is not Role.ID)
    trials = KTrials(table, method, (), columns, tuple(attacks), seed)
    trials = replace(trials, columns=tuple(n for n in columns if n != trials.person))
    return _build_choice(trials, _feasible_ks(values, trials.people), max_rate)


def _feasible_ks(values: Sequence[int], people: int) -> list[int]:
    feasible_ks = sorted({k for k in values if 2 <= k <= people})
    if not feasible_ks:
        raise UsageError(
            "there are {people} people: no k from 2 to {people} is among those to be tried",
            people=people,
        )
    return feasible_ks


def _build_choice(trials: KTrials, values: Sequence[int], max_rate: float) -> Choice:
    points = trials.measure_all_k(values)
    name, qi = trials.method.name, tuple(trials.table.schema.qi)
    counts_people = trials.person is not None
    choice = Choice(name, qi, points, trials.people, counts_people, max_rate)
    qi_safe_point = choice.good_for_qi
    if choice.good() is None and qi_safe_point is not None:
        choice = replace(choice, blamed=_rank_revealing_columns(trials, qi_safe_point.k))
        best_remedy = _find_best_remedy(trials, choice, qi_safe_point.k)
        if best_remedy is not None:
            points = best_remedy.trials.measure_all_k(values)
            choice = replace(
                choice,
                remedy=Remedy(best_remedy.name, best_remedy.words, best_remedy.columns, points),
            )
            trials = best_remedy.trials if choice.good(points) is not None else trials
    return replace(choice, without=_try_without_heaviest(trials, choice))


def _rank_revealing_columns(trials: KTrials, k: int) -> dict[str, float]:
    """Attack rates with each column that is not generalized, the highest first."""
    exact_columns = [name for name in trials.columns if name not in trials.table.schema.qi]
    rates = {name: trials.attack_rate_knowing(name, k) for name in exact_columns}
    return dict(sorted(rates.items(), key=lambda item: -item[1]))


def _find_best_remedy(trials: KTrials, choice: Choice, k: int) -> _RemedyTrial | None:
    """The cheapest step that brings the rate below the limit; else the one that helps most.

    Columns that tell by themselves are tried first, then all exact ones, which tell together.
    """
    limit, remedy_trials = choice.max_rate, list[_RemedyTrial]()
    revealing_columns = tuple(name for name, rate in choice.blamed.items() if rate > limit)
    for columns in dict.fromkeys((revealing_columns, tuple(choice.blamed))):
        remedy_trials += [
            _RemedyTrial(trial.at(k), name, remedy_text, columns, trial)
            for name, remedy_text, trial in (_list_remedies(trials, columns) if columns else ())
        ]
        if any(trial.point.by_all.high <= limit for trial in remedy_trials):
            break
    if not remedy_trials:
        return None
    sufficient_trials = [trial for trial in remedy_trials if trial.point.by_all.high <= limit]
    cheapest = min(sufficient_trials, key=lambda trial: trial.point.loss, default=None)
    return cheapest or min(remedy_trials, key=lambda trial: trial.point.by_all.high)


class _RemedyTrial(NamedTuple):
    point: KPoint
    name: str
    words: Message
    columns: tuple[str, ...]
    trials: KTrials


def _list_remedies(
    trials: KTrials, columns: tuple[str, ...]
) -> Iterator[tuple[str, Message, KTrials]]:
    """What can be done with exact columns after or with the generalization."""
    from tokumei.tables.anonymizers.microaggregate import Microaggregate
    from tokumei.tables.anonymizers.swap import Swap

    table, schema, names = trials.table, trials.table.schema, shorten_names(columns)
    protected_table = _assign_roles(table, qi=schema.qi, sa=columns)
    yield (
        "swap",
        Message("{columns} swapped within classes", columns=names),
        replace(trials, table=protected_table, after=(Swap(),), made={}),
    )
    if all(is_number_column(table.frame[name]) for name in columns):
        yield (
            "microaggregate",
            Message("{columns} as class means", columns=names),
            replace(trials, table=protected_table, after=(Microaggregate(),), made={}),
        )
    yield (
        "generalize",
        Message("{columns} generalized, too", columns=names),
        replace(trials, table=_assign_roles(table, qi=[*schema.qi, *columns]), made={}),
    )
    yield (
        "drop",
        Message("{columns} left out", columns=names),
        replace(trials, table=_assign_roles(table, qi=schema.qi, dropped=columns), made={}),
    )


def shorten_names(names: Sequence[str], max_names: int = 3) -> Message:
    """The first names, and how many more there are."""
    remaining = len(names) - max_names
    if remaining <= 0:
        return join_messages(names)
    return Message(
        "{names} and {remaining} more", names=join_messages(names[:max_names]), remaining=remaining
    )


def _assign_roles(
    table: Table, *, qi: Sequence[str], sa: Sequence[str] | None = None, dropped: Sequence[str] = ()
) -> Table:
    schema = table.schema
    sensitive_names = [
        name for name in (schema.sa if sa is None else sa) if name not in (*qi, *dropped)
    ]
    return replace(
        table,
        schema=schema.with_roles(qi=list(qi), sa=sensitive_names, ids=[*schema.ids, *dropped]),
    )


def _try_without_heaviest(trials: KTrials, choice: Choice) -> tuple[str, KPoint] | None:
    """The advised release without the quasi-identifier that makes up most of the loss."""
    point, qi = choice.advised, trials.table.schema.qi
    column, share = point.most_lossy_column
    if point.loss < SMALL_LOSS or share <= HEAVY_SHARE or column not in choice.qi or len(qi) == 1:
        return None
    other_qi = [name for name in qi if name != column]
    table = _assign_roles(trials.table, qi=other_qi, dropped=[column])
    columns = tuple(name for name in trials.columns if name != column)
    return column, replace(trials, table=table, columns=columns, made={}).at(point.k)
