"""The judge's measures together: the suite, the worst, the total, and the judge's own figures."""

from __future__ import annotations

import pytest

from tokumei.core.errors import UsageError
from tokumei.pseudonyms.registry import measures as period_measures


@pytest.mark.parametrize(
    ("name", "params"),
    [("topk", {"k": 0}), ("topk_similarity", {"k": -1}), ("itemcf_supply", {"cap": 0}),
     ("association_rules", {"support": 0}), ("association_rules", {"confidence": 1.5}),
     ("association_rules", {"size": 4}), ("cross_tables", {"by": []})],
)  # fmt: skip
def test_parameters_out_of_range(name: str, params: dict[str, object]):
    with pytest.raises(UsageError, match=name):
        period_measures.build(name, params)


def test_every_measure_declares_how_to_read_it():
    for name in period_measures.names():
        kind = period_measures.get(name)
        assert kind.name == name
        assert kind.bounds[0] < kind.bounds[1]
        assert all(text.show("en") and text.show("ja") for text in (kind.title, kind.unit))
