"""The words of an audit: one sentence per question, in people; who is who; what was not tried."""

from __future__ import annotations

from tokumei.core.figures import percent, percent_range
from tokumei.core.text import Text
from tokumei.report.words import joined
from tokumei.tables.audit.attribute import Attribute
from tokumei.tables.audit.audit import Audit
from tokumei.tables.audit.figures import Interval
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

YES = Text("Yes.", "はい。")
NO_MORE = Text(
    "Not measurably more than people who are not in the data, with these attacks.",
    "これらの攻撃では、含まれない人より多いとはいえませんでした。",
)
FEWER_OTHERS = Text(
    "Fewer people are known who are not in the data, so not all could be compared; with all of "
    "them the figures may be higher.",
    "含まれない人の方が少ないため、全員は比べていません。全員を比べれば、値は大きくなりえます。",
)


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
    answer = Text(
        "Not measurably better than by guessing, with these attacks.",
        "これらの攻撃では、当て推量に勝るとはいえませんでした。",
    )
    if told:
        answer = YES
    elif found.corrected.low > 0.5:
        pairs = percent(found.corrected.value)
        answer = Text(
            "To some degree. Of two people, one in the data and one not, the attacker tells which "
            f"is which in {pairs} of cases (guessing: 50 %).",
            "ある程度分かります。含まれる人と含まれない人の二人を見比べたとき、どちらが含まれるかを"
            f" {pairs} の場合に当てます（当て推量なら 50 %）。",
        )
    return joined(answer, picked)


def _picked(found: Membership, rate: float, asked: int, who: Text) -> Text:
    """Members named at a rate of false alarms, by guessing, and with the original rows in hand."""
    one, others, top = found.rates[rate], round(1 / rate), found.ceiling.tpr[rate].value
    hits, luck = counted(one.value, asked), counted(rate, asked)
    low, high = counted(one.low, asked), counted(one.high, asked)
    best = Text(
        f"With the original rows in hand it would be {counted(top, asked)}.",
        f"元の行そのものを見れば {counted(top, asked)} 人です。",
    )
    if top <= one.value:
        best = Text(
            "The original rows themselves would allow no more.",
            "元の行そのものを見ても、これを上回りません。",
        )
    return Text(
        f"An attacker rightly names {hits} of {who.en} ({low} to {high}, allowing for chance; "
        f"guessing would name {luck}) while wrongly naming at most one in {others} of the people "
        f"who are not in it. {best.en}",
        f"攻撃者は、{who.ja}のうち {hits} 人（偶然の幅を見込むと {low}～{high} 人、当て推量なら "
        f"{luck} 人）を正しく名指しします。そのとき誤って名指しするのは、含まれない人の "
        f"{others} 人に 1 人までです。{best.ja}",
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
            f"{name}{near}: not measurably better than by general knowledge, with these attacks. "
            f"It is guessed right for {hits} of {who.en} ({share}) and for {others} of people who "
            f"are not in it; what the release adds is {added} ({span}).",
            f"{name}{near} については、これらの攻撃では、一般的な知識に勝るとはいえませんでした。"
            f"{who.ja}のうち {hits} 人（{share}）、含まれない人の {others} で当たり、公開"
            f"データによる上乗せは {added}（{span}）です。",
        )
    if not best.certain:
        return text
    right = counted(best.certain_right or 0.0, best.certain)
    many = "one person" if best.certain == 1 else f"{best.certain:,} people"
    certain = Text(
        f"For {many} in the data all released rows that fit say the same, which is right for "
        f"{right}.",
        f"データに含まれる {best.certain:,} 人については当てはまる公開行の値がすべて同じで、"
        f"{right} 人で正解です。",
    )
    return joined(text, certain)


def singling_verdict(found: list[SinglingOut], whole: int) -> Text:
    """How many people descriptions from the release single out, against people not in it."""
    one = max(found, key=_tells)
    if not one.predicates:
        return Text(
            "Not with these attacks: no description fits exactly one released row.",
            "これらの攻撃では絞り込めません。公開行のただ一つに当てはまる記述がありません。",
        )
    who = people_asked(one.people, whole)
    columns = "one column" if one.columns == 1 else f"{one.columns} columns"
    if one.equal:
        columns = f"the exact values of {columns}"
    people = Text(
        f"Descriptions made of {columns} of one released row, which fit no other row, single out "
        f"{one.members:,} of {who.en} and {one.control:,} of {one.people:,} others.",
        f"一つの公開行の {one.columns} 列{'の値そのもの' if one.equal else ''}を組み合わせ、"
        "ほかの公開行には当てはまらない記述によって、一人に絞り込まれるのは、"
        f"{who.ja}のうち {one.members:,} 人、含まれない {one.people:,} 人のうち "
        f"{one.control:,} 人です。",
    )
    if one.corrected is None:
        few = Text(
            f"There are too few descriptions for a rate ({one.predicates:,}).",
            f"記述が少なすぎるため（{one.predicates:,} 件）、割合は示しません。",
        )
        return joined(few, people)
    fewer = [FEWER_OTHERS] if one.people < whole else []
    answer = YES if one.corrected.low > 0 else NO_MORE
    return joined(answer, people, _rates(one, one.corrected), *fewer)


def _tells(one: SinglingOut) -> tuple[bool, bool, int]:
    """What is said of several widths: the one beyond chance that singles out the most people."""
    beyond = one.corrected is not None and one.corrected.low > 0
    return beyond, one.corrected is not None, one.members - one.control


def _rates(one: SinglingOut, risk: Interval) -> Text:
    """How often descriptions fit one person, on both sides."""
    tried = Text(f"{one.predicates:,}", f"{one.predicates:,} 件")
    if not one.every:
        tried = Text(f"{one.predicates:,} drawn at random", f"無作為に選んだ {one.predicates:,} 件")
    added, span = signed(risk.value), signed_range(risk)
    return Text(
        f"Of these descriptions ({tried.en}) {percent(one.rate)} fit exactly one of these "
        f"people, and {percent(one.control_rate)} exactly one of as many others; the release adds "
        f"{added} ({span}) of what could be added.",
        f"この記述（{tried.ja}）の {percent(one.rate)} はこの人々のただ一人に、"
        f"{percent(one.control_rate)} は同数の含まれない人のただ一人に当てはまります。公開データに"
        f"よる上乗せは、上乗せできる分の {added}（{span}）です。",
    )


def verdicts(found: Audit) -> list[tuple[Text, Text]]:
    """Every question that was asked with its answer."""
    whole = found.counts["members"]
    asked = found.counts["targets"] - found.counts["target_controls"]
    told = []
    if found.membership is not None:
        told.append((QUESTIONS["membership"], membership_verdict(found.membership, asked, whole)))
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
