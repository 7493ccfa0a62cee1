"""What the tests split from test_tampering share."""

import pytest
from tests.support.ledgers import contribution, new_ledger, record

from tokumei.core.errors import InputError
from tokumei.ledger.integrity_check import verify_ledger

LINES = [(f"p{i}", i // 3, f"v{i % 2}", {i // 3}) for i in range(9)]


@pytest.fixture
def book(tmp_path):
    book = new_ledger(tmp_path)
    record(book, contribution(LINES), "A", k=3, made="2026-01-01")
    record(book, contribution(LINES[::-1]), "B", k=3, made="2026-02-01")
    return book


def found(book):
    """Whether verify finds something; an unreadable ledger is an error."""
    try:
        return bool(verify_ledger(book.path).faults)
    except InputError:
        return True
