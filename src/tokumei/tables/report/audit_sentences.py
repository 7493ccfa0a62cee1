"""Sentences of an audit: one per question, and what was not tested."""

from __future__ import annotations

from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.messages import Message
from tokumei.report.page_parts import join_sentences
from tokumei.tables.audit.attack_statistics import Interval
from tokumei.tables.audit.attribute_inference import AttributeInference
from tokumei.tables.audit.audit import Audit
from tokumei.tables.audit.membership import MembershipResult
from tokumei.tables.audit.singling_out import SinglingOut

ATTACKER_MODELS = {
    "together": Message(
        "The attacker is assumed to have a list of people with everybody in the data on it, does "
        "not know who these are, and lets all of them compete for the released rows (the worst "
        "case).",
        "攻撃者は、データに含まれる全員が載った名簿をもつと仮定しています。誰が含まれるかは知らず、"
        "名簿の全員を公開行と突き合わせて比べます（最悪の場合）。",
    ),
    "alone": Message(
        "The attacker is assumed to have the release and a sample of the population, and looks at "
        "one person at a time.",
        "攻撃者は、公開データと母集団の標本をもち、一人ずつ調べると仮定しています。",
    ),
}
NOT_TRIED = (
    Message(
        "attackers who rebuild the anonymizer and train on many releases of their own "
        "(shadow models)",
        "匿名加工の方法を再現し、多数の公開データで学習する攻撃者（シャドーモデル）",
    ),
    Message(
        "attackers who know more than the columns given, or an earlier release of the same people",
        "指定した列以外の情報や、同じ人々の過去の公開データをもつ攻撃者",
    ),
    Message(
        "people whose values are unlike those of members and control",
        "メンバーとも対照とも値の異なる人々",
    ),
)
QUESTIONS = {
    "membership": Message("Can one tell who is in the data?", "誰がデータに含まれるか分かるか"),
    "attribute": Message("Can a sensitive value be inferred?", "機密の値を推測できるか"),
    "singling-out": Message("Can somebody be singled out?", "一人に絞り込めるか"),
}

YES = Message("Yes.", "はい。")
NOT_MEASURABLE = Message(
    "Not measurably more than people who are not in the data, with these attacks.",
    "これらの攻撃では、含まれない人より多いとはいえませんでした。",
)
FEWER_OTHERS = Message(
    "Fewer people are known who are not in the data, so not all could be compared; with all of "
    "them the figures may be higher.",
    "含まれない人の方が少ないため、全員は比べていません。全員を比べれば、値は大きくなりえます。",
)


def format_people(share: float, of: int) -> str:
    """A share of people as a number of them."""
    return f"{round(share * of):,}"


def format_signed_range(interval: Interval) -> str:
    """An interval in percent whose ends may be negative."""
    if interval.low >= 0:
        return format_percent_range(interval.low, interval.high)
    low = format_signed_percent(interval.low).removesuffix(" %")
    return f"{low} … {format_signed_percent(interval.high)}"


def format_signed_percent(value: float) -> str:
    """A share in percent that may be negative."""
    return format_percent(value) if value >= 0 else f"−{format_percent(-value)}"


def describe_people(targets: int, whole: int) -> Message:
    """The people in the data who were asked about, all of them or some."""
    if targets == whole:
        return Message(f"the {whole:,} people in the data", f"データに含まれる {whole:,} 人")
    return Message(
        f"{targets:,} people drawn from the {whole:,} in the data",
        f"データに含まれる {whole:,} 人から選んだ {targets:,} 人",
    )


def membership_verdict(membership: MembershipResult, targets: int, whole: int) -> Message:
    """How many members are recognised, at how many false alarms."""
    if not membership.rates:
        return Message("There are too few controls to say.", "対照が少なすぎて判断できません。")
    false_alarm_rates = [rate for rate in (0.01, 0.1, 0.001) if rate in membership.rates]
    measurable = [rate for rate in false_alarm_rates if membership.rates[rate].low > rate]
    found_sentence = _describe_members_found(
        membership, (measurable or false_alarm_rates)[0], targets, describe_people(targets, whole)
    )
    answer = Message(
        "Not measurably better than by guessing, with these attacks.",
        "これらの攻撃では、当て推量に勝るとはいえませんでした。",
    )
    if measurable:
        answer = YES
    elif membership.corrected.low > 0.5:
        pairs = format_percent(membership.corrected.value)
        answer = Message(
            "To some degree. Of two people, one in the data and one not, the attacker tells which "
            f"is which in {pairs} of cases (guessing: 50 %).",
            "ある程度分かります。含まれる人と含まれない人の二人を見比べたとき、どちらが含まれるかを"
            f" {pairs} の場合に当てます（当て推量なら 50 %）。",
        )
    return join_sentences(answer, found_sentence)


