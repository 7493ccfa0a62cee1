"""`tokumei contest submit`, `wait`, `targets`, `attack`: uploads and what becomes of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tokumei.cli.contest.remote import (
    Contest,
    Server,
    found_text,
    json_told,
    note,
    playing,
    print_lines,
    tell_entry,
)
from tokumei.cli.options import Json, about, argument, option, told
from tokumei.core.errors import OutputError, UsageError
from tokumei.core.progress import meter
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.contest.client.http import ContestClient


WAIT = about(
    "Wait until an upload is judged, with its place in the queue; then faults or figures. Exit "
    "code 1 if it breaks rules.",
    "提出の採点が終わるまで待ち、待ち順と、違反または成績を表示します。"
    "規則違反なら終了コードは 1 です。",
    "tokumei contest wait 4kq7… --server URL",
)
EntryId = Annotated[str, argument("the upload's id", "提出の ID")]
Seconds = Annotated[float | None, option("wait no longer than this", "最長の待ち時間 (秒)", min=0)]


def wait(
    entry: EntryId,
    server: Server,
    seconds: Seconds = None,
    contest: Contest = None,
    json: Json = False,
) -> None:
    """Wait for a verdict."""
    with playing(server, contest) as (client, slug):
        found = waited(client, slug, {"id": entry}, seconds)
    tell_entry(found, as_json=json)


def waited(
    client: ContestClient, slug: str, entry: dict[str, Any], seconds: float | None
) -> dict[str, Any]:
    """An entry once it is judged; progress meanwhile, where it can be seen."""
    from tokumei.cli.console import show_progress
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
                note(f"place {place} in the queue", f"待ち順 {place}")

        found = client.wait(slug, entry["id"], seconds=seconds, seen=seen)
    if found["state"] not in SETTLED:
        raise UsageError(
            f"not judged yet (state {found['state']}); "
            f"go on with `tokumei contest wait {found['id']}`",
            f"まだ採点が終わっていません (状態 {found['state']})。"
            f"`tokumei contest wait {found['id']}` で続けて待てます",
        )
    return found


SUBMIT = about(
    "Upload a release (csv, csv.gz or zip). Every broken rule is listed at once, with exit code 1. "
    "--wait waits for its score; --publish then chooses it for publication.",
    "匿名加工データ (csv, csv.gz, zip) を提出します。規則違反はすべてその場で示され、"
    "終了コードは 1 です。--wait で採点まで待ち、--publish で公開対象に選びます。",
    "tokumei contest submit A.csv --label 'k = 5' --wait --server URL",
)
Label = Annotated[str, option("a note that only your team sees", "チームだけが見るメモ")]
Link = Annotated[
    Path | None,
    option(
        "of a table: which original row each row comes from (anonymize --secret)",
        "表の各行の元の行を示す対応表 (anonymize --secret の出力)",
    ),
]
Wait = Annotated[bool, option("until it is judged", "採点が終わるまで待つ", "--wait")]


def submit(
    file: Annotated[Path, argument("the release", "匿名加工データ")],
    server: Server,
    link: Link = None,
    label: Label = "",
    wait: Wait = False,
    publish: Annotated[
        bool, option("choose it once scored", "採点後に公開する", "--publish")
    ] = False,
    seconds: Seconds = None,
    contest: Contest = None,
    json: Json = False,
) -> None:
    """Upload, and wait if asked."""
    import uuid

    from tokumei.contest.client.local import zip_of_release

    name, content = zip_of_release(file, link)
    with playing(server, contest) as (client, slug):
        entry = client.submit(slug, content, name=name, label=label, key=uuid.uuid4().hex)
        if wait or publish:
            notes = entry["notes"]
            entry = waited(client, slug, entry, seconds) | {"notes": notes}
        if publish and entry["state"] == "scored":
            entry = client.publish(slug, entry["id"])
    tell_entry(entry, as_json=json)


TARGETS = about(
    "List the published releases and the attempts left on each; --out saves their files S.",
    "公開されたデータと、残りの攻撃回数を表示します。--out で公開ファイル S を保存します。",
    "tokumei contest targets --out targets --server URL",
)
ATTACK = about(
    "Upload guesses on a target: one file or zip, or all guess files. Exit code 1 if they break "
    "rules.",
    "対象への推定を提出します。一つのファイルか zip、またはすべての推定ファイルを指定します。"
    "規則違反なら終了コードは 1 です。",
    "tokumei contest attack 4kq7… F25.csv F50.csv F75.csv F100.csv --server URL",
)


def targets(
    server: Server,
    out: Annotated[Path | None, option("folder for the files S", "保存先フォルダ")] = None,
    contest: Contest = None,
    json: Json = False,
) -> None:
    """List and save what can be attacked."""
    with playing(server, contest) as (client, slug):
        found = client.targets(slug)
        if out is not None:
            for target in found:
                _save(out / f"S-{target['id']}.csv", client.public(slug, target["id"]))
    if json_told(json, {"ok": True, "targets": found}):
        return
    print_lines(
        [target["id"], f"{target['team']} #{target['number']}", _left(target)] for target in found
    )


def _left(target: dict[str, Any]) -> str:
    if target["own"]:
        return told("your own", "自チーム")
    left, best = target["attempts_left"], found_text(target["best"])
    more = told(f"; best so far {best}", f"、これまでの最高 {best}") if best else ""
    return told(f"{left} attempts left", f"残り {left} 回") + more


def attack(
    target: Annotated[str, argument("the target's id", "対象の ID")],
    files: Annotated[list[Path], argument("guess files or a zip", "推定ファイルか zip")],
    server: Server,
    label: Label = "",
    wait: Wait = False,
    seconds: Seconds = None,
    contest: Contest = None,
    json: Json = False,
) -> None:
    """Upload guesses, and wait if asked."""
    import uuid

    with playing(server, contest) as (client, slug):
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
