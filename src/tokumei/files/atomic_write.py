"""Writes sets of files atomically: all of them or none.

    write_all([Output(path, write), Output(other, write, secret=True)])

    with stage_files(outputs) as staged:       # or in two steps, with something between them
        publish_files(staged, verified)        # tokumei.files.release_files

Every content goes to a temporary file beside its target and to the disk; only when all of them
are complete are they renamed, secrets first and the first output last: where it stands, all stand.
Whatever fails before or during that leaves every target as it was and no temporary behind. Killed
outright, a target is still old or new, never partial, and what is left behind can be read by its
owner only (`temporary_files.py`).
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from tokumei.core import portable_system_calls
from tokumei.core.errors import OutputError, UsageError
from tokumei.core.messages import Message
from tokumei.core.portable_system_calls import mark_in_use, set_file_mode, sync_folder
from tokumei.core.release_terms import TableLayout
from tokumei.files.file_formats import AnyPath
from tokumei.files.rows_digest import MANIFEST_SUFFIX, with_rows_digest
from tokumei.files.temporary_files import (
    EARLIER_PREFIX,
    HIDDEN_PREFIX,
    SECRET_PREFIX,
    UNVERIFIED_PREFIX,
    hidden_path_beside,
    notify_leftovers,
)
from tokumei.release_gate.public_files import PublicFile

_OS_ERROR_PATTERN = re.compile(r"(?:os error|Errno) (\d+)")
_MISSING_DIRECTORY = Message("the folder does not exist")
_NO_PERMISSION = Message("no permission to write there")
_REASONS_BY_ERRNO = {
    errno.ENOENT: _MISSING_DIRECTORY,
    errno.ENOTDIR: _MISSING_DIRECTORY,
    errno.EACCES: _NO_PERMISSION,
    errno.EPERM: _NO_PERMISSION,
    errno.EROFS: Message("the file system is read-only"),
    errno.ENOSPC: Message("the disk is full"),
    errno.EDQUOT: Message("the disk quota is used up"),
    errno.EFBIG: Message("the file would be too large"),
    errno.ENAMETOOLONG: Message("the name is too long"),
}


@dataclass(frozen=True)
class Output:
    """One file to write: where, how, and whether only its owner may read it."""

    path: AnyPath
    write: Callable[[BinaryIO], object]
    secret: bool = False
    layout: TableLayout | None = None
    """How rows are written in it, for whoever reads them again; None: it holds none."""

    @property
    def target(self) -> Path:
        """The file itself, behind any symbolic links."""
        return Path(os.path.realpath(self.path))


@dataclass
class _StagedFile:
    """A complete temporary file on its way to its target; open, because that shows it is in use."""

    temporary: Path
    output: Output
    descriptor: int

    def close(self) -> None:
        """Close the file, once."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def discard(self) -> None:
        """Close the file, and remove it where it still has its temporary name."""
        try:
            self.close()
        finally:
            self.temporary.unlink(missing_ok=True)


@dataclass(frozen=True)
class StagedFiles:
    """Complete files under temporary names; `publish` gives all of them their names, or none."""

    _files: Sequence[_StagedFile]

    def temporary(self, path: AnyPath) -> Path:
        """Where the content of an output stands until it has its name."""
        target = Path(os.path.realpath(path))
        return next(item.temporary for item in self._files if item.output.target == target)

    def public_files(self) -> list[PublicFile]:
        """The files that anybody may read, as they stand under their temporary names."""
        return [
            PublicFile(item.temporary, Path(item.output.path).name, item.output.layout)
            for item in self._files
            if not item.output.secret
        ]

    def publish(self) -> None:
        """Rename all files; if one fails, every target is as it was.

        Who writes to the same folder waits, so that no two sets of files are mixed.
        """
        with portable_system_calls.locked_folder(_shared_folder(self._files)):
            self._rename_all()

    def _rename_all(self) -> None:
        # Whoever finds the first output, the public rows of a release, finds the rest in place.
        ordered = sorted(reversed(self._files), key=lambda item: not item.output.secret)
        backups: list[Path | None] = []
        changed_targets: set[Path] = set()
        try:
            for item in ordered if len(self._files) > 1 else ():
                backups.append(_back_up_target(item.output))
            changed_targets |= _remove_old_public(self._files)
            for item in ordered:
                _rename_to_target(item)
                changed_targets.add(item.output.target)
        except BaseException:
            for item, backup in zip(ordered, backups, strict=False):
                if item.output.target in changed_targets:
                    _restore_target(item.output.target, backup)
            raise
        finally:
            for backup in backups:
                if backup is not None:
                    backup.unlink(missing_ok=True)
        for folder in {item.output.target.parent for item in self._files}:
            with suppress(OSError):  # the files are in place already: this is no failure
                sync_folder(folder)


def write_all(outputs: Sequence[Output]) -> None:
    """Write all files, or none and raise OutputError with the path and the reason."""
    with stage_files(outputs) as staged:
        staged.publish()


