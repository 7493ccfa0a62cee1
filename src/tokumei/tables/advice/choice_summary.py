"""Describes the choice of k in a paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.tables.advice.k_choice import Choice
    from tokumei.tables.advice.k_trials import KPoint

MANY_QI = 10
MIN_PEOPLE_PER_K = 50
"""Fewer than so many people per k make a coarse release."""
DISCLAIMER = Message(
    "This is advice from figures on this file, not a legal threshold.",
    "これはこのファイルの数値に基づく助言であり、法律上の基準ではありません。",
)
REMEDY_STEPS = {
    "swap": Message("swap them within the classes", "クラス内で入れ替える (swap)"),
    "microaggregate": Message("release class means", "クラスの平均値にする (microaggregate)"),
    "generalize": Message("generalize these columns, too", "ほかの準識別子とともに一般化する"),
    "drop": Message("leave them out", "公開しない"),
}


def describe_choice(choice: Choice) -> Message:
    """Which k and why; what to protect first; what makes the release coarse."""
    parts = [
        *_k_sentences(choice),
        *_heaviest_column_sentences(choice),
        *_coarse_release_sentences(choice),
        DISCLAIMER,
    ]
    return Message(
        " ".join(sentence.en for sentence in parts), "".join(sentence.ja for sentence in parts)
    )


def count_unit(choice: Choice) -> Message:
    """What is counted."""
    return Message("people", "人") if choice.counts_people else Message("rows", "行")


def _k_sentences(choice: Choice) -> Iterator[Message]:
    limit = format_percent(choice.max_rate)
    safe_point, qi_safe_point = choice.good(), choice.good_for_qi
    if safe_point is not None:
        yield _sufficient_k_sentence(choice, safe_point, Message("", ""))
    elif qi_safe_point is None:
        last_point = choice.points[-1]
        yield Message(
            f"For no k up to {last_point.k} can a rate above {limit} be ruled out: with k = "
            f"{last_point.k}, "
            f"whoever knows only the quasi-identifiers finds "
            f"{format_percent(last_point.by_qi.rate)} of the "
            f"{count_unit(choice).en}, at most {format_percent(last_point.by_qi.high)}. "
            "Try a larger k, or leave out quasi-identifiers.",
            f"k = {last_point.k} までのどの k でも、特定される割合が {limit} を超えないとはいえま"
            f"せん。"
            f"k = {last_point.k} でも、準識別子だけを知る人が "
            f"{format_percent(last_point.by_qi.rate)} "
            f"(上限 {format_percent(last_point.by_qi.high)}) を特定します。"
            "k を大きくするか、準識別子を減らしてください。",
        )
    else:
        yield from _no_k_sentences(choice, qi_safe_point)


def _sufficient_k_sentence(choice: Choice, point: KPoint, remedy_text: Message) -> Message:
    high = point.by_all.high
    one_in = max(1, int(1 / high)) if high > 0 else choice.people
    unit_word = count_unit(choice)
    return Message(
        f"k = {point.k}{remedy_text.en}: at most 1 in {one_in} {unit_word.en} can be found by "
        f"someone who "
        f"knows everything in the release ({point.by_all.attack} finds "
        f"{format_percent(point.by_all.rate)}, at most {format_percent(high)}; limit "
        f"{format_percent(choice.max_rate)}), "
        f"and {format_percent(point.loss)} of the information is lost.",
        f"k = {point.k}{remedy_text.ja}: 公開データをすべて知る人でも、特定できるのは "
        f"{one_in} {unit_word.ja}に 1 {unit_word.ja}以下です ({point.by_all.attack} は "
        f"{format_percent(point.by_all.rate)}、上限 {format_percent(high)}。許容値 "
        f"{format_percent(choice.max_rate)})。情報損失は {format_percent(point.loss)} です。",
    )


def _no_k_sentences(choice: Choice, qi_safe_point: KPoint) -> Iterator[Message]:
    rates = [(name, rate) for name, rate in choice.blamed.items() if rate > choice.max_rate]
    named_rates = rates or list(choice.blamed.items())
    english = ", ".join(
        f"exact {name} finds {format_percent(rate)}" for name, rate in named_rates[:3]
    )
    japanese = "、".join(
        f"{name} の正確な値で {format_percent(rate)}" for name, rate in named_rates[:3]
    )
    yield Message(
        f"No k helps: k = {qi_safe_point.k} suffices against someone who knows only the "
        f"quasi-identifiers, "
        f"but {english or 'columns released exactly give people away'}.",
        f"どの k でも足りません。準識別子だけを知る人に対しては k = {qi_safe_point.k} で足ります"
        f"が、"
        f"{japanese or '正確な値の列で一部'} が特定されます。",
    )
    if choice.remedy is None:
        return
    remedy_text = Message(f" and {choice.remedy.words.en}", f" (対策: {choice.remedy.words.ja})")
    remedied_point = choice.good(choice.remedy.points)
    if remedied_point is not None:
        step = REMEDY_STEPS[choice.remedy.name]
        yield Message(
            f"The cheapest step against it: {step.en}.", f"最も損失の少ない対策: {step.ja}。"
        )
        yield _sufficient_k_sentence(choice, remedied_point, remedy_text)
    else:
        safest_point = min(choice.remedy.points, key=lambda point: point.by_all.high)
        yield Message(
            f"Even with {choice.remedy.words.en} up to "
            f"{format_percent(safest_point.by_all.high)} may be found "
            f"(k = {safest_point.k}): leave out more columns.",
            f"{choice.remedy.words.ja}対策でも、最大 {format_percent(safest_point.by_all.high)} "
            f"が特定され得ます "
            f"(k = {safest_point.k})。公開する列を減らしてください。",
        )


def _heaviest_column_sentences(choice: Choice) -> Iterator[Message]:
    if choice.without is None:
        return
    column, point = choice.without
    share = choice.advised.most_lossy_column[1]
    yield Message(
        f"{column} alone makes up {format_percent(share)} of the loss; without it k = {point.k} "
        f"loses "
        f"{format_percent(point.loss)} of the rest and up to {format_percent(point.by_all.high)} "
        f"are found.",
        f"損失の {format_percent(share)} は {column} だけによるものです。この列を除くと k = "
        f"{point.k} の"
        f"損失は残りの {format_percent(point.loss)}、特定は最大 "
        f"{format_percent(point.by_all.high)} です。",
    )


def _coarse_release_sentences(choice: Choice) -> Iterator[Message]:
    point, unit_word = choice.advised, count_unit(choice)
    is_few, has_many_qi = choice.people < MIN_PEOPLE_PER_K * point.k, len(choice.qi) > MANY_QI
    if not is_few and not has_many_qi:
        return
    qi = {name: loss for name, loss in point.losses.items() if name in choice.qi}
    heaviest_qi = max(qi, key=lambda name: qi[name]) if qi else choice.qi[0]
    cause = (
        Message(
            f"{choice.people:,} {unit_word.en} are few for k = {point.k}",
            f"k = {point.k} に対して {choice.people:,} {unit_word.ja}は少なく",
        )
        if is_few
        else Message(
            f"{len(choice.qi)} quasi-identifiers are many", f"準識別子が {len(choice.qi)} 列と多く"
        )
    )
    yield Message(
        f"{cause.en}, so cells are coarse; leave out {heaviest_qi} first.",
        f"{cause.ja}、セルは粗くなります。減らすなら {heaviest_qi} からです。",
    )
