"""Tests of tokumei.ledger.ledger_file."""

import pytest

from ledger.tampering_fixtures import book as book
from tokumei.core.errors import OutputError
from tokumei.ledger.ledger_file import hold_write_lock


def test_a_second_writer_waits_or_is_refused(book):
    with (
        book.writing(),
        pytest.raises(OutputError, match="another process"),
        hold_write_lock(book.path, patience=0.1),
    ):
        pass
