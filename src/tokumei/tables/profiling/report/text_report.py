"""Formats a profile as text, at most forty lines for fifteen columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from tokumei.core.fields import field_name
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message
from tokumei.tables.profiling.column_types import COLUMN_TYPES
from tokumei.tables.profiling.normalization_rules import NORMALIZATION_RULES
from tokumei.tables.profiling.profile import ColumnProfile, TableProfile

ROLE_LABELS = {
    "identifier": Message("identifier", "識別子"),
    "person": Message("person", "個人の番号"),
    "quasi": Message("quasi", "準識別子"),
    "sensitive": Message("sensitive", "機密"),
    "other": Message("other", "その他"),
}
KIND_LABELS = {
    "numeric": Message("number", "数値"),
    "date": Message("date", "日付"),
    "category": Message("category", "区分"),
    "text": Message("text", "文字列"),
}
SEPARATOR_LABELS = {
    ",": Message("commas", "コンマ区切り"),
    ";": Message("semicolons", "セミコロン区切り"),
    "\t": Message("tabs", "タブ区切り"),
    "|": Message("bars", "縦棒区切り"),
}
_MAX_CELL_WIDTH = 22
_MAX_LINES = 6
"""Lines of normalizations, of personal data and of warnings."""
_MAX_QUESTIONS = 8


def profile_lines(profile: TableProfile, *, values: bool = False) -> list[Message]:
    """Everything a person reads, in the order of the specification."""
    warning_texts = [violation.message for violation in profile.warnings]
    return [
        file_line(profile),
        people_line(profile),
        *exposure_lines(profile),
        *_column_table_lines(profile, values),
        *_limit_lines([_pii_line(c) for c in profile.columns if c.pii], _MAX_LINES // 2),
        *_limit_lines(
            [
                _normalization_line(*normalization)
                for normalization in applied_normalizations(profile)
            ],
            _MAX_LINES,
        ),
        *_limit_lines(
            [Message(f"Warning: {warning.en}", f"注意: {warning.ja}") for warning in warning_texts],
            2,
        ),
        *_limit_lines([_question_line(c) for c in profile.columns if c.question], _MAX_QUESTIONS),
        *_missing_qi_lines(profile),
        _next_command_line(profile),
    ]


def _missing_qi_lines(profile: TableProfile) -> list[Message]:
    """What has to be added to the next command if no column seems known to others."""
    candidate_names = [
        c.name for c in profile.columns if c.role in ("sensitive", "other") and c.fate != "ask"
    ]
    is_table_command = " table " in profile.command
    if (
        not is_table_command
        or not candidate_names
        or any(c.role == "quasi" for c in profile.columns)
    ):
        return []
    listed = ", ".join(candidate_names[:_MAX_LINES])
    return [
        Message(
            "No column looks as if others knew it of a person: decide what they may know, and add "
            f"{field_name('qi')} with at least one of {listed}",
            "他人が知り得る属性と思われる列がありません。知られ得るものを決めて、"
            f"{field_name('qi')} に次から一つ以上を加えてください: {listed}",
        )
    ]


def _next_command_line(profile: TableProfile) -> Message:
    if not profile.command:
        return Message(
            "No rows: there is nothing to release.", "行がないため、公開するものがありません。"
        )
    return Message(f"Next:  {profile.command}", f"次に:  {profile.command}")


def file_line(profile: TableProfile) -> Message:
    """What the file is and what was left out of it."""
    source = profile.source
    en, ja = [source.file or "frame"], [source.file or "データフレーム"]
    sheets = [name for name in source.sheets if name != source.sheet]
    if source.encoding:
        sep = SEPARATOR_LABELS.get(source.separator or "", Message(*[source.separator or ""] * 2))
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
    skipped_counts = (source.above, source.below, source.empty)
    if any(skipped_counts):
        en.append("left out {} above, {} below, {} blank".format(*skipped_counts))
        ja.append("除外: 上 {} 行、下 {} 行、空行 {}".format(*skipped_counts))
    size = f"{profile.rows:,} × {len(profile.columns)}"
    return Message(
        "; ".join([*en, f"{size} (rows × columns)"]), "、".join([*ja, f"{size}（行 × 列）"])
    )


def people_line(profile: TableProfile) -> Message:
    """Whether the table is about people, and who tells them apart."""
    if profile.people is False:
        return Message(
            "Not about people, as far as the columns tell.", "人に関する表ではないようです。"
        )
    person = profile.person
    if person is None:
        start = Message("Perhaps about people", "人に関する表かどうか判断できません")
        if profile.people:
            start = Message("About people", "人に関する表")
        return Message(
            f"{start.en}; no column numbers them: one row per person is assumed.",
            f"{start.ja}。人を区別する列がないため、1 行 1 人とみなします。",
        )
    if person.several:
        return Message(
            f"{person.people:,} people in {person.rows:,} rows, told apart by '{person.column}'.",
            f"{person.people:,} 人・{person.rows:,} 行。「{person.column}」で人を区別します。",
        )
    return Message(
        f"One row per person: {person.people:,} people, told apart by '{person.column}'.",
        f"1 行 1 人: {person.people:,} 人。「{person.column}」で人を区別します。",
    )


def exposure_lines(profile: TableProfile) -> list[Message]:
    """What the likely quasi-identifiers give away together."""
    exposure = profile.exposure
    if exposure is None or profile.people is False:
        return []
    names = ", ".join(exposure.columns[:6]) + (" …" if len(exposure.columns) > 6 else "")
    share = format_percent(exposure.unique_share)
    return [
        Message(
            f"Whoever knows {names} finds {share} of the people for sure (smallest class: "
            f"{exposure.smallest}).",
            f"{names} を知る人は {share} の人を一人に絞れます（最小のグループ: "
            f"{exposure.smallest}）。",
        )
    ]


def _column_table_lines(profile: TableProfile, values: bool) -> list[Message]:
    """A line of heads and one per column, aligned in each language."""
    heads = [
        Message("column", "列"),
        Message("role", "役割"),
        Message("type", "意味"),
        Message("kind", "種類"),
        Message("", "確度"),
        Message("missing", "欠損"),
        Message("shape", "形"),
        Message("why", "理由"),
    ]
    rows = [heads, *(_column_cells(column, profile, values) for column in profile.columns)]
    english = _align_columns([[cell.en for cell in row] for row in rows])
    japanese = _align_columns([[cell.ja for cell in row] for row in rows])
    return [Message(en, ja) for en, ja in zip(english, japanese, strict=True)]


def _column_cells(column: ColumnProfile, profile: TableProfile, values: bool) -> list[Message]:
    title = COLUMN_TYPES[column.type].title
    missing_share = format_percent(column.missing / max(profile.rows, 1)) if column.missing else "–"
    sample_text = format_examples(column, profile) if values else " / ".join(column.shapes[:1])
    return [
        _untranslated(column.name),
        ROLE_LABELS[column.role],
        Message(strip_article(title.en), title.ja),
        KIND_LABELS[column.kind],
        column.certainty,
        _untranslated(missing_share),
        _untranslated(sample_text or "–"),
        column.reason,
    ]


def format_examples(column: ColumnProfile, profile: TableProfile) -> str:
    """The most frequent values of a column that identifies nobody; shapes of any other."""
    if not column.shows_values:
        return " / ".join(column.shapes[:1])
    counts = profile.source.frame[column.name].drop_nulls().value_counts(sort=True)
    return " / ".join(str(value)[:12] for value in counts[column.name].head(3))


def strip_article(title: str) -> str:
    """A title without its article."""
    return title.removeprefix("a ").removeprefix("an ")


def _untranslated(text: str) -> Message:
    return Message(text, text)


def _align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [
        min(max(map(display_width, column)), _MAX_CELL_WIDTH) for column in zip(*rows, strict=True)
    ]
    lines = []
    for row in rows:
        cells = zip([*map(_truncate_cell, row[:-1]), row[-1]], widths, strict=True)
        padded = [text + " " * (column_width - display_width(text)) for text, column_width in cells]
        lines.append("  ".join(padded).rstrip())
    return lines


def display_width(text: str) -> int:
    """Columns on a screen: characters of East Asian writing take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _truncate_cell(text: str) -> str:
    while display_width(text) > _MAX_CELL_WIDTH:
        text = text.rstrip("…")[:-1] + "…"
    return text


