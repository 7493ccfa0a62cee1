"""Whether cells can be what a name announces: names, numbers and places of people."""

from __future__ import annotations

import re
from functools import partial

from tokumei.tables.look.cell_signs import (
    GUESS,
    LIKELY,
    MOSTLY,
    NUMBERED,
    SURE,
    Fit,
    Rule,
    are_dates,
    between,
    is_code,
    is_text,
    looks_like_names,
)
from tokumei.tables.look.column_cells import ColumnCells
from tokumei.tables.look.forms import YES_NO
from tokumei.tables.look.names import is_kana_name

_DIALLED = r"^[+(]?[0-9][-+()0-9\s.]{5,20}(?:\s*(?:x|ext\.?|内線)\s*\d+|\s*\(.*\))?$"
_PLURAL = re.compile(r"(s|children|people)$|人数$", re.IGNORECASE)
"""`members` that hold few numbers are counted, not named."""
_FEW = 20


def _name(cells: ColumnCells) -> Fit:
    if cells.number_share > MOSTLY or are_dates(cells, named=False):
        return None
    if cells.share("words") < 0.5:
        return "name", LIKELY
    if cells.share("katakana") > MOSTLY and cells.share_where(is_kana_name) > 0.1:
        return "kana", SURE
    return "name", SURE if looks_like_names(cells) > 0.2 else 0.9


def _maybe_name(cells: ColumnCells) -> Fit:
    share = looks_like_names(cells) if is_text(cells) else 0.0
    return ("name", LIKELY if share > 0.3 else GUESS) if share > 0.1 else None


def _somebody(cells: ColumnCells) -> Fit:
    if cells.is_number and cells.distinct <= _FEW and _PLURAL.search(cells.name):
        return "count", LIKELY
    if is_code(cells):
        return "member_id", LIKELY
    if not is_text(cells):
        return None
    share = looks_like_names(cells)
    if share > 0.2 or cells.share_where(is_kana_name) > 0.2:
        return "name", SURE
    return ("name", GUESS + 0.1) if cells.distinct > 12 and cells.length < 25 else None


def _kana(cells: ColumnCells) -> Fit:
    if cells.share("katakana") + cells.share("hiragana") > MOSTLY:
        return "kana", SURE
    return ("kana", LIKELY) if is_text(cells) and cells.distinct > 5 else None


def _identity(kind: str, cells: ColumnCells) -> Fit:
    if cells.is_number and not cells.is_whole:
        return None
    if cells.distinct <= 2 and cells.total > 20:
        return None
    if cells.distinct > _FEW and are_dates(cells, named=False):
        return None
    if cells.share("sentence") > 0.5 and cells.length > 12:
        return None
    return kind, SURE if is_code(cells) or cells.unique_share > 0.9 else LIKELY


def _plain_id(cells: ColumnCells) -> Fit:
    if (cells.is_number and not cells.is_whole) or cells.distinct <= 2:
        return None
    return "member_id", LIKELY


def _key(cells: ColumnCells) -> Fit:
    """A number of we know not what: an identifier if it is hardly ever repeated."""
    if not is_code(cells) or cells.distinct <= 20:
        return ("code", LIKELY) if is_code(cells) or cells.distinct <= 60 else None
    if cells.unique_share > 0.9:
        return "record_id", 0.75
    return "code", GUESS


def _number_of(cells: ColumnCells) -> Fit:
    """A number or id of we know not whom: taken for somebody's, unless it is one of few."""
    found = _key(cells)
    if found and found[0] == "code" and cells.distinct > 20 and cells.unique_share > 0.1:
        return "member_id", GUESS
    return found


def _phone(cells: ColumnCells) -> Fit:
    good = cells.share_of(_DIALLED) > MOSTLY and cells.distinct > 2
    return ("phone", SURE) if good else None


def _address(cells: ColumnCells) -> Fit:
    if cells.share("house") > MOSTLY and cells.distinct > 2:
        return "address", LIKELY
    if not is_text(cells) or (cells.share("words") < 0.3 and cells.share("address") < 0.3):
        return None
    if cells.length <= 3:
        return None
    if cells.share("city") > 0.9 and cells.share("address") < 0.3:
        return "city", LIKELY
    return ("address", SURE) if cells.distinct > 2 else None


def _postal(cells: ColumnCells) -> Fit:
    forms = (
        r"^〒?\s?[0-9]{3}-?[0-9]{0,4}$|^[0-9]{4,8}(-[0-9]{3,4})?$|^[A-Z]{1,2}[0-9][A-Z0-9 ]{2,6}$"
        r"|^[A-Z0-9]{3}$|^[0-9]{2,5}[xX*]{1,4}$|^[A-Z]{1,2}[0-9]{1,2}[A-Z]? [0-9]$"
    )
    return ("postal", SURE) if cells.share_of(forms) > MOSTLY else None


def _place(kind: str, most: int, cells: ColumnCells) -> Fit:
    if cells.share_in(YES_NO) > 0.9 or (cells.is_number and not cells.is_whole):
        return None
    if (cells.is_number and cells.distinct > 60) or cells.distinct > most:
        return None
    return kind, SURE if is_text(cells) else LIKELY


def _coordinate(kind: str, most: float, cells: ColumnCells) -> Fit:
    return (kind, SURE) if cells.is_number and between(cells, -most, most) else None


def _digits(kind: str, low: int, high: int, cells: ColumnCells) -> Fit:
    good = cells.share_of(rf"^[\s-]*(?:[0-9*X•][\s-]*){{{low},{high}}}$")
    return (kind, SURE) if good > MOSTLY else None


def _form(kind: str, least: float, cells: ColumnCells) -> Fit:
    return (kind, SURE) if cells.share(kind) > least else None


def _agent(cells: ColumnCells) -> Fit:
    return ("user_agent", SURE) if cells.share("words") > 0.5 else None


def _user(cells: ColumnCells) -> Fit:
    if cells.is_number:
        return ("member_id", LIKELY) if cells.is_whole and cells.distinct > 2 else None
    return ("username", SURE) if cells.distinct > 2 else None


RULES: dict[str, Rule] = {
    "name": _name,
    "name?": _maybe_name,
    "somebody": _somebody,
    "kana": _kana,
    **{kind: partial(_identity, kind) for kind in NUMBERED if kind not in ("my_number", "card")},
    "id": _plain_id,
    "key": _key,
    "number": _number_of,
    "email": partial(_form, "email", 0.1),
    "phone": _phone,
    "address": _address,
    "postal": _postal,
    "prefecture": partial(_place, "prefecture", 300),
    "city": partial(_place, "city", 20_000),
    "country": partial(_place, "country", 300),
    "lat": partial(_coordinate, "lat", 90),
    "lon": partial(_coordinate, "lon", 180),
    "my_number": partial(_digits, "my_number", 12, 12),
    "card": partial(_digits, "card", 12, 19),
    "jan": partial(_digits, "jan", 8, 14),
    "ip": partial(_form, "ip", 0.3),
    "url": partial(_form, "url", 0.3),
    "user_agent": _agent,
    "username": _user,
}
"""By what the name announces."""
