"""A look as lines of text: at most forty for a table of fifteen columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from tokumei.core.fields import field_name
from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.tables.look.result import Look, LookColumn
from tokumei.tables.look.rules import RULES
from tokumei.tables.look.types import TYPES

ROLES = {
    "identifier": Text("identifier", "識別子"),
    "person": Text("person", "個人の番号"),
    "quasi": Text("quasi", "準識別子"),
    "sensitive": Text("sensitive", "機密"),
    "other": Text("other", "その他"),
}
KINDS = {
    "numeric": Text("number", "数値"),
    "date": Text("date", "日付"),
    "category": Text("category", "区分"),
    "text": Text("text", "文字列"),
}
SEPARATORS = {
    ",": Text("commas", "コンマ区切り"),
    ";": Text("semicolons", "セミコロン区切り"),
    "\t": Text("tabs", "タブ区切り"),
    "|": Text("bars", "縦棒区切り"),
}
_WIDEST = 22
_MOST = 6
"""Lines of normalizations, of personal data and of warnings."""
_QUESTIONS = 8


def look_lines(found: Look, *, values: bool = False) -> list[Text]:
    """Everything a person reads, in the order of the specification."""
    warned = [fault.message for fault in found.warnings]
    return [
        file_line(found),
        people_line(found),
        *exposure_lines(found),
        *_columns(found, values),
        *_capped([_inside(c) for c in found.columns if c.pii], _MOST // 2),
        *_capped([_normalization(*one) for one in rules_used(found)], _MOST),
        *_capped([Text(f"Warning: {w.en}", f"注意: {w.ja}") for w in warned], 2),
        *_capped([_asked(c) for c in found.columns if c.question], _QUESTIONS),
        *_unknown_to_others(found),
        _next(found),
    ]


def _unknown_to_others(found: Look) -> list[Text]:
    """What has to be added to the next command if no column seems known to others."""
    rest = [c.name for c in found.columns if c.role in ("sensitive", "other") and c.fate != "ask"]
    table = " table " in found.command
    if not table or not rest or any(c.role == "quasi" for c in found.columns):
        return []
    listed = ", ".join(rest[:_MOST])
    return [
        Text(
            "No column looks as if others knew it of a person: decide what they may know, and add "
            f"{field_name('qi')} with at least one of {listed}",
            "他人が知り得る属性と思われる列がありません。知られ得るものを決めて、"
            f"{field_name('qi')} に次から一つ以上を加えてください: {listed}",
        )
    ]


def _next(found: Look) -> Text:
    if not found.command:
        return Text(
            "No rows: there is nothing to release.", "行がないため、公開するものがありません。"
        )
    return Text(f"Next:  {found.command}", f"次に:  {found.command}")


def file_line(found: Look) -> Text:
    """What the file is and what was left out of it."""
    source = found.source
    en, ja = [source.file or "frame"], [source.file or "データフレーム"]
    sheets = [name for name in source.sheets if name != source.sheet]
    if source.encoding:
        sep = SEPARATORS.get(source.separator or "", Text(*[source.separator or ""] * 2))
        en.append(f"{source.format}, {source.encoding}, {sep.en}")
        ja.append(f"{source.format}、{source.encoding}、{sep.ja}")
    if source.sheet:
        others = f" (others: {', '.join(sheets)})" if sheets else ""
        en.append(f"sheet '{source.sheet}'{others}")
        ja.append(f"シート「{source.sheet}」" + (f"（ほか {'、'.join(sheets)}）" if sheets else ""))
    if source.format not in ("frame", "parquet"):
        row = source.header_row
        en.append(f"names in line {row}" if row else "no line of names")
        ja.append(f"見出しは {row} 行目" if row else "見出し行なし")
    left = (source.above, source.below, source.empty)
    if any(left):
        en.append("left out {} above, {} below, {} blank".format(*left))
        ja.append("除外: 上 {} 行、下 {} 行、空行 {}".format(*left))
    size = f"{found.rows:,} × {len(found.columns)}"
    return Text(
        "; ".join([*en, f"{size} (rows × columns)"]), "、".join([*ja, f"{size}（行 × 列）"])
    )


def people_line(found: Look) -> Text:
    """Whether the table is about people, and who tells them apart."""
    if found.people is False:
        return Text(
            "Not about people, as far as the columns tell.", "人に関する表ではないようです。"
        )
    person = found.person
    if person is None:
        start = Text("Perhaps about people", "人に関する表かどうか判断できません")
        if found.people:
            start = Text("About people", "人に関する表")
        return Text(
            f"{start.en}; no column numbers them: one row per person is assumed.",
            f"{start.ja}。人を区別する列がないため、1 行 1 人とみなします。",
        )
    if person.several:
        return Text(
            f"{person.people:,} people in {person.rows:,} rows, told apart by '{person.column}'.",
            f"{person.people:,} 人・{person.rows:,} 行。「{person.column}」で人を区別します。",
        )
    return Text(
        f"One row per person: {person.people:,} people, told apart by '{person.column}'.",
        f"1 行 1 人: {person.people:,} 人。「{person.column}」で人を区別します。",
    )


def exposure_lines(found: Look) -> list[Text]:
    """What the likely quasi-identifiers give away together."""
    one = found.exposure
    if one is None or found.people is False:
        return []
    names = ", ".join(one.columns[:6]) + (" …" if len(one.columns) > 6 else "")
    share = percent(one.unique_share)
    return [
        Text(
            f"Whoever knows {names} finds {share} of the people for sure (smallest class: "
            f"{one.smallest}).",
            f"{names} を知る人は {share} の人を一人に絞れます（最小のグループ: {one.smallest}）。",
        )
    ]


def _columns(found: Look, values: bool) -> list[Text]:
    """A line of heads and one per column, aligned in each language."""
    heads = [
        Text("column", "列"), Text("role", "役割"), Text("type", "意味"), Text("kind", "種類"),
        Text("", "確度"), Text("missing", "欠損"), Text("shape", "形"), Text("why", "理由"),
    ]  # fmt: skip
    rows = [heads, *(_cells(column, found, values) for column in found.columns)]
    english = _aligned([[cell.en for cell in row] for row in rows])
    japanese = _aligned([[cell.ja for cell in row] for row in rows])
    return [Text(en, ja) for en, ja in zip(english, japanese, strict=True)]


def _cells(column: LookColumn, found: Look, values: bool) -> list[Text]:
    title = TYPES[column.type].title
    gaps = percent(column.missing / max(found.rows, 1)) if column.missing else "–"
    shown = examples(column, found) if values else " / ".join(column.shapes[:1])
    return [
        _same(column.name),
        ROLES[column.role],
        Text(bare(title.en), title.ja),
        KINDS[column.kind],
        column.certainty,
        _same(gaps),
        _same(shown or "–"),
        column.reason,
    ]


def examples(column: LookColumn, found: Look) -> str:
    """The most frequent values of a column that identifies nobody; shapes of any other."""
    if not column.shows_values:
        return " / ".join(column.shapes[:1])
    counts = found.source.frame[column.name].drop_nulls().value_counts(sort=True)
    return " / ".join(str(value)[:12] for value in counts[column.name].head(3))


def bare(title: str) -> str:
    """A title without its article."""
    return title.removeprefix("a ").removeprefix("an ")


def _same(text: str) -> Text:
    return Text(text, text)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [min(max(map(width, column)), _WIDEST) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = zip([*map(_cut, row[:-1]), row[-1]], widths, strict=True)
        padded = [text + " " * (wide - width(text)) for text, wide in cells]
        lines.append("  ".join(padded).rstrip())
    return lines


def width(text: str) -> int:
    """Columns on a screen: characters of East Asian writing take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _cut(text: str) -> str:
    while width(text) > _WIDEST:
        text = text.rstrip("…")[:-1] + "…"
    return text


