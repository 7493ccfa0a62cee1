"""The table that advice is about: its rows, what they look like, and what becomes of each column.

Identifying columns are dropped, and so are those that only the owner could judge; a purpose or the
owner may say otherwise, and everything that is decided here is said in `notes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tokumei.core.advice.purpose import Purpose
from tokumei.core.advice.request import DROP, FATES, GENERALIZE, PASS, PROTECT, Request
from tokumei.core.errors import InputError, UsageError
from tokumei.core.fields import field_name, field_value
from tokumei.core.text import Text
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.choosing.choose import shortened
from tokumei.tables.data.account import Account, Consent
from tokumei.tables.data.schema import Role
from tokumei.tables.data.table import Table
from tokumei.tables.look.normalized import normalized
from tokumei.tables.look.result import Look, LookColumn
from tokumei.tables.releasing.known_columns import with_hierarchies
from tokumei.tables.releasing.local import build_method
from tokumei.tables.releasing.opening import NONE, account_of, roles_of

_FATES = {Role.QI: GENERALIZE, Role.SA: PROTECT, Role.OTHER: PASS, Role.ID: DROP}


@dataclass(frozen=True, eq=False)
class TableSource:
    """Rows as they were read, the look at them, and how they were read (`reading`, as options)."""

    table: Table
    look: Look
    notes: tuple[Text, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)
    line_of: Any = None
    hierarchies: Mapping[str, str] = field(default_factory=dict)
    """Files of the owner's own hierarchies, by column; the others are proposed."""

    def opened(self, request: Request) -> tuple[Table, TableMethod, Account]:
        """Table, method and account as `anonymize table` would open them."""
        qi, sa = request.with_fate(GENERALIZE), request.with_fate(PROTECT)
        schema = self.table.schema.with_roles(qi=qi, sa=sa, ids=request.with_fate(DROP))
        method = build_method(request.steps, {})
        named = request.consent
        consent = Consent(
            tuple(name for name in named if request.columns[name] in (PASS, PROTECT)),
            qi=tuple(name for name in named if request.columns[name] == GENERALIZE),
            person=NONE if request.person == NONE else "",
        )
        account = account_of(self.look, schema, method, consent)
        missing = self.reading.get("bad_cells") == "missing"
        table = self._read(replace(self.table, schema=schema), [*qi, *sa], missing)
        return table, with_hierarchies(method, table, (), self.look), account

    def readable(self) -> TableSource:
        """The same; cells that fit neither number nor day become gaps if there are any."""
        names = [c.name for c in self.look.columns]
        try:
            self._read(self.table, names, bad_missing=False)
        except InputError as err:
            told = Text(
                f"{err.total:,} cells fit neither number nor date in a column of them: they count "
                f"as missing ({field_value('bad_cells', 'missing')})",
                f"数値・日付の列に合わないセル {err.total:,} 個は欠損とします "
                f"({field_value('bad_cells', 'missing')})",
            )
            reading = {**self.reading, "bad_cells": "missing"}
            return replace(self, notes=(*self.notes, told), reading=reading)
        return self

    def _read(self, table: Table, names: list[str], bad_missing: bool) -> Table:
        line, off = self.line_of or (lambda row: row + 1), self.reading.get("no_normalize", ())
        return normalized(
            table, self.look, names, line_of=line, bad_missing=bad_missing, off=tuple(off)
        )


