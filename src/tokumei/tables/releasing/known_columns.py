"""Quasi-identifiers of known kinds get a hierarchy without being asked.

    method = with_hierarchies(method, table, sets=(), found=look)

Texts that are postal codes or prefectures, and all texts of more than 20 values, are generalized
along a hierarchy instead of to sets that list them, unless `sets` names the column. Methods that
propose hierarchies themselves take those of days, ages and places from what the column means.
Numbers and days become ranges where the method makes ranges; hierarchies that somebody gave stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from tokumei.core.fields import field_values
from tokumei.core.text import Text
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.choose import AUTO
from tokumei.tables.hierarchies.known import BY_TYPE, known_of_texts

if TYPE_CHECKING:
    from tokumei.tables.look.result import Look

ALL = "all"
_WORDS = {
    "postal": Text("by 3, 2 and 1 digits", "上 3・2・1 桁"),
    "postcode": Text(
        "by its first part, then the letters or first digits of that",
        "前半の部分、さらにその英字または先頭の数字",
    ),
    "prefecture": Text("to regions", "地方"),
    "codes": Text("by its first characters", "先頭の文字"),
    "suppress": Text("to *, because it has many values", "* (値の種類が多いため)"),
    "calendar": Text("to months, years, 5 and 10 years", "月・年・5 年・10 年"),
    "moments": Text("to days, months, years, 5 and 10 years", "日・月・年・5 年・10 年"),
    "age-bands": Text("to bands of 5, 10 and 20 years", "5・10・20 歳幅"),
    "degrees": Text("to 0.01, 0.1 and 1 degree (about 1, 10, 100 km)", "0.01・0.1・1 度の格子"),
}


def with_hierarchies(
    method: TableMethod, table: Table, sets: Sequence[str] = (), found: Look | None = None
) -> TableMethod:
    """The method with the hierarchies that its QI need; itself if they need none."""
    if isinstance(method, Pipeline):
        parts = tuple(with_hierarchies(part, table, sets, found) for part in method.methods)
        same = all(one is other for one, other in zip(parts, method.methods, strict=True))
        return method if same else replace(method, methods=parts)
    given = getattr(method, "hierarchies", None)
    if isinstance(method, Mondrian) and method.cut != "relaxed":
        named = _of_texts(table, [*sets, *method.order, *method.hierarchies])
        more: Any = {**method.hierarchies, **named}
        return replace(method, hierarchies=more) if named else method
    if given != AUTO:
        return method
    named = _of_texts(table, sets) | _of_types(table, found)
    if not named:
        return method
    every = {name: named.get(name, AUTO) for name in table.schema.qi}
    return cast(TableMethod, replace(cast(Any, method), hierarchies=every))


def labelled_columns(method: TableMethod, qi: Sequence[str]) -> frozenset[str]:
    """The QI whose hierarchy the owner gave."""
    found = set[str]()
    for part in _parts(method):
        given = getattr(part, "hierarchies", AUTO)
        named = given if isinstance(given, Mapping) else dict.fromkeys(qi, given)
        found |= {name for name, one in named.items() if one != AUTO}
    return frozenset(found)


def hierarchy_notes(before: TableMethod, after: TableMethod) -> list[Text]:
    """Which columns got a hierarchy that nobody asked for."""
    named: dict[str, str] = {}
    for was, now in zip(_parts(before), _parts(after), strict=True):
        if was is not now:
            given = getattr(was, "hierarchies", {})
            known = () if isinstance(given, str) else given
            new = cast(Any, now).hierarchies.items()
            named |= {name: one for name, one in new if one != AUTO and name not in known}
    return [_note(name, one) for name, one in named.items()]


def _note(name: str, one: str) -> Text:
    words, option = _WORDS[one], field_values("sets", [name])
    listed = Text("", "")
    if one in ("postal", "postcode", "prefecture", "codes", "suppress"):
        listed = Text(f" ({option} lists values instead)", f" ({option} で値の集合)")
    return Text(
        f"{name} is generalized {words.en}{listed.en}", f"{name} の一般化: {words.ja}{listed.ja}"
    )


def _parts(method: TableMethod) -> tuple[TableMethod, ...]:
    return method.methods if isinstance(method, Pipeline) else (method,)


def _of_texts(table: Table, left: Sequence[str]) -> dict[str, str]:
    """The hierarchies of columns of text by their values, but for those that are left alone."""
    if ALL in left:
        return {}
    cells = [table.frame[name] for name in table.schema.qi if name not in left]
    texts = [one for one in cells if not (one.dtype.is_numeric() or one.dtype.is_temporal())]
    found = {one.name: known_of_texts(one) for one in texts if one.dtype != pl.Boolean}
    return {name: one for name, one in found.items() if one is not None}


def _of_types(table: Table, found: Look | None) -> dict[str, str]:
    """The hierarchies of numbers and days by what they mean, where that is sure."""
    if found is None:
        return {}
    frame, named = table.frame, dict[str, str]()
    for name in table.schema.qi:
        one, series = BY_TYPE.get(found[name].type), frame[name]
        right = series.dtype.is_temporal() if one == "calendar" else series.dtype.is_numeric()
        if one is not None and right and found[name].confidence >= _SURE:
            named[name] = "moments" if series.dtype == pl.Datetime else one
    return named


_SURE = 0.9