def _inside(column: LookColumn) -> Text:
    parts = [(TYPES[one.type].title, one.cells) for one in column.pii]
    en = ", ".join(f"{bare(title.en)} in {cells:,} cells" for title, cells in parts)
    ja = "、".join(f"{title.ja} {cells:,} セル" for title, cells in parts)
    return Text(f"Inside '{column.name}': {en}.", f"「{column.name}」の中: {ja}")


def rules_used(found: Look) -> list[tuple[str, int, list[str]]]:
    """Normalizations that touch something: their cells, or lines of the file, and columns."""
    used = []
    for rule in RULES:
        touched = [c for c in found.columns if rule in c.normalizations]
        cells = sum(c.normalizations[rule] for c in touched) or found.file_rules.get(rule, 0)
        if touched or cells:
            used.append((rule, cells, [c.name for c in touched]))
    return used


def _normalization(rule: str, cells: int, names: list[str]) -> Text:
    words, listed = RULES[rule], ", ".join(names)
    return Text(
        f"Normalized: {rule} {cells:,} ({listed or words.en})",
        f"正規化: {rule} {cells:,}（{listed or words.ja}）",
    )


def _asked(column: LookColumn) -> Text:
    assert column.question is not None
    options = " | ".join(column.question.options)
    return Text(
        f"? {column.question.text.en}  {options}", f"? {column.question.text.ja}  {options}"
    )


def _capped(lines: Sequence[Text], most: int) -> list[Text]:
    """The lines, the last ones as a number if there are too many."""
    if len(lines) <= most:
        return list(lines)
    rest = len(lines) - most + 1
    told = Text(f"  … and {rest} more (--json tells all)", f"  … ほか {rest} 件（--json で全件）")
    return [*lines[: most - 1], told]