def _describe_members_found(
    membership: MembershipResult, rate: float, targets: int, people: Message
) -> Message:
    """Members named at a rate of false alarms, by guessing, and with the original rows in hand."""
    interval, others, top = (
        membership.rates[rate],
        round(1 / rate),
        membership.ceiling.tpr[rate].value,
    )
    hits, luck = format_people(interval.value, targets), format_people(rate, targets)
    low, high = format_people(interval.low, targets), format_people(interval.high, targets)
    best = Message(
        f"With the original rows in hand it would be {format_people(top, targets)}.",
        f"元の行そのものを見れば {format_people(top, targets)} 人です。",
    )
    if top <= interval.value:
        best = Message(
            "The original rows themselves would allow no more.",
            "元の行そのものを見ても、これを上回りません。",
        )
    return Message(
        f"An attacker rightly names {hits} of {people.en} ({low} to {high}, allowing for chance; "
        f"guessing would name {luck}) while wrongly naming at most one in {others} of the people "
        f"who are not in it. {best.en}",
        f"攻撃者は、{people.ja}のうち {hits} 人（偶然の幅を見込むと {low}～{high} 人、当て推量なら "
        f"{luck} 人）を正しく名指しします。そのとき誤って名指しするのは、含まれない人の "
        f"{others} 人に 1 人までです。{best.ja}",
    )


def attribute_verdict(attribute: AttributeInference, targets: int, whole: int) -> Message:
    """How many members are guessed right, against people who are not in the data."""
    best, name, people = attribute.best, attribute.column, describe_people(targets, whole)
    hits, share, others = (
        format_people(best.members, targets),
        format_percent(best.members),
        format_percent(best.control),
    )
    added, span = (
        format_signed_percent(attribute.corrected.value),
        format_signed_range(attribute.corrected),
    )
    near = "" if attribute.tolerance is None else f" (± {attribute.tolerance:.4g})"
    if attribute.corrected.low > 0:
        text = Message(
            f"Yes. {name}{near} is guessed right for {hits} of {people.en} ({share}), but only for "
            f"{others} of people who are not in it. Of those whom general knowledge would not have "
            f"given away, the release gives away {added} ({span}).",
            f"はい。{name}{near} は、{people.ja}のうち {hits} 人（{share}）で当たりますが、"
            f"含まれない人では {others} しか当たりません。一般的な知識では当てられない人の"
            f"うち {added}（{span}）が、この公開データによって知られます。",
        )
    else:
        text = Message(
            f"{name}{near}: not measurably better than by general knowledge, with these attacks. "
            f"It is guessed right for {hits} of {people.en} ({share}) and for {others} of people "
            f"who "
            f"are not in it; what the release adds is {added} ({span}).",
            f"{name}{near} については、これらの攻撃では、一般的な知識に勝るとはいえませんでした。"
            f"{people.ja}のうち {hits} 人（{share}）、含まれない人の {others} で当たり、公開"
            f"データによる上乗せは {added}（{span}）です。",
        )
    if not best.certain:
        return text
    right = format_people(best.certain_right or 0.0, best.certain)
    people_text = "one person" if best.certain == 1 else f"{best.certain:,} people"
    certain = Message(
        f"For {people_text} in the data all released rows that fit say the same, which is right "
        f"for "
        f"{right}.",
        f"データに含まれる {best.certain:,} 人については当てはまる公開行の値がすべて同じで、"
        f"{right} 人で正解です。",
    )
    return join_sentences(text, certain)


