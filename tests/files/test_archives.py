"""Archives are the same bytes for the same members, and whole or not there at all."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile

import pytest

from tokumei.files import archives


def test_the_same_members_give_the_same_bytes_at_any_time(tmp_path):
    source = tmp_path / "A.csv"
    packed = []
    for moment in (1_000_000_000, 1_700_000_000):
        source.write_bytes(b"a,b\n1,2\n")
        os.utime(source, (moment, moment))
        stream = io.BytesIO()
        with archives.open_archive(stream) as archive:
            archive.add("README.txt", "読んで")
            archive.add_file("data/A.csv", source)
            archive.add_chunks("rows.jsonl", [b"1\n", b"2\n"])
        packed.append(stream.getvalue())
    assert packed[0] == packed[1]
    with zipfile.ZipFile(io.BytesIO(packed[0])) as archive:
        assert archive.read("README.txt").decode() == "読んで"
        assert archive.read("data/A.csv") == b"a,b\n1,2\n"
        assert archive.read("rows.jsonl") == b"1\n2\n"
        assert {member.compress_type for member in archive.infolist()} == {zipfile.ZIP_DEFLATED}
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_member_of_any_size_gives_its_digest(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "_CHUNK", 3)
    (tmp_path / "file").write_bytes(b"0123456789")
    with archives.open_archive(io.BytesIO(), compressed=False) as archive:
        digest = archive.add_file("file", tmp_path / "file")
    assert digest == hashlib.sha256(b"0123456789").hexdigest()


def test_an_archive_that_fails_leaves_no_file(tmp_path):
    def fill(archive):
        archive.add("first", b"1")
        raise ValueError("no second")

    with pytest.raises(ValueError, match="no second"):
        archives.write_archive(tmp_path / "all.zip", fill)
    assert list(tmp_path.iterdir()) == []


def test_only_the_owner_reads_a_secret_archive(tmp_path):
    path = tmp_path / "all.zip"
    archives.write_archive(path, lambda archive: archive.add("first", b"1"), secret=True)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_bytes() == archives.pack_archive({"first": b"1"})
