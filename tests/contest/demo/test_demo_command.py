"""`tokumei contest demo` plays to its end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tokumei.cli.app import main
from tokumei.contest.demo.teams import TEAMS

PLAYING = TEAMS[:3]


def test_the_bots_play_and_it_ends(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-m", "tokumei", "contest", "demo"]
    command += ["--once", "--rows", "500", "--teams", "3", "--port", "0", "--json"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
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


def test_a_folder_with_something_in_it_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "precious").write_text("")
    with pytest.raises(SystemExit) as stopped:
        main(["contest", "demo", "--home", str(tmp_path)])
    assert stopped.value.code == 2
    assert "not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]
