"""What a column is by the columns beside it, where neither its name nor its cells tell.

A surname stands in the row's e-mail address, or beside a given name; a number that goes with one
name and one sex numbers people. None of it is sure: it raises a question.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

import polars as pl

from tokumei.core.text import Text
from tokumei.tables.look.column_cells import ColumnCells
from tokumei.tables.look.forms import word_set
from tokumei.tables.look.infer import Meaning
from tokumei.tables.look.names import is_single_name

STABLE = frozenset(
    ("sex", "birth_date", "birth_year", "name", "kana", "address", "email", "phone", "race")
)
"""What people keep from row to row."""
PART = 0.5
"""How sure a name by its neighbours is: part of one, which many people share."""
_UNTOLD = ("category", "count", "code")
_FEWEST = 4
_SEVERAL = 3
"""So many different words of names are no chance."""
_ROWS = 1000
_SHARE = 0.3
_REPEATED = 10
_ALWAYS = 0.95
_WORD = r"^[\p{Latin}\p{Cyrillic}\p{Greek}][\p{Latin}\p{Cyrillic}\p{Greek}'’. -]+$"
_SINGLE = r"^[\p{Lu}][\p{Latin}\p{Cyrillic}\p{Greek}'’-]+$"
_NAME_WORD = re.compile(
    "[A-ZÀ-ÖØ-ÞА-ЯΑ-Ω][^\\W\\d_]{2,}|[\u4e00-\u9fff\u3005]{2,}|[\uac00-\ud7a3]{2,}"
)
_TITLES = frozenset(("mrs", "miss", "frau", "herr", "herrn", "mme", "prof", "von", "van", "der"))
_CAPITALS = r"^\p{Lu}[\p{L}'’.-]*(?:,? \p{Lu}[\p{L}'’.-]*){1,3}$"
_PAIRS = 8
_MOSTLY = 0.8
_LOOKED = 500
_AMONG = 0.2
_ALONE = "^(?:[A-ZÀ-ÖØ-ÞŁŚŠŽČ][a-zß-žẞ]{2,}|[\u4e00-\u9fff]{2,3})$"
_ALSO_WORDS = word_set("""
april may june august summer autumn winter amber olive violet rose ruby jade iris lily daisy grace
hope faith joy mark bill will grant price young long rich king page hall hill wood stone ford lane
park brown green white black gray grey baker cook smith mason cooper fisher taylor carpenter butler
carter parker turner walker hunter miller fox wolf bush day cross paris florence sydney austin
jackson madison lincoln charlotte victoria georgia virginia carolina washington houston dallas
orlando london chelsea israel jordan china india chad 山口 石川 福島 宮崎 千葉 長野 岡山 秋田 福井
香川 徳島 奈良 松本 松山 高松 大分 三重 広島 富山 長崎 熊本 福岡 静岡 滋賀 兵庫 青森 岩手 宮城
""")
"""Names that are words of other things as often."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "æ": "ae"})
_KANA = Text("only kana, beside a column of names", "氏名の列があり、カナだけの列")
_MAILED = Text(
    "its words stand in the e-mail addresses of their rows", "同じ行のメールアドレスに現れる語"
)
_SHARED = Text("its cells hold words of the names beside them", "氏名の列にある語を含む")
_RECOMBINED = Text(
    "two words or more with capitals, in ever new pairs", "大文字で始まる語の組合せが繰り返し現れる"
)
_LISTED = Text("names of people among its words", "語の中に人の姓や名がある")
_PARTED = Text("single words beside a part of a name", "名前の一部の列に隣り合う、1 語だけの列")


def by_neighbours(
    frame: pl.DataFrame, meanings: dict[str, Meaning], cells: dict[str, ColumnCells]
) -> dict[str, Meaning]:
    """The same meanings, but words beside names and e-mail addresses may be names, too."""
    kana = any(one.type == "name" for one in meanings.values())
    mails = [name for name, one in meanings.items() if one.type == "email"]
    parts = [n for n, one in meanings.items() if one.type == "name" and _is_single(cells[n])]
    found = dict(meanings)
    for name, one in meanings.items():
        if not one.called and one.type == "category" and recombines(cells[name]):
            found[name] = replace(one, type="name", confidence=PART, reason=_RECOMBINED)
    words = _words_of_names([cells[n] for n, one in found.items() if one.type == "name"])
    for place, (name, one) in enumerate(meanings.items()):
        if one.called or one.type != "category":
            continue
        near = frame.columns[max(place - 1, 0) : place + 2]
        own, many = cells[name], cells[name].distinct > _FEWEST
        reason: Text | None = None
        if many and kana and own.share("katakana") + own.share("hiragana") > _ALWAYS:
            found[name] = replace(one, type="kana", confidence=0.6, reason=_KANA)
        elif many and any(_in_mails(frame, name, mail) for mail in mails):
            reason = _MAILED
        elif many and len(parts) == 1 and parts[0] in near and _is_single(own):
            reason = _PARTED
        elif _holds_names(own, words):
            reason = _SHARED
        elif lists_names(own):
            reason = _LISTED
        if reason is not None:
            found[name] = replace(one, type="name", confidence=PART, reason=reason)
    return found