@dataclass(frozen=True)
class Fates:
    """What becomes of every column unless a candidate says otherwise, and who counts as a person.

    `known`: what the recipient may know of somebody. `rest`: columns that look as if they could
    be known, but that the purpose does not name; they are generalized or dropped, never needed.
    """

    columns: Mapping[str, str]
    known: tuple[str, ...]
    person: str
    consent: tuple[str, ...]
    notes: tuple[Text, ...]

    @classmethod
    def of(
        cls,
        source: TableSource,
        purpose: Purpose,
        given: Mapping[str, str] | None = None,
        person: str | None = None,
    ) -> Fates:
        """From the look, then what the purpose says, then what the owner says (`given`)."""
        names, given = source.table.schema.names, dict(given or {})
        source.table.schema.require((*purpose.named, *given))
        for name, fate in given.items():
            if fate not in FATES:
                raise UsageError(
                    f"column '{name}': a fate is {', '.join(FATES)}, not '{fate}'",
                    f"列 '{name}': 扱いは {'・'.join(FATES)} のどれかです ('{fate}')",
                )
        look = source.look
        usual = roles_of(look, source.table.schema, Consent(defaults=True))
        who = person or (look.person.column if look.person and look.person.several else None)
        kept = {*purpose.keep, *([purpose.predict] if purpose.predict else [])}
        seems = (n for n in names if usual[n].role is Role.QI and n not in kept)
        known = [*(seems if purpose.known is None else purpose.known)]
        columns, consent, notes = dict[str, str](), list[str](), list[Text]()
        for name in names:
            wanted = given.get(name) or _wanted(name, _FATES[usual[name].role], known, kept)
            seen = look[name]
            if name == who:
                wanted = DROP
            elif wanted != DROP and (identifying(seen) or seen.fate == "ask"):
                # Here `anonymize` would stop unless somebody named the column.
                if name in given or (name in purpose.named and not identifying(seen)):
                    consent.append(name)
                else:
                    notes += [_left_out(seen)] if name in purpose.named else []
                    wanted = DROP
            columns[name] = wanted
        shown = tuple(name for name in known if columns[name] != DROP)
        notes += _decided(look, columns, purpose, shown, who)
        if not any(fate == GENERALIZE for fate in columns.values()):
            raise UsageError(
                "no column is left that others may know of a person; name some with "
                f"{field_name('known')}",
                f"他人が知り得る属性の列がありません。{field_name('known')} で指定してください",
                field="known",
            )
        return cls(columns, shown, who or "", tuple(consent), tuple(notes))

    def released(self) -> list[str]:
        """The columns that could be released: over them losses are taken."""
        return [name for name, fate in self.columns.items() if fate != DROP]

    def rest(self) -> list[str]:
        """Columns that are generalized though the purpose does not count them as known."""
        return [n for n, fate in self.columns.items() if fate == GENERALIZE and n not in self.known]


def identifying(seen: LookColumn) -> bool:
    """Whether the column tells by itself who somebody is, or holds personal data in texts."""
    return seen.identifies or bool(seen.pii)


def _wanted(name: str, usual: str, known: list[str], kept: set[str]) -> str:
    """The fate by the purpose: what is known is generalized, what must stay leaves as it is."""
    if name in known:
        return GENERALIZE
    if name in kept:
        return PROTECT if usual == PROTECT else PASS
    return usual


def _left_out(seen: LookColumn) -> Text:
    return Text(
        f"'{seen.name}' is left out although the purpose names it: it may tell who somebody is. "
        "Decide otherwise in `tokumei look --save` or with fates",
        f"列 '{seen.name}' は目的で指定されていますが、個人を特定し得るため公開しません。"
        "`tokumei look --save` か fates で変更できます",
    )


def _decided(
    look: Look,
    columns: Mapping[str, str],
    purpose: Purpose,
    known: tuple[str, ...],
    who: str | None,
) -> list[Text]:
    """What was taken as answered, in words."""
    notes = []
    asked = [n for n in look.questions if look[n].fate == "ask" and columns[n] == DROP]
    if asked:
        listed = shortened(asked, 6)
        notes.append(
            Text(
                f"Left out because only you can judge them: {listed.en} (as --answers defaults)",
                f"判断できないため公開しない列: {listed.ja} (--answers defaults と同じ)",
            )
        )
    gone = [n for n, fate in columns.items() if fate == DROP and n not in asked and n != who]
    if gone:
        listed = shortened(gone, 6)
        notes.append(Text(f"Left out: {listed.en}", f"公開しない列: {listed.ja}"))
    if purpose.known is None and known:
        listed = shortened(known, 9)
        notes.append(Text(f"Taken as known: {listed.en}", f"知られ得るとみなした列: {listed.ja}"))
    if who and who != NONE:
        notes.append(Text(f"People are told apart by {who}", f"人数は列 {who} で数えます"))
    return notes
