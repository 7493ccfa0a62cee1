"""Saving releases and experiments: all files or none, verified first; manifests read again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tokumei.core.context_threads import ContextThreadPool
from tokumei.core.errors import InputError, OutputError
from tokumei.core.kind import Kind, Release
from tokumei.core.options import spare_sources
from tokumei.core.reasons import system_reason
from tokumei.core.verification import VerifiedRelease, require_verified, verify_release
from tokumei.files.atomic import Output, StagedFiles, stage_files
from tokumei.files.containers import AnyPath
from tokumei.files.writing import text_output

if TYPE_CHECKING:
    from tokumei.core.recipe import Experiment


class Record(Protocol):
    """A ledger's line of a release, written before the release leaves, and closed afterwards."""

    def begin(self, staged: Path) -> None:
        """All files are complete and verified; what will be public stands at `staged`."""

    def finish(self) -> None:
        """All files have their names."""

    def withdraw(self) -> None:
        """They did not get them."""


@dataclass(frozen=True, kw_only=True)
class ReleasePaths:
    """Where the files of a history's release are written.

    `public` gets what may be handed out; `aligned` all rows in the original's order and `secret`
    who is who, both secret.
    """

    public: str | None = None
    aligned: str | None = None
    secret: str | None = None


def save_release(
    kind: Kind,
    release: Release,
    public: AnyPath | None,
    *,
    record: Record | None = None,
    **files: Any,
) -> None:
    """Write the files of a release; its claims are verified beside the writing.

    With a `record`, nothing leaves unrecorded, and nothing is recorded that did not leave.
    """
    outputs = list(kind.flow.outputs(release, public, **files))
    leaves = None if record is None or public is None else (Path(public), record)
    with ContextThreadPool(1) as executor:
        verifying = executor.submit(verify_release, kind, release)
        with stage_files(outputs) as staged:
            publish_files(staged, verifying.result(), leaves)


def publish_files(
    staged: StagedFiles,
    verified: VerifiedRelease[Any],
    leaves: tuple[Path, Record] | None = None,
) -> None:
    """Give the files of a release their names: only of one that was verified.

    `leaves`: the file that is handed out, and its line in a ledger.
    """
    require_verified(verified)
    _publish_recorded(staged, leaves)


def _publish_recorded(staged: StagedFiles, leaves: tuple[Path, Record] | None) -> None:
    """Give files their names: announced in a ledger before, closed after, if one of them leaves."""
    if leaves is None:
        staged.publish()
        return
    public, record = leaves
    with _announced(record, staged.temporary(public)):
        staged.publish()


@contextmanager
def _announced(record: Record, staged: Path) -> Iterator[None]:
    """Around the moment in which a file gets its name."""
    record.begin(staged)
    try:
        yield
    except BaseException:
        record.withdraw()
        raise
    record.finish()


def save_experiment(experiment: Experiment, out: AnyPath) -> Path:
    """Write report, figures, releases and their secrets into a folder; the report's path.

    Secrets go to `secret/`, which only the owner may enter. No file that was read is replaced. A
    release that leaves by a ledger is recorded, or nothing is written.
    """
    folder = Path(out)
    with experiment.leaving(folder) as leaves:
        return _saved(experiment, folder, leaves)


def stage_experiment(experiment: Experiment, folder: AnyPath) -> Path:
    """The same into a folder that nobody is given as it stands: nothing leaves, no line is made."""
    return _saved(experiment, Path(folder), None)


@contextmanager
def leaving_staged(
    leaves: tuple[Path, Record] | None, staged: AnyPath, target: AnyPath
) -> Iterator[None]:
    """Around the moment in which a staged folder gets its name: announced before, closed after.

    `leaves` is what `experiment.leaving(target)` gave, whose check therefore came first.
    """
    if leaves is None:
        yield
        return
    public, record = leaves
    with _announced(record, Path(staged) / public.relative_to(target)):
        yield


def _saved(experiment: Experiment, folder: Path, leaves: tuple[Path, Record] | None) -> Path:
    outputs = list(experiment.outputs(folder))
    paths = [Path(output.path) for output in outputs]
    spare_sources(experiment.recipe.files, paths)
    with _folders({path.parent for path in paths}, folder), stage_files(outputs) as staged:
        # Its releases were verified when their outputs were made (`core.recipe.numbered_outputs`).
        _publish_recorded(staged, leaves)
    return folder / experiment.report


def several(releases: int, folder: Path) -> list[Output]:
    """What says beside several releases that one excludes the others."""
    from tokumei.core.recipe import PUBLIC, folder_words

    if releases < 2:
        return []
    return [text_output(folder_words(), folder / PUBLIC / "README.md")]


@contextmanager
def _folders(places: Iterable[Path], out: Path) -> Iterator[None]:
    """The folders, while files are written into them; those made are gone again if that fails."""
    from tokumei.core.recipe import SECRET

    missing = {one for place in places for one in (place, *place.parents) if not one.exists()}
    made = sorted(missing, key=lambda place: len(place.parts))
    try:
        for place in made:
            place.mkdir(mode=0o700 if place == out / SECRET else 0o777, exist_ok=True)
        if (out / SECRET).is_dir():
            (out / SECRET).chmod(0o700)
        yield
    except BaseException as err:
        for place in reversed(made):
            with suppress(OSError):
                place.rmdir()
        if not isinstance(err, OSError):
            raise
        raise OutputError(
            f"{out}: cannot be made: {system_reason(err).en}",
            f"{out}: 作成できません: {system_reason(err).ja}",
        ) from None


def make_folder(path: AnyPath) -> Path:
    """The folder, made if it is not there yet; OutputError if it cannot be."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise OutputError(
            f"{path}: cannot be made: {system_reason(err).en}",
            f"{path}: 作成できません: {system_reason(err).ja}",
        ) from None
    return folder


def read_manifest(public: AnyPath) -> dict[str, Any]:
    """The manifest of a public file; nothing if none lies beside it."""
    path = Path(f"{public}.manifest.json")
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise damaged_manifest(path) from None
    if not isinstance(found, dict):
        raise damaged_manifest(path)
    return found


def damaged_manifest(path: AnyPath) -> InputError:
    """What to say of a manifest that is none."""
    return InputError(f"{path}: no readable manifest", f"{path}: マニフェストとして読めません")
