"""`tokumei contest submit`, `wait`, `targets`, `attack`: uploads entries and follows them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.cli.contest.common import (
    STATE_LABELS,
    connect_to_contest,
    contest_option,
    format_attack_result,
    print_json_if,
    print_note,
    print_rows,
    report_entry,
    server_option,
)
from tokumei.apps.cli.printing_command import PrintingCommand
from tokumei.core.command import option
from tokumei.core.error_translation import translate_system_error
from tokumei.core.errors import OutputError, UsageError
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar

if TYPE_CHECKING:
    from tokumei.apps.contest.client.contest_client import ContestClient, Json


entry_id_option = partial(option, "the upload's id", positional=True)
seconds_option = partial(option, "longest wait, in seconds", least=0)


@dataclass(frozen=True, kw_only=True)
class WaitForEntry(PrintingCommand):
    """Wait for a verdict."""

    about: ClassVar = Message(
        "Wait until an upload is judged, with its place in the queue; then faults or figures. Exit "
        "code 1 if it breaks rules."
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
    with progress_bar(Message("judging"), 1.0) as advance:
        shown_progress, queue_position = 0.0, None

        def show_update(entry_state: Json) -> None:
            nonlocal shown_progress, queue_position
            progress = entry_state["progress"] or 0.0
            advance(max(0.0, progress - shown_progress))
            shown_progress = max(shown_progress, progress)
            if entry_state["queue_position"] not in (None, queue_position):
                queue_position = entry_state["queue_position"]
                print_note(Message("place {number} in the queue", number=queue_position))

        judged_entry = client.wait(slug, entry["id"], seconds=seconds, seen=show_update)
    if judged_entry["state"] not in SETTLED_STATES:
        raise UsageError(
            "not judged yet (state {state}); go on with `tokumei contest wait {id}`",
            state=STATE_LABELS[judged_entry["state"]],
            id=judged_entry["id"],
        )
    return judged_entry


label_option = partial(option, "a note that only your team sees")
link_option = partial(
    option, "of a table: which original row each row comes from (anonymize --secret)"
)
wait_option = partial(option, "wait until it is judged")


@dataclass(frozen=True, kw_only=True)
class SubmitRelease(PrintingCommand):
    """Upload, and wait if asked."""

    about: ClassVar = Message(
        "Upload a release (csv, csv.gz or zip). Every broken rule is listed at once, with exit "
        "code 1. --wait waits for its score; --publish then chooses it for publication."
    )
    examples: ClassVar = ("tokumei contest submit A.csv --label 'k = 5' --wait --server URL",)

    file: Path = option("the release", positional=True)
    server: str = server_option()
    link: Path | None = link_option(default=None)
    label: str = label_option(default="")
    wait: bool = wait_option(default=False)
    publish: bool = option("choose it for publication once it is scored", default=False)
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
        "List the published releases and the attempts left on each; --out saves their files S."
    )
    examples: ClassVar = ("tokumei contest targets --out targets --server URL",)

    server: str = server_option()
    out: Path | None = option("folder for the files S", default=None)
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
        return Message("your own").show()
    left, best = target["attempts_left"], format_attack_result(target["best"])
    if not best:
        return Message("{count} attempt left", plural="{count} attempts left", count=left).show()
    return Message(
        "{count} attempt left; best so far {best}",
        plural="{count} attempts left; best so far {best}",
        count=left,
        best=best,
    ).show()


@dataclass(frozen=True, kw_only=True)
class SubmitGuesses(PrintingCommand):
    """Upload guesses, and wait if asked."""

    about: ClassVar = Message(
        "Upload guesses on a target: one file or zip, or all guess files. Exit code 1 if they "
        "break rules."
    )
    examples: ClassVar = (
        "tokumei contest attack 4kq7… F25.csv F50.csv F75.csv F100.csv --server URL",
    )

    target: str = option("the target's id", positional=True)
    files: list[Path] = option("guess files or a zip", positional=True)
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
        reason = translate_system_error(error)
        raise OutputError("{file}: {reason}", file=path, reason=reason) from None
