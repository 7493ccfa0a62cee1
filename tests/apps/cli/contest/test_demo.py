"""`tokumei contest demo` plays to its end."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from support.waiting import HUNG_SECONDS
from tokumei.apps.cli.app import main
from tokumei.pseudonyms.judge.bots import TEAMS

PLAYING = TEAMS[:3]


@pytest.mark.long
def test_the_bots_play_and_it_ends(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-m", "tokumei", "contest", "demo"]
    command += [
        "--home",
        str(tmp_path / "home"),
        "--once",
        "--rows",
        "500",
        "--teams",
        "3",
        "--port",
        "0",
        "--json",
    ]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=4 * HUNG_SECONDS,
        env={**os.environ, "LANG": "C.UTF-8", "TMPDIR": str(scratch)},
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found["teams"]) == len(PLAYING)
    releases = Counter(one["state"] for one in found["releases"])
    assert releases == {"scored": sum(len(team.releases) for team in PLAYING), "rejected": 1}
    attacks = Counter(one["state"] for one in found["attacks"])
    assert attacks == {"scored": 3 * 2}
    assert f"{found['address']}/c/demo/leaderboard" in done.stderr
    assert found["organiser"]["password"] in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(scratch.iterdir())
    commitments_open(tmp_path)


def commitments_open(folder: Path) -> None:
    """What is revealed is what was committed to, and not before the end."""
    command = ["contest", "reveal", str(folder / "home"), "demo", "--out", str(folder / "r.zip")]
    with pytest.raises(SystemExit) as stopped:
        main(command)
    assert stopped.value.code == 2
    assert not (folder / "r.zip").exists()
    with pytest.raises(SystemExit) as stopped:
        main([*command, "--early"])
    assert stopped.value.code == 0
    with zipfile.ZipFile(folder / "r.zip") as archive:
        text = archive.read("commitments.csv").decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text)))
        assert len(rows) == 2 * len(PLAYING)
        for row in rows:
            salted = bytes.fromhex(row["salt"]) + archive.read(row["file"])
            assert hashlib.sha256(salted).hexdigest() == row["commitment"]
    # A truth that was exchanged is noticed.
    for path in (folder / "home/vault/truth").iterdir():
        path.write_bytes(b"another")
    with pytest.raises(SystemExit) as stopped:
        main([*command[:-1], str(folder / "other.zip"), "--early"])
    assert stopped.value.code == 1
    assert not (folder / "other.zip").exists()


def test_a_folder_with_something_in_it_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "precious").write_text("")
    with pytest.raises(SystemExit) as stopped:
        main(["contest", "demo", "--home", str(tmp_path)])
    assert stopped.value.code == 2
    assert "not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]
