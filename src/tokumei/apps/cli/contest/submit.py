"""`tokumei contest submit`, `wait`, `targets`, `attack`: uploads entries and follows them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.cli.contest.common import (
    connect_to_contest,
    contest_option,
    format_attack_result,
    print_bilingual_note,
    print_json_if,
    print_rows,
    report_entry,
    server_option,
)
from tokumei.apps.cli.printing_command import PrintingCommand, translate
from tokumei.core.command import option
from tokumei.core.errors import OutputError, UsageError
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar

if TYPE_CHECKING:
    from tokumei.apps.contest.client.contest_client import ContestClient, Json


entry_id_option = partial(option, "the upload's id", "提出の ID", positional=True)
seconds_option = partial(option, "wait no longer than this", "最長の待ち時間 (秒)", least=0)


@dataclass(frozen=True, kw_only=True)
class WaitForEntry(PrintingCommand):
    """Wait for a verdict."""

    about: ClassVar = Message(
        "Wait until an upload is judged, with its place in the queue; then faults or figures. Exit "
        "code 1 if it breaks rules.",
        "提出の採点が終わるまで待ち、待ち順と、違反または成績を表示します。"
        "規則違反なら終了コードは 1 です。",
    )
    examples: ClassVar = ("tokumei contest wait 4kq7… --server URL",)

    entry: str = entry_id_option()
    server: str = server_option()
    seconds: float | None = seconds_option(default=None)
    contest: str | None = contest_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        with connect_to_contest(self.server, self.contest) as (client, slug):
            judged_entry = wait_until_judged(client, slug, {"id": self.entry}, self.seconds)
        return report_entry(judged_entry, as_json=as_json)


def wait_until_judged(client: ContestClient, slug: str, entry: Json, seconds: float | None) -> Json:
    """An entry once it is judged; progress meanwhile, where it can be seen."""
    from tokumei.apps.cli.console import show_progress
    from tokumei.apps.contest.client.contest_client import SETTLED_STATES

    show_progress()
    with progress_bar(Message("judging", "採点中"), 1.0) as advance:
        shown_progress, queue_position = 0.0, None

        def show_update(entry_state: Json) -> None:
            nonlocal shown_progress, queue_position
            progress = entry_state["progress"] or 0.0
            advance(max(0.0, progress - shown_progress))
            shown_progress = max(shown_progress, progress)
            if entry_state["queue_position"] not in (None, queue_position):
                queue_position = entry_state["queue_position"]
                print_bilingual_note(
                    f"place {queue_position} in the queue", f"待ち順 {queue_position}"
                )

        judged_entry = client.wait(slug, entry["id"], seconds=seconds, seen=show_update)
    if judged_entry["state"] not in SETTLED_STATES:
        raise UsageError(
            f"not judged yet (state {judged_entry['state']}); "
            f"go on with `tokumei contest wait {judged_entry['id']}`",
            f"まだ採点が終わっていません (状態 {judged_entry['state']})。"
            f"`tokumei contest wait {judged_entry['id']}` で続けて待てます",
        )
    return judged_entry


label_option = partial(option, "a note that only your team sees", "チームだけが見るメモ")
link_option = partial(
    option,
    "of a table: which original row each row comes from (anonymize --secret)",
    "表の各行の元の行を示す対応表 (anonymize --secret の出力)",
)
wait_option = partial(option, "until it is judged", "採点が終わるまで待つ")


@dataclass(frozen=True, kw_only=True)
class SubmitRelease(PrintingCommand):
    """Upload, and wait if asked."""

    about: ClassVar = Message(
        "Upload a release (csv, csv.gz or zip). Every broken rule is listed at once, with exit "
        "code 1. --wait waits for its score; --publish then chooses it for publication.",
        "匿名加工データ (csv, csv.gz, zip) を提出します。規則違反はすべてその場で示され、"
        "終了コードは 1 です。--wait で採点まで待ち、--publish で公開対象に選びます。",
    )
    examples: ClassVar = ("tokumei contest submit A.csv --label 'k = 5' --wait --server URL",)

    file: Path = option("the release", "匿名加工データ", positional=True)
    server: str = server_option()
    link: Path | None = link_option(default=None)
    label: str = label_option(default="")
    wait: bool = wait_option(default=False)
    publish: bool = option("choose it once scored", "採点後に公開する", default=False)
    seconds: float | None = seconds_option(default=None)
    contest: str | None = contest_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        import uuid

        from tokumei.apps.contest.client.local_files import pack_release

        name, content = pack_release(self.file, self.link)
        with connect_to_contest(self.server, self.contest) as (client, slug):
            entry = client.submit(slug, content, name=name, label=self.label, key=uuid.uuid4().hex)
            if self.wait or self.publish:
                notes = entry["notes"]
                entry = wait_until_judged(client, slug, entry, self.seconds) | {"notes": notes}
            if self.publish and entry["state"] == "scored":
                entry = client.publish(slug, entry["id"])
        return report_entry(entry, as_json=as_json)


@dataclass(frozen=True, kw_only=True)
class ListTargets(PrintingCommand):
    """List and save what can be attacked."""

    about: ClassVar = Message(
        "List the published releases and the attempts left on each; --out saves their files S.",
        "公開されたデータと、残りの攻撃回数を表示します。--out で公開ファイル S を保存します。",
    )
    examples: ClassVar = ("tokumei contest targets --out targets --server URL",)

    server: str = server_option()
    out: Path | None = option("folder for the files S", "保存先フォルダ", default=None)
    contest: str | None = contest_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        with connect_to_contest(self.server, self.contest) as (client, slug):
            targets = client.targets(slug)
            if self.out is not None:
                for target in targets:
                    _save_file(
                        self.out / f"S-{target['id']}.csv", client.public(slug, target["id"])
                    )
        if print_json_if(as_json, {"ok": True, "targets": targets}):
            return 0
        print_rows(
            [target["id"], f"{target['team']} #{target['number']}", _format_attempts_left(target)]
            for target in targets
        )
        return 0


def _format_attempts_left(target: Json) -> str:
    if target["own"]:
        return translate("your own", "自チーム")
    attempts_left, best = target["attempts_left"], format_attack_result(target["best"])
    best_note = translate(f"; best so far {best}", f"、これまでの最高 {best}") if best else ""
    return translate(f"{attempts_left} attempts left", f"残り {attempts_left} 回") + best_note


@dataclass(frozen=True, kw_only=True)
class SubmitGuesses(PrintingCommand):
    """Upload guesses, and wait if asked."""

    about: ClassVar = Message(
        "Upload guesses on a target: one file or zip, or all guess files. Exit code 1 if they "
        "break rules.",
        "対象への推定を提出します。一つのファイルか zip、またはすべての推定ファイルを指定します。"
        "規則違反なら終了コードは 1 です。",
    )
    examples: ClassVar = (
        "tokumei contest attack 4kq7… F25.csv F50.csv F75.csv F100.csv --server URL",
    )

    target: str = option("the target's id", "対象の ID", positional=True)
    files: list[Path] = option("guess files or a zip", "推定ファイルか zip", positional=True)
    server: str = server_option()
    label: str = label_option(default="")
    wait: bool = wait_option(default=False)
    seconds: float | None = seconds_option(default=None)
    contest: str | None = contest_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        import uuid

        with connect_to_contest(self.server, self.contest) as (client, slug):
            files_by_name = {path.name: path for path in self.files}
            entry = client.attack(
                slug, self.target, files_by_name, label=self.label, key=uuid.uuid4().hex
            )
            if self.wait:
                entry = wait_until_judged(client, slug, entry, self.seconds)
        return report_entry(entry, as_json=as_json)


def _save_file(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        reason = f"{path}: {error.strerror}"
        raise OutputError(reason, reason) from None
