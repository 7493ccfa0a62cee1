"""Every command is run at least once with `--json`, and prints one JSON document.

`tests/golden` runs those of the documentation's pages; here are all others.
"""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from apps.contest.played import (
    ANONYMIZING,
    ATTACKING,
    GUESS_FILES,
    PASSWORD,
    SLUG,
    Played,
    contest_yaml,
)
from apps.contest.served_api import serving
from support.command_line import run
from support.documentation import PAGES, parse_blocks, parse_commands
from tokumei.apps.cli.dispatch import list_commands
from tokumei.apps.contest.services.accounts import create_invite
from tokumei.apps.contest.services.entries import publish_release
from tokumei.apps.contest.services.export import export_contest
from tokumei.apps.contest.store.server_home import prepare_home
from tokumei.apps.contest.store.tables import ContestEntry

SERVERS = {
    "contest serve": "apps/contest/server/test_start_beside_home.py",
    "contest demo": "apps/contest/server/test_start_beside_home.py",
    "price serve": "apps/cli/price/test_serve.py",
    "studio": "apps/cli/test_planted_modules.py",
}
"""They print their document and go on; the tests that read it."""
SILENT = {"contest worker": "runs until it is stopped, and answers nothing"}
ALONE = ["completion bash", "demo --out results", "key release.key", "leftovers ."]
AS_A_TEAM = [
    "contest register elk --invite {invite}",
    "contest token elk",
    "contest join --team Elks",
    "contest submit A.csv --label mine",
    "contest status",
    "contest news --ask 'May we?'",
    "contest results",
]
JUDGED = ["contest wait {entry}", "contest targets", "contest attack {target} F25.csv F50.csv"]
AS_ORGANISER = ["contest create autumn --codes 3"]
OF_A_HOME = [
    "contest backup home --out backup.zip",
    "contest restore backup.zip --home restored",
    "contest export home cup --out export.zip",
    "contest replay board.zip",
    "contest reveal home cup --out revealed.zip --early",
]
Asking = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Asking:
    """Runs a command in an empty folder; the one document that it prints."""
    monkeypatch.chdir(tmp_path)

    def answer(line: str, **values: str) -> dict[str, Any]:
        arguments = [word.format(**values) for word in shlex.split(line)]
        code, out, err = run(capsys, *arguments, "--json")
        assert code == 0, f"{line}: {err}"
        return dict(json.loads(out))

    return answer


@pytest.mark.parametrize("line", ALONE)
def test_a_command_alone(ask: Asking, line: str) -> None:
    assert ask(line)


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Played]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("TOKUMEI_PASSWORD", PASSWORD)
    monkeypatch.delenv("TOKUMEI_TOKEN", raising=False)
    made = Played.open(prepare_home(tmp_path / "home"), tmp_path)
    made.clock.to(ANONYMIZING)
    yield made
    made.close()


def test_the_commands_of_a_contest(
    ask: Asking, played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invite = create_invite(played.place, played.viewers["organiser"], "register", slug=SLUG).code
    for name in ("A.csv", *GUESS_FILES):
        (tmp_path / name).write_bytes(b"rows")
    with serving(played.place) as running:
        monkeypatch.setenv("TOKUMEI_SERVER", running.address)
        told = [ask(line, invite=invite) for line in AS_A_TEAM]
        (entry,) = (one["entry"]["id"] for one in told if "entry" in one)
        played.judge(entry)
        target = played.scored("bee", b"bees")
        publish_release(played.place, played.viewers["bee"], SLUG, target)
        played.clock.to(ATTACKING)
        for line in JUDGED:
            assert ask(line, entry=entry, target=target)["ok"]
        monkeypatch.setenv("TOKUMEI_TOKEN", played.tokens["organiser"])
        folder = tmp_path / "autumn"
        folder.mkdir()
        (folder / "contest.yaml").write_text(json.dumps(contest_yaml(slug="autumn")))
        (folder / "T.csv").write_text("1,2018/1/1,a\n")
        for line in AS_ORGANISER:
            assert ask(line)["ok"]
    keep_truths(played)
    board = export_contest(played.place, played.viewers["organiser"], SLUG)
    shutil.move(board.path, tmp_path / "board.zip")
    for line in OF_A_HOME:
        assert ask(line)["ok"]


def keep_truths(played: Played) -> None:
    """What a worker keeps of accepted releases, and commits itself to."""
    home = played.place.home
    with played.place.write() as session:
        for entry in session.scalars(
            select(ContestEntry).where(ContestEntry.public_sha256.is_not(None))
        ):
            public, truth = home.files.read(entry.public_sha256), b"0,0\n"
            home.vault().keep_truth(entry.id, truth)
            for name, value in home.vault().commitments(entry.id, public, truth).items():
                setattr(entry, name, value)


def test_every_command_is_run_somewhere() -> None:
    every = {" ".join(command.path) for command in list_commands()}

    def name_of(arguments: list[str]) -> str | None:
        words = arguments[2:] if arguments[0] == "--lang" else arguments
        names = [" ".join(words[:length]) for length in (3, 2, 1)]
        return next((name for name in names if name in every), None)

    here = [*ALONE, *AS_A_TEAM, *JUDGED, *AS_ORGANISER, *OF_A_HOME]
    asked = {name_of(shlex.split(line)) for line in here}
    for page in PAGES:
        for block in parse_blocks(page.read_text(encoding="utf-8")):
            for command in parse_commands(block) if block.kind == "console" else ():
                if {"--help", "--help-all", "--version"}.isdisjoint(command.args):
                    asked.add(name_of(command.args))
    assert every - asked == {*SERVERS, *SILENT}


@pytest.mark.parametrize("name", SERVERS)
def test_the_document_of_a_server_is_read_elsewhere(name: str) -> None:
    text = (Path(__file__).parents[1] / SERVERS[name]).read_text(encoding="utf-8")
    words = ", ".join(f'"{word}"' for word in name.split())
    assert words in text
    assert '"--json"' in text
