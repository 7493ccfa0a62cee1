"""Contests as organisers send them."""

from __future__ import annotations

import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
import yaml

from apps.contest.played import START, Played, contest_yaml
from tokumei.apps.contest.services.contests import create_contest
from tokumei.apps.http.errors import UnprocessableContent
from tokumei.core.errors import InputError


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
    assert "期間" in refusal.value.message.ja


def test_a_bad_zip_is_told_once(opened: Played, tmp_path: Path) -> None:
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(UnprocessableContent) as refusal:
        create_contest(opened.place, opened.viewers["organiser"], tmp_path / "bad.zip")
    assert (refusal.value.message.en, len(refusal.value.faults)) == ("the zip is damaged", 0)


def test_messages_name_the_file_but_not_where_it_lies(opened: Played, tmp_path: Path) -> None:
    source = sent(tmp_path, {}, data={"original": "U.csv"})
    with pytest.raises(InputError) as refusal:
        create_contest(opened.place, opened.viewers["organiser"], source)
    assert refusal.value.message.en.startswith("contest.yaml: ")
    assert str(opened.place.home.path) not in str(refusal.value)
