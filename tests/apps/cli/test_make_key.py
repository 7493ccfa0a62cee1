"""`tokumei key` and `--key`: a release that only the key's owner can make again."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

HISTORY = ("anonymize", "history", "--method", "rank-match", "--data", "T.csv", "--out", "A.csv")
TABLE = ("anonymize", "table", "--qi", "head_age_band,head_sex", "--k", "5", "--data", "x.csv")
KEY = Path("release.key")


@pytest.fixture
def made(tokumei):
    """A key, a table and a history in the current folder."""
    assert tokumei("key", KEY, "--json").json == {"ok": True, "key": str(KEY)}
    assert tokumei("sample", "table", "--rows", 400, "--seed", 1, "--out", "x.csv").code == 0
    assert tokumei("sample", "history", "--rows", 300, "--seed", 1, "--out", "T.csv").code == 0
    return tokumei


def test_a_key_is_new_and_its_owners_alone(made) -> None:
    assert stat.S_IMODE(KEY.stat().st_mode) == 0o600
    assert len(bytes.fromhex(KEY.read_text())) == 32
    assert made("key", "other.key").code == 0
    assert KEY.read_text() != Path("other.key").read_text()


def test_a_key_is_never_replaced(made) -> None:
    before = KEY.read_text()
    again = made("key", KEY)
    assert again.code == 2
    assert "never replaced" in again.err
    assert KEY.read_text() == before


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda: KEY.chmod(0o640), "others may read"),
        (lambda: KEY.write_text("12345"), "not a key"),
        (KEY.unlink, "cannot be read"),
    ],
)
def test_a_bad_key_is_refused(made, spoil, words) -> None:
    spoil()
    ran = made(*TABLE, "--key", KEY, "--out", "y.csv")
    assert ran.code == 2
    assert words in ran.err
    assert not Path("y.csv").exists()


@pytest.mark.parametrize("engine", ["local", "stream"])
def test_a_key_repeats_a_release_and_is_written_nowhere(made, tmp_path, engine) -> None:
    found = []
    for name in ("a", "b"):
        files = (f"{name}.csv", f"{name}.link.csv")
        call = ("--engine", engine, "--key", KEY, "--out", files[0], "--secret", files[1])
        assert made(*TABLE, *call, "--json").json["provenance"]["randomness"] == "keyed"
        found.append([Path(file).read_bytes() for file in files])
    assert found[0] == found[1]
    digits = KEY.read_text().strip()
    for file in tmp_path.iterdir():
        if file.name != KEY.name:
            assert digits not in file.read_text()
            assert str(int(digits, 16)) not in file.read_text()


def test_a_key_repeats_a_history_and_no_pseudonym_stands_in_two_releases(made) -> None:
    found = []
    for k in (3, 3, 4):
        assert made(*HISTORY, "--k", k, "--key", KEY).code == 0
        found.append(Path("A.csv").read_text())
    assert found[0] == found[1]
    people = [{line.split(",")[0] for line in text.splitlines()[1:]} for text in found]
    assert len(people[0]) > 3
    assert not {one for one in people[0] & people[2] if one.isdigit()}


def test_a_seed_is_said_to_be_for_experiments(made) -> None:
    call = (*TABLE, "--out", "y.csv", "--seed", 1)
    assert "for experiments" in made(*call).err
    both = made(*call, "--key", KEY)
    assert both.code == 2
    assert "not both" in both.err
