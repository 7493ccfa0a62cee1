"""Recomputes the board of an export and compares it with the exported board.

    result = replay_export(Path("spring.zip"))
    result.differences, result.judged, result.board["leaderboard"]

The rows of `replay/` fill a database of their own, and the code of the pages makes the board of the
moment of the export. With the uploads and the judge in it (`tokumei contest export`), all scores
are forgotten first and every upload that has one is judged again, as a worker does.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from sqlalchemy import select

from tokumei.apps.contest.jobs.judge_process import JudgeProcess
from tokumei.apps.contest.jobs.judge_tasks import JudgeAnswer, Task
from tokumei.apps.contest.server.vault_exports import JUDGE_FOLDER, UPLOADS_FOLDER
from tokumei.apps.contest.services.context import AppContext, open_app_context
from tokumei.apps.contest.services.export import (
    REPLAY_MANIFEST,
    REPLAY_MODELS,
    ReplayManifest,
    build_board_csv,
    model_table,
    replay_member_name,
)
from tokumei.apps.contest.spec.model import ContestSpec, JudgingLimits
from tokumei.apps.contest.store.backup import load_table
from tokumei.apps.contest.store.database import current_revision
from tokumei.apps.contest.store.file_store import open_zip, translate_write_errors, write_file
from tokumei.apps.contest.store.server_home import load_settings, prepare_home
from tokumei.apps.contest.store.tables import Contest, ContestEntry, EntryScore
from tokumei.core.errors import InputError
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress

SCORE_COLUMNS = ("utility", "safety", "total", "unsafe", "judge_version")
WALL_SECONDS = 3600.0


@dataclass
class ReplayResult:
    """What was made again: the board as CSV, and where it is not the exported one."""

    slug: str
    exported_at: str
    judged: int | None = None
    """Uploads that were judged again; None if the scores are those of the export."""
    board: dict[str, str] = field(default_factory=dict)
    differences: list[Message] = field(default_factory=list)

    def rows(self, name: str) -> list[list[str]]:
        """A table of the board, its header first."""
        return list(csv.reader(io.StringIO(self.board[name].removeprefix("\ufeff"))))


def replay_export(export: Path) -> ReplayResult:
    """Make the board of an export again."""
    opened = open_zip(export, _damaged_export_error(str(export)))
    with translate_write_errors(), opened as archive, tempfile.TemporaryDirectory() as scratch:
        try:
            manifest: ReplayManifest = json.loads(_read_member(archive, REPLAY_MANIFEST))
        except ValueError:
            raise _damaged_export_error(REPLAY_MANIFEST) from None
        result = ReplayResult(manifest["slug"], manifest["exported_at"])
        with closing(_load_export(archive, manifest, Path(scratch) / "home")) as context:
            if any(name.startswith(f"{JUDGE_FOLDER}/") for name in archive.namelist()):
                _rejudge_entries(archive, context, Path(scratch), result)
            result.board = build_board_csv(context, result.slug)
        for name, text in result.board.items():
            exported_text = _read_member(archive, f"{name}.csv").decode()
            result.differences += _compare_tables(name, exported_text, text)
    return result


def _load_export(archive: zipfile.ZipFile, manifest: ReplayManifest, path: Path) -> AppContext:
    """A server's place with the rows of the export, at its moment."""
    home = prepare_home(path, load_settings(path, database=f"sqlite:///{path}/replay.sqlite"))
    now = datetime.fromisoformat(manifest["exported_at"])
    context = open_app_context(path, settings=home.settings, clock=lambda: now)
    with context.write() as session:
        if manifest["revision"] != current_revision(session.connection()):
            version = manifest["tokumei"]
            raise InputError(
                "the export was made by Tokumei {version}, whose tables differ; use that version",
                version=version,
            )
        for model in REPLAY_MODELS:
            lines = _read_member(archive, replay_member_name(model_table(model))).splitlines()
            load_table(session, model_table(model), lines)
    return context


