"""Tests of tokumei.apps.contest.services.contests."""

from __future__ import annotations

import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
import yaml

from apps.contest.played import SLUG, START, Played, contest_yaml, contest_zip
from tokumei.apps.contest.services.contest_settings import set_stage
from tokumei.apps.contest.services.contests import (
    create_contest,
    get_contest_view,
    get_data_file,
    list_contests,
)
from tokumei.apps.contest.services.context import VISITOR
from tokumei.apps.http.errors import Conflict, HttpError, NotFound, UnprocessableContent
from tokumei.core.errors import InputError, TokumeiError


def sent(folder: Path, names: dict[str, str], **changes) -> Path:
    path = folder / "sent.zip"
    held = {"contest.yaml": yaml.safe_dump(contest_yaml(slug="other", **changes)), "T.csv": "1,2,3"}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in held.items():
            archive.writestr(names.get(name, name), content)
        archive.writestr("__MACOSX/._contest.yaml", "?")
    return path


def test_a_folder_in_the_zip_does_no_harm(opened: Played, tmp_path: Path) -> None:
    names = {"contest.yaml": "other/contest.yaml", "T.csv": "other/T.csv"}
    made = create_contest(opened.place, opened.viewers["organiser"], sent(tmp_path, names))
    assert made.slug == "other"


def test_a_contest_whose_phases_are_all_over_is_refused(opened: Played, tmp_path: Path) -> None:
    ago = START - timedelta(days=30)
    phases = [{"kind": "anonymize", "starts": ago, "ends": ago + timedelta(days=1)}]
    with pytest.raises(UnprocessableContent, match="phases: all of them are over") as refusal:
        create_contest(opened.place, opened.viewers["organiser"], sent(tmp_path, {}, phases=phases))
    assert "フェーズ" in refusal.value.message.show("ja")


def test_a_bad_zip_is_told_once(opened: Played, tmp_path: Path) -> None:
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(UnprocessableContent) as refusal:
        create_contest(opened.place, opened.viewers["organiser"], tmp_path / "bad.zip")
    assert (refusal.value.message.show("en"), len(refusal.value.faults)) == (
        "the zip is damaged",
        0,
    )


def test_messages_name_the_file_but_not_where_it_lies(opened: Played, tmp_path: Path) -> None:
    source = sent(tmp_path, {}, data={"original": "U.csv"})
    with pytest.raises(InputError) as refusal:
        create_contest(opened.place, opened.viewers["organiser"], source)
    assert refusal.value.message.show("en").startswith("contest.yaml: ")
    assert str(opened.place.home.path) not in str(refusal.value)


def test_contests_are_listed_running_coming_ended_archived(opened: Played, tmp_path) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    later = {"kind": "anonymize", "starts": "2026-08-01T00:00:00Z", "ends": "2026-08-02T00:00:00Z"}
    soon = {"kind": "anonymize", "starts": "2026-07-01T00:00:00Z", "ends": "2026-07-03T00:00:00Z"}
    for slug, phase in (("short", soon), ("away", soon), ("coming", later)):
        create_contest(place, organiser, contest_zip(tmp_path, slug=slug, phases=[phase]))
    set_stage(place, organiser, "away", "archived", reason="done")
    opened.clock.forward(days=3)
    listed = [one.slug for one in list_contests(place, VISITOR)]
    assert listed == [SLUG, "coming", "short", "away"]


def test_contests_are_created_whole_or_not_at_all(opened: Played) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    before = sorted(place.home.contests.iterdir())
    folder = place.home.path
    with pytest.raises(Conflict, match="already a contest 'cup'"):
        create_contest(place, organiser, contest_zip(folder))
    with pytest.raises(TokumeiError):
        create_contest(place, organiser, contest_zip(folder, slug="x", data={"original": "U.csv"}))
    with pytest.raises(TokumeiError):
        create_contest(place, organiser, contest_zip(folder, slug="../up"))
    (folder / "no.zip").write_bytes(b"PK\x03\x04 not a zip")
    with pytest.raises(TokumeiError):
        create_contest(place, organiser, folder / "no.zip")
    with pytest.raises(HttpError):
        create_contest(place, opened.viewers["ant"], contest_zip(folder, slug="y"))
    assert sorted(place.home.contests.iterdir()) == before
    assert [view.slug for view in list_contests(place, VISITOR)] == [SLUG]


def test_data_files_by_their_keys_only(opened: Played) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    assert get_data_file(place, opened.viewers["ant"], SLUG, "original").path.read_text() != ""
    for key in ("extra", "../../key", "T.csv", ""):
        with pytest.raises(NotFound):
            get_data_file(place, opened.viewers["ant"], SLUG, key)
    hidden = contest_zip(place.home.path, slug="hidden", secret_data=["original"])
    create_contest(place, organiser, hidden)
    assert [file.key for file in get_contest_view(place, VISITOR, "hidden").data] == [
        "contest.yaml"
    ]
    assert b"hidden" in get_data_file(place, organiser, "hidden", "contest.yaml").path.read_bytes()
    with pytest.raises(NotFound):
        get_data_file(place, organiser, "hidden", "original")
