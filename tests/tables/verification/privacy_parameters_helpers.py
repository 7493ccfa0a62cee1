"""What the tests split from test_privacy_parameters share."""

from __future__ import annotations

from typing import Any

from tokumei.core.registry import build_params
from tokumei.tables.verification.k_anonymity import KPerPerson
from tokumei.tables.verification.l_diversity import EntropyLDiversity, RecursiveLDiversity
from tokumei.tables.verification.t_closeness import TCloseness
from tokumei.tables.verification.value_frequency import AlphaK, BetaLikeness, DeltaDisclosure

TREE = {"x": ["xy", "*"], "y": ["xy", "*"], "z": ["z", "*"]}


COLUMNS = {"columns": ["a"], "sensitive": ["s"]}


GOOD = [
    (EntropyLDiversity, {"l": 2, **COLUMNS}),
    (RecursiveLDiversity, {"c": 3, "l": 2, **COLUMNS}),
    (AlphaK, {"alpha": 0.5, "k": 3, **COLUMNS}),
    (TCloseness, {"t": 0.5, **COLUMNS}),
    (TCloseness, {"t": 0.5, "distance": "ordered", "order": ["x", "y", "z"], **COLUMNS}),
    (TCloseness, {"t": 0.5, "distance": "hierarchical", "hierarchy": TREE, **COLUMNS}),
    (BetaLikeness, {"beta": 1, "enhanced": True, **COLUMNS}),
    (DeltaDisclosure, {"delta": 1.5, **COLUMNS}),
    (KPerPerson, {"k": 2, "columns": ["a"], "person": "s"}),
]


def build(kind: type, params: dict[str, Any]) -> Any:
    return build_params(kind, params, where=kind.name)
