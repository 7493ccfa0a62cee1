"""`tokumei contest wait`: until an upload is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokumei.cli.contest.remote import (
    Contest,
    Server,
    chosen_contest,
    connected,
    tell_entry,
)
from tokumei.cli.options import Json
from tokumei.core.errors import UsageError
from tokumei.core.progress import meter
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.contest.client.http import ContestClient

WAIT = Text(
    "Wait until an upload is judged, with its place in the queue; then faults or figures. Exit "
    "code 1 if it breaks rules.\n\n"
    "Example:  tokumei contest wait 4kq7… --server URL",
    "提出の採点が終わるまで待ち、待ち順と、違反または成績を表示します。"
    "規則違反なら終了コードは 1 です。\n\n"
    "例:  tokumei contest wait 4kq7… --server URL",
)
EntryId = Annotated[str, typer.Argument(help=Text("the upload's id", "提出の ID").show())]
Seconds = Annotated[
    float | None,
    typer.Option(min=0, help=Text("wait no longer than this", "最長の待ち時間 (秒)").show()),
]


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("wait", help=WAIT.show())(wait)


def wait(
    entry: EntryId,
    server: Server,
    seconds: Seconds = None,
    contest: Contest = None,
    json: Json = False,
) -> None:
    """Wait for a verdict."""
    with connected(server) as client:
        slug = chosen_contest(client, contest)
        found = waited(client, slug, {"id": entry}, seconds)
    tell_entry(found, as_json=json)


def waited(
    client: ContestClient, slug: str, entry: dict[str, Any], seconds: float | None
) -> dict[str, Any]:
    """An entry once it is judged; progress meanwhile, where it can be seen."""
    from tokumei.cli.console import note, show_progress
    from tokumei.contest.client.http import SETTLED

    show_progress()
    with meter(Text("judging", "採点中"), 1.0) as advance:
        shown, place = 0.0, None

        def seen(look: dict[str, Any]) -> None:
            nonlocal shown, place
            done = look["progress"] or 0.0
            advance(max(0.0, done - shown))
            shown = max(shown, done)
            if look["queue_position"] not in (None, place):
                place = look["queue_position"]
                note(Text(f"place {place} in the queue", f"待ち順 {place}"))

        found = client.wait(slug, entry["id"], seconds=seconds, seen=seen)
    if found["state"] not in SETTLED:
        raise UsageError(
            f"not judged yet (state {found['state']}); "
            f"go on with `tokumei contest wait {found['id']}`",
            f"まだ採点が終わっていません (状態 {found['state']})。"
            f"`tokumei contest wait {found['id']}` で続けて待てます",
        )
    return found
