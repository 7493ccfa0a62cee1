"""Several measures of one release, by name.

measure_suite(case)                              # the contest's
measure_suite(case, ["default", "rfm"])          # and one more
measure_suite(case, ["all"], as_paper=True)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.core.score import Score
from tokumei.pseudonyms.measures.protocol import PeriodCase
from tokumei.pseudonyms.registry import measures

DEFAULT, ALL = "default", "all"


def measure_suite(
    case: PeriodCase,
    names: Sequence[str] = (),
    *,
    params: Mapping[str, Mapping[str, Any]] | None = None,
    as_paper: bool = False,
) -> dict[str, Score]:
    """Score the release; `as_paper` measures as the paper's text where the judge differs."""
    found = {}
    for name in chosen_measures(case, names):
        kind = measures.get(name)
        given = dict((params or {}).get(name) or {})
        if as_paper and "as_paper" in {field.name for field in dataclasses.fields(kind)}:
            given.setdefault("as_paper", True)
        found[name] = case.score_of(measures.build(name, given))
    return found


def chosen_measures(case: PeriodCase, names: Sequence[str] = ()) -> list[str]:
    """Names, each once; `default` (also without names) are the contest's, `all` what can be."""
    found: list[str] = []
    for name in names or [DEFAULT]:
        if name == DEFAULT:
            found += [n for n in measures.names() if not measures.get(n).on_request]
        elif name == ALL:
            found += [n for n in measures.names() if case.master is not None or not _master(n)]
        else:
            found.append(name)
    return list(dict.fromkeys(found))


def _master(name: str) -> bool:
    return "master" in measures.get(name).needs