def _pii_line(column: ColumnProfile) -> Message:
    pii_counts = [(COLUMN_TYPES[pii.type].title, pii.cells) for pii in column.pii]
    en = ", ".join(f"{strip_article(title.en)} in {cells:,} cells" for title, cells in pii_counts)
    ja = "、".join(f"{title.ja} {cells:,} セル" for title, cells in pii_counts)
    return Message(f"Inside '{column.name}': {en}.", f"「{column.name}」の中: {ja}")


def applied_normalizations(profile: TableProfile) -> list[tuple[str, int, list[str]]]:
    """Normalizations that touch something: their cells, or lines of the file, and columns."""
    applied = []
    for rule in NORMALIZATION_RULES:
        touched_columns = [c for c in profile.columns if rule in c.normalizations]
        cells = sum(c.normalizations[rule] for c in touched_columns) or profile.file_rules.get(
            rule, 0
        )
        if touched_columns or cells:
            applied.append((rule, cells, [c.name for c in touched_columns]))
    return applied


def _normalization_line(rule: str, cells: int, names: list[str]) -> Message:
    description, listed = NORMALIZATION_RULES[rule], ", ".join(names)
    return Message(
        f"Normalized: {rule} {cells:,} ({listed or description.en})",
        f"正規化: {rule} {cells:,}（{listed or description.ja}）",
    )


def _question_line(column: ColumnProfile) -> Message:
    assert column.question is not None
    options = " | ".join(column.question.options)
    return Message(
        f"? {column.question.text.en}  {options}", f"? {column.question.text.ja}  {options}"
    )


def _limit_lines(lines: Sequence[Message], max_lines: int) -> list[Message]:
    """The lines, the last ones as a number if there are too many."""
    if len(lines) <= max_lines:
        return list(lines)
    rest = len(lines) - max_lines + 1
    remaining_line = Message(
        f"  … and {rest} more (--json tells all)", f"  … ほか {rest} 件（--json で全件）"
    )
    return [*lines[: max_lines - 1], remaining_line]
