"""What must hold after a dress rehearsal."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.rehearsal_teams import Plan, one_file
from tokumei.apps.contest.client.contest_client import SETTLED_STATES, ContestClient
from tokumei.apps.contest.judge.contest_judge import ContestJudge, load_judge_from_folder
from tokumei.apps.contest.judge.results import Upload
from tokumei.apps.contest.server.replay_export import replay_export
from tokumei.core.errors import TokumeiError

ENDED = ("scored", "rejected", "cancelled", "withdrawn")


@dataclass
class Played:
    """What was sent and what came of it."""

    sent: dict[str, tuple[Plan, str, bytes]] = field(default_factory=dict)
    attacks: dict[str, tuple[Plan, str, dict[str, bytes]]] = field(default_factory=dict)
    refused: Counter[int] = field(default_factory=Counter)
    killed: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)
    compared: int = 0
    replayed: int | None = 0

    def wait(self, client: ContestClient, slug: str, entry_id: str) -> dict[str, Any]:
        """An entry once it is settled, whatever is killed meanwhile."""
        until = time.monotonic() + 600
        while time.monotonic() < until:
            try:
                entry = client.entry(slug, entry_id)
                if entry["state"] in SETTLED_STATES:
                    return entry
            except TokumeiError:
                pass  # a killed process is away
            time.sleep(0.3)
        raise RuntimeError(f"{entry_id} was not judged")


def checked(
    played: Played, board: dict[str, Any], folder: Path, export: Path, uploads: int
) -> Iterator[str]:
    """What is wrong; nothing is expected."""
    yield from played.faults
    yield from _accounted(played, uploads)
    judge = load_judge_from_folder(folder)
    yield from _same_at_home(played, judge)
    yield from _no_cheat_above(played, board)
    yield from _raw_is_behind(played, board, judge.contest.scoring.total)
    yield from _replayed(played, export)


def _accounted(played: Played, uploads: int) -> Iterator[str]:
    sent = {*played.sent, *played.attacks}
    held = {entry["id"] for entry in played.entries}
    if sent != held:
        yield f"{len(sent - held)} uploads lost, {len(held - sent)} that nobody sent"
    if uploads != len(held):
        yield f"the export has {uploads} uploads of {len(held)}"
    odd = [entry["id"] for entry in played.entries if entry["state"] not in ENDED]
    if odd:
        yield f"{len(odd)} uploads have no end: {odd[0]}"


def _same_at_home(played: Played, judge: ContestJudge) -> Iterator[str]:
    """Every score is what the judge says at home, to the digit."""
    truths: dict[str, Any] = {}
    for entry in sorted(played.entries, key=lambda one: one["kind"] != "release"):
        if entry["id"] in played.sent:
            _, name, content = played.sent[entry["id"]]
            verdict = judge.judge(Upload(name, content))
            truths[entry["id"]] = verdict
        elif entry["id"] in played.attacks:
            _, target, guess = played.attacks[entry["id"]]
            seen = truths[target]
            verdict = judge.score(seen.public, seen.truth, Upload(*one_file(guess)))
        else:
            continue
        yield from _compared(entry, verdict)
        played.compared += 1


def _compared(entry: dict[str, Any], verdict: Any) -> Iterator[str]:
    if verdict.accepted != (entry["state"] == "scored"):
        yield f"{entry['id']} is {entry['state']}, but at home accepted: {verdict.accepted}"
    if entry["score"] is None or verdict.card is None:
        return
    for name in ("utility", "safety", "total", "unsafe"):
        here, there = getattr(verdict.card, name), entry["score"][name]
        if here != there:
            yield f"{entry['id']}: {name} is {there!r} on the server, {here!r} at home"


def _no_cheat_above(played: Played, board: dict[str, Any]) -> Iterator[str]:
    rows = {row["team"]: row for row in board["rows"]}
    last = len(rows) + 1
    for plan in {plan.name: plan for plan, _, _ in played.sent.values()}.values():
        if plan.like is None or plan.like not in rows:
            continue
        cheat, honest = (rows[name]["rank"] or last for name in (plan.name, plan.like))
        if cheat < honest:
            yield f"'{plan.name}' ({cheat}) stands above '{plan.like}' ({honest})"


def _raw_is_behind(played: Played, board: dict[str, Any], total: str) -> Iterator[str]:
    """No honest release that passed stands behind raw data; by the mean of U and S some may."""
    rows = {row["team"]: row for row in board["rows"]}
    ranks = {name: row["rank"] or len(rows) + 1 for name, row in rows.items()}
    honest = {plan.name for plan, _, _ in played.sent.values() if plan.kind == "honest"}
    passed = {name for name in honest & set(rows) if not rows[name]["unsafe"]}
    behind = sorted(name for name in passed if ranks[name] > ranks["raw"])
    if behind and (total != "mean" or ranks["raw"] == 1):
        yield f"raw data ({ranks['raw']}) stand above {', '.join(behind)}"


def _replayed(played: Played, export: Path) -> Iterator[str]:
    found = replay_export(export)
    played.replayed = found.judged
    for one in found.differences[:5]:
        yield f"replay: {one.show('en')}"
