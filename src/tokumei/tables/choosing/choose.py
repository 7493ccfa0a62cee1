"""Which k, and what else: releases for several k, the columns that spoil them, and a remedy.

found = choose(table, "mondrian", [2, 5, 10], seed=1)
print(found.advice.en)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from tokumei.core.errors import UsageError
from tokumei.core.options import require_share
from tokumei.core.text import Text
from tokumei.tables.choosing.trials import KPoint, Trials
from tokumei.tables.data.numbers import is_number_column
from tokumei.tables.data.schema import Role
from tokumei.tables.data.table import Table
from tokumei.tables.releasing.local import build_method

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.protocol import TableMethod

KS = (2, 3, 5, 10, 20, 50)
MAX_RATE = 0.09
"""The rate that health data is often held to; a convention, no law."""
HALF, LITTLE = 0.5, 0.05


@dataclass(frozen=True)
class Remedy:
    """A further step against columns that are released exactly, and the releases with it."""

    name: str
    words: Text
    columns: tuple[str, ...]
    points: tuple[KPoint, ...]


@dataclass(frozen=True)
class Choice:
    """All that is needed to choose k; `advice` says it in words.

    `blamed`: columns that are released exactly, with the share found by whoever knows one beside
    the quasi-identifiers. `without`: the release at the advised k without its heaviest column.
    """

    method: str
    qi: tuple[str, ...]
    points: tuple[KPoint, ...]
    people: int
    counts_people: bool
    max_rate: float
    blamed: dict[str, float] = field(default_factory=dict)
    remedy: Remedy | None = None
    without: tuple[str, KPoint] | None = None

    def good(self, points: Sequence[KPoint] | None = None) -> KPoint | None:
        """The smallest k that keeps the rate of whoever knows everything below the limit."""
        chosen = self.points if points is None else points
        return next((one for one in chosen if one.by_all.high <= self.max_rate), None)

    @property
    def good_for_qi(self) -> KPoint | None:
        """The smallest k that keeps the rate of whoever knows only the QI below the limit."""
        return next((one for one in self.points if one.by_qi.high <= self.max_rate), None)

    @property
    def advised(self) -> KPoint:
        """The release that the advice speaks of."""
        remedied = self.good(self.remedy.points) if self.remedy else None
        return self.good() or remedied or self.good_for_qi or self.points[-1]

    @property
    def advice(self) -> Text:
        """One paragraph: which k and why, or what has to be done first."""
        from tokumei.tables.choosing.advice import advice

        return advice(self)

    def as_json(self) -> dict[str, Any]:
        """Plain data; no cell of the table is in it."""
        good = self.good()
        data: dict[str, Any] = {
            "method": self.method,
            "qi": list(self.qi),
            "people": self.people,
            "counted": "people" if self.counts_people else "rows",
            "max_rate": self.max_rate,
            "points": [one.as_json() for one in self.points],
            "k": None if good is None else good.k,
            "exact_columns": self.blamed,
            "advice_en": self.advice.en,
            "advice_ja": self.advice.ja,
        }
        if self.remedy is not None:
            points = [one.as_json() for one in self.remedy.points]
            better = self.good(self.remedy.points)
            data["remedy"] = {
                "step": self.remedy.name,
                "columns": list(self.remedy.columns),
                "points": points,
                "k": None if better is None else better.k,
            }
        if self.without is not None:
            data["without"] = {"column": self.without[0], **self.without[1].as_json()}
        return data


def choose(
    source: Any,
    method: str | TableMethod = "mondrian",
    values: Sequence[int] = KS,
    *,
    max_rate: float = MAX_RATE,
    attacks: Sequence[str] = (),
    seed: int | None = None,
    **roles: Any,
) -> Choice:
    """What each k costs and whom it leaves to be found, with one paragraph of advice.

    `source`: a frame with roles (`qi`, `sa`, `ids`, or none: as they look) or a Table.
    """
    from tokumei.tables.services.plan_table import plan_table
    from tokumei.tables.services.requests import TableRequest, column_names

    built = build_method(method, {})
    if isinstance(source, Table):
        return choose_planned(source, built, values, max_rate=max_rate, attacks=attacks, seed=seed)
    named = {role: column_names(roles.get(role)) for role in ("qi", "sa", "ids")}
    request = TableRequest(
        qi=named["qi"], sa=named["sa"], id=named["ids"], kind=roles.get("kinds") or {}
    )
    planned = plan_table(request, source, built)
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
        raise UsageError(
            "a method with a parameter k and at least one quasi-identifier are needed",
            "パラメータ k のある手法と、準識別子が一つ以上必要です",
        )
    columns = tuple(c.name for c in table.schema.columns if c.role is not Role.ID)
    trials = Trials(table, method, (), columns, tuple(attacks), seed)
    trials = replace(trials, columns=tuple(n for n in columns if n != trials.person))
    return _chosen(trials, _possible(values, trials.people), max_rate)


def _possible(values: Sequence[int], people: int) -> list[int]:
    found = sorted({k for k in values if 2 <= k <= people})
    if not found:
        raise UsageError(
            f"there are {people} people: no k from 2 to {people} is among those to be tried",
            f"{people} 人しかいません。2 以上 {people} 以下の k を指定してください",
        )
    return found


def _chosen(trials: Trials, values: Sequence[int], max_rate: float) -> Choice:
    points = trials.all_at(values)
    name, qi = trials.method.name, tuple(trials.table.schema.qi)
    counted = trials.person is not None
    found = Choice(name, qi, points, trials.people, counted, max_rate)
    aimed = found.good_for_qi
    if found.good() is None and aimed is not None:
        found = replace(found, blamed=_blamed(trials, aimed.k))
        best = _best_step(trials, found, aimed.k)
        if best is not None:
            points = best.trials.all_at(values)
            found = replace(found, remedy=Remedy(best.name, best.words, best.columns, points))
            trials = best.trials if found.good(points) is not None else trials
    return replace(found, without=_without(trials, found))


def _blamed(trials: Trials, k: int) -> dict[str, float]:
    """What each column that is not generalized gives away, the worst first."""
    exact = [name for name in trials.columns if name not in trials.table.schema.qi]
    rates = {name: trials.found_by(name, k) for name in exact}
    return dict(sorted(rates.items(), key=lambda one: -one[1]))


def _best_step(trials: Trials, found: Choice, k: int) -> _Tried | None:
    """The cheapest step that brings the rate below the limit; else the one that helps most.

    Columns that tell by themselves are tried first, then all exact ones, which tell together.
    """
    limit, tried = found.max_rate, list[_Tried]()
    telling = tuple(name for name, rate in found.blamed.items() if rate > limit)
    for columns in dict.fromkeys((telling, tuple(found.blamed))):
        tried += [
            _Tried(one.at(k), name, words, columns, one)
            for name, words, one in (_steps(trials, columns) if columns else ())
        ]
        if any(one.point.by_all.high <= limit for one in tried):
            break
    if not tried:
        return None
    enough = [one for one in tried if one.point.by_all.high <= limit]
    best = min(enough, key=lambda one: one.point.loss, default=None)
    return best or min(tried, key=lambda one: one.point.by_all.high)


class _Tried(NamedTuple):
    point: KPoint
    name: str
    words: Text
    columns: tuple[str, ...]
    trials: Trials


def _steps(trials: Trials, columns: tuple[str, ...]) -> Iterator[tuple[str, Text, Trials]]:
    """What can be done with exact columns after or with the generalization."""
    from tokumei.tables.anonymizers.microaggregate import Microaggregate
    from tokumei.tables.anonymizers.swap import Swap

    table, schema, listed = trials.table, trials.table.schema, shortened(columns)
    protected = _with_roles(table, qi=schema.qi, sa=columns)
    yield (
        "swap",
        Text(f"{listed.en} swapped within classes", f"{listed.ja}をクラス内で入れ替える (swap)"),
        replace(trials, table=protected, after=(Swap(),), made={}),
    )
    if all(is_number_column(table.frame[name]) for name in columns):
        yield (
            "microaggregate",
            Text(
                f"{listed.en} as class means", f"{listed.ja}をクラスの平均値にする (microaggregate)"
            ),
            replace(trials, table=protected, after=(Microaggregate(),), made={}),
        )
    yield (
        "generalize",
        Text(f"{listed.en} generalized, too", f"{listed.ja}も一般化する"),
        replace(trials, table=_with_roles(table, qi=[*schema.qi, *columns]), made={}),
    )
    yield (
        "drop",
        Text(f"{listed.en} left out", f"{listed.ja}を公開しない"),
        replace(trials, table=_with_roles(table, qi=schema.qi, dropped=columns), made={}),
    )


def shortened(names: Sequence[str], most: int = 3) -> Text:
    """The first names, and how many more there are."""
    rest = len(names) - most
    if rest <= 0:
        return Text(", ".join(names), "、".join(names))
    return Text(
        f"{', '.join(names[:most])} and {rest} more", f"{'、'.join(names[:most])} ほか {rest} 列"
    )


def _with_roles(
    table: Table, *, qi: Sequence[str], sa: Sequence[str] | None = None, dropped: Sequence[str] = ()
) -> Table:
    schema = table.schema
    kept = [name for name in (schema.sa if sa is None else sa) if name not in (*qi, *dropped)]
    return replace(
        table, schema=schema.with_roles(qi=list(qi), sa=kept, ids=[*schema.ids, *dropped])
    )


def _without(trials: Trials, found: Choice) -> tuple[str, KPoint] | None:
    """The advised release without the quasi-identifier that makes up most of the loss."""
    point, qi = found.advised, trials.table.schema.qi
    column, share = point.heaviest
    if point.loss < LITTLE or share <= HALF or column not in found.qi or len(qi) == 1:
        return None
    rest = [name for name in qi if name != column]
    table = _with_roles(trials.table, qi=rest, dropped=[column])
    columns = tuple(name for name in trials.columns if name != column)
    return column, replace(trials, table=table, columns=columns, made={}).at(point.k)
