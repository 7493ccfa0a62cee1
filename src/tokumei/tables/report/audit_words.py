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
    "membership": Text("Can one tell who is in the data?", "誰がデータに含まれるか分かるか"),
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
    return f"{signed(one.low).removesuffix(' %')} … {signed(one.high)}"


def signed(value: float) -> str:
    """A share in percent that may be negative."""
    return percent(value) if value >= 0 else f"−{percent(-value)}"


def people_asked(asked: int, whole: int) -> Text:
    """The people in the data who were asked about, all of them or some."""
    if asked == whole:
        return Text(f"the {whole:,} people in the data", f"データに含まれる {whole:,} 人")
    return Text(
        f"{asked:,} people drawn from the {whole:,} in the data",
        f"データに含まれる {whole:,} 人から選んだ {asked:,} 人",
    )


def membership_verdict(found: Membership, asked: int, whole: int) -> Text:
    """How many members are recognised, at how many false alarms."""
    if not found.rates:
        return Text("There are too few controls to say.", "対照が少なすぎて判断できません。")
    usual = [rate for rate in (0.01, 0.1, 0.001) if rate in found.rates]
    told = [rate for rate in usual if found.rates[rate].low > rate]
    picked = _picked(found, (told or usual)[0], asked, people_asked(asked, whole))
    if told:
        return Text(f"Yes. {picked.en}", f"はい。{picked.ja}")
    if found.corrected.low > 0.5:
        pairs = percent(found.corrected.value)
        return Text(
            "To some degree. Of two people, one in the data and one not, the attacker tells which "
            f"is which in {pairs} of cases (guessing: 50 %). {picked.en}",
            "ある程度分かります。含まれる人と含まれない人の二人を見比べたとき、どちらが含まれるかを"
            f" {pairs} の場合に当てます（当て推量なら 50 %）。{picked.ja}",
        )
    return Text(
        f"No better than by guessing, with these attacks. {picked.en}",
        f"これらの攻撃では、当て推量と変わりませんでした。{picked.ja}",
    )


def _picked(found: Membership, rate: float, asked: int, who: Text) -> Text:
    """Members named at a rate of false alarms, and what the original rows would allow."""
    one, others = found.rates[rate], round(1 / rate)
    hits, best = counted(one.value, asked), counted(found.ceiling.tpr[rate].value, asked)
    low, high = counted(one.low, asked), counted(one.high, asked)
    return Text(
        f"An attacker rightly names {hits} of {who.en} ({low} to {high}, allowing for chance) "
        f"while wrongly naming one in {others} of the people who are not in it. With the original "
        f"rows in hand it would be {best}.",
        f"攻撃者は、{who.ja}のうち {hits} 人（偶然の幅を見込むと {low}～{high} 人）を正しく"
        f"名指しします。そのとき、含まれない人も {others} 人に 1 人は誤って名指しします。"
        f"元の行そのものを見れば {best} 人です。",
    )


def attribute_verdict(found: Attribute, asked: int, whole: int) -> Text:
    """How many members are guessed right, against people who are not in the data."""
    best, name, who = found.best, found.column, people_asked(asked, whole)
    hits, share, others = counted(best.members, asked), percent(best.members), percent(best.control)
    added, span = signed(found.corrected.value), signed_range(found.corrected)
    near = "" if found.tolerance is None else f" (± {found.tolerance:.4g})"
    if found.corrected.low > 0:
        text = Text(
            f"Yes. {name}{near} is guessed right for {hits} of {who.en} ({share}), but only for "
            f"{others} of people who are not in it. Of those whom general knowledge would not have "
            f"given away, the release gives away {added} ({span}).",
            f"はい。{name}{near} は、{who.ja}のうち {hits} 人（{share}）で当たりますが、"
            f"含まれない人では {others} しか当たりません。一般的な知識では当てられない人の"
            f"うち {added}（{span}）が、この公開データによって知られます。",
        )
    else:
        text = Text(
            f"{name}{near}: no better than by general knowledge, with these attacks. It is guessed "
            f"right for {hits} of {who.en} ({share}) and for {others} of people who are not in it; "
            f"what the release adds is {added} ({span}).",
            f"{name}{near} については、これらの攻撃では一般的な知識を超える推測はできませんでした。"
            f"{who.ja}のうち {hits} 人（{share}）、含まれない人の {others} で当たり、公開"
            f"データによる上乗せは {added}（{span}）です。",
        )
    if not best.certain:
        return text
    right = counted(best.certain_right or 0.0, best.certain)
    return Text(
        f"{text.en} For {best.certain:,} people in the data all released rows that fit say the "
        f"same, which is right for {right}.",
        f"{text.ja}データに含まれる {best.certain:,} 人については当てはまる公開行の値がすべて"
        f"同じで、{right} 人で正解です。",
    )


