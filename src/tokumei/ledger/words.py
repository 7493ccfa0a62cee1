"""What `tokumei ledger` says of figures: each under its assumption, beside every single claim."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.core.ask import Listing
from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.ledger.absent import Absent
from tokumei.ledger.check import Check
from tokumei.ledger.entry import Entry
from tokumei.ledger.limits import NEXT
from tokumei.ledger.linked import Linked


def told(found: Check) -> list[Listing | Text]:
    """The whole check, for a person to read."""
    lines: list[Listing | Text] = [_assumed(found), _singles(found)]
    if len(found.entries) > 1:
        lines += [*linked_words(found), *unlinked_words(found), *_more(found)]
        lines += [one for one in [_linkage(found)] if one.rows]
        lines += [_worst(found)] if found.worst is not None and len(found.entries) > 2 else []
        lines.append(verdict(found))
    lines += [fault.message for fault in found.faults]
    return [*lines, *found.notes]


def recorded_as(ledger: object, entry: Entry) -> Text:
    """Where a release stands now."""
    return Text(
        f"{ledger}: recorded as '{entry.name}' for {entry.recipient}",
        f"{ledger}: '{entry.name}' として記録しました ({entry.recipient})",
    )


def verdict(found: Check) -> Text:
    """What the coalition's releases are together, and what to do next."""
    linked, k = found.linked, found.k
    if linked is None or linked.k_min is None or k is None:
        return Text(
            "How small the joint classes are is not known: no link, nobody in common, or no k.",
            "共通クラスの大きさは分かりません (対応表、共通の人、k のいずれかがありません)。",
        )
    if linked.k_min >= k:
        return Text(
            f"Together they keep k = {k} for everyone who is in all of them, counted over what "
            "makes up their classes (of tables: the quasi-identifiers), not over other public "
            "columns.",
            "クラスを決める列 (表では準識別子) で数えると、合わせても、すべてに含まれる人の "
            f"k = {k} が保たれます。それ以外の公開列は含みません。",
        )
    return Text(
        f"Together they do not keep k = {k}: {linked.below_people} of {linked.people} people are "
        f"in a smaller joint class. This cannot be undone for releases that left. {NEXT.en}.",
        f"合わせると k = {k} は保たれません。{linked.people} 人中 {linked.below_people} 人が、より"
        f"小さな共通クラスに入ります。渡した匿名加工データについては取り消せません。{NEXT.ja}。",
    )


def listing(entries: Sequence[Entry]) -> Listing:
    """The releases, in order."""
    header = ("#", Text("name", "名前"), Text("recipient", "受領者"), Text("date", "日付"))
    more = (Text("method", "手法"), "k", Text("rows", "行"), Text("people", "人"))
    rows = [
        (
            str(one.number),
            one.name,
            one.recipient,
            one.made,
            one.method or "–",
            "–" if one.k is None else str(one.k),
            f"{one.rows:,}",
            f"{one.people:,}",
        )
        for one in entries
    ]
    return Listing(Text("Releases", "匿名加工データ"), (*header, *more), rows)


def _assumed(found: Check) -> Text:
    names, people = ", ".join(found.coalition), 0 if found.linked is None else found.linked.people
    return Text(
        f"{len(found.entries)} releases; assumed to share what they have: {names}. "
        f"{people:,} people are in all of them.",
        f"匿名加工データ {len(found.entries)} 件。情報を持ち寄ると仮定する受領者: {names}。"
        f"すべてに含まれる人: {people:,} 人。",
    )


def _singles(found: Check) -> Listing:
    header = (Text("release", "匿名加工データ"), Text("claimed k", "主張する k"))
    more = (Text("smallest class", "最小クラス"), Text("below k", "k 未満"))
    rows = [
        (
            entry.name,
            "–" if entry.k is None else str(entry.k),
            "–" if not entry.linked else str(one.k_min),
            "–" if not entry.linked else percent(one.below),
            "–" if not entry.sensitive or not entry.linked else percent(one.certain),
        )
        for entry, one in zip(found.entries, found.singles, strict=True)
    ]
    last = Text("value certain", "値が確定")
    return Listing(Text("Each alone", "それぞれ単独"), (*header, *more, last), rows)


