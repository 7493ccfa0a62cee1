"""`tokumei contest check`: what the server's judge would say, at home."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from tokumei.cli.options import Json
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.contest.judge.at_home import HomeJudge
    from tokumei.contest.judge.protocol import GuessVerdict, Judge, Verdict

EXAMPLE = "tokumei contest check spring --release A.csv"
GUESS = "tokumei contest check spring --guess guess.zip --public S.csv --secret F.csv"


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command(
        name="check",
        help=Text(
            "Check and score a release, or a guess of a published one, exactly as the server "
            "does. Without --release and --guess: check the contest itself. Exit code 1 if a rule "
            f"is broken.\n\nExample:  {EXAMPLE}\n\nGuess:  {GUESS}",
            "匿名加工データ、または公開データへの推定を、サーバーとまったく同じように検査・"
            "採点します。--release も --guess もなければコンテスト自体を検査します。"
            f"規則に違反していれば終了コード 1。\n\n例:  {EXAMPLE}\n\n推定:  {GUESS}",
        ).show(),
    )(check)


def check(
    contest: Annotated[
        str, typer.Argument(help=Text("folder or contest.yaml", "フォルダか contest.yaml").show())
    ],
    release: Annotated[
        str | None,
        typer.Option(help=Text("release to upload", "提出する匿名加工データ").show()),
    ] = None,
    guess: Annotated[
        str | None, typer.Option(help=Text("guess to upload", "提出する推定").show())
    ] = None,
    public: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "the published file; with --release: written there",
                "公開ファイル。--release のときは出力先",
            ).show()
        ),
    ] = None,
    secret: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "the truth, to score a guess; with --release: written there",
                "推定を採点するための正解。--release のときは出力先",
            ).show()
        ),
    ] = None,
    rules_only: Annotated[
        bool, typer.Option("--rules-only", help=Text("no scores", "採点しない").show())
    ] = False,
    json: Json = False,
) -> None:
    """Check as the server does."""
    from tokumei.cli.console import note, print_json, show_progress
    from tokumei.cli.contest.verdict import show_verdict, verdict_json
    from tokumei.contest.judge.at_home import judge_at_home

    if release is not None and guess is not None:
        raise UsageError(
            "give --release or --guess", "--release か --guess の一方を指定してください"
        )
    show_progress()
    home = judge_at_home(contest, guess=release is None)
    judge = home.judge
    if home.remark is not None:
        note(home.remark)
    if guess is not None:
        verdict: GuessVerdict | Verdict = _guess_verdict(judge, guess, public, secret, rules_only)
    elif release is not None:
        verdict = _release_verdict(judge, release, public, secret, rules_only)
    else:
        _tell_contest(home, json)
        return
    if json:
        print_json(verdict_json(verdict) | _withheld(home))
    else:
        show_verdict(verdict)
    raise typer.Exit(0 if verdict.accepted else 1)


def _withheld(home: HomeJudge) -> dict[str, Any]:
    return {"withheld": list(home.withheld)} if home.withheld else {}


def _tell_contest(home: HomeJudge, json: bool) -> None:
    from tokumei.cli.console import print_json

    judge = home.judge
    if json:
        version = None if home.withheld else judge.version
        found = {"ok": True, "slug": judge.contest.slug, "version": version}
        print_json(found | _withheld(home))
        return
    title, files = judge.contest.title.text.show(), ", ".join(judge.guess_files())
    told = Text(
        f"{title}: ready to judge. A guess consists of {files}",
        f"{title}: 採点できます。推定のファイル: {files}",
    )
    print(told.show())


def _release_verdict(
    judge: Judge, release: str, public: str | None, secret: str | None, rules_only: bool
) -> Verdict:
    upload = _upload(release)
    if rules_only:
        return judge.check(upload)
    verdict = judge.judge(upload)
    _write({public: verdict.public, secret: verdict.truth}, secret)
    return verdict


def _guess_verdict(
    judge: Judge, guess: str, public: str | None, secret: str | None, rules_only: bool
) -> GuessVerdict:
    if public is None:
        raise UsageError("--guess needs --public", "--guess には --public が必要です")
    seen, upload = _bytes(public), _upload(guess)
    if secret is None or rules_only:
        return judge.check_guess(seen, upload)
    return judge.score(seen, _bytes(secret), upload)


def _upload(path: str) -> Any:
    from tokumei.contest.judge.protocol import Upload

    return Upload(Path(path).name, _bytes(path))


def _bytes(path: str) -> bytes:
    from tokumei.files.containers import reading

    with reading(path):
        return Path(path).read_bytes()


def _write(files: dict[str | None, bytes | None], secret: str | None) -> None:
    from tokumei.files.atomic import Output, write_all

    outputs = []
    for path, content in files.items():
        if path is not None and content is not None:
            outputs.append(Output(path, partial(_put, content), path == secret))
    write_all(outputs)


def _put(content: bytes, stream: BinaryIO) -> None:
    stream.write(content)
