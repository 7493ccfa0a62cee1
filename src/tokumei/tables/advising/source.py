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
from tokumei.tables.choosing.choose import shortened
from tokumei.tables.data.account import Consent
from tokumei.tables.data.schema import Role
from tokumei.tables.data.table import Table
from tokumei.tables.look.normalized import normalized
from tokumei.tables.look.result import Look, LookColumn
from tokumei.tables.releasing.opening import NONE, Opened, roles_of
from tokumei.tables.services.anonymize import ReleasedTable, plan_source, release_table
from tokumei.tables.services.read_table import ReadTable
from tokumei.tables.services.requests import AnonymizeTableRequest, TableRequest

_FATES = {Role.QI: GENERALIZE, Role.SA: PROTECT, Role.OTHER: PASS, Role.ID: DROP}


@dataclass(frozen=True, eq=False)
class TableSource:
    """A table as it was read, its profile, and the request that says how it is to be read.

    `reading` are the options of that request which are not as usual, for the command line.
    """

    read: ReadTable
    look: Look
    request: TableRequest = field(default_factory=TableRequest)
    notes: tuple[Text, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)
    hierarchies: Mapping[str, str] = field(default_factory=dict)
    """Files of the owner's own hierarchies, by column; the others are proposed."""

    @property
    def table(self) -> Table:
        """The rows as they were read."""
        return self.read.table

    def release(self, candidate: Request, *, seed: int | None) -> ReleasedTable:
        """Make and verify the release of a candidate, as `anonymize table` makes it."""
        return release_table(self._request(candidate, seed), self.read, profile=self.look)

    def plan(self, candidate: Request) -> Opened:
        """Plan what becomes of every column in the release of a candidate."""
        return plan_source(self._request(candidate, None), self.read, self.look)

    def _request(self, candidate: Request, seed: int | None) -> AnonymizeTableRequest:
        table = self._table_request(candidate)
        return AnonymizeTableRequest(table=table, steps=candidate.steps, seed=seed)

    def _table_request(self, candidate: Request) -> TableRequest:
        """The request of a table whose columns become what a candidate says."""
        consent = candidate.consent
        return replace(
            self.request,
            method=tuple(str(step["method"]) for step in candidate.steps),
            qi=tuple(candidate.with_fate(GENERALIZE)),
            sa=tuple(candidate.with_fate(PROTECT)),
            id=tuple(candidate.with_fate(DROP)),
            passed=tuple(name for name in consent if candidate.columns[name] in (PASS, PROTECT)),
            qi_anyway=tuple(name for name in consent if candidate.columns[name] == GENERALIZE),
            person=candidate.person or None,
            drop=(),
            identifiers=self._identifiers,
            bad_cells="missing" if self.reading.get("bad_cells") == "missing" else "refuse",
        )

    @property
    def _identifiers(self) -> tuple[str, ...]:
        """The columns that the owner called identifiers; others are dropped for other reasons."""
        named = self.request.identifiers
        return (self.request.id or ()) if named is None else named

    def readable(self) -> TableSource:
        """The same; cells that fit neither number nor day become gaps if there are any."""
        names = [c.name for c in self.look.columns]
        if self.request.bad_cells == "missing":
            return self
        try:
            normalized(
                self.table,
                self.look,
                names,
                line_of=self.read.line_of or (lambda row: row + 1),
                bad_missing=False,
                off=self.request.no_normalize,
            )
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