def recombines(cells: ColumnCells) -> bool:
    """Whether cells are two to four words with capitals, which occur in ever new pairs.

    So given names and surnames do; names of places and of kinds of things have their own words.
    """
    text = cells.sample[0]
    named = text.filter(text.str.contains(_CAPITALS))
    if len(named) < _PAIRS or len(named) < _MOSTLY * len(text):
        return False
    firsts, lasts = (
        named.str.extract(side, 1).drop_nulls().n_unique() for side in (r"^(\S+) ", r" (\S+)$")
    )
    return 2 <= firsts <= len(named) / 2 and 2 <= lasts <= len(named) / 2


def lists_names(cells: ColumnCells) -> bool:
    """Whether several of the values are known names of people, alone in their cell."""
    text = cells.sample[0].head(_LOOKED)
    single = text.filter(text.str.contains(_ALONE))
    names = [cell for cell in single if cell.lower() not in _ALSO_WORDS and is_single_name(cell)]
    return len(names) >= _SEVERAL and len(names) >= _AMONG * len(text)


def _words_of_names(columns: list[ColumnCells]) -> set[str]:
    """The words of names: with a capital, or of two letters or more in Han or Hangul."""
    return {
        word
        for cells in columns
        for cell in cells.sample[0]
        for word in _NAME_WORD.findall(cell)
        if word.lower() not in _TITLES
    }


def _holds_names(cells: ColumnCells, words: set[str]) -> bool:
    """Whether so many cells hold such a word, and several different ones, that it is no chance."""
    text, weights = cells.sample
    held = [{*_NAME_WORD.findall(cell)} & words for cell in text]
    hits = sum(int(weight) for one, weight in zip(held, weights, strict=True) if one)
    return hits >= _SHARE * int(weights.sum()) and len(set[str]().union(*held)) >= _SEVERAL


def _is_single(cells: ColumnCells) -> bool:
    """Whether nearly all cells are one word with a capital, of a script that parts names so."""
    return cells.share_of(_SINGLE) > 0.9


def _in_mails(frame: pl.DataFrame, name: str, mail: str) -> bool:
    """Whether words of a column stand in the addresses of their rows, before the @."""
    rows = frame.select(pl.col(name).alias("word"), pl.col(mail).alias("mail")).drop_nulls()
    rows = rows.filter(pl.col("word").str.contains(_WORD)).head(_ROWS)
    hits = [_is_in(word, address) for word, address in rows.iter_rows()]
    return len(hits) >= 2 * _FEWEST and sum(hits) >= _SHARE * len(hits)


def _is_in(word: str, address: str) -> bool:
    local = address.lower().partition("@")[0]
    longest = max(word.lower().split(), key=len, default="")
    plain = (c for c in unicodedata.normalize("NFD", longest) if c.isalpha())
    forms = ("".join(plain), longest.translate(_UMLAUTS))
    return any(len(form) > 2 and form in local for form in forms)


def constant_within(frame: pl.DataFrame, name: str, others: list[str]) -> float:
    """The share of a column's values within which other columns are constant."""
    sizes = frame.drop_nulls(name).group_by(name).agg(pl.col(others).drop_nulls().n_unique())
    return float((sizes.select(others) <= 1).mean_horizontal().mean() or 0)  # type: ignore[arg-type]


def tell_people(
    frame: pl.DataFrame, meanings: dict[str, Meaning], cells: dict[str, ColumnCells]
) -> set[str]:
    """Columns of unknown meaning each value of which goes with one name, one birth … in all rows.

    Of one sex, or one race, are whole wards and schools.
    """
    own = STABLE - {"sex", "race"}
    kept = [n for n, one in meanings.items() if one.type in own and cells[n].distinct > _FEWEST]
    asked = [n for n, one in meanings.items() if one.type in _UNTOLD and not one.called]
    if not kept:
        return set()
    return {name for name in asked if cells[name].distinct > _FEWEST and _tells(frame, name, kept)}


def _tells(frame: pl.DataFrame, name: str, kept: list[str]) -> bool:
    repeated = frame.drop_nulls(name).filter(pl.col(name).is_duplicated())
    values = repeated[name].n_unique()
    return values >= _REPEATED and constant_within(repeated, name, kept) >= _ALWAYS
