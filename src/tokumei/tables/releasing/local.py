"""From a table to files: make a release, verify its claims, write it.

    release = make_release(table, build_method("mondrian", {"k": 5}))
    save(release, "public.csv", secret="link.csv")        # verifies first

Apart from `flow`, so that a command which only anonymizes loads nothing of attacks and measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim
from tokumei.core.text import as_json_text
from tokumei.files.atomic import Output
from tokumei.files.compact import is_compact
from tokumei.files.writing import frame_output, link_output, text_output
from tokumei.tables.anonymizers.pipeline import Pipeline
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.data.release import Release
from tokumei.tables.data.table import Table, require_numbers
from tokumei.tables.registry import anonymizers


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
            "parameters of a pipeline belong to its steps",
            "パイプラインのパラメータは各手順に書いてください",
        )
    steps = tuple(_step(step) for step in method)
    if not steps:
        raise UsageError("name at least one method", "手法を一つ以上指定してください")
    return steps[0] if len(steps) == 1 else Pipeline(steps)


def make_release(
    table: Table,
    method: TableMethod,
    *,
    seed: int | None = None,
    keep_order: bool = False,
    sha256: str | None = None,
) -> Release:
    """A release with all its claims, which nobody has verified yet; `save` does.

    The public part of a compact table is compact too, if the method understands that.
    """
    require_numbers(table, table.schema.sa)
    if not method.takes_compact and any(is_compact(dtype) for dtype in table.frame.dtypes):
        table = table.with_text()
    release = method.anonymize(table, rng=Randomness(seed), shuffle=not keep_order, sha256=sha256)
    claims = (*release.claims, *_no_identifiers(table))
    return Release(release.public, release.link, claims, release.provenance)


def release_outputs(
    release: Release, path: str | Path | None, *, secret: str | Path | None = None, sep: str = ","
) -> list[Output]:
    """The files of a release, not yet written."""
    outputs = []
    if path is not None:
        outputs.append(frame_output(release.public.frame, path, sep=sep))
        outputs.append(text_output(as_json_text(release.manifest()), f"{path}.manifest.json"))
    if secret is not None:
        full = as_json_text(release.provenance.as_json(public=False))
        outputs.append(link_output(release.link, secret))
        outputs.append(text_output(full, f"{secret}.provenance.json", secret=True))
    return outputs


def _no_identifiers(table: Table) -> tuple[Claim, ...]:
    ids = table.schema.ids
    return (Claim("no-identifiers", {"columns": ids}),) if ids else ()


def _step(step: Mapping[str, Any]) -> TableMethod:
    params = dict(step)
    if "method" not in params:
        raise UsageError("a step needs a 'method'", "手順には 'method' が必要です")
    built: TableMethod = anonymizers.build(params.pop("method"), params)
    return built
