"""The paragraph of advice: rules that turn the figures of a choice into words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tokumei.core.figures import percent
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.tables.choosing.choose import Choice
    from tokumei.tables.choosing.trials import KPoint

MANY_QI = 10
CROWD = 50
"""Fewer than so many people per k make a coarse release."""
ONLY_ADVICE = Text(
    "This is advice from figures on this file, not a legal threshold.",
    "これはこのファイルの数値に基づく助言であり、法律上の基準ではありません。",
)
STEPS = {
    "swap": Text("swap them within the classes", "クラス内で入れ替える (swap)"),
    "microaggregate": Text("release class means", "クラスの平均値にする (microaggregate)"),
    "generalize": Text("generalize these columns, too", "ほかの準識別子とともに一般化する"),
    "drop": Text("leave them out", "公開しない"),
}


def advice(found: Choice) -> Text:
    """Which k and why; what to protect first; what makes the release coarse."""
    parts = [*_which(found), *_heavy(found), *_coarse(found), ONLY_ADVICE]
    return Text(" ".join(one.en for one in parts), "".join(one.ja for one in parts))


def unit(found: Choice) -> Text:
    """What is counted."""
    return Text("people", "人") if found.counts_people else Text("rows", "行")


def _which(found: Choice) -> Iterator[Text]:
    limit = percent(found.max_rate)
    good, aimed = found.good(), found.good_for_qi
    if good is not None:
        yield _enough(found, good, Text("", ""))
    elif aimed is None:
        last = found.points[-1]
        yield Text(
            f"For no k up to {last.k} can a rate above {limit} be ruled out: with k = {last.k}, "
            f"whoever knows only the quasi-identifiers finds {percent(last.by_qi.rate)} of the "
            f"{unit(found).en}, at most {percent(last.by_qi.high)}. "
            "Try a larger k, or leave out quasi-identifiers.",
            f"k = {last.k} までのどの k でも、特定される割合が {limit} を超えないとはいえません。"
            f"k = {last.k} でも、準識別子だけを知る人が {percent(last.by_qi.rate)} "
            f"(上限 {percent(last.by_qi.high)}) を特定します。"
            "k を大きくするか、準識別子を減らしてください。",
        )
    else:
        yield from _no_k_helps(found, aimed)


def _enough(found: Choice, point: KPoint, after: Text) -> Text:
    high = point.by_all.high
    one_in = max(1, int(1 / high)) if high > 0 else found.people
    what = unit(found)
    return Text(
        f"k = {point.k}{after.en}: at most 1 in {one_in} {what.en} can be found by someone who "
        f"knows everything in the release ({point.by_all.attack} finds "
        f"{percent(point.by_all.rate)}, at most {percent(high)}; limit {percent(found.max_rate)}), "
        f"and {percent(point.loss)} of the information is lost.",
        f"k = {point.k}{after.ja}: 公開データをすべて知る人でも、特定できるのは "
        f"{one_in} {what.ja}に 1 {what.ja}以下です ({point.by_all.attack} は "
        f"{percent(point.by_all.rate)}、上限 {percent(high)}。許容値 "
        f"{percent(found.max_rate)})。情報損失は {percent(point.loss)} です。",
    )


def _no_k_helps(found: Choice, aimed: KPoint) -> Iterator[Text]:
    rates = [(name, rate) for name, rate in found.blamed.items() if rate > found.max_rate]
    told = rates or list(found.blamed.items())
    english = ", ".join(f"exact {name} finds {percent(rate)}" for name, rate in told[:3])
    japanese = "、".join(f"{name} の正確な値で {percent(rate)}" for name, rate in told[:3])
    yield Text(
        f"No k helps: k = {aimed.k} suffices against someone who knows only the quasi-identifiers, "
        f"but {english or 'columns released exactly give people away'}.",
        f"どの k でも足りません。準識別子だけを知る人に対しては k = {aimed.k} で足りますが、"
        f"{japanese or '正確な値の列で一部'} が特定されます。",
    )
    if found.remedy is None:
        return
    after = Text(f" and {found.remedy.words.en}", f" (対策: {found.remedy.words.ja})")
    better = found.good(found.remedy.points)
    if better is not None:
        step = STEPS[found.remedy.name]
        yield Text(
            f"The cheapest step against it: {step.en}.", f"最も損失の少ない対策: {step.ja}。"
        )
        yield _enough(found, better, after)
    else:
        least = min(found.remedy.points, key=lambda one: one.by_all.high)
        yield Text(
            f"Even with {found.remedy.words.en} up to {percent(least.by_all.high)} may be found "
            f"(k = {least.k}): leave out more columns.",
            f"{found.remedy.words.ja}対策でも、最大 {percent(least.by_all.high)} が特定され得ます "
            f"(k = {least.k})。公開する列を減らしてください。",
        )


def _heavy(found: Choice) -> Iterator[Text]:
    if found.without is None:
        return
    column, point = found.without
    share = found.advised.heaviest[1]
    yield Text(
        f"{column} alone makes up {percent(share)} of the loss; without it k = {point.k} loses "
        f"{percent(point.loss)} of the rest and up to {percent(point.by_all.high)} are found.",
        f"損失の {percent(share)} は {column} だけによるものです。この列を除くと k = {point.k} の"
        f"損失は残りの {percent(point.loss)}、特定は最大 {percent(point.by_all.high)} です。",
    )


def _coarse(found: Choice) -> Iterator[Text]:
    point, what = found.advised, unit(found)
    few, many = found.people < CROWD * point.k, len(found.qi) > MANY_QI
    if not few and not many:
        return
    qi = {name: loss for name, loss in point.losses.items() if name in found.qi}
    first = max(qi, key=lambda name: qi[name]) if qi else found.qi[0]
    why = (
        Text(
            f"{found.people:,} {what.en} are few for k = {point.k}",
            f"k = {point.k} に対して {found.people:,} {what.ja}は少なく",
        )
        if few
        else Text(
            f"{len(found.qi)} quasi-identifiers are many", f"準識別子が {len(found.qi)} 列と多く"
        )
    )
    yield Text(
        f"{why.en}, so cells are coarse; leave out {first} first.",
        f"{why.ja}、セルは粗くなります。減らすなら {first} からです。",
    )
