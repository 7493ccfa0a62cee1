"""Several measures of one release, by name.

measure_suite(case)                              # the contest's
measure_suite(case, ["default", "rfm"])          # and one more
measure_suite(case, ["topk_similarity"], params={"topk_similarity": {"as_paper": True}})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.core.measure import Score
from tokumei.pseudonyms.measures.protocol import PeriodCase
from tokumei.pseudonyms.registry import measures

DEFAULT, ALL = "default", "all"


def measure_suite(
    case: PeriodCase,
    names: Sequence[str] = (),
    *,
    params: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Score]:
    """Score the release."""
    return {
        name: case.score_of(measures.build(name, (params or {}).get(name)))
        for name in chosen_measures(case.master is not None, names)
    }


def chosen_measures(with_master: bool, names: Sequence[str] = ()) -> list[str]:
    """Names, each once; `default` (also without names) are the contest's, `all` what can be.

    Without the customers' data some measures cannot be.
    """
    found: list[str] = []
    for name in names or [DEFAULT]:
        if name == DEFAULT:
            found += [n for n in measures.names() if not measures.get(n).on_request]
        elif name == ALL:
            found += [n for n in measures.names() if with_master or not _master(n)]
        else:
            found.append(name)
    return list(dict.fromkeys(found))


def _master(name: str) -> bool:
    return "master" in measures.get(name).needs
