"""Tests of tokumei.ledger.ledger."""

import pytest

from tokumei.core.errors import UsageError
from tokumei.ledger.ledger import Ledger


def test_the_key_may_not_lie_in_the_ledger(tmp_path):
    with pytest.raises(UsageError, match="outside the ledger"):
        Ledger.create(tmp_path / "ledger", tmp_path / "ledger" / "key")
