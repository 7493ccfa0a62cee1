"""What only the owner of the data can tell: at most one question per column."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.text import Text
from tokumei.core.written.dates import Style
from tokumei.tables.look.by_values import moments
from tokumei.tables.look.column_cells import ColumnCells
from tokumei.tables.look.command import naming
from tokumei.tables.look.embedded import Inside
from tokumei.tables.look.forms import FORMS
from tokumei.tables.look.infer import Meaning
from tokumei.tables.look.meaning import announced
from tokumei.tables.look.people import Person
from tokumei.tables.look.result import Question
from tokumei.tables.look.source import Source
from tokumei.tables.look.types import TYPES

_UNKNOWN = ("category", "code", "count", "item", "store", "organization")
MANY = 20
"""Above this many values a column of words would list its people if it were generalized."""
_RARE = 2
_SHORT = 3
"""Whole numbers of more digits that hardly ever repeat may be given rather than counted."""
FEW = 4
"""The same where the column's name says nothing."""


@dataclass(frozen=True)
class Case:
    """One column, with all that a question may depend on."""

    name: str
    meaning: Meaning
    role: str
    kind: str
    cells: ColumnCells
    inside: tuple[Inside, ...]
    style: Style
    people: bool | None
    person: Person | None
    source: Source
    telling: bool
    """Whether each value goes with one person, as far as other columns tell."""

    @property
    def first(self) -> bool:
        """Whether it is the column at which the whole file is asked about."""
        return self.name == self.source.frame.columns[0]

    @property
    def identifies(self) -> bool:
        """Whether the column tells by itself who somebody is."""
        return self.role in ("identifier", "person")


def question_of(case: Case) -> Question | None:
    """The most pressing question of a column, if there is one."""
    return next((found for ask in _QUESTIONS if (found := ask(case))), None)


def _question(
    id: str, case: Case, en: str, ja: str, *options: str, answers: tuple[str, ...] = ()
) -> Question:
    """Options of `tokumei anonymize table` that take the column's name, or else whole `answers`."""
    named = answers or tuple(naming(option, case.name) for option in options)
    # The first braces are the column's; others belong to names that the sentence holds.
    told = Text(en.replace("{}", case.name, 1), ja.replace("{}", case.name, 1))
    return Question(id, told, named)


def _personal_text(case: Case) -> Question | None:
    if not case.inside or case.identifies:
        return None
    kinds = [TYPES[one.type].title for one in case.inside]
    en, ja = ", ".join(kind.en for kind in kinds), "・".join(kind.ja for kind in kinds)
    return _question(
        "text-with-personal-data", case,
        "The cells of '{}' contain personal data (" + en + "). Drop the column, or replace it?",
        "「{}」のセルに個人情報（" + ja + "）があります。列を落としますか、置き換えますか?",
        "--id", "--scrub",
    )  # fmt: skip


def _mixed(case: Case) -> Question | None:
    shares = (case.cells.share("email"), case.cells.share("phone"))
    if case.meaning.type not in ("phone", "email") or min(shares) < 0.1:
        return None
    return _question(
        "mixed-contact", case,
        "'{}' mixes telephone numbers and e-mail addresses. Drop it?",
        "「{}」には電話番号とメールアドレスが混ざっています。落としますか?",
        "--id",
    )  # fmt: skip


def _text(case: Case) -> Question | None:
    if case.meaning.type != "free_text" and not _remarks(case):
        return None
    return _question(
        "free-text", case,
        "'{}' is free text; names in it cannot be ruled out. Drop it, or keep it?",
        "「{}」は自由記述です。氏名などが含まれる可能性があります。落としますか、残しますか?",
        "--id", "--scrub",
    )  # fmt: skip


def _remarks(case: Case) -> bool:
    """Whether words of no known meaning are remarks: phrases, several of which occur hardly ever.

    A list of categories has phrases, too, but each of them often.
    """
    if case.meaning.type != "category" or case.meaning.called or case.kind == "numeric":
        return False
    text, weights = case.cells.sample
    rare = text.str.contains(FORMS["phrase"]) & (weights <= _RARE)
    return int(rare.sum()) >= _RARE


def _thing(case: Case) -> Question | None:
    sure = case.people and case.meaning.confidence >= 0.7
    if case.meaning.type not in ("name", "kana") or sure:
        return None
    return _question(
        "person-or-thing", case,
        "Are the names in '{}' those of people?",
        "「{}」の名前は人の名前ですか?",
        "--id", "--qi",
    )  # fmt: skip


def _not_as_called(case: Case) -> Question | None:
    """Called what identifies, and the cells are words of another kind: whose, nobody can tell."""
    if case.identifies or case.kind not in ("category", "text"):
        return None
    called = announced(case.name)[:1]
    named = called and called[0] in ("somebody", "name", "phone", "email", "address", "kana")
    if not named or case.cells.distinct <= _RARE or case.meaning.called:
        return None
    return _question(
        "person-or-thing", case,
        "Do the cells of '{}' say who somebody is, or how to reach them?",
        "「{}」のセルから、誰なのか、または連絡先が分かりますか?",
        "--id", "--qi",
    )  # fmt: skip


def _is_numbered(case: Case) -> bool:
    """Whether whole numbers may be given to people: long ones, alike in length, no seconds.

    Amounts differ in length.
    """
    cells = case.cells
    alike = case.meaning.type == "count" and cells.length > _SHORT and cells.fixed_length
    return alike and not moments(cells)


