"""One source looked at many times: over the values of a parameter, over numbers of known points.

tk.sweep(history, "rank-match", range(2, 21)).best
tk.unicity(history, ["item,day"], points=[1, 2, 3, 4], seed=1)[0].share
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.core.sweep import Sweep
from tokumei.core.sweep import sweep as _sweep
from tokumei.kernels.unicity.unicity import BY, DRAWS, POINTS, Unicity
from tokumei.kernels.unicity.unicity import unicity as _unicity
from tokumei.kinds import kind_of, purchases_of


def sweep(
    source: Any,
    method: str,
    values: Sequence[Any],
    *,
    parameter: str = "k",
    params: Mapping[str, Any] | None = None,
    measures: Sequence[str] = (),
    attacks: Sequence[str] = (),
    seed: int | None = None,
    **options: Any,
) -> Sweep:
    """Loss, risk and what else is asked, for every value of a parameter.

    Histories: the contest's loss, and the risk 1/k that the verified claim leaves; `categories`
    replace the items first. Tables (frames with roles): the measure `loss`, and the strongest of
    the `attacks` (all by default) as the risk.
    """
    return _sweep(
        kind_of(source),
        source,
        method,
        values,
        parameter=parameter,
        params=params,
        measures=measures,
        attacks=attacks,
        seed=seed,
        **options,
    )


def unicity(
    source: Any,
    by: Sequence[str] = BY,
    *,
    points: Sequence[int] = POINTS,
    draws: int = DRAWS,
    seed: int | None = None,
) -> list[Unicity]:
    """The share of customers whom some known points single out, by granularity and number.

    `source` is a history, rows of the 2017 format, or a frame with a history's columns.
    """
    return _unicity(purchases_of(source), by, points=points, draws=draws, seed=seed)
