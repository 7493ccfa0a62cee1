"""The documented commands, from the folder that holds the home, as root and as somebody else."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from apps.contest.played import contest_yaml
from support.contest_server import started
from support.planted_modules import plant_modules, run_modules
from support.system_users import SystemUser, ordinary_user, user_of_tests
from support.waiting import HUNG_SECONDS
from tokumei.apps.contest.client.contest_client import ContestClient

ACCOUNT = ("organiser", "correct horse battery")


@pytest.fixture(params=["user of the tests", "nobody"])
def somebody(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SystemUser]:
    """Somebody in a folder where modules are planted."""
    if request.param == "nobody":
        with ordinary_user() as user:
            plant_modules(user)
            yield user
    else:
        user = user_of_tests(tmp_path)
        plant_modules(user)
        yield user


@pytest.mark.long
def test_serve(somebody: SystemUser) -> None:
    command = ["tokumei", "contest", "serve", "home", "--port", "0", "--json"]
    folder = somebody.folder
    with (
        started(command, folder / "log", **somebody.process()) as server,
        ContestClient(server.address, timeout=HUNG_SECONDS) as client,
    ):
        client.register(*ACCOUNT, server.code)
        client.new_token(*ACCOUNT)
        assert client.create_contest(contest_folder(folder))["slug"] == "cup"
    assert (folder / "home" / "vault").is_dir()
    assert run_modules(folder) == []


@pytest.mark.long
def test_demo(somebody: SystemUser) -> None:
    command = ["tokumei", "contest", "demo", "--home", "demo", "--once", "--port", "0"]
    done = subprocess.run(
        [*command, "--rows", "500", "--teams", "2", "--json"],
        **somebody.process(),
        capture_output=True,
        text=True,
        check=False,
        timeout=4 * HUNG_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert {one["state"] for one in json.loads(done.stdout)["attacks"]} == {"scored"}
    assert (somebody.folder / "demo" / "vault").is_dir()
    assert run_modules(somebody.folder) == []


def contest_folder(folder: Path) -> Path:
    """A small contest's files."""
    made = folder / "cup"
    made.mkdir()
    now = datetime.now(UTC)
    phase = {"kind": "anonymize", "starts": now, "ends": now + timedelta(days=7)}
    (made / "contest.yaml").write_text(json.dumps(contest_yaml(slug="cup", phases=[phase])))
    (made / "T.csv").write_text("1,2018/1/1,a,1.5,1\n")
    return made
