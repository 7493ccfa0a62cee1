"""Where a system lacks something, each function does what it says instead."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tokumei.core import portable_system_calls
from tokumei.core.errors import OutputError, UsageError
from tokumei.files.atomic_write import Output, write_all


@pytest.fixture
def descriptor(tmp_path: Path) -> int:
    return portable_system_calls.open_binary_for_writing(tmp_path / "file")


def test_two_descriptors_cannot_hold_one_lock(tmp_path: Path, descriptor: int) -> None:
    portable_system_calls.lock_file(descriptor)
    other = portable_system_calls.open_binary_for_writing(tmp_path / "file")
    with pytest.raises(BlockingIOError):
        portable_system_calls.lock_file(other)
    assert not portable_system_calls.mark_in_use(other)
    os.close(descriptor)
    assert portable_system_calls.mark_in_use(other)
    os.close(other)


def test_windows_locks_the_first_byte(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int, int]] = []
    windows = ModuleType("msvcrt")

    def locking(number: int, mode: int, size: int) -> None:
        asked.append((os.lseek(number, 0, os.SEEK_CUR), mode, size))
        if len(asked) > 1:
            raise PermissionError(errno.EACCES, "taken")

    windows.locking, windows.LK_NBLCK = locking, 2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    monkeypatch.setattr(portable_system_calls, "fcntl", None)
    os.write(descriptor, b"123")
    portable_system_calls.lock_file(descriptor)
    assert asked == [(0, 2, 1)]
    with pytest.raises(BlockingIOError):
        portable_system_calls.lock_file(descriptor)
    os.close(descriptor)


def test_without_any_locks_it_is_told(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "msvcrt", None)
    monkeypatch.setattr(portable_system_calls, "fcntl", None)
    with pytest.raises(OutputError, match="no file locks"):
        portable_system_calls.lock_file(descriptor)
    assert not portable_system_calls.mark_in_use(descriptor)
    os.close(descriptor)


@pytest.mark.parametrize("missing", ["", "pwrite"])
def test_bytes_are_written_at_their_place(
    tmp_path: Path, descriptor: int, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.delattr(os, missing or "no such name", raising=False)
    assert portable_system_calls.write_at_offset(descriptor, b"abc\n", 0) == 4
    assert portable_system_calls.write_at_offset(descriptor, b"XY", 1) == 2
    os.close(descriptor)
    assert (tmp_path / "file").read_bytes() == b"aXY\n"


@pytest.mark.parametrize("missing", ["", "fchmod"])
def test_the_mode_is_set(
    tmp_path: Path, descriptor: int, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.delattr(os, missing or "no such name", raising=False)
    portable_system_calls.set_file_mode(descriptor, tmp_path / "file", 0o640)
    os.close(descriptor)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


def test_files_are_closed_before_they_are_renamed_where_they_must_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portable_system_calls, "RENAMES_OPEN_FILES", False)
    still_open: list[bool] = []
    rename = Path.replace

    def replace(self: Path, target: Path) -> Path:
        still_open.append(str(self) in map(os.path.realpath, Path("/proc/self/fd").iterdir()))
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    write_all([Output(tmp_path / "a", lambda stream: stream.write(b"a"))])
    assert still_open == [False]
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("missing", ["", "killpg"])
def test_a_process_is_killed(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True
    )
    monkeypatch.delattr(os, missing or "no such name", raising=False)
    portable_system_calls.kill_process_group(process.pid)
    process.communicate()
    assert process.returncode == -(signal.SIGTERM if missing else signal.SIGKILL)


def test_signals_that_are_missing_ended_nothing() -> None:
    assert portable_system_calls.was_ended_by_signal(-signal.SIGXCPU, "SIGXCPU")
    assert not portable_system_calls.was_ended_by_signal(-signal.SIGXCPU, "SIGNONE")
    assert signal.SIGTERM in portable_system_calls.stop_signals()


@pytest.mark.parametrize(("owner", "name"), [(os, "fork"), (portable_system_calls, "fcntl")])
def test_a_server_needs_forks_and_locks(
    monkeypatch: pytest.MonkeyPatch, owner: ModuleType, name: str
) -> None:
    portable_system_calls.require_server_platform()
    if owner is os:
        monkeypatch.delattr(os, name)
    else:
        monkeypatch.setattr(owner, name, None)
    with pytest.raises(UsageError, match="cannot run a contest server"):
        portable_system_calls.require_server_platform()
