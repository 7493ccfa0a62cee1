"""Checks a release against all earlier ones of a ledger, then writes and records it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.data.table import Release, Table
    from tokumei.tables.services.requests import (
        AnonymizeTableRequest,
        LedgerRequest,
        ReleaseFiles,
        TableRequest,
    )


def save_recorded(
    request: AnonymizeTableRequest,
    files: ReleaseFiles,
    source: Table,
    release: Release,
    *,
    sep: str,
) -> list[Text]:
    """Check, write and record a release, or do nothing of it; return the notes."""
    from tokumei.files.releases import save_release
    from tokumei.ledger.book import Ledger
    from tokumei.ledger.recording import (
        Recording,
        joint_check,
        require_invariant,
        require_joint,
        said_of,
    )
    from tokumei.ledger.words import linked_words, recorded_as, unlinked_words
    from tokumei.tables.kind import TABLES

    ledger = request.ledger
    book = Ledger(str(ledger.folder), ledger.key_file)
    given = TABLES.contribution(release, source, person_column(request.table))
    with book.writing():
        said = said_of(book, release, str(ledger.recipient), ledger.name)
        draft = book.draft(given, said, public=files.out)
        everyone = (*ledger.coalition, str(ledger.recipient)) if ledger.coalition else ()
        found = require_joint(joint_check(book, draft, coalition=everyone, joint_k=ledger.joint_k))
        if ledger.invariant is not None:
            require_invariant(book, book.entry(str(ledger.reuse)), draft, ledger.invariant)
        form = {"secret": files.secret, "sep": sep, **files.form}
        save_release(TABLES, release, files.out, record=Recording(book, draft), **form)
    several = len(found.entries) > 1
    told = recorded_as(ledger.folder, draft.entry)
    if waiting := source.rows - release.public.rows:
        from tokumei.tables.ledger.defences import held_back

        book.notes.append(held_back(waiting, source.rows))
    figures = [*linked_words(found), *unlinked_words(found)] if several else []
    return [*book.notes, *found.notes, told, *figures]


def keep_earlier_classes(
    request: AnonymizeTableRequest, table: Table, method: TableMethod
) -> TableMethod:
    """Return the method that keeps the classes of the earlier releases named."""
    import numpy as np

    from tokumei.files.compact import as_text
    from tokumei.ledger.recording import earlier_classes, earlier_signatures
    from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer
    from tokumei.tables.ledger.defences import Again, Apart
    from tokumei.tables.ledger.invariant import Invariant

    if not isinstance(method, KAnonymizer) or method.conditions or method.person:
        raise UsageError(
            "--reuse, --apart and --coarsen-of need one k-anonymizing method without conditions",
            "--reuse、--apart、--coarsen-of には、条件のない k-匿名化の手法が一つ必要です",
        )
    from tokumei.ledger.book import Ledger

    ledger = request.ledger
    book = Ledger(str(ledger.folder), ledger.key_file)
    names = [name for name in (ledger.reuse, ledger.coarsen_of, *ledger.apart) if name]
    column = person_column(request.table)
    ids = as_text(table.frame.select(column))[column]
    earlier = tuple(earlier_classes(book, book.entry(name), ids) for name in names)
    if ledger.invariant is not None:
        entry, sa = book.entry(str(ledger.reuse)), table.schema.sa
        return Invariant(
            method.k,
            earlier=earlier,
            wait=ledger.wait,
            m=ledger.invariant,
            shown=earlier_signatures(book, entry, earlier[0], sa),
            codes=np.stack([book.codes.values(as_text(table.frame)[one]) for one in sa], axis=1),
        )
    if ledger.reuse:
        return Again(method.k, earlier=earlier, wait=ledger.wait)
    whole = ledger.coarsen_of is not None
    return Apart(method.k, earlier=earlier, wait=ledger.wait, whole=whole)


def person_column(table: TableRequest) -> str:
    """The column that names people for the ledger: --person, else the first --id."""
    if table.person not in (None, "none"):
        return str(table.person)
    _require_people(table.id)
    assert table.id is not None
    return table.id[0]


def require_recordable(table: TableRequest, ledger: LedgerRequest, engine: str) -> None:
    """Fail early where a release cannot be recorded, or an option of the ledger stands alone."""
    given = {
        "recipient": ledger.recipient,
        "reuse": ledger.reuse,
        "apart": ledger.apart,
        "coarsen-of": ledger.coarsen_of,
        "wait": ledger.wait,
        "invariant": ledger.invariant,
        "joint-k": ledger.joint_k,
        "coalition": ledger.coalition,
        "name": ledger.name,
        "ledger-key": ledger.key_file,
    }
    for option, value in given.items():
        if value and ledger.folder is None:
            raise UsageError(f"--{option} needs --ledger", f"--{option} には --ledger が必要です")
    if ledger.folder is None:
        return
    if engine != "local":
        raise UsageError(
            "--ledger needs rows in memory (--engine local)",
            "--ledger はメモリ上の行 (--engine local) でだけ使えます",
        )
    if not ledger.recipient:
        raise UsageError("--ledger needs --recipient", "--ledger には --recipient が必要です")
    person_column(table)
    if ledger.invariant is not None and not ledger.reuse:
        raise UsageError("--invariant needs --reuse", "--invariant には --reuse が必要です")
    ways = [one for one in (ledger.reuse, ledger.apart, ledger.coarsen_of) if one]
    if len(ways) > 1 or (ledger.wait and not ways):
        raise UsageError(
            "give one of --reuse, --apart, --coarsen-of; --wait only beside one of them",
            "--reuse、--apart、--coarsen-of はどれか一つです。--wait はそのどれかと併用します",
        )


def _require_people(ids: object) -> None:
    """Fail unless it was said which column names people."""
    if not ids:
        raise UsageError(
            f"--ledger needs {field_name('id')}: the column that names people "
            "(it is dropped from the release)",
            f"--ledger には {field_name('id')} (人を表す列。公開データからは削除) が必要です",
        )
