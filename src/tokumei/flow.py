"""The one flow in a few functions: anonymize → verify → save; attack, measure, check, diagnose.

import tokumei as tk
release = tk.anonymize(frame, "mondrian", k=5, qi=["age", "sex"], sa=["income"])
tk.attack(frame, release)["linkage"].rate
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tokumei.core.errors import Fault, UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim
from tokumei.core.score import Score
from tokumei.core.text import Text
from tokumei.files.spark.files import SparkTable, plain_frame
from tokumei.files.spark.session import is_spark_frame
from tokumei.histories.data.history import History
from tokumei.histories.flow import anonymize_history, attack_history, measure_history
from tokumei.histories.spark.reading import SparkHistory
from tokumei.pseudonyms.data.history import PeriodHistory
from tokumei.pseudonyms.flow import (
    anonymize_periods,
    attack_periods,
    measure_periods,
    score_guess,
)
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.data.table import Table
from tokumei.tables.diagnosis.diagnose import Diagnosis
from tokumei.tables.diagnosis.diagnose import diagnose as _diagnose
from tokumei.tables.diagnosis.symbols import Thresholds
from tokumei.tables.flow.compare import compare
from tokumei.tables.flow.local import build_method, make_release
from tokumei.tables.suite import attack_suite, measure_suite
from tokumei.tables.verify.claims import claim_faults, require_claims


def anonymize(
    source: Any,
    method: str | TableMethod | Sequence[Mapping[str, Any]],
    *,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    ids: Sequence[str] | None = None,
    kinds: Mapping[str, str] | None = None,
    seed: int | None = None,
    keep_order: bool = False,
    sha256: str | None = None,
    **params: Any,
) -> Any:
    """A verified release of a frame or Table.

    `method` is a name (its parameters follow as keywords), an anonymizer, or a list of steps such
    as `[{"method": "unify", "columns": ["age"]}, {"method": "mondrian", "k": 5}]`. A History and a
    PeriodHistory have methods of their own and give a HistoryRelease or a PeriodRelease. Rows of
    a Spark DataFrame (or a SparkHistory) stay on the cluster: a SparkRelease (SparkHistoryRelease).
    """
    if isinstance(source, History):
        return anonymize_history(source, method, seed=seed, sha256=sha256, **params)
    if isinstance(source, PeriodHistory):
        return anonymize_periods(source, method, seed=seed, sha256=sha256, **params)
    if isinstance(source, SparkHistory):
        from tokumei.histories.spark.flow import anonymize_history_on_spark

        return anonymize_history_on_spark(source, method, seed=seed, **params)
    if is_spark_frame(source):
        from tokumei.tables.flow.counted_method import Roles
        from tokumei.tables.flow.spark import anonymize_spark_frame

        roles = Roles(qi or (), sa or (), ids or (), kinds or {})
        chosen = build_method(method, params)
        return anonymize_spark_frame(source, chosen, roles, seed=seed, keep_order=keep_order)
    table = Table.of(source, qi=qi, sa=sa, ids=ids, kinds=kinds)
    chosen = build_method(method, params)
    release = make_release(table, chosen, seed=seed, keep_order=keep_order, sha256=sha256)
    require_claims(release.public, release.claims)
    return release


def attack(
    original: Any,
    release: Any,
    *,
    link: np.ndarray | None = None,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    known: Any = None,
    methods: Sequence[str] = (),
    params: Mapping[str, Mapping[str, Any]] | None = None,
    as_is: bool = False,
    expected: bool = False,
    seed: int | None = None,
) -> dict[str, Any]:
    """How often each attack finds the right original row (all attacks by default).

    For a History and its release: how many people each attack finds. For a PeriodHistory: all
    rates of each attack that knows the rows `known` (all of the original if not given).

    `release` is a Release, or any frame with the `link` to the original's rows (without one, row
    i is taken to come from row i).
    """
    if isinstance(original, History):
        return dict(attack_history(original, release, methods=methods, params=params, seed=seed))
    if isinstance(original, PeriodHistory):
        chosen = {"known": known, "methods": methods, "params": params, "seed": seed}
        guesses = attack_periods(original, release, **chosen)
        return {name: score_guess(release, guess) for name, guess in guesses.items()}
    case = compare(original, release, link=link, qi=qi, sa=sa)
    return dict(
        attack_suite(
            case, methods, rng=Randomness(seed), params=params, as_is=as_is, expected=expected
        )
    )


def measure(
    original: Any,
    release: Any,
    *,
    link: np.ndarray | None = None,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    cross: Sequence[str] = (),
    methods: Sequence[str] = (),
    params: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Score]:
    """Measures of utility and structural safety, by name; those on request are not default.

    `methods` may hold `default` and `all` (every measure whose needed parameters are in `params`).
    Of two Spark DataFrames, measures that need single rows are left out.
    """
    if isinstance(original, History):
        return measure_history(original, release, methods=methods, params=params)
    if isinstance(original, PeriodHistory):
        return measure_periods(original, release, methods=methods, params=params)
    if is_spark_frame(original):
        from tokumei.tables.flow.spark_measures import MeasuredRoles, measure_on_spark

        roles = MeasuredRoles(qi or (), sa or (), cross)
        before, after = (SparkTable(plain_frame(one)) for one in (original, release))
        return measure_on_spark(before, after, roles, methods, params=params).scores
    case = compare(original, release, link=link, qi=qi, sa=sa, cross=cross)
    return measure_suite(case, methods, params=params)


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
        raise UsageError(Text("give k, l or both", "k か l を指定してください"))
    return claim_faults(Table.of(release), claims)
