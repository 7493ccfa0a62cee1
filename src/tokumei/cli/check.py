"""`tokumei check`: does a file keep its promise, whoever made it?"""

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
    Sep,
    required,
    split,
)
from tokumei.cli.options import Format as FileFormat
from tokumei.errors import FAULTS_SHOWN
from tokumei.text import Text

EXAMPLE = "tokumei check --format table --release y.csv --qi age,sex --k 5"
HISTORY = "tokumei check --format pws2018 --original T.csv --release A.csv --k 6"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "Recompute k-anonymity (and l-diversity) from a public file made by any tool. "
            f"Exit code 1 if it does not hold.\n\nExample:  {EXAMPLE}\n\nHistories:  {HISTORY}",
            "どのツールで作られた公開ファイルでも k-匿名性 (と l-多様性) を再計算します。"
            f"成り立たなければ終了コード 1。\n\n例:  {EXAMPLE}\n\n履歴:  {HISTORY}",
        ).show()
    )(check)


def check(
    release: ReleasedIfNeeded = None,
    qi: Annotated[
        str | None, typer.Option(help=Text("columns to count: a,b", "数える列: a,b").show())
    ] = None,
    format: FormatOption = FileFormat.table,
    original: OriginalIfNeeded = None,
    public: Annotated[
        str | None, typer.Option(help=Text("pws2018: public file", "pws2018: 公開行").show())
    ] = None,
    guess: Annotated[
        str | None, typer.Option(help=Text("pws2018: lines pid,cid", "pws2018: 推定").show())
    ] = None,
    k: Annotated[int | None, typer.Option(help="k")] = None,
    diversity: Annotated[
        int | None, typer.Option("--l", help=Text("distinct l-diversity", "l-多様性").show())
    ] = None,
    sa: Annotated[
        str | None,
        typer.Option(help=Text("sensitive columns, for --l", "機密属性 (--l 用)").show()),
    ] = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Check a file against a claim."""
    from tokumei.cli.check_history import history_faults
    from tokumei.cli.console import print_json
    from tokumei.data.files.reading import read_frame
    from tokumei.data.table import Table
    from tokumei.flow import check as check_frame

    if format is not FileFormat.table:
        files = {"original": original, "release": release, "public": public, "guess": guess}
        faults = history_faults(format, **files, k=k, encoding=encoding)
    else:
        release = required(release, "--release", format)
        table = Table.of(read_frame(release, sep=sep, encoding=encoding))
        columns, sensitive = split(required(qi, "--qi", format)) or [], split(sa) or []
        table.schema.require([*columns, *sensitive], where=release)
        faults = check_frame(table, qi=columns, k=k, l=diversity, sa=sensitive)
    if json:
        shown = [fault.as_json() for fault in faults[:1000]]
        print_json({"ok": not faults, "total": len(faults), "faults": shown})
    else:
        for fault in faults[:FAULTS_SHOWN]:
            print(fault.message.show())
        total = len(faults)
        print(
            Text(f"{total} fault(s)", f"違反 {total} 件").show()
            if faults
            else Text("The claim holds.", "約束は成り立っています。").show()
        )
    raise typer.Exit(1 if faults else 0)
