"""Shared by the contest commands: options, server connection, contest lookup, entry tables."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from tokumei.apps.cli.printing_command import require_extra, translate
from tokumei.core.command import option
from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, UsageError
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.apps.contest.client.contest_client import ContestClient, Json


def print_bilingual_note(en: str, ja: str) -> None:
    """A remark beside the result."""
    print(translate(en, ja), file=sys.stderr)


def print_json_if(as_json: bool, data: Json) -> bool:
    """Print the one JSON document of a command, if it is wanted; whether it was."""
    from tokumei.apps.cli.console import print_json

    if as_json:
        print_json(data)
        sys.stdout.flush()
    return as_json


server_option = partial(option, "the server's address", "サーバーのアドレス", env="TOKUMEI_SERVER")
contest_option = partial(
    option,
    "which contest; may be left out if the server has one",
    "コンテスト名。サーバーに一つだけなら省略可",
    env="TOKUMEI_CONTEST",
)
STATE_LABELS = {
    "received": Message("received", "受信済み"),
    "rejected": Message("rejected", "規則違反"),
    "queued": Message("queued", "待機中"),
    "running": Message("running", "採点中"),
    "scored": Message("scored", "採点済み"),
    "failed": Message("failed", "システム障害"),
    "cancelled": Message("cancelled", "取り消し"),
    "withdrawn": Message("withdrawn", "取り下げ"),
}


@contextmanager
def connect_client(server: str, *, known: bool | None = True) -> Iterator[ContestClient]:
    """A client; `known`: with this user's token, which must be there; None: if it is there."""
    require_extra("httpx")
    from tokumei.apps.contest.client.contest_client import ContestClient
    from tokumei.apps.contest.client.local_files import find_token

    token = None if known is False else find_token(server)
    if known and token is None:
        raise UsageError(
            f"there is no token for {server}: run `tokumei contest token` first, or set "
            "TOKUMEI_TOKEN",
            f"{server} のトークンがありません。先に `tokumei contest token` を実行するか、"
            "TOKUMEI_TOKEN を設定してください",
        )
    with ContestClient(server, token, waits=_print_wait_note) as client:
        yield client


def _print_wait_note(seconds: int) -> None:
    print_bilingual_note(
        f"the server was asked too often; waiting {seconds} s",
        f"サーバーへの要求が多すぎます。{seconds} 秒待ちます",
    )


@contextmanager
def connect_to_contest(server: str, contest: str | None) -> Iterator[tuple[ContestClient, str]]:
    """A client with this user's token, and the contest that is meant."""
    with connect_client(server) as client:
        yield client, resolve_contest(client, contest)


def resolve_contest(client: ContestClient, slug: str | None) -> str:
    """The contest that is meant."""
    if slug is not None:
        return slug
    slugs = [str(contest["slug"]) for contest in client.contests()]
    if len(slugs) == 1:
        return slugs[0]
    listed = ", ".join(slugs) or "–"
    raise UsageError(
        f"choose one with --contest: {listed}", f"--contest を指定してください: {listed}"
    )


def print_entry(entry: Json) -> None:
    """An entry in a few lines: state, faults or figures."""
    state = STATE_LABELS[entry["state"]].show()
    reason = _translate_or_empty(entry["reason"])
    print(f"{entry['id']}  {state}" + (f"  ({reason})" if reason else ""))
    for remark in entry["notes"]:
        print("  " + _translate_or_empty(remark))
    for fault in entry["faults"][:MAX_SHOWN_VIOLATIONS]:
        print(f"  {fault['rule']}: {_translate_or_empty(fault['message'])}")
    total = entry["fault_total"]
    if total:
        all_hint = translate("; all with --json", "。すべては --json で")
        hidden_note = all_hint if total > MAX_SHOWN_VIOLATIONS else ""
        print(translate(f"  {total} fault(s){hidden_note}", f"  違反 {total} 件{hidden_note}"))
    if line := format_figures(entry):
        print(f"  {line}")


def print_rows(rows: Iterable[Iterable[str]]) -> None:
    """One line for each row, never cut: identifiers are there to be copied."""
    for row in rows:
        print("  ".join(cell for cell in row if cell))


def format_figures(entry: Json) -> str:
    """The figures of a release, or what an attack found."""
    if entry["kind"] == "attack":
        return format_attack_result(entry["found"])
    score = entry["score"]
    if score is None:
        return ""
    names = (("utility", "U"), ("safety", "S"), ("total", "total"))
    parts = [f"{label} {score[name]:.6g}" for name, label in names if score[name] is not None]
    if score["unsafe"]:
        parts.append(translate("failed the safety test", "基準不適合"))
    return "  ".join(parts)


def format_attack_result(attack_result: Json | None) -> str:
    """What an attack found, as far as it is told."""
    if attack_result is None:
        return ""
    if attack_result["value"] is not None:
        unsafe_note = (
            translate(" (fails the safety test)", " (基準不適合)")
            if attack_result["unsafe"]
            else ""
        )
        return f"{attack_result['value']:.6g}{unsafe_note}"
    if attack_result["low"] is not None:
        return f"{attack_result['low']:g}–{attack_result['high']:g}"
    if attack_result["until"] is not None:
        when = attack_result["until"]
        return translate(f"shown after {when}", f"{when} に公開")
    return ""


def report_entry(entry: Json, *, as_json: bool) -> int:
    """Show an upload; the exit code of the command."""
    if not print_json_if(as_json, {"ok": entry_exit_code(entry) == 0, "entry": entry}):
        print_entry(entry)
    return entry_exit_code(entry)


def entry_exit_code(entry: Json) -> int:
    """0 taken or scored, 1 rejected by the rules, 2 failed or taken out."""
    if entry["state"] == "rejected":
        return 1
    return 2 if entry["state"] in ("failed", "cancelled", "withdrawn") else 0


def _translate_or_empty(words: dict[str, str] | None) -> str:
    return "" if words is None else translate(words["en"], words["ja"])
