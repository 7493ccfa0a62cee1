"""The one flow in a few functions: anonymize → verify → save; attack, measure, check, diagnose.

import tokumei as tk
release = tk.anonymize(frame, "mondrian", k=5, qi=["age", "sex"], sa=["income"])
tk.attack(frame, release)["linkage"].rate
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tokumei.anonymizers.pipeline import Pipeline
from tokumei.anonymizers.protocol import TableMethod
from tokumei.data.comparison import Comparison
from tokumei.data.files.atomic import Output, write_all
from tokumei.data.files.writing import frame_output, link_output, text_output
from tokumei.data.history import History
from tokumei.data.json_text import as_json_text
from tokumei.data.randomness import Randomness
from tokumei.data.release import Claim, Release
from tokumei.data.table import Table, require_numbers
from tokumei.diagnosis.diagnose import Diagnosis
from tokumei.diagnosis.diagnose import diagnose as _diagnose
from tokumei.diagnosis.symbols import Thresholds
from tokumei.errors import Fault, UsageError
from tokumei.history_flow import anonymize_history, attack_history, measure_history
from tokumei.measures.protocol import Score
from tokumei.registry import anonymizers
from tokumei.search.suite import attack_suite, measure_suite
from tokumei.text import Text
from tokumei.verify.claims import claim_faults, require_claims


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
    as `[{"method": "unify", "columns": ["age"]}, {"method": "mondrian", "k": 5}]`. A History has
    methods of its own and gives a HistoryRelease.
    """
    if isinstance(source, History):
        return anonymize_history(source, method, seed=seed, sha256=sha256, **params)
    table = Table.of(source, qi=qi, sa=sa, ids=ids, kinds=kinds)
    require_numbers(table, table.schema.sa)
    chosen = build_method(method, params)
    release = chosen.anonymize(table, rng=Randomness(seed), shuffle=not keep_order, sha256=sha256)
    claims = (*release.claims, *_no_identifiers(table))
    require_claims(release.public, claims)
    return Release(release.public, release.link, claims, release.provenance)


def build_method(
    method: str | TableMethod | Sequence[Mapping[str, Any]], params: Mapping[str, Any]
) -> TableMethod:
    """An anonymizer from its name and parameters, or a pipeline from steps."""
    if isinstance(method, TableMethod):
        return method
    if isinstance(method, str):
        built: TableMethod = anonymizers.build(method, params)
        return built
    if params:
        raise UsageError(
            Text(
                "parameters of a pipeline belong to its steps",
                "パイプラインのパラメータは各手順に書いてください",
            )
        )
    steps = tuple(_step(step) for step in method)
    if not steps:
        raise UsageError(Text("name at least one method", "手法を一つ以上指定してください"))
    return steps[0] if len(steps) == 1 else Pipeline(steps)


def attack(
    original: Any,
    release: Any,
    *,
    link: np.ndarray | None = None,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    methods: Sequence[str] = (),
    params: Mapping[str, Mapping[str, Any]] | None = None,
    as_is: bool = False,
    expected: bool = False,
    seed: int | None = None,
) -> dict[str, Any]:
    """How often each attack finds the right original row (all attacks by default).

    For a History and its release: how many people each attack finds.

    `release` is a Release, or any frame with the `link` to the original's rows (without one, row
    i is taken to come from row i).
    """
    if isinstance(original, History):
        return dict(attack_history(original, release, methods=methods, params=params, seed=seed))
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
    """Every measure of utility and structural safety (all by default)."""
    if isinstance(original, History):
        return measure_history(original, release, methods=methods, params=params)
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


def save(
    release: Release, path: str | Path, *, secret: str | Path | None = None, sep: str = ","
) -> None:
    """Verify the release once more and write it: all files or none.

    `path` gets the public rows, `path.manifest.json` the claims and methods. `secret` gets the
    link and `secret.provenance.json` seed and source hash, both readable by the owner only.
    """
    require_claims(release.public, release.claims)
    write_all(release_outputs(release, path, secret=secret, sep=sep))


def release_outputs(
    release: Release, path: str | Path, *, secret: str | Path | None = None, sep: str = ","
) -> list[Output]:
    """The files of a release, not yet written."""
    outputs = [
        frame_output(release.public.frame, path, sep=sep),
        text_output(as_json_text(release.manifest()), f"{path}.manifest.json"),
    ]
    if secret is not None:
        full = as_json_text(release.provenance.as_json(public=False))
        outputs.append(link_output(release.link, secret))
        outputs.append(text_output(full, f"{secret}.provenance.json", secret=True))
    return outputs


def compare(
    original: Any,
    release: Any,
    *,
    link: np.ndarray | None = None,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    cross: Sequence[str] = (),
) -> Comparison:
    """An original and a release of it side by side."""
    table = Table.of(original, qi=qi, sa=sa)
    require_numbers(table, table.schema.sa)
    if isinstance(release, Release):
        return Comparison.of(table, release, cross=cross)
    released = Table.of(release)
    if link is None:
        link = np.arange(released.rows)
    return Comparison(table, released, np.asarray(link), tuple(cross))


def _no_identifiers(table: Table) -> tuple[Claim, ...]:
    ids = table.schema.ids
    return (Claim("no-identifiers", {"columns": ids}),) if ids else ()


def _step(step: Mapping[str, Any]) -> TableMethod:
    params = dict(step)
    if "method" not in params:
        raise UsageError(Text("a step needs a 'method'", "手順には 'method' が必要です"))
    built: TableMethod = anonymizers.build(params.pop("method"), params)
    return built
