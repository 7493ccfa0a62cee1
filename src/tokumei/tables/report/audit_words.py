"""The words of an audit: one sentence per question, in people; who is who; what was not tried."""

from __future__ import annotations

from tokumei.core.figures import percent, percent_range
from tokumei.core.text import Text
from tokumei.tables.audit.attribute import Attribute
from tokumei.tables.audit.audit import Audit
from tokumei.tables.audit.intervals import Interval
from tokumei.tables.audit.membership import Membership
from tokumei.tables.audit.singling_out import SinglingOut

MODELS = {
    "together": Text(
        "The attacker is assumed to have a list of people with everybody in the data on it, does "
        "not know who these are, and lets all of them compete for the released rows (the worst "
        "case).",
        "攻撃者は、データに含まれる全員が載った名簿をもつと仮定しています。誰が含まれるかは知らず、"
        "名簿の全員を公開行と突き合わせて比べます（最悪の場合）。",
    ),
    "alone": Text(
        "The attacker is assumed to have the release and a sample of the population, and looks at "
        "one person at a time.",
        "攻撃者は、公開データと母集団の標本をもち、一人ずつ調べると仮定しています。",
    ),
}
NOT_TRIED = (
    Text(
        "attackers who rebuild the anonymizer and train on many releases of their own "
        "(shadow models)",
        "匿名加工の方法を再現し、多数の公開データで学習する攻撃者（シャドーモデル）",
    ),
    Text(
        "attackers who know more than the columns given, or an earlier release of the same people",
        "指定した列以外の情報や、同じ人々の過去の公開データをもつ攻撃者",
    ),
    Text(
        "people whose values are unlike those of members and control",
        "メンバーとも対照とも値の異なる人々",
    ),
)
QUESTIONS = {
    "membership": Text("Was somebody in the data?", "データに含まれていたかどうか分かるか"),
    "attribute": Text("Can a sensitive value be inferred?", "機密の値を推測できるか"),
    "singling-out": Text("Can somebody be singled out?", "一人に絞り込めるか"),
}


def counted(share: float, of: int) -> str:
    """A share of people as a number of them."""
    return f"{round(share * of):,}"


def signed_range(one: Interval) -> str:
    """An interval in percent whose ends may be negative."""
    if one.low >= 0:
        return percent_range(one.low, one.high)
    low = f"−{percent(-one.low)}"
    high = percent(one.high) if one.high >= 0 else f"−{percent(-one.high)}"
    return f"{low} … {high}"


def signed(value: float) -> str:
    """A share in percent that may be negative."""
    return percent(value) if value >= 0 else f"−{percent(-value)}"


def membership_verdict(found: Membership, members: int) -> Text:
    """How many members are recognised, at how many false alarms."""
    rates = found.best.tpr
    if not rates:
        return Text("There are too few controls to say.", "対照が少なすぎて判断できません。")
    rate = 0.01 if 0.01 in rates else max(rates)
    one, false = rates[rate], round(1 / rate)
    top = found.ceiling.tpr[rate].value
    hits, best = counted(one.value, members), counted(top, members)
    low, high = counted(one.low, members), counted(one.high, members)
    end = Text(
        f"With the original rows in hand it would be {best}.",
        f"元の行そのものを見れば {best} 人です。",
    )
    if found.corrected.low > 0.5:
        return Text(
            f"Yes. Of the {members:,} people in the data an attacker can pick out {hits} "
            f"(interval {low}–{high}), and is wrong about one in {false:,} of those who are not in "
            f"it. {end.en}",
            f"はい。データに含まれる {members:,} 人のうち {hits} 人（区間 {low}–{high} 人）を"
            f"見分けられます（含まれない人を誤って「含まれる」とするのは {false:,} 人に 1 人）。"
            f"{end.ja}",
        )
    return Text(
        f"No more than by chance, with these attacks: of the {members:,} people in the data they "
        f"pick out {hits} (upper end {counted(one.high, members)}), and are wrong about one in "
        f"{false:,} of those who are not in it. {end.en}",
        "これらの攻撃では、偶然と変わりませんでした。"
        f"データに含まれる {members:,} 人のうち見分けられるのは {hits} 人（区間の上端 "
        f"{counted(one.high, members)} 人）で、含まれない人を誤って「含まれる」とするのは "
        f"{false:,} 人に 1 人です。{end.ja}",
    )


