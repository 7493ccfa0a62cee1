"""`tokumei categories`: put items into categories, and see how many each holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tokumei.cli.options import Columns, Encoding, Format, HistoryFormat, Json, Seed, Sep
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.histories.categories.categories import Categories
    from tokumei.histories.data.history import History

EXAMPLE = (
    "tokumei categories --format pws2018 --data T.csv --items items.csv --by keywords "
    "--out categories.csv"
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "Put every item of a history into a category and write the mapping (item,category), "
            "which a person can edit and `sweep --categories` takes. --by: keywords (of the item "
            "descriptions, 19 built-in categories), prefix:N (first N characters of the code), "
            f"co-purchase:N (N groups bought by the same people).\n\nExample:  {EXAMPLE}",
            "商品をカテゴリーに分け、対応表 (item,category) を書き出します。人が編集でき、"
            "`sweep --categories` で使えます。--by: keywords (商品名から組み込みの 19 分類)、"
            "prefix:N (コードの先頭 N 文字)、co-purchase:N (同じ人が買う N 群)。\n\n"
            f"例:  {EXAMPLE}",
        ).show()
    )(categories)


def categories(
    data: Annotated[str, typer.Option(help=Text("the history", "履歴").show())],
    by: Annotated[
        str,
        typer.Option(help=Text("keywords, prefix:N, co-purchase:N", "分け方").show()),
    ] = "keywords",
    format: HistoryFormat = Format.pws2018,
    items: Annotated[
        str | None,
        typer.Option(help=Text("item descriptions", "商品名のファイル").show()),
    ] = None,
    rules: Annotated[
        str | None, typer.Option(help=Text("own keyword rules (YAML)", "独自の規則 (YAML)").show())
    ] = None,
    out: Annotated[
        str | None, typer.Option(help=Text("mapping to write", "対応表の出力先").show())
    ] = None,
    columns: Columns = None,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Categorize the items of a history."""
    from tokumei.cli.console import print_json, print_table
    from tokumei.cli.inputs import source_history
    from tokumei.core.options import spare_sources
    from tokumei.histories.categories.mapping_file import write_categories

    spare_sources((data, items, rules), [out])
    history = source_history(data, format, columns=columns, sep=sep, encoding=encoding)
    found = categories_for(history, by, items=items, rules=rules, seed=seed)
    assert found is not None
    if out is not None:
        write_categories(found, out)
    sizes = found.sizes()
    if json:
        print_json({"by": found.name, "items": len(found.of), "categories": sizes, "out": out})
        return
    total = sum(sizes.values())
    rows = [[name, str(size), f"{size / total:.1%}"] for name, size in sizes.items()]
    names = [Text("category", "カテゴリー"), Text("items", "商品数"), Text("share", "割合")]
    print_table(Text("Categories", "カテゴリー"), [name.show() for name in names], rows)


def categories_for(
    history: History,
    by: str | None,
    *,
    items: str | None = None,
    rules: str | None = None,
    seed: int | None = None,
) -> Categories | None:
    """The categories an option names; None if it is not given."""
    if by is None:
        return None
    from tokumei.core.text import current_language
    from tokumei.histories.categories.choose import choose_categories
    from tokumei.histories.data.item_descriptions import read_descriptions

    known = None if items is None else read_descriptions(items)
    language = current_language()
    return choose_categories(history, by, items=known, rules=rules, language=language, seed=seed)
