"""Messages of `tokumei ledger` about figures, their assumptions and single claims."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.core.command import TextTable
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message, join_messages
from tokumei.ledger.entry import LedgerEntry
from tokumei.ledger.joint_risk import Check
from tokumei.ledger.limit_violations import REMEDIES
from tokumei.ledger.linked_risk import LinkedRisk
from tokumei.ledger.presence_and_invariance import MembershipChange


def check_report_lines(check: Check) -> list[TextTable | Message]:
    """The whole check, for a person to read."""
    lines: list[TextTable | Message] = [_describe_assumption(check), _single_releases_table(check)]
    if len(check.entries) > 1:
        lines += [
            *describe_linked_risk(check),
            *describe_unlinked_risk(check),
            *_other_risk_lines(check),
        ]
        lines += [table for table in [_linkage_table(check)] if table.rows]
        lines += (
            [_describe_worst_pair(check)]
            if check.worst is not None and len(check.entries) > 2
            else []
        )
        lines.append(describe_verdict(check))
    lines += [fault.message for fault in check.faults]
    return [*lines, *check.notes]


def recorded_message(ledger: object, entry: LedgerEntry) -> Message:
    """Where a release stands now."""
    return Message(
        "{ledger}: recorded as '{name}' for {recipient}",
        ledger=ledger,
        name=entry.name,
        recipient=entry.recipient,
    )


def describe_verdict(check: Check) -> Message:
    """What the coalition's releases are together, and what to do next."""
    linked, k = check.linked, check.k
    if linked is None or linked.k_min is None or k is None:
        return Message(
            "How small the joint classes are is not known: no link, nobody in common, or no k."
        )
    if linked.k_min >= k:
        return Message(
            "Together they keep k = {k} for everyone who is in all of them, counted over what "
            "makes up their classes (of tables: the quasi-identifiers), not over other public "
            "columns.",
            k=k,
        )
    return Message(
        "Together they do not keep k = {k}: {below} of {people} people are in a smaller "
        "joint class. This cannot be undone for releases that left. {remedies}.",
        k=k,
        below=linked.below_people,
        people=linked.people,
        remedies=REMEDIES,
    )


def releases_table(entries: Sequence[LedgerEntry]) -> TextTable:
    """The releases, in order."""
    header = ("#", Message("name"), Message("recipient"), Message("date"))
    more = (Message("method"), "k", Message("rows"), Message("people"))
    rows = [
        (
            str(entry.number),
            entry.name,
            entry.recipient,
            entry.made,
            entry.method or "–",
            "–" if entry.k is None else str(entry.k),
            f"{entry.rows:,}",
            f"{entry.people:,}",
        )
        for entry in entries
    ]
    return TextTable(Message("Releases"), (*header, *more), rows)


def _describe_assumption(check: Check) -> Message:
    return Message(
        "{count} release; assumed to share what they have: {recipients}. {people:,} people are in "
        "all of them.",
        plural="{count} releases; assumed to share what they have: {recipients}. {people:,} people "
        "are in all of them.",
        count=len(check.entries),
        recipients=join_messages(check.coalition),
        people=0 if check.linked is None else check.linked.people,
    )


def _single_releases_table(check: Check) -> TextTable:
    header = (Message("release"), Message("claimed k"))
    more = (Message("smallest class"), Message("below k"))
    rows = [
        (
            entry.name,
            "–" if entry.k is None else str(entry.k),
            "–" if not entry.linked else str(single.k_min),
            "–" if not entry.linked else format_percent(single.below),
            "–" if not entry.sensitive or not entry.linked else format_percent(single.certain),
        )
        for entry, single in zip(check.entries, check.singles, strict=True)
    ]
    last = Message("value certain")
    return TextTable(Message("Each alone"), (*header, *more, last), rows)


def describe_linked_risk(check: Check) -> list[Message]:
    """If rows of one person can be told in all of them."""
    if check.linked is None or not check.linked.people:
        return []
    risk: LinkedRisk = check.linked
    k = check.k or 2
    return [
        Message(
            "If rows are linked: joint k {k_min} (median {k_median:g}); below {k}: "
            "{below:percent}; alone in their class: {unique:percent}; sensitive value certain: "
            "{certain:percent}.",
            k_min=risk.k_min,
            k_median=risk.k_median,
            k=k,
            below=risk.below,
            unique=risk.unique,
            certain=risk.certain,
        )
    ]


def describe_unlinked_risk(check: Check) -> list[Message]:
    """If they cannot, and only public files and quasi-identifiers are known."""
    risk = check.unlinked
    if risk is None:
        return []
    right, sure = (_format_share(share) for share in (risk.probable_right, risk.certain_right))
    return [
        Message(
            "If they are not: value certain for {certain:percent} (right: {sure}); believed at .9 "
            "or more for {probable:percent} (right: {right}); a guess is right for "
            "{guess_before:percent} by the first release, for {guess:percent} by all; changed "
            "between releases: {changed:percent}.",
            certain=risk.certain,
            sure=sure,
            probable=risk.probable,
            right=right,
            guess_before=risk.guess_before,
            guess=risk.guess,
            changed=risk.changed,
        )
    ]


def _other_risk_lines(check: Check) -> list[Message]:
    lines = []
    if check.invariance is not None:
        result = check.invariance
        lines.append(
            Message(
                "m-invariance: {kept:percent} of people keep their class's set of values (smallest "
                "set {m}).",
                kept=result.kept,
                m=result.m,
            )
        )
    if check.presence is not None:
        lines.append(
            Message(
                "Presence in all of them is at least 90 % sure for {share:percent} of these "
                "people.",
                share=check.presence.sure,
            )
        )
    for change in check.absent:
        if change.leavers or change.joiners:
            lines.append(_describe_membership_change(check, change))
    return lines


def _describe_membership_change(check: Check, change: MembershipChange) -> Message:
    names = check.entries[change.first].name, check.entries[change.second].name
    return Message(
        "From '{first}' to '{second}': {leavers} people left ({leavers_exposed} of them are "
        "exposed because their class lost only a few), {joiners} joined ({joiners_exposed} "
        "exposed in the same way); {stranded} people stay in a class that kept too few, which no "
        "recoding repairs.",
        first=names[0],
        second=names[1],
        leavers=change.leavers,
        leavers_exposed=change.leavers_exposed,
        joiners=change.joiners,
        joiners_exposed=change.joiners_exposed,
        stranded=change.stranded,
    )


def _linkage_table(check: Check) -> TextTable:
    rows = [
        (
            "FAIL" if evidence.linked else "PASS",
            " + ".join(evidence.releases),
            evidence.test,
            evidence.sentence.show(),
        )
        for evidence in check.linkage
    ]
    header = ("", Message("releases"), Message("test"), Message("evidence"))
    return TextTable(Message("Can rows be linked?"), header, rows)


def _describe_worst_pair(check: Check) -> Message:
    pair = check.worst
    assert pair is not None
    names = " + ".join(check.entries[release].name for release in pair.releases)
    return Message(
        "Worst pair: {names} ({below:percent} below k, {unique:percent} alone).",
        names=names,
        below=pair.below,
        unique=pair.unique,
    )


def _format_share(share: float | None) -> str:
    return "–" if share is None else format_percent(share)
