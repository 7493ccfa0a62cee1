"""Adjacent columns as evidence for a column's type.

A surname stands in the row's e-mail address, or beside a given name; a number that goes with one
name and one sex numbers people. None of it is sure: it raises a question.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

import polars as pl

from tokumei.core.messages import Message
from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.detection.cell_patterns import parse_words
from tokumei.tables.profiling.detection.name_detection import is_single_name
from tokumei.tables.profiling.detection.type_inference import InferredType

STABLE_TYPES = frozenset(
    ("sex", "birth_date", "birth_year", "name", "kana", "address", "email", "phone", "race")
)
"""What people keep from row to row."""
NAME_PART_CONFIDENCE = 0.5
"""How sure a name by its neighbours is: part of one, which many people share."""
_UNKNOWN_TYPES = ("category", "count", "code")
_MIN_DISTINCT = 4
_MIN_NAME_WORDS = 3
"""So many different words of names are no chance."""
_MAX_ROWS = 1000
_MIN_MATCH_SHARE = 0.3
_MIN_REPEATED_VALUES = 10
_NEARLY_ALL_SHARE = 0.95
_WORD_PATTERN = r"^[\p{Latin}\p{Cyrillic}\p{Greek}][\p{Latin}\p{Cyrillic}\p{Greek}'’. -]+$"
_SINGLE_WORD_PATTERN = r"^[\p{Lu}][\p{Latin}\p{Cyrillic}\p{Greek}'’-]+$"
_NAME_WORD_PATTERN = re.compile(
    "[A-ZÀ-ÖØ-ÞА-ЯΑ-Ω][^\\W\\d_]{2,}|[\u4e00-\u9fff\u3005]{2,}|[\uac00-\ud7a3]{2,}"
)
_TITLES = frozenset(("mrs", "miss", "frau", "herr", "herrn", "mme", "prof", "von", "van", "der"))
_CAPITALIZED_WORDS = r"^\p{Lu}[\p{L}'’.-]*(?:,? \p{Lu}[\p{L}'’.-]*){1,3}$"
_MIN_PAIRS = 8
_MIN_CAPITALIZED_SHARE = 0.8
_MAX_VALUES = 500
_MIN_NAME_SHARE = 0.2
_LONE_NAME_PATTERN = "^(?:[A-ZÀ-ÖØ-ÞŁŚŠŽČ][a-zß-žẞ]{2,}|[\u4e00-\u9fff]{2,3})$"
_AMBIGUOUS_NAMES = parse_words("""
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
_KANA_REASON = Message("only kana, next to a column of names", stable_code="kana-of-names")
_IN_EMAIL_REASON = Message(
    "its words also occur in the e-mail addresses of the same rows", stable_code="words-in-email"
)
_SHARED_WORDS_REASON = Message(
    "its cells contain words of the adjacent names", stable_code="words-of-names"
)
_RECOMBINED_REASON = Message(
    "capitalized words in ever new combinations", stable_code="recombined-words"
)
_KNOWN_NAMES_REASON = Message("names of people among its words", stable_code="known-names")
_NAME_PART_REASON = Message("single words next to a part of a name", stable_code="part-of-name")


def infer_from_neighbours(
    frame: pl.DataFrame, inferred_types: dict[str, InferredType], cells: dict[str, ColumnCells]
) -> dict[str, InferredType]:
    """The same meanings, but words beside names and e-mail addresses may be names, too."""
    has_name_column = any(inferred.type == "name" for inferred in inferred_types.values())
    email_columns = [name for name, inferred in inferred_types.items() if inferred.type == "email"]
    name_part_columns = [
        n
        for n, inferred in inferred_types.items()
        if inferred.type == "name" and _is_single_word(cells[n])
    ]
    updated_types = dict(inferred_types)
    for name, inferred in inferred_types.items():
        if (
            not inferred.header_confirmed
            and inferred.type == "category"
            and has_recombined_names(cells[name])
        ):
            updated_types[name] = replace(
                inferred, type="name", confidence=NAME_PART_CONFIDENCE, reason=_RECOMBINED_REASON
            )
    words = _collect_name_words(
        [cells[n] for n, inferred in updated_types.items() if inferred.type == "name"]
    )
    for position, (name, inferred) in enumerate(inferred_types.items()):
        if inferred.header_confirmed or inferred.type != "category":
            continue
        adjacent_names = frame.columns[max(position - 1, 0) : position + 2]
        column_cells, has_many_values = cells[name], cells[name].distinct > _MIN_DISTINCT
        reason: Message | None = None
        if (
            has_many_values
            and has_name_column
            and column_cells.share("katakana") + column_cells.share("hiragana") > _NEARLY_ALL_SHARE
        ):
            updated_types[name] = replace(
                inferred, type="kana", confidence=0.6, reason=_KANA_REASON
            )
        elif has_many_values and any(_matches_emails(frame, name, mail) for mail in email_columns):
            reason = _IN_EMAIL_REASON
        elif (
            has_many_values
            and len(name_part_columns) == 1
            and name_part_columns[0] in adjacent_names
            and _is_single_word(column_cells)
        ):
            reason = _NAME_PART_REASON
        elif _contains_name_words(column_cells, words):
            reason = _SHARED_WORDS_REASON
        elif has_known_names(column_cells):
            reason = _KNOWN_NAMES_REASON
        if reason is not None:
            updated_types[name] = replace(
                inferred, type="name", confidence=NAME_PART_CONFIDENCE, reason=reason
            )
    return updated_types


