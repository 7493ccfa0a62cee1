"""What kinds bring, played job by job: a release with its ledger, one under pseudonyms."""

from __future__ import annotations

import shutil
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

import tokumei as tk
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.apps.studio.job_handlers.advise import propose_candidates
from tokumei.apps.studio.job_handlers.attack import check_candidate
from tokumei.apps.studio.job_handlers.contest_upload import make_upload
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.contest_source import read_contest_source
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.project import Project
from tokumei.core.errors import ClaimError, InputError
from tokumei.files.key_files import read_key
from tokumei.ledger.ledger import Ledger

pytestmark = pytest.mark.long


class Silent:
    """Somebody who does not want to be told."""

    def progress(self, share: float | None, words: Any) -> None: ...

    def fresh(self) -> None: ...


QUIET: Any = Silent()


def begun(tmp_path: Path, name: str, text: str) -> Project:
    content = tmp_path / "content"
    content.write_text(text, encoding="utf-8")
    made = StudioHome.open(tmp_path / "home").begin(name, content)
    profile_source(made, {}, QUIET)
    return made


def chosen(project: Project) -> str:
    """The first candidate, which is made whatever it takes."""
    propose_candidates(project, {"seconds": 0.01}, QUIET)
    (found,) = project.results("candidates")
    project.change(selected=[found["id"]])
    return str(found["id"])


def again(folder: Path) -> None:
    """The recipe that lies in a folder gives every file again."""
    with chdir(folder):
        recipe = tk.load_recipe("recipe.yaml")
        made = tk.run_recipe(recipe, seed=read_key("secret/release.key"))
        tk.save_experiment(made, "again")
    for path in (folder / "again").rglob("*"):
        if path.is_file():
            first = folder / path.relative_to(folder / "again")
            assert path.read_bytes() == first.read_bytes(), path.name


@pytest.fixture
def people(tmp_path: Path) -> Project:
    # By their points, which leave as they are, rows of two releases can be told to be one person's.
    rows = "".join(
        f"P-{i:03d},{20 + i * 7 % 41},{'MF'[i * 5 % 7 % 2]},{1000 + i * 37}\n" for i in range(48)
    )
    made = begun(tmp_path, "people.csv", f"id,age,sex,points\n{rows}")
    roles = {"id": "identifier", "age": "quasi", "sex": "quasi", "points": "keep"}
    made.change(roles=roles)
    Ledger.create(tmp_path / "ledger", tmp_path / "ledger.key")
    asked = {"folder": str(tmp_path / "ledger"), "recipient": "A", "id": "id"}
    made.change(ledger=asked)
    return made


def test_a_release_is_checked_first_and_recorded_last(people: Project, tmp_path: Path) -> None:
    id = chosen(people)
    check_candidate(people, {"id": id}, QUIET)
    first = people.result(f"joint/{id}")
    assert first is not None
    assert first["verdict"] is None
    assert not Ledger(tmp_path / "ledger").entries
    target = tmp_path / "out"
    write_release(people, {"id": id, "folder": str(target)}, QUIET)
    (entry,) = Ledger(tmp_path / "ledger").entries
    assert Ledger(tmp_path / "ledger").public_path(entry) == target / "releases/01-release.csv"
    done = people.result("released")
    assert done is not None
    assert done["recorded"]["name"] == entry.name
    assert people.result(f"joint/{id}") is None
    refused(people, id, tmp_path)


def refused(project: Project, id: str, tmp_path: Path) -> None:
    """Another candidate cuts the classes of the first: it is said, and not written."""
    before = len(Ledger(tmp_path / "ledger").entries)
    first = project.result(f"candidates/{id}")
    assert first is not None
    other = {**first["request"], "steps": [{"method": "mondrian", "k": 5}]}
    project.write_result("candidates/other", {**first, "id": "other", "request": other})
    check_candidate(project, {"id": "other"}, QUIET)
    told = project.result("joint/other")
    assert told is not None
    assert told["faults"]
    with pytest.raises(ClaimError):
        write_release(project, {"id": "other", "folder": str(tmp_path / "second")}, QUIET)
    assert not (tmp_path / "second").exists()
    assert not list(tmp_path.glob(".tokumei-*"))
    assert len(Ledger(tmp_path / "ledger").entries) == before


def test_what_does_not_get_its_name_is_not_recorded(
    people: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = chosen(people)

    def full(*_: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "rename", full)
    monkeypatch.setattr(shutil, "move", full)
    with pytest.raises(OSError, match="no space"):
        write_release(people, {"id": id, "folder": str(tmp_path / "out")}, QUIET)
    monkeypatch.undo()
    book = Ledger(tmp_path / "ledger")
    assert not book.entries
    assert not book.unconfirmed_numbers


def test_pseudonyms_take_the_same_steps(tmp_path: Path) -> None:
    days = [f"2024-{1 + i % 3:02d}-{1 + i % 27:02d}" for i in range(80)]
    rows = "".join(
        f"C{i % 9},{day},A{i % 5}0{i % 3},{100 + i % 7},{1 + i % 3}\n" for i, day in enumerate(days)
    )
    project = begun(tmp_path, "bought.csv", f"customer,day,item,price,quantity\n{rows}")
    names = ("customer", "day", "item", "price", "quantity")
    project.change(kind="pseudonyms", columns={name: name for name in names})
    profile_source(project, {}, QUIET)
    id = chosen(project)
    found = project.result(f"previews/{id}")
    assert found is not None
    assert all(cell[1] for row in found["before"] for cell in row[:1])
    target = tmp_path / "out"
    write_release(project, {"id": id, "folder": str(target)}, QUIET)
    assert (target / "secret/01-release.csv").stat().st_mode & 0o077 == 0
    again(target)


@pytest.mark.parametrize("preset", ["table", "pws2018"])
def test_a_contest_s_folder_becomes_an_upload_that_its_own_check_accepts(
    tmp_path: Path, preset: str
) -> None:
    write_sample_contest(tmp_path / "contest", preset=preset, rows=300)
    found = read_contest_source(str(tmp_path / "contest"))
    home = StudioHome.open(tmp_path / "home")
    project = home.begin(found.data.name, found.data, kind=found.kind, contest=found.folder)
    profile_source(project, {}, QUIET)
    write_release(project, {"id": chosen(project), "folder": str(tmp_path / "out")}, QUIET)
    make_upload(project, {}, QUIET)
    made = project.result("uploaded")
    assert made is not None
    assert made["accepted"], made["faults"]


def test_a_contest_of_another_kind_is_refused_with_the_formats_that_are_known(
    tmp_path: Path,
) -> None:
    write_sample_contest(tmp_path / "contest", preset="pws2017", rows=300)
    with pytest.raises(InputError, match="formats table, pws2018, not pws2017"):
        read_contest_source(str(tmp_path / "contest"))
