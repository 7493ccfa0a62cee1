"""`tokumei contest check`: what the server's judge would say, at home."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.cli.contest.remote import json_told, note
from tokumei.cli.contest.submit import link_option
from tokumei.cli.options import PrintingCommand, told
from tokumei.core.ask import option
from tokumei.core.errors import FAULTS_SHOWN, UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.contest.judge.contest_judge import ContestJudge, HomeJudge
    from tokumei.contest.judge.protocol import Upload, Verdict


PARTS = ("utility", "scaled", "safety", "reid_all", "reid_active", "reid_pairs")


@dataclass(frozen=True, kw_only=True)
class CheckContest(PrintingCommand):
    """Check as the server does."""

    about: ClassVar = Text(
        "Check and score a release, or a guess of a published one, exactly as the server "
        "does. Without --release and --guess: check the contest itself. Exit code 1 if a rule "
        "is broken.",
        "匿名加工データ、または公開データへの推定を、サーバーとまったく同じように検査・"
        "採点します。--release も --guess もなければコンテスト自体を検査します。"
        "規則に違反していれば終了コード 1。",
    )
    examples: ClassVar = (
        "tokumei contest check spring --release A.csv",
        "tokumei contest check spring --guess guess.zip --public S.csv --secret F.csv",
    )

    contest: str = option("folder or contest.yaml", "フォルダか contest.yaml", positional=True)
    release: str | None = option("release to upload", "提出する匿名加工データ", default=None)
    link: Path | None = link_option(default=None)
    guess: str | None = option("guess to upload", "提出する推定", default=None)
    public: str | None = option(
        "the published file; with --release: written there",
        "公開ファイル。--release のときは出力先",
        default=None,
    )
    secret: str | None = option(
        "the truth, to score a guess; with --release: written there",
        "推定を採点するための正解。--release のときは出力先",
        default=None,
    )
    rules_only: bool = option("no scores", "採点しない", default=False)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.cli.console import show_progress
        from tokumei.contest.judge.contest_judge import judge_at_home

        if self.release is not None and self.guess is not None:
            raise UsageError(
                "give --release or --guess", "--release か --guess の一方を指定してください"
            )
        show_progress()
        home = judge_at_home(self.contest, guess=self.release is None)
        judge = home.judge
        if home.remark is not None:
            note(*home.remark)
        if self.guess is not None:
            verdict = _guess_verdict(judge, self.guess, self.public, self.secret, self.rules_only)
        elif self.release is not None:
            verdict = _release_verdict(
                judge, _release(self.release, self.link), self.public, self.secret, self.rules_only
            )
        else:
            _tell_contest(home, as_json)
            return 0
        if not json_told(as_json, _verdict_json(verdict, self.guess is not None) | _withheld(home)):
            _show_verdict(verdict, self.guess is not None)
        return 0 if verdict.accepted else 1


def _withheld(home: HomeJudge) -> dict[str, Any]:
    return {"withheld": list(home.withheld)} if home.withheld else {}


def _tell_contest(home: HomeJudge, json: bool) -> None:
    judge = home.judge
    version = None if home.withheld else judge.version
    found = {"ok": True, "slug": judge.contest.slug, "version": version}
    if json_told(json, found | _withheld(home)):
        return
    over = sum(phase.ends <= datetime.now(UTC) for phase in judge.contest.phases)
    if over:
        note(f"{over} phase(s) are over already", f"すでに終わった期間が {over} 個あります")
    title, files = judge.contest.title.text.show(), ", ".join(judge.guess_files())
    print(
        told(
            f"{title}: ready to judge. A guess consists of {files}",
            f"{title}: 採点できます。推定のファイル: {files}",
        )
    )


def _release_verdict(
    judge: ContestJudge, upload: Upload, public: str | None, secret: str | None, rules_only: bool
) -> Verdict:
    if rules_only:
        return judge.check(upload)
    verdict = judge.judge(upload)
    _write({public: verdict.public, secret: verdict.truth}, secret)
    return verdict


def _guess_verdict(
    judge: ContestJudge, guess: str, public: str | None, secret: str | None, rules_only: bool
) -> Verdict:
    if public is None:
        raise UsageError("--guess needs --public", "--guess には --public が必要です")
    seen, upload = _bytes(public), _upload(guess)
    if secret is None or rules_only:
        return judge.check_guess(seen, upload)
    return judge.score(seen, _bytes(secret), upload)


def _release(path: str, link: Path | None) -> Upload:
    from tokumei.contest.client.local import zip_of_release
    from tokumei.contest.judge.protocol import Upload

    return Upload(*zip_of_release(Path(path), link))


def _upload(path: str) -> Upload:
    from tokumei.contest.judge.protocol import Upload

    return Upload(Path(path).name, _bytes(path))


def _bytes(path: str) -> bytes:
    from tokumei.files.containers import reading

    with reading(path):
        return Path(path).read_bytes()


def _write(files: dict[str | None, bytes | None], secret: str | None) -> None:
    from tokumei.files.atomic import write_all
    from tokumei.files.writing import bytes_output

    outputs = [
        bytes_output(content, path, secret=path == secret)
        for path, content in files.items()
        if path is not None and content is not None
    ]
    write_all(outputs)


def _verdict_json(verdict: Verdict, guess: bool) -> dict[str, Any]:
    """`ok`, `total` and `faults` as all checks have them; then the `card`, or what was `found`."""
    faults = [fault.as_json() for fault in verdict.faults]
    plain = {"ok": verdict.accepted, "total": verdict.total, "faults": faults}
    if verdict.card is None:
        return plain
    card = verdict.card.as_json()
    found = {"value": card["safety"], "unsafe": card["unsafe"], "figures": card["figures"]}
    return plain | ({"found": found} if guess else {"card": card})


def _show_verdict(verdict: Verdict, guess: bool) -> None:
    """The first faults and their number, or the figures."""
    from tokumei.cli.console import print_table

    for fault in verdict.faults[:FAULTS_SHOWN]:
        print(f"{fault.rule}: {fault.message.show()}")
    if verdict.total:
        print(told(f"{verdict.total} fault(s)", f"違反 {verdict.total} 件"))
        return
    print(told("No rule is broken.", "規則違反はありません。"))
    plain = _verdict_json(verdict, guess)
    if rows := [*_rows(plain.get("found" if guess else "card", {}))]:
        title = Text("Figures (lower is better)", "成績 (小さいほど良い)")
        shown = Text("Figures", "成績") if guess else title
        print_table(shown, ["", told("value", "値")], rows)


def _rows(card: Mapping[str, Any]) -> Iterator[list[str]]:
    for name, value in card.items():
        if name != "figures":
            yield [name, _said(value)]
    for part in PARTS:
        for name, value in card.get("figures", {}).get(part, {}).items():
            yield [f"{part}: {name}", _said(value)]


def _said(value: Any) -> str:
    """A figure; of several (one for each knowledge) their mean."""
    if isinstance(value, Mapping):
        return _said(fmean(value.values()))
    if value is None:
        return "–"
    if isinstance(value, bool):
        return told("yes", "はい") if value else told("no", "いいえ")
    return f"{value:.6g}"
