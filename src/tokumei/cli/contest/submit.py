"""`tokumei contest submit`: upload a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tokumei.cli.contest.remote import (
    Contest,
    Server,
    chosen_contest,
    connected,
    tell_entry,
)
from tokumei.cli.contest.wait import Seconds, waited
from tokumei.cli.options import Json
from tokumei.core.text import Text

SUBMIT = Text(
    "Upload a release (csv, csv.gz or zip). Every broken rule is listed at once, with exit code 1. "
    "--wait waits for its score; --publish then chooses it for publication.\n\n"
    "Example:  tokumei contest submit A.csv --label 'k = 5' --wait --server URL",
    "匿名加工データ (csv, csv.gz, zip) を提出します。規則違反はすべてその場で示され、"
    "終了コードは 1 です。--wait で採点まで待ち、--publish で公開対象に選びます。\n\n"
    "例:  tokumei contest submit A.csv --label 'k = 5' --wait --server URL",
)
Label = Annotated[
    str, typer.Option(help=Text("a note that only your team sees", "チームだけが見るメモ").show())
]
Wait = Annotated[
    bool, typer.Option("--wait", help=Text("until it is judged", "採点が終わるまで待つ").show())
]


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("submit", help=SUBMIT.show())(submit)


def submit(
    file: Annotated[Path, typer.Argument(help=Text("the release", "匿名加工データ").show())],
    server: Server,
    label: Label = "",
    wait: Wait = False,
    publish: Annotated[
        bool,
        typer.Option("--publish", help=Text("choose it once scored", "採点後に公開する").show()),
    ] = False,
    seconds: Seconds = None,
    contest: Contest = None,
    json: Json = False,
) -> None:
    """Upload, and wait if asked."""
    import uuid

    with connected(server) as client:
        slug = chosen_contest(client, contest)
        entry = client.submit(slug, file, label=label, key=uuid.uuid4().hex)
        if wait or publish:
            notes = entry["notes"]
            entry = waited(client, slug, entry, seconds) | {"notes": notes}
        if publish and entry["state"] == "scored":
            entry = client.publish(slug, entry["id"])
    tell_entry(entry, as_json=json)
