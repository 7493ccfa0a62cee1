"""What the tests split from test_release share."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.studio.adapters_helpers import begun
from tokumei.apps.studio.store.project import Project
from tokumei.ledger.ledger import Ledger


@pytest.fixture
def people(tmp_path: Path) -> Project:
    # By their points, which leave as they are, rows of two releases can be told to be one person's.
    rows = "".join(
        f"P-{i:03d},{20 + i * 7 % 41},{'MF'[i * 5 % 7 % 2]},{1000 + i * 37}\n" for i in range(48)
    )
    made = begun(tmp_path, "people.csv", f"id,age,sex,points\n{rows}")
    roles = {"id": "identifier", "age": "quasi", "sex": "quasi", "points": "keep"}
    made.change(roles=roles)
    Ledger.create(tmp_path / "ledger", tmp_path / "ledger.key")
    asked = {"folder": str(tmp_path / "ledger"), "recipient": "A", "id": "id"}
    made.change(ledger=asked)
    return made
