"""`tokumei rules`: anonymize for recommendations, and the simulation of the method's paper."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokumei.cli.options import Encoding, Json, Kinds, Qi, Sa, Seed, Sep, pairs, split
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.kernels.mondrian.hierarchical import Choice as ChoiceName


class Choice(StrEnum):
    """How the attribute to keep is chosen."""

    tfidf = "tfidf"
    prec = "prec"
    ncp = "ncp"
    range = "range"


class Ties(StrEnum):
    """Which of equally good attributes is taken."""

    order = "order"
    prec = "prec"


def _help(en: str, ja: str) -> str:
    return Text(en, ja).show()


GROUP = Text(
    "Recommendation rules: keep in the data what recommendations need.",
    "推薦ルール: 情報推薦に必要な属性を残して匿名加工します。",
)
EXAMPLE = (
    "tokumei rules anonymize --data people.csv --qi sex,height --rules rules.yaml "
    "--hierarchy sex=sex --hierarchy height=height --k 2 --out y.csv"
)
ANONYMIZE = Text(
    "k-anonymize a table along hierarchies so that the rules can still be applied; says for how "
    "many people each recommendation rule can be decided.\n\n"
    "A hierarchy is a file, the name of a built-in one, or auto (a proposal from the values).\n\n"
    f"Example:  {EXAMPLE}",
    "推薦ルールを適用できるよう、階層に沿って k-匿名化し、"
    "各ルールを何割の人について判断できるかを示します。\n\n"
    f"階層はファイル、組み込みの名前、または auto (値からの提案) です。\n\n例:  {EXAMPLE}",
)
SIMULATE = Text(
    "The simulation of Arai, Kono and Babaguchi (2015), section 4: 100 random people, k = 2, one "
    "rule at a time; means over many draws.\n\n"
    "Example:  tokumei rules simulate --draws 200 --seed 1",
    "新井・河野・馬場口 (2015) 4 節のシミュレーション: 無作為な 100 人、k = 2、"
    "推薦ルールは一つずつ。多数回の平均を示します。\n\n"
    "例:  tokumei rules simulate --draws 200 --seed 1",
)
HierarchyOf = Annotated[
    list[str] | None,
    typer.Option(
        "--hierarchy",
        help=_help("column=FILE, column=NAME or column=auto", "列=ファイル、列=名前、列=auto"),
    ),
]
TiesOption = Annotated[
    Ties, typer.Option(help=_help("equal scores: attribute order, or Prec", "同点: 属性順か Prec"))
]


def register(app: typer.Typer) -> None:
    """Add the command group."""
    from tokumei.cli.rules_simulate import simulate

    group = typer.Typer(help=GROUP.show(), no_args_is_help=True)
    group.command(help=ANONYMIZE.show())(anonymize)
    group.command(help=SIMULATE.show())(simulate)
    app.add_typer(group, name="rules")


def anonymize(
    data: Annotated[str, typer.Option(help=_help("the table to anonymize", "元の表"))],
    rules: Annotated[str, typer.Option(help=_help("rules: .yaml, .csv", "推薦ルールのファイル"))],
    out: Annotated[str, typer.Option(help=_help("the release to write", "出力ファイル"))],
    method: Annotated[Choice, typer.Option(help=_help("choice of attributes", "属性の選び方"))] = (
        Choice.tfidf
    ),
    k: Annotated[int, typer.Option(help="k")] = 5,
    qi: Qi = None,
    sa: Sa = None,
    id: Annotated[
        str | None, typer.Option(help=_help("identifiers, dropped: a,b", "識別子の列 (削除): a,b"))
    ] = None,
    kind: Kinds = None,
    hierarchies: Annotated[
        str | None, typer.Option(help=_help("a path with {column}, or auto", "{column} 入りのパス"))
    ] = None,
    hierarchy: HierarchyOf = None,
    ties: TiesOption = Ties.order,
    secret: Annotated[
        str | None, typer.Option(help=_help("write the link here (mode 0600)", "対応表の出力先"))
    ] = None,
    keep_order: Annotated[
        bool, typer.Option(help=_help("do not shuffle the rows", "行を並べ替えない"))
    ] = False,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Anonymize a table file so that recommendation rules can be applied."""
    from tokumei.cli.console import note, print_json, show_progress
    from tokumei.cli.rules_report import RulesReport
    from tokumei.core.options import spare_sources
    from tokumei.files.containers import sha256
    from tokumei.files.reading import separator_of
    from tokumei.flow import anonymize, save
    from tokumei.tables.anonymizers.mondrian_hierarchical import HierarchicalMondrian
    from tokumei.tables.ask.inputs import passed_columns, read_source

    show_progress()
    spare_sources([data], [out, f"{out}.manifest.json", secret, f"{secret}.provenance.json"])
    given = _hierarchies(hierarchies, hierarchy)
    source, remarks = read_source(
        data,
        qi=split(qi),
        sa=split(sa),
        ids=split(id),
        kinds=pairs(kind),
        sep=sep,
        encoding=encoding,
    )
    for remark in (*remarks, *passed_columns(source)):
        note(remark)
    choice: ChoiceName = method.value
    made = HierarchicalMondrian(
        k=k,
        hierarchies=given,
        choice=choice,
        rules=rules if method is Choice.tfidf else "",
        ties=ties.value,
    )
    # Rules that cannot be used are told before the work is done, whatever the choice.
    report = RulesReport.of(source, given, rules)
    release = anonymize(source, made, seed=seed, keep_order=keep_order, sha256=sha256(data))
    save(release, out, secret=secret, sep=sep or separator_of(data, encoding=encoding))
    found = report.read(release.public)
    if json:
        print_json({"out": out, "secret": secret, **release.manifest(), **found})
        return
    note(
        Text(
            f"{out}: {release.public.rows} rows; verified: k-anonymity",
            f"{out}: {release.public.rows} 行。検証済み: k-anonymity",
        )
    )
    report.show(found)


def _hierarchies(pattern: str | None, each: list[str] | None) -> str | dict[str, str]:
    if (pattern is None) == (not each):
        raise UsageError(
            "give --hierarchies, or --hierarchy for every QI",
            "--hierarchies か、準識別子ごとの --hierarchy を指定してください",
        )
    return pattern if pattern is not None else pairs(each)


def level_name(level: int, height: int) -> str:
    """`*` for the top, else how many steps above the leaves."""
    return "*" if level == height else str(level)


def level_rows(table: Any, names: list[str], heights: list[int]) -> list[dict[str, Any]]:
    """The paper's result form: level by attribute, and the people who have them."""
    return [
        {
            "levels": dict(zip(names, map(level_name, row.levels, heights), strict=True)),
            "people": row.people,
        }
        for row in table
    ]
