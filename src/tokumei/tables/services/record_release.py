"""Checks a release against all earlier ones of a ledger, then writes and records it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.data.table import Release, Table
    from tokumei.tables.services.requests import (
        AnonymizeTableRequest,
        LedgerRequest,
        ReleaseFiles,
        TableRequest,
    )


def save_and_record(
    request: AnonymizeTableRequest, files: ReleaseFiles, source: Table, release: Release
) -> list[Message]:
    """Check, write and record a release, or do nothing of it; return the notes."""
    from tokumei.ledger.check_messages import (
        describe_linked_risk,
        describe_unlinked_risk,
        recorded_message,
    )
    from tokumei.ledger.ledger import Ledger
    from tokumei.ledger.release_recording import save_and_record as save_in_ledger
    from tokumei.tables.kind import TABLES

    ledger, recipient = request.ledger, str(request.ledger.recipient)
    ledger_store = Ledger(str(ledger.folder), ledger.key_file)
    keeps = None
    if ledger.invariant is not None:
        keeps = ledger_store.entry(str(ledger.reuse)), ledger.invariant
    joint = save_in_ledger(
        ledger_store,
        TABLES,
        release,
        TABLES.contribution(release, source, person_column(request.table)),
        files.out,
        recipient=recipient,
        name=ledger.name,
        joint_k=ledger.joint_k,
        coalition=(*ledger.coalition, recipient) if ledger.coalition else (),
        keeps=keeps,
        secret=files.secret,
        **files.form,
    )
    has_earlier = len(joint.entries) > 1
    recorded_note = recorded_message(ledger.folder, joint.entries[-1])
    if withheld_rows := source.rows - release.public.rows:
        from tokumei.tables.ledger.earlier_class_methods import describe_withheld_rows

        ledger_store.notes.append(describe_withheld_rows(withheld_rows, source.rows))
    figures = [*describe_linked_risk(joint), *describe_unlinked_risk(joint)] if has_earlier else []
    return [*ledger_store.notes, *joint.notes, recorded_note, *figures]


def keep_earlier_classes(
    request: AnonymizeTableRequest, table: Table, method: TableMethod
) -> TableMethod:
    """Return the method that keeps the classes of the earlier releases named."""
    import numpy as np

    from tokumei.files.column_types import decode_categories
    from tokumei.ledger.release_recording import recorded_class_of, recorded_signatures_of
    from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer
    from tokumei.tables.ledger.earlier_class_methods import CutKeepingClasses, ReuseClasses
    from tokumei.tables.ledger.m_invariance import MInvariantClasses

    if not isinstance(method, KAnonymizer) or method.conditions or method.person:
        raise UsageError(
            "--reuse, --apart and --coarsen-of need one k-anonymizing method without conditions"
        )
    from tokumei.ledger.ledger import Ledger

    ledger = request.ledger
    ledger_store = Ledger(str(ledger.folder), ledger.key_file)
    names = [name for name in (ledger.reuse, ledger.coarsen_of, *ledger.apart) if name]
    column = person_column(request.table)
    ids = decode_categories(table.frame.select(column))[column]
    earlier = tuple(
        recorded_class_of(ledger_store, ledger_store.entry(name), ids) for name in names
    )
    if ledger.invariant is not None:
        entry, sa = ledger_store.entry(str(ledger.reuse)), table.schema.sa
        return MInvariantClasses(
            method.k,
            earlier=earlier,
            wait=ledger.wait,
            m=ledger.invariant,
            shown=recorded_signatures_of(ledger_store, entry, earlier[0], sa),
            codes=np.stack(
                [
                    ledger_store.codes.value_codes(decode_categories(table.frame)[sensitive_column])
                    for sensitive_column in sa
                ],
                axis=1,
            ),
        )
    if ledger.reuse:
        return ReuseClasses(method.k, earlier=earlier, wait=ledger.wait)
    is_coarsening = ledger.coarsen_of is not None
    return CutKeepingClasses(method.k, earlier=earlier, wait=ledger.wait, whole=is_coarsening)


def person_column(table: TableRequest) -> str:
    """The column that names people for the ledger: --person, else the first --id."""
    if table.person not in (None, "none"):
        return str(table.person)
    _require_person_id(table.id)
    assert table.id is not None
    return table.id[0]


def require_recordable(table: TableRequest, ledger: LedgerRequest, engine: str) -> None:
    """Fail early where a release cannot be recorded, or an option of the ledger stands alone."""
    option_values = {
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
    for option, value in option_values.items():
        if value and ledger.folder is None:
            raise UsageError("--{option} needs --ledger", option=option)
    if ledger.folder is None:
        return
    if engine != "local":
        raise UsageError("--ledger needs rows in memory (--engine local)")
    if not ledger.recipient:
        raise UsageError("--ledger needs --recipient")
    person_column(table)
    if ledger.invariant is not None and not ledger.reuse:
        raise UsageError("--invariant needs --reuse")
    reuse_options = [
        option_value
        for option_value in (ledger.reuse, ledger.apart, ledger.coarsen_of)
        if option_value
    ]
    if len(reuse_options) > 1 or (ledger.wait and not reuse_options):
        raise UsageError(
            "give only one of --reuse, --apart and --coarsen-of; --wait needs one of them"
        )


def _require_person_id(ids: object) -> None:
    """Fail unless it was said which column names people."""
    if not ids:
        raise UsageError(
            "--ledger needs {option}: the column that names people (it is dropped from the "
            "release)",
            option=field_name("id"),
        )
