"""`tokumei measure`: what the data is still worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokumei.cli.measure_safety import register_safety
from tokumei.cli.options import (
    Cross,
    Encoding,
    FormatOption,
    Json,
    Kinds,
    OriginalIfNeeded,
    Qi,
    ReleasedIfNeeded,
    Sa,
    Seed,
    Sep,
    Truth,
    refuse,
    required,
    settings,
    split,
)
from tokumei.cli.options import Format as FileFormat
from tokumei.cli.spark_options import (
    CustomersOrCluster,
    Engine,
    EngineOption,
    refuse_with_spark,
)
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.core.registry import Registry
    from tokumei.core.score import Score

EXAMPLE = (
    "tokumei measure utility --original x.csv --release y.csv --qi age,sex --sa income "
    "--truth link.csv"
)

MORE = (
    "tokumei measure utility --original x.csv --release y.csv --qi age,sex --sa income "
    "--measures default,ncp,classification --set classification.target=region"
)


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(
        help=Text("Measure a release.", "匿名加工データを測ります。").show(), no_args_is_help=True
    )
    group.command(
        help=Text(
            "Utility (0 is no loss) and class sizes. With --k, c_avg is relative to that k. More "
            "measures run when named (see `tokumei methods`); all: those that need no --set, and "
            f"those that have it.\n\nExample:  {EXAMPLE}\n\nMore:  {MORE}",
            "有用性 (0 は損失なし) とクラスサイズ。"
            "--k を与えると c_avg はその k に対する値です。ほかの指標は名前を指定すると測ります "
            "(`tokumei methods` を参照)。all は --set が不要か指定済みの指標すべてです。\n\n"
            f"例:  {EXAMPLE}\n\nさらに:  {MORE}",
        ).show()
    )(utility)
    register_safety(group)
    app.add_typer(group, name="measure")


def utility(
    original: OriginalIfNeeded = None,
    release: ReleasedIfNeeded = None,
    format: FormatOption = FileFormat.table,
    qi: Qi = None,
    sa: Sa = None,
    kind: Kinds = None,
    truth: Truth = None,
    cross: Cross = None,
    hierarchies: Annotated[
        str | None,
        typer.Option(
            help=Text(
                "also ncp and prec, by hierarchies: path with {column}, or auto",
                "ncp と prec も: 階層ファイルのパス ({column} を含む) か auto",
            ).show()
        ),
    ] = None,
    categories: Annotated[
        str | None,
        typer.Option(help=Text("pws2018: mapping item,category", "pws2018: 対応表").show()),
    ] = None,
    k: Annotated[int | None, typer.Option(help="k of c_avg", min=1)] = None,
    measures: Annotated[
        str,
        typer.Option(
            help=Text(
                "default, all, or names: default,ncp,query_error",
                "default、all、または名前: default,ncp,query_error",
            ).show()
        ),
    ] = "default",
    set: Annotated[
        list[str] | None,
        typer.Option(
            help=Text(
                "a measure's parameter: classification.target=income",
                "指標のパラメータ: classification.target=income",
            ).show()
        ),
    ] = None,
    master: CustomersOrCluster = None,
    engine: EngineOption = Engine.local,
    as_paper: Annotated[
        bool,
        typer.Option(
            "--as-paper",
            help=Text(
                "pws2017: as the paper's text, not as the judge's programs",
                "pws2017: 審判プログラムではなく論文の定義で測る",
            ).show(),
        ),
    ] = False,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Measure the utility of a release."""
    from tokumei.cli.console import print_json, print_table
    from tokumei.cli.inputs import read_case
    from tokumei.cli.measure_history import history_utility
    from tokumei.tables.hierarchies.choose import choose_hierarchies
    from tokumei.tables.registry import measures as registry
    from tokumei.tables.suite import measure_suite

    original = required(original, "--original", format)
    release = required(release, "--release", format)
    if format is not FileFormat.table:
        tables = {"qi": qi, "sa": sa, "kind": kind, "truth": truth, "cross": cross, "k": k}
        refuse(format, **tables, hierarchies=hierarchies, sep=sep)
        refuse(format, engine=None if engine is Engine.local else engine)
    if format is FileFormat.pws2017:
        refuse(format, categories=categories)
        from tokumei.cli.measure_periods import period_utility
        from tokumei.pseudonyms.registry import measures as period_measures

        period_utility(
            original,
            release,
            master=master,
            measures=measures,
            params=measure_params(settings(set), period_measures),
            as_paper=as_paper,
            encoding=encoding,
            json=json,
        )
        return
    if format is not FileFormat.table:
        refuse(format, master=master)
        history_utility(
            format,
            original,
            release,
            measures="all" if measures == "default" else measures,
            categories=categories,
            encoding=encoding,
            json=json,
        )
        return
    names, params = split(measures) or [], measure_params(settings(set), registry)
    params.setdefault("c_avg", {}).setdefault("k", k)
    if engine is Engine.spark:
        from tokumei.cli.measure_spark import MeasureCommand

        refuse_with_spark(truth=truth)
        where = hierarchies, master, sep, encoding
        scores = MeasureCommand(
            original, release, (qi, sa, cross), kind, names, params, *where
        ).run()
    else:
        refuse(format, master=master)
        case = read_case(
            original,
            release,
            truth=truth,
            qi=qi,
            sa=sa,
            kinds=kind,
            cross=cross,
            sep=sep,
            encoding=encoding,
        )
        if hierarchies is not None:
            chosen = choose_hierarchies(hierarchies, case.original.frame, case.qi)
            names = [*(names or ["default"]), "ncp", "prec"]
            for name in with_hierarchies(names, params):
                params.setdefault(name, {}).setdefault("hierarchies", chosen)
        scores = measure_suite(case, names, params=params)
    if json:
        print_json({name: score.value for name, score in scores.items()})
        return
    rows = [_line(name, registry.get(name), score) for name, score in scores.items()]
    print_table(Text("Measures", "指標"), ["", Text("value", "値").show(), ""], rows)


def measure_params(given: dict[str, Any], registry: Registry[Any]) -> dict[str, dict[str, Any]]:
    """Parameters by measure, from `--set MEASURE.key=value`."""
    found: dict[str, dict[str, Any]] = {}
    for key, value in given.items():
        name, dot, parameter = key.partition(".")
        if not dot:
            raise UsageError(
                Text(
                    f"--set {key}: write MEASURE.key=value",
                    f"--set {key}: 指標.key=value と書きます",
                )
            )
        registry.get(name)
        found.setdefault(name, {})[parameter] = value
    return found


def with_hierarchies(names: list[str], params: dict[str, dict[str, Any]]) -> list[str]:
    """Those of the chosen measures that read cells by hierarchies."""
    import dataclasses

    from tokumei.tables.registry import measures as registry
    from tokumei.tables.suite import chosen_measures

    return [
        name
        for name in chosen_measures(names, params)
        if "hierarchies" in {field.name for field in dataclasses.fields(registry.get(name))}
    ]


def _line(name: str, kind: Any, score: Score) -> list[str]:
    value = f"{score.value:,.6g}"
    if score.low is not None and score.high is not None:
        value += f" ({score.low:,.4g}–{score.high:,.4g})"
    unit = kind.unit.show()
    if score.baseline is not None:
        unit += Text(f"; baseline {score.baseline:,.4g}", f"、基準 {score.baseline:,.4g}").show()
    return [f"{name}  {kind.title.show()}", value, unit]