def linked_words(found: Check) -> list[Text]:
    """If rows of one person can be told in all of them."""
    if found.linked is None or not found.linked.people:
        return []
    one: Linked = found.linked
    k = found.k or 2
    return [
        Text(
            f"If rows are linked: joint k {one.k_min} (median {one.k_median:g}); below {k}: "
            f"{percent(one.below)}; alone in their class: {percent(one.unique)}; sensitive value "
            f"certain: {percent(one.certain)}.",
            f"行が結び付く場合: 共通クラスの最小は {one.k_min} 人 (中央値 {one.k_median:g})、{k} 人"
            f"未満は {percent(one.below)}、一人だけは {percent(one.unique)}、機密属性の値の確定は "
            f"{percent(one.certain)}。",
        )
    ]


def unlinked_words(found: Check) -> list[Text]:
    """If they cannot, and only public files and quasi-identifiers are known."""
    one = found.unlinked
    if one is None:
        return []
    right, sure = (_of(share) for share in (one.probable_right, one.certain_right))
    return [
        Text(
            f"If they are not: value certain for {percent(one.certain)} (right: {sure}); believed "
            f"at .9 or more for {percent(one.probable)} (right: {right}); a guess is right for "
            f"{percent(one.guess_before)} by the first release, for {percent(one.guess)} by all; "
            f"changed between releases: {percent(one.changed)}.",
            f"結び付かない場合: 値の確定は {percent(one.certain)} (正解 {sure})、確率 .9 以上の推定"
            f"は {percent(one.probable)} (正解 {right})、推測の正解率は最初の 1 件で "
            f"{percent(one.guess_before)}、全体で {percent(one.guess)}、途中で値が変わった人は "
            f"{percent(one.changed)}。",
        )
    ]


def _more(found: Check) -> list[Text]:
    lines = []
    if found.invariance is not None:
        one = found.invariance
        lines.append(
            Text(
                f"m-invariance: {percent(one.kept)} of people keep their class's set of values "
                f"(smallest set {one.m}).",
                f"m-不変性: クラスの値の集合が変わらない人は {percent(one.kept)} (最小の集合 "
                f"{one.m})。",
            )
        )
    if found.presence is not None:
        sure = percent(found.presence.sure)
        lines.append(
            Text(
                f"Presence in all of them is at least 90 % sure for {sure} of these people.",
                f"すべてに含まれることが 90 % 以上確からしい人: {sure}。",
            )
        )
    for gone in found.absent:
        if gone.leavers or gone.joiners:
            lines.append(_absent_words(found, gone))
    return lines


def _absent_words(found: Check, gone: Absent) -> Text:
    names = found.entries[gone.first].name, found.entries[gone.second].name
    return Text(
        f"From '{names[0]}' to '{names[1]}': {gone.leavers} left ({gone.leavers_exposed} of them "
        f"told by a class that lost few), {gone.joiners} joined ({gone.joiners_exposed}); "
        f"{gone.stranded} people stay in a class that kept too few, which no recoding repairs.",
        f"'{names[0]}' から '{names[1]}' へ: {gone.leavers} 人が抜け (うち {gone.leavers_exposed} "
        f"人は少人数のため判明)、{gone.joiners} 人が加わり (同 {gone.joiners_exposed} 人)、"
        f"{gone.stranded} 人は残りが k 人未満のクラスにいて、再符号化では守れません。",
    )


def _linkage(found: Check) -> Listing:
    rows = [
        ("FAIL" if one.linked else "PASS", " + ".join(one.releases), one.test, one.sentence.show())
        for one in found.linkage
    ]
    header = (
        "",
        Text("releases", "匿名加工データ"),
        Text("test", "検査"),
        Text("evidence", "根拠"),
    )
    return Listing(Text("Can rows be linked?", "行は結び付くか"), header, rows)


def _worst(found: Check) -> Text:
    one = found.worst
    assert one is not None
    names = " + ".join(found.entries[place].name for place in one.releases)
    return Text(
        f"Worst pair: {names} ({percent(one.below)} below k, {percent(one.unique)} alone).",
        f"最も危険な組: {names} (k 未満 {percent(one.below)}、一人だけ {percent(one.unique)})。",
    )


def _of(share: float | None) -> str:
    return "–" if share is None else percent(share)
