"""The board of an export, made again elsewhere, and compared with the one that was exported.

    found = replay(Path("spring.zip"))
    found.differences, found.judged, found.board["leaderboard"]

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
from typing import Any

from sqlalchemy import select

from tokumei.contest.desk.export import MANIFEST, REPLAYED, board_tables, replay_name, table_of
from tokumei.contest.desk.place import Place, open_place
from tokumei.contest.jobs.judge_process import Judging
from tokumei.contest.jobs.tasks import Answer, Task
from tokumei.contest.server.vault_exports import JUDGE, UPLOADS
from tokumei.contest.spec.model import ContestSpec, Limits
from tokumei.contest.store.backup import load_table
from tokumei.contest.store.database import revision_of
from tokumei.contest.store.files import opened_zip, told_plainly, write_file
from tokumei.contest.store.home import prepare_home, settings_of
from tokumei.contest.store.tables import Contest, Entry, Score
from tokumei.core.errors import InputError
from tokumei.core.progress import track
from tokumei.core.text import Text

FIGURES = ("utility", "safety", "total", "unsafe", "judge_version")
WALL_SECONDS = 3600.0


@dataclass
class Replayed:
    """What was made again: the board as CSV, and where it is not the exported one."""

    slug: str
    exported_at: str
    judged: int | None = None
    """Uploads that were judged again; None if the scores are those of the export."""
    board: dict[str, str] = field(default_factory=dict)
    differences: list[Text] = field(default_factory=list)

    def rows(self, name: str) -> list[list[str]]:
        """A table of the board, its header first."""
        return list(csv.reader(io.StringIO(self.board[name].removeprefix("\ufeff"))))


def replay(export: Path) -> Replayed:
    """Make the board of an export again."""
    opened = opened_zip(export, _damaged(str(export)))
    with told_plainly(), opened as archive, tempfile.TemporaryDirectory() as scratch:
        try:
            told = json.loads(_member(archive, MANIFEST))
        except ValueError:
            raise _damaged(MANIFEST) from None
        found = Replayed(told["slug"], told["exported_at"])
        with closing(_filled(archive, told, Path(scratch) / "home")) as place:
            if any(name.startswith(f"{JUDGE}/") for name in archive.namelist()):
                _judge_all(archive, place, Path(scratch), found)
            found.board = board_tables(place, found.slug)
        for name, text in found.board.items():
            then = _member(archive, f"{name}.csv").decode()
            found.differences += _compared(name, then, text)
    return found


def _filled(archive: zipfile.ZipFile, told: dict[str, Any], path: Path) -> Place:
    """A server's place with the rows of the export, at its moment."""
    home = prepare_home(path, settings_of(path, database=f"sqlite:///{path}/replay.sqlite"))
    now = datetime.fromisoformat(told["exported_at"])
    place = open_place(path, settings=home.settings, clock=lambda: now)
    with place.write() as session:
        if told["revision"] != revision_of(session.connection()):
            version = told["tokumei"]
            raise InputError(
                f"the export was made by Tokumei {version}, whose tables differ; use that version",
                f"この書き出しは表の異なる Tokumei {version} のものです。その版を使ってください",
            )
        for kind in REPLAYED:
            lines = _member(archive, replay_name(table_of(kind))).splitlines()
            load_table(session, table_of(kind), lines)
    return place


def _judge_all(archive: zipfile.ZipFile, place: Place, scratch: Path, found: Replayed) -> None:
    """Judge everything that has a score; releases before the attacks on them."""
    _unpack(archive, scratch / JUDGE)
    with place.read() as session:
        scored = select(Entry).join(Score, Score.entry_id == Entry.id).where(Score.current)
        entries = session.scalars(scored.order_by(Entry.target_id.is_not(None), Entry.id)).all()
        spec = ContestSpec.model_validate(session.scalars(select(Contest)).one().spec)
    what = Text("judging again", "採点し直しています")
    with closing(Judging()) as judging:
        for entry in track(entries, what):
            upload = _member(archive, f"{UPLOADS}/{entry.id}")
            again = _Again(judging, scratch, spec.limits, entry, upload)
            found.differences += _rescored(place, entry, again.answer())
    found.judged = len(entries)


@dataclass(frozen=True)
class _Again:
    """One upload, judged in this folder."""

    judging: Judging
    scratch: Path
    limits: Limits
    entry: Entry
    upload: bytes

    def answer(self) -> Answer:
        """What the judge says; what it publishes is kept for attacks on it."""
        if hashlib.sha256(self.upload).hexdigest() != self.entry.sha256:
            raise _damaged(f"{UPLOADS}/{self.entry.id}")
        path = self.scratch / "upload"
        path.write_bytes(self.upload)
        ended = self.judging.run(self._task(path), wall_seconds=WALL_SECONDS)
        if ended.answer is None:
            reason = ended.cause.en if ended.cause else ended.where or str(ended.why)
            raise InputError(
                f"entry {self.entry.id} could not be judged: {reason}",
                f"提出 {self.entry.id} を採点できません: {reason}",
            )
        for name, content in ended.files.items():
            write_file(self._kept(self.entry.id, name), content, secret=True)
        return ended.answer

    def _task(self, path: Path) -> Task:
        target = self.entry.target_id
        return Task(
            "judge" if target is None else "score",
            str(self.scratch / JUDGE),
            upload=str(path),
            name=self.entry.file_name,
            public=str(self._kept(target, "public")) if target else "",
            truth=str(self._kept(target, "truth")) if target else "",
            out=str(self.scratch / "out"),
            cpu_seconds=self.limits.seconds,
            megabytes=self.limits.megabytes,
        )

    def _kept(self, entry_id: str, name: str) -> Path:
        return self.scratch / f"{entry_id}.{name}"


def _rescored(place: Place, entry: Entry, answer: Answer) -> Iterator[Text]:
    """Put the new figures in place of the old; what differs."""
    with place.write() as session:
        query = select(Score).where(Score.entry_id == entry.id, Score.current)
        score = session.scalars(query).one()
        for name in FIGURES:
            then, now = getattr(score, name), answer[name]
            setattr(score, name, now)
            if then != now:
                what = f"{entry.id}: {name}: {then!r} → {now!r}"
                yield Text(what, what)


def _compared(name: str, then: str, now: str) -> Iterator[Text]:
    old, new = then.splitlines(), now.splitlines()
    for place in range(max(len(old), len(new))):
        before, after = (lines[place] if place < len(lines) else "–" for lines in (old, new))
        if before != after:
            where = f"{name}.csv:{place + 1}: {before} → {after}"
            yield Text(where, where)


def _unpack(archive: zipfile.ZipFile, folder: Path) -> None:
    """The judge's files, which lie beside each other."""
    folder.mkdir()
    for name in archive.namelist():
        path = PurePosixPath(name)
        if path.parts[0] == JUDGE and len(path.parts) == 2 and path.name not in (".", ".."):
            (folder / path.name).write_bytes(_member(archive, name))


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        return archive.read(name)
    except (KeyError, zipfile.BadZipFile):
        raise _damaged(name) from None


def _damaged(name: str) -> InputError:
    return InputError(
        f"not a whole export of a contest: {name}",
        f"コンテストの書き出しとして完全ではありません: {name}",
    )
