"""The home of a studio: a folder only its owner may enter, with projects and files to pick from.

home = Home.open("~/tokumei-studio")
project = home.begin("customers.csv", path)

HOME/files/             what may be picked without dropping it
HOME/projects/ID/       one project (see `project.py`)
HOME/arriving/          uploads on their way in; emptied at every start
"""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tokumei.core.errors import InputError, OutputError, TokumeiError
from tokumei.core.reasons import system_reason
from tokumei.core.recipe import file_name
from tokumei.files.leftovers import remove_leftovers
from tokumei.http.refusals import NotFound, Wrong
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import KindName, ProjectState, now

SUFFIXES = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".xlsx", ".parquet")
MOST_LETTERS = 120
_ID = re.compile(r"[\w-]{1,80}")


@dataclass(frozen=True)
class Home:
    """A studio's home."""

    folder: Path

    @classmethod
    def open(cls, path: str | Path) -> Home:
        """The home, made if it is not there; what a killed server left half-way is cleared."""
        folder = Path(path).expanduser().resolve()
        try:
            for place in (folder, folder / "projects", folder / "files", folder / "arriving"):
                place.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
        except OSError as err:
            raise OutputError(
                f"{folder}: cannot be made: {system_reason(err).en}",
                f"{folder}: 作成できません: {system_reason(err).ja}",
            ) from None
        home = cls(folder)
        home._clear()
        return home

    def _clear(self) -> None:
        for one in (self.folder / "arriving").iterdir():
            one.unlink(missing_ok=True)
        for project in self.folder.glob("projects/*"):
            if not (project / "project.yaml").is_file():  # never came to be one
                shutil.rmtree(project, ignore_errors=True)
                continue
            remove_leftovers([project, *(p for p in project.rglob("*") if p.is_dir())])

    def arriving(self) -> Path:
        """A new place for an upload."""
        return self.folder / "arriving" / secrets.token_hex(16)

    def begin(
        self,
        name: str,
        content: Path,
        *,
        keep: bool = True,
        kind: KindName = "tables",
        contest: str | None = None,
    ) -> Project:
        """A new project with a file of that name; unless `keep`, the file is moved."""
        plain = data_name(name)
        stem = file_name(plain.partition(".")[0])[:48]
        folder = self.folder / "projects" / f"{stem}-{secrets.token_hex(4)}"
        (folder / "source").mkdir(mode=0o700, parents=True)
        target = folder / "source" / plain
        (shutil.copyfile if keep else shutil.move)(content, target)
        target.chmod(0o600)
        project = Project(folder)
        moment = now()
        project.save(
            ProjectState(
                name=plain, source=plain, made=moment, changed=moment, kind=kind, contest=contest
            )
        )
        return project

    def project(self, id: str) -> Project:
        """A project by its id; NotFound if there is none."""
        folder = self.folder / "projects" / id
        if not _ID.fullmatch(id) or not (folder / "project.yaml").is_file():
            raise NotFound
        return Project(folder)

    def recent(self, most: int = 50) -> list[tuple[Project, ProjectState]]:
        """The projects that can be read, those changed last first."""
        found = sorted(self._readable(), key=lambda one: one[1].changed, reverse=True)
        return found[:most]

    def _readable(self) -> Iterator[tuple[Project, ProjectState]]:
        for path in self.folder.glob("projects/*/project.yaml"):
            project = Project(path.parent)
            try:
                yield project, project.state()
            except TokumeiError:  # edited by hand into something else: it is not listed
                continue

    def files(self) -> list[Path]:
        """What may be picked: plain files of the home's own folder, no links."""
        found = (self.folder / "files").iterdir()
        plain = (one for one in found if one.is_file() and not one.is_symlink())
        return sorted(one for one in plain if one.name.lower().endswith(SUFFIXES))

    def file(self, name: str) -> Path:
        """One of them by its name."""
        for one in self.files():
            if one.name == name:
                return one
        raise NotFound

    def remove(self, id: str) -> None:
        """Remove a project with its source, results and releases."""
        shutil.rmtree(self.project(id).folder)


def data_name(given: str) -> str:
    """A file's own name, without any folder; refused if it is of no kind that can be read."""
    name = re.split(r"[/\\]", given)[-1].strip().lstrip(".")
    name = "".join(letter for letter in name if letter.isprintable())
    if not name.lower().endswith(SUFFIXES):
        raise Wrong(
            f"this cannot be read: a file ends in {', '.join(SUFFIXES)}",
            f"読めない種類のファイルです。使える拡張子: {'、'.join(SUFFIXES)}",
        )
    stem, dot, rest = name.partition(".")
    return f"{stem[:MOST_LETTERS] or 'data'}{dot}{rest[-20:]}"


def picked(path: str | Path) -> Path:
    """A file that the person named; InputError if it cannot be read."""
    found = Path(path).expanduser()
    if not found.is_file():
        raise InputError(f"{path}: no such file", f"{path}: ファイルがありません")
    return found