def _rejudge_entries(
    archive: zipfile.ZipFile, context: AppContext, scratch: Path, result: ReplayResult
) -> None:
    """Judge everything that has a score; releases before the attacks on them."""
    _unpack_judge(archive, scratch / JUDGE_FOLDER)
    with context.read() as session:
        scored = (
            select(ContestEntry)
            .join(EntryScore, EntryScore.entry_id == ContestEntry.id)
            .where(EntryScore.current)
        )
        entries = session.scalars(
            scored.order_by(ContestEntry.target_id.is_not(None), ContestEntry.id)
        ).all()
        spec = ContestSpec.model_validate(session.scalars(select(Contest)).one().spec)
    description = Message("judging again", context="progress")
    with closing(JudgeProcess()) as judge_process:
        for entry in track_progress(entries, description):
            upload = _read_member(archive, f"{UPLOADS_FOLDER}/{entry.id}")
            rejudged_upload = _RejudgedUpload(judge_process, scratch, spec.limits, entry, upload)
            result.differences += _replace_score(context, entry, rejudged_upload.answer())
    result.judged = len(entries)


@dataclass(frozen=True)
class _RejudgedUpload:
    """One upload, judged in this folder."""

    judging: JudgeProcess
    scratch: Path
    limits: JudgingLimits
    entry: ContestEntry
    upload: bytes

    def answer(self) -> JudgeAnswer:
        """What the judge says; what it publishes is kept for attacks on it."""
        if hashlib.sha256(self.upload).hexdigest() != self.entry.sha256:
            raise _damaged_export_error(f"{UPLOADS_FOLDER}/{self.entry.id}")
        path = self.scratch / "upload"
        path.write_bytes(self.upload)
        outcome = self.judging.run(self._judge_task(path), wall_seconds=WALL_SECONDS)
        if outcome.answer is None:
            reason = outcome.cause or outcome.where or str(outcome.why)
            raise InputError(
                "entry {id} could not be judged: {reason}", id=self.entry.id, reason=reason
            )
        for name, content in outcome.files.items():
            write_file(self._output_path(self.entry.id, name), content, secret=True)
        return outcome.answer

    def _judge_task(self, path: Path) -> Task:
        target = self.entry.target_id
        return Task(
            "judge" if target is None else "score",
            str(self.scratch / JUDGE_FOLDER),
            upload=str(path),
            name=self.entry.file_name,
            public=str(self._output_path(target, "public")) if target else "",
            truth=str(self._output_path(target, "truth")) if target else "",
            out=str(self.scratch / "out"),
            cpu_seconds=self.limits.seconds,
            megabytes=self.limits.megabytes,
        )

    def _output_path(self, entry_id: str, name: str) -> Path:
        return self.scratch / f"{entry_id}.{name}"


def _replace_score(
    context: AppContext, entry: ContestEntry, answer: JudgeAnswer
) -> Iterator[Message]:
    """Put the new figures in place of the old; what differs."""
    with context.write() as session:
        query = select(EntryScore).where(EntryScore.entry_id == entry.id, EntryScore.current)
        score = session.scalars(query).one()
        for name in SCORE_COLUMNS:
            old_value, new_value = getattr(score, name), answer[name]
            setattr(score, name, new_value)
            if old_value != new_value:
                difference = f"{entry.id}: {name}: {old_value!r} → {new_value!r}"
                yield Message.verbatim(difference)


def _compare_tables(name: str, exported_text: str, replayed_text: str) -> Iterator[Message]:
    old, new = exported_text.splitlines(), replayed_text.splitlines()
    for line_index in range(max(len(old), len(new))):
        before, after = (
            lines[line_index] if line_index < len(lines) else "–" for lines in (old, new)
        )
        if before != after:
            where = f"{name}.csv:{line_index + 1}: {before} → {after}"
            yield Message.verbatim(where)


def _unpack_judge(archive: zipfile.ZipFile, folder: Path) -> None:
    """The judge's files, which lie beside each other."""
    folder.mkdir()
    for name in archive.namelist():
        path = PurePosixPath(name)
        if path.parts[0] == JUDGE_FOLDER and len(path.parts) == 2 and path.name not in (".", ".."):
            (folder / path.name).write_bytes(_read_member(archive, name))


def _read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        return archive.read(name)
    except (KeyError, zipfile.BadZipFile):
        raise _damaged_export_error(name) from None


def _damaged_export_error(name: str) -> InputError:
    return InputError("this is not a complete export of a contest: {name}", name=name)
