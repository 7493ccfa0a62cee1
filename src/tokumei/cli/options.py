"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from tokumei.core.errors import UsageError
from tokumei.core.text import Text


class Format(StrEnum):
    """File formats: a table or history with a header, contest files, UCI Online Retail."""

    table = "table"
    pws2017 = "pws2017"
    pws2018 = "pws2018"
    online_retail = "online-retail"


def _help(en: str, ja: str) -> str:
    return Text(en, ja).show()


def split(names: str | None) -> list[str] | None:
    """`a,b,c` as a list; None stays None (not given)."""
    if names is None:
        return None
    return list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))


def pairs(given: list[str] | None) -> dict[str, str]:
    """Repeated `key=value` options as a mapping."""
    found: dict[str, str] = {}
    for pair in given or []:
        key, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(
                Text(f"key=value is needed, not '{pair}'", f"key=value と書きます ('{pair}')")
            )
        found[key.strip()] = value.strip()
    return found


MOST_VALUES = 1000


def numbers(given: str, option: str) -> list[int]:
    """`2-20`, `2,3,6` or a mixture as a list of whole numbers, each once, in the order given."""
    found: dict[int, None] = {}
    for part in split(given) or []:
        low, dash, high = part.partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()):
            raise UsageError(
                Text(
                    f"{option} {given}: write 2-20 or 2,3,6",
                    f"{option} {given}: 2-20 や 2,3,6 と書きます",
                )
            )
        if int(high or low) - int(low) >= MOST_VALUES:
            raise UsageError(
                Text(
                    f"{option} {given}: at most {MOST_VALUES:,} values",
                    f"{option} {given}: {MOST_VALUES:,} 個までです",
                )
            )
        found |= dict.fromkeys(range(int(low), int(high or low) + 1))
    if not found:
        raise UsageError(Text(f"{option} {given}: no number", f"{option} {given}: 数がありません"))
    return list(found)


def required(value: str | None, option: str, format: Format) -> str:
    """The value of an option that this format needs."""
    if value is None:
        raise UsageError(
            Text(
                f"--format {format.value} needs {option}",
                f"--format {format.value} には {option} が必要です",
            )
        )
    return value


def refuse(format: Format, **options: object) -> None:
    """Fail if an option was given that this format does not use: ignored, it would look heeded."""
    for name, value in options.items():
        if value not in (None, []):
            option = "--" + name.replace("_", "-")
            raise UsageError(
                Text(
                    f"--format {format.value} does not use {option}",
                    f"--format {format.value} では {option} を使いません",
                )
            )


def settings(given: list[str] | None) -> dict[str, object]:
    """`--set key=value` pairs; values as YAML (numbers, true/false, [lists], text)."""
    if not given:
        return {}
    from tokumei.core.yaml_models import load_yaml

    return {key: load_yaml(value, where=f"--set {key}") for key, value in pairs(given).items()}


Json = Annotated[
    bool, typer.Option("--json", help=_help("one JSON document on stdout", "JSON を標準出力へ"))
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0,
        help=_help(
            "make it reproducible (default: the operating system's randomness)",
            "再現可能にする (既定は OS の乱数)",
        ),
    ),
]
Sep = Annotated[
    str | None,
    typer.Option(help=_help("separator (default: found out)", "区切り文字 (既定は自動)")),
]
Encoding = Annotated[
    str, typer.Option(help=_help("text encoding, e.g. cp932", "文字コード (例 cp932)"))
]
Qi = Annotated[
    str | None, typer.Option(help=_help("quasi-identifiers: a,b,c", "準識別子の列: a,b,c"))
]
Sa = Annotated[str | None, typer.Option(help=_help("sensitive columns: x,y", "機密属性の列: x,y"))]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        help=_help(
            "read a column as integer, real, date or category: industry=category",
            "列の種類 (integer, real, date, category): industry=category",
        ),
    ),
]
_ORIGINAL = typer.Option(
    "--original", help=_help("the original table X (or history T)", "元の表 X (履歴 T)")
)
_RELEASED = typer.Option("--release", help=_help("the release Y (or A)", "匿名加工データ Y (A)"))
Original = Annotated[str, _ORIGINAL]
Released = Annotated[str, _RELEASED]
OriginalIfNeeded = Annotated[str | None, _ORIGINAL]
ReleasedIfNeeded = Annotated[str | None, _RELEASED]
Truth = Annotated[
    str | None,
    typer.Option(
        help=_help(
            "the link: CSV released,original (default: row i comes from row i)",
            "対応表 CSV released,original (既定は i 行目どうし)",
        )
    ),
]
Cross = Annotated[
    str | None,
    typer.Option(
        help=_help(
            "columns of the cross table (default: the first six QI)",
            "クロス集計の列 (既定は最初の 6 つの準識別子)",
        )
    ),
]
FormatOption = Annotated[
    Format, typer.Option("--format", help=_help("file format", "ファイル形式"))
]
Master = Annotated[
    str | None, typer.Option(help=_help("pws2017: the customers M", "pws2017: 顧客データ M"))
]
Columns = Annotated[
    str | None,
    typer.Option(
        help=_help(
            "columns of a history: customer=ID,day=Date,item=Code,price=Price,quantity=Qty",
            "履歴の列: customer=ID,day=Date,item=Code,price=Price,quantity=Qty",
        )
    ),
]
HistoryFormat = Annotated[
    Format,
    typer.Option(
        "--format",
        help=_help(
            "pws2018 or pws2017 (contest files without header), table (header, see --columns) or "
            "online-retail",
            "pws2018 と pws2017 (見出しなしの大会形式)、table (見出しあり。--columns 参照)、"
            "online-retail",
        ),
    ),
]
Categories = Annotated[
    str | None,
    typer.Option(
        help=_help(
            "replace items first: mapping file, keywords, prefix:N or co-purchase:N",
            "先に商品を置換: 対応ファイル、keywords、prefix:N、co-purchase:N",
        )
    ),
]
Items = Annotated[
    str | None, typer.Option(help=_help("descriptions of the items", "商品名のファイル"))
]
Keep = Annotated[
    str | None,
    typer.Option(
        help=_help(
            "online-retail: cleaning rules not to apply, e.g. non-product",
            "online-retail: 適用しない規則 (例 non-product)",
        )
    ),
]
