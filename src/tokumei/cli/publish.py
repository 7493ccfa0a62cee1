"""`tokumei publish`: from a row-aligned release to what attackers see, and the truth."""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.cli.options import (
    Encoding,
    Format,
    HistoryFormat,
    Json,
    Master,
    Seed,
    refuse,
    required,
)
from tokumei.core.text import Text

EXAMPLE = (
    "tokumei publish --format pws2018 --original T.csv --release A.csv --public A1.csv "
    "--secret F.csv"
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "Make the public file (deleted rows gone, sorted as text) and the secret one "
            "(pseudonym,customer; pws2017: customer,p1,…,pL). All rules are checked first; with "
            "--k also that k people share every history. Exit code 1, and nothing written, if one "
            "is broken.\n\n"
            f"Example:  {EXAMPLE}",
            "公開ファイル (削除行なし、文字列順) と秘密の対応 (仮名,顧客。pws2017 では"
            "顧客,p1,…,pL) を作ります。"
            "先にすべての規則を検査し、--k があれば k 人が同じ履歴を持つことも確かめます。"
            f"違反があれば何も書き出さず終了コード 1。\n\n例:  {EXAMPLE}",
        ).show()
    )(publish)


def publish(
    original: Annotated[str, typer.Option(help=Text("the original T", "元の T").show())],
    release: Annotated[str, typer.Option(help=Text("row-aligned A", "行順どおりの A").show())],
    public: Annotated[str, typer.Option(help=Text("public file to write", "公開ファイル").show())],
    secret: Annotated[str, typer.Option(help=Text("truth to write", "対応の出力先").show())],
    format: HistoryFormat = Format.pws2018,
    master: Master = None,
    k: Annotated[int | None, typer.Option(help=Text("verify k", "k を検証").show())] = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Publish a release."""
    from tokumei.cli.anonymize import spare_original
    from tokumei.cli.check_history import contest_only
    from tokumei.cli.console import note, print_json
    from tokumei.histories.contest_files import publish_contest
    from tokumei.pseudonyms.flow import publish_periods

    files = {"public": public, "secret": secret, "encoding": encoding}
    for source in (original, release, master):
        spare_original(source, [public, secret])
    if format is Format.pws2017:
        refuse(format, k=k)
        customers = required(master, "--master", format)
        made = publish_periods(original, release, master=customers, **files)
    else:
        contest_only(format)
        refuse(format, master=master)
        made = publish_contest(original, release, k=k, **files)
    if json:
        print_json({"public": public, "secret": secret, **made})
        return
    note(
        Text(
            f"{public}: {made['rows']:,} rows of {made['people']:,} people",
            f"{public}: {made['people']:,} 人の {made['rows']:,} 行",
        )
    )