def singling_verdict(outcomes: list[SinglingOut], whole: int) -> Message:
    """How many people descriptions from the release single out, against people not in it."""
    outcome = max(outcomes, key=_strongest_key)
    if not outcome.predicates:
        return Message(
            "Not with these attacks: no description fits exactly one released row.",
            "これらの攻撃では絞り込めません。公開行のただ一つに当てはまる記述がありません。",
        )
    asked_people = describe_people(outcome.people, whole)
    columns = "one column" if outcome.columns == 1 else f"{outcome.columns} columns"
    if outcome.equal:
        columns = f"the exact values of {columns}"
    people = Message(
        f"Descriptions made of {columns} of one released row, which fit no other row, single out "
        f"{outcome.members:,} of {asked_people.en} and {outcome.control:,} of {outcome.people:,} "
        f"others.",
        f"一つの公開行の {outcome.columns} 列{'の値そのもの' if outcome.equal else ''}を組み合わ"
        f"せ、"
        "ほかの公開行には当てはまらない記述によって、一人に絞り込まれるのは、"
        f"{asked_people.ja}のうち {outcome.members:,} 人、含まれない {outcome.people:,} 人のうち "
        f"{outcome.control:,} 人です。",
    )
    if outcome.corrected is None:
        few_sentence = Message(
            f"There are too few descriptions for a rate ({outcome.predicates:,}).",
            f"記述が少なすぎるため（{outcome.predicates:,} 件）、割合は示しません。",
        )
        return join_sentences(few_sentence, people)
    fewer = [FEWER_OTHERS] if outcome.people < whole else []
    answer = YES if outcome.corrected.low > 0 else NOT_MEASURABLE
    return join_sentences(answer, people, _describe_rates(outcome, outcome.corrected), *fewer)


def _strongest_key(outcome: SinglingOut) -> tuple[bool, bool, int]:
    """Sort key: the width beyond chance that singles out the most people comes last."""
    beyond = outcome.corrected is not None and outcome.corrected.low > 0
    return beyond, outcome.corrected is not None, outcome.members - outcome.control


def _describe_rates(outcome: SinglingOut, risk: Interval) -> Message:
    """How often descriptions fit one person, on both sides."""
    number_text = Message(f"{outcome.predicates:,}", f"{outcome.predicates:,} 件")
    if not outcome.every:
        number_text = Message(
            f"{outcome.predicates:,} drawn at random", f"無作為に選んだ {outcome.predicates:,} 件"
        )
    added, span = format_signed_percent(risk.value), format_signed_range(risk)
    return Message(
        f"Of these descriptions ({number_text.en}) {format_percent(outcome.rate)} fit exactly "
        f"one of these "
        f"people, and {format_percent(outcome.control_rate)} exactly one of as many others; the "
        f"release adds "
        f"{added} ({span}) of what could be added.",
        f"この記述（{number_text.ja}）の {format_percent(outcome.rate)} はこの人々のただ一人に、"
        f"{format_percent(outcome.control_rate)} は同数の含まれない人のただ一人に当てはまります。"
        f"公開データに"
        f"よる上乗せは、上乗せできる分の {added}（{span}）です。",
    )


def audit_verdicts(result: Audit) -> list[tuple[Message, Message]]:
    """Every question that was asked with its answer."""
    whole = result.counts["members"]
    targets = result.counts["targets"] - result.counts["target_controls"]
    answers = []
    if result.membership is not None:
        answers.append(
            (QUESTIONS["membership"], membership_verdict(result.membership, targets, whole))
        )
    for attribute in result.attributes.values():
        answers.append((QUESTIONS["attribute"], attribute_verdict(attribute, targets, whole)))
    if result.singling_out:
        answers.append((QUESTIONS["singling-out"], singling_verdict(result.singling_out, whole)))
    return answers


def untried_attacks(result: Audit) -> list[Message]:
    """What these figures do not speak of."""
    untried = list(NOT_TRIED)
    if result.membership is not None:
        skipped = result.membership.skipped
        for reason in dict.fromkeys(skipped.values()):
            names = ", ".join(
                name for name, skipped_reason in skipped.items() if skipped_reason == reason
            )
            untried.append(
                Message(f"the attacks {names} ({reason.en})", f"攻撃 {names}（{reason.ja}）")
            )
    if result.left_out:
        names = ", ".join(result.left_out)
        untried.append(
            Message(f"columns not in the release: {names}", f"公開データにない列: {names}")
        )
    return untried
