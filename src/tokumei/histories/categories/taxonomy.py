"""The built-in categories, Japanese and English.

category_named("kitchenware")        # Text("kitchenware", "キッチン用品")
UNKNOWN.ja                           # "不明": nothing in the description tells
OTHER.ja                             # "その他": what is no ordinary product, such as postage
"""

from __future__ import annotations

from tokumei.core.text import Language, Text

UNKNOWN = Text("unknown", "不明")
OTHER = Text("other", "その他")

TAXONOMY = (
    Text("general goods", "雑貨"),
    Text("kitchenware", "キッチン用品"),
    Text("decorations", "装飾品"),
    Text("clothing", "衣類"),
    Text("furniture", "家具"),
    Text("stationery", "文具"),
    Text("children's", "子供用"),
    Text("gardening", "ガーデニング用品"),
    Text("household", "生活用品"),
    Text("handicrafts", "手芸品"),
    UNKNOWN,
    Text("bath", "バス用品"),
    Text("pets", "ペット用品"),
    Text("laundry", "ランドリー用品"),
    Text("first aid", "応急用品"),
    OTHER,
    Text("cosmetics", "化粧品"),
    Text("sports", "スポーツ用品"),
    Text("musical instruments", "楽器"),
)

_BY_NAME = {name.casefold(): category for category in TAXONOMY for name in category}


def category_named(name: str) -> Text | None:
    """The built-in category of a name in either language, if there is one."""
    return _BY_NAME.get(name.strip().casefold())


def display_name(name: str, language: Language) -> str:
    """A built-in category in `language`; any other name as it is."""
    category = category_named(name)
    return category.show(language) if category else name
