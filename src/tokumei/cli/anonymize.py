"""`tokumei anonymize`: make a release."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei.cli.anonymize_history import HELP, history
from tokumei.cli.method_steps import prepared, steps_of
from tokumei.cli.models import Closeness, Distinct, Models, Person, asked_models
from tokumei.cli.options import Encoding, Json, Kinds, Qi, Sa, Seed, Sep, pairs, settings, split
from tokumei.cli.spark_options import (
    Fragments,
    SparkMaster,
    TableEngine,
    TableEngineOption,
    refuse_for_local,
)
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.files.free_memory import too_large

UNCHANGED = Text(
    "WARNING: the released rows are the original rows, unchanged; whoever knows a row finds it",
    "警告: 公開される行は元の行のままです。元の行を知る人には見つけられます",
)
EXAMPLE = (
    "tokumei anonymize table --data x.csv --qi age,sex --sa income --method mondrian --k 5 "
    "--out y.csv --secret link.csv"
)


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(
        help=Text("Make a release and verify it.", "匿名加工し、検証します。").show(),
        no_args_is_help=True,
    )
    group.command(
        help=Text(
            "Anonymize a table. Nothing is written unless the release proves its claim.\n\n"
            "Methods: see `tokumei methods`. Several, one after the other: --method unify,mondrian "
            "(parameters then as --set unify.columns=[age] --set mondrian.k=5).\n\n"
            f"Example:  {EXAMPLE}",
            "表を匿名加工します。約束を検証できなければ何も書き出しません。\n\n"
            "手法は `tokumei methods` を参照。続けて適用: --method unify,mondrian "
            "(パラメータは --set unify.columns=[age] --set mondrian.k=5)。\n\n"
            f"例:  {EXAMPLE}",
        ).show()
    )(table)
    group.command(help=HELP.show())(history)
    app.add_typer(group, name="anonymize")


def table(
    data: Annotated[str, typer.Option(help=Text("the table to anonymize", "元の表").show())],
    out: Annotated[str, typer.Option(help=Text("the release to write", "出力ファイル").show())],
    method: Annotated[str, typer.Option(help=Text("method name(s)", "手法名").show())] = "mondrian",
    qi: Qi = None,
    sa: Sa = None,
    id: Annotated[
        str | None,
        typer.Option(help=Text("identifiers, dropped: a,b", "識別子の列 (削除): a,b").show()),
    ] = None,
    kind: Kinds = None,
    k: Annotated[int | None, typer.Option(help="k")] = None,
    diversity: Distinct = None,
    closeness: Closeness = None,
    model: Models = None,
    person: Person = None,
    scale: Annotated[
        float | None, typer.Option(help=Text("noise: share of the sd", "ノイズ: 標準偏差比").show())
    ] = None,
    share: Annotated[
        float | None, typer.Option(help=Text("yamaoka, delete: share of rows", "行の割合").show())
    ] = None,
    hierarchies: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "path of the hierarchies with {column} in it, or auto",
                "階層ファイルのパス ({column} を含む) か auto",
            ).show()
        ),
    ] = None,
    effort: Annotated[
        str | None,
        typer.Option(help=Text("local: normal or high", "local: 労力 (normal, high)").show()),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(help=Text("auto: run what fits in them", "auto: 目安の秒数").show()),
    ] = None,
    suppression: Annotated[
        float | None, typer.Option(help=Text("share of rows to suppress", "抑圧の上限").show())
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help=Text("unify, noise: columns", "対象の列").show())
    ] = None,
    set: Annotated[
        list[str] | None,
        typer.Option(help=Text("any parameter: key=value", "任意のパラメータ: key=value").show()),
    ] = None,
    secret: Annotated[
        str | None,
        typer.Option(help=Text("write the link here (mode 0600)", "対応表の出力先").show()),
    ] = None,
    keep_order: Annotated[
        bool, typer.Option(help=Text("do not shuffle the rows", "行を並べ替えない").show())
    ] = False,
    engine: TableEngineOption = TableEngine.local,
    master: SparkMaster = None,
    fragments: Fragments = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Anonymize a table file."""
    from tokumei.cli.console import note, print_json, show_progress
    from tokumei.files.containers import sha256

    show_progress()
    spare_original(data, [out, f"{out}.manifest.json", secret, f"{secret}.provenance.json"])
    conditions = asked_models(model, diversity, closeness)
    given: dict[str, Any] = {
        "k": k,
        "conditions": conditions or None,
        "sensitive": split(sa) if conditions else None,
        "person": person,
        "scale": scale,
        "share": share,
        "columns": split(columns),
        "hierarchies": hierarchies,
        "effort": effort,
        "seconds": seconds,
        "suppression": suppression,
    }
    given = {name: value for name, value in given.items() if value is not None}
    if conditions and sa is not None:
        # The models name these columns to the method; unlike the SA role, they may hold text.
        sa = ""
    if person is not None and (qi, sa, id) != (None, None, None):
        id = f"{id or ''},{person}"
    steps = steps_of(method, given, settings(set))
    if engine is TableEngine.spark:
        from tokumei.cli.anonymize_spark import SparkCommand

        SparkCommand(
            data,
            out,
            steps,
            roles=(qi, sa, id),
            kinds=kind,
            master=master,
            fragments=fragments,
            secret=secret,
            keep_order=keep_order,
            sep=sep,
            encoding=encoding,
            seed=seed,
            json=json,
        ).run()
        return
    refuse_for_local(master=master, fragments=fragments)
    if engine is TableEngine.stream or too_large(data):
        from tokumei.cli.anonymize_stream import StreamCommand

        asked = (data, out, steps, (qi, sa, id), kind, secret, keep_order, sep, encoding)
        StreamCommand(*asked).run(seed=seed, json=json)
        return
    beside = ThreadPoolExecutor(2)
    # A pipe must not have two readers. Before Polars is loaded: until then one core has no work.
    digest = beside.submit(sha256, data) if Path(data).is_file() else None
    from tokumei.files.reading import separator_of
    from tokumei.files.releases import save_release
    from tokumei.tables.ask.inputs import passed_notes, read_source
    from tokumei.tables.data.same_rows import same_rows
    from tokumei.tables.kind import TABLES
    from tokumei.tables.releasing.local import make_release

    ready = beside.submit(prepared, steps)
    beside.shutdown(wait=False)
    roles = {"qi": split(qi), "sa": split(sa), "ids": split(id)}
    source, remarks = read_source(
        data, **roles, kinds=pairs(kind), sep=sep, encoding=encoding, compact=True
    )
    for remark in (*remarks, *passed_notes(source)):
        note(remark)
    release = make_release(
        source,
        ready.result(),
        seed=seed,
        keep_order=keep_order,
        sha256=None if digest is None else digest.result(),
    )
    save_release(
        TABLES, release, out, secret=secret, sep=sep or separator_of(data, encoding=encoding)
    )
    if same_rows(source, release.public):
        note(UNCHANGED)
    for search in release.provenance.searches:
        note(search.note)
    if json:
        print_json({"out": out, "secret": secret, **release.manifest()})
        return
    claims = ", ".join(claim.rule for claim in release.claims) or "–"
    note(
        Text(
            f"{out}: {release.public.rows} of {source.rows} rows; verified: {claims}",
            f"{out}: {source.rows} 行中 {release.public.rows} 行。検証済み: {claims}",
        )
    )


def spare_original(data: str | None, targets: list[str | None]) -> None:
    """Fail if a file to write is the file that was read (None: none was)."""
    original = None if data is None else Path(data).resolve()
    for target in targets:
        if target is not None and Path(target).resolve() == original:
            raise UsageError(
                Text(
                    f"{target} would replace the original; choose another file",
                    f"{target} は元のデータを上書きします。別のファイルにしてください",
                )
            )
