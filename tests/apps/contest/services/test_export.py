"""Tests of tokumei.apps.contest.services.export."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from typing import Any
from zipfile import ZipFile

from hypothesis import example, given
from hypothesis import strategies as st

from apps.contest.played import FAULTS, PASSWORD, SLUG, Played
from tokumei.apps.contest.services.accounts import create_account, create_invite
from tokumei.apps.contest.services.export import export_contest, to_csv_text
from tokumei.apps.contest.services.news import answer_question, ask_question


def test_an_export_names_the_people_of_its_contest_alone(opened: Played) -> None:
    """An organiser of one contest does not learn who else has an account here."""
    place, organiser = opened.place, opened.viewers["organiser"]
    code = create_invite(place, organiser, "register").code
    create_account(place, "stranger", PASSWORD, invite=code)
    asked = ask_question(place, opened.viewers["cat"], SLUG, "May we delete rows?")
    answer_question(place, organiser, SLUG, asked.id, {"en": "Yes.", "ja": "はい。"}, public=True)
    with ZipFile(export_contest(place, organiser, SLUG).path) as archive:
        people = archive.read("accounts.csv").decode("utf-8-sig")
        said = list(csv.DictReader(io.StringIO(archive.read("news.csv").decode("utf-8-sig"))))
    names = {row["name"] for row in csv.DictReader(io.StringIO(people))}
    assert names == {"Olga", "ant", "ann", "bee", "cat"}
    assert "delete rows" in said[0]["words"]
    assert "はい" in said[0]["answer"]


def test_an_export_holds_everything_but_secrets(played: Played) -> None:
    download = export_contest(played.place, played.viewers["organiser"], SLUG)
    with ZipFile(download.path) as archive:
        names = set(archive.namelist())
        public = archive.read(f"public/{played.entries['target']}.csv").decode()
        entries = archive.read("entries.csv").decode("utf-8-sig")
        faults = archive.read("faults.csv").decode("utf-8-sig")
        times = archive.read("steps.csv").decode("utf-8-sig")
        everything = b"".join(archive.read(name) for name in names)
    assert {"leaderboard.csv", "matrix.csv", "teams.csv", "scores.csv", "steps.csv"} <= names
    assert public == f"S of {played.entries['target']}\n"
    assert {row["id"] for row in csv.DictReader(io.StringIO(entries))} == set(
        played.entries.values()
    )
    assert f"public/{played.entries['private']}.csv" not in names
    assert b"argon2" not in everything
    rejected = {played.entries["rejected"], played.entries["attack rejected"]}
    rows = list(csv.DictReader(io.StringIO(faults)))
    assert len(rows) == 2 * len(FAULTS)
    assert {row["entry"] for row in rows} == rejected
    assert all(row["message_en"] and row["message_ja"] for row in rows)
    assert "faults" not in entries.splitlines()[0].split(",")
    assert all(
        datetime.fromisoformat(row["at"]).tzinfo for row in csv.DictReader(io.StringIO(times))
    )


@given(st.lists(st.lists(st.text(max_size=8) | st.floats(allow_nan=False), min_size=1, max_size=4)))
@example([["=1+1", "+1", "-1", "@a", "＝1", "＋1", "－1", "＠a"]])
def test_no_exported_cell_is_a_formula(rows: list[list[Any]]) -> None:
    header = [str(value) for row in rows for value in row]
    text = to_csv_text(["first", *header], rows).removeprefix("\ufeff")
    read = list(csv.reader(io.StringIO(text, newline="")))
    assert len(read) == 1 + len(rows)
    for cells, row in zip(read, [["first", *header], *rows], strict=True):
        for cell, value in zip(cells, row, strict=True):
            if isinstance(value, str):
                assert not cell.startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t"))
                assert cell.removeprefix("'") == value.removeprefix("'")
