"""One wanted value as it is written.

parse_wanted("男性")             # a name: a leaf, or a node above leaves
parse_wanted("{男性;女性}")      # any of some names
parse_wanted("[165;171]")        # a range with both ends
parse_wanted("<=170")            # open-ended; also ≤ >= ≥ < >
parse_wanted("*")                # None: anything
"""

from __future__ import annotations

import math
import re

from tokumei.core.cells import STAR, number
from tokumei.tables.rules.rules import Wanted

_COMPARED = re.compile(r"(<=|>=|≤|≥|<|>)\s*(.+)")
_MONTH = re.compile(r"\d{4}-\d{1,2}")


def parse_wanted(text: str) -> Wanted | None:
    """What a cell asks for; None for an empty cell or `*`."""
    text = text.strip()
    if text in ("", STAR):
        return None
    if compared := _COMPARED.fullmatch(text):
        return _open_ended(compared[1], compared[2].strip(), text)
    members = tuple(part.strip() for part in text[1:-1].split(";"))
    if text[0] == "{" and text[-1] == "}" and all(members):
        return Wanted(values=members, text=text)
    if text[0] == "[" and text[-1] == "]" and len(members) == 2 and all(map(_is_end, members)):
        return Wanted(low=members[0], high=members[1], text=text)
    return Wanted(values=(text,))


def _open_ended(sign: str, end: str, text: str) -> Wanted:
    if sign in ("<", "<=", "≤"):
        return Wanted(high=end, open_high=sign == "<", text=text)
    return Wanted(low=end, open_low=sign == ">", text=text)


def _is_end(text: str) -> bool:
    return not math.isnan(number(text)) or _MONTH.fullmatch(text) is not None