@contextmanager
def stage_files(outputs: Sequence[Output]) -> Iterator[StagedFiles]:
    """Write all files under temporary names; those that were not published are removed."""
    _require_distinct(outputs)
    for output in outputs:
        _require_writable(output)
    notify_leftovers({output.target.parent for output in outputs})
    staged: list[_StagedFile] = []
    try:
        for output in outputs:
            staged.append(_write_staged_file(output))
        _tie_manifests_to_rows(staged)
        yield StagedFiles(staged)
    finally:
        for item in staged:
            item.discard()


def _require_distinct(outputs: Sequence[Output]) -> None:
    seen_targets: set[Path] = set()
    for output in outputs:
        if output.target in seen_targets:
            raise UsageError("{path}: two outputs cannot go to the same file", path=output.path)
        seen_targets.add(output.target)


def _require_writable(output: Output) -> None:
    """Refuse what a rename would do harm to: directories, devices, pipes."""
    target = output.target
    try:
        if target.is_dir():
            raise _output_error(output, Message("it is a folder"))
        if target.exists() and not target.is_file():
            reason = Message("it is not a regular file")
            raise _output_error(output, reason)
    except OSError as err:
        raise _output_error(output, _describe_os_error(err)) from None


def _write_staged_file(output: Output) -> _StagedFile:
    temporary = hidden_path_beside(
        output.target, SECRET_PREFIX if output.secret else UNVERIFIED_PREFIX
    )
    staged = _StagedFile(temporary, output, -1)
    try:
        staged.descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        mark_in_use(staged.descriptor)
        with os.fdopen(os.dup(staged.descriptor), "wb") as stream:
            output.write(stream)
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException as err:
        with suppress(OSError):
            staged.discard()
        if isinstance(err, OSError) or _OS_ERROR_PATTERN.search(str(err)):
            raise _output_error(output, _describe_os_error(err)) from None
        raise
    return staged


def _shared_folder(staged: Sequence[_StagedFile]) -> Path | None:
    """The folder of the first file; None: it is a hidden one of this process."""
    folder = staged[0].output.target.parent if staged else None
    return None if folder is None or folder.name.startswith(HIDDEN_PREFIX) else folder


def _tie_manifests_to_rows(staged: Sequence[_StagedFile]) -> None:
    """Let every manifest name the bytes of the rows that it describes."""
    rows = {f"{item.output.path}{MANIFEST_SUFFIX}": item for item in staged if item.output.layout}
    for item in staged:
        described = rows.get(str(item.output.path))
        if described is not None:
            manifest = with_rows_digest(item.temporary.read_bytes(), described.temporary)
            item.temporary.write_bytes(manifest)
            os.fsync(item.descriptor)


def _remove_old_public(staged: Sequence[_StagedFile]) -> set[Path]:
    """Old public rows, gone before new files stand beside them: those are of other rows."""
    first = staged[0].output if len(staged) > 1 else None
    if (
        first is None
        or first.secret
        or (first.layout is None and not any(item.output.secret for item in staged))
    ):
        return set()
    first.target.unlink(missing_ok=True)
    return {first.target}


def _rename_to_target(item: _StagedFile) -> None:
    target = item.output.target
    try:
        if not portable_system_calls.RENAMES_OPEN_FILES:
            item.close()
        item.temporary.replace(target)
        if not item.output.secret:  # only now: under its hidden name it is nobody else's
            set_file_mode(item.descriptor, target, 0o666 & ~_read_umask())
    except OSError as err:
        raise _output_error(item.output, _describe_os_error(err)) from None


def _read_umask() -> int:
    mask = os.umask(0o077)  # it can only be read by setting it; for a moment to the strictest
    os.umask(mask)
    return mask


def _back_up_target(output: Output) -> Path | None:
    """A second name for what stands at the target now."""
    target = output.target
    if not target.exists():
        return None
    backup = hidden_path_beside(target, EARLIER_PREFIX)
    try:
        backup.hardlink_to(target)
    except OSError:
        try:
            shutil.copy2(target, backup)
        except OSError as err:
            backup.unlink(missing_ok=True)
            raise _output_error(output, _describe_os_error(err)) from None
    return backup


def _restore_target(target: Path, backup: Path | None) -> None:
    if backup is None:
        target.unlink(missing_ok=True)
    else:
        backup.replace(target)


def _describe_os_error(err: BaseException) -> Message:
    """Why the operating system refused; Polars only tells the number, in its message."""
    match = _OS_ERROR_PATTERN.search(str(err))
    number = getattr(err, "errno", None) or (int(match[1]) if match else 0)
    return _REASONS_BY_ERRNO.get(number, Message.verbatim(str(err)))


def _output_error(output: Output, reason: Message) -> OutputError:
    return OutputError("{path}: nothing was written: {reason}", path=output.path, reason=reason)
