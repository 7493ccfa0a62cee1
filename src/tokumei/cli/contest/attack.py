"""`tokumei contest targets` and `attack`: what others published, and guesses on it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei.cli.contest.remote import (
    Contest,
    Server,
    chosen_contest,
    connected,
    found_text,
    print_lines,
    tell_entry,
)
from tokumei.cli.contest.submit import Label, Wait
from tokumei.cli.contest.wait import Seconds, waited
from tokumei.cli.options import Json
from tokumei.core.errors import OutputError
from tokumei.core.text import Text

TARGETS = Text(
    "List the published releases and the attempts left on each; --out saves their files S.\n\n"
    "Example:  tokumei contest targets --out targets --server URL",
    "公開されたデータと、残りの攻撃回数を表示します。--out で公開ファイル S を保存します。\n\n"
    "例:  tokumei contest targets --out targets --server URL",
)
ATTACK = Text(
    "Upload guesses on a target: one file or zip, or all guess files. Exit code 1 if they break "
    "rules.\n\n"
    "Example:  tokumei contest attack 4kq7… F25.csv F50.csv F75.csv F100.csv --server URL",
    "対象への推定を提出します。一つのファイルか zip、またはすべての推定ファイルを指定します。"
    "規則違反なら終了コードは 1 です。\n\n"
    "例:  tokumei contest attack 4kq7… F25.csv F50.csv F75.csv F100.csv --server URL",
)


def register(group: typer.Typer) -> None:
    """Add the commands."""
    group.command("targets", help=TARGETS.show())(targets)
    group.command("attack", help=ATTACK.show())(attack)


def targets(
    server: Server,
    out: Annotated[
        Path | None, typer.Option(help=Text("folder for the files S", "保存先フォルダ").show())
    ] = None,
    contest: Contest = None,
    json: Json = False,
) -> None:
    """List and save what can be attacked."""
    from tokumei.cli.console import print_json

    with connected(server) as client:
        slug = chosen_contest(client, contest)
        found = client.targets(slug)
        if out is not None:
            for target in found:
                _save(out / f"S-{target['id']}.csv", client.public(slug, target["id"]))
    if json:
        print_json({"ok": True, "targets": found})
        return
    print_lines(
        [target["id"], f"{target['team']} #{target['number']}", _left(target)] for target in found
    )


def _left(target: dict[str, Any]) -> str:
    if target["own"]:
        return Text("your own", "自チーム").show()
    left, best = target["attempts_left"], found_text(target["best"])
    told = Text(f"{left} attempts left", f"残り {left} 回").show()
    return told + (Text(f"; best so far {best}", f"、これまでの最高 {best}").show() if best else "")


def attack(
    target: Annotated[str, typer.Argument(help=Text("the target's id", "対象の ID").show())],
    files: Annotated[
        list[Path], typer.Argument(help=Text("guess files or a zip", "推定ファイルか zip").show())
    ],
    server: Server,
    label: Label = "",
    wait: Wait = False,
    seconds: Seconds = None,
    contest: Contest = None,
    json: Json = False,
) -> None:
    """Upload guesses, and wait if asked."""
    import uuid

    with connected(server) as client:
        slug = chosen_contest(client, contest)
        named = {path.name: path for path in files}
        entry = client.attack(slug, target, named, label=label, key=uuid.uuid4().hex)
        if wait:
            entry = waited(client, slug, entry, seconds)
    tell_entry(entry, as_json=json)


def _save(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        reason = f"{path}: {error.strerror}"
        raise OutputError(reason, reason) from None
