"""`tokumei contest check`: runs the server's judge on local files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.apps.cli.contest.common import count_faults, print_json_if, print_note
from tokumei.apps.cli.contest.submit import link_option
from tokumei.apps.cli.printing_command import PrintingCommand
from tokumei.core.command import option
from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, UsageError
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message, join_messages

if TYPE_CHECKING:
    from tokumei.apps.contest.judge.contest_judge import ContestJudge, HomeJudge
    from tokumei.apps.contest.judge.results import JudgeVerdict, Upload


FIGURE_GROUPS = ("utility", "scaled", "safety", "reid_all", "reid_active", "reid_pairs")


@dataclass(frozen=True, kw_only=True)
class CheckSubmission(PrintingCommand):
    """Check as the server does."""

    about: ClassVar = Message(
        "Check and score a release, or a guess of a published one, exactly as the server does. "
        "Without --release and --guess: check the contest itself. Exit code 1 if a rule is broken."
    )
    examples: ClassVar = (
        "tokumei contest check spring --release A.csv",
        "tokumei contest check spring --guess guess.zip --public S.csv --secret F.csv",
    )

    contest: str = option("folder or contest.yaml", positional=True)
    release: str | None = option("release to upload", default=None)
    link: Path | None = link_option(default=None)
    guess: str | None = option("guess to upload", default=None)
    public: str | None = option("the published file; with --release: written there", default=None)
    secret: str | None = option(
        "the truth, to score a guess; with --release: written there", default=None
    )
    rules_only: bool = option("no scores", default=False)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.apps.cli.console import show_progress
        from tokumei.apps.contest.judge.contest_judge import load_home_judge

        if self.release is not None and self.guess is not None:
            raise UsageError("give --release or --guess")
        show_progress()
        home_judge = load_home_judge(self.contest, guess=self.release is None)
        judge = home_judge.judge
        if home_judge.withheld_note is not None:
            print_note(home_judge.withheld_note)
        if self.guess is not None:
            verdict = _judge_guess(judge, self.guess, self.public, self.secret, self.rules_only)
        elif self.release is not None:
            verdict = _judge_release(
                judge,
                _read_release_upload(self.release, self.link),
                self.public,
                self.secret,
                self.rules_only,
            )
        else:
            _print_contest_ready(home_judge, as_json)
            return 0
        if not print_json_if(
            as_json, _verdict_to_json(verdict, self.guess is not None) | _withheld_json(home_judge)
        ):
            _print_verdict(verdict, self.guess is not None)
        return 0 if verdict.accepted else 1


def _withheld_json(home_judge: HomeJudge) -> JsonObject:
    return {"withheld": list(home_judge.withheld)} if home_judge.withheld else {}


def _print_contest_ready(home_judge: HomeJudge, json: bool) -> None:
    judge = home_judge.judge
    version = None if home_judge.withheld else judge.version
    summary: JsonObject = {"ok": True, "slug": judge.contest.slug, "version": version}
    if print_json_if(json, summary | _withheld_json(home_judge)):
        return
    finished_phases = sum(phase.ends <= datetime.now(UTC) for phase in judge.contest.phases)
    if finished_phases:
        print_note(
            Message(
                "{count} phase is over already",
                plural="{count} phases are over already",
                count=finished_phases,
            )
        )
    print(
        Message(
            "{title}: ready to judge. A guess consists of {files}",
            title=judge.contest.title.text,
            files=join_messages(judge.guess_files()),
        )
    )


def _judge_release(
    judge: ContestJudge, upload: Upload, public: str | None, secret: str | None, rules_only: bool
) -> JudgeVerdict:
    if rules_only:
        return judge.check(upload)
    verdict = judge.judge(upload)
    _write_outputs({public: verdict.public, secret: verdict.truth}, secret)
    return verdict


def _judge_guess(
    judge: ContestJudge, guess: str, public: str | None, secret: str | None, rules_only: bool
) -> JudgeVerdict:
    if public is None:
        raise UsageError("--guess needs --public")
    public_bytes, upload = _read_bytes(public), _read_upload(guess)
    if secret is None or rules_only:
        return judge.check_guess(public_bytes, upload)
    return judge.score(public_bytes, _read_bytes(secret), upload)


def _read_release_upload(path: str, link: Path | None) -> Upload:
    from tokumei.apps.contest.client.local_files import pack_release
    from tokumei.apps.contest.judge.results import Upload

    return Upload(*pack_release(Path(path), link))


def _read_upload(path: str) -> Upload:
    from tokumei.apps.contest.judge.results import Upload

    return Upload(Path(path).name, _read_bytes(path))


def _read_bytes(path: str) -> bytes:
    from tokumei.files.file_formats import translate_read_errors

    with translate_read_errors(path):
        return Path(path).read_bytes()


def _write_outputs(files: dict[str | None, bytes | None], secret: str | None) -> None:
    from tokumei.files.atomic_write import write_all
    from tokumei.files.writing import bytes_output

    outputs = [
        bytes_output(content, path, secret=path == secret)
        for path, content in files.items()
        if path is not None and content is not None
    ]
    write_all(outputs)


def _verdict_to_json(verdict: JudgeVerdict, guess: bool) -> JsonObject:
    """`ok`, `total` and `faults` as all checks have them; then the `card`, or what was `found`."""
    faults = [fault.as_json() for fault in verdict.faults]
    summary: JsonObject = {"ok": verdict.accepted, "total": verdict.total, "faults": [*faults]}
    if verdict.card is None:
        return summary
    card = verdict.card.as_json()
    attack_result: JsonObject = {
        "value": card["safety"],
        "unsafe": card["unsafe"],
        "figures": card["figures"],
    }
    return summary | ({"found": attack_result} if guess else {"card": card})


def _print_verdict(verdict: JudgeVerdict, guess: bool) -> None:
    """The first faults and their number, or the figures."""
    from tokumei.apps.cli.console import print_table

    for fault in verdict.faults[:MAX_SHOWN_VIOLATIONS]:
        print(f"{fault.rule}: {fault.message}")
    if verdict.total:
        print(count_faults(verdict.total))
        return
    print(Message("No rule is broken."))
    verdict_json = _verdict_to_json(verdict, guess)
    if rows := [*_figure_rows(verdict_json.get("found" if guess else "card", {}))]:
        title = Message("Figures (lower is better)")
        table_title = Message("Figures", context="scores") if guess else title
        print_table(table_title, ["", Message("value").show()], rows)


def _figure_rows(card: Any) -> Iterator[list[str]]:
    for name, value in card.items():
        if name != "figures":
            yield [name, _format_figure(value)]
    for part in FIGURE_GROUPS:
        for name, value in card.get("figures", {}).get(part, {}).items():
            yield [f"{part}: {name}", _format_figure(value)]


def _format_figure(value: Any) -> str:
    """A figure; of several (one for each knowledge) their mean."""
    if isinstance(value, Mapping):
        return _format_figure(fmean(value.values()))
    if value is None:
        return "–"
    if isinstance(value, bool):
        return Message("yes" if value else "no").show()
    return f"{value:.6g}"
