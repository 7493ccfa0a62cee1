"""Messages of `tokumei ledger` about figures, their assumptions and single claims."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.core.command import TextTable
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message
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
        f"{ledger}: recorded as '{entry.name}' for {entry.recipient}",
        f"{ledger}: '{entry.name}' として記録しました ({entry.recipient})",
    )


def describe_verdict(check: Check) -> Message:
    """What the coalition's releases are together, and what to do next."""
    linked, k = check.linked, check.k
    if linked is None or linked.k_min is None or k is None:
        return Message(
            "How small the joint classes are is not known: no link, nobody in common, or no k.",
            "共通クラスの大きさは分かりません (対応表、共通の人、k のいずれかがありません)。",
        )
    if linked.k_min >= k:
        return Message(
            f"Together they keep k = {k} for everyone who is in all of them, counted over what "
            "makes up their classes (of tables: the quasi-identifiers), not over other public "
            "columns.",
            "クラスを決める列 (表では準識別子) で数えると、合わせても、すべてに含まれる人の "
            f"k = {k} が保たれます。それ以外の公開列は含みません。",
        )
    return Message(
        f"Together they do not keep k = {k}: {linked.below_people} of {linked.people} people are "
        f"in a smaller joint class. This cannot be undone for releases that left. {REMEDIES.en}.",
        f"合わせると k = {k} は保たれません。{linked.people} 人中 {linked.below_people} 人が、より"
        f"小さな共通クラスに入ります。渡した匿名加工データについては取り消せません。{REMEDIES.ja}。",
    )


def releases_table(entries: Sequence[LedgerEntry]) -> TextTable:
    """The releases, in order."""
    header = ("#", Message("name", "名前"), Message("recipient", "受領者"), Message("date", "日付"))
    more = (Message("method", "手法"), "k", Message("rows", "行"), Message("people", "人"))
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
    return TextTable(Message("Releases", "匿名加工データ"), (*header, *more), rows)


def _describe_assumption(check: Check) -> Message:
    names, people = ", ".join(check.coalition), 0 if check.linked is None else check.linked.people
    return Message(
        f"{len(check.entries)} releases; assumed to share what they have: {names}. "
        f"{people:,} people are in all of them.",
        f"匿名加工データ {len(check.entries)} 件。情報を持ち寄ると仮定する受領者: {names}。"
        f"すべてに含まれる人: {people:,} 人。",
    )


def _single_releases_table(check: Check) -> TextTable:
    header = (Message("release", "匿名加工データ"), Message("claimed k", "主張する k"))
    more = (Message("smallest class", "最小クラス"), Message("below k", "k 未満"))
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
    last = Message("value certain", "値が確定")
    return TextTable(Message("Each alone", "それぞれ単独"), (*header, *more, last), rows)


def describe_linked_risk(check: Check) -> list[Message]:
    """If rows of one person can be told in all of them."""
    if check.linked is None or not check.linked.people:
        return []
    risk: LinkedRisk = check.linked
    k = check.k or 2
    return [
        Message(
            f"If rows are linked: joint k {risk.k_min} (median {risk.k_median:g}); below {k}: "
            f"{format_percent(risk.below)}; alone in their class: {format_percent(risk.unique)}; "
            f"sensitive value "
            f"certain: {format_percent(risk.certain)}.",
            f"行が結び付く場合: 共通クラスの最小は {risk.k_min} 人 (中央値 {risk.k_median:g})、"
            f"{k} 人"
            f"未満は {format_percent(risk.below)}、一人だけは {format_percent(risk.unique)}、機密"
            f"属性の値の確定は "
            f"{format_percent(risk.certain)}。",
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
            f"If they are not: value certain for {format_percent(risk.certain)} (right: {sure}); "
            f"believed "
            f"at .9 or more for {format_percent(risk.probable)} (right: {right}); a guess is "
            f"right for "
            f"{format_percent(risk.guess_before)} by the first release, for "
            f"{format_percent(risk.guess)} by all; "
            f"changed between releases: {format_percent(risk.changed)}.",
            f"結び付かない場合: 値の確定は {format_percent(risk.certain)} (正解 {sure})、確率 .9 "
            f"以上の推定"
            f"は {format_percent(risk.probable)} (正解 {right})、推測の正解率は最初の 1 件で "
            f"{format_percent(risk.guess_before)}、全体で {format_percent(risk.guess)}、途中で値"
            f"が変わった人は "
            f"{format_percent(risk.changed)}。",
        )
    ]


def _other_risk_lines(check: Check) -> list[Message]:
    lines = []
    if check.invariance is not None:
        result = check.invariance
        lines.append(
            Message(
                f"m-invariance: {format_percent(result.kept)} of people keep their class's set "
                f"of values "
                f"(smallest set {result.m}).",
                f"m-不変性: クラスの値の集合が変わらない人は {format_percent(result.kept)} (最小"
                f"の集合 "
                f"{result.m})。",
            )
        )
    if check.presence is not None:
        sure = format_percent(check.presence.sure)
        lines.append(
            Message(
                f"Presence in all of them is at least 90 % sure for {sure} of these people.",
                f"すべてに含まれることが 90 % 以上確からしい人: {sure}。",
            )
        )
    for change in check.absent:
        if change.leavers or change.joiners:
            lines.append(_describe_membership_change(check, change))
    return lines


def _describe_membership_change(check: Check, change: MembershipChange) -> Message:
    names = check.entries[change.first].name, check.entries[change.second].name
    return Message(
        f"From '{names[0]}' to '{names[1]}': {change.leavers} left ({change.leavers_exposed} of "
        f"them "
        f"told by a class that lost few), {change.joiners} joined ({change.joiners_exposed}); "
        f"{change.stranded} people stay in a class that kept too few, which no recoding repairs.",
        f"'{names[0]}' から '{names[1]}' へ: {change.leavers} 人が抜け (うち "
        f"{change.leavers_exposed} "
        f"人は少人数のため判明)、{change.joiners} 人が加わり (同 {change.joiners_exposed} 人)、"
        f"{change.stranded} 人は残りが k 人未満のクラスにいて、再符号化では守れません。",
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
    header = (
        "",
        Message("releases", "匿名加工データ"),
        Message("test", "検査"),
        Message("evidence", "根拠"),
    )
    return TextTable(Message("Can rows be linked?", "行は結び付くか"), header, rows)


def _describe_worst_pair(check: Check) -> Message:
    pair = check.worst
    assert pair is not None
    names = " + ".join(check.entries[release].name for release in pair.releases)
    return Message(
        f"Worst pair: {names} ({format_percent(pair.below)} below k, "
        f"{format_percent(pair.unique)} alone).",
        f"最も危険な組: {names} (k 未満 {format_percent(pair.below)}、一人だけ "
        f"{format_percent(pair.unique)})。",
    )


def _format_share(share: float | None) -> str:
    return "–" if share is None else format_percent(share)
