"""Options that several commands on tables share."""

from __future__ import annotations

from typing import Any

from tokumei.core.ask import option


def qi_option() -> Any:
    """The quasi-identifiers."""
    return option("quasi-identifiers: a,b,c", "準識別子の列: a,b,c", default=None)


def sa_option() -> Any:
    """The sensitive columns."""
    return option("sensitive columns: x,y", "機密属性の列: x,y", default=None)


def kind_option() -> Any:
    """How columns are read."""
    return option(
        "read a column as integer, real, date or category: industry=category",
        "列の読み方 (integer, real, date, category): industry=category",
        default={},
    )


def truth_option() -> Any:
    """The link between released and original rows."""
    return option(
        "the link: CSV released,original (default: row i comes from row i)",
        "対応表 CSV released,original (既定は i 行目どうし)",
        default=None,
    )


def cross_option() -> Any:
    """The columns of the cross table."""
    return option(
        "columns of the cross table (default: the first six QI)",
        "クロス集計の列 (既定は最初の 6 つの準識別子)",
        default=None,
    )


def hierarchies_option(en: str, ja: str) -> Any:
    """Where hierarchies are; `en` and `ja` say what for."""
    return option(en, ja, default=None)