def has_recombined_names(cells: ColumnCells) -> bool:
    """Whether cells are two to four words with capitals, which occur in ever new pairs.

    So given names and surnames do; names of places and of kinds of things have their own words.
    """
    text = cells.sample[0]
    capitalized = text.filter(text.str.contains(_CAPITALIZED_WORDS))
    if len(capitalized) < _MIN_PAIRS or len(capitalized) < _MIN_CAPITALIZED_SHARE * len(text):
        return False
    firsts, lasts = (
        capitalized.str.extract(side, 1).drop_nulls().n_unique()
        for side in (r"^(\S+) ", r" (\S+)$")
    )
    return 2 <= firsts <= len(capitalized) / 2 and 2 <= lasts <= len(capitalized) / 2


def has_known_names(cells: ColumnCells) -> bool:
    """Whether several of the values are known names of people, alone in their cell."""
    text = cells.sample[0].head(_MAX_VALUES)
    single = text.filter(text.str.contains(_LONE_NAME_PATTERN))
    names = [
        cell for cell in single if cell.lower() not in _AMBIGUOUS_NAMES and is_single_name(cell)
    ]
    return len(names) >= _MIN_NAME_WORDS and len(names) >= _MIN_NAME_SHARE * len(text)


def _collect_name_words(columns: list[ColumnCells]) -> set[str]:
    """The words of names: with a capital, or of two letters or more in Han or Hangul."""
    return {
        word
        for cells in columns
        for cell in cells.sample[0]
        for word in _NAME_WORD_PATTERN.findall(cell)
        if word.lower() not in _TITLES
    }


def _contains_name_words(cells: ColumnCells, words: set[str]) -> bool:
    """Whether so many cells hold such a word, and several different ones, that it is no chance."""
    text, weights = cells.sample
    found_words = [{*_NAME_WORD_PATTERN.findall(cell)} & words for cell in text]
    hits = sum(
        int(weight)
        for matched_words, weight in zip(found_words, weights, strict=True)
        if matched_words
    )
    return (
        hits >= _MIN_MATCH_SHARE * int(weights.sum())
        and len(set[str]().union(*found_words)) >= _MIN_NAME_WORDS
    )


def _is_single_word(cells: ColumnCells) -> bool:
    """Whether nearly all cells are one word with a capital, of a script that parts names so."""
    return cells.share_matching(_SINGLE_WORD_PATTERN) > 0.9


def _matches_emails(frame: pl.DataFrame, name: str, mail: str) -> bool:
    """Whether words of a column stand in the addresses of their rows, before the @."""
    rows = frame.select(pl.col(name).alias("word"), pl.col(mail).alias("mail")).drop_nulls()
    rows = rows.filter(pl.col("word").str.contains(_WORD_PATTERN)).head(_MAX_ROWS)
    hits = [_is_in_email(word, address) for word, address in rows.iter_rows()]
    return len(hits) >= 2 * _MIN_DISTINCT and sum(hits) >= _MIN_MATCH_SHARE * len(hits)


def _is_in_email(word: str, address: str) -> bool:
    mailbox_name = address.lower().partition("@")[0]
    longest_word = max(word.lower().split(), key=len, default="")
    letters = (c for c in unicodedata.normalize("NFD", longest_word) if c.isalpha())
    spellings = ("".join(letters), longest_word.translate(_UMLAUTS))
    return any(len(spelling) > 2 and spelling in mailbox_name for spelling in spellings)


def constant_share(frame: pl.DataFrame, name: str, others: list[str]) -> float:
    """The share of a column's values within which other columns are constant."""
    sizes = frame.drop_nulls(name).group_by(name).agg(pl.col(others).drop_nulls().n_unique())
    return float((sizes.select(others) <= 1).mean_horizontal().mean() or 0)  # type: ignore[arg-type]


def find_person_keys(
    frame: pl.DataFrame, inferred_types: dict[str, InferredType], cells: dict[str, ColumnCells]
) -> set[str]:
    """Columns of unknown meaning each value of which goes with one name, one birth … in all rows.

    Of one sex, or one race, are whole wards and schools.
    """
    personal_types = STABLE_TYPES - {"sex", "race"}
    stable_columns = [
        n
        for n, inferred in inferred_types.items()
        if inferred.type in personal_types and cells[n].distinct > _MIN_DISTINCT
    ]
    unknown_columns = [
        n
        for n, inferred in inferred_types.items()
        if inferred.type in _UNKNOWN_TYPES and not inferred.header_confirmed
    ]
    if not stable_columns:
        return set()
    return {
        name
        for name in unknown_columns
        if cells[name].distinct > _MIN_DISTINCT and _identifies_person(frame, name, stable_columns)
    }


def _identifies_person(frame: pl.DataFrame, name: str, stable_columns: list[str]) -> bool:
    repeated = frame.drop_nulls(name).filter(pl.col(name).is_duplicated())
    values = repeated[name].n_unique()
    return (
        values >= _MIN_REPEATED_VALUES
        and constant_share(repeated, name, stable_columns) >= _NEARLY_ALL_SHARE
    )
