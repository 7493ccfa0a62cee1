from __future__ import annotations

import hashlib
import os
import resource
import stat
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.contest.store.file_store_helpers import ENTRY
from tokumei.apps.contest.services.validation import generate_id
from tokumei.apps.contest.store.file_store import FileReceiver, FileStore, Inbox, TooLargeUpload
from tokumei.apps.contest.store.vault import Vault
from tokumei.core.errors import InputError, OutputError, UsageError


@pytest.fixture
def inbox(tmp_path) -> Inbox:
    (tmp_path / "inbox").mkdir()
    return Inbox(tmp_path / "inbox")


def received(inbox: Inbox, data: bytes, entry: str = ENTRY):
    with FileReceiver(inbox.path(entry), 1 << 20) as upload:
        upload.write(data)
        return upload.keep()


@given(st.binary(max_size=200))
def test_files_are_found_by_their_content(tmp_path_factory, data):
    store = FileStore(tmp_path_factory.mktemp("files"))
    key = store.put(data)
    assert key == hashlib.sha256(data).hexdigest()
    assert store.put(data) == key
    assert store.read(key) == data


def test_a_damaged_or_missing_file_is_never_handed_out(tmp_path):
    store = FileStore(tmp_path)
    key = store.put(b"good")
    store.path(key).write_bytes(b"bad")
    with pytest.raises(InputError, match="damaged"):
        store.read(key)
    with pytest.raises(InputError, match="missing"):
        store.read("0" * 64)


@pytest.mark.parametrize("key", ["../../etc/passwd", "", "0" * 63, "A" * 64, "0" * 64 + "\n"])
def test_only_hashes_name_files(tmp_path, key):
    with pytest.raises(UsageError):
        FileStore(tmp_path).path(key)


@given(st.lists(st.binary(max_size=50)))
def test_an_upload_arrives_whole(tmp_path_factory, chunks):
    inbox = Inbox(tmp_path_factory.mktemp("inbox"))
    with FileReceiver(inbox.path(ENTRY), 1 << 20) as upload:
        for chunk in chunks:
            upload.write(chunk)
        kept = upload.keep()
    data = b"".join(chunks)
    assert (kept.sha256, kept.size) == (hashlib.sha256(data).hexdigest(), len(data))
    assert kept.path.read_bytes() == data
    assert inbox.waiting() == [ENTRY]


def test_an_upload_that_breaks_off_leaves_nothing(inbox):
    with FileReceiver(inbox.path(ENTRY), 100) as upload:
        upload.write(b"half")
    assert list(inbox.folder.iterdir()) == []


def test_an_upload_that_is_too_large_leaves_nothing(inbox):
    with FileReceiver(inbox.path(ENTRY), 10) as upload:
        upload.write(b"12345")
        with pytest.raises(TooLargeUpload):
            upload.write(b"678901")
    assert list(inbox.folder.iterdir()) == []


def test_a_full_disk_is_told_and_loses_nothing(inbox, tmp_path):
    """Files may not grow beyond 64 KB here, as on a full disk: earlier ones stay as they were."""
    first = received(inbox, b"before")
    script = """
import resource, sys
from pathlib import Path
from tokumei.apps.contest.store.file_store import FileStore
from tokumei.apps.contest.store.file_store import Inbox, FileReceiver
from tokumei.core.errors import OutputError
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
for attempt in (lambda: receive(), lambda: FileStore(Path(sys.argv[2])).put(b"x" * 100_000)):
    def receive():
        with FileReceiver(Inbox(Path(sys.argv[1])).path("b" * 20), 1 << 30) as upload:
            for _ in range(100):
                upload.write(b"x" * 10_000)
            upload.keep()
    try:
        attempt()
    except OutputError as error:
        print(error.message.show("en"))
"""
    (tmp_path / "files").mkdir()
    ran = subprocess.run(
        [sys.executable, "-B", "-c", script, str(inbox.folder), str(tmp_path / "files")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = ran.stdout.splitlines()
    assert "the server's disk is full" in lines[0]
    assert "nothing was written" in lines[1]
    assert inbox.waiting() == [ENTRY]
    assert first.path.read_bytes() == b"before"
    assert [path for path in (tmp_path / "files").rglob("*") if path.is_file()] == []
    assert sorted(path.name for path in inbox.folder.iterdir()) == [ENTRY]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_a_really_full_disk(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", small]).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        inbox = Inbox(small)
        received(inbox, b"before")
        with pytest.raises(OutputError, match="disk is full"):
            received(inbox, b"x" * 500_000, "b" * 20)
        assert inbox.waiting() == [ENTRY]
        received(inbox, b"after", "c" * 20)
    finally:
        subprocess.run(["umount", small], check=True)


def test_leftovers_of_killed_processes_are_removed(inbox):
    received(inbox, b"kept")
    for name in (f"{'b' * 20}.part", ".in-1234"):
        (inbox.folder / name).write_bytes(b"half")
        os.utime(inbox.folder / name, (0, 0))
    (inbox.folder / ".in-young").write_bytes(b"half")
    inbox.remove_unfinished(older_than=60)
    assert sorted(path.name for path in inbox.folder.iterdir()) == [".in-young", ENTRY]


@pytest.mark.parametrize("entry", ["../" + "a" * 17, "a" * 19, "A" * 20, "a" * 20 + "\n"])
def test_only_entries_name_uploads(inbox, entry):
    with pytest.raises(UsageError):
        inbox.path(entry)


def test_the_vault_takes_uploads_and_shares_equal_ones(inbox, tmp_path):
    vault = Vault.open(tmp_path / "vault")
    for entry in (ENTRY, "b" * 20):
        kept = received(inbox, b"same", entry)
        path = vault.take(inbox, entry, kept.sha256)
        assert path.read_bytes() == b"same"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert vault.take(inbox, entry, kept.sha256) == path
    assert inbox.waiting() == []
    assert stat.S_IMODE(vault.folder.stat().st_mode) == 0o700


def test_an_upload_that_changed_is_refused(inbox, tmp_path):
    vault = Vault.open(tmp_path / "vault")
    kept = received(inbox, b"mine")
    kept.path.write_bytes(b"other")
    with pytest.raises(InputError, match="changed"):
        vault.take(inbox, ENTRY, kept.sha256)
    with pytest.raises(InputError, match="missing"):
        vault.take(inbox, "b" * 20, kept.sha256)


def test_identifiers_are_random_and_plain():
    made = {generate_id() for _ in range(1000)}
    assert len(made) == 1000
    assert all(len(one) == 20 and one.isascii() and one.isalnum() and one.islower() for one in made)


def test_no_limit_is_left_on_this_process():
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
