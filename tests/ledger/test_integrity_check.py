"""Tests of tokumei.ledger.integrity_check."""

from tests.support.ledgers import contribution, record

from ledger.tampering_fixtures import LINES
from ledger.tampering_fixtures import book as book
from tokumei.ledger.integrity_check import verify_ledger


def test_an_older_copy_is_told_by_the_head_noted(book):
    path, head = book.path / "ledger.jsonl", book.path / "head"
    before = path.read_bytes(), head.read_bytes()
    record(book, contribution(LINES), "C")
    noted = book.head
    path.write_bytes(before[0])
    head.write_bytes(before[1])
    assert not verify_ledger(book.path).faults
    assert verify_ledger(book.path, head=noted).faults


def test_only_the_owner_can_read_anything(book, tmp_path):
    for path in [tmp_path / "ledger.key", *book.path.rglob("*")]:
        mode = path.stat().st_mode & 0o777
        assert mode == (0o700 if path.is_dir() else 0o600), path
    (book.path / "classes" / "0001.parquet").chmod(0o644)
    assert [fault.rule for fault in verify_ledger(book.path).faults] == ["ledger-mode"]
