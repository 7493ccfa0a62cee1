"""Why a candidate is proposed, and what it keeps, in a sentence that a manager understands."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import polars as pl

from tokumei.core.advice.purpose import Purpose
from tokumei.core.advice.request import DROP, GENERALIZE, PASS, PROTECT, Request
from tokumei.core.cells import bounds
from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.tables.advising.measured import Made
from tokumei.tables.choosing.choose import shortened
from tokumei.tables.registry import anonymizers

BEGINS = Text(
    "begins where your answers point: groups of at least {}, {}",
    "回答から決まる出発点です: {} 以上のグループ ({})",
)
FORMS = {
    "local": Text("as fine as can be", "できるだけ細かく"),
    "mondrian": Text("with ranges and sets of true values", "実際の値の範囲と集合で"),
    "flash": Text(
        "every row in the same steps, so that it can be counted", "全行同じ刻みで集計向き"
    ),
}
"""What a method makes of the k that the purpose names."""
ON_GRID = Text(
    "shows what groups of at least {} cost and bring",
    "{} 以上のグループにした場合の損失と効果を示します",
)
BETWEEN = Text(
    "lies between two good candidates (groups of {} and of {})",
    "よい候補 (グループ {} と {}) の中間です",
)
NOT_NAMED = Text("leaves out {}, which you did not ask for", "必要とされていない {} を公開しません")
NOT_KNOWN = Text(
    "leaves {} exact, because you said that the recipient does not know them of anybody",
    "提供先が知らないとされた {} をそのまま残します",
)
WITHOUT = Text(
    "leaves out {}, which helps to find people and need not stay",
    "特定の手がかりになり、残す必要のない {} を公開しません",
)
COARSER = Text(
    "makes {} coarser before the others, because it helps to find people and need not stay exact",
    "特定の手がかりになり、正確である必要のない {} を先に粗くします",
)
GENERALIZED = Text(
    "generalizes {}, too, because its exact values help to find people",
    "正確な値が特定の手がかりになる {} も一般化します",
)
ALL_GENERALIZED = Text(
    "generalizes {}, too, because anybody may know them of somebody",
    "誰かが知り得るため、{} も一般化します",
)
SWAPPED = Text(
    "exchanges the values of {} within groups, so that they no longer point at a person",
    "{} の値をグループ内で入れ替え、個人と結び付かないようにします",
)
SAFER = Text("is safer: groups of at least {}", "より安全に: {} 以上のグループ")
FINER = Text("keeps more detail: groups of at least {}", "より詳しく: {} 以上のグループ")
EVEN = Text(
    "counts a loss in every column alike, for comparison",
    "比較のため、すべての列の損失を同じ重みで扱います",
)
WHOLE = Text("leaves out no row", "行を一つも削除しません")
NEARLY = 0.995


def said(words: Text, *parts: int | str | Text) -> Text:
    """The words, with what they are about in place of their braces."""
    both = [one if isinstance(one, Text) else Text(str(one), str(one)) for one in parts]
    english, japanese = ([one[side] for one in both] for side in (0, 1))
    return Text(words.en.format(*english), words.ja.format(*japanese))


def title_of(request: Request, usual: Mapping[str, str]) -> Text:
    """Method, k, and how it differs from what becomes of the columns otherwise."""
    names = [anonymizers.get(str(step["method"])).title for step in request.steps]
    parts = [
        Text(" + ".join(one.en for one in names), " + ".join(one.ja for one in names)),
        Text(f"k = {request.k}", f"k = {request.k}"),
    ]
    for fate, words in _TITLES.items():
        moved = [n for n, one in request.columns.items() if one == fate and usual[n] != fate]
        if moved and not (fate == PROTECT and len(request.steps) == 1):
            parts.append(said(words, shortened(moved)))
    weights = request.steps[0].get("weights", {})
    light = [name for name, weight in weights.items() if weight < 1]
    if light:
        parts.append(said(Text("{} coarser", "{} を粗く"), shortened(light)))
    return Text(", ".join(one.en for one in parts), "、".join(one.ja for one in parts))


_TITLES = {
    DROP: Text("without {}", "{} なし"),
    PASS: Text("{} exact", "{} はそのまま"),
    GENERALIZE: Text("{} generalized", "{} も一般化"),
    PROTECT: Text("{} exchanged", "{} を入れ替え"),
}


def sentence(made: Made, purpose: Purpose, proposed: Text, ages: Collection[str] = ()) -> Text:
    """Why it was proposed, and what it does to the column that matters most.

    `ages`: columns that hold years of age.
    """
    kept = _kept(made, purpose, ages)
    first = Text(proposed.en[0].upper() + proposed.en[1:], proposed.ja)
    if kept is None:
        return Text(f"{first.en}.", f"{first.ja}。")
    return Text(f"{first.en}; {kept.en}.", f"{first.ja}。{kept.ja}。")


def _kept(made: Made, purpose: Purpose, ages: Collection[str]) -> Text | None:
    """What happens to the most important column that is not dropped."""
    fates = made.request.columns
    asked = [n for n in purpose.keep if fates.get(n, DROP) != DROP]
    because = Text("you want it to stay", "残したいと指定された")
    if not asked and purpose.predict:
        fine = [n for n in made.case.qi if fates[n] == GENERALIZE]
        asked = sorted(fine, key=lambda name: (_changed(made, name), name))
        because = Text(f"you predict {purpose.predict}", f"{purpose.predict} を予測する")
    if not asked:
        asked = [n for table in purpose.tables for n in table if fates.get(n, DROP) != DROP]
        because = Text("you count it", "集計に使う")
    if not asked:
        return None
    what = resolution(made, asked[0], years=asked[0] in ages)
    return Text(
        f"keeps {asked[0]} {what.en} because {because.en}",
        f"{because.ja}ため、{asked[0]} を{what.ja}",
    )


def resolution(made: Made, name: str, *, years: bool = False) -> Text:
    """How fine a column still is: exact, in steps of a width, or exact in a part of the rows."""
    exact = 1 - _changed(made, name)
    if exact >= NEARLY:
        return Text("exact", "正確に残します")
    before = made.case.original.frame[name]
    if before.dtype.is_numeric() and exact < 0.5 and (width := _width(made, name)):
        if years:
            return Text(f"to about {width:g} years", f"およそ {width:g} 歳刻みで残します")
        return Text(f"to steps of about {width:g}", f"およそ {width:g} 刻みで残します")
    return Text(f"exact in {percent(exact)} of the rows", f"{percent(exact)} の行で正確に残します")


def _changed(made: Made, name: str) -> float:
    case = made.case
    texts = (case.original.frame[name].gather(case.link), case.released.frame[name])
    before, after = (one.cast(pl.String) for one in texts)
    return float(np.mean(before.ne_missing(after).to_numpy()))


def _width(made: Made, name: str) -> float:
    """The median width of the cells of numbers; 0: most have no ends."""
    case = made.case
    low, high = bounds(case.released.frame[name])
    whole = case.original.frame[name].dtype.is_integer()
    wide = (high - low + whole)[np.isfinite(high - low)]
    return float(np.median(wide)) if len(wide) > 0.5 * len(low) else 0.0
