"""The measures that run on request, as sentences that need no statistics.

requested_reading("sample_uniques", Score(0.29)).en   # "29 % of the rows are alone with …"
"""

from __future__ import annotations

from collections.abc import Mapping

from tokumei.core.figures import percent, plain
from tokumei.core.score import Score
from tokumei.core.text import Text

PLAIN = ("kl_divergence",)
"""Figures that are no shares."""


def requested_reading(name: str, score: Score) -> Text | None:
    """What the figure says; None for a measure that is not listed here."""
    if name not in _SENTENCES:
        return None
    if score.value == 0 and name in _NOBODY:
        return _NOBODY[name]
    value = plain(score.value) if name in PLAIN else percent(score.value)
    text = _SENTENCES[name]
    if score.baseline is not None:
        text = _WITH_BASELINE.get(name, text)
    blind = "" if score.baseline is None else percent(score.baseline)
    return Text(
        text.en.format(value=value, baseline=blind), text.ja.format(value=value, baseline=blind)
    )


_SENTENCES: Mapping[str, Text] = {
    "ncp": Text(
        "A quasi-identifier cell covers {value} of its column's domain on average (NCP).",
        "準識別子の一つのセルは、平均して列の値域の {value} にわたります（NCP）。",
    ),
    "prec": Text(
        "{value} of the precision of the hierarchies is kept (Prec).",
        "階層の細かさの {value} が保たれています（Prec）。",
    ),
    "entropy_loss": Text(
        "{value} of the information in the quasi-identifiers is gone.",
        "準識別子の情報量の {value} が失われています。",
    ),
    "kl_divergence": Text(
        "The distribution of the quasi-identifiers is {value} nats away from the original's.",
        "準識別子の分布は、元データから {value} ナット離れています。",
    ),
    "query_error": Text(
        "A count asked of the release is typically wrong by {value}.",
        "匿名加工データで件数を数えると、典型的には {value} ずれます。",
    ),
    "classification": Text(
        "A model that learns from the release is right for {value} of the rows.",
        "匿名加工データから学習したモデルの正解率は {value} です。",
    ),
    "highest_risk": Text(
        "The most exposed row is found with a chance of {value}.",
        "最も危険な行が特定される確率は {value} です。",
    ),
    "records_at_risk": Text(
        "{value} of the rows are found with a chance above the threshold.",
        "{value} の行で、特定される確率がしきい値を超えています。",
    ),
    "marketer_risk": Text(
        "Who links all rows by the quasi-identifiers gets {value} of them right.",
        "準識別子ですべての行を照合すると、{value} が正しく結び付きます。",
    ),
    "sample_uniques": Text(
        "{value} of the rows are alone with their combination of quasi-identifiers.",
        "{value} の行は、準識別子の組み合わせがほかの誰とも重なりません。",
    ),
    "distinction": Text(
        "There are {value} as many combinations of quasi-identifiers as rows.",
        "準識別子の組み合わせの数は、行数の {value} にあたります。",
    ),
    "separation": Text(
        "{value} of all pairs of rows differ in a quasi-identifier.",
        "二つの行を選ぶと、{value} の組で準識別子が異なります。",
    ),
    "suda": Text(
        "{value} of the rows are unique by a few columns already.",
        "{value} の行は、少数の列だけで一意になります。",
    ),
    "population_uniques": Text(
        "An estimated {value} of the population are unique by the quasi-identifiers.",
        "母集団の {value} が準識別子で一意になると推定されます。",
    ),
}
_NOBODY: Mapping[str, Text] = {
    "records_at_risk": Text(
        "No row is found with a chance above the threshold.",
        "しきい値を超える確率で特定される行はありません。",
    ),
    "sample_uniques": Text(
        "No row is alone with its combination of quasi-identifiers.",
        "準識別子の組み合わせがほかの誰とも重ならない行はありません。",
    ),
    "suda": Text("No row is unique by a few columns.", "少数の列だけで一意になる行はありません。"),
}
_WITH_BASELINE: Mapping[str, Text] = {
    "classification": Text(
        "A model that learns from the release is right for {value} of the rows; always naming the "
        "commonest value is right for {baseline}.",
        "匿名加工データから学習したモデルの正解率は {value} です。"
        "最も多い値を常に答えると {baseline} です。",
    ),
}
