"""`tokumei check`: does a file keep its promise, whoever made it?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tokumei.cli.models import (
    Closeness,
    Distinct,
    Models,
    Person,
    asked_claims,
    asked_models,
)
from tokumei.cli.options import (
    Encoding,
    FormatOption,
    Json,
    OriginalIfNeeded,
    ReleasedIfNeeded,
    Seed,
    Sep,
    refuse,
    required,
    split,
)
from tokumei.cli.options import Format as FileFormat
from tokumei.cli.spark_options import CustomersOrCluster, TableEngine, TableEngineOption
from tokumei.core.errors import FAULTS_SHOWN, Fault, UsageError
from tokumei.core.text import Text
from tokumei.files.free_memory import too_large

if TYPE_CHECKING:
    from tokumei.core.release import Claim

EXAMPLE = "tokumei check --format table --release y.csv --qi age,sex --k 5"
HISTORY = "tokumei check --format pws2018 --original T.csv --release A.csv --k 6"
PERIODS = "tokumei check --format pws2017 --original T.csv --master M.csv --release AT.csv"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "Recompute k-anonymity and other privacy models from a public file made by any tool. "
            f"Exit code 1 if it does not hold.\n\nExample:  {EXAMPLE}\n\nHistories:  {HISTORY}\n\n"
            f"Pseudonyms over time:  {PERIODS}",
            "どのツールで作られた公開ファイルでも k-匿名性などのモデルを再計算します。"
            f"成り立たなければ終了コード 1。\n\n例:  {EXAMPLE}\n\n履歴:  {HISTORY}\n\n"
            f"期間ごとの仮名:  {PERIODS}",
        ).show()
    )(check)


def check(
    release: ReleasedIfNeeded = None,
    qi: Annotated[
        str | None, typer.Option(help=Text("columns to count: a,b", "数える列: a,b").show())
    ] = None,
    format: FormatOption = FileFormat.table,
    original: OriginalIfNeeded = None,
    master: CustomersOrCluster = None,
    public: Annotated[
        str | None, typer.Option(help=Text("histories: public file", "履歴: 公開行").show())
    ] = None,
    guess: Annotated[
        list[str] | None,
        typer.Option(help=Text("histories: guess file(s)", "履歴: 推定ファイル").show()),
    ] = None,
    k: Annotated[int | None, typer.Option(help="k")] = None,
    diversity: Distinct = None,
    closeness: Closeness = None,
    model: Models = None,
    person: Person = None,
    sa: Annotated[
        str | None,
        typer.Option(help=Text("columns the models protect", "モデルで守る列").show()),
    ] = None,
    hierarchies: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "t-ordered, t-hierarchical: path of the hierarchies with {column} in it",
                "t-ordered、t-hierarchical: 階層ファイルのパス ({column} を含む)",
            ).show()
        ),
    ] = None,
    engine: TableEngineOption = TableEngine.local,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Check a file against a claim."""
    from tokumei.cli.check_history import history_faults
    from tokumei.cli.console import print_json

    if format is FileFormat.pws2018 and engine is TableEngine.spark:
        faults, total = _histories_on_spark(
            required(public, "--public", format), k, master, original or release or guess
        )
    elif format is not FileFormat.table:
        refuse(format, engine=None if engine is TableEngine.local else engine)
        tables = {"l": diversity, "t": closeness, "model": model, "person": person, "qi": qi}
        refuse(format, **tables, sa=sa, hierarchies=hierarchies, sep=sep)
        refuse(format, **({"k": k} if format is FileFormat.pws2017 else {"master": master}))
        files = {"original": original, "release": release, "public": public, "master": master}
        faults = history_faults(format, **files, guesses=guess or [], k=k, encoding=encoding)
        total = len(faults)
    else:
        refuse(format, original=original, public=public, guess=guess)
        release = required(release, "--release", format)
        columns, sensitive = split(required(qi, "--qi", format)) or [], split(sa) or []
        claims = asked_claims(
            asked_models(model, diversity, closeness),
            qi=columns,
            sensitive=sensitive,
            k=k,
            person=person,
            hierarchies=hierarchies,
        )
        names = [*columns, *sensitive]
        if engine is TableEngine.spark:
            faults, total = _on_spark(release, names, claims, master, sep, encoding)
        else:
            refuse(format, master=master)
            look = _on_disk if engine is TableEngine.stream or too_large(release) else _here
            faults = look(release, names, claims, sep, encoding)
            total = len(faults)
    if json:
        shown = [fault.as_json() for fault in faults[:1000]]
        print_json({"ok": not faults, "total": total, "faults": shown})
    else:
        for fault in faults[:FAULTS_SHOWN]:
            print(fault.message.show())
        print(
            Text(f"{total} fault(s)", f"違反 {total} 件").show()
            if faults
            else Text("The claim holds.", "約束は成り立っています。").show()
        )
    raise typer.Exit(1 if faults else 0)


def _here(
    release: str, names: list[str], claims: list[Claim], sep: str | None, encoding: str
) -> list[Fault]:
    from tokumei.files.reading import read_frame
    from tokumei.tables.data.table import Table
    from tokumei.tables.verify.claims import claim_faults

    table = Table.of(read_frame(release, sep=sep, encoding=encoding))
    table.schema.require(names, where=release)
    return claim_faults(table, claims)


def _on_disk(
    release: str, names: list[str], claims: list[Claim], sep: str | None, encoding: str
) -> list[Fault]:
    from tokumei.tables.engines.stream_files import open_stream
    from tokumei.tables.releasing.counted_method import Roles
    from tokumei.tables.verify.on_disk import streamed_faults

    source = open_stream(release, sep=sep, encoding=encoding)
    Roles(names).schema(source.names, where=release)
    source.require_whole_lines()
    return streamed_faults(source, claims)


def _histories_on_spark(
    public: str, k: int | None, master: str | None, more: object
) -> tuple[list[Fault], int]:
    from tokumei.files.spark.session import spark_session
    from tokumei.histories.spark.files import check_history_on_spark

    if more or k is None:
        raise UsageError(
            Text(
                "--engine spark checks the identical histories of a --public file: give --k, and "
                "neither --original nor --release nor --guess",
                "--engine spark で調べるのは --public の同一履歴です。--k を指定し、"
                "--original・--release・--guess は指定しないでください",
            )
        )
    with spark_session(master) as session:
        found = check_history_on_spark(session, public, k)
    return found.faults, found.total


def _on_spark(
    release: str,
    names: list[str],
    claims: list[Claim],
    master: str | None,
    sep: str | None,
    encoding: str,
) -> tuple[list[Fault], int]:
    from tokumei.files.spark.files import read_spark
    from tokumei.files.spark.session import spark_session
    from tokumei.tables.releasing.spark import check_on_spark

    with spark_session(master) as session:
        table = read_spark(session, release, sep=sep, encoding=encoding)
        found = check_on_spark(table, claims, columns=names)
    return found.faults, found.total
