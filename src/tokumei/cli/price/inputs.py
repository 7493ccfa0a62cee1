"""Options and files that the price commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tokumei.cli.options import pairs, split
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    import polars as pl

    from tokumei.price.dictionary import PriceList
    from tokumei.price.question import Question
    from tokumei.price.session import PriceSession


MANY = 1_000_000
"""Recodings that are proven soon."""


def _help(en: str, ja: str) -> str:
    return Text(en, ja).show()


Data = Annotated[str, typer.Option(help=_help("the table", "元の表"))]
Patterns = Annotated[
    str,
    typer.Option(
        help=_help(
            "price list: CSV attribute,pattern,value,word,price",
            "価格表: CSV attribute,pattern,value,word,price",
        )
    ),
]
KeywordFile = Annotated[
    str | None,
    typer.Option(
        help=_help(
            "keyword planner export whose prices are used",
            "キーワードプランナーの出力 (価格を使う)",
        )
    ),
]
Synonyms = Annotated[
    str | None,
    typer.Option(help=_help("CSV word,keyword", "同義語: CSV word,keyword")),
]
Currency = Annotated[
    str | None, typer.Option(help=_help("currency of the prices, e.g. JPY", "通貨 (例 JPY)"))
]
Date = Annotated[
    str | None, typer.Option(help=_help("day of the prices: 2026-11-16", "価格の日付"))
]
PriceColumns = Annotated[
    str | None,
    typer.Option(help=_help("only these attributes: a,b", "この属性だけ: a,b")),
]
K = Annotated[int, typer.Option(min=1, help=_help("people per group", "グループの最小人数"))]
Ks = Annotated[str, typer.Option(help="2-20, 2,3,6")]
Suppression = Annotated[
    float,
    typer.Option(help=_help("share of rows that may be left out", "除いてよい行の割合")),
]
Least = Annotated[
    list[str] | None,
    typer.Option(help=_help("value to keep: attribute=value", "残す価値: 属性=金額")),
]
Stay = Annotated[
    str | None, typer.Option(help=_help("attributes to keep: a,b", "消さない属性: a,b"))
]
Go = Annotated[str | None, typer.Option(help=_help("attributes to delete: a,b", "消す属性: a,b"))]
Best = Annotated[int, typer.Option(min=1, help=_help("how many answers", "答えの数"))]
Seconds = Annotated[
    float | None,
    typer.Option(
        help=_help("then give the best so far", "この秒数で打ち切り、それまでの最良の解を返す")
    ),
]
CutOff = Annotated[
    float,
    typer.Option(help=_help("leave out patterns worth less", "これ未満の価値のパターンを省く")),
]


def read_prices(
    patterns: str,
    *,
    keywords: str | None = None,
    synonyms: str | None = None,
    currency: str | None = None,
    date: str | None = None,
    encoding: str = "auto",
) -> PriceList:
    """The price list, with the prices of a keyword export if there is one."""
    from tokumei.price.dictionary import PriceList
    from tokumei.price.keywords import read_keywords
    from tokumei.price.price_files import read_synonyms

    found = PriceList.read(patterns, currency=currency, date=date, encoding=encoding)
    if keywords is None:
        if synonyms is not None:
            raise UsageError("--synonyms needs --keywords", "--synonyms には --keywords が必要です")
        return found
    named = None if synonyms is None else read_synonyms(synonyms, encoding=encoding)
    prices = read_keywords(keywords, currency=currency, date=date, encoding=encoding)
    return found.with_prices(prices, synonyms=named)


def open_session(
    data: str,
    patterns: str,
    *,
    columns: str | None,
    sep: str | None,
    encoding: str,
    **prices: str | None,
) -> PriceSession:
    """The people of a file under a price list; options of `read_prices` go on to it."""
    from tokumei.price.session import PriceSession

    found = read_prices(patterns, encoding=encoding, **prices)
    people = read_people(data, sep=sep, encoding=encoding)
    return PriceSession(people, found, columns=split(columns))


def read_people(data: str, *, sep: str | None, encoding: str) -> pl.DataFrame:
    """The rows, text as codes."""
    from tokumei.tables.data.reading import read_table

    return read_table(data, qi=[], sa=[], ids=[], sep=sep, encoding=encoding, compact=True).frame


def question_of(
    k: int,
    *,
    suppression: float = 0.0,
    least: list[str] | None = None,
    stay: str | None = None,
    go: str | None = None,
    best: int = 1,
    seconds: float | None = None,
    cut_off: float = 0.0,
) -> Question:
    """The question that the options ask."""
    from tokumei.price.question import Question

    return Question(
        k=k,
        suppression=suppression,
        least={name: _money(name, amount) for name, amount in pairs(least).items()},
        stay=tuple(split(stay) or ()),
        go=tuple(split(go) or ()),
        best=best,
        seconds=seconds,
        cut_off=cut_off,
    )


def tell_unpriced(prices: PriceList, most: int = 10) -> None:
    """Say which words have no price."""
    from tokumei.cli.console import note

    words = [f"{attribute}: {word}" for attribute, word in prices.unpriced]
    if words:
        shown = ", ".join(words[:most]) + (" …" if len(words) > most else "")
        note(
            Text(
                f"{len(words)} words without a price count as 0: {shown}",
                f"価格のない語 {len(words)} 個は 0 とします: {shown}",
            )
        )


def warn_of_many(session: PriceSession, seconds: float | None) -> None:
    """Say so if a search without a time budget may take long."""
    from tokumei.cli.console import note
    from tokumei.price.tables import candidates

    found = candidates(session.problem())
    if seconds is None and found > MANY:
        note(
            Text(
                f"{found:,} recodings to choose from; --seconds 10 gives the best found by then",
                f"加工の候補が {found:,} 通りあります。--seconds 10 でその時点の最良を返します",
            )
        )


def _money(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(
            f"--least {name}={text}: not a number", f"--least {name}={text}: 数ではありません"
        ) from None
