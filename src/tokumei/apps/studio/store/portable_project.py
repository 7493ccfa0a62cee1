"""A project as one zip: decisions, source, hierarchies, and the recipe of the chosen candidate.

    content = pack_project(project, project.state())
    project = unpack_project(home, path)          # a new project of this home

What jobs found is not in it: it is found again. The recipe runs where the zip is unpacked.
"""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from tokumei.apps.http.errors import UnprocessableContent
from tokumei.apps.studio.adapters.base import adapter_for
from tokumei.apps.studio.command_equivalents import build_recipe, format_yaml
from tokumei.apps.studio.store.hierarchies import HIERARCHIES_FOLDER, copy_hierarchies
from tokumei.apps.studio.store.home import StudioHome, clean_data_name
from tokumei.apps.studio.store.project import PROJECT_FILE, Project
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import PlainData
from tokumei.core.errors import TokumeiError
from tokumei.core.yaml_models import load_yaml, validate_model

PORTABLE_SUFFIX = ".tokumei.zip"
MAX_STATE_BYTES, MAX_HIERARCHY_BYTES, MAX_SOURCE_BYTES = 4 << 20, 16 << 20, 4 << 30
_HIERARCHY = re.compile(rf"{HIERARCHIES_FOLDER}/\d{{2,4}}\.csv")


def pack_project(project: Project, state: ProjectState) -> bytes:
    """The bytes of the zip."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
        TemporaryDirectory() as folder,
    ):
        archive.writestr(PROJECT_FILE, format_yaml(state.model_dump()))
        archive.write(project.source, f"source/{state.source}")
        for path in sorted((project.folder / HIERARCHIES_FOLDER).glob("*.csv")):
            archive.write(path, f"{HIERARCHIES_FOLDER}/{path.name}")
        recipe = _format_recipe(project, state, Path(folder))
        if recipe is not None:
            archive.writestr("recipe.yaml", recipe)
            read = adapter_for(state).recipe_file(project)
            if read != project.source:  # the purchases as recipes of this kind read them
                archive.write(read, f"read/{read.name}")
    return stream.getvalue()


def _format_recipe(project: Project, state: ProjectState, folder: Path) -> str | None:
    """The recipe of the chosen candidate, with paths inside the zip; None without a choice."""
    look = project.result("look")
    chosen = project.result("candidates", state.selected[0]) if state.selected else None
    if look is None or chosen is None or project.is_stale(state):
        return None
    file = adapter_for(state).recipe_file(project)
    place = f"source/{state.source}" if file == project.source else f"read/{file.name}"
    request = copy_hierarchies(project, chosen["request"], folder)
    without_ledger = state.model_copy(update={"ledger": None})  # it lies on this machine
    return format_yaml(build_recipe(without_ledger, look, request, place))


def unpack_project(home: StudioHome, path: Path) -> Project:
    """A new project from such a zip; whatever else it holds is not looked at."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _read_project(home, archive)
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError, EOFError, NotImplementedError):
        raise UnprocessableContent("this is no project file of the studio") from None


def _read_project(home: StudioHome, archive: zipfile.ZipFile) -> Project:
    text = _read_entry(archive, PROJECT_FILE, MAX_STATE_BYTES).decode("utf-8")
    state = _parse_state(text)
    source = home.arriving()
    try:
        _copy_entry(archive, f"source/{state.source}", source)
        project = home.begin(clean_data_name(state.source), source, keep=False)
    finally:
        source.unlink(missing_ok=True)
    for name in filter(_HIERARCHY.fullmatch, archive.namelist()):
        (project.folder / HIERARCHIES_FOLDER).mkdir(mode=0o700, exist_ok=True)
        content = _read_entry(archive, name, MAX_HIERARCHY_BYTES)
        (project.folder / name).write_bytes(content)
    begun = project.state()
    kept = {"source": begun.source, "made": begun.made, "changed": begun.changed}
    here: PlainData = {"selected": [], "ledger": None, "contest": None, "step": "look"}
    project.save(state.model_copy(update=kept | here))
    return project


def _parse_state(text: str) -> ProjectState:
    try:
        data = load_yaml(text, where=PROJECT_FILE)
        if isinstance(data, dict):
            return validate_model(ProjectState, data, PROJECT_FILE)
    except TokumeiError:
        pass  # what is wrong with it helps nobody: it is no file of ours
    raise UnprocessableContent("this is no project file of the studio")


def _read_entry(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    with archive.open(name) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise UnprocessableContent("this is no project file of the studio")
    return content


def _copy_entry(archive: zipfile.ZipFile, name: str, path: Path) -> None:
    """Copy the source; what grows beyond the limit while it is unpacked is refused."""
    if archive.getinfo(name).file_size > MAX_SOURCE_BYTES:
        raise UnprocessableContent("this is no project file of the studio")
    with archive.open(name) as stream, path.open("xb") as target:
        shutil.copyfileobj(stream, target)
