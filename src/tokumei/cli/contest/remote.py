"""What the commands share: words, options, the server, the contest, how entries are shown."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from tokumei.cli.options import require_extra, told
from tokumei.core.ask import option
from tokumei.core.errors import FAULTS_SHOWN, UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.contest.client.http import ContestClient


def note(en: str, ja: str) -> None:
    """A remark beside the result."""
    print(told(en, ja), file=sys.stderr)


def json_told(wanted: bool, found: dict[str, Any]) -> bool:
    """Print the one JSON document of a command, if it is wanted; whether it was."""
    from tokumei.cli.console import print_json

    if wanted:
        print_json(found)
        sys.stdout.flush()
    return wanted


server_option = partial(option, "the server's address", "サーバーのアドレス", env="TOKUMEI_SERVER")
contest_option = partial(
    option,
    "which contest; may be left out if the server has one",
    "コンテスト名。サーバーに一つだけなら省略可",
    env="TOKUMEI_CONTEST",
)
STATES = {
    "received": Text("received", "受信済み"),
    "rejected": Text("rejected", "規則違反"),
    "queued": Text("queued", "待機中"),
    "running": Text("running", "採点中"),
    "scored": Text("scored", "採点済み"),
    "failed": Text("failed", "システム障害"),
    "cancelled": Text("cancelled", "取り消し"),
    "withdrawn": Text("withdrawn", "取り下げ"),
}


@contextmanager
def connected(server: str, *, known: bool | None = True) -> Iterator[ContestClient]:
    """A client; `known`: with this user's token, which must be there; None: if it is there."""
    require_extra("httpx")
    from tokumei.contest.client.http import ContestClient
    from tokumei.contest.client.local import token_for

    token = None if known is False else token_for(server)
    if known and token is None:
        raise UsageError(
            f"there is no token for {server}: run `tokumei contest token` first, or set "
            "TOKUMEI_TOKEN",
            f"{server} のトークンがありません。先に `tokumei contest token` を実行するか、"
            "TOKUMEI_TOKEN を設定してください",
        )
    with ContestClient(server, token, waits=_tell_wait) as client:
        yield client


def _tell_wait(seconds: int) -> None:
    note(
        f"the server was asked too often; waiting {seconds} s",
        f"サーバーへの要求が多すぎます。{seconds} 秒待ちます",
    )


@contextmanager
def playing(server: str, contest: str | None) -> Iterator[tuple[ContestClient, str]]:
    """A client with this user's token, and the contest that is meant."""
    with connected(server) as client:
        yield client, chosen_contest(client, contest)


def chosen_contest(client: ContestClient, given: str | None) -> str:
    """The contest that is meant."""
    if given is not None:
        return given
    found = [str(contest["slug"]) for contest in client.contests()]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(found) or "–"
    raise UsageError(
        f"choose one with --contest: {listed}", f"--contest を指定してください: {listed}"
    )


def show_entry(entry: dict[str, Any]) -> None:
    """An entry in a few lines: state, faults or figures."""
    state = STATES[entry["state"]].show()
    reason = _said(entry["reason"])
    print(f"{entry['id']}  {state}" + (f"  ({reason})" if reason else ""))
    for remark in entry["notes"]:
        print("  " + _said(remark))
    for fault in entry["faults"][:FAULTS_SHOWN]:
        print(f"  {fault['rule']}: {_said(fault['message'])}")
    total = entry["fault_total"]
    if total:
        rest = told("; all with --json", "。すべては --json で")
        more = rest if total > FAULTS_SHOWN else ""
        print(told(f"  {total} fault(s){more}", f"  違反 {total} 件{more}"))
    if line := figures(entry):
        print(f"  {line}")


def print_lines(rows: Iterable[Iterable[str]]) -> None:
    """One line for each row, never cut: identifiers are there to be copied."""
    for row in rows:
        print("  ".join(cell for cell in row if cell))


def figures(entry: dict[str, Any]) -> str:
    """The figures of a release, or what an attack found."""
    if entry["kind"] == "attack":
        return found_text(entry["found"])
    score = entry["score"]
    if score is None:
        return ""
    names = (("utility", "U"), ("safety", "S"), ("total", "total"))
    shown = [f"{said} {score[name]:.6g}" for name, said in names if score[name] is not None]
    if score["unsafe"]:
        shown.append(told("failed the safety test", "基準不適合"))
    return "  ".join(shown)


def found_text(found: dict[str, Any] | None) -> str:
    """What an attack found, as far as it is told."""
    if found is None:
        return ""
    if found["value"] is not None:
        broken = told(" (fails the safety test)", " (基準不適合)") if found["unsafe"] else ""
        return f"{found['value']:.6g}{broken}"
    if found["low"] is not None:
        return f"{found['low']:g}–{found['high']:g}"
    if found["until"] is not None:
        when = found["until"]
        return told(f"shown after {when}", f"{when} に公開")
    return ""


def tell_entry(entry: dict[str, Any], *, as_json: bool) -> int:
    """Show an upload; the exit code of the command."""
    if not json_told(as_json, {"ok": exit_code(entry) == 0, "entry": entry}):
        show_entry(entry)
    return exit_code(entry)


def exit_code(entry: dict[str, Any]) -> int:
    """0 taken or scored, 1 rejected by the rules, 2 failed or taken out."""
    if entry["state"] == "rejected":
        return 1
    return 2 if entry["state"] in ("failed", "cancelled", "withdrawn") else 0


def _said(words: dict[str, str] | None) -> str:
    return "" if words is None else told(words["en"], words["ja"])
