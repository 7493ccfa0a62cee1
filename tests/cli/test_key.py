"""`tokumei key` and `--key`: a release that only the key's owner can make again."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from tokumei.cli.app import main

HISTORY = ("anonymize", "history", "--method", "rank-match", "--k", "3")
TABLE = ("anonymize", "table", "--qi", "head_age_band,head_sex", "--k", "5")


def told(capsys: pytest.CaptureFixture[str], *args: object) -> dict[str, Any]:
    assert main([*map(str, args), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture
def key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "release.key"
    told(capsys, "key", path)
    return path


def test_a_key_is_new_and_its_owners_alone(key: Path, tmp_path: Path) -> None:
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert len(bytes.fromhex(key.read_text())) == 32
    assert main(["key", str(tmp_path / "other.key")]) == 0
    assert key.read_text() != (tmp_path / "other.key").read_text()


def test_a_key_is_never_replaced(key: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = key.read_text()
    assert main(["key", str(key)]) == 2
    assert "never replaced" in capsys.readouterr().err
    assert key.read_text() == before


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [("mode", "others may read"), ("text", "not a key"), ("gone", "cannot be read")],
)
def test_a_bad_key_is_refused(
    key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], spoilt: str, words: str
) -> None:
    if spoilt == "mode":
        key.chmod(0o640)
    elif spoilt == "text":
        key.write_text("12345")
    else:
        key.unlink()
    source = tmp_path / "x.csv"
    assert main(["sample", "table", "--rows", "60", "--out", str(source)]) == 0
    out = tmp_path / "y.csv"
    assert main([*TABLE, "--data", str(source), "--key", str(key), "--out", str(out)]) == 2
    assert words in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("engine", ["local", "stream"])
def test_a_key_repeats_a_release_and_is_written_nowhere(
    key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], engine: str
) -> None:
    source = tmp_path / "x.csv"
    told(capsys, "sample", "table", "--rows", 400, "--seed", 1, "--out", source)
    call = (*TABLE, "--engine", engine, "--data", source, "--key", key)
    made = []
    for name in ("a", "b"):
        out, secret = tmp_path / f"{name}.csv", tmp_path / f"{name}.link.csv"
        found = told(capsys, *call, "--out", out, "--secret", secret)
        assert found["provenance"]["randomness"] == "keyed"
        made.append((out.read_bytes(), secret.read_bytes()))
    assert made[0] == made[1]
    secret_text = key.read_text().strip()
    number = str(int(secret_text, 16))
    for file in tmp_path.iterdir():
        if file != key:
            text = file.read_text()
            assert secret_text not in text
            assert number not in text


def test_a_key_repeats_a_history(
    key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "T.csv"
    told(capsys, "sample", "history", "--rows", 300, "--seed", 1, "--out", source)
    made = []
    for k in (3, 3, 4):
        out = tmp_path / "A.csv"
        told(capsys, *HISTORY[:-1], k, "--data", source, "--key", key, "--out", out)
        made.append(out.read_text())
    assert made[0] == made[1]
    people = [{line.split(",")[0] for line in text.splitlines()} for text in made]
    assert people[0] & people[2] <= {"DEL", "*", "customer"}, "no pseudonym stands in two releases"


def test_a_seed_is_said_to_be_for_experiments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], key: Path
) -> None:
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    told(capsys, "sample", "table", "--rows", 100, "--seed", 1, "--out", source)
    call = [*TABLE, "--data", str(source), "--out", str(out), "--seed", "1"]
    assert main(call) == 0
    assert "for experiments" in capsys.readouterr().err
    assert main([*call, "--key", str(key)]) == 2
    assert "not both" in capsys.readouterr().err
