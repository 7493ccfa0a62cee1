"""Every changed byte of a ledger is found; a killed writer's half line is not a change."""

import os

import pytest
from tests.support.ledgers import contribution, record

from ledger.tampering_fixtures import LINES, found
from ledger.tampering_fixtures import book as book
from tokumei.core.errors import InputError
from tokumei.files.file_formats import sha256_of_file
from tokumei.files.key_files import write_key
from tokumei.ledger.integrity_check import verify_ledger
from tokumei.ledger.ledger import Ledger
from tokumei.ledger.release_draft import ReleaseDetails

EVERY = int(os.environ.get("TOKUMEI_EVERY_BYTE", "5"))


def test_an_untouched_ledger_is_whole(book):
    assert not verify_ledger(book.path).faults
    assert len(Ledger(book.path).entries) == 2


def test_every_changed_byte_of_the_lines_is_found(book):
    for name in ("ledger.jsonl", "head"):
        path = book.path / name
        data = path.read_bytes()
        for place in range(0, len(data), 17):
            other = bytearray(data)
            other[place] ^= 1
            path.write_bytes(bytes(other))
            assert found(book), (name, place)
        path.write_bytes(data)
    assert not found(book)


@pytest.mark.long
def test_a_changed_byte_of_any_file_is_found(book):
    """One in `EVERY`; with TOKUMEI_EVERY_BYTE=1 every single one."""
    for path in sorted(book.path.rglob("*")):
        if path.is_dir() or path.name == "lock":
            continue
        data = path.read_bytes()
        for place in range(0, len(data), EVERY):
            other = bytearray(data)
            other[place] ^= 1
            path.write_bytes(bytes(other))
            assert found(book), (path.name, place)
        path.write_bytes(data)


def test_changed_classes_are_found(book):
    for path in sorted((book.path / "classes").iterdir()):
        data = path.read_bytes()
        for place in range(0, len(data), 97):
            other = bytearray(data)
            other[place] ^= 1
            path.write_bytes(bytes(other))
            assert found(book), (path.name, place)
        path.write_bytes(data)
        path.unlink()
        assert found(book), path.name
        path.write_bytes(data)


def test_lines_taken_away_moved_or_doubled_are_found(book):
    path = book.path / "ledger.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    for changed in (lines[:-1], lines[1:], lines[:1] + lines[2:], [*lines, lines[-1]], []):
        path.write_bytes(b"".join(changed))
        assert found(book)
    path.write_bytes(b"".join([*lines[:-2], lines[-1], lines[-2]]))
    assert found(book)


def test_a_half_written_line_is_told_and_cut_off(book):
    path = book.path / "ledger.jsonl"
    path.write_bytes(path.read_bytes() + b'{"before":"00')
    again = Ledger(book.path)
    assert len(again.entries) == 2
    record(again, contribution(LINES), "C")
    assert any("half written" in note.show("en") for note in again.notes)
    assert len(Ledger(book.path).entries) == 3
    assert not found(book)


def test_another_key_is_an_error_not_an_empty_overlap(book, tmp_path):
    write_key(tmp_path / "other.key")
    with pytest.raises(InputError, match="not the key"):
        Ledger(book.path, tmp_path / "other.key")
    (tmp_path / "ledger.key").unlink()
    with pytest.raises(InputError, match="key cannot be read"):
        Ledger(book.path)


def test_no_id_and_no_value_is_in_any_file(book):
    for path in book.path.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert b"p1" not in data or path.suffix == ".parquet"
    people = book.recorded(book.entries[0]).people
    assert not any(dtype == "String" for dtype in map(str, people.dtypes))


def test_a_writer_sees_what_another_wrote_meanwhile(book):
    other = Ledger(book.path)
    record(book, contribution(LINES), "C")
    record(other, contribution(LINES), "D")
    assert [one.recipient for one in Ledger(book.path).entries] == ["A", "B", "C", "D"]


def test_what_was_announced_counts_only_if_its_file_stands(book, tmp_path):
    public = tmp_path / "z.csv"
    for stands in (False, True):
        with book.writing():
            draft = book.draft(contribution(LINES), ReleaseDetails("C"), public=public)
            public.write_text("rows")
            book.begin(draft, sha256=sha256_of_file(public))
        if not stands:
            public.unlink()
        again = Ledger(book.path)
        assert len(again.entries) == 2 + stands
        with again.writing():
            pass
        assert len(Ledger(book.path).entries) == 2 + stands
        assert len(again.notes) == 1
        book = Ledger(book.path)
    assert len(list((book.path / "classes").iterdir())) == 9
