"""What the tests split from test_claims share."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.guarded_methods import Make
from support.privacy_reference import PARENTS
from tokumei.core.randomness import Randomness
from tokumei.tables.data.table import Release, Table


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The hierarchy of the reference, as a file."""
    path: Path = tmp_path_factory.mktemp("h") / "s.csv"
    path.write_text("".join(f"{v};{PARENTS[v]};*\n" for v in range(5)), encoding="utf-8")
    return str(path)


def release_of(make: Make, source: Table, text: str, tree: str, k: int = 2) -> Release:
    method = make(k=k, conditions=(text,), sensitive_hierarchies={"s": tree})
    return method.anonymize(source.drop(["who"]), rng=Randomness(1))