def singling_verdict(found: list[SinglingOut], whole: int) -> Text:
    """How many people descriptions from the release single out, against people not in it."""
    one = max(found, key=lambda one: (one.risk is not None, one.members - one.control))
    who = people_asked(one.people, whole)
    people = Text(
        f"They single out {one.members:,} of {who.en} and {one.control:,} of {one.people:,} others",
        f"一人に絞り込まれるのは、{who.ja}のうち {one.members:,} 人、含まれない {one.people:,} 人の"
        f"うち {one.control:,} 人です",
    )
    if not one.predicates:
        return Text(
            "Not with these attacks: no description fits exactly one released row.",
            "これらの攻撃では絞り込めません。公開行のただ一つに当てはまる記述がありません。",
        )
    if one.risk is None:
        return Text(
            f"Too few descriptions fit exactly one released row for a rate ({one.predicates:,}). "
            f"{people.en}.",
            f"公開行のただ一つに当てはまる記述が少なすぎるため（{one.predicates:,} 件）、割合は"
            f"示しません。{people.ja}。",
        )
    columns = "one column" if one.columns == 1 else f"{one.columns} columns"
    en = (
        f"{one.predicates:,} descriptions by {columns} fit exactly one released row; "
        f"{percent(one.rate)} of them fit exactly one person in the data, and "
        f"{percent(one.control_rate)} exactly one of as many others: a difference of "
        f"{signed(one.risk.value)} ({signed_range(one.risk)}) of the largest possible one. "
        f"{people.en}."
    )
    ja = (
        f"{one.columns} 列の記述のうち {one.predicates:,} 件が公開行のただ一つに当てはまります。"
        f"その {percent(one.rate)} は含まれる人のただ一人に、{percent(one.control_rate)} は同数の"
        f"含まれない人のただ一人に当てはまります。差は、ありうる最大の差の {signed(one.risk.value)}"
        f"（{signed_range(one.risk)}）です。{people.ja}。"
    )
    if one.risk.low > 0:
        return Text(f"Yes. {en}", f"はい。{ja}")
    return Text(
        f"No more than people who are not in the data, with these attacks. {en}",
        f"これらの攻撃では、含まれない人と変わりませんでした。{ja}",
    )


def verdicts(found: Audit) -> list[tuple[Text, Text]]:
    """Every question that was asked with its answer."""
    whole = found.counts["members"]
    asked = found.counts["targets"] - found.counts["target_controls"]
    told = []
    if found.membership is not None:
        answer = membership_verdict(found.membership, asked, whole)
        told.append((QUESTIONS["membership"], answer))
    for one in found.attributes.values():
        told.append((QUESTIONS["attribute"], attribute_verdict(one, asked, whole)))
    if found.singling_out:
        told.append((QUESTIONS["singling-out"], singling_verdict(found.singling_out, whole)))
    return told


def not_tried(found: Audit) -> list[Text]:
    """What these figures do not speak of."""
    told = list(NOT_TRIED)
    if found.membership is not None:
        skipped = found.membership.skipped
        for why in dict.fromkeys(skipped.values()):
            names = ", ".join(name for name, one in skipped.items() if one == why)
            told.append(Text(f"the attacks {names} ({why.en})", f"攻撃 {names}（{why.ja}）"))
    if found.left_out:
        names = ", ".join(found.left_out)
        told.append(Text(f"columns not in the release: {names}", f"公開データにない列: {names}"))
    return told
