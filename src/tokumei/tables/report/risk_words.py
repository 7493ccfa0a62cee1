"""The words of a risk report: headline, advice, and what each figure means."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.core.figures import percent, plain
from tokumei.core.measure import ATTACK_LIMITS, Level
from tokumei.core.text import Text
from tokumei.report.words import KeyFigure, joined
from tokumei.tables.risk.risk import Risk, SizeBin

MODELS = {
    "zayatz": Text("Zayatz (1991)", "Zayatz (1991)"),
    "snb": Text("Slide negative binomial (1998)", "スライド負の二項分布 (1998)"),
    "pitman": Text("Pitman (Hoshino 2001)", "Pitman（星野 2001）"),
    "poisson-lognormal": Text("Poisson-lognormal (1993)", "ポアソン対数正規 (1993)"),
    "counted": Text("Counted", "実数"),
}
ATTACKERS = {
    "prosecutor": (
        Text("Prosecutor", "検察官"),
        Text("knows that the person is in the table", "本人が表に含まれることを知っている攻撃者"),
    ),
    "everything": (
        Text("Prosecutor who knows all", "すべてを知る検察官"),
        Text(
            "also knows every other column of the table, named here or not",
            "ここで挙げた列以外の、表のすべての列の値も知る攻撃者",
        ),
    ),
    "journalist": (
        Text("Journalist", "ジャーナリスト"),
        Text(
            "knows only that the person is in the population",
            "本人が母集団にいることだけを知る攻撃者",
        ),
    ),
    "marketer": (
        Text("Marketer", "マーケター"),
        Text("links everybody and counts the hits", "全員を照合し、当たった数を数える攻撃者"),
    ),
}


def size_label(size: SizeBin) -> str:
    """The sizes of a bin: `1`, `3–4`."""
    return str(size.low) if size.low == size.high else f"{size.low:,}–{size.high:,}"


def columns_label(columns: Sequence[str]) -> str:
    """A set of columns as text."""
    return " + ".join(columns)


def count_columns(number: int) -> str:
    """`1 column`, `3 columns`."""
    return f"{number} column" if number == 1 else f"{number} columns"


def level_of(found: Risk) -> Level:
    """Good if nobody, fair if up to a twentieth of the rows are above the threshold."""
    share = found.prosecutor.share_above(found.threshold)
    return Level.GOOD if share == 0 else Level.MID if share <= MOST_AT_RISK else Level.BAD


MOST_AT_RISK = 0.05


def headline(found: Risk) -> Text:
    """The one sentence to remember."""
    alone = found.sample.of_size(1)
    if alone:
        share, number = percent(found.uniqueness.uniques), len(found.columns)
        return Text(
            f"{share} of the rows are the only ones with their values in {count_columns(number)}.",
            f"{share} の行は、{number} 列の値だけで一人に絞られます。",
        )
    smallest = int(found.sample.sizes[0])
    return Text(
        f"No row is unique: every combination is shared by at least {plain(smallest)} rows.",
        f"一人に絞られる行はありません。どの組み合わせも {plain(smallest)} 行以上に共通します。",
    )


def everything_sentence(found: Risk) -> Text | None:
    """What the other columns of the table add; None if they add nothing."""
    share = found.everything.certain
    if share <= found.prosecutor.certain:
        return None
    return Text(
        f"Whoever knows every column of the table finds {percent(share)} of the rows for sure.",
        f"表のすべての列の値を知る人は、{percent(share)} の行を確実に特定できます。",
    )


def detail(found: Risk) -> Text:
    """How much is at risk, and which column does most of it."""
    share, limit = found.prosecutor.share_above(found.threshold), percent(found.threshold)
    above = percent(share)
    told = [
        Text(
            f"{above} of the rows are found with a chance above {limit} by somebody who knows a "
            "person's values in these columns.",
            f"これらの列の値を知る人は、{above} の行を {limit} を超える確率で特定できます。",
        ),
        advice(found),
    ]
    if not share:
        nobody = Text(
            "Nobody who knows a person's values in these columns finds the row with a chance "
            f"above {limit}.",
            f"これらの列の値を知る人でも、{limit} を超える確率で特定される行はありません。",
        )
        told = [nobody]
    return joined(*(one for one in (*told, everything_sentence(found)) if one is not None))


def advice(found: Risk) -> Text | None:
    """The column whose absence would help most; None if nobody is alone."""
    if not found.sample.of_size(1):
        return None
    name = min(found.columns, key=lambda column: found.without[column])
    left = percent(found.without[name])
    if found.without[name] > found.uniqueness.uniques / 2:
        return Text(
            "Leaving out one column is not enough: even without "
            f"{name}, {left} of the rows would be unique.",
            f"1 列を除くだけでは足りません。{name} を除いても、{left} の行が一人に絞られます。",
        )
    return Text(
        f"Start with {name}: without it, only {left} of the rows would be unique.",
        f"まず {name} を見直してください。この列がなければ、一人に絞られる行は {left} になります。",
    )


def key_figures(found: Risk) -> list[KeyFigure]:
    """The figures under the headline."""
    limit = percent(found.threshold)
    highest, above = found.prosecutor.highest, found.prosecutor.share_above(found.threshold)
    first = Text("highest chance to be found", "最も特定されやすい行が特定される確率")
    many = Text(f"rows with a chance above {limit}", f"特定の確率が {limit} を超える行")
    right = Text(
        "of the rows are right when everybody is linked", "全行を照合したときに正しく結び付く行"
    )
    share, most = found.special_rows / found.rows, found.max_size
    unique = Text(f"rows unique by at most {count_columns(most)}", f"{most} 列以下で一意になる行")
    if found.population is not None:
        share = found.population.share
        unique = Text("of the population estimated to be unique", "母集団で一意と推定される人")
    return [
        KeyFigure(percent(highest), ATTACK_LIMITS.level(highest), first),
        KeyFigure(percent(above), level_of(found), many),
        KeyFigure(percent(found.marketer), ATTACK_LIMITS.level(found.marketer), right),
        KeyFigure(percent(share), None, unique),
    ]


def population_sentence(found: Risk) -> Text | None:
    """The estimate in words; None without a population."""
    people = found.population
    if people is None:
        return None
    about, total = plain(people.uniques), f"{people.rows:,}"
    share, held = percent(people.share), percent(people.held)
    return Text(
        f"About {about} of {total} people ({share}) are unique in the population; {held} of the "
        "rows that are alone in the table would be alone there too.",
        f"母集団 {total} 人のうち約 {about} 人（{share}）が一意と推定されます。"
        f"表の中で一意な行のうち {held} は、母集団でも一意とみられます。",
    )


def counted_sentence(found: Risk) -> Text | None:
    """What a table of the population shows; None without one."""
    if found.population is None or found.population.counted is None:
        return None
    counted = found.population.counted
    return Text(
        f"Counted in the population table: {counted.uniques:,} unique people, "
        f"{counted.sample_uniques:,} of them in this table.",
        f"母集団の表で数えると、一意な人は {counted.uniques:,} 人で、"
        f"うち {counted.sample_uniques:,} 人がこの表にいます。",
    )
