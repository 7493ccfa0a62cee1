"""Options that `tokumei sweep` has for every kind of data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.core.ask import option
from tokumei.core.errors import UsageError
from tokumei.core.kind import Kind
from tokumei.core.method_choice import params_of
from tokumei.core.options import spare_sources

RESULTS = ("sweep.csv", "sweep.json", "sweep.svg", "report.html")


def swept_methods_option(default: str) -> Any:
    """The methods to sweep."""
    return option(
        "the method, or several: a,b",
        "手法 (複数可: a,b)",
        default=(default,),
        aliases=("methods",),
    )


def k_option() -> Any:
    """The values of k."""
    return option("2-20 or 2,3,6", "2-20 や 2,3,6", default=tuple(range(2, 21)))


def swept_set_option() -> Any:
    """Parameters of the methods."""
    return option(
        "a parameter of the methods, or of one: key=value, METHOD.key=value",
        "手法のパラメータ: key=value、手法.key=value",
        default={},
    )


def measures_option() -> Any:
    """What else to measure."""
    return option("more measures: rfm,…", "ほかの指標: rfm,…", default=())


def attacks_option() -> Any:
    """Which attacks to run on every release."""
    return option("attacks: best,…", "攻撃: best,…", default=())


def swept_params(
    kind: Kind, names: Sequence[str], given: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """The parameters of every method named."""
    if not names:
        raise UsageError("--method: name at least one", "--method: 手法を指定してください")
    return params_of(kind.anonymizers, names, given)


def spare_results(sources: tuple[str | None, ...], out: str | None) -> None:
    """Fail if a result would replace what was read."""
    if out is not None:
        spare_sources(sources, tuple(f"{out}/{name}" for name in RESULTS))
