"""Implements `tk.attack`, `tk.measure`, `tk.sweep` and `tk.unicity`.

tk.attack(frame, release)["linkage"].rate
tk.measure(frame, release).frame
tk.sweep(history, "rank-match", range(2, 21)).best
tk.unicity(history, ["item,day"], points=[1, 2, 3, 4], seed=1)[0].share
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, overload

from tokumei.core.sweep import sweep as sweep_kind
from tokumei.kernels.unicity.unicity import (
    DEFAULT_DRAWS,
    DEFAULT_GRANULARITIES,
    DEFAULT_POINTS,
    Unicity,
)
from tokumei.kernels.unicity.unicity import unicity as compute_unicity
from tokumei.kinds import kind_of, purchases_of

if TYPE_CHECKING:
    import numpy as np

    from tokumei.api.types import Columns, OtherData, Params, TableSource
    from tokumei.core.attack_rates import AttackRate
    from tokumei.core.measure import Score
    from tokumei.core.result_table import AttackResults, MeasureResults
    from tokumei.core.sweep import Sweep
    from tokumei.files.frame_conversion import ArrowFrame, SparkFrame
    from tokumei.histories.data.generalized_history import GeneralHistory
    from tokumei.histories.data.guess import HistoryHits
    from tokumei.histories.data.history import History
    from tokumei.histories.data.release import HistoryRelease
    from tokumei.pseudonyms.data.period_history import PeriodHistory
    from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease
    from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows
    from tokumei.tables.data.table import Release, Table
    from tokumei.tables.hierarchies.hierarchy import Hierarchy


@overload
def attack(
    original: History,
    release: HistoryRelease,
    *,
    methods: Columns = (),
    params: Params | None = None,
    seed: int | None = None,
    known: History | None = None,
) -> AttackResults[HistoryHits]: ...
@overload
def attack(
    original: PeriodHistory,
    release: PeriodRelease,
    *,
    methods: Columns = (),
    params: Params | None = None,
    seed: int | None = None,
    known: PeriodRows | None = None,
) -> AttackResults[dict[str, Score]]: ...
@overload
def attack(
    original: TableSource,
    release: Release | Table | ArrowFrame,
    *,
    methods: Columns = (),
    params: Params | None = None,
    seed: int | None = None,
    link: np.ndarray | None = None,
    qi: Columns | None = None,
    sa: Columns | None = None,
    person: str | None = None,
    hierarchies: str | Mapping[str, Hierarchy | str] | None = None,
    as_is: bool = False,
    expected: bool = False,
) -> AttackResults[AttackRate]: ...
@overload
def attack(
    original: OtherData,
    release: OtherData,
    *,
    methods: Columns = (),
    params: Params | None = None,
    seed: int | None = None,
    **options: object,
) -> Mapping[str, object]: ...
def attack(
    original: object,
    release: object,
    *,
    methods: Columns = (),
    params: Params | None = None,
    seed: int | None = None,
    **options: object,
) -> Mapping[str, object]:
    """Run attacks (all by default) on a release; the rates have intervals and baselines.

    Tables: how often the right original row (or person) is found. A Release brings its roles,
    person column, hierarchies and link; for any other frame give `link`, the original row of every
    released row. Without a link row i must come from row i: where rows show that it does not, no
    rate is given. `person` is the column by which people are counted, "none" for rows. `expected`
    gives exact expected rates instead of one draw; `as_is` keeps the rows in their order.

    Histories: how many people are found. Pseudonyms over time: all rates. Both take `known`, what
    the attacker knows (default: all of the original).
    """
    flow = kind_of(original).flow
    return flow.attack(
        original, release, methods=_names(methods), params=params, seed=seed, **options
    )


@overload
def measure(
    original: History,
    release: HistoryRelease | GeneralHistory,
    *,
    methods: Columns = (),
    params: Params | None = None,
) -> MeasureResults[Score]: ...
@overload
def measure(
    original: PeriodHistory,
    release: PeriodRelease | PeriodRows,
    *,
    methods: Columns = (),
    params: Params | None = None,
) -> MeasureResults[Score]: ...
@overload
def measure(
    original: SparkFrame,
    release: SparkFrame,
    *,
    methods: Columns = (),
    params: Params | None = None,
    qi: Columns | None = None,
    sa: Columns | None = None,
    cross: Sequence[str] = (),
) -> MeasureResults[Score]: ...
@overload
def measure(
    original: TableSource,
    release: Release | Table | ArrowFrame,
    *,
    methods: Columns = (),
    params: Params | None = None,
    link: np.ndarray | None = None,
    qi: Columns | None = None,
    sa: Columns | None = None,
    cross: Sequence[str] = (),
    hierarchies: str | Mapping[str, Hierarchy | str] | None = None,
) -> MeasureResults[Score]: ...
@overload
def measure(
    original: OtherData,
    release: OtherData,
    *,
    methods: Columns = (),
    params: Params | None = None,
    **options: object,
) -> Mapping[str, object]: ...
def measure(
    original: object,
    release: object,
    *,
    methods: Columns = (),
    params: Params | None = None,
    **options: object,
) -> Mapping[str, object]:
    """Measure a release; measures marked `on_request` run only when they are named.

    `methods` may hold `default` and `all` (every measure whose needed parameters are in `params`).
    A Release brings its roles, hierarchies and link; for other frames see `attack`. Without a link,
    measures that compare rows are left out where rows are not in the order of the original.
    """
    flow = kind_of(original).flow
    return flow.measure(original, release, methods=_names(methods), params=params, **options)


def sweep(
    source: TableSource | History | PeriodHistory | OtherData,
    method: str,
    values: Sequence[object],
    *,
    parameter: str = "k",
    params: Mapping[str, object] | None = None,
    measures: Columns = (),
    attacks: Columns = (),
    seed: int | None = None,
    **options: object,
) -> Sweep:
    """Make a release for every value of a parameter, and measure loss and risk of each.

    Histories: the contest's loss, and the risk 1/k that the verified claim leaves; `categories`
    replace the items first. Tables (frames with roles): the measure `loss`, and the strongest of
    the `attacks` (all by default) as the risk.
    """
    return sweep_kind(
        kind_of(source),
        source,
        method,
        values,
        parameter=parameter,
        params=params,
        measures=_names(measures),
        attacks=_names(attacks),
        seed=seed,
        **options,
    )


def unicity(
    source: History | PeriodHistory | PeriodRows | ArrowFrame,
    by: Columns = DEFAULT_GRANULARITIES,
    *,
    points: Sequence[int] = DEFAULT_POINTS,
    draws: int = DEFAULT_DRAWS,
    seed: int | None = None,
) -> list[Unicity]:
    """The share of customers whom some known points single out, by granularity and number.

    `source` is a history, rows of the 2017 format, or a frame with a history's columns. A text of
    `by` names what is known of a purchase: "item,day".
    """
    purchases = purchases_of(source)
    return compute_unicity(purchases, _names(by), points=points, draws=draws, seed=seed)


def _names(names: Columns) -> Sequence[str]:
    """Several names; a single one may be a text."""
    return (names,) if isinstance(names, str) else names
