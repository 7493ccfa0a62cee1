"""A board made again of an export, elsewhere: the same to the digit, and told where it is not."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from apps.contest.played import Played
from apps.contest.replay_helpers import exported


def rewritten(path: Path, name: str, old: bytes, new: bytes) -> Path:
    """The zip with a member changed."""
    out = path.with_name("changed.zip")
    with zipfile.ZipFile(path) as before, zipfile.ZipFile(out, "w") as after:
        for one in before.namelist():
            data = before.read(one)
            after.writestr(one, data.replace(old, new) if one == name else data)
    return out


@pytest.fixture
def export(sqlite_home, tmp_path):
    played = Played.make(sqlite_home, tmp_path)
    yield exported(played, tmp_path / "elsewhere")
    played.close()


def test_a_changed_score_or_rank_is_noticed(export, told):
    assert told("contest", "replay", export, "--json")[0] == 0
    score = rewritten(export, "replay/score.jsonl", b'"safety": 0.42', b'"safety": 0.4200001')
    code, out, _ = told("contest", "replay", score, "--json")
    found = json.loads(out)
    assert (code, found["ok"], found["judged"]) == (1, False, None)
    assert any("leaderboard.csv" in one["en"] for one in found["differences"])
    rank = rewritten(export, "leaderboard.csv", b"1,Bees", b"2,Bees")
    code, out, err = told("contest", "replay", rank)
    assert code == 1
    assert "Ants" in out
    assert "leaderboard.csv:2" in err


def test_a_damaged_export_is_refused(export, told, tmp_path):
    (tmp_path / "no.zip").write_bytes(b"PK nothing")
    for path in (tmp_path / "absent.zip", tmp_path / "no.zip"):
        assert told("contest", "replay", path)[0] == 2
    cut = rewritten(export, "replay/manifest.json", b"{", b"")
    assert told("contest", "replay", cut)[0] == 2
    older = rewritten(export, "replay/manifest.json", b'"revision": "0', b'"revision": "1')
    code, _, err = told("contest", "replay", older)
    assert (code, "whose tables differ" in err) == (2, True)


def test_an_export_to_be_replayed_holds_no_key_and_no_password(export):
    with zipfile.ZipFile(export) as archive:
        rows = [json.loads(line) for line in archive.read("replay/account.jsonl").splitlines()]
        assert {row["password"] for row in rows} == {""}
        assert not [name for name in archive.namelist() if name.startswith(("uploads", "judge"))]
