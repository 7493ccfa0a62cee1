"""What can be done to data, in a few functions, whatever its kind.

import tokumei as tk
release = tk.anonymize(frame, "mondrian", k=5, qi=["age", "sex"], sa=["income"])
tk.attack(frame, release)["linkage"].rate
tk.save(release, "public.csv", secret="link.csv")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from tokumei.core.errors import Fault, UnknownNameError, UsageError
from tokumei.core.flow import make_release
from tokumei.core.kind import Kind
from tokumei.core.layout import layout_of
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim
from tokumei.core.sweep import Sweep
from tokumei.core.sweep import sweep as _sweep
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath
from tokumei.files.releases import save_release
from tokumei.kernels.unicity.unicity import BY, DRAWS, POINTS, Unicity
from tokumei.kernels.unicity.unicity import unicity as _unicity
from tokumei.kinds import all_kinds, kind_of, kind_that
from tokumei.kinds import kind as kind_named
from tokumei.tables.data.table import Table
from tokumei.tables.diagnosis.diagnose import Diagnosis
from tokumei.tables.diagnosis.diagnose import diagnose as _diagnose
from tokumei.tables.diagnosis.symbols import Thresholds
from tokumei.tables.releasing.compare import compare
from tokumei.tables.verify.claims import claim_faults

if TYPE_CHECKING:
    from tokumei.core.rates import AttackRate
    from tokumei.core.score import Score
    from tokumei.files.frame_types import Frame, SparkFrame
    from tokumei.histories.data.history import History
    from tokumei.histories.data.release import HistoryRelease
    from tokumei.histories.measures.hits import HistoryHits
    from tokumei.histories.spark.flow import SparkHistoryRelease
    from tokumei.histories.spark.reading import SparkHistory
    from tokumei.pseudonyms.data.history import PeriodHistory
    from tokumei.pseudonyms.data.release import PeriodRelease
    from tokumei.tables.data.release import Release
    from tokumei.tables.releasing.spark_release import SparkRelease

Params = Mapping[str, Mapping[str, Any]]
"""Parameters of attacks or measures, by their names."""


@overload
def read(path: AnyPath, *, format: Literal["table"] = "table", **options: Any) -> Table: ...
@overload
def read(path: AnyPath, *, format: str, **options: Any) -> Any: ...
def read(path: AnyPath, *, format: str = "table", **options: Any) -> Any:
    """The data in a file, by the name of its layout, whose fields are the options.

    `table` is a table here (`qi`, `sa`, `ids`, …); for a history with a header see `read_history`.
    """
    return _read(all_kinds(), path, format, options)


@overload
def read_history(
    path: AnyPath, *, format: str, master: AnyPath, encoding: str = "auto"
) -> PeriodHistory: ...


@overload
def read_history(
    path: AnyPath,
    *,
    format: str = "table",
    columns: Mapping[str, str] | None = None,
    sep: str | None = None,
    encoding: str = "auto",
    **options: Any,
) -> History: ...


def read_history(path: AnyPath, *, format: str = "table", **options: Any) -> Any:
    """The purchases in a file; all cells that cannot be read are listed.

    `columns` names the columns of a `table` that are not called customer, day, item, price,
    quantity. Other formats have options of their own; one of pseudonyms over time needs the
    `master`: the file of the customers.
    """
    return _read([kind for kind in all_kinds() if kind.noun == "history"], path, format, options)


@overload
def sample(
    kind: Literal["tables"], rows: int, *, seed: int | None = None, **options: Any
) -> Table: ...
@overload
def sample(
    kind: Literal["histories"], rows: int, *, seed: int | None = None, **options: Any
) -> History: ...
@overload
def sample(
    kind: Literal["pseudonyms"], rows: int, *, seed: int | None = None, **options: Any
) -> PeriodHistory: ...
@overload
def sample(kind: str, rows: int, *, seed: int | None = None, **options: Any) -> Any: ...
def sample(kind: str, rows: int, *, seed: int | None = None, **options: Any) -> Any:
    """Look-alike data of a kind: `tables`, `histories`, `pseudonyms`, …"""
    return kind_named(kind).flow.sample(rows, seed=seed, **options)


@overload
def anonymize(
    source: Table,
    method: Any,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    **options: Any,
) -> Release: ...
@overload
def anonymize(
    source: History,
    method: Any,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    **options: Any,
) -> HistoryRelease: ...
@overload
def anonymize(
    source: SparkHistory,
    method: Any,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    **options: Any,
) -> SparkHistoryRelease: ...
@overload
def anonymize(
    source: PeriodHistory,
    method: Any,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    **options: Any,
) -> PeriodRelease: ...
@overload
def anonymize(
    source: SparkFrame,
    method: Any,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    **options: Any,
) -> SparkRelease: ...
@overload
def anonymize(
    source: Frame,
    method: Any,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    **options: Any,
) -> Release: ...
@overload
def anonymize(
    source: Any,
    method: Any,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    **options: Any,
) -> Any: ...
def anonymize(
    source: Any,
    method: Any,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    **options: Any,
) -> Any:
    """A verified release of a frame, a Table or a history.

    `method` is a name (its parameters follow as keywords), an anonymizer, or, for tables, a list of
    steps such as `[{"method": "unify", "columns": ["age"]}, {"method": "mondrian", "k": 5}]`. A
    frame's roles are `qi`, `sa` and `ids`. A History gives a HistoryRelease, a PeriodHistory a
    PeriodRelease; rows of a Spark DataFrame stay on the cluster.
    """
    return make_release(kind_of(source), source, method, seed=seed, sha256=sha256, **options)


def save(
    release: Any, public: AnyPath | None = None, *, secret: AnyPath | None = None, **files: Any
) -> None:
    """Write a release, all files or none, and none unless it proves its claims.

    `public` gets what may be handed out, `public.manifest.json` the claims and methods; `secret`
    who is who and `secret.provenance.json` seed and source hash, both readable by the owner only.
    Histories also have `aligned`: all rows in the original's order, a secret.
    """
    save_release(kind_of(release), release, public, secret=secret, **files)


@overload
def attack(
    original: Table | Frame,
    release: Any,
    *,
    methods: Sequence[str] = (),
    params: Params | None = None,
    seed: int | None = None,
    **options: Any,
) -> dict[str, AttackRate]: ...
@overload
def attack(
    original: History,
    release: Any,
    *,
    methods: Sequence[str] = (),
    params: Params | None = None,
    seed: int | None = None,
    **options: Any,
) -> dict[str, HistoryHits]: ...
@overload
def attack(
    original: PeriodHistory,
    release: Any,
    *,
    methods: Sequence[str] = (),
    params: Params | None = None,
    seed: int | None = None,
    **options: Any,
) -> dict[str, dict[str, Score]]: ...
@overload
def attack(
    original: Any,
    release: Any,
    *,
    methods: Sequence[str] = (),
    params: Params | None = None,
    seed: int | None = None,
    **options: Any,
) -> dict[str, Any]: ...
def attack(
    original: Any,
    release: Any,
    *,
    methods: Sequence[str] = (),
    params: Params | None = None,
    seed: int | None = None,
    **options: Any,
) -> dict[str, Any]:
    """What each attack finds (all attacks by default), with interval and baseline.

    Tables: how often the right original row is found; `release` is a Release, or any frame with
    the `link` to the original's rows (without one, row i is taken to come from row i). Histories:
    how many people are found. Pseudonyms over time: all rates, knowing the rows `known`.
    """
    flow = kind_of(original).flow
    return flow.attack(original, release, methods=methods, params=params, seed=seed, **options)


@overload
def measure(
    original: Table | History | PeriodHistory | SparkFrame | Frame,
    release: Any,
    *,
    methods: Sequence[str] = (),
    params: Params | None = None,
    **options: Any,
) -> dict[str, Score]: ...
@overload
def measure(
    original: Any,
    release: Any,
    *,
    methods: Sequence[str] = (),
    params: Params | None = None,
    **options: Any,
) -> dict[str, Any]: ...
def measure(
    original: Any,
    release: Any,
    *,
    methods: Sequence[str] = (),
    params: Params | None = None,
    **options: Any,
) -> dict[str, Any]:
    """What a release is still good for, by measure; those on request are not default.

    `methods` may hold `default` and `all` (every measure whose needed parameters are in `params`).
    """
    flow = kind_of(original).flow
    return flow.measure(original, release, methods=methods, params=params, **options)


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
    purchases = kind_that(source, "points").flow.points(source)
    return _unicity(purchases, by, points=points, draws=draws, seed=seed)


def diagnose(
    original: Any,
    release: Any,
    *,
    link: np.ndarray | None = None,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    cross: Sequence[str] = (),
    harm: float = Thresholds.harm,
    times: float = Thresholds.times,
    seed: int | None = None,
) -> Diagnosis:
    """Which methods made the release, and the evidence; thresholds of the symbols as given."""
    case = compare(original, release, link=link, qi=qi, sa=sa, cross=cross)
    return _diagnose(case, rng=Randomness(seed), limits=Thresholds(harm, times))


def check(
    release: Any,
    *,
    qi: Sequence[str],
    k: int | None = None,
    l: int | None = None,  # noqa: E741  the literature's name
    sa: Sequence[str] = (),
) -> list[Fault]:
    """Violations of k-anonymity and l-diversity in any frame, whoever made it."""
    claims = []
    if k is not None:
        claims.append(Claim("k-anonymity", {"k": k, "columns": list(qi)}))
    if l is not None:
        claims.append(Claim("l-diversity", {"l": l, "columns": list(qi), "sensitive": list(sa)}))
    if not claims:
        raise UsageError("give k, l or both", "k か l を指定してください")
    return claim_faults(Table.of(release), claims)


def _read(kinds: Sequence[Kind], path: AnyPath, format: str, options: Mapping[str, Any]) -> Any:
    """The data in a file by the first kind that has the format."""
    for kind in kinds:
        if format in kind.formats.names():
            return layout_of(kind.formats, format, options).read(path)
    names = dict.fromkeys(name for kind in kinds for name in kind.formats.names())
    raise UnknownNameError(Text("format", "形式"), format, list(names))
