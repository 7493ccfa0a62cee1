"""The studio's home: a private folder with projects and files to choose from.

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

from tokumei.apps.http.errors import NotFound, UnprocessableContent
from tokumei.apps.studio.store.json_lines import JSON_LINES_SUFFIXES, convert_json_lines
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import KindName, ProjectState, utc_now
from tokumei.core.error_translation import translate_system_error
from tokumei.core.errors import InputError, OutputError, TokumeiError
from tokumei.core.messages import OR, join_messages
from tokumei.core.releases_folder import to_file_name
from tokumei.files.temporary_files import remove_leftovers

DATA_FILE_SUFFIXES = (
    *(".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".xlsx", ".parquet"),
    *JSON_LINES_SUFFIXES,
)
MAX_NAME_LENGTH = 120
_PROJECT_ID = re.compile(r"[\w-]{1,80}")


@dataclass(frozen=True)
class StudioHome:
    """A studio's home."""

    folder: Path

    @classmethod
    def open(cls, path: str | Path) -> StudioHome:
        """The home, made if it is not there; what a killed server left half-way is cleared."""
        folder = Path(path).expanduser().resolve()
        try:
            for place in (folder, folder / "projects", folder / "files", folder / "arriving"):
                place.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
        except OSError as err:
            raise OutputError(
                "{folder}: cannot be made: {reason}",
                folder=folder,
                reason=translate_system_error(err),
            ) from None
        home = cls(folder)
        home._remove_leftovers()
        return home

    def _remove_leftovers(self) -> None:
        for upload in (self.folder / "arriving").iterdir():
            upload.unlink(missing_ok=True)
        for project in self.folder.glob("projects/*"):
            if not (project / "project.yaml").is_file():  # never came to be one
                shutil.rmtree(project, ignore_errors=True)
                continue
            remove_leftovers([project, *(path for path in project.rglob("*") if path.is_dir())])

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
        clean_name = clean_data_name(name)
        if clean_name.lower().endswith(JSON_LINES_SUFFIXES):
            return self._begin_with_json_lines(clean_name, content, kind)
        stem = to_file_name(clean_name.partition(".")[0])[:48]
        folder = self.folder / "projects" / f"{stem}-{secrets.token_hex(4)}"
        (folder / "source").mkdir(mode=0o700, parents=True)
        target = folder / "source" / clean_name
        (shutil.copyfile if keep else shutil.move)(content, target)
        target.chmod(0o600)
        project = Project(folder)
        moment = utc_now()
        project.save(
            ProjectState(
                name=clean_name,
                source=clean_name,
                made=moment,
                changed=moment,
                kind=kind,
                contest=contest,
            )
        )
        return project

    def _begin_with_json_lines(self, name: str, content: Path, kind: KindName) -> Project:
        """The objects of a file as a table of CSV."""
        table = self.arriving()
        try:
            convert_json_lines(content, table)
            stem = name[: name.rindex(".")]
            return self.begin(f"{stem}.csv", table, keep=False, kind=kind)
        finally:
            table.unlink(missing_ok=True)

    def project(self, id: str) -> Project:
        """A project by its id; NotFound if there is none."""
        folder = self.folder / "projects" / id
        if not _PROJECT_ID.fullmatch(id) or not (folder / "project.yaml").is_file():
            raise NotFound
        return Project(folder)

    def list_recent_projects(self, most: int = 50) -> list[tuple[Project, ProjectState]]:
        """The projects that can be read, those changed last first."""
        projects = sorted(
            self._readable_projects(), key=lambda entry: entry[1].changed, reverse=True
        )
        return projects[:most]

    def _readable_projects(self) -> Iterator[tuple[Project, ProjectState]]:
        for path in self.folder.glob("projects/*/project.yaml"):
            project = Project(path.parent)
            try:
                yield project, project.state()
            except TokumeiError:  # edited by hand into something else: it is not listed
                continue

    def list_data_files(self) -> list[Path]:
        """What may be picked: plain files of the home's own folder, no links."""
        entries = (self.folder / "files").iterdir()
        plain_files = (path for path in entries if path.is_file() and not path.is_symlink())
        return sorted(
            path for path in plain_files if path.name.lower().endswith(DATA_FILE_SUFFIXES)
        )

    def find_data_file(self, name: str) -> Path:
        """One of them by its name."""
        for path in self.list_data_files():
            if path.name == name:
                return path
        raise NotFound

    def remove(self, id: str) -> None:
        """Remove a project with its source, results and releases."""
        shutil.rmtree(self.project(id).folder)


def clean_data_name(path: str) -> str:
    """A file's own name, without any folder; refused if it is of no kind that can be read."""
    name = re.split(r"[/\\]", path)[-1].strip().lstrip(".")
    name = "".join(letter for letter in name if letter.isprintable())
    if not name.lower().endswith(DATA_FILE_SUFFIXES):
        raise UnprocessableContent(
            "this cannot be read: a file ends in {endings}",
            endings=join_messages(DATA_FILE_SUFFIXES, last=OR),
        )
    stem, dot, rest = name.partition(".")
    return f"{stem[:MAX_NAME_LENGTH] or 'data'}{dot}{rest[-20:]}"


def require_file(path: str | Path) -> Path:
    """A file that the person named; InputError if it cannot be read."""
    file = Path(path).expanduser()
    if not file.is_file():
        raise InputError("{path}: no such file", path=path)
    return file
