"""One method over many values of a parameter, for histories and for tables.

tk.sweep(history, "rank-match", range(2, 21)).best
tk.sweep(table, "mondrian", [2, 5, 10], loss="U5", attacks=["linkage"])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.core.errors import UsageError
from tokumei.core.sweep import Sweep, SweepPoint, run_sweep
from tokumei.core.text import Text
from tokumei.flow import anonymize, attack, measure
from tokumei.histories.categories.categories import Categories
from tokumei.histories.data.history import History
from tokumei.histories.sweeps import sweep_by_category, sweep_history
from tokumei.tables.data.table import Table
from tokumei.tables.suite import strongest


def sweep(
    source: History | Table | Any,
    method: str,
    values: Sequence[Any],
    *,
    parameter: str = "k",
    params: Mapping[str, Any] | None = None,
    loss: str = "gcp_sets",
    measures: Sequence[str] = (),
    attacks: Sequence[str] = (),
    categories: Categories | None = None,
    seed: int | None = None,
) -> Sweep:
    """Loss, risk and what else is asked, for every value of a parameter.

    Histories: the contest's loss, and the risk 1/k that the verified claim leaves; `categories`
    replace the items first. Tables (frames with roles): the measure `loss`, and the strongest of
    the `attacks` (all by default) as the risk.
    """
    values = list(values)
    if not values:
        raise UsageError(Text("give at least one value", "値を一つ以上指定してください"))
    shared: dict[str, Any] = {"parameter": parameter, "params": params, "seed": seed}
    if isinstance(source, History):
        plain = sweep_history(source, method, values, measures=measures, attacks=attacks, **shared)
        if categories is None:
            return plain
        return sweep_by_category(
            source, categories, plain, measures=measures, attacks=attacks, seed=seed
        )
    return _sweep_table(Table.of(source), method, values, loss, measures, attacks, **shared)


def _sweep_table(
    table: Table,
    method: str,
    values: Sequence[Any],
    loss: str,
    measures: Sequence[str],
    attacks: Sequence[str],
    *,
    parameter: str,
    params: Mapping[str, Any] | None,
    seed: int | None,
) -> Sweep:
    def trial(value: Any) -> SweepPoint:
        release = anonymize(table, method, seed=seed, **{**(params or {}), parameter: value})
        wanted = list(dict.fromkeys([loss, "rows_kept", *measures]))
        scores = measure(table, release, methods=wanted)
        rates = attack(table, release, methods=attacks, expected=True, seed=seed)
        more = {name: scores[name].value for name in measures if name in scores}
        more |= {f"attack_{name}": rate.rate for name, rate in rates.items()}
        risk, kept = strongest(rates).rate, scores["rows_kept"].value
        return SweepPoint(value, scores[loss].value, risk, kept, more)

    return run_sweep(method, parameter, values, trial, params)
