"""Shared by the contest commands: options, server connection, contest lookup, entry tables."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from tokumei.apps.cli.printing_command import require_extra
from tokumei.core.command import option
from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, UsageError
from tokumei.core.messages import Message, join_messages

if TYPE_CHECKING:
    from tokumei.apps.contest.client.contest_client import ContestClient, Json


def print_note(note: Message) -> None:
    """A remark beside the result."""
    print(note, file=sys.stderr)


def print_json_if(as_json: bool, data: Json) -> bool:
    """Print the one JSON document of a command, if it is wanted; whether it was."""
    from tokumei.apps.cli.console import print_json

    if as_json:
        print_json(data)
        sys.stdout.flush()
    return as_json


server_option = partial(option, "the server's address", env="TOKUMEI_SERVER")
contest_option = partial(
    option, "which contest; may be left out if the server has one", env="TOKUMEI_CONTEST"
)
TOTAL_SCORE = Message("total", context="a score")
STATE_LABELS = {
    "received": Message("received"),
    "rejected": Message("rejected"),
    "queued": Message("queued"),
    "running": Message("running", context="a judging job"),
    "scored": Message("scored"),
    "failed": Message("failed", context="a judging job"),
    "cancelled": Message("cancelled"),
    "withdrawn": Message("withdrawn"),
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
            "there is no token for {server}: run `tokumei contest token` first, or set "
            "TOKUMEI_TOKEN",
            server=server,
        )
    with ContestClient(server, token, waits=_print_wait_note) as client:
        yield client


def _print_wait_note(seconds: int) -> None:
    print_note(Message("too many requests to the server; waiting {seconds} s", seconds=seconds))


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
    listed = join_messages(slugs or ["–"])
    raise UsageError("choose one with --contest: {contests}", contests=listed)


def print_entry(entry: Json) -> None:
    """An entry in a few lines: state, faults or figures."""
    state = STATE_LABELS[entry["state"]].show()
    reason = "" if entry["reason"] is None else f"  ({Message.of_texts(entry['reason'])})"
    print(f"{entry['id']}  {state}{reason}")
    for remark in entry["notes"]:
        print(f"  {Message.of_texts(remark)}")
    for fault in entry["faults"][:MAX_SHOWN_VIOLATIONS]:
        print(f"  {fault['rule']}: {Message.of_texts(fault['message'])}")
    if total := entry["fault_total"]:
        print(f"  {_count_faults(total)}")
    if line := format_figures(entry):
        print(f"  {line}")


def _count_faults(total: int) -> Message:
    if total > MAX_SHOWN_VIOLATIONS:
        return Message("{total:,} faults; all with --json", total=total)
    return count_faults(total)


def count_faults(total: int) -> Message:
    """How often the rules are broken."""
    return Message("{count} fault", plural="{count:,} faults", count=total)


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
    names = (("utility", "U"), ("safety", "S"), ("total", TOTAL_SCORE))
    parts = [f"{label} {score[name]:.6g}" for name, label in names if score[name] is not None]
    if score["unsafe"]:
        parts.append(Message("failed the safety test").show())
    return "  ".join(parts)


def format_attack_result(attack_result: Json | None) -> str:
    """What an attack found, as far as it is told."""
    if attack_result is None:
        return ""
    if attack_result["value"] is not None:
        value = f"{attack_result['value']:.6g}"
        if attack_result["unsafe"]:
            return Message("{value} (fails the safety test)", value=value).show()
        return value
    if attack_result["low"] is not None:
        return f"{attack_result['low']:g}–{attack_result['high']:g}"
    if attack_result["until"] is not None:
        return Message("shown after {time}", time=attack_result["until"]).show()
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
