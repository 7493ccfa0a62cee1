"""What can be done to data, in a few functions, whatever its kind.

import tokumei as tk
release = tk.anonymize(frame, "mondrian", k=5, qi=["age", "sex"], sa=["income"])
tk.attack(frame, release)["linkage"].rate
tk.save(release, "public.csv", secret="link.csv")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from tokumei.core.flow import make_release
from tokumei.files.containers import AnyPath
from tokumei.files.releases import save_release
from tokumei.kinds import kind_of
from tokumei.tables.data.table import Release, Table

if TYPE_CHECKING:
    from tokumei.core.measure import Score
    from tokumei.core.rates import AttackRate
    from tokumei.core.result_table import AttackResults, MeasureResults
    from tokumei.files.frames import Frame, SparkFrame
    from tokumei.histories.data.guess import HistoryHits
    from tokumei.histories.data.history import History
    from tokumei.histories.data.release import HistoryRelease
    from tokumei.histories.spark.flow import SparkHistoryRelease
    from tokumei.histories.spark.reading import SparkHistory
    from tokumei.ledger.book import Ledger
    from tokumei.pseudonyms.data.history import PeriodHistory
    from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease
    from tokumei.tables.releasing.spark import SparkRelease

Params = Mapping[str, Mapping[str, Any]]
"""Parameters of attacks or measures, by their names."""
Seed = int | None
"""What repeats the same draws; None: they come from the operating system."""
Digest = str | None
"""The SHA-256 of the source's file, if there is one."""


@overload
def anonymize(
    source: History, method: Any, *, seed: Seed = None, sha256: Digest = None, **options: Any
) -> HistoryRelease: ...
@overload
def anonymize(
    source: SparkHistory, method: Any, *, seed: Seed = None, sha256: Digest = None, **options: Any
) -> SparkHistoryRelease: ...
@overload
def anonymize(
    source: PeriodHistory, method: Any, *, seed: Seed = None, sha256: Digest = None, **options: Any
) -> PeriodRelease: ...
@overload
def anonymize(
    source: SparkFrame, method: Any, *, seed: Seed = None, sha256: Digest = None, **options: Any
) -> SparkRelease: ...
@overload
def anonymize(
    source: Table | Frame, method: Any, *, seed: Seed = None, sha256: Digest = None, **options: Any
) -> Release: ...
@overload
def anonymize(
    source: Any, method: Any, *, seed: int | None = None, sha256: str | None = None, **options: Any
) -> Any: ...
def anonymize(
    source: Any, method: Any, *, seed: int | None = None, sha256: str | None = None, **options: Any
) -> Any:
    """A verified release of a frame, a Table or a history.

    `method` is a name (its parameters follow as keywords), an anonymizer, or, for tables, a list of
    steps such as `[{"method": "unify", "columns": ["age"]}, {"method": "mondrian", "k": 5}]`. A
    frame's roles are `qi`, `sa` and `ids`. A History gives a HistoryRelease, a PeriodHistory a
    PeriodRelease; rows of a Spark DataFrame stay on the cluster.
    """
    return make_release(kind_of(source), source, method, seed=seed, sha256=sha256, **options)


def save(
    release: Any,
    public: AnyPath | None = None,
    *,
    secret: AnyPath | None = None,
    ledger: Ledger | None = None,
    recipient: str = "",
    source: Any = None,
    ids: Any = None,
    joint_k: int | None = None,
    **files: Any,
) -> None:
    """Write a release, all files or none, and none unless it proves its claims.

    `public` gets what may be handed out, `public.manifest.json` the claims and methods; `secret`
    who is who and `secret.provenance.json` seed and source hash, both readable by the owner only.
    Histories also have `aligned`: all rows in the original's order, a secret. With a `ledger` it is
    first checked together with all earlier releases (`joint_k`, or the k claimed), then recorded
    as given to `recipient`; of a table, the ledger needs its `source` and the column `ids`.
    """
    kind = kind_of(release)
    if ledger is None:
        save_release(kind, release, public, secret=secret, **files)
        return
    from tokumei.ledger.recording import save_recorded

    given = kind.contribution(release, source, ids)
    files |= {"secret": secret, "joint_k": joint_k}
    save_recorded(ledger, kind, release, given, public, recipient=recipient, **files)


@overload
def attack(
    original: Table | Frame,
    release: Any,
    *,
    methods: Sequence[str] = (),
    params: Params | None = None,
    seed: int | None = None,
    **options: Any,
) -> AttackResults[AttackRate]: ...
@overload
def attack(
    original: History,
    release: Any,
    *,
    methods: Sequence[str] = (),
    params: Params | None = None,
    seed: int | None = None,
    **options: Any,
) -> AttackResults[HistoryHits]: ...
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
) -> MeasureResults[Score]: ...
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
