"""Saves verified releases and experiments, all files or none; reads manifests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tokumei.core.context_threads import ContextThreadPool
from tokumei.core.data_kind import DataKind, Release
from tokumei.core.error_translation import translate_system_error
from tokumei.core.errors import InputError, OutputError
from tokumei.core.json_types import JsonObject
from tokumei.core.release_terms import NO_TERMS
from tokumei.core.shared_options import refuse_overwriting_inputs
from tokumei.core.verification import VerifiedRelease, require_verified, verify_release
from tokumei.files.atomic_write import Output, StagedFiles, stage_files
from tokumei.files.file_formats import AnyPath
from tokumei.files.writing import text_output
from tokumei.release_gate.gate import require_clean_files

if TYPE_CHECKING:
    from tokumei.core.recipe import Experiment
    from tokumei.pages.verdict_view import AssessedRelease


class ReleaseRecord(Protocol):
    """A ledger's line of a release, written before the release leaves, and closed afterwards."""

    @property
    def release_name(self) -> str:
        """The name of the release in the ledger."""

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
    kind: DataKind,
    release: Release,
    public: AnyPath | None,
    *,
    record: ReleaseRecord | None = None,
    **files: object,
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
    verified: VerifiedRelease[Release],
    leaves: tuple[Path, ReleaseRecord] | None = None,
) -> None:
    """Give the files of a release their names: only of one that was verified, past the gate.

    `leaves`: the file that is handed out, and its line in a ledger.
    """
    require_verified(verified)
    require_clean_files(staged.public_files(), getattr(verified.release, "terms", NO_TERMS))
    _publish_recorded(staged, leaves)


def _publish_recorded(staged: StagedFiles, leaves: tuple[Path, ReleaseRecord] | None) -> None:
    """Give files their names: announced in a ledger before, closed after, if one of them leaves."""
    if leaves is None:
        staged.publish()
        return
    public, record = leaves
    with _announced(record, staged.temporary(public)):
        staged.publish()


@contextmanager
def _announced(record: ReleaseRecord, staged: Path) -> Iterator[None]:
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
        return _write_experiment(experiment, folder, leaves)


def stage_experiment(experiment: Experiment, folder: AnyPath) -> Path:
    """The same into a folder that nobody is given as it stands: nothing leaves, no line is made."""
    return _write_experiment(experiment, Path(folder), None)


@contextmanager
def record_staged_release(
    leaves: tuple[Path, ReleaseRecord] | None, staged: AnyPath, target: AnyPath
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


def _write_experiment(
    experiment: Experiment, folder: Path, leaves: tuple[Path, ReleaseRecord] | None
) -> Path:
    outputs = [*experiment.outputs(folder), *assessment_outputs(experiment.assessed, folder)]
    paths = [Path(output.path) for output in outputs]
    refuse_overwriting_inputs(experiment.recipe.files, paths)
    with (
        _temporary_folders({path.parent for path in paths}, folder),
        stage_files(outputs) as staged,
    ):
        # Its releases were verified when their outputs were made (`core.recipe.numbered_outputs`).
        _publish_recorded(staged, leaves)
    return folder / experiment.report


ASSESSMENT_FILE, ASSESSMENTS_FOLDER = "assessment.json", "assessments"


def assessment_outputs(assessed: Mapping[str, AssessedRelease], folder: Path) -> list[Output]:
    """The assessment of a release beside it; of several, each with its page in a folder."""
    from tokumei.core.json_types import as_json_text
    from tokumei.core.language import current_language
    from tokumei.core.releases_folder import to_file_name

    if len(assessed) == 1:
        (release,) = assessed.values()
        return [text_output(as_json_text(dict(release.document)), folder / ASSESSMENT_FILE)]
    outputs = list[Output]()
    for number, (name, release) in enumerate(assessed.items(), 1):
        stem = folder / ASSESSMENTS_FOLDER / f"{number:02d}-{to_file_name(name)}"
        text = as_json_text(dict(release.document))
        outputs.append(text_output(text, stem.with_name(f"{stem.name}.json")))
        page = release.page(current_language())
        outputs.append(text_output(page, stem.with_name(f"{stem.name}.html")))
    return outputs


def several_releases_readme(releases: int, folder: Path) -> list[Output]:
    """The README beside several releases: only one of them may be published."""
    from tokumei.core.releases_folder import RELEASES_FOLDER, releases_readme

    if releases < 2:
        return []
    return [text_output(releases_readme(), folder / RELEASES_FOLDER / "README.md")]


@contextmanager
def _temporary_folders(places: Iterable[Path], out: Path) -> Iterator[None]:
    """The folders, while files are written into them; those made are gone again if that fails."""
    from tokumei.core.releases_folder import SECRET_FOLDER

    missing = {
        ancestor
        for folder in places
        for ancestor in (folder, *folder.parents)
        if not ancestor.exists()
    }
    new_folders = sorted(missing, key=lambda folder: len(folder.parts))
    try:
        for folder in new_folders:
            folder.mkdir(mode=0o700 if folder == out / SECRET_FOLDER else 0o777, exist_ok=True)
        if (out / SECRET_FOLDER).is_dir():
            (out / SECRET_FOLDER).chmod(0o700)
        yield
    except BaseException as err:
        for folder in reversed(new_folders):
            with suppress(OSError):
                folder.rmdir()
        if not isinstance(err, OSError):
            raise
        raise OutputError(
            "{path}: cannot be made: {reason}", path=out, reason=translate_system_error(err)
        ) from None


def make_folder(path: AnyPath) -> Path:
    """The folder, made if it is not there yet; OutputError if it cannot be."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise OutputError(
            "{path}: cannot be made: {reason}", path=path, reason=translate_system_error(err)
        ) from None
    return folder


def read_manifest(public: AnyPath) -> JsonObject:
    """The manifest of a public file; nothing if none lies beside it."""
    path = Path(f"{public}.manifest.json")
    if not path.is_file():
        return {}
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise damaged_manifest_error(path) from None
    if not isinstance(manifest, dict):
        raise damaged_manifest_error(path)
    return manifest


def damaged_manifest_error(path: AnyPath) -> InputError:
    """The error about a manifest that cannot be read."""
    return InputError("{path}: no readable manifest", path=path)
