"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.core.errors import UsageError
from tokumei.core.text import Text


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
                f"key=value is needed, not '{pair}'", f"key=value と書きます ('{pair}')"
            )
        found[key.strip()] = value.strip()
    return found


Json = Annotated[
    bool, typer.Option("--json", help=_help("one JSON document on stdout", "JSON を標準出力へ"))
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0,
        help=_help(
            "repeat the same draws (default: random, from the operating system)",
            "再現可能にする (既定は OS の乱数)",
        ),
    ),
]
KeyFile = Annotated[
    str | None,
    typer.Option(
        "--key",
        help=_help(
            "repeat the same draws, for publication: a file made by `tokumei key`",
            "同じ乱数を再現する (公開用): `tokumei key` で作った鍵ファイル",
        ),
    ),
]
Sep = Annotated[
    str | None,
    typer.Option(help=_help("separator (default: detected)", "区切り文字 (既定は自動判別)")),
]
Encoding = Annotated[
    str,
    typer.Option(
        help=_help(
            "text encoding, e.g. cp932 (default: detected)", "文字コード (例 cp932。既定は自動判別)"
        )
    ),
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
Truth = Annotated[
    str | None,
    typer.Option(
        help=_help(
            "the link: CSV released,original (default: row i comes from row i)",
            "対応表 CSV released,original (既定は i 行目どうし)",
        )
    ),
]