def _key(case: Case) -> Question | None:
    few = case.cells.distinct <= MANY and not case.telling
    if case.identifies or few:
        return None
    cells, silent = case.cells, case.meaning.silent
    coded = cells.share("code") > 0.9 or _is_numbered(case)
    keyed = cells.unique_share > 0.9 and case.meaning.type in _UNKNOWN and coded
    keyed = (keyed and not case.meaning.called) or case.telling
    number = silent and cells.number_share > 0.5 and case.kind != "date" and not cells.is_money
    fallback = case.meaning.type == "code" and case.meaning.confidence < 0.7
    # Called what identifies, and not that, but hardly ever twice the same.
    called = [TYPES[one].role for one in announced(case.name)[:1] if one in TYPES]
    fallback |= called == ["identifier"] and cells.unique_share > 0.9 and case.kind != "date"
    if not (keyed or number or fallback) or (case.people is False and not number):
        return None
    return _question(
        "key-like", case,
        "Does '{}' tell people apart, like a customer number?",
        "「{}」は顧客番号のように人を区別する番号ですか?",
        "--id", "--person", "--qi", "--sa",
    )  # fmt: skip


def _many_words(case: Case) -> Question | None:
    if case.identifies or case.kind not in ("category", "text"):
        return None
    meaning, most = case.meaning, FEW if case.meaning.silent else MANY
    unknown = meaning.type == "category" and case.cells.distinct > most
    unknown = unknown and not (meaning.called and meaning.confidence >= 0.9)
    unsure = meaning.type in ("organization", "item", "store") and not meaning.called
    if case.people is False or not (unknown or unsure):
        return None
    return _question(
        "many-words", case,
        "'{}' has " + f"{case.cells.distinct:,} values of unknown meaning. Do they tell who "
        "somebody is?",
        "「{}」には意味の分からない値が " + f"{case.cells.distinct:,} 種類あります。"
        "個人を特定する列ですか?",
        "--id", "--qi",
    )  # fmt: skip


def _two_persons(case: Case) -> Question | None:
    other = case.person.column if case.person and case.meaning.called else case.name
    if other == case.name or case.meaning.type != "member_id":
        return None
    return _question(
        "two-person-columns", case,
        "Both '{}' and '" + other + "' number people. Whose table is it?",
        "「{}」と「" + other + "」のどちらも人の番号です。どちらの人の表ですか?",
        "--person", "--id",
    )  # fmt: skip


def _date_order(case: Case) -> Question | None:
    if case.kind != "date" or not case.style.undecided:
        return None
    return _question(
        "date-order",
        case,
        "Is 3/4 in '{}' 3 April or 4 March? No cell decides it.",
        "「{}」の 3/4 は 3 月 4 日ですか、4 月 3 日ですか? 決め手になるセルがありません。",
        answers=("--date-order dmy", "--date-order mdy"),
    )


def _two_digits(case: Case) -> Question | None:
    if case.kind != "date" or not case.style.two_digits or case.cells.said.latest is not None:
        return None
    last = case.style.latest
    return _question(
        "two-digit-year",
        case,
        "'{}' writes years with two digits: "
        f"00 to {last:02} are read as 20xx, {last + 1:02} to 99 as 19xx. Right?",
        "「{}」の年は 2 桁です。"
        f"00〜{last:02} を 20xx 年、{last + 1:02}〜99 を 19xx 年と読みます。正しいですか?",
        answers=(f"--two-digit-years {last}", "--two-digit-years N"),
    )


def _unnamed(case: Case) -> Question | None:
    if not case.name.startswith("Unnamed: ") or case.role == "identifier":
        return None
    return _question(
        "unnamed-column", case,
        "'{}' has no name. What is it?",
        "「{}」には列名がありません。何の列ですか?",
        "--id", "--qi", "--sa",
    )  # fmt: skip


def _no_header(case: Case) -> Question | None:
    named = case.source.header_row is not None or case.source.format in ("frame", "parquet")
    if named or not case.first:
        return None
    return _question(
        "no-header",
        case,
        "No line names the columns, so that they are called column1, column2 … Is that right?",
        "列名の行が見つからないため、column1, column2 … としました。よろしいですか?",
        answers=("--header-row N",),
    )


def _two_tables(case: Case) -> Question | None:
    if case.source.second is None or not case.first:
        return None
    return _question(
        "two-tables",
        case,
        "The file holds two tables, and only the larger one was read. Is it the one you mean? "
        "The other has to be put into a file of its own.",
        "ファイルに表が二つあり、大きい方だけを読みました。それでよいですか? "
        "もう一方を使うには、別のファイルに分けてください。",
    )


def _not_people(case: Case) -> Question | None:
    if case.people is not False or case.cells.distinct <= MANY:
        return None
    if case.meaning.type not in ("member_id", "record_id", "device_id", "username"):
        return None
    return _question(
        "not-people", case,
        "No column is about people. Does '{}' belong to somebody after all?",
        "人に関する列が見つかりません。「{}」は誰かのものですか?",
        "--id", "--person",
    )  # fmt: skip


_QUESTIONS = (
    _personal_text, _mixed, _text, _thing, _not_as_called, _unnamed, _key, _many_words,
    _two_persons, _date_order, _two_digits, _no_header, _two_tables, _not_people,
)  # fmt: skip
