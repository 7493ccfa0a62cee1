"""`tokumei measure safety`: how much of the secret a guess found."""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.cli.options import (
    Encoding,
    FormatOption,
    Json,
    OriginalIfNeeded,
    ReleasedIfNeeded,
    Seed,
    refuse,
    required,
)
from tokumei.cli.options import Format as FileFormat
from tokumei.core.text import Text

SAFETY = "tokumei measure safety --format pws2018 --original T.csv --release A.csv --guess F1.csv"
SAFETY_2017 = "tokumei measure safety --format pws2017 --secret F.csv --guess Fh.csv"


def register_safety(group: typer.Typer) -> None:
    """Add the command."""
    group.command(
        help=Text(
            "How many guesses are right, and whether they show the release to be unsafe (R(n)).\n\n"
            f"Examples:  {SAFETY}\n\n{SAFETY_2017}",
            f"正解数と、安全でないことが示されたか (R(n))。\n\n例:  {SAFETY}\n\n{SAFETY_2017}",
        ).show()
    )(safety)


def safety(
    original: OriginalIfNeeded = None,
    release: ReleasedIfNeeded = None,
    guess: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "lines pid,cid; pws2017: lines cid,p1,…,pL", "pid,cid の行。pws2017 は cid,p1,…,pL"
            ).show()
        ),
    ] = None,
    secret: Annotated[
        str | None,
        typer.Option(help=Text("pws2017: the true table F", "pws2017: 真の仮名表 F").show()),
    ] = None,
    guess_map: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "pws2017, instead of --guess: lines period,pseudonym,customer",
                "pws2017、--guess の代わり: 期間,仮名,顧客 の行",
            ).show()
        ),
    ] = None,
    public: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "pws2017: the public rows S, for reid_rows", "pws2017: 公開行 S (reid_rows 用)"
            ).show()
        ),
    ] = None,
    format: FormatOption = FileFormat.pws2018,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Score a guess."""
    from tokumei.cli.measure_history import history_safety
    from tokumei.cli.measure_periods import period_safety

    if format is FileFormat.pws2017:
        refuse(format, release=release)
        period_safety(
            required(secret, "--secret", format),
            guess=guess,
            guess_map=guess_map,
            public=public,
            original=original,
            encoding=encoding,
            json=json,
        )
        return
    refuse(format, secret=secret, guess_map=guess_map, public=public)
    history_safety(
        format,
        required(original, "--original", format),
        required(release, "--release", format),
        required(guess, "--guess", format),
        encoding=encoding,
        json=json,
    )
