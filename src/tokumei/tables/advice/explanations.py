"""Explains in a sentence why a candidate is proposed and what it keeps."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import polars as pl

from tokumei.core.advice.purpose import Purpose
from tokumei.core.advice.request import DROP, GENERALIZE, KEEP_UNCHANGED, PROTECT, Request
from tokumei.core.formatting import format_percent
from tokumei.core.generalized_cells import cell_bounds
from tokumei.core.messages import Message
from tokumei.tables.advice.candidate_figures import CandidateRelease
from tokumei.tables.advice.choose_k import shorten_names
from tokumei.tables.registry import anonymizers

START_REASON = Message(
    "begins where your answers point: groups of at least {}, {}",
    "回答から決まる出発点です: {} 以上のグループ ({})",
)
METHOD_FORMS = {
    "local": Message("as fine as can be", "できるだけ細かく"),
    "mondrian": Message("with ranges and sets of true values", "実際の値の範囲と集合で"),
    "flash": Message(
        "every row in the same steps, so that it can be counted", "全行同じ刻みで集計向き"
    ),
}
"""What a method makes of the k that the purpose names."""
GRID_REASON = Message(
    "shows what groups of at least {} cost and bring",
    "{} 以上のグループにした場合の損失と効果を示します",
)
BETWEEN_REASON = Message(
    "lies between two good candidates (groups of {} and of {})",
    "よい候補 (グループ {} と {}) の中間です",
)
UNREQUESTED_REASON = Message(
    "leaves out {}, which you did not ask for", "必要とされていない {} を公開しません"
)
NOT_KNOWN_REASON = Message(
    "leaves {} exact, because you said that the recipient does not know them of anybody",
    "提供先が知らないとされた {} をそのまま残します",
)
DROP_REASON = Message(
    "leaves out {}, which helps to find people and need not stay",
    "特定の手がかりになり、残す必要のない {} を公開しません",
)
COARSER_REASON = Message(
    "makes {} coarser before the others, because it helps to find people and need not stay exact",
    "特定の手がかりになり、正確である必要のない {} を先に粗くします",
)
GENERALIZE_REASON = Message(
    "generalizes {}, too, because its exact values help to find people",
    "正確な値が特定の手がかりになる {} も一般化します",
)
GENERALIZE_ALL_REASON = Message(
    "generalizes {}, too, because anybody may know them of somebody",
    "誰かが知り得るため、{} も一般化します",
)
SWAP_REASON = Message(
    "exchanges the values of {} within groups, so that they no longer point at a person",
    "{} の値をグループ内で入れ替え、個人と結び付かないようにします",
)
SAFER_REASON = Message("is safer: groups of at least {}", "より安全に: {} 以上のグループ")
FINER_REASON = Message("keeps more detail: groups of at least {}", "より詳しく: {} 以上のグループ")
EVEN_WEIGHTS_REASON = Message(
    "counts a loss in every column alike, for comparison",
    "比較のため、すべての列の損失を同じ重みで扱います",
)
KEEP_ROWS_REASON = Message("leaves out no row", "行を一つも削除しません")
NEARLY_EXACT = 0.995


def fill_message(template: Message, *values: int | str | Message) -> Message:
    """The words, with what they are about in place of their braces."""
    messages = [
        value if isinstance(value, Message) else Message(str(value), str(value)) for value in values
    ]
    english, japanese = ([value[side] for value in messages] for side in (0, 1))
    return Message(template.en.format(*english), template.ja.format(*japanese))


def describe_title(request: Request, default_treatments: Mapping[str, str]) -> Message:
    """Method, k, and how it differs from what becomes of the columns otherwise."""
    names = [anonymizers.get(str(step["method"])).title for step in request.steps]
    parts = [
        Message(" + ".join(item.en for item in names), " + ".join(item.ja for item in names)),
        Message(f"k = {request.k}", f"k = {request.k}"),
    ]
    for fate, template in _TITLE_PARTS.items():
        changed_names = [
            n
            for n, item in request.columns.items()
            if item == fate and default_treatments[n] != fate
        ]
        if changed_names and not (fate == PROTECT and len(request.steps) == 1):
            parts.append(fill_message(template, shorten_names(changed_names)))
    weights = request.steps[0].get("weights", {})
    light_columns = [name for name, weight in weights.items() if weight < 1]
    if light_columns:
        parts.append(fill_message(Message("{} coarser", "{} を粗く"), shorten_names(light_columns)))
    return Message(", ".join(item.en for item in parts), "、".join(item.ja for item in parts))


_TITLE_PARTS = {
    DROP: Message("without {}", "{} なし"),
    KEEP_UNCHANGED: Message("{} exact", "{} はそのまま"),
    GENERALIZE: Message("{} generalized", "{} も一般化"),
    PROTECT: Message("{} exchanged", "{} を入れ替え"),
}


def describe_reason(
    candidate_release: CandidateRelease,
    purpose: Purpose,
    proposed: Message,
    ages: Collection[str] = (),
) -> Message:
    """Why it was proposed, and what it does to the column that matters most.

    `ages`: columns that hold years of age.
    """
    kept_text = _describe_kept_column(candidate_release, purpose, ages)
    capitalized = Message(proposed.en[0].upper() + proposed.en[1:], proposed.ja)
    if kept_text is None:
        return Message(f"{capitalized.en}.", f"{capitalized.ja}。")
    return Message(f"{capitalized.en}; {kept_text.en}.", f"{capitalized.ja}。{kept_text.ja}。")


def _describe_kept_column(
    candidate_release: CandidateRelease, purpose: Purpose, ages: Collection[str]
) -> Message | None:
    """What happens to the most important column that is not dropped."""
    treatments = candidate_release.request.columns
    column_names = [n for n in purpose.keep if treatments.get(n, DROP) != DROP]
    because = Message("you want it to stay", "残したいと指定された")
    if not column_names and purpose.predict:
        generalized_names = [n for n in candidate_release.case.qi if treatments[n] == GENERALIZE]
        column_names = sorted(
            generalized_names, key=lambda name: (_changed_share(candidate_release, name), name)
        )
        because = Message(f"you predict {purpose.predict}", f"{purpose.predict} を予測する")
    if not column_names:
        column_names = [
            n for table in purpose.tables for n in table if treatments.get(n, DROP) != DROP
        ]
        because = Message("you count it", "集計に使う")
    if not column_names:
        return None
    resolution_text = describe_resolution(
        candidate_release, column_names[0], years=column_names[0] in ages
    )
    return Message(
        f"keeps {column_names[0]} {resolution_text.en} because {because.en}",
        f"{because.ja}ため、{column_names[0]} を{resolution_text.ja}",
    )


def describe_resolution(
    candidate_release: CandidateRelease, name: str, *, years: bool = False
) -> Message:
    """How fine a column still is: exact, in steps of a width, or exact in a part of the rows."""
    exact_share = 1 - _changed_share(candidate_release, name)
    if exact_share >= NEARLY_EXACT:
        return Message("exact", "正確に残します")
    before = candidate_release.case.original.frame[name]
    if (
        before.dtype.is_numeric()
        and exact_share < 0.5
        and (width := _median_width(candidate_release, name))
    ):
        if years:
            return Message(f"to about {width:g} years", f"およそ {width:g} 歳刻みで残します")
        return Message(f"to steps of about {width:g}", f"およそ {width:g} 刻みで残します")
    return Message(
        f"exact in {format_percent(exact_share)} of the rows",
        f"{format_percent(exact_share)} の行で正確に残します",
    )


def _changed_share(candidate_release: CandidateRelease, name: str) -> float:
    case = candidate_release.case
    texts = (case.original.frame[name].gather(case.link), case.released.frame[name])
    before, after = (series.cast(pl.String) for series in texts)
    return float(np.mean(before.ne_missing(after).to_numpy()))


def _median_width(candidate_release: CandidateRelease, name: str) -> float:
    """The median width of the cells of numbers; 0: most have no ends."""
    case = candidate_release.case
    low, high = cell_bounds(case.released.frame[name])
    is_integer = case.original.frame[name].dtype.is_integer()
    widths = (high - low + is_integer)[np.isfinite(high - low)]
    return float(np.median(widths)) if len(widths) > 0.5 * len(low) else 0.0