def attribute_verdict(found: Attribute, members: int) -> Text:
    """How many members are guessed right, against people who are not in the data."""
    best, name = found.best, found.column
    hits, others = counted(best.members, members), percent(best.control)
    added, span = signed(found.corrected.value), signed_range(found.corrected)
    if found.corrected.low > 0:
        text = Text(
            f"Yes. {name} is guessed right for {hits} of the {members:,} people in the data, but "
            f"only for {others} of people who are not in it. Of those whom general knowledge would "
            f"not have given away, the release gives away {added} ({span}).",
            f"はい。{name} は、データに含まれる {members:,} 人中 {hits} 人で当たりますが、"
            f"含まれない人では {others} しか当たりません。一般的な知識では当てられない人の"
            f"うち {added}（{span}）が、この公開データによって知られます。",
        )
    else:
        text = Text(
            f"For {name}, no more than general knowledge tells, with these attacks: right for "
            f"{hits} of the {members:,} people in the data and for {others} of people who are not "
            f"in it; what the release adds has an upper end of {signed(found.corrected.high)}.",
            f"{name} については、これらの攻撃では一般的な知識を超える推測はできませんでした。"
            f"データに含まれる {members:,} 人中 {hits} 人、含まれない人の {others} で当たり、公開"
            f"データによる上乗せの区間の上端は {signed(found.corrected.high)} です。",
        )
    if not best.certain:
        return text
    right = percent(best.certain_right or 0.0)
    return Text(
        f"{text.en} For {best.certain:,} people all rows that fit say the same, which is right "
        f"for {right} of them.",
        f"{text.ja}{best.certain:,} 人については当てはまる行の値がすべて同じで、そのうち {right} が"
        "正解です。",
    )


def singling_verdict(found: list[SinglingOut]) -> Text:
    """How many people descriptions from the release single out, against people not in it."""
    tried = [one for one in found if one.risk is not None]
    if not tried:
        return Text(
            "The release has too few descriptions that fit one row only to give a rate.",
            "一行だけに当てはまる記述が少なすぎるため、割合は示しません。",
        )
    one = max(tried, key=lambda one: one.members - one.control)
    assert one.risk is not None
    en = (
        f"descriptions by {one.columns} columns, taken from the release, fit nobody else for "
        f"{one.members:,} of {one.people:,} people in the data, and for {one.control:,} of as many "
        f"who are not in it; the release adds {signed(one.risk.value)} ({signed_range(one.risk)}) "
        "to how often they do."
    )
    ja = (
        f"公開データから作った {one.columns} 列の記述で、"
        f"データに含まれる {one.people:,} 人中 {one.members:,} 人がただ一人に絞り込まれます"
        f"（含まれない同数の人では {one.control:,} 人）。公開データによる上乗せは "
        f"{signed(one.risk.value)}（{signed_range(one.risk)}）です。"
    )
    if one.risk.low > 0:
        return Text(f"Yes: {en}", f"はい。{ja}")
    return Text(
        f"No more than by chance, with these attacks: {en}",
        f"これらの攻撃では、偶然と変わりませんでした。{ja}",
    )


def verdicts(found: Audit) -> list[tuple[Text, Text]]:
    """Every question that was asked with its answer."""
    members = min(found.counts["members"], found.counts["targets"] - _controls(found))
    told = []
    if found.membership is not None:
        told.append((QUESTIONS["membership"], membership_verdict(found.membership, members)))
    for one in found.attributes.values():
        told.append((QUESTIONS["attribute"], attribute_verdict(one, members)))
    if found.singling_out:
        told.append((QUESTIONS["singling-out"], singling_verdict(found.singling_out)))
    return told


def _controls(found: Audit) -> int:
    return found.counts["target_controls"]


def not_tried(found: Audit) -> list[Text]:
    """What these figures do not speak of."""
    told = list(NOT_TRIED)
    if found.membership is not None:
        skipped = found.membership.skipped
        for why in dict.fromkeys(skipped.values()):
            names = ", ".join(name for name, one in skipped.items() if one == why)
            told.append(Text(f"{names}: {why.en}", f"{names}: {why.ja}"))
    if found.left_out:
        names = ", ".join(found.left_out)
        told.append(Text(f"columns not in the release: {names}", f"公開データにない列: {names}"))
    return told
